/** Rules about single counted pages, by page numbers or by offsets: their size, what they say of themselves, and what comes past the end. */

import type { Collection, NumberedPage } from '../../../core/annotations/annotations.ts';
import { type MutantIdentity, type MutantKindOf, mutantOf } from '../../../core/mutants/mutant-catalogue.ts';
import { placeBelow } from '../../../core/openapi/document.ts';
import { type Operation, statusOf } from '../../../core/openapi/operation.ts';
import { showPointer, valueAt } from '../../../core/pointer.ts';
import { type Reply, recordsIn } from '../engine/call.ts';
import { collectionPlace, isOpen, parameterPlace } from '../engine/clauses.ts';
import { listedValues, predictableFilters, readFirstPages } from '../engine/filter-values.ts';
import {
  askSecondPage,
  isNumbered,
  isPage,
  keysIn,
  losesRecords,
  type NumberedOperation,
  pageCall,
  positionParameter,
  type ReportedTotal,
  reportedTotals,
  requestedPageOf,
  type Sample,
  smallSample,
  totalMeanings,
} from '../engine/numbered-pages.ts';
import { type ParameterValues, totalIn } from '../engine/paginate.ts';
import { isUnchangedList } from '../engine/readings.ts';
import type { RunContext } from '../engine/run-context.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import { documents } from './refusal.ts';
import {
  agrees,
  type Candidate,
  type Contradiction,
  candidate,
  contradicts,
  count,
  dataMoved,
  describeRecords,
  describeValues,
  type Judgement,
  type Rule,
  reportedBy,
  ruleAbout,
} from './rule.ts';

const limitPlace = (list: NumberedOperation): ReturnType<Rule['clause']> => parameterPlace(list, list.collection.page.limit);

/** Every page that the run has seen of a list. */
function pagesSeen({ replies }: RunContext, { id }: Operation): readonly Reply[] {
  return replies.filter((reply) => reply.call.operation.id === id && isPage(reply));
}

const manyRecords = 'more records than the default page size';
const otherSize = candidate('pages/defaults', 'default-limit-other', manyRecords, { parameter: 'a size' });
const otherPage = candidate('pages/defaults', 'default-page-other', manyRecords, { parameter: 'a number' });

const defaults = ruleAbout(isNumbered, {
  id: 'pages/defaults',
  title: 'The documented defaults of page and page size hold',
  why: 'A client that relies on the defaults skips records or reads some twice.',
  strength: 'stated',
  place: (list) => {
    const [name] = Object.keys(defaultsOf(list));
    return list.parameters.find((each) => each.key === name)?.place ?? collectionPlace(list, 'page');
  },
  examine: async (context, list) => {
    const values = defaultsOf(list);
    if (Object.keys(values).length === 0) return { mutants: [], judge: () => [] };
    const bare = await context.ask({ operation: list });
    const explicit = await context.ask({ operation: list, values });
    const isSame = isPage(bare) && isPage(explicit) && keysIn(bare).join() === keysIn(explicit).join();
    const again = isSame ? bare : await context.askAgain({ operation: list });
    return { mutants: [otherSize, otherPage], judge: () => [judgeDefaults(list, values, bare, explicit, again)] };
  },
});

/** The stated defaults of the page and of its size. */
function defaultsOf(list: NumberedOperation): ParameterValues {
  const names = [list.collection.page.limit, positionParameter(list)];
  const stated = list.parameters.filter((each) => names.includes(each.key) && each.fallback !== undefined);
  return Object.fromEntries(stated.map((each) => [each.key, each.fallback ?? null]));
}

function judgeDefaults(
  { id, collection: { page } }: NumberedOperation,
  values: ParameterValues,
  bare: Reply,
  explicit: Reply,
  again: Reply,
): Judgement {
  if (!isPage(bare) || !isPage(explicit)) return reportedBy('response/status');
  const [left, right] = [keysIn(bare), keysIn(explicit)];
  if (left.join() === right.join()) {
    const limit = values[page.limit];
    const total = totalIn(page, explicit);
    const isFull = typeof limit === 'number' && right.length === limit && (total === undefined || total > limit);
    return isFull ? agrees(otherSize, otherPage) : agrees();
  }
  if (!isPage(again) || left.join() !== keysIn(again).join()) return dataMoved(`the first page of ${id} changed`);
  const [long, short] = left.length > right.length ? [left, right] : [right, left];
  const isPrefix = long.length > short.length && short.every((key, index) => key === long[index]);
  return contradicts({
    replies: [bare, explicit],
    expected: `${id} without parameters must return the same page as with ${describeValues(values)}`,
    actual: isPrefix ? `the page contains ${count(left.length, 'record')} instead of ${right.length}` : 'the page contains other records',
    mutant: isPrefix ? otherSize : otherPage,
  });
}

type Echo = NonNullable<NumberedPage['echo']>;

function echoOf({ collection: { page } }: NumberedOperation): Echo | undefined {
  return page.style === 'page' ? page.echo : undefined;
}

const echo = ruleAbout(isNumbered, {
  id: 'pages/echo',
  title: 'A response states its page number and page size',
  why: 'Clients count on from these values. They do not notice a reduced page size without them.',
  strength: 'stated',
  place: (list) => (echoOf(list) === undefined ? undefined : placeBelow(list.document, list.value, ['x-collection', 'page', 'echo'])),
  examine: async (context, list) => {
    await askSecondPage(context, list);
    const said = echoOf(list) ?? {};
    const mutant = (kind: EchoKind, pointer: string | undefined, missing: string): readonly Candidate[] =>
      pointer === undefined ? [] : [{ ...constantEcho(kind, pointer), missing }];
    return {
      mutants: [
        ...mutant('limit-echo-constant', said.limit, 'a page of another size than the usual one'),
        ...mutant('page-echo-constant', said.page, 'another page than the first'),
      ],
      judge: () => judgeEchoes(context, list, said),
    };
  },
});

/** A value that differed between answers was not constant. */
function judgeEchoes(context: RunContext, list: NumberedOperation, { limit, page }: Echo): readonly Judgement[] {
  const seen = pagesSeen(context, list);
  const judges = [{ pointer: limit, judge: judgeLimit } as const, { pointer: page, judge: judgePage } as const].flatMap(
    ({ pointer, judge }) => {
      const isConstant = pointer !== undefined && new Set(seen.map(({ body }) => valueAt(body, pointer))).size === 1;
      return pointer === undefined ? [] : [{ pointer, judge, isConstant }];
    },
  );
  return seen.flatMap((reply) =>
    judges.flatMap(({ pointer, judge, isConstant }) => {
      const [wanted, echoed] = [requestedPageOf(reply), valueAt(reply.body, pointer)];
      const finding =
        wanted === undefined || typeof echoed !== 'number' ? undefined : judge(context, { list, reply, wanted, echoed, pointer });
      return finding?.kind === 'contradicts' && !isConstant ? { ...finding, mutant: undefined } : (finding ?? []);
    }),
  );
}

type EchoKind = MutantKindOf<'pages/echo'>;

function constantEcho(kind: EchoKind, pointer: string): MutantIdentity {
  return mutantOf('pages/echo', kind, { field: pointer });
}

/** Requested page of an answer, and its own page information. */
interface Said {
  readonly list: NumberedOperation;
  readonly reply: Reply;
  readonly wanted: NonNullable<ReturnType<typeof requestedPageOf>>;
  readonly echoed: number;
  readonly pointer: string;
}

function contradictEcho(
  { reply, pointer, echoed }: Said,
  kind: EchoKind,
  expected: string,
  actual = `${showPointer(pointer)} is ${echoed}`,
): Contradiction {
  return contradicts({ replies: [reply], expected, actual, mutant: constantEcho(kind, pointer) });
}

function judgeLimit({ contract }: RunContext, said: Said): Judgement | undefined {
  const { list, reply, wanted, echoed, pointer } = said;
  const { page } = list.collection;
  const length = recordsIn(reply)?.length ?? 0;
  if (length > echoed)
    return contradictEcho(
      said,
      'limit-echo-constant',
      `a page must contain at most as many records as ${showPointer(pointer)} says`,
      `${showPointer(pointer)} is ${echoed}, and the page contains ${count(length, 'record')}`,
    );
  if (echoed === wanted.limit)
    return echoed === list.parameters.find((each) => each.key === page.limit)?.fallback ? agrees() : agrees('limit-echo-constant');
  // A server may have a largest size of its own; it is enough that it says so, and keeps to what it says.
  const isCap = page.style === 'page' && (isOpen(contract, list, 'x-collection/page/cap') || page.cap === echoed);
  if (echoed < wanted.limit && isCap) return undefined;
  return contradictEcho(said, 'limit-echo-constant', `${showPointer(pointer)} of a page of ${wanted.limit} must be ${wanted.limit}`);
}

/** Past the end another page may be shown instead, and filters decide where that is, so there the number proves nothing. */
function judgePage(_: RunContext, said: Said): Judgement | undefined {
  const { list, reply, wanted, echoed, pointer } = said;
  if (echoed === wanted.page) return echoed === 1 ? agrees() : agrees('page-echo-constant');
  const total = totalIn(list.collection.page, reply);
  const isInside = wanted.page === 1 || (Object.keys(wanted.values).length === 0 && total !== undefined && wanted.skip < total);
  return isInside
    ? contradictEcho(said, 'page-echo-constant', `${showPointer(pointer)} of page ${wanted.page} must be ${wanted.page}`)
    : undefined;
}

const fullPage = 'more records than a small page holds';
const sizeIgnored = candidate('pages/limit-size', 'limit-ignored', fullPage);
const oneMore = candidate('pages/limit-size', 'page-too-large', fullPage);

const limitSize = ruleAbout(isNumbered, {
  id: 'pages/limit-size',
  title: 'A page holds at most as many records as its limit',
  why: 'Clients allocate room for the page size that they ask for, and count on from it.',
  strength: 'stated',
  place: limitPlace,
  examine: async (context, list) => {
    await askSecondPage(context, list);
    return { mutants: [sizeIgnored, oneMore], judge: () => pagesSeen(context, list).flatMap((reply) => judgeSize(list, reply) ?? []) };
  },
});

/** A page and its size stand in one answer, so nothing can have moved between them. */
function judgeSize({ id, collection: { page }, parameters }: NumberedOperation, reply: Reply): Judgement | undefined {
  const wanted = requestedPageOf(reply);
  const length = recordsIn(reply)?.length;
  if (wanted === undefined || length === undefined) return undefined;
  const { limit, skip } = wanted;
  if (length <= limit) {
    const total = totalIn(page, reply);
    const isFull = length === limit && (total === undefined || total > limit + skip);
    const isDefault = limit === parameters.find((each) => each.key === page.limit)?.fallback;
    return isFull ? agrees(oneMore, ...(isDefault ? [] : [sizeIgnored])) : agrees();
  }
  return contradicts({
    replies: [reply],
    expected: `a page of ${limit} of ${id} must contain at most ${count(limit, 'record')}`,
    actual: `the page contains ${length}`,
    mutant: length === limit + 1 ? oneMore : sizeIgnored,
  });
}

const twoRecords = 'a part of the list that is known whole, with at least two records';
const beginsAgain = candidate('pages/beyond', 'beyond-first-page', twoRecords);
const serverError = candidate('pages/beyond', 'beyond-page-error', twoRecords);
const otherRecords = candidate('pages/beyond', 'beyond-other-records', twoRecords);
const pastTheEnd = [beginsAgain, serverError, otherRecords];

const beyond = ruleAbout(isNumbered, {
  id: 'pages/beyond',
  title: 'A page past the end is empty, refused, or the last page again',
  why: 'A client that reads up to an empty page never stops, or reads the list again and again.',
  strength: 'implied',
  place: (list) => collectionPlace(list, 'page'),
  examine: async (context, list) => {
    const sample = await smallSample(context, list);
    const { values, keys } = sample;
    const size = Math.ceil(keys.length / 2);
    if (!sample.isWhole || keys.length < 2) return { mutants: pastTheEnd, judge: () => [] };
    const pages = Math.ceil(keys.length / size);
    const replies: Reply[] = [];
    for (const index of context.quick ? [pages] : [pages, pages + 1000])
      replies.push(await context.ask(pageCall(list, values, size, index)));
    const isPlain = replies.every((reply) => isPage(reply) && keysIn(reply).length === 0);
    const again = isPlain ? keys : keysIn(await context.askAgain(sample.reply.call));
    const isMoved = keys.join() !== again.join();
    return {
      mutants: pastTheEnd,
      judge: () =>
        replies.map((reply) =>
          isMoved && keysIn(reply).length > 0
            ? dataMoved(`${list.id} changed`)
            : judgeBeyond(sample, size, reply, allowedBeyond(context, list)),
        ),
    };
  },
});

/** Allowed answers to a page past the end. */
type Beyond = NonNullable<NumberedPage['beyond']>;

/** Answer that the contract gives for such a page; any of them where it leaves that open. */
function allowedBeyond({ contract }: RunContext, list: NumberedOperation): readonly Beyond[] {
  const { page } = list.collection;
  const stated = page.style === 'page' && !isOpen(contract, list, 'x-collection/page/beyond') ? page.beyond : undefined;
  return stated === undefined ? ['empty', 'absent', 'invalid', 'last'] : [stated];
}

function judgeBeyond({ operation, keys, reply: whole }: Sample, size: number, reply: Reply, legal: readonly Beyond[]): Judgement {
  const given = keysIn(reply);
  const { status } = reply.response;
  const answers = {
    empty: 'be empty',
    absent: 'respond with 404',
    invalid: `respond with ${statusOf(operation, 'invalid')}`,
    last: 'repeat the last page',
  };
  const wrong = (actual: string, mutant?: Candidate): Judgement =>
    contradicts({
      replies: [whole, reply],
      expected: `a page of ${operation.id} past the end of ${count(keys.length, 'record')} must ${legal.map((each) => answers[each]).join(' or ')}`,
      actual,
      mutant,
    });
  if (given.length > 0) {
    // Only the last page may come again.
    const last = keys.slice(Math.floor((keys.length - 1) / size) * size);
    if (given.join() === last.join() && legal.includes('last')) return agrees(...pastTheEnd);
    const actual = `the page contains ${count(given.length, 'record')}: ${describeRecords(operation, given)}`;
    return wrong(actual, given[0] === keys[0] ? beginsAgain : otherRecords);
  }
  if (status >= 500) return wrong(`the status is ${status}`, serverError);
  if (isPage(reply)) return legal.includes('empty') ? agrees(...pastTheEnd) : wrong('the page is empty');
  if (status < 400) return wrong(`the status is ${status}, without a list`);
  const kind = status === 404 ? 'absent' : 'invalid';
  const isLegal = legal.includes(kind) || !documents(operation, kind);
  return isLegal ? agrees(...pastTheEnd) : wrong(`the status is ${status}`);
}

const wholeList = 'a list that can be read whole, of more than one page';
const ofPage = candidate('pages/total', 'total-of-page', wholeList);
const off = candidate('pages/total', 'total-other', wholeList);
const offFiltered = candidate('pages/total', 'total-filtered-other', 'records of two kinds that a filter tells apart');

const total = ruleAbout(isNumbered, {
  id: 'pages/total',
  title: 'The total is the number of records, counted the same way each time',
  why: 'Clients size their pages and stop reading by the total. It counts either the filtered records or all.',
  strength: 'stated',
  place: (list) =>
    list.collection.page.total === undefined ? undefined : placeBelow(list.document, list.value, ['x-collection', 'page', 'total']),
  examine: async (context, list) => {
    const snapshot = await context.snapshot(list);
    await askSecondPage(context, list);
    await readFirstPages(context, list);
    const hasFilter = predictableFilters(context.contract, list).some((name) => listedValues(list, name).length > 0);
    return { mutants: [ofPage, off, ...(hasFilter ? [offFiltered] : [])], judge: () => judgeTotals(context, list, snapshot) };
  },
});

function judgeTotals(context: RunContext, list: NumberedOperation, snapshot: Snapshot): readonly Judgement[] {
  if (!snapshot.isComplete) return [];
  if (!isUnchangedList(snapshot)) return [dataMoved(`${list.id} changed while it was read`)];
  const told = reportedTotals(context, snapshot);
  const readings = totalMeanings(context, list);
  const wrongs = readings.map((reading) =>
    told.filter((each) => each.total !== (reading === 'filtered' ? each.filtered : (each.overall ?? each.total))),
  );
  const [least = []] = wrongs.toSorted((left, right) => left.length - right.length);
  const [wrong] = least;
  if (wrong === undefined) return told.map(agreeOnTotal);
  // More than what was read may count what paging loses; less ends the reading of the list itself.
  const isLost = wrong.total > wrong.filtered && losesRecords(context, snapshot);
  return [isLost ? reportedBy('pages/partition') : contradictTotal(list, wrong, least, readings)];
}

/** A total of a page that has not all of them is not the number of its records; one of a narrowed list is not just any constant. */
function agreeOnTotal({ reply, total: said, filtered, overall }: ReportedTotal): Judgement {
  const isPart = (recordsIn(reply)?.length ?? 0) < said;
  const isNarrowed = overall !== undefined && filtered !== overall;
  return agrees(off, ...(isPart ? [ofPage] : []), ...(isNarrowed ? [offFiltered] : []));
}

function contradictTotal(
  { id, collection }: NumberedOperation,
  { reply, total: said, filtered, overall }: ReportedTotal,
  all: readonly ReportedTotal[],
  readings: readonly string[],
): Contradiction {
  const values = Object.fromEntries(Object.entries(reply.call.values ?? {}).filter(([name]) => collection.filters.has(name)));
  const isOfPage = all.every((each) => each.total === recordsIn(each.reply)?.length);
  const wanted = readings.map((reading) => (reading === 'filtered' ? filtered : (overall ?? filtered)));
  return contradicts({
    replies: [reply],
    expected: `the total of ${id} with ${describeValues(values)} must be ${[...new Set(wanted)].join(' or ')}, the number of records before and after`,
    actual: `the total is ${said}`,
    ...totalPart(collection),
    mutant: isOfPage ? ofPage : off,
  });
}

/** A wrong total, which follows from the records where these are wrong. */
export function totalPart({ page }: Collection): Pick<Contradiction, 'part' | 'follows'> {
  const pointer = page.style === 'cursor' ? '' : (page.total ?? '');
  return { part: `body ${pointer}`, follows: ['records'] };
}

/** The rules. */
export const pages: readonly Rule[] = [defaults, echo, limitSize, beyond, total];

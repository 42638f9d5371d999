/** Rules of the group `pages` about single pages of a numbered list: defaults, echoed page information, size, pages past the end, and totals. */

import type { NumberedPage } from '../../../core/annotations/annotations.ts';
import { countNoun } from '../../../core/count-noun.ts';
import { definedOf } from '../../../core/drop-undefined.ts';
import { type MutantIdentity, mutantOf } from '../../../core/mutants/mutant-catalogue.ts';
import { placeInOperation } from '../../../core/openapi/clauses.ts';
import { documentsCondition, type Operation, statusOf } from '../../../core/openapi/operation.ts';
import { showPointer, valueAt } from '../../../core/pointer.ts';
import { type Reply, recordsIn } from '../evidence/call.ts';
import { collectionPlace, limitPlace, parameterPlace } from '../evidence/clause-places.ts';
import { listedValues, predictableFilters } from '../evidence/filter-values.ts';
import { isLeftOpen } from '../evidence/open-places.ts';
import {
  askSecondPage,
  isNumbered,
  isPage,
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
  totalPart,
} from '../evidence/pagination/numbered-pages.ts';
import { defaultLimit, largestLimit, totalIn } from '../evidence/pagination/pagination.ts';
import { readFirstPageOfParts } from '../evidence/read-filtered-lists.ts';
import { keysIn, type ParameterValues } from '../evidence/record-keys-and-filters.ts';
import { isUnchangedList } from '../evidence/record-readings.ts';
import type { RoundContext } from '../evidence/round-context.ts';
import type { Snapshot } from '../evidence/snapshot.ts';
import { describeRecords, describeValues } from './describe-values.ts';
import {
  agrees,
  bySnapshot,
  type Candidate,
  type Contradiction,
  candidate,
  contradicts,
  dataMoved,
  type Judgement,
  type Rule,
  reportedBy,
  ruleAbout,
} from './rule.ts';

/** Every page of a list among the responses of this round. */
function pagesSeen({ replies }: RoundContext, { id }: Operation): readonly Reply[] {
  return replies.filter((reply) => reply.call.operation.id === id && isPage(reply));
}

const manyRecords = 'more records than the default page size';
const otherDefaultLimit = candidate('default-limit-other', manyRecords, { parameter: 'a size' });
/** The mutant of another default page. */
export const otherDefaultPage: Candidate = candidate('default-page-other', manyRecords, { parameter: 'a number' });

const documentedDefaults = ruleAbout(isNumbered, {
  id: 'pages/defaults',
  title: 'The documented defaults of page and page size hold',
  why: 'A client that relies on the defaults skips records or reads some twice.',
  strength: 'stated',
  place: (list) => {
    const [name] = Object.keys(defaultsOf(list));
    return name === undefined ? collectionPlace(list, 'page') : parameterPlace(list, name);
  },
  examine: async (context, list) => {
    const values = defaultsOf(list);
    if (Object.keys(values).length === 0) return { mutants: [], judge: () => [] };
    const replyWithoutValues = await context.ask({ operation: list });
    const replyWithDefaults = await context.ask({ operation: list, values });
    const isSame =
      isPage(replyWithoutValues) && isPage(replyWithDefaults) && keysIn(replyWithoutValues).join() === keysIn(replyWithDefaults).join();
    const repeated = isSame ? replyWithoutValues : await context.askAgain({ operation: list });
    return {
      mutants: [otherDefaultLimit, otherDefaultPage],
      judge: () => judgeDefaults(list, values, replyWithoutValues, replyWithDefaults, repeated),
    };
  },
});

/** The documented defaults of page and page size. */
function defaultsOf(list: NumberedOperation): ParameterValues {
  const names = [list.collection.page.limit, positionParameter(list)];
  const withDefault = list.parameters.filter((each) => names.includes(each.key) && each.fallback !== undefined);
  return Object.fromEntries(withDefault.map((each) => [each.key, each.fallback ?? null]));
}

function judgeDefaults(
  { id, collection: { page } }: NumberedOperation,
  values: ParameterValues,
  replyWithoutValues: Reply,
  replyWithDefaults: Reply,
  repeated: Reply,
): Judgement {
  if (!isPage(replyWithoutValues) || !isPage(replyWithDefaults)) return reportedBy('response/status');
  const [bareKeys, explicitKeys] = [keysIn(replyWithoutValues), keysIn(replyWithDefaults)];
  if (bareKeys.join() === explicitKeys.join()) {
    const limit = values[page.limit];
    const total = totalIn(page, replyWithDefaults);
    const isFull = typeof limit === 'number' && explicitKeys.length === limit && (total === undefined || total > limit);
    return isFull ? agrees(otherDefaultLimit, otherDefaultPage) : agrees();
  }
  if (!isPage(repeated) || bareKeys.join() !== keysIn(repeated).join()) return dataMoved(`the first page of ${id} changed`);
  const [longerKeys, shorterKeys] = bareKeys.length > explicitKeys.length ? [bareKeys, explicitKeys] : [explicitKeys, bareKeys];
  const isPrefix = longerKeys.length > shorterKeys.length && shorterKeys.every((key, index) => key === longerKeys[index]);
  return contradicts({
    replies: [replyWithoutValues, replyWithDefaults],
    expected: `${id} without parameters must return the same page as with ${describeValues(values)}`,
    actual: isPrefix
      ? `the page contains ${countNoun(bareKeys.length, 'record')} instead of ${explicitKeys.length}`
      : 'the page contains other records',
    mutant: isPrefix ? otherDefaultLimit : otherDefaultPage,
  });
}

type Echo = NonNullable<NumberedPage['echo']>;

function echoOf({ collection: { page } }: NumberedOperation): Echo | undefined {
  return page.style === 'page' ? page.echo : undefined;
}

/** A page size above every cap. */
const hugeLimit = 100_000;

const correctEcho = ruleAbout(isNumbered, {
  id: 'pages/echo',
  title: 'A response states its correct page number and page size',
  why: 'Clients compute the next page from these values. Without them, they do not notice a reduced page size.',
  strength: 'stated',
  place: (list) => (echoOf(list) === undefined ? undefined : placeInOperation(list, 'x-collection', 'page', 'echo')),
  examine: async (context, list) => {
    await askSecondPage(context, list);
    const pointers = echoOf(list) ?? {};
    const { page } = list.collection;
    if (page.style === 'page' && page.cap !== undefined)
      await context.ask({ operation: list, values: { ...(await smallSample(context, list)).values, [page.limit]: hugeLimit } });
    const mutantIfEchoed = (kind: EchoKind, pointer: string | undefined, missing: string): readonly Candidate[] =>
      pointer === undefined ? [] : [{ ...constantEcho(kind, pointer), missing }];
    return {
      mutants: [
        ...mutantIfEchoed('limit-echo-constant', pointers.limit, 'a page whose size is not the default'),
        ...mutantIfEchoed('page-echo-constant', pointers.page, 'a page after the first'),
      ],
      judge: () => undefined,
    };
  },
  judgeReplies: (context, list) => judgeEchoes(context, list, echoOf(list) ?? {}),
});

/** Judges echoed values. A value that differs between responses does not prove the mutant of a constant echo. */
function judgeEchoes(context: RoundContext, list: NumberedOperation, { limit, page }: Echo): readonly Judgement[] {
  const pages = pagesSeen(context, list);
  const judgeEach = (pointer: string | undefined, judge: typeof judgeEchoedSize): readonly Judgement[] => {
    const isConstant = pointer !== undefined && new Set(pages.map(({ body }) => valueAt(body, pointer))).size === 1;
    return pages.flatMap((reply) => {
      const [requested, echoed] = [requestedPageOf(reply), pointer && valueAt(reply.body, pointer)];
      if (pointer === undefined || requested === undefined || typeof echoed !== 'number') return [];
      const finding = judge(context, { list, reply, requested, echoed, pointer });
      if (finding?.kind !== 'contradicts' || isConstant) return finding ?? [];
      return { ...finding, mutant: undefined, mutants: (finding.mutants ?? []).filter(({ id }) => id === otherDefaultPage.id) };
    });
  };
  return [...judgeEach(limit, judgeEchoedSize), ...judgeEach(page, judgeEchoedNumber)];
}

type EchoKind = 'limit-echo-constant' | 'page-echo-constant';

function constantEcho(kind: EchoKind, pointer: string): MutantIdentity {
  return mutantOf(kind, { field: pointer });
}

/** A response, the requested page, and one echoed value. */
interface EchoedPage {
  readonly list: NumberedOperation;
  readonly reply: Reply;
  readonly requested: NonNullable<ReturnType<typeof requestedPageOf>>;
  readonly echoed: number;
  readonly pointer: string;
}

function contradictEcho({ reply, pointer, echoed }: EchoedPage, kind: EchoKind, request: string, required: number): Contradiction {
  const expected = `${showPointer(pointer)} of ${request} must be ${required}`;
  const wrong = { actual: `${showPointer(pointer)} is ${echoed}`, pointer, part: `body ${pointer}` } as const;
  return contradicts({ replies: [reply], expected, ...wrong, mutant: constantEcho(kind, pointer) });
}

function isSent({ call }: Reply, parameter: string): boolean {
  return call.values?.[parameter] !== undefined || (call.raw ?? []).some((piece) => piece.startsWith(`${parameter}=`));
}

function judgeEchoedSize({ contract }: RoundContext, echoedPage: EchoedPage): Judgement | undefined {
  const { list, reply, requested, echoed, pointer } = echoedPage;
  const { page } = list.collection;
  const length = recordsIn(reply)?.length ?? 0;
  if (length > echoed)
    return contradicts({
      replies: [reply],
      expected: `a page must contain at most as many records as ${showPointer(pointer)} says`,
      actual: `${showPointer(pointer)} is ${echoed}, and the page contains ${countNoun(length, 'record')}`,
      mutant: constantEcho('limit-echo-constant', pointer),
    });
  // A server may reduce the page size if it echoes the reduced size and obeys it.
  const isCapOpen = isLeftOpen(contract, list, 'x-collection/page/cap');
  if (isCapOpen && echoed < requested.limit) return undefined;
  const cap = page.style === 'page' && !isCapOpen ? page.cap : undefined;
  const expected = Math.min(requested.limit, cap ?? Infinity);
  if (echoed === expected) return echoed === defaultLimit(list) ? agrees() : agrees('limit-echo-constant');
  return contradictEcho(echoedPage, 'limit-echo-constant', `a page of ${requested.limit}`, expected);
}

/** Judges an echoed page number. A page past the end is not judged, because the server may return another page there. */
function judgeEchoedNumber(_: RoundContext, echoedPage: EchoedPage): Judgement | undefined {
  const { list, reply, requested, echoed } = echoedPage;
  if (echoed === requested.page) return echoed === 1 ? agrees() : agrees('page-echo-constant');
  const total = totalIn(list.collection.page, reply);
  const isInside = requested.page === 1 || (Object.keys(requested.values).length === 0 && total !== undefined && requested.skip < total);
  if (!isInside) return undefined;
  const parameter = positionParameter(list);
  const finding = contradictEcho(echoedPage, 'page-echo-constant', `page ${requested.page}`, requested.page);
  return isSent(reply, parameter) ? finding : { ...finding, mutants: [...definedOf(finding.mutant), otherDefaultPage] };
}

const fullPage = 'more records than a small page holds';
const limitIgnored = candidate('limit-ignored', fullPage);
const pageTooLarge = candidate('page-too-large', fullPage);
const limitDoubled = (list: NumberedOperation): Candidate =>
  candidate('limit-doubled', fullPage, { parameter: list.collection.page.limit }, list.collection.page.limit);

const limitSize = ruleAbout(isNumbered, {
  id: 'pages/limit-size',
  title: 'A page holds at most as many records as its limit',
  why: 'Clients allocate room for the requested page size, and compute the next page from it.',
  strength: 'stated',
  place: limitPlace,
  examine: async (context, list) => {
    await askSecondPage(context, list);
    return { mutants: [limitIgnored, pageTooLarge, limitDoubled(list)], judge: () => undefined };
  },
  judgeReplies: (context, list) => pagesSeen(context, list).map((reply) => judgePageLength(list, reply)),
});

/** The mutants that return a page of this length. */
function mutantsOfLength(list: NumberedOperation, limit: number, length: number): readonly Candidate[] {
  if (length === limit + 1) return [pageTooLarge];
  return length === 2 * limit ? [limitDoubled(list), limitIgnored] : [limitIgnored];
}

/** Judges the size of one page. Page and limit belong to one exchange, so changed data cannot explain a violation. */
function judgePageLength(list: NumberedOperation, reply: Reply): Judgement | undefined {
  const { id, collection } = list;
  const requested = requestedPageOf(reply);
  const length = recordsIn(reply)?.length;
  if (requested === undefined || length === undefined) return undefined;
  const { limit, skip } = requested;
  if (length <= limit) {
    const total = totalIn(collection.page, reply);
    const isFull = length === limit && (total === undefined || total > limit + skip);
    const isDefault = limit === defaultLimit(list);
    const mayDouble = 2 * limit <= largestLimit(list);
    return isFull ? agrees(pageTooLarge, ...(mayDouble ? [limitDoubled(list)] : []), ...(isDefault ? [] : [limitIgnored])) : agrees();
  }
  return contradicts({
    replies: [reply],
    expected: `a page of ${limit} of ${id} must contain at most ${countNoun(limit, 'record')}`,
    actual: `the page contains ${length}`,
    mutants: mutantsOfLength(list, limit, length),
  });
}

const twoRecords = 'a completely known part of the list, with at least two records';
const firstPageAgain = candidate('beyond-first-page', twoRecords);
const serverError = candidate('beyond-page-error', twoRecords);
const otherRecords = candidate('beyond-other-records', twoRecords);
const pastEndMutants = [firstPageAgain, serverError, otherRecords];

const pagePastEnd = ruleAbout(isNumbered, {
  id: 'pages/beyond',
  title: 'A page past the end is empty, rejected, or the last page again',
  why: 'A client that reads up to an empty page never stops, or reads the list again and again.',
  strength: 'implied',
  place: (list) => collectionPlace(list, 'page'),
  examine: async (context, list) => {
    const sample = await smallSample(context, list);
    const { values, keys } = sample;
    const size = Math.ceil(keys.length / 2);
    if (!sample.isWhole || keys.length < 2) return { mutants: pastEndMutants, judge: () => [] };
    const pages = Math.ceil(keys.length / size);
    const replies: Reply[] = [];
    for (const index of context.quick ? [pages] : [pages, pages + 1000])
      replies.push(await context.ask(pageCall(list, values, size, index)));
    const hasNoRecords = replies.every((reply) => keysIn(reply).length === 0);
    const keysAfter = hasNoRecords ? keys : keysIn(await context.askAgain(sample.reply.call));
    const hasMoved = keys.join() !== keysAfter.join();
    return {
      mutants: pastEndMutants,
      judge: () =>
        replies.map((reply) =>
          hasMoved && keysIn(reply).length > 0
            ? dataMoved(`${list.id} changed`)
            : judgePastEnd(sample, size, reply, allowedPastEnd(context, list)),
        ),
    };
  },
});

/** The kinds of responses to a page past the end. */
type PastEndResponse = NonNullable<NumberedPage['beyond']>;

/** The responses that the contract allows past the end: the stated one, or all where the contract leaves it open. */
function allowedPastEnd({ contract }: RoundContext, list: NumberedOperation): readonly PastEndResponse[] {
  const { page } = list.collection;
  const statedResponse = page.style === 'page' && !isLeftOpen(contract, list, 'x-collection/page/beyond') ? page.beyond : undefined;
  return statedResponse === undefined ? ['empty', 'absent', 'invalid', 'last'] : [statedResponse];
}

function judgePastEnd(
  { operation, keys, reply: wholeReply }: Sample,
  size: number,
  reply: Reply,
  allowed: readonly PastEndResponse[],
): Judgement {
  const returned = keysIn(reply);
  const { status } = reply.response;
  const requirements = {
    empty: 'be empty',
    absent: 'respond with 404',
    invalid: `respond with ${statusOf(operation, 'invalid')}`,
    last: 'repeat the last page',
  };
  const contradiction = (actual: string, mutant?: Candidate): Judgement =>
    contradicts({
      replies: [wholeReply, reply],
      expected: `a page of ${operation.id} past the end of ${countNoun(keys.length, 'record')} must ${allowed.map((each) => requirements[each]).join(' or ')}`,
      actual,
      mutant,
    });
  if (returned.length > 0) {
    // Only the last page may be repeated.
    const lastPageKeys = keys.slice(Math.floor((keys.length - 1) / size) * size);
    if (returned.join() === lastPageKeys.join() && allowed.includes('last')) return agrees(...pastEndMutants);
    const actual = `the page contains ${countNoun(returned.length, 'record')}: ${describeRecords(operation, returned)}`;
    return contradiction(actual, returned[0] === keys[0] ? firstPageAgain : otherRecords);
  }
  if (status >= 500) return contradiction(`the status is ${status}`, serverError);
  if (isPage(reply)) return allowed.includes('empty') ? agrees(...pastEndMutants) : contradiction('the page is empty');
  if (status < 400) return contradiction(`the status is ${status}, without a list`);
  const kind = status === 404 ? 'absent' : 'invalid';
  const isLegal = allowed.includes(kind) || !documentsCondition(operation, kind);
  return isLegal ? agrees(...pastEndMutants) : contradiction(`the status is ${status}`);
}

const wholeList = 'a list that can be read in full, of more than one page';
const totalOfPage = candidate('total-of-page', wholeList);
const totalOther = candidate('total-other', wholeList);
const filteredTotalOther = candidate('total-filtered-other', 'records that a filter separates into two groups');

const correctTotal = ruleAbout(isNumbered, {
  id: 'pages/total',
  title: 'The total is the number of records, always counted in the same way',
  why: 'Clients compute the number of pages from the total. It must always count the filtered records, or always count all records.',
  strength: 'stated',
  place: (list) => (list.collection.page.total === undefined ? undefined : placeInOperation(list, 'x-collection', 'page', 'total')),
  examine: async (context, list) => {
    await askSecondPage(context, list);
    await readFirstPageOfParts(context, list);
    const hasFilter = predictableFilters(context.contract, list).some((name) => listedValues(list, name).length > 0);
    return {
      mutants: [totalOfPage, totalOther, ...(hasFilter ? [filteredTotalOther] : [])],
      judge: () => undefined,
    };
  },
  judgeReplies: bySnapshot(judgeTotals),
});

function judgeTotals(context: RoundContext, snapshot: Snapshot, list: NumberedOperation): readonly Judgement[] {
  if (!snapshot.isComplete) return [];
  if (!isUnchangedList(snapshot)) return [dataMoved(`${list.id} changed while it was read`)];
  const totals = reportedTotals(context, snapshot);
  const meanings = totalMeanings(context, list);
  const wrongTotals = meanings.map((meaning) =>
    totals.filter((each) => each.total !== (meaning === 'filtered' ? each.filtered : (each.overall ?? each.total))),
  );
  const [fewestWrong = []] = wrongTotals.toSorted((left, right) => left.length - right.length);
  const [wrongTotal] = fewestWrong;
  if (wrongTotal === undefined) return totals.map(agreeOnTotal);
  // A larger total may include records that paging loses.
  const isLost = wrongTotal.total > wrongTotal.filtered && losesRecords(context, snapshot);
  const contradiction = contradictTotal(list, wrongTotal, fewestWrong, meanings);
  return [isLost ? reportedBy('pages/partition', contradiction) : contradiction];
}

/** Kills the mutants that a correct total contradicts: `totalOfPage` on a partial page, and `filteredTotalOther` in a filtered list. */
function agreeOnTotal({ reply, total, filtered, overall }: ReportedTotal): Judgement {
  const isPart = (recordsIn(reply)?.length ?? 0) < total;
  const isNarrowed = overall !== undefined && filtered !== overall;
  return agrees(totalOther, ...(isPart ? [totalOfPage] : []), ...(isNarrowed ? [filteredTotalOther] : []));
}

function contradictTotal(
  { id, collection }: NumberedOperation,
  { reply, total, filtered, overall }: ReportedTotal,
  wrongTotals: readonly ReportedTotal[],
  meanings: readonly string[],
): Contradiction {
  const values = Object.fromEntries(Object.entries(reply.call.values ?? {}).filter(([name]) => collection.filters.has(name)));
  const isOfPage = wrongTotals.every((each) => each.total === recordsIn(each.reply)?.length);
  // The total may be right in the other meaning, in which fewer totals are.
  const expected = meanings
    .map((meaning) => (meaning === 'filtered' ? filtered : (overall ?? filtered)))
    .filter((count) => count !== total);
  return contradicts({
    replies: [reply],
    expected: `the total of ${id} with ${describeValues(values)} must be ${[...new Set(expected)].join(' or ')}, the number of records before and after`,
    actual: `the total is ${total}`,
    ...totalPart(collection),
    mutant: isOfPage ? totalOfPage : totalOther,
  });
}

/** The rules, in the order of a run. */
export const numberedSinglePageRules: readonly Rule[] = [documentedDefaults, correctEcho, limitSize, pagePastEnd, correctTotal];

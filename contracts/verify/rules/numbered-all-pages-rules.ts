/** Rules of the group `pages` about all pages of a numbered list: in every page size they contain each record once, in one order. */

import { countNoun } from '../../../core/count-noun.ts';
import { definedOf } from '../../../core/drop-undefined.ts';
import { printJson } from '../../../core/json.ts';
import { getOrCompute } from '../../../core/memo.ts';
import { type MutantIdentity, mutantOf } from '../../../core/mutants/mutant-catalogue.ts';
import { isReplyTo, type Reply } from '../evidence/call.ts';
import { collectionPlace, limitPlace } from '../evidence/clause-places.ts';
import {
  askSecondPage,
  isNumbered,
  isPage,
  type NumberedOperation,
  pageCall,
  requestedPageOf,
  type Sample,
  servedLimit,
  smallSample,
  smallSize,
} from '../evidence/pagination/numbered-pages.ts';
import { contradictRepeated } from '../evidence/pagination/page-boundaries.ts';
import { largestLimit, totalIn } from '../evidence/pagination/pagination.ts';
import { keysIn, keysOf } from '../evidence/record-keys-and-filters.ts';
import { isUnchangedList } from '../evidence/record-readings.ts';
import type { RoundContext } from '../evidence/round-context.ts';
import type { Snapshot } from '../evidence/snapshot.ts';
import { describeRecords, describeValues } from './describe-values.ts';
import { otherDefaultPage } from './numbered-single-page-rules.ts';
import {
  agrees,
  bySnapshot,
  type Contradiction,
  candidate,
  contradicts,
  dataMoved,
  type Judgement,
  type Judgements,
  type Rule,
  reportedBy,
  ruleAbout,
} from './rule.ts';

const threeRecords = 'a list, or a part of one, with at least three records';
const pageNumberIgnored = candidate('page-number-ignored', threeRecords);
const pageOverlap = candidate('page-overlap', threeRecords);
const pageGap = candidate('page-gap', threeRecords);

const partitionRule = ruleAbout(isNumbered, {
  id: 'pages/partition',
  title: 'The pages of a list contain each record once, in the order of the list',
  why: 'Otherwise a client that reads page by page misses records, or stores some twice.',
  strength: 'implied',
  place: (list) => collectionPlace(list, 'page'),
  examine: async (context, list) => {
    const sample = await smallSample(context, list);
    const readings: PagesRead[] = [];
    for (const size of sizesOf(context, sample)) readings.push(await readPages(context, sample, size));
    return { mutants: [pageNumberIgnored, pageOverlap, pageGap], judge: () => readings.map((each) => judgePages(sample, each)) };
  },
});

/** Pages read with one page size. */
interface PagesRead {
  readonly size: number;
  readonly replies: readonly Reply[];
  /** Keys of the sample, read again if the pages differ from it. */
  readonly keysAfter: Sample['keys'];
}

/** Number of pages read with each page size. */
const pagesPerSize = 3;

/** Page sizes to try: a third of the sample (half in a quick run), and all but one record. */
function sizesOf(context: RoundContext, { keys }: Sample): readonly number[] {
  const number = keys.length;
  if (number < 3) return number === 2 ? [1] : [];
  return [...new Set(context.quick ? [Math.ceil(number / 2)] : [Math.ceil(number / pagesPerSize), number - 1])];
}

async function readPages(context: RoundContext, { operation, values, keys, isWhole, reply }: Sample, size: number): Promise<PagesRead> {
  const pages = Math.min(pagesPerSize, isWhole ? Math.ceil(keys.length / size) : Math.floor(keys.length / size));
  const replies: Reply[] = [];
  for (let index = 0; index < pages; index += 1) replies.push(await context.ask(pageCall(operation, values, size, index)));
  const isSame = printJson(replies.flatMap(keysIn)) === printJson(keys.slice(0, pages * size));
  return { size, replies, keysAfter: isSame ? keys : keysIn(await context.askAgain(reply.call)) };
}

function judgePages(sample: Sample, { size, replies, keysAfter }: PagesRead): Judgement | undefined {
  const { operation, keys } = sample;
  if (!isPage(sample.reply) || !replies.every(isPage)) return reportedBy('response/status');
  const returned = replies.map(keysIn);
  if (keys.join() !== keysAfter.join()) {
    const isReordered = keys.toSorted().join() === keysAfter.toSorted().join();
    if (!isReordered || keys.length <= size) return isReordered ? reportedBy('requests/repeated') : dataMoved(`${operation.id} changed`);
    return reportedBy('requests/repeated', contradictPages(sample, size, replies, keys.slice(0, replies.length * size)));
  }
  if (replies.some((reply) => (servedLimit(reply) ?? size) !== size) || returned.some((page) => page.length > size))
    return reportedBy('pages/limit-size');
  const expected = keys.slice(0, replies.length * size);
  if (returned.flat().join() === expected.join()) return replies.length < 2 ? undefined : agrees(pageNumberIgnored, pageOverlap, pageGap);
  return contradictPages(sample, size, replies, expected);
}

function contradictPages(
  { operation, values, reply }: Sample,
  size: number,
  replies: readonly Reply[],
  expected: readonly string[],
): Contradiction {
  const returned = replies.map(keysIn);
  const isWrong = (page: readonly string[], index: number): boolean =>
    page.join() !== expected.slice(index * size, (index + 1) * size).join();
  const wrongPage = Math.max(0, returned.findIndex(isWrong));
  const returnedKeys = returned.flat();
  const missing = expected.filter((key) => !returnedKeys.includes(key));
  const repeated = returnedKeys.filter((key, index) => returnedKeys.indexOf(key) !== index);
  const isFirstPage = wrongPage > 0 && returned[wrongPage]?.join() === returned[0]?.join();
  const differences = [
    ...(missing.length > 0 ? [`${describeRecords(operation, missing)} ${missing.length === 1 ? 'is' : 'are'} missing`] : []),
    ...(repeated.length > 0 ? [`the pages repeat ${describeRecords(operation, [...new Set(repeated)])}`] : []),
  ];
  return contradicts({
    replies: [reply, ...replies.slice(Math.max(0, wrongPage - 1), wrongPage + 1)],
    expected: `the first ${countNoun(replies.length, 'page')} of ${size} of ${operation.id} with ${describeValues(values)} must contain the records of the larger page, in its order`,
    actual: differences.length > 0 ? differences.join('; ') : 'the records are in another order',
    mutant: isFirstPage ? pageNumberIgnored : repeated.length > 0 ? pageOverlap : missing.length > 0 ? pageGap : undefined,
  });
}

const somePages = 'a list of several pages that can be read in full';
const endUnreachable = candidate('end-unreachable', somePages);
const pageShifted = candidate('page-shifted', somePages);

const pageSizesRule = ruleAbout(isNumbered, {
  id: 'pages/page-sizes',
  title: 'Every page size delivers the list up to its end',
  why: 'The page size must not decide which records a client gets.',
  strength: 'implied',
  place: limitPlace,
  examine: async (context, list) => {
    const snapshot = await context.snapshot(list);
    await askSecondPage(context, list);
    for (const size of sizesToTry(context, snapshot))
      await context.ask(pageCall(list, snapshot.base, size, Math.ceil(snapshot.pagination.records.length / size) - 1));
    return { mutants: [endUnreachable, pageShifted], judge: () => undefined };
  },
  judgeReplies: bySnapshot(judgeEveryPage),
});

/** Page sizes to try: a small one, one record, all but one record, and a divisor of the list, so that the last page is full. */
function sizesToTry(context: RoundContext, { isComplete, pagination, operation }: Snapshot): readonly number[] {
  const number = pagination.records.length;
  const largest = largestLimit(operation);
  if (!isComplete || number < 2) return [];
  const divisor = Array.from({ length: largest }, (_, index) => largest - index).find(
    (size) => size < number && size > 1 && number % size === 0,
  );
  const sizes = definedOf(smallSize, 1, Math.min(number - 1, largest), divisor);
  return [...new Set(sizes)].filter((size) => size >= 1 && size <= largest).slice(0, context.quick ? 1 : sizes.length);
}

/** Judges every page by a whole reading of the same selection. Nothing is judged if the list changed, or if two readings differ in their order. */
function judgeEveryPage(context: RoundContext, snapshot: Snapshot, list: NumberedOperation): Judgements {
  if (!isUnchangedList(snapshot)) return dataMoved(`${list.id} changed while it was read`);
  // A list with repeated records cannot judge its pages.
  const repeated = repeatedInList(snapshot);
  if (repeated.length > 0) return reportedBy('pages/partition', contradictRepeated(snapshot.pagination, repeated, pageOverlap));
  const pages = context.replies.flatMap((reply): readonly RequestedReply[] => {
    const requested = isReplyTo(reply, list) && isPage(reply) ? requestedPageOf(reply) : undefined;
    return requested === undefined || servedLimit(reply) !== requested.limit ? [] : [{ ...requested, reply, keys: keysIn(reply) }];
  });
  const selections = new Map<string, RequestedReply[]>();
  for (const each of pages) getOrCompute(selections, printJson(Object.entries(each.values).toSorted()), () => []).push(each);
  return [...selections.values()].map((ofSelection) => judgeSelectedPages(list, ofSelection));
}

/** The records that a reading of the whole list contains more than once. */
function repeatedInList({ operation, pagination: { records } }: Snapshot): Parameters<typeof contradictRepeated>[1] {
  const keys = keysOf(operation, records);
  return records.flatMap((record, index) => {
    const key = keys[index] ?? '';
    return keys.indexOf(key) < index ? [{ key, record }] : [];
  });
}

/** A page with its request, and the keys of its records. */
interface RequestedReply extends NonNullable<ReturnType<typeof requestedPageOf>> {
  readonly reply: Reply;
  readonly keys: readonly string[];
}

function judgeSelectedPages(list: NumberedOperation, pages: readonly RequestedReply[]): Judgements {
  const whole = findWholeReading(list, pages);
  if (whole === undefined) return undefined;
  const keys = whole.flatMap((page) => page.keys);
  const isReordered = pages.some((page) =>
    pages.some((other) => page.skip === other.skip && page.limit === other.limit && page.keys.join() !== other.keys.join()),
  );
  if (isReordered || new Set(keys).size < keys.length) return reportedBy('requests/repeated');
  return pages.map((page) => judgePage(list, whole, keys, page));
}

/** The pages of the largest size that together hold a whole selection; `undefined` if there are none. */
function findWholeReading(list: NumberedOperation, pages: readonly RequestedReply[]): readonly RequestedReply[] | undefined {
  const sizes = [...new Set(pages.map(({ limit }) => limit))].toSorted((left, right) => right - left);
  for (const size of sizes) {
    const sequence: RequestedReply[] = [];
    for (;;) {
      const next = pages.find(({ limit, skip }) => limit === size && skip === sequence.length * size);
      if (next === undefined) break;
      sequence.push(next);
      const total = totalIn(list.collection.page, next.reply);
      if (next.keys.length < size || total === next.skip + next.keys.length) return sequence;
    }
  }
  return undefined;
}

function judgePage(
  list: NumberedOperation,
  whole: readonly RequestedReply[],
  keys: readonly string[],
  { reply, keys: returned, skip, limit, page, values }: RequestedReply,
): Judgement {
  const expected = keys.slice(skip, skip + limit);
  if (expected.length === 0 || returned.length > limit) return agrees();
  if (returned.join() === expected.join()) {
    const isLast = skip + limit >= keys.length;
    return skip === 0 ? agrees() : agrees(pageShifted, ...(isLast ? [endUnreachable] : []));
  }
  const missing = expected.filter((key) => !returned.includes(key));
  const filters = Object.keys(values).length === 0 ? '' : ` with ${describeValues(values)}`;
  return contradicts({
    replies: [...whole.map((each) => each.reply).slice(0, 10), reply],
    expected: `page ${page} of ${list.id}${filters}, of size ${limit}, must contain ${describeRecords(list, expected)}, as in the pages of ${whole[0]?.limit}`,
    actual: `the page contains ${countNoun(returned.length, 'record')}${missing.length === 0 ? ' in another order' : `, without ${describeRecords(list, missing)}`}`,
    mutants: [returned.length < expected.length ? endUnreachable : pageShifted, ...mutantsOfPage(keys, returned)],
  });
}

/** Mutants of other rules that predict a wrong page: the first page again, and a whole list that lacks records of other pages. */
function mutantsOfPage(keys: readonly string[], returned: readonly string[]): readonly MutantIdentity[] {
  if (returned.join() === keys.slice(0, returned.length).join()) return [pageNumberIgnored];
  if (returned.every((key) => keys.includes(key))) return [];
  return [pageGap, mutantOf('total-of-page'), otherDefaultPage];
}

/** The rules, in the order of a run. */
export const numberedAllPagesRules: readonly Rule[] = [partitionRule, pageSizesRule];

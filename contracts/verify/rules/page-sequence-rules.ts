/** Rules about counted pages together: in every size they are the list, each record once and in one order. */

import type { Reply } from '../engine/call.ts';
import { collectionPlace, parameterPlace } from '../engine/clauses.ts';
import {
  askSecondPage,
  isNumbered,
  isPage,
  keysIn,
  type NumberedOperation,
  pageCall,
  type Sample,
  servedLimit,
  smallSample,
  smallSize,
} from '../engine/numbered-pages.ts';
import { keyOf, type ParameterValues } from '../engine/paginate.ts';
import { isUnchangedList } from '../engine/readings.ts';
import type { RunContext } from '../engine/run-context.ts';
import { largestPage, type Snapshot } from '../engine/snapshot.ts';
import {
  agrees,
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

const threeRecords = 'a list, or a part of one, with at least three records';
const alwaysFirst = candidate('pages/partition', 'page-number-ignored', threeRecords);
const overlapping = candidate('pages/partition', 'page-overlap', threeRecords);
const gaps = candidate('pages/partition', 'page-gap', threeRecords);

const partition = ruleAbout(isNumbered, {
  id: 'pages/partition',
  title: 'The pages of a list have each of its records once, in its order',
  why: 'A client that reads page by page loses records between two pages, or has some twice.',
  strength: 'implied',
  place: (list) => collectionPlace(list, 'page'),
  examine: async (context, list) => {
    const sample = await smallSample(context, list);
    const readings: PagesRead[] = [];
    for (const size of sizesOf(context, sample)) readings.push(await readPages(context, sample, size));
    return { mutants: [alwaysFirst, overlapping, gaps], judge: () => readings.map((each) => judgePages(sample, each)) };
  },
});

/** The pages of one size. */
interface PagesRead {
  readonly size: number;
  readonly replies: readonly Reply[];
  /** The sample, read again when the pages differ from it. */
  readonly again: Sample['keys'];
}

/** Number of pages read of one size. */
const pagesRead = 3;

/** Pages that end with the list, and pages of all but one record. */
function sizesOf(context: RunContext, { keys }: Sample): readonly number[] {
  const number = keys.length;
  if (number < 3) return number === 2 ? [1] : [];
  return [...new Set(context.quick ? [Math.ceil(number / 2)] : [Math.ceil(number / pagesRead), number - 1])];
}

async function readPages(context: RunContext, { operation, values, keys, isWhole, reply }: Sample, size: number): Promise<PagesRead> {
  const pages = Math.min(pagesRead, isWhole ? Math.ceil(keys.length / size) : Math.floor(keys.length / size));
  const replies: Reply[] = [];
  for (let index = 0; index < pages; index += 1) replies.push(await context.ask(pageCall(operation, values, size, index)));
  const isSame = JSON.stringify(replies.flatMap(keysIn)) === JSON.stringify(keys.slice(0, pages * size));
  return { size, replies, again: isSame ? keys : keysIn(await context.askAgain(reply.call)) };
}

function judgePages(sample: Sample, { size, replies, again }: PagesRead): Judgement | undefined {
  const { operation, keys } = sample;
  if (!isPage(sample.reply) || !replies.every(isPage)) return reportedBy('response/status');
  if (keys.join() !== again.join())
    return keys.toSorted().join() === again.toSorted().join() ? reportedBy('pages/order') : dataMoved(`${operation.id} changed`);
  const given = replies.map(keysIn);
  if (replies.some((reply) => (servedLimit(reply) ?? size) !== size) || given.some((page) => page.length > size))
    return reportedBy('pages/limit-size');
  const wanted = keys.slice(0, replies.length * size);
  if (given.flat().join() === wanted.join()) return replies.length < 2 ? undefined : agrees(alwaysFirst, overlapping, gaps);
  return contradictPages(sample, size, replies, wanted);
}

function contradictPages(
  { operation, values, reply }: Sample,
  size: number,
  replies: readonly Reply[],
  wanted: readonly string[],
): Judgement {
  const given = replies.map(keysIn);
  const isWrong = (page: readonly string[], index: number): boolean =>
    page.join() !== wanted.slice(index * size, (index + 1) * size).join();
  const wrong = Math.max(0, given.findIndex(isWrong));
  const seen = given.flat();
  const lost = wanted.filter((key) => !seen.includes(key));
  const twice = seen.filter((key, index) => seen.indexOf(key) !== index);
  const isFirst = wrong > 0 && given[wrong]?.join() === given[0]?.join();
  const what = [
    ...(lost.length > 0 ? [`${describeRecords(operation, lost)} ${lost.length === 1 ? 'is' : 'are'} missing`] : []),
    ...(twice.length > 0 ? [`the pages repeat ${describeRecords(operation, [...new Set(twice)])}`] : []),
  ];
  return contradicts({
    replies: [reply, ...replies.slice(Math.max(0, wrong - 1), wrong + 1)],
    expected: `the first ${count(replies.length, 'page')} of ${size} of ${operation.id} with ${describeValues(values)} must contain the records of the larger page, in its order`,
    actual: what.length > 0 ? what.join('; ') : 'the records are in another order',
    mutant: isFirst ? alwaysFirst : twice.length > 0 ? overlapping : lost.length > 0 ? gaps : undefined,
  });
}

const somePages = 'a list that can be read whole, with some pages';
const unreachable = candidate('pages/page-sizes', 'end-unreachable', somePages);
const shifted = candidate('pages/page-sizes', 'page-shifted', somePages);

const pageSizes = ruleAbout(isNumbered, {
  id: 'pages/page-sizes',
  title: 'Every page size delivers the list up to its end',
  why: 'The page size must not decide which records a client gets.',
  strength: 'implied',
  place: (list) => parameterPlace(list, list.collection.page.limit),
  examine: async (context, list) => {
    const snapshot = await context.snapshot(list);
    const made: OnePage[] = [{ size: smallSize, index: 1, reply: await askSecondPage(context, list) }];
    for (const size of divisionsOf(context, snapshot)) {
      const index = Math.ceil(snapshot.pagination.records.length / size) - 1;
      made.push({ size, index, reply: await context.ask(pageCall(list, snapshot.base, size, index)) });
    }
    return { mutants: [unreachable, shifted], judge: () => judgeSizes(snapshot, list, made) };
  },
});

/** A page of some size, counted from 0. */
interface OnePage {
  readonly size: number;
  readonly index: number;
  readonly reply: Reply;
}

/** A small size, one record, all but one record, and a size that divides the list, so that the last page is full. */
function divisionsOf(context: RunContext, { isComplete, pagination, operation }: Snapshot): readonly number[] {
  const number = pagination.records.length;
  const largest = largestPage(operation);
  if (!isComplete || number < 2) return [];
  const divisor = Array.from({ length: largest }, (_, index) => largest - index).find(
    (size) => size < number && size > 1 && number % size === 0,
  );
  const sizes = [smallSize, 1, Math.min(number - 1, largest), ...(divisor === undefined ? [] : [divisor])];
  return [...new Set(sizes)].filter((size) => size >= 1 && size <= largest).slice(0, context.quick ? 1 : sizes.length);
}

function judgeSizes(snapshot: Snapshot, list: NumberedOperation, made: readonly OnePage[]): readonly Judgement[] {
  const { isComplete, pagination, finalPagination: closing } = snapshot;
  if (!isComplete || pagination.records.length < 2) return [];
  const keys = pagination.records.map((record) => keyOf(list, record));
  // A list whose own pages do not fit together says nothing about others.
  if (new Set(keys).size !== keys.length) return [reportedBy('pages/partition')];
  if (!isUnchangedList(snapshot)) return [dataMoved(`${list.id} changed while it was read`)];
  if (keys.join() !== (closing?.records ?? []).map((record) => keyOf(list, record)).join()) return [reportedBy('pages/order')];
  return made.map((page) => judgeOnePage(snapshot, list, keys, page));
}

function judgeOnePage(
  { pagination }: Snapshot,
  list: NumberedOperation,
  keys: readonly string[],
  { size, index, reply }: OnePage,
): Judgement {
  const wanted = keys.slice(index * size, (index + 1) * size);
  if (wanted.length === 0) return agrees();
  if (!isPage(reply)) return reportedBy('response/status');
  const given = keysIn(reply);
  if (given.length > size || (servedLimit(reply) ?? size) !== size) return reportedBy('pages/limit-size');
  if (given.join() === wanted.join()) {
    const isLast = (index + 1) * size >= keys.length;
    return index === 0 ? agrees() : agrees(shifted, ...(isLast ? [unreachable] : []));
  }
  const lost = wanted.filter((key) => !given.includes(key));
  return contradicts({
    replies: [...pagination.replies.slice(-1), reply],
    expected: `page ${index + 1} of ${list.id}, of size ${size}, must contain ${describeRecords(list, wanted)}, as in the whole list`,
    actual: `the page contains ${count(given.length, 'record')}${lost.length === 0 ? ' in another order' : `, without ${describeRecords(list, lost)}`}`,
    mutant: given.length < wanted.length ? unreachable : shifted,
  });
}

const shuffled = candidate('pages/order', 'order-alternates', 'two records on one page');

const order = ruleAbout(isNumbered, {
  id: 'pages/order',
  title: 'An unchanged list has the same order at each reading',
  why: 'Numbered pages of a reordered list repeat some records and lose others.',
  strength: 'implied',
  place: (list) => collectionPlace(list, 'order'),
  examine: async (context, list) => {
    const { reply, values } = await smallSample(context, list);
    // Two readings follow each other at once: an order that alternates looks the same whenever an even number of answers lies between.
    const readings = [reply, await context.askAgain(reply.call), await context.askAgain(reply.call)];
    // One change of the order may be a change of the data; that it comes and goes is none.
    if (changesIn(readings).length === 1) readings.push(await context.askAgain(reply.call));
    return { mutants: [shuffled], judge: () => judgeOrder(list, values, readings) };
  },
});

/** The neighbouring readings that differ in their order. */
function changesIn(readings: readonly Reply[]): readonly (readonly [Reply, Reply])[] {
  return readings.flatMap((reply, index) => {
    const before = readings[index - 1];
    return before === undefined || keysIn(before).join() === keysIn(reply).join() ? [] : [[before, reply] as const];
  });
}

function judgeOrder({ id }: NumberedOperation, values: ParameterValues, readings: readonly Reply[]): Judgement | undefined {
  const [first] = readings;
  if (!readings.every(isPage)) return reportedBy('response/status');
  if (first === undefined || keysIn(first).length < 2) return undefined;
  const [change, ...more] = changesIn(readings);
  if (change === undefined) return agrees(shuffled);
  const isOneSet = new Set(readings.map((reply) => keysIn(reply).toSorted().join())).size === 1;
  if (!isOneSet || more.length === 0) return dataMoved(`the records of ${id} or their order changed`);
  return contradicts({
    replies: change,
    expected: `${id} with ${describeValues(values)} must return the same records in the same order each time`,
    actual: 'the order changes from one read to the next',
    mutant: shuffled,
  });
}

/** The rules. */
export const pageSequences: readonly Rule[] = [partition, pageSizes, order];

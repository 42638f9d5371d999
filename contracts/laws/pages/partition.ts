/** The law that small pages, one after the other, are the list. */

import type { Lab } from '../../lab.ts';
import type { Candidate, Contradiction, Finding, Law } from '../../law.ts';
import { collectionPlace } from '../../list-clause.ts';
import {
  isNumbered,
  isPage,
  keysIn,
  type NumberedOperation,
  numbered,
  pageCall,
  type Sample,
  servedLimit,
  smallSample,
} from '../../numbered.ts';
import type { Reply } from '../../reply.ts';
import { count, describeRecords, describeValues } from '../../words.ts';

/** The law. */
export const partition: Law = {
  id: 'pages/partition',
  title: 'The pages of a list have each of its records once, in its order',
  why: 'A client that reads page by page loses records between two pages, or has some twice, and never knows.',
  strength: 'implied',
  clause: (operation) => (isNumbered(operation) ? collectionPlace(operation, 'page') : undefined),
  examine: async (lab, operation) => {
    const sample = await smallSample(lab, numbered(operation));
    const readings: Reading[] = [];
    for (const size of sizesFor(lab, sample)) readings.push(await readPages(lab, sample, size));
    return { rivals, judge: () => readings.flatMap(judgeReading) };
  },
};

const missing = 'a list, or a part of one, with at least three records';
const rivals: readonly Candidate[] = [
  { id: 'always-first', title: 'every page were the first', missing },
  { id: 'overlapping', title: 'some records stood on two pages', missing },
  { id: 'gaps', title: 'some records stood on no page', missing },
];

interface Reading {
  readonly sample: Sample;
  readonly size: number;
  readonly replies: readonly Reply[];
  /** The sample, read again when the pages differ from it. */
  readonly again: Sample['keys'];
}

/** How many pages are read of one size. */
const pagesRead = 3;

/** Pages that end with the list, and pages of all but one record. */
function sizesFor(lab: Lab, { keys }: Sample): readonly number[] {
  const number = keys.length;
  if (number < 3) return number === 2 ? [1] : [];
  const sizes = lab.quick ? [Math.ceil(number / 2)] : [Math.ceil(number / pagesRead), number - 1];
  return [...new Set(sizes)];
}

async function readPages(lab: Lab, sample: Sample, size: number): Promise<Reading> {
  const { operation, values, keys } = sample;
  const pages = Math.min(pagesRead, sample.isWhole ? Math.ceil(keys.length / size) : Math.floor(keys.length / size));
  const replies: Reply[] = [];
  for (let index = 0; index < pages; index += 1) replies.push(await lab.ask(pageCall(operation, values, size, index)));
  const isSame = JSON.stringify(replies.flatMap(keysIn)) === JSON.stringify(keys.slice(0, pages * size));
  return { sample, size, replies, again: isSame ? keys : keysIn(await lab.again(sample.reply.call)) };
}

function judgeReading({ sample, size, replies, again }: Reading): readonly Finding[] {
  if (!isPage(sample.reply) || !replies.every(isPage)) return [{ kind: 'obscured', by: 'response/status' }];
  const { operation, keys } = sample;
  if (keys.join() !== again.join())
    return [
      keys.toSorted().join() === again.toSorted().join()
        ? { kind: 'obscured', by: 'pages/order' }
        : { kind: 'moved', what: `${operation.id} changed` },
    ];
  const pages = replies.map(keysIn);
  if (replies.some((reply) => (servedLimit(reply) ?? size) !== size) || pages.some((page) => page.length > size))
    return [{ kind: 'obscured', by: 'pages/limit-size' }];
  const wanted = keys.slice(0, replies.length * size);
  if (pages.flat().join() === wanted.join()) return replies.length < 2 ? [] : [{ kind: 'agrees', refutes: rivals.map(({ id }) => id) }];
  return [contradict(operation, sample, size, replies, wanted)];
}

function contradict(
  operation: NumberedOperation,
  sample: Sample,
  size: number,
  replies: readonly Reply[],
  wanted: readonly string[],
): Contradiction {
  const pages = replies.map(keysIn);
  const wrong = Math.max(
    0,
    pages.findIndex((page, index) => page.join() !== wanted.slice(index * size, (index + 1) * size).join()),
  );
  const seen = pages.flat();
  const lost = wanted.filter((key) => !seen.includes(key));
  const twice = seen.filter((key, index) => seen.indexOf(key) !== index);
  const isFirst = wrong > 0 && pages[wrong]?.join() === pages[0]?.join();
  const rival = isFirst ? rivals[0] : twice.length > 0 ? rivals[1] : lost.length > 0 ? rivals[2] : undefined;
  const what = [
    ...(lost.length > 0 ? [`${describeRecords(operation, lost)} missing`] : []),
    ...(twice.length > 0 ? [`${describeRecords(operation, [...new Set(twice)])} repeated`] : []),
  ];
  return {
    kind: 'contradicts',
    replies: [sample.reply, ...replies.slice(Math.max(0, wrong - 1), wrong + 1)],
    expected: `the first ${count(replies.length, 'page')} of ${size} of ${operation.id} with ${describeValues(sample.values)} have, in this order, the records of the larger page read before and after`,
    actual: what.length > 0 ? what.join(', ') : 'they have them in another order',
    ...(rival === undefined ? {} : { rival }),
    witnesses: [],
  };
}

/** The law that every record can be reached with every page size. */

import type { Lab } from '../../lab.ts';
import type { Candidate, Finding, Law } from '../../law.ts';
import { parameterPlace } from '../../list-clause.ts';
import {
  askSecondPage,
  isNumbered,
  isPage,
  keysIn,
  type NumberedOperation,
  numbered,
  pageCall,
  servedLimit,
  smallSize,
} from '../../numbered.ts';

import type { Reply } from '../../reply.ts';
import { isQuiet } from '../../sightings.ts';
import { largestPage, type Universe } from '../../universe.ts';
import { keyOf } from '../../walk.ts';
import { count, describeRecords } from '../../words.ts';

/** The law. */
export const pageSizes: Law = {
  id: 'pages/page-sizes',
  title: 'With every page size the last page is the end of the list',
  why: 'Which records a client gets must not depend on how it cuts the list.',
  strength: 'implied',
  clause: (operation) => (isNumbered(operation) ? parameterPlace(operation, operation.collection.page.limit) : undefined),
  examine: async (lab, operation) => {
    const list = numbered(operation);
    const universe = await lab.universe(list);
    const pages: Cut[] = [{ size: smallSize, index: 1, reply: await askSecondPage(lab, list) }];
    for (const size of sizesFor(lab, universe)) {
      const index = Math.ceil(universe.walk.records.length / size) - 1;
      pages.push({ size, index, reply: await lab.ask(pageCall(list, universe.base, size, index)) });
    }
    return { rivals, judge: () => judgeAll(universe, list, pages) };
  },
};

const rivals: readonly Candidate[] = [
  {
    id: 'end-unreachable',
    title: 'the end of the list could not be reached with every page size',
    missing: 'a list that can be read whole, with some pages',
  },
  { id: 'shifted', title: 'where a page begins did not follow from its size', missing: 'a list that can be read whole, with some pages' },
];

interface Cut {
  readonly size: number;
  /** From 0. */
  readonly index: number;
  readonly reply: Reply;
}

/** A small size, one record, all but one record, and a size that divides the list, so that the last page is full. */
function sizesFor(lab: Lab, { isComplete, walk, operation }: Universe): readonly number[] {
  const number = walk.records.length;
  const largest = largestPage(operation);
  if (!isComplete || number < 2) return [];
  const divisor = Array.from({ length: largest }, (_, index) => largest - index).find(
    (size) => size < number && size > 1 && number % size === 0,
  );
  const sizes = [smallSize, 1, Math.min(number - 1, largest), ...(divisor === undefined ? [] : [divisor])];
  return [...new Set(sizes)].filter((size) => size >= 1 && size <= largest).slice(0, lab.quick ? 1 : sizes.length);
}

function judgeAll(universe: Universe, operation: NumberedOperation, pages: readonly Cut[]): readonly Finding[] {
  if (!universe.isComplete || universe.walk.records.length < 2) return [];
  const keys = universe.walk.records.map((record) => keyOf(operation, record));
  const closing = (universe.closing?.records ?? []).map((record) => keyOf(operation, record));
  // A list whose own pages do not fit together says nothing about others.
  if (new Set(keys).size !== keys.length) return [{ kind: 'obscured', by: 'pages/partition' }];
  if (!isQuiet(universe)) return [{ kind: 'moved', what: `${operation.id} changed while it was read` }];
  if (keys.join() !== closing.join()) return [{ kind: 'obscured', by: 'pages/order' }];
  return pages.map((page) => judgeCut(universe, operation, keys, page));
}

function judgeCut({ walk }: Universe, operation: NumberedOperation, keys: readonly string[], { size, index, reply }: Cut): Finding {
  const wanted = keys.slice(index * size, (index + 1) * size);
  const isPast = index * size >= keys.length;
  if (isPast) return { kind: 'agrees', refutes: [] };
  if (!isPage(reply)) return { kind: 'obscured', by: 'response/status' };
  const given = keysIn(reply);
  if (given.length > size || (servedLimit(reply) ?? size) !== size) return { kind: 'obscured', by: 'pages/limit-size' };
  if (given.join() === wanted.join()) {
    const isLast = (index + 1) * size >= keys.length;
    return { kind: 'agrees', refutes: index === 0 ? [] : isLast ? ['end-unreachable', 'shifted'] : ['shifted'] };
  }
  const rival = rivals[given.length < wanted.length ? 0 : 1];
  const lost = wanted.filter((key) => !given.includes(key));
  return {
    kind: 'contradicts',
    replies: [...walk.replies.slice(-1), reply],
    expected: `page ${index + 1} of ${size} of ${operation.id} has ${describeRecords(operation, wanted)}, as the whole list before and after`,
    actual: `it has ${count(given.length, 'record')}${lost.length === 0 ? ' in another order' : `, without ${describeRecords(operation, lost)}`}`,
    ...(rival === undefined ? {} : { rival }),
    witnesses: [],
  };
}

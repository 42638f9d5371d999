/** What the laws about order have in common: neighbours are gathered, and judged under every direction that the contract leaves open. */

import type { Rival } from '../core/verdict.ts';
import type { Lab } from './lab.ts';
import type { Candidate, Finding } from './law.ts';
import { isDirectionOpen, type Neighbours } from './ordering.ts';
import type { Reply } from './reply.ts';
import { keyOf, type ListOperation, type Route } from './walk.ts';
import { describeRecords } from './words.ts';

/** Neighbours and the answers that show them. */
export interface Shown extends Neighbours {
  readonly replies: readonly Reply[];
  /** The walk that shows them, when they stand on two pages. */
  readonly route?: Route;
}

/** The rivals of an order: each key may be ignored, and each tie-break may go the other way. */
export function orderRivals(operation: ListOperation): readonly Candidate[] {
  return operation.collection.order.map((key, index) => ({
    id: `unsorted:${key.by}`,
    title: index === 0 ? `records were not sorted by ${key.by.slice(1)}` : `${key.by.slice(1)} did not break ties, or the other way round`,
    missing: index === 0 ? 'records that differ in what they are sorted by' : `neighbours that only ${key.by.slice(1)} tells apart`,
  }));
}

/**
 * Judges neighbours: those that a stated direction contradicts, and those that contradict each other where it is open. Which direction that is,
 * all neighbours of the list say together.
 */
export function judgeOrder(
  lab: Lab,
  operation: ListOperation,
  shown: readonly Shown[],
  all: readonly Neighbours[] = shown,
): readonly Finding[] {
  return operation.collection.order.flatMap((key, index): readonly Finding[] => {
    const decided = shown.filter((each) => each.index === index);
    if (decided.length === 0) return [];
    const wanted = isDirectionOpen(lab.contract, operation, index) ? majority(all.filter((each) => each.index === index)) : key.direction;
    const wrong = decided.filter((each) => each.direction !== wanted);
    const rival: Rival = orderRivals(operation)[index] ?? { id: '', title: '' };
    const [first] = wrong;
    if (first === undefined) return [{ kind: 'agrees', refutes: [rival.id] }];
    const keys = [keyOf(operation, first.first), keyOf(operation, first.second)];
    return [
      {
        kind: 'contradicts',
        replies: first.replies,
        expected: `${operation.id} comes ${wanted} by ${key.by.slice(1)}${index === 0 ? '' : ' where all before it is equal'}`,
        actual: `${describeRecords(operation, keys)} follow each other the other way round`,
        records: [first.first, first.second],
        rival: { id: rival.id, title: rival.title },
        ...(first.route === undefined ? {} : { route: first.route }),
        witnesses: wrong.flatMap((each) => [keyOf(operation, each.first), keyOf(operation, each.second)]),
      },
    ];
  });
}

/** Either direction is right where it is open, but not both. */
function majority(decided: readonly Neighbours[]): Neighbours['direction'] {
  const rising = decided.filter((each) => each.direction === 'ascending').length;
  return rising * 2 > decided.length ? 'ascending' : 'descending';
}

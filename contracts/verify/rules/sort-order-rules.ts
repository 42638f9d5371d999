/** Rules of the group `order`: the order of a list on one page and across pages. Records that changed between two pages are never compared. */

import type { Direction, OrderKey } from '../../../core/annotations/annotations.ts';
import { isNumber, type Json } from '../../../core/json.ts';
import { canonicalText } from '../../../core/json-equality.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import { showPointer, valueAt } from '../../../core/pointer.ts';
import { instantOf } from '../../../core/query/instants.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { type Reply, recordsIn } from '../evidence/call.ts';
import { collectionPlace } from '../evidence/clause-places.ts';
import { isLeftOpen } from '../evidence/open-places.ts';
import { type Pagination, type PaginationPlan, paginationPlanOf } from '../evidence/pagination/pagination.ts';
import { readListInPages } from '../evidence/pagination/read-list-in-small-pages.ts';
import { paginationsOf } from '../evidence/read-filtered-lists.ts';
import { recordKeyOf } from '../evidence/record-keys-and-filters.ts';
import { isUnshifted } from '../evidence/record-readings.ts';
import type { RoundContext } from '../evidence/round-context.ts';
import { describeRecords, showField } from './describe-values.ts';
import { agrees, bySnapshot, type Candidate, candidate, contradicts, type Judgements, type Rule, ruleAbout } from './rule.ts';

const orderPlace = (list: ListOperation, contract: Contract): ReturnType<Rule['clause']> =>
  list.collection.order.length > 0 && isOrdered(contract, list) ? collectionPlace(list, 'order') : undefined;

const withinPageRule = ruleAbout(isList, {
  id: 'order/within',
  title: 'A page is in the stated order',
  why: 'Clients read the latest changes first and stop at a known record. They miss a record in the wrong place.',
  strength: 'stated',
  place: orderPlace,
  examine: async (context, list) => {
    await context.snapshot(list);
    return { mutants: orderMutants(list), judge: () => undefined };
  },
  judgeReplies: (context, list) => {
    // Both records belong to one response, so changed data cannot explain a violation.
    const neighboursShownBy = (reply: Reply): readonly ShownNeighbours[] =>
      reply.call.operation.id === list.id ? neighboursIn(list, recordsIn(reply) ?? []).map((each) => ({ ...each, replies: [reply] })) : [];
    return judgeOrder(context, list, context.replies.flatMap(neighboursShownBy));
  },
});

const acrossPagesRule = ruleAbout(isList, {
  id: 'order/across',
  title: 'The order continues from one page to the next',
  why: 'If only the individual pages are sorted, the list is not.',
  strength: 'stated',
  place: orderPlace,
  examine: async (context, list) => {
    const snapshot = await context.snapshot(list);
    await readListInPages(context, snapshot);
    const missing = 'a page boundary between records that are equal in all earlier sort keys';
    return {
      mutants: orderMutants(list)
        .slice(0, 2)
        .map((mutant, index) => (index === 0 ? mutant : { ...mutant, missing })),
      judge: () => undefined,
    };
  },
  judgeReplies: bySnapshot((context, snapshot, list) => {
    const paginations = paginationsOf(context, snapshot).filter((pagination) => isUnshifted(snapshot, pagination));
    const boundaries = paginations.flatMap((pagination) => pageBoundaries(context, pagination));
    // The records inside each page show the direction of the list.
    const pageNeighbours = paginations.flatMap(({ pages }) => pages.flatMap((page) => neighboursIn(list, page)));
    return judgeOrder(context, list, boundaries, [...boundaries, ...pageNeighbours]);
  }),
});

/** The last record of each page with the first of the next, if neither changed while they were read. */
function pageBoundaries(context: RoundContext, pagination: Pagination): readonly ShownNeighbours[] {
  const { operation, pages, replies } = pagination;
  const readings = context.readings(operation);
  return pages.slice(1).flatMap((page, index) => {
    const [first, second] = [pages[index]?.at(-1), page[0]];
    const [before, after] = [replies[index], replies[index + 1]];
    if (first === undefined || second === undefined || before === undefined || after === undefined) return [];
    const isUnchanged = [first, second].every(
      (record) =>
        readings.unchangedDuring(recordKeyOf(operation, record), before.startedMs, after.endedMs)?.before.content === canonicalText(record),
    );
    return isUnchanged
      ? [{ ...compareNeighbours(operation, first, second), replies: [before, after], paginationPlan: paginationPlanOf(pagination) }]
      : [];
  });
}

/** The rules, in the order of a run. */
export const sortOrderRules: readonly Rule[] = [withinPageRule, acrossPagesRule];

/** Two neighbours, compared by the first sort key in which they differ. */
interface Neighbours {
  readonly first: DataRecord;
  readonly second: DataRecord;
  /** The first sort key in which they differ; `undefined` if they are equal in all. */
  readonly key: OrderKey | undefined;
  /** Direction from the first to the second. */
  readonly direction: Direction | undefined;
  readonly index: number;
}

/** True if the contract states the order of a list, even without the direction of a key. */
function isOrdered(contract: Contract, operation: ListOperation): boolean {
  return ![...contract.questions.values()].some(({ pointers }) => pointers.includes(`${operation.pointer}/x-collection/order`));
}

/** True if the direction of a key is open. */
function isDirectionOpen(contract: Contract, operation: ListOperation, index: number): boolean {
  return isLeftOpen(contract, operation, `x-collection/order/${index}/direction`);
}

/** Compares two records by the keys of the order. */
function compareNeighbours(operation: ListOperation, first: DataRecord, second: DataRecord): Neighbours {
  for (const [index, key] of operation.collection.order.entries()) {
    const kind = operation.collection.kindOf(key.by);
    const [left, right] = [toComparable(valueAt(first, key.by), kind), toComparable(valueAt(second, key.by), kind)];
    // A key that cannot be compared gives no evidence for later keys.
    if (left === undefined || right === undefined) break;
    if (left !== right) return { first, second, key, direction: left < right ? 'ascending' : 'descending', index };
  }
  return { first, second, key: undefined, direction: undefined, index: -1 };
}

function toComparable(value: Json | undefined, kind: string): bigint | number | string | undefined {
  if (kind === 'instant') return instantOf(value);
  if (kind === 'number') return isNumber(value) ? value : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** All pairs of successive records. */
function neighboursIn(operation: ListOperation, records: readonly DataRecord[]): readonly Neighbours[] {
  return records.slice(1).flatMap((second, index) => {
    const first = records[index];
    return first === undefined ? [] : [compareNeighbours(operation, first, second)];
  });
}

/** Neighbours and the responses that show them. */
interface ShownNeighbours extends Neighbours {
  readonly replies: readonly Reply[];
  /** The pagination that shows them, if they are on two pages. */
  readonly paginationPlan?: PaginationPlan;
}

/** The mutants of an order: each key may be ignored, and each tie-break may go the other way. */
function orderMutants(operation: ListOperation): readonly Candidate[] {
  return operation.collection.order.map(({ by }, index) => {
    const field = by.slice(1);
    const [kind, missing] =
      index === 0
        ? (['order-reversed', 'records that differ in the first sort key'] as const)
        : (['tie-order-reversed', `neighbours that differ only in ${field}`] as const);
    return candidate(kind, missing, { field }, field);
  });
}

/** Judges neighbours by the stated direction. Where the direction is open, it is that of most neighbours in `all`. */
function judgeOrder(
  context: RoundContext,
  list: ListOperation,
  shownNeighbours: readonly ShownNeighbours[],
  all: readonly Neighbours[] = shownNeighbours,
): Judgements {
  const mutants = orderMutants(list);
  return list.collection.order.map((key, index) => {
    const neighboursOfKey = shownNeighbours.filter((each) => each.index === index);
    if (neighboursOfKey.length === 0) return undefined;
    const expected = isDirectionOpen(context.contract, list, index)
      ? directionOfMost(all.filter((each) => each.index === index))
      : key.direction;
    const wrongNeighbours = neighboursOfKey.filter((each) => each.direction !== expected);
    if (index > 0 && mayHaveHiddenPrecision(list, index, neighboursOfKey, wrongNeighbours)) return undefined;
    const [first] = wrongNeighbours;
    if (first === undefined) return agrees(...mutants.slice(index, index + 1));
    const keysOfPair = (each: Neighbours): readonly string[] => [each.first, each.second].map((record) => recordKeyOf(list, record));
    const fields = [first.first, first.second].map((record) => showField(context.contract, list, record, key.by));
    return contradicts({
      replies: first.replies,
      expected: `${list.id} must be in ${expected} order of ${showPointer(key.by)}${index === 0 ? '' : ' where the earlier sort keys are equal'}`,
      actual: `${describeRecords(list, keysOfPair(first))} are next to each other; ${fields.join(' and ')}`,
      records: [first.first, first.second],
      mutant: mutants[index],
      paginationPlan: first.paginationPlan,
      recordKeys: wrongNeighbours.flatMap(keysOfPair),
    });
  });
}

/** Number of ties in the wrong order, with none in the right one, that are no chance. */
const enoughWrongTies = 5;

/**
 * True if a list may be sorted by times that are more precise than it prints them. Records of one printed second are then in any order, unless all of them are
 * in the wrong one.
 */
function mayHaveHiddenPrecision(
  { collection: { order, kindOf } }: ListOperation,
  index: number,
  all: readonly Neighbours[],
  wrong: readonly Neighbours[],
): boolean {
  const earlier = order.slice(0, index).filter(({ by }) => kindOf(by) === 'instant');
  const hasFractions = earlier.some(({ by }) => all.some(({ first }) => /[.,]\d/.test(String(valueAt(first, by)))));
  const pairs = new Set(wrong.map(({ first, second }) => `${canonicalText(first)} ${canonicalText(second)}`));
  return earlier.length > 0 && !hasFractions && wrong.length > 0 && (wrong.length < all.length || pairs.size < enoughWrongTies);
}

/** The direction of most neighbours. */
function directionOfMost(sameKey: readonly Neighbours[]): Neighbours['direction'] {
  const rising = sameKey.filter((each) => each.direction === 'ascending').length;
  return rising * 2 > sameKey.length ? 'ascending' : 'descending';
}

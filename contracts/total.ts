/** What a list may say that it has in all. */

import { predictableFilters } from './filter-values.ts';
import type { Lab } from './lab.ts';
import { isPage, wantedOf } from './numbered.ts';
import { isOpen } from './openness.ts';
import { type Reply, recordsIn } from './reply.ts';
import type { Universe } from './universe.ts';
import { keyOf, type ListOperation, toArguments, totalIn } from './walk.ts';

/** Whether totals count what the filters select, or everything; both where the contract leaves it open. */
export function readingsOf({ contract }: Lab, operation: ListOperation): readonly ('filtered' | 'overall')[] {
  const { page } = operation.collection;
  if (page.style === 'page' && isOpen(contract, operation, 'x-collection/page/counts')) return ['filtered', 'overall'];
  return [page.style === 'page' ? (page.counts ?? 'filtered') : 'filtered'];
}

/** A total, with what it should be by each reading. */
export interface Told {
  readonly reply: Reply;
  readonly total: number;
  readonly filtered: number;
  readonly overall: number | undefined;
}

/** The totals of answers whose filters a replica can follow, for a list that is known whole or in the part that a filter cuts out. */
export function totalsTold(lab: Lab, universe: Universe): readonly Told[] {
  const { operation, base } = universe;
  const known = predictableFilters(lab.contract, operation);
  const records = [...new Map(universe.walk.records.map((record) => [keyOf(operation, record), record])).values()];
  const isWhole = Object.keys(base).length === 0;
  return lab.replies.flatMap((reply): readonly Told[] => {
    const wanted = reply.call.operation.id === operation.id && isPage(reply) ? wantedOf(reply) : undefined;
    const total = totalIn(operation.collection.page, reply);
    if (wanted === undefined || total === undefined || (reply.call.as ?? 'full') !== universe.as) return [];
    const isInside =
      isWhole || Object.entries(base).every(([name, value]) => JSON.stringify(wanted.values[name]) === JSON.stringify(value));
    if (!isInside || !Object.keys(wanted.values).every((name) => known.includes(name))) return [];
    const filtered = records.filter((record) => operation.collection.query.matches(record, toArguments(wanted.values))).length;
    return [{ reply, total, filtered, overall: isWhole ? records.length : undefined }];
  });
}

/** Whether other answers show records that reading the whole list did not: paging loses them, and a total may still count them. */
export function losesRecords(lab: Lab, { operation, walk }: Universe): boolean {
  const read = new Set(walk.records.map((record) => keyOf(operation, record)));
  return lab.replies.some(
    (reply) => reply.call.operation.id === operation.id && recordsIn(reply)?.some((record) => !read.has(keyOf(operation, record))),
  );
}

/** Witnesses of changed paging: a total that counts other records, and a page that is cut shorter. */

import type { Json } from '../../../core/json.ts';
import type { Query } from '../../../core/query.ts';
import { ask, toExchange } from './asking.ts';
import { fieldsOf, filterTrials } from './filter-witness.ts';
import { type Contest, searchList } from './list-trial.ts';
import type { ListPair } from './pair.ts';
import type { Search } from './rule-change.ts';

/** Looks for a record and a filter by which a total of what passes differs from a total of all. */
export function searchTotal(pair: ListPair, before: Json | undefined, after: Json | undefined): Search {
  const counts = { old: before, next: after };
  const answer: Contest['answer'] = (query: Query, records, values, side) =>
    query.count(records, counts[side] === 'overall' ? new Map() : values);
  return searchList(pair, {
    trials: function* (pool) {
      for (const [name, filter] of pair.old.operation.collection.filters) yield* filterTrials(pair, name, fieldsOf(filter), pool);
    },
    edit: (rules) => rules,
    answer,
    keyword: 'page.counts',
  });
}

/** A request for one record more than the lower cap serves. */
export function searchCap(pair: ListPair, before: Json | undefined, after: Json | undefined): Search {
  const { limit } = pair.old.operation.collection.page;
  const wanted = typeof after === 'number' ? after + 1 : 1;
  const served = (cap: Json | undefined): number => Math.min(wanted, typeof cap === 'number' ? cap : wanted);
  const asked = ask(pair, { [limit]: wanted });
  if (asked === undefined || asked.next.problems.length > 0 || served(before) === served(after)) return { tried: 1, witness: undefined };
  return {
    tried: 1,
    witness: {
      exchange: toExchange(asked.request),
      pointer: '',
      value: wanted,
      refusedBy: undefined,
      keyword: 'page.cap',
      message: `the old contract answers with up to ${served(before)} records; the new one with up to ${served(after)}`,
      place: undefined,
    },
  };
}

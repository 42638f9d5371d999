/** The law about the values that a filter lists. */

import type { Operation } from '../../../core/operation.ts';
import { listedValues } from '../../filter-values.ts';
import type { Law } from '../../law.ts';
import { collectionPlace, parameterPlace } from '../../list-clause.ts';
import { examineSuccesses, type Legal } from '../../refusal.ts';
import { largestPage } from '../../universe.ts';
import { isList, type ListOperation, requireList } from '../../walk.ts';
import { showValue } from '../../words.ts';

/** The law. */
export const values: Law = {
  id: 'filters/values',
  title: 'Every value that a filter lists is accepted',
  why: 'A state that exists and cannot be asked for makes a client that walks through the states fail.',
  strength: 'stated',
  clause: (operation) => (enumFilters(operation).length > 0 ? collectionPlace(operation, 'filters') : undefined),
  examine: async (lab, operation) => {
    const list = requireList(operation);
    const legals = enumFilters(list).flatMap((name) => (lab.quick ? pooled(list, name) : each(list, name)));
    return examineSuccesses(lab, list, legals);
  },
};

/** The filters of a list whose parameters list their values. */
function enumFilters(operation: Operation): readonly string[] {
  if (!isList(operation)) return [];
  return [...operation.collection.filters.keys()].filter((name) => listedValues(operation, name).length > 0);
}

function each(list: ListOperation, name: string): readonly Legal[] {
  const takesList = list.collection.filters.get(name)?.operator === 'any-of';
  return listedValues(list, name).map((value) => ({
    call: { operation: list, values: { [name]: takesList ? [value] : value, [list.collection.page.limit]: largestPage(list) } },
    what: `${name}=${showValue(value)}`,
    clause: parameterPlace(list, name),
  }));
}

/** All values in one request, where a list is taken: one answer that none of them is refused. */
function pooled(list: ListOperation, name: string): readonly Legal[] {
  const all = listedValues(list, name);
  if (list.collection.filters.get(name)?.operator !== 'any-of') return each(list, name).slice(0, 2);
  const call = { operation: list, values: { [name]: all, [list.collection.page.limit]: largestPage(list) } };
  return [{ call, what: `${name}=${showValue(all)}`, clause: parameterPlace(list, name) }];
}

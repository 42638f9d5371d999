/** The law about values that a filter does not list. */

import { listedValues } from '../../filter-values.ts';
import type { Law } from '../../law.ts';
import { refusedTexts } from '../../mistakes.ts';
import { refusalRule } from '../../refusal.ts';
import { isList, type ListOperation } from '../../walk.ts';
import { showValue } from '../../words.ts';

/** The law. */
export const unknownValue: Law = refusalRule({
  id: 'filters/unknown-value',
  title: 'A value that a filter does not list is refused',
  why: 'A mistyped filter that is ignored gives everything, and one that finds nothing looks like an empty business; both are taken for the truth.',
  strength: 'stated',
  attempts: (contract, list) => {
    const isFirst = contract.operations.filter(isList).find((each) => listing(each).length > 0) === list;
    return listing(list).flatMap((name, index) => {
      const [known] = listedValues(list, name);
      // A known value beside an unknown one is tried once: it is the same reader for all lists.
      const mixed = isFirst && index === 0 && known !== undefined ? [`${showValue(known)},no_such_value`] : [];
      return refusedTexts(contract, list, name, ['unknown-value'], ['no_such_value', ...mixed]);
    });
  },
});

/** The filters of a list whose values are listed. */
function listing(list: ListOperation): readonly string[] {
  return [...list.collection.filters.keys()].filter((name) => listedValues(list, name).length > 0);
}

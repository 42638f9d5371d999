/** The law about values that a filter does not list. */

import { listedValues } from '../../filter-values.ts';
import type { Law } from '../../law.ts';
import { parameterPlace } from '../../list-clause.ts';
import { refusedTexts } from '../../mistakes.ts';
import { documents, examineRefusals } from '../../refusal.ts';
import { isList, requireList } from '../../walk.ts';
import { showValue } from '../../words.ts';

/** The law. */
export const unknownValue: Law = {
  id: 'filters/unknown-value',
  title: 'A value that a filter does not list is refused',
  why: 'A mistyped filter that is ignored gives everything, and one that finds nothing looks like an empty business; both are taken for the truth.',
  strength: 'stated',
  clause: (operation, contract) => {
    if (!isList(operation) || !documents(operation, 'invalid')) return undefined;
    const name = [...operation.collection.filters.keys()].find((each) => listedValues(operation, each).length > 0);
    const [attempt] = name === undefined ? [] : refusedTexts(contract, operation, name, ['unknown-value'], ['no_such_value']);
    return name === undefined || attempt === undefined ? undefined : parameterPlace(operation, name);
  },
  examine: async (lab, operation) => {
    const list = requireList(operation);
    const names = [...list.collection.filters.keys()];
    // A known value beside an unknown one is tried once: it is the same reader for all lists.
    const lists = lab.contract.operations.filter(isList);
    const isFirst = lists.find((each) => [...each.collection.filters.keys()].some((name) => listedValues(each, name).length > 0)) === list;
    const mixed = isFirst ? names.findIndex((name) => listedValues(list, name).length > 0) : -1;
    const attempts = names.flatMap((name, index) => {
      const [known] = listedValues(list, name);
      if (known === undefined) return [];
      const texts = ['no_such_value', ...(index === mixed ? [`${showValue(known)},no_such_value`] : [])];
      return refusedTexts(lab.contract, list, name, ['unknown-value'], texts);
    });
    return examineRefusals(lab, list, 'invalid', lab.quick ? attempts.slice(0, 1) : attempts);
  },
};

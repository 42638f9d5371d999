/** The law that filters hold on every page. */

import { predictableFilters } from '../../filter-values.ts';
import type { Law } from '../../law.ts';
import { collectionPlace } from '../../list-clause.ts';
import { examineLaterPages } from '../../page-walks.ts';
import { checkpointOf } from '../../universe.ts';
import { isCursorList, requireList } from '../../walk.ts';

/** The law. */
export const filtersKept: Law = {
  id: 'paging/filters-kept',
  title: 'Filters hold on later pages as on the first',
  why: 'A client checks the first page and trusts the rest; a filter that the second page forgets mixes everything into its copy.',
  strength: 'stated',
  slow: true,
  clause: (operation, contract) =>
    isCursorList(operation) && predictableFilters(contract, requireList(operation)).length > 0
      ? collectionPlace(operation, 'page')
      : undefined,
  examine: async (lab, operation) => {
    const list = requireList(operation);
    const universe = await lab.universe(list);
    // The checkpoint has a law of its own.
    return examineLaterPages(lab, universe, (name) => name !== checkpointOf(list));
  },
};

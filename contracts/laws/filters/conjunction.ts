/** The law about several filters at once. */

import { isAsPredicted, walksOf } from '../../explanation.ts';
import { drawFilters } from '../../explore.ts';
import { predictableFilters } from '../../filter-values.ts';
import type { Law } from '../../law.ts';
import { filterRivals } from '../../rival.ts';
import { examineSelections } from '../../selection.ts';
import { examineSearchWithin, filterBesideSearch } from '../../text-search.ts';
import { isList, requireList } from '../../walk.ts';

/** The law. */
export const conjunction: Law = {
  id: 'filters/conjunction',
  title: 'Several filters narrow each other',
  why: 'A client that combines two filters and gets what passes either of them, or only one of them, cannot trust any combination.',
  strength: 'implied',
  clause: (operation, contract) =>
    isList(operation) && (predictableFilters(contract, operation).length > 1 || filterBesideSearch({ contract }, operation) !== undefined)
      ? operation.document.place(operation.value, 'x-collection')
      : undefined,
  examine: async (lab, operation) => {
    const list = requireList(operation);
    const [only, ...others] = predictableFilters(lab.contract, list);
    const beside = filterBesideSearch(lab, list);
    if (beside !== undefined && beside === only && others.length === 0) return examineSearchWithin(lab, list, beside);
    const rivals = filterRivals(lab.contract, list).filter((rival) => rival.parameters.length > 1);
    const universe = await lab.universe(list);
    const drawn = drawFilters(lab, universe, 2);
    const plan = { rivals, candidates: drawn, otherwise: 'filters/complete', times: 1 };
    const examination = await examineSelections(lab, list, plan);
    if (walksOf(lab, universe).every((walk) => isAsPredicted(universe, walk))) return examination;
    // What two filters do to each other shows best when there is no third one; as long as all is right, that is not worth its requests.
    const pairs = drawn.filter((values) => Object.keys(values).length === 2);
    const closer = await examineSelections(lab, list, { ...plan, candidates: pairs });
    return { rivals: examination.rivals, judge: () => [...examination.judge(), ...closer.judge()] };
  },
};

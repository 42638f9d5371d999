/** Selections by each filter: those that show whether a filter is ignored show as well whether it keeps something back. */

import { drawFilters } from './explore.ts';
import { singleFilterValues } from './filter-values.ts';
import type { Lab } from './lab.ts';
import { filterRivals } from './rival.ts';
import type { SelectionPlan } from './selection.ts';
import type { Universe } from './universe.ts';

/** The plan that tells whether each filter of a list counts. In a quick run one request tells of several filters at once. */
export function soundPlan(lab: Lab, universe: Universe): SelectionPlan {
  return {
    rivals: filterRivals(lab.contract, universe.operation).filter((rival) => rival.kind === 'ignored'),
    candidates: lab.quick ? drawFilters(lab, universe, 1) : singleFilterValues(lab, universe),
    otherwise: 'filters/sound',
    times: 1,
  };
}

/** The law: the same moment in another offset gives the same records. */

import { rivalsOfKind } from '../../bounds.ts';
import { checkpointValues } from '../../checkpoint-values.ts';
import type { Law } from '../../law.ts';
import { filterPlace } from '../../list-clause.ts';
import { filterRivals } from '../../rival.ts';
import { examineSelections } from '../../selection.ts';
import { checkpointOf } from '../../universe.ts';
import { isList, requireList } from '../../walk.ts';

/** The law. */
export const offsets: Law = {
  id: 'sync/offsets',
  title: 'The same moment in another offset gives the same records',
  why: 'A client stores the moment in its own offset; comparing texts instead of moments loses hours of changes.',
  strength: 'stated',
  slow: true,
  clause: (operation, contract) => {
    const parameter = isList(operation) ? checkpointOf(operation) : undefined;
    const rivals =
      parameter === undefined
        ? []
        : rivalsOfKind(filterRivals(contract, requireList(operation)), [parameter], ['offset-ignored', 'wall-clock']);
    return parameter === undefined || rivals.length === 0 ? undefined : filterPlace(requireList(operation), parameter);
  },
  examine: async (lab, operation) => {
    const list = requireList(operation);
    const rivals = rivalsOfKind(filterRivals(lab.contract, list), [checkpointOf(list) ?? ''], ['offset-ignored', 'wall-clock']);
    const candidates = checkpointValues(await lab.universe(list), 'offset');
    return examineSelections(lab, list, { rivals, candidates, otherwise: 'filters/complete', times: 1 });
  },
};

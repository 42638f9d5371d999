/** The law that a checkpoint leaves out what changed before it. */

import { rivalsOfKind } from '../../bounds.ts';
import { checkpointValues } from '../../checkpoint-values.ts';
import type { Law } from '../../law.ts';
import { filterPlace } from '../../list-clause.ts';
import { filterRivals } from '../../rival.ts';
import { examineSelections } from '../../selection.ts';
import { checkpointOf } from '../../universe.ts';
import { isList, requireList } from '../../walk.ts';

/** The law. */
export const sound: Law = {
  id: 'sync/sound',
  title: 'Nothing that changed before the checkpoint is given',
  why: 'A client that gets everything each time reads the whole business every minute, and its operator soon blocks it.',
  strength: 'stated',
  clause: (operation) => {
    const parameter = isList(operation) ? checkpointOf(operation) : undefined;
    return parameter === undefined ? undefined : filterPlace(requireList(operation), parameter);
  },
  examine: async (lab, operation) => {
    const list = requireList(operation);
    const rivals = rivalsOfKind(filterRivals(lab.contract, list), [checkpointOf(list) ?? ''], ['ignored']);
    const candidates = checkpointValues(await lab.universe(list), 'any');
    return examineSelections(lab, list, { rivals, candidates, otherwise: 'filters/sound', times: 1 });
  },
};

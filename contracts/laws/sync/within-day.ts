/** The law: a checkpoint is finer than a day. */

import { rivalsOfKind } from '../../bounds.ts';
import { checkpointValues } from '../../checkpoint-values.ts';
import type { Law } from '../../law.ts';
import { filterPlace } from '../../list-clause.ts';
import { filterRivals } from '../../rival.ts';
import { examineSelections } from '../../selection.ts';
import { checkpointOf } from '../../universe.ts';
import { isList, requireList } from '../../walk.ts';

/** The law. */
export const withinDay: Law = {
  id: 'sync/within-day',
  title: 'A checkpoint is finer than a day',
  why: 'A client that asks every minute and gets the whole day each time soon asks less often.',
  strength: 'stated',
  clause: (operation, contract) => {
    const parameter = isList(operation) ? checkpointOf(operation) : undefined;
    const rivals = parameter === undefined ? [] : rivalsOfKind(filterRivals(contract, requireList(operation)), [parameter], ['day-only']);
    return parameter === undefined || rivals.length === 0 ? undefined : filterPlace(requireList(operation), parameter);
  },
  examine: async (lab, operation) => {
    const list = requireList(operation);
    const rivals = rivalsOfKind(filterRivals(lab.contract, list), [checkpointOf(list) ?? ''], ['day-only']);
    const candidates = checkpointValues(await lab.universe(list), 'any');
    return examineSelections(lab, list, { rivals, candidates, otherwise: 'filters/complete', times: 1 });
  },
};

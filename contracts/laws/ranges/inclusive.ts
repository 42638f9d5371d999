/** The law: a bound that equals an observed value includes it. */

import { boundValues } from '../../bound-values.ts';
import { boundsOf, rivalsOfKind } from '../../bounds.ts';
import type { Law } from '../../law.ts';
import { filterPlace } from '../../list-clause.ts';
import { filterRivals } from '../../rival.ts';
import { examineSelections } from '../../selection.ts';
import { isList, requireList } from '../../walk.ts';

/** The law. */
export const inclusive: Law = {
  id: 'ranges/inclusive',
  title: 'A bound that equals an observed value includes it',
  why: 'Who asks for records up to a day and does not get those of that day loses a day of business, every day.',
  strength: 'stated',
  clause: (operation, contract) => {
    const [bound] = isList(operation) ? boundsOf(contract, operation) : [];
    return bound === undefined ? undefined : filterPlace(requireList(operation), bound.parameter);
  },
  examine: async (lab, operation) => {
    const list = requireList(operation);
    const parameters = boundsOf(lab.contract, list).map((bound) => bound.parameter);
    const rivals = rivalsOfKind(filterRivals(lab.contract, list), parameters, ['exclusive']);
    const candidates = boundValues(lab, await lab.universe(list), parameters);
    return examineSelections(lab, list, { rivals, candidates, otherwise: 'filters/complete' });
  },
};

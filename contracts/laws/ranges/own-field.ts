/** The law: a range compares the field that it names, as it is written. */

import { boundValues } from '../../bound-values.ts';
import { boundsOf, rivalsOfKind } from '../../bounds.ts';
import type { Law } from '../../law.ts';
import { filterPlace } from '../../list-clause.ts';
import { filterRivals } from '../../rival.ts';
import { examineSelections } from '../../selection.ts';
import { isList, requireList } from '../../walk.ts';

/** Other fields, other zones, and only a part of the field's own value. */
const kinds = ['day-of-change', 'utc-day', 'day-only'];

/** The law. */
export const ownField: Law = {
  id: 'ranges/own-field',
  title: 'A range compares the field that it names, as it is written',
  why: 'A day that is taken in another time zone, or from another field, moves the records around midnight to the wrong day.',
  strength: 'stated',
  clause: (operation, contract) => {
    const bounds = isList(operation) ? boundsOf(contract, operation) : [];
    const rivals =
      bounds.length === 0
        ? []
        : rivalsOfKind(
            filterRivals(contract, requireList(operation)),
            bounds.map((each) => each.parameter),
            kinds,
          );
    const [parameter] = rivals[0]?.parameters ?? [];
    return parameter === undefined ? undefined : filterPlace(requireList(operation), parameter);
  },
  examine: async (lab, operation) => {
    const list = requireList(operation);
    const parameters = boundsOf(lab.contract, list).map((bound) => bound.parameter);
    const rivals = rivalsOfKind(filterRivals(lab.contract, list), parameters, kinds);
    const candidates = boundValues(lab, await lab.universe(list), parameters);
    return examineSelections(lab, list, { rivals, candidates, otherwise: 'filters/complete', times: 1 });
  },
};

/** The law about a single bound. */

import { boundValues } from '../../bound-values.ts';
import { rangesOf } from '../../bounds.ts';
import type { Law } from '../../law.ts';
import { filterPlace } from '../../list-clause.ts';
import type { FilterRival } from '../../rival.ts';
import { examineSelections } from '../../selection.ts';
import { isList, type ListOperation, requireList } from '../../walk.ts';

/** The law. */
export const oneSided: Law = {
  id: 'ranges/one-sided',
  title: 'Each bound of a range works without the other',
  why: 'Who asks for everything from today on must not have to invent an end.',
  strength: 'stated',
  slow: true,
  clause: (operation, contract) => {
    const [range] = isList(operation) ? rangesOf(contract, operation) : [];
    return range === undefined ? undefined : filterPlace(requireList(operation), range.lower.parameter);
  },
  examine: async (lab, operation) => {
    const list = requireList(operation);
    const pairs = rangesOf(lab.contract, list).flatMap(({ lower, upper }) => [
      [lower.parameter, upper.parameter] as const,
      [upper.parameter, lower.parameter] as const,
    ]);
    const rivals = pairs.map(([alone, partner]) => loneRival(list, alone, partner));
    const universe = await lab.universe(list);
    const candidates = boundValues(
      lab,
      universe,
      pairs.map(([alone]) => alone),
    );
    return examineSelections(lab, list, { rivals, candidates, otherwise: 'filters/complete', times: 1 });
  },
};

function loneRival(list: ListOperation, alone: string, partner: string): FilterRival {
  const { query } = list.collection;
  return {
    id: `lone:${alone}`,
    kind: 'lone',
    title: `${alone} is ignored without ${partner}`,
    missing: `a value of ${alone} that some records pass and others do not`,
    parameters: [alone],
    accepts: (record, values) => {
      const isAlone = values.has(alone) && !values.has(partner);
      return query.matches(record, isAlone ? new Map([...values].filter(([name]) => name !== alone)) : values);
    },
  };
}

/** The law about checkpoints between two ticks. */

import { parseInstant } from '../../../core/instant.ts';
import { valueAt } from '../../../core/pointer.ts';
import { checkpointValues } from '../../checkpoint-values.ts';
import type { Lab } from '../../lab.ts';
import type { Finding, Law } from '../../law.ts';
import { filterPlace } from '../../list-clause.ts';
import type { FilterRival } from '../../rival.ts';
import { examineSelections } from '../../selection.ts';
import { checkpointOf } from '../../universe.ts';
import { isList, type ListOperation, requireList } from '../../walk.ts';

/** The law. */
export const fractions: Law = {
  id: 'sync/fractions',
  title: 'A checkpoint finer than a second loses nothing',
  why: 'A client whose clock is finer than the list must not lose the records of the second, or the minute, that it asks in.',
  strength: 'implied',
  slow: true,
  clause: (operation) => {
    const parameter = isList(operation) ? checkpointOf(operation) : undefined;
    const isMoment = isList(operation) && operation.collection.kindOf(operation.collection.version ?? '') === 'instant';
    return parameter === undefined || !isMoment ? undefined : filterPlace(requireList(operation), parameter);
  },
  examine: async (lab, operation) => {
    const list = requireList(operation);
    const parameter = checkpointOf(list) ?? '';
    const candidates = checkpointValues(await lab.universe(list), 'before');
    const rivals = [roundedRival(list, parameter, 'minute', 60_000_000_000n), roundedRival(list, parameter, 'second', 1_000_000_000n)];
    const examination = await examineSelections(lab, list, { rivals, candidates, otherwise: 'filters/complete', times: 1 });
    return { rivals: examination.rivals, judge: () => examination.judge().filter((finding) => isConcern(lab, finding)) };
  },
};

/** Whether fractions are accepted at all is open: a refusal says nothing about them. */
function isConcern(_lab: Lab, finding: Finding): boolean {
  return finding.kind !== 'obscured' || finding.by !== 'response/status';
}

function roundedRival(list: ListOperation, parameter: string, unit: string, grid: bigint): FilterRival {
  const { query, version = '' } = list.collection;
  return {
    id: `rounded:${unit}`,
    kind: 'rounded',
    title: `a checkpoint with a fraction is rounded up to the next ${unit}`,
    missing: `records that changed in the rest of the ${unit} after a checkpoint`,
    parameters: [parameter],
    accepts: (record, values) => {
      const [bound, value] = [values.get(parameter), valueAt(record, version)].map((text) =>
        typeof text === 'string' ? parseInstant(text) : undefined,
      );
      const others = new Map([...values].filter(([name]) => name !== parameter));
      if (bound === undefined || value === undefined || bound % 1_000_000_000n === 0n) return query.matches(record, values);
      return query.matches(record, others) && value >= (bound / grid + 1n) * grid;
    },
  };
}

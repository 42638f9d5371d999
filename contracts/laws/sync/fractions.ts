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
    const rivals = [
      roundedRival(list, parameter, 'minute', 60_000_000_000n),
      roundedRival(list, parameter, 'second', 1_000_000_000n),
      digitsRival(list, parameter),
    ];
    const examination = await examineSelections(lab, list, { rivals, candidates, otherwise: 'filters/complete', times: 1 });
    return { rivals: examination.rivals, judge: () => examination.judge().filter((finding) => isConcern(lab, finding)) };
  },
};

/** Whether fractions are accepted at all is open: a refusal says nothing about them. */
function isConcern(_lab: Lab, finding: Finding): boolean {
  return finding.kind !== 'obscured' || finding.by !== 'response/status';
}

/** A server that takes the digits of a fraction for a number of milliseconds, so that .500000 is more than eight minutes. */
function digitsRival(list: ListOperation, parameter: string): FilterRival {
  return {
    id: 'digits-as-milliseconds',
    kind: 'rounded',
    title: 'the digits of a fraction were a number of milliseconds',
    missing: 'records that changed in the minutes after a checkpoint',
    parameters: [parameter],
    accepts: withBound(list, parameter, (bound, text) => {
      const digits = /\.(\d+)/.exec(text)?.[1];
      const whole = bound - (bound % 1_000_000_000n);
      return digits === undefined ? bound : whole + BigInt(digits) * 1_000_000n;
    }),
  };
}

function roundedRival(list: ListOperation, parameter: string, unit: string, grid: bigint): FilterRival {
  return {
    id: `rounded:${unit}`,
    kind: 'rounded',
    title: `a checkpoint with a fraction is rounded up to the next ${unit}`,
    missing: `records that changed in the rest of the ${unit} after a checkpoint`,
    parameters: [parameter],
    accepts: withBound(list, parameter, (bound) => (bound % 1_000_000_000n === 0n ? bound : (bound / grid + 1n) * grid)),
  };
}

/** What a server gives that reads the moment of a checkpoint differently. */
function withBound(list: ListOperation, parameter: string, read: (bound: bigint, text: string) => bigint): FilterRival['accepts'] {
  const { query, version = '' } = list.collection;
  return (record, values) => {
    const [text, shown] = [values.get(parameter), valueAt(record, version)];
    const bound = typeof text === 'string' ? parseInstant(text) : undefined;
    const value = typeof shown === 'string' ? parseInstant(shown) : undefined;
    if (typeof text !== 'string' || bound === undefined || value === undefined) return query.matches(record, values);
    const others = new Map([...values].filter(([name]) => name !== parameter));
    return query.matches(record, others) && value >= read(bound, text);
  };
}

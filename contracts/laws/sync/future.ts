/** The law about checkpoints that lie in the future. */

import type { Law } from '../../law.ts';
import { filterPlace } from '../../list-clause.ts';
import { isSuccess, recordsIn } from '../../reply.ts';
import { checkpointOf } from '../../universe.ts';
import { isList, keyOf, requireList } from '../../walk.ts';
import { describeRecords } from '../../words.ts';

const rival = { id: 'ignored-future', title: 'a checkpoint in the future were none', missing: 'a list with at least one record' };

/** Later than any record of today can have changed. */
const distant = '2999-01-01T00:00:00Z';

/** The law. */
export const future: Law = {
  id: 'sync/future',
  title: 'A checkpoint in the future gives nothing, or is refused',
  why: 'A client whose clock is fast must not be sent everything again.',
  strength: 'stated',
  slow: true,
  clause: (operation, contract) => {
    const parameter = isList(operation) ? checkpointOf(operation) : undefined;
    const isMoment = isList(operation) && operation.collection.kindOf(operation.collection.version ?? '') === 'instant';
    return parameter === undefined || !isMoment || contract.operations.length === 0
      ? undefined
      : filterPlace(requireList(operation), parameter);
  },
  examine: async (lab, operation) => {
    const list = requireList(operation);
    const parameter = checkpointOf(list) ?? '';
    const universe = await lab.universe(list);
    const reply = await lab.ask({ operation: list, values: { [parameter]: distant } });
    const records = recordsIn(reply) ?? [];
    return {
      rivals: [rival],
      judge: () => {
        if (!isSuccess(reply))
          return reply.response.status < 500
            ? [{ kind: 'agrees', refutes: [rival.id] }]
            : [{ kind: 'obscured', by: 'response/no-server-error' }];
        if (records.length === 0) return universe.records.length === 0 ? [] : [{ kind: 'agrees', refutes: [rival.id] }];
        const keys = records.map((record) => keyOf(list, record));
        return [
          {
            kind: 'contradicts',
            replies: [reply],
            expected: `${list.id} with ${parameter}=${distant} gives no record`,
            actual: `it gives ${describeRecords(list, keys)}`,
            records: records.slice(0, 3),
            rival,
            witnesses: keys,
          },
        ];
      },
    };
  },
};

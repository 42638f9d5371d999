/** Requests that must succeed: legal ones, whatever the data is. */

import type { Place } from '../core/errors.ts';
import type { Operation } from '../core/operation.ts';
import type { Entry } from '../core/query.ts';
import type { Call } from './call.ts';
import type { Lab } from './lab.ts';
import type { Candidate, Contradiction, Examination, Finding } from './law.ts';
import { isSuccess, type Reply, recordsIn } from './reply.ts';

/** A request that the contract allows. */
export interface Legal {
  readonly call: Call;
  /** What is legal about it, as a noun: `status=ready`. */
  readonly what: string;
  readonly clause?: Place;
  /** Whether a record of the answer belongs there; all do unless said otherwise. */
  readonly belongs?: (record: Entry) => boolean;
}

/** Sends requests that the contract allows and judges that none is refused. */
export async function examineSuccesses(lab: Lab, operation: Operation, legals: readonly Legal[]): Promise<Examination> {
  const made: { readonly legal: Legal; readonly reply: Reply }[] = [];
  for (const legal of legals) made.push({ legal, reply: await lab.ask(legal.call) });
  const rivals = legals.map(
    ({ what }): Candidate => ({ id: `refused:${what}`, title: `${what} were not allowed`, missing: 'room in the budget' }),
  );
  return { rivals, judge: () => made.map(({ legal, reply }) => judgeSuccess(operation, legal, reply)) };
}

function judgeSuccess(operation: Operation, { what, clause, belongs }: Legal, reply: Reply): Finding {
  const strangers = (recordsIn(reply) ?? []).filter((record) => belongs?.(record) === false);
  if (isSuccess(reply) && strangers.length === 0) return { kind: 'agrees', refutes: [`refused:${what}`] };
  if (strangers.length > 0) return { ...givesTooMuch(operation, what, reply, strangers), ...(clause === undefined ? {} : { clause }) };
  if (reply.response.status >= 500) return { kind: 'obscured', by: 'response/no-server-error' };
  return {
    kind: 'contradicts',
    replies: [reply],
    expected: `${operation.id} with ${what} succeeds`,
    actual: `it is answered with ${reply.response.status}`,
    ...(clause === undefined ? {} : { clause }),
    rival: { id: `refused:${what}`, title: `${what} were not allowed` },
    witnesses: [],
  };
}

/** A record and what was asked for stand in one exchange, so nothing can have moved between them. */
function givesTooMuch(operation: Operation, what: string, reply: Reply, strangers: readonly Entry[]): Contradiction {
  return {
    kind: 'contradicts',
    replies: [reply],
    expected: `${operation.id} with ${what} gives only what satisfies it`,
    actual: `it gives ${strangers.length} records that do not`,
    records: strangers.slice(0, 3),
    rival: { id: `refused:${what}`, title: `${what} were no filters` },
    witnesses: [],
  };
}

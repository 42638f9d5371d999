/** Requests whose status the contract decides: each is sent, those that it refuses and those that it allows, and its status is compared. */

import type { Contract } from '../core/contract.ts';
import type { Place } from '../core/errors.ts';
import { type Operation, responseFor, statusOf } from '../core/operation.ts';
import type { Entry } from '../core/query.ts';
import type { Condition } from '../core/rules.ts';
import type { Call } from './call.ts';
import type { Lab } from './lab.ts';
import type { Candidate, Contradiction, Examination, Finding, Law } from './law.ts';
import { isSuccess, type Reply, recordsIn } from './reply.ts';
import { isList, type ListOperation, requireList } from './walk.ts';

/** A request that must not succeed. */
export interface Attempt {
  readonly call: Call;
  /** What is wrong with it, as a noun: `limit=101`. */
  readonly what: string;
  readonly clause?: Place;
  /** The listed record that the request names: without it, the answer may be that there is none. */
  readonly named?: { readonly list: ListOperation; readonly key: string };
}

/** Sends requests that the contract refuses and judges how they are answered. */
export async function examineRefusals(
  lab: Lab,
  operation: Operation,
  condition: Condition,
  attempts: readonly Attempt[],
): Promise<Examination> {
  const made: { readonly attempt: Attempt; readonly reply: Reply }[] = [];
  for (const attempt of attempts) made.push({ attempt, reply: await lab.ask(attempt.call) });
  const rivals = attempts.map(
    ({ what }): Candidate => ({ id: `accepted:${what}`, title: `${what} were right`, missing: 'room in the budget' }),
  );
  return { rivals, judge: () => made.map(({ attempt, reply }) => judgeRefusal(lab, operation, condition, attempt, reply)) };
}

function judgeRefusal(lab: Lab, operation: Operation, condition: Condition, attempt: Attempt, reply: Reply): Finding {
  const { what, clause, named } = attempt;
  const wanted = statusOf(operation, condition);
  const { status } = reply.response;
  if (status === wanted) return { kind: 'agrees', refutes: [`accepted:${what}`] };
  if (named !== undefined && status === statusOf(operation, 'absent')) {
    const stable = lab.sightings(named.list).stable(named.key, reply.startedMs, reply.endedMs);
    if (stable === undefined) return { kind: 'moved', what: `the record that ${what} name did not stay in ${named.list.id}` };
  }
  // A server that fails on it does not take it for right; that it must not fail is another law.
  if (status >= 500) return { kind: 'obscured', by: 'response/no-server-error' };
  const records = recordsIn(reply);
  const given = isSuccess(reply) && records !== undefined ? ` with ${records.length} records` : '';
  return {
    kind: 'contradicts',
    replies: [reply],
    expected: `${operation.id} with ${what} is answered with ${wanted}`,
    actual: `it is answered with ${status}${given}`,
    ...(clause === undefined ? {} : { clause }),
    rival: { id: `accepted:${what}`, title: status < 400 ? `${what} were right` : `${what} were another mistake (${status})` },
    witnesses: [],
  };
}

/** Whether an operation documents an answer for a condition. */
export function documents(operation: Operation, condition: Condition): boolean {
  return responseFor(operation, statusOf(operation, condition)) !== undefined;
}

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

/** A rule of this shape: its texts, and the requests. */
interface RefusalRule extends Omit<Law, 'clause' | 'examine'> {
  /** The requests, those first that quick runs make. */
  readonly attempts: (contract: Contract, list: ListOperation) => readonly Attempt[];
}

/** Makes the rule of its data. It is stated where the first parameter that can be wrong is. */
export function refusalRule({ attempts, ...rule }: RefusalRule): Law {
  return {
    ...rule,
    clause: (operation, contract) => {
      if (!isList(operation) || !documents(operation, 'invalid')) return undefined;
      const [first] = attempts(contract, requireList(operation));
      return first === undefined ? undefined : (first.clause ?? operation.place);
    },
    examine: async (lab, operation) => {
      const all = attempts(lab.contract, requireList(operation));
      return examineRefusals(lab, operation, 'invalid', lab.quick ? all.slice(0, 1) : all);
    },
  };
}

/** Requests whose status the contract decides: each is sent, those that it refuses and those that it allows, and its status is compared. */

import type { Contract } from '../core/contract.ts';
import type { Place } from '../core/errors.ts';
import { requestMutant } from '../core/mutants/catalogue.ts';
import { type Operation, responseFor, statusOf } from '../core/operation.ts';
import type { Entry } from '../core/query.ts';
import type { Condition } from '../core/rules.ts';
import type { Call } from './call.ts';
import type { Lab } from './lab.ts';
import {
  agrees,
  type Candidate,
  contradicts,
  type Examination,
  examineInTurn,
  type Finding,
  type Law,
  moved,
  obscured,
  ruleAbout,
} from './law.ts';
import { isSuccess, type Reply, recordsIn } from './reply.ts';
import { isList, type ListOperation, toArguments, type Values } from './walk.ts';
import { describeValues } from './words.ts';

/** A request that must not succeed. */
export interface Attempt {
  readonly call: Call;
  /** What is wrong with it, as a noun: `limit=101`. */
  readonly what: string;
  readonly clause?: Place | undefined;
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
  const rivals = attempts.map(({ what }): Candidate => ({ ...requestMutant('accepted', what), missing: 'room in the budget' }));
  return examineInTurn(rivals, attempts, async (attempt) => {
    const reply = await lab.ask(attempt.call);
    return () => judgeRefusal(lab, operation, condition, attempt, reply);
  });
}

function judgeRefusal(lab: Lab, operation: Operation, condition: Condition, attempt: Attempt, reply: Reply): Finding {
  const { what, clause, named } = attempt;
  const wanted = statusOf(operation, condition);
  const { status } = reply.response;
  if (status === wanted) return agrees(requestMutant('accepted', what));
  if (named !== undefined && status === statusOf(operation, 'absent')) {
    const stable = lab.sightings(named.list).stable(named.key, reply.startedMs, reply.endedMs);
    if (stable === undefined) return moved(`the record that ${what} name did not stay in ${named.list.id}`);
  }
  // A server that fails on it does not take it for right; that it must not fail is another law.
  if (status >= 500) return obscured('response/no-server-error');
  const records = recordsIn(reply);
  const given = isSuccess(reply) && records !== undefined ? ` with ${records.length} records` : '';
  return contradicts({
    replies: [reply],
    expected: `${operation.id} with ${what} is answered with ${wanted}`,
    actual: `it is answered with ${status}${given}`,
    clause,
    rival: { ...requestMutant('accepted', what), ...(status < 400 ? {} : { title: `${what} is another mistake (${status})` }) },
  });
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
  readonly clause?: Place | undefined;
  /** Whether a record of the answer belongs there; all do unless said otherwise. */
  readonly belongs?: (record: Entry) => boolean;
}

/** A selection of a list, which gives only what satisfies it. */
export function selecting(list: ListOperation, values: Values): Legal {
  const given = toArguments(values);
  const belongs = (record: Entry): boolean => list.collection.query.matches(record, given);
  return { call: { operation: list, values }, what: describeValues(values), belongs };
}

/** Sends requests that the contract allows and judges that none is refused. Where there are none, a rival says what the data lacks for them. */
export async function examineSuccesses(lab: Lab, operation: Operation, legals: readonly Legal[], none?: Candidate): Promise<Examination> {
  const rivals = legals.map(({ what }): Candidate => ({ ...requestMutant('refused', what), missing: 'room in the budget' }));
  return examineInTurn(none === undefined || rivals.length > 0 ? rivals : [none], legals, async (legal) => {
    const reply = await lab.ask(legal.call);
    return () => judgeSuccess(operation, legal, reply);
  });
}

function judgeSuccess({ id }: Operation, { what, clause, belongs }: Legal, reply: Reply): Finding {
  // A record and what was asked for stand in one exchange, so nothing can have moved between them.
  const strangers = (recordsIn(reply) ?? []).filter((record) => belongs?.(record) === false);
  const [asked, rival] = [`${id} with ${what}`, requestMutant('refused', what)];
  if (strangers.length > 0)
    return contradicts({
      replies: [reply],
      expected: `${asked} gives only what satisfies it`,
      actual: `it gives ${strangers.length} records that do not`,
      records: strangers.slice(0, 3),
      clause,
      rival: { ...rival, title: `${what} is no filter` },
    });
  if (isSuccess(reply)) return agrees(rival);
  if (reply.response.status >= 500) return obscured('response/no-server-error');
  return contradicts({
    replies: [reply],
    expected: `${asked} succeeds`,
    actual: `it is answered with ${reply.response.status}`,
    clause,
    rival,
  });
}

/** A rule of this shape: its texts, and the requests. */
interface RefusalRule extends Omit<Law, 'clause' | 'examine'> {
  /** The requests, those first that quick runs make. */
  readonly attempts: (contract: Contract, list: ListOperation) => readonly Attempt[];
}

/** Makes the rule of its data. It is stated where the first parameter that can be wrong is. */
export function refusalRule({ attempts, ...texts }: RefusalRule): Law {
  return ruleAbout(isList, {
    ...texts,
    place: (list, contract) => {
      const [first] = documents(list, 'invalid') ? attempts(contract, list) : [];
      return first === undefined ? undefined : (first.clause ?? list.place);
    },
    examine: async (lab, list) => {
      const all = attempts(lab.contract, list);
      return examineRefusals(lab, list, 'invalid', lab.quick ? all.slice(0, 1) : all);
    },
  });
}

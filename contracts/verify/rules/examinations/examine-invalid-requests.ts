/**
 * Sends requests that the contract refuses, and judges the statuses. The cursor-single-page and identifier-lookup rules call it when a round examines them. The
 * filter, range-filter and checkpoint rules make whole rules by `refusalRule` when they are loaded. `invalid-parameter-texts.ts` makes most of the requests.
 */

import type { Condition } from '../../../../core/annotations/annotations.ts';
import { countNoun } from '../../../../core/count-noun.ts';
import type { SourceLocation } from '../../../../core/errors.ts';
import { requestMutant } from '../../../../core/mutants/mutant-catalogue.ts';
import type { Contract } from '../../../../core/openapi/contract.ts';
import { isList, type ListOperation } from '../../../../core/openapi/list-operation.ts';
import { documentsCondition, type Operation, statusOf } from '../../../../core/openapi/operation.ts';
import { type Call, isSuccess, type Reply, recordsIn } from '../../evidence/call-and-reply.ts';
import type { RoundContext } from '../../evidence/round-context.ts';
import {
  agrees,
  type Candidate,
  contradicts,
  dataMoved,
  type Examination,
  examineInTurn,
  type Judgement,
  type Rule,
  reportedBy,
  ruleAbout,
} from '../rule-and-findings.ts';

/** A request that must not succeed. */
export interface RefusedRequest {
  readonly call: Call;
  /** The invalid part, for a sentence: `limit=101`. */
  readonly what: string;
  readonly clause?: SourceLocation | undefined;
  /** The listed record that the request identifies. If it is deleted meanwhile, the reply may be 404. */
  readonly namedRecord?: { readonly list: ListOperation; readonly key: string };
}

/** Sends requests that the contract refuses, and judges that each is refused with the documented status. */
export async function examineInvalidRequests(
  context: RoundContext,
  operation: Operation,
  condition: Condition,
  attempts: readonly RefusedRequest[],
): Promise<Examination> {
  const mutants = attempts.map(({ what }): Candidate => ({ ...requestMutant('accepted', what), missing: 'room in the budget' }));
  return examineInTurn(mutants, attempts, async (attempt) => {
    const reply = await context.ask(attempt.call);
    return () => judgeRefusal(context, operation, condition, attempt, reply);
  });
}

function judgeRefusal(context: RoundContext, operation: Operation, condition: Condition, attempt: RefusedRequest, reply: Reply): Judgement {
  const { what, clause, namedRecord } = attempt;
  const expected = statusOf(operation, condition);
  const { status } = reply.response;
  if (status === expected) return agrees(requestMutant('accepted', what));
  if (namedRecord !== undefined && status === statusOf(operation, 'absent')) {
    const stable = context.readings(namedRecord.list).unchangedDuring(namedRecord.key, reply.startedMs, reply.endedMs);
    if (stable === undefined) return dataMoved(`the record of ${what} was deleted from ${namedRecord.list.id}`);
  }
  // A server error does not accept the request; another rule reports it.
  if (status >= 500) return reportedBy('response/no-server-error');
  const records = recordsIn(reply);
  const recordsText = isSuccess(reply) && records !== undefined ? `, with ${countNoun(records.length, 'record')}` : '';
  return contradicts({
    replies: [reply],
    expected: `${operation.id} with ${what} must respond with ${expected}`,
    actual: `the status is ${status}${recordsText}`,
    clause,
    mutant: { ...requestMutant('accepted', what), ...(status < 400 ? {} : { title: `a request with ${what} is refused with ${status}` }) },
  });
}

/** A rule about requests that the contract refuses: its texts, and the requests. */
interface RefusalRule extends Omit<Rule, 'clause' | 'examine'> {
  /** The requests; a quick run sends only the first. */
  readonly attempts: (contract: Contract, list: ListOperation) => readonly RefusedRequest[];
}

/** Makes a rule about refused requests. Its place is that of the first request. */
export function refusalRule({ attempts, ...texts }: RefusalRule): Rule {
  return ruleAbout(isList, {
    ...texts,
    place: (list, contract) => {
      const [first] = documentsCondition(list, 'invalid') ? attempts(contract, list) : [];
      return first === undefined ? undefined : (first.clause ?? list.place);
    },
    examine: async (context, list) => {
      const allAttempts = attempts(context.contract, list);
      return examineInvalidRequests(context, list, 'invalid', context.quick ? allAttempts.slice(0, 1) : allAttempts);
    },
  });
}

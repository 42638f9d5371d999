/**
 * Sends single requests, each with a requirement on its response: a refusal, a success, or what a rule states itself. The responses are judged at the end of
 * the round.
 */

import { countNoun } from '../../../../core/count-noun.ts';
import type { SourceLocation } from '../../../../core/errors.ts';
import { type MutantIdentity, requestMutant } from '../../../../core/mutants/mutant-catalogue.ts';
import type { Contract } from '../../../../core/openapi/contract.ts';
import { isList, type ListOperation } from '../../../../core/openapi/list-operation.ts';
import { documentsCondition, statusOf } from '../../../../core/openapi/operation.ts';
import type { DataRecord } from '../../../../core/query/query.ts';
import { type Call, isSuccess, type Reply, recordsIn } from '../../evidence/call.ts';
import { locateRecord } from '../../evidence/locate-record-in-reply.ts';
import { nonMatchingRecords, type ParameterValues } from '../../evidence/record-keys-and-filters.ts';
import type { RoundContext } from '../../evidence/round-context.ts';
import { describeValues } from '../describe-values.ts';
import {
  agrees,
  type Candidate,
  contradicts,
  type Examination,
  examineInTurn,
  type Judgement,
  type Rule,
  reportedBy,
  ruleAbout,
  withoutData,
} from '../rule.ts';

/** A request, and the requirement on its response. */
export interface RequestExpectation {
  readonly call: Call;
  /** The part of the request that matters, for a sentence: `limit=101`, `no key`. */
  readonly what: string;
  /** The requirement, after "must": `respond with 422`. */
  readonly must: string;
  readonly isRight: (reply: Reply) => boolean;
  /** The mutants that a right response kills. */
  readonly mutants: readonly Candidate[];
  /** The mutant that explains a wrong response. Default: the first. */
  readonly explain?: (reply: Reply) => MutantIdentity | undefined;
  /** Another reason for a wrong response: the data changed, or another rule reports it. */
  readonly doubt?: (reply: Reply) => Judgement | undefined;
  /** The records of a wrong response that must not be there. */
  readonly wrongRecords?: (reply: Reply) => readonly DataRecord[];
  readonly clause?: SourceLocation | undefined;
  /** The reply to the request with which this one is compared. */
  readonly before?: Reply;
}

/** Sends the requests, and judges the responses. Without requests, the mutants `ifNone` name the data that they need. */
export function examineRequests(
  context: RoundContext,
  expectations: readonly RequestExpectation[],
  ifNone: readonly Candidate[] = [],
): Promise<Examination> {
  const mutants = new Map(expectations.flatMap((each) => each.mutants.map((mutant) => [mutant.id, mutant])));
  return examineInTurn(context, expectations.length > 0 ? [...mutants.values()] : ifNone, expectations, async (expectation) => {
    const reply = await context.ask(expectation.call);
    return () => judgeReply(context, expectation, reply);
  });
}

function judgeReply(context: RoundContext, expectation: RequestExpectation, reply: Reply): Judgement {
  const { call, what, must, isRight, mutants, explain = () => mutants[0], doubt, wrongRecords, clause, before } = expectation;
  if (isRight(reply)) return agrees(...mutants);
  const doubtful = doubt?.(reply) ?? (reply.response.status >= 500 ? reportedBy('response/no-server-error') : undefined);
  return (
    doubtful ??
    contradicts({
      replies: before === undefined ? [reply] : [before, reply],
      expected: `${call.operation.id} with ${what} must ${must}`,
      actual: describeReply(context, reply),
      records: wrongRecords?.(reply).slice(0, 3) ?? [],
      clause,
      mutant: explain(reply),
    })
  );
}

/** Status and content of a response: `the status is 200, with 3 records`. */
function describeReply({ contract }: RoundContext, reply: Reply): string {
  const records = recordsIn(reply);
  const shownRecord = locateRecord(contract, reply) === undefined ? '' : ', with a record';
  const content = isSuccess(reply) && records !== undefined ? `, with ${countNoun(records.length, 'record')}` : shownRecord;
  return `the status is ${reply.response.status}${content}`;
}

/** A request that must succeed or be refused, whatever else its response contains. */
interface PlainRequest extends Pick<RequestExpectation, 'call' | 'what' | 'clause'> {}

/** The expectation of a request that the contract refuses: the documented status. */
export function mustBeRefused({ call, what, clause }: PlainRequest): RequestExpectation {
  const status = statusOf(call.operation, 'invalid');
  const accepted = withoutData(requestMutant('accepted', what));
  return {
    call,
    what,
    must: `respond with ${status}`,
    isRight: ({ response }) => response.status === status,
    mutants: [accepted],
    explain: ({ response }) =>
      response.status < 400 ? accepted : { ...accepted, title: `a request with ${what} is rejected with ${response.status}` },
    clause,
  };
}

/** The expectation of a request that the contract allows: a success. */
export function mustSucceed({ call, what, clause }: PlainRequest): RequestExpectation {
  const refused = withoutData(requestMutant('refused', what));
  return { call, what, must: 'succeed', isRight: isSuccess, mutants: [refused], clause };
}

/** The expectation of a request with filters: a success with matching records only. */
export function mustMatch(list: ListOperation, values: ParameterValues, call: Call = { operation: list, values }): RequestExpectation {
  // The filter and the record are in one exchange, so no change of the data can explain a wrong record.
  const nonMatching = (reply: Reply): readonly DataRecord[] => nonMatchingRecords(list, recordsIn(reply) ?? [], values);
  const success = mustSucceed({ call, what: describeValues(values) });
  const [refused] = success.mutants;
  return {
    ...success,
    must: 'succeed, with no record that does not match',
    isRight: (reply) => isSuccess(reply) && nonMatching(reply).length === 0,
    explain: (reply) =>
      refused && (nonMatching(reply).length > 0 ? { ...refused, title: `the filter ${success.what} is ignored` } : refused),
    wrongRecords: nonMatching,
  };
}

/** A rule about requests that the contract refuses: its texts, and the requests. */
interface RefusalRule extends Omit<Rule, 'clause' | 'examine'> {
  /** The requests; a quick run sends only the first. */
  readonly attempts: (contract: Contract, list: ListOperation) => readonly RequestExpectation[];
}

/** Makes a rule about refused requests. Its place is that of the first request. */
export function refusalRule({ attempts, ...texts }: RefusalRule): Rule {
  return ruleAbout(isList, {
    ...texts,
    place: (list, contract) => {
      const [first] = documentsCondition(list, 'invalid') ? attempts(contract, list) : [];
      return first === undefined ? undefined : (first.clause ?? list.place);
    },
    examine: (context, list) => {
      const allAttempts = attempts(context.contract, list);
      return examineRequests(context, context.quick ? allAttempts.slice(0, 1) : allAttempts);
    },
  });
}

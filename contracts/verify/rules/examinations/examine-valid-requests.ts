/**
 * Sends requests that the contract allows, and judges that they succeed with matching records. The filter, range-filter and cursor-single-page rules call it
 * when a round examines them. Requests that must be refused are in `examine-invalid-requests.ts`.
 */

import { countNoun } from '../../../../core/count-noun.ts';
import type { SourceLocation } from '../../../../core/errors.ts';
import { requestMutant } from '../../../../core/mutants/mutant-catalogue.ts';
import type { ListOperation } from '../../../../core/openapi/list-operation.ts';
import type { Operation } from '../../../../core/openapi/operation.ts';
import type { DataRecord } from '../../../../core/query/query.ts';
import { type Call, isSuccess, type Reply, recordsIn } from '../../evidence/call-and-reply.ts';
import { type ParameterValues, toFilterArguments } from '../../evidence/record-keys-and-filters.ts';
import type { RoundContext } from '../../evidence/round-context.ts';
import { describeValues } from '../describe-records-and-values.ts';
import { agrees, type Candidate, contradicts, type Examination, examineInTurn, type Judgement, reportedBy } from '../rule-and-findings.ts';

/** A request that the contract allows. */
export interface ValidRequest {
  readonly call: Call;
  /** The valid part, for a sentence: `status=ready`. */
  readonly what: string;
  readonly clause?: SourceLocation | undefined;
  /** True for a record that matches the request. Default: all match. */
  readonly matches?: (record: DataRecord) => boolean;
}

/** A request with filters, whose response must contain only matching records. */
export function filterRequest(list: ListOperation, values: ParameterValues): ValidRequest {
  const filterArguments = toFilterArguments(values);
  const matches = (record: DataRecord): boolean => list.collection.query.matches(record, filterArguments);
  return { call: { operation: list, values }, what: describeValues(values), matches };
}

/** Sends requests that the contract allows, and judges that none is refused. Without requests, `ifNone` names the data that they need. */
export async function examineValidRequests(
  context: RoundContext,
  operation: Operation,
  requests: readonly ValidRequest[],
  ifNone?: Candidate,
): Promise<Examination> {
  const mutants = requests.map(({ what }): Candidate => ({ ...requestMutant('refused', what), missing: 'room in the budget' }));
  return examineInTurn(ifNone === undefined || mutants.length > 0 ? mutants : [ifNone], requests, async (request) => {
    const reply = await context.ask(request.call);
    return () => judgeSuccess(operation, request, reply);
  });
}

function judgeSuccess({ id }: Operation, { what, clause, matches }: ValidRequest, reply: Reply): Judgement {
  // The filter and the record are in one exchange, so no change of the data can explain a wrong record.
  const nonMatching = (recordsIn(reply) ?? []).filter((record) => matches?.(record) === false);
  const [subject, mutant] = [`${id} with ${what}`, requestMutant('refused', what)];
  if (nonMatching.length > 0)
    return contradicts({
      replies: [reply],
      expected: `${subject} must return only records that match`,
      actual: `${countNoun(nonMatching.length, 'record')} of the response ${nonMatching.length === 1 ? 'does' : 'do'} not match`,
      records: nonMatching.slice(0, 3),
      clause,
      mutant: { ...mutant, title: `the filter ${what} is ignored` },
    });
  if (isSuccess(reply)) return agrees(mutant);
  if (reply.response.status >= 500) return reportedBy('response/no-server-error');
  return contradicts({
    replies: [reply],
    expected: `${subject} must succeed`,
    actual: `the status is ${reply.response.status}`,
    clause,
    mutant,
  });
}

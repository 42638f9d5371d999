/**
 * Examinations that send requests which the contract refuses or allows, and judge the statuses. The range, sync, filter, cursor and identifier rules
 * call them; the malformed-value, conditional, detail and page rules call its helpers. A refusal is required only where the contract documents it.
 */

import type { Condition, InvalidClass } from '../../../core/annotations/annotations.ts';
import type { SourceLocation } from '../../../core/errors.ts';
import { isObject } from '../../../core/json.ts';
import { requestMutant } from '../../../core/mutants/mutant-catalogue.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import { type Operation, responseFor, statusOf } from '../../../core/openapi/operation.ts';
import type { Parameter } from '../../../core/parameters/parameter.ts';
import { type RequestProblem, readRequest } from '../../../core/parameters/read-request.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { type Call, encodeAnyText, isSuccess, type Reply, recordsIn, toRequest } from '../engine/call-and-reply.ts';
import { isStated, parameterPlace } from '../engine/clauses.ts';
import { type ParameterValues, toFilterArguments } from '../engine/list-records.ts';
import type { RunContext } from '../engine/run-context.ts';
import {
  agrees,
  type Candidate,
  contradicts,
  count,
  dataMoved,
  describeValues,
  type Examination,
  examineInTurn,
  type Judgement,
  type Rule,
  reportedBy,
  ruleAbout,
} from './rule.ts';

/** A request that must not succeed. */
export interface RefusalAttempt {
  readonly call: Call;
  /** The invalid part, for a sentence: `limit=101`. */
  readonly what: string;
  readonly clause?: SourceLocation | undefined;
  /** The listed record that the request identifies. If it is deleted meanwhile, the reply may be 404. */
  readonly named?: { readonly list: ListOperation; readonly key: string };
}

/** Sends requests that the contract refuses, and judges that each is refused with the documented status. */
export async function examineRefusals(
  context: RunContext,
  operation: Operation,
  condition: Condition,
  attempts: readonly RefusalAttempt[],
): Promise<Examination> {
  const mutants = attempts.map(({ what }): Candidate => ({ ...requestMutant('accepted', what), missing: 'room in the budget' }));
  return examineInTurn(mutants, attempts, async (attempt) => {
    const reply = await context.ask(attempt.call);
    return () => judgeRefusal(context, operation, condition, attempt, reply);
  });
}

function judgeRefusal(context: RunContext, operation: Operation, condition: Condition, attempt: RefusalAttempt, reply: Reply): Judgement {
  const { what, clause, named } = attempt;
  const expected = statusOf(operation, condition);
  const { status } = reply.response;
  if (status === expected) return agrees(requestMutant('accepted', what));
  if (named !== undefined && status === statusOf(operation, 'absent')) {
    const stable = context.readings(named.list).unchangedDuring(named.key, reply.startedMs, reply.endedMs);
    if (stable === undefined) return dataMoved(`the record of ${what} was deleted from ${named.list.id}`);
  }
  // A server error does not accept the request; another rule reports it.
  if (status >= 500) return reportedBy('response/no-server-error');
  const records = recordsIn(reply);
  const listed = isSuccess(reply) && records !== undefined ? `, with ${count(records.length, 'record')}` : '';
  return contradicts({
    replies: [reply],
    expected: `${operation.id} with ${what} must respond with ${expected}`,
    actual: `the status is ${status}${listed}`,
    clause,
    mutant: { ...requestMutant('accepted', what), ...(status < 400 ? {} : { title: `a request with ${what} is refused with ${status}` }) },
  });
}

/** True if an operation documents a response for a condition. */
export function documents(operation: Operation, condition: Condition): boolean {
  return responseFor(operation, statusOf(operation, condition)) !== undefined;
}

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
export async function examineSuccesses(
  context: RunContext,
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
      actual: `${count(nonMatching.length, 'record')} of the response ${nonMatching.length === 1 ? 'does' : 'do'} not match`,
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

/** A rule about requests that the contract refuses: its texts, and the requests. */
interface RefusalRule extends Omit<Rule, 'clause' | 'examine'> {
  /** The requests; a quick run sends only the first. */
  readonly attempts: (contract: Contract, list: ListOperation) => readonly RefusalAttempt[];
}

/** Makes a rule about refused requests. Its place is that of the first request. */
export function refusalRule({ attempts, ...texts }: RefusalRule): Rule {
  return ruleAbout(isList, {
    ...texts,
    place: (list, contract) => {
      const [first] = documents(list, 'invalid') ? attempts(contract, list) : [];
      return first === undefined ? undefined : (first.clause ?? list.place);
    },
    examine: async (context, list) => {
      const all = attempts(context.contract, list);
      return examineRefusals(context, list, 'invalid', context.quick ? all.slice(0, 1) : all);
    },
  });
}

/** Invalid texts for a parameter; `refusedTexts` keeps those that the contract refuses. */
interface InvalidTexts {
  /** Sent for each parameter: beyond the bounds of a number, and 30 February. */
  readonly always: readonly string[];
  /** Divided among all parameters of the same type, because one piece of code usually parses them all. */
  readonly shared: readonly string[];
}

/**
 * The invalid texts to send for one parameter: its own, and its part of the shared ones.
 * @example
 * invalidTexts(contract, limit) // ['101', '0', 'abc', '1.5'] for one of two limits from 1 to 100; the other has '-1' and '1000000'
 */
function invalidTexts(contract: Contract, parameter: Parameter): readonly string[] {
  const texts = textsFor(parameter);
  const type = JSON.stringify(texts);
  const alike = contract.operations.flatMap(({ parameters }) => parameters).filter((each) => JSON.stringify(textsFor(each)) === type);
  return [...texts.always, ...shareOf(texts.shared, Math.max(0, alike.indexOf(parameter)), alike.length)];
}

/** The part of a list with this index, if the list is divided into this many parts. */
export function shareOf<T>(all: readonly T[], index: number, parts: number): readonly T[] {
  return all.filter((_, at) => at % Math.max(1, parts) === index);
}

function textsFor({ kinds, allowed, schema, validate }: Parameter): InvalidTexts {
  if (allowed.length > 0) return { always: ['no_such_value'], shared: [] };
  if (kinds.includes('date-time'))
    return { always: [], shared: ['yesterday', '2026-02-30T10:00:00Z', '2026-03-01T25:10:00Z', '1772355600'] };
  const isWhole = kinds.includes('integer');
  if (isWhole || kinds.includes('number')) return invalidNumbers(isObject(schema) ? schema : {}, isWhole);
  const takesDays = validate('2026-02-28').length === 0 && validate('2026-02-30').length > 0;
  return takesDays ? { always: ['2026-02-30'], shared: ['abc', '2026-13-01', '20260301'] } : { always: [], shared: [] };
}

function invalidNumbers({ minimum, maximum }: Readonly<Record<string, unknown>>, isWhole: boolean): InvalidTexts {
  const above = typeof maximum === 'number' ? [String(maximum + 1)] : [];
  const below = typeof minimum === 'number' ? [String(minimum - 1)] : [];
  const far = typeof maximum === 'number' ? [String(maximum * 10_000)] : [];
  return { always: [...above, ...below], shared: ['abc', '-1', ...(isWhole ? ['1.5'] : []), ...far] };
}

/** The problems of a call by the contract. */
export function problemsOf(call: Call): readonly RequestProblem[] {
  const segments = new Map(Object.entries(call.segments ?? {}));
  const inPath = call.operation.parameters.filter((parameter) => parameter.in === 'path' && call.values?.[parameter.key] !== undefined);
  for (const parameter of inPath) segments.set(parameter.name, encodeAnyText(String(call.values?.[parameter.key])));
  return readRequest(call.operation, toRequest(call, new Map()), segments).problems;
}

/** True if the contract refuses a call, and no open question leaves that undecided. */
export function isRefused(contract: Contract, call: Call): boolean {
  return problemsOf(call).some((problem) => problem.answer === 'refused' && isOutright(contract, call, problem));
}

function isOutright(contract: Contract, { operation }: Call, problem: RequestProblem): boolean {
  const [name = ''] = problem.parameters;
  const own = operation.parameters.find((parameter) => parameter.name === name)?.invalid[problem.class];
  return own !== undefined || isStated(contract, problem.class);
}

/** Requests with one invalid text each for a query parameter, which the contract refuses for a reason of these classes. Default texts: `invalidTexts`. */
export function refusedTexts(
  contract: Contract,
  operation: Operation,
  name: string,
  classes: readonly InvalidClass[],
  texts: readonly string[] = operation.parameters.filter(({ key }) => key === name).flatMap((each) => invalidTexts(contract, each)),
): readonly RefusalAttempt[] {
  return texts.flatMap((text) => {
    const call: Call = { operation, raw: [`${encodeAnyText(name)}=${encodeAnyText(text).replaceAll('%2C', ',')}`] };
    const isOfClass = problemsOf(call).some((problem) => classes.includes(problem.class));
    return isOfClass && isRefused(contract, call) ? [{ call, what: `${name}=${text}`, clause: parameterPlace(operation, name) }] : [];
  });
}

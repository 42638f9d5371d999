/** Requests that the contract refuses or allows: wrong values of parameters, the attempts made of them, and the judgement of their status. */

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
import { type Call, encodeText, isSuccess, type Reply, recordsIn, toRequest } from '../engine/call.ts';
import { isStated, parameterPlace } from '../engine/clauses.ts';
import { type ParameterValues, toFilterArguments } from '../engine/paginate.ts';
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
  reportedBy,
  type Judgement,
  type Rule,
  ruleAbout,
} from './rule.ts';

/** A request that must not succeed. */
export interface RefusalAttempt {
  readonly call: Call;
  /** The invalid part, as a noun: `limit=101`. */
  readonly what: string;
  readonly clause?: SourceLocation | undefined;
  /** The listed record that the request names: without it, the answer may be that there is none. */
  readonly named?: { readonly list: ListOperation; readonly key: string };
}

/** Sends requests that the contract refuses and judges how they are answered. */
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
  const wanted = statusOf(operation, condition);
  const { status } = reply.response;
  if (status === wanted) return agrees(requestMutant('accepted', what));
  if (named !== undefined && status === statusOf(operation, 'absent')) {
    const stable = context.readings(named.list).unchangedDuring(named.key, reply.startedMs, reply.endedMs);
    if (stable === undefined) return dataMoved(`the record that ${what} name did not stay in ${named.list.id}`);
  }
  // A server that fails on it does not take it for right; that it must not fail is another rule.
  if (status >= 500) return reportedBy('response/no-server-error');
  const records = recordsIn(reply);
  const given = isSuccess(reply) && records !== undefined ? `, with ${count(records.length, 'record')}` : '';
  return contradicts({
    replies: [reply],
    expected: `${operation.id} with ${what} must respond with ${wanted}`,
    actual: `the status is ${status}${given}`,
    clause,
    mutant: { ...requestMutant('accepted', what), ...(status < 400 ? {} : { title: `a request with ${what} is refused with ${status}` }) },
  });
}

/** True when an operation documents an answer for a condition. */
export function documents(operation: Operation, condition: Condition): boolean {
  return responseFor(operation, statusOf(operation, condition)) !== undefined;
}

/** A request that the contract allows. */
export interface ValidRequest {
  readonly call: Call;
  /** The valid part, as a noun: `status=ready`. */
  readonly what: string;
  readonly clause?: SourceLocation | undefined;
  /** True for a record that belongs in the answer. Default: all do. */
  readonly belongs?: (record: DataRecord) => boolean;
}

/** A selection of a list, which gives only what satisfies it. */
export function filterRequest(list: ListOperation, values: ParameterValues): ValidRequest {
  const given = toFilterArguments(values);
  const belongs = (record: DataRecord): boolean => list.collection.query.matches(record, given);
  return { call: { operation: list, values }, what: describeValues(values), belongs };
}

/** Sends requests that the contract allows and judges that none is refused. Where there are none, a mutant says what the data lacks for them. */
export async function examineSuccesses(
  context: RunContext,
  operation: Operation,
  legals: readonly ValidRequest[],
  none?: Candidate,
): Promise<Examination> {
  const mutants = legals.map(({ what }): Candidate => ({ ...requestMutant('refused', what), missing: 'room in the budget' }));
  return examineInTurn(none === undefined || mutants.length > 0 ? mutants : [none], legals, async (legal) => {
    const reply = await context.ask(legal.call);
    return () => judgeSuccess(operation, legal, reply);
  });
}

function judgeSuccess({ id }: Operation, { what, clause, belongs }: ValidRequest, reply: Reply): Judgement {
  // A record and what was asked for stand in one exchange, so nothing can have moved between them.
  const strangers = (recordsIn(reply) ?? []).filter((record) => belongs?.(record) === false);
  const [asked, mutant] = [`${id} with ${what}`, requestMutant('refused', what)];
  if (strangers.length > 0)
    return contradicts({
      replies: [reply],
      expected: `${asked} must return only records that match`,
      actual: `${count(strangers.length, 'record')} of the response ${strangers.length === 1 ? 'does' : 'do'} not match`,
      records: strangers.slice(0, 3),
      clause,
      mutant: { ...mutant, title: `the filter ${what} is ignored` },
    });
  if (isSuccess(reply)) return agrees(mutant);
  if (reply.response.status >= 500) return reportedBy('response/no-server-error');
  return contradicts({
    replies: [reply],
    expected: `${asked} must succeed`,
    actual: `the status is ${reply.response.status}`,
    clause,
    mutant,
  });
}

/** A rule of this shape: its texts, and the requests. */
interface RefusalRule extends Omit<Rule, 'clause' | 'examine'> {
  /** The requests, those first that quick runs make. */
  readonly attempts: (contract: Contract, list: ListOperation) => readonly RefusalAttempt[];
}

/** Makes the rule of its data. It is stated where the first parameter that can be wrong is. */
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

/** Texts that are no value of a parameter, several for each mistake of callers; `refusedTexts` keeps those that the contract refuses. */
interface InvalidTexts {
  /** Asked of each parameter: the bounds of a number, and the day that most servers get wrong. */
  readonly always: readonly string[];
  /** Shared among all parameters of the same sort, since one piece of code usually reads them all. */
  readonly shared: readonly string[];
}

/**
 * The wrong texts to ask of a parameter: of those that are shared, its part.
 * @example
 * wrongTexts(contract, limit) // ['101', '0', 'abc', '1.5'] for one of two limits from 1 to 100; the other has '-1' and '1000000'
 */
function invalidTexts(contract: Contract, parameter: Parameter): readonly string[] {
  const texts = textsFor(parameter);
  const sort = JSON.stringify(texts);
  const alike = contract.operations.flatMap(({ parameters }) => parameters).filter((each) => JSON.stringify(textsFor(each)) === sort);
  return [...texts.always, ...shareOf(texts.shared, Math.max(0, alike.indexOf(parameter)), alike.length)];
}

/** The part of a list that falls to one of so many, by turns. */
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

/** The problems of a call, as the contract sees them. */
export function problemsOf(call: Call): readonly RequestProblem[] {
  const segments = new Map(Object.entries(call.segments ?? {}));
  const inPath = call.operation.parameters.filter((parameter) => parameter.in === 'path' && call.values?.[parameter.key] !== undefined);
  for (const parameter of inPath) segments.set(parameter.name, encodeText(String(call.values?.[parameter.key])));
  return readRequest(call.operation, toRequest(call, new Map()), segments).problems;
}

/** True when the contract states without an open question that a call is refused. */
export function isRefused(contract: Contract, call: Call): boolean {
  return problemsOf(call).some((problem) => problem.answer === 'refused' && isOutright(contract, call, problem));
}

function isOutright(contract: Contract, { operation }: Call, problem: RequestProblem): boolean {
  const [name = ''] = problem.parameters;
  const own = operation.parameters.find((parameter) => parameter.name === name)?.invalid[problem.class];
  return own !== undefined || isStated(contract, problem.class);
}

/**
 * Attempts with one wrong text each for a query parameter: those that the contract refuses outright, for a reason of these classes.
 * Without texts of the caller's own they are the parameter's `wrongTexts`.
 */
export function refusedTexts(
  contract: Contract,
  operation: Operation,
  name: string,
  classes: readonly InvalidClass[],
  texts: readonly string[] = operation.parameters.filter(({ key }) => key === name).flatMap((each) => invalidTexts(contract, each)),
): readonly RefusalAttempt[] {
  return texts.flatMap((text) => {
    const call: Call = { operation, raw: [`${encodeText(name)}=${encodeText(text).replaceAll('%2C', ',')}`] };
    const isOfClass = problemsOf(call).some((problem) => classes.includes(problem.class));
    return isOfClass && isRefused(contract, call) ? [{ call, what: `${name}=${text}`, clause: parameterPlace(operation, name) }] : [];
  });
}

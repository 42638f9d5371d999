/** Witnesses for changed annotations of requests: requests that both contracts read differently, or that only one accepts. Nothing is sent. */

import type { InvalidAnswer, InvalidClass, ParameterRule } from '../../../core/annotations/annotations.ts';
import type { HttpRequest } from '../../../core/http/exchange.ts';
import type { Json } from '../../../core/json.ts';
import { isSameValue } from '../../../core/json-equality.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { routeTo } from '../../../core/openapi/route-request.ts';
import { type RequestProblem, type RequestReading, readRequest } from '../../../core/parameters/read-request.ts';
import type { ChangeWitness } from '../../../core/results/diff-result.ts';
import { badRequestFor } from '../../../generators/requests/bad-request-arbitrary.ts';
import { asReceived, type GeneratedRequest } from '../../../generators/requests/generated-request.ts';
import { requestFor } from '../../../generators/requests/request-arbitrary.ts';
import { toRequest } from '../../verify/evidence/call.ts';
import type { ParameterValues } from '../../verify/evidence/record-keys-and-filters.ts';
import type { AnnotatedOperation, AnnotatedOperationPair } from '../annotations/annotated-operation-pair.ts';
import { printAnnotation } from '../annotations/located-value.ts';
import { drawSmallest, parameterValues } from './annotation-candidates.ts';
import { withKey } from './build-witness-exchange.ts';
import { outcomeOf, type SearchOutcome, searchInTurn, unwitnessed } from './search-outcome.ts';

/** A request, and its reading under each contract. */
interface RequestReadings {
  readonly request: HttpRequest;
  readonly old: RequestReading;
  readonly new: RequestReading;
}

/**
 * Builds a request with the given values and the other required parameters, and reads it under both contracts; `undefined` if the old one
 * finds a problem.
 */
export function readByBoth(pair: AnnotatedOperationPair, values: ParameterValues): RequestReadings | undefined {
  const { operation } = pair.old;
  const required = operation.parameters.filter((parameter) => parameter.required && values[parameter.key] === undefined);
  const others = required.map((parameter) => [parameter.key, parameterValues(operation, parameter)[0] ?? null] as const);
  const all: ParameterValues = { ...Object.fromEntries(others), ...values };
  if (Object.values(all).includes(null)) return undefined;
  const { headers, ...request } = toRequest({ operation, values: all }, new Map());
  const { accept: _accept, ...rest } = headers;
  const readings = readRequestByBoth(pair, { ...request, headers: rest });
  return readings === undefined || readings.old.problems.length > 0 ? undefined : readings;
}

/** A request as both contracts read it; `undefined` if its path belongs to another operation. */
function readRequestByBoth({ old, new: next, newNames }: AnnotatedOperationPair, request: HttpRequest): RequestReadings | undefined {
  const route = routeTo([old.operation], request.method, request.target);
  if (route.kind !== 'operation') return undefined;
  const newSegments = new Map([...route.segments].map(([name, text]) => [newNames.get(name) ?? name, text]));
  return {
    request,
    old: readRequest(old.operation, request, route.segments),
    new: readRequest(next.operation, request, newSegments),
  };
}

/** The problem for which a request is refused; `undefined` if it is accepted. */
export function refusalOf({ problems }: RequestReading): RequestProblem | undefined {
  return problems.find(({ answer }) => answer === 'refused');
}

/** The witness of a request to an operation of the old contract. */
export function toWitness(
  { operation }: Pick<AnnotatedOperation, 'operation'>,
  { request: { method, target, headers } }: RequestReadings,
  details: Pick<ChangeWitness, 'keyword' | 'message' | 'refusedBy'> & Partial<ChangeWitness>,
): ChangeWitness {
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value].flat().join(', ')] as const],
  );
  const exchange = { request: withKey({ method, target, headers: Object.fromEntries(fields) }, operation) };
  return { exchange, pointer: '', value: undefined, place: undefined, ...details };
}

/** Limit of generated requests for each search. */
const requestsMax = 400;

/** Searches the operations for an invalid request that is answered differently now. */
export function findInvalidWitness(
  pairs: readonly AnnotatedOperationPair[],
  name: InvalidClass,
  parameter: string | undefined,
  before: Json | undefined,
  after: Json | undefined,
): SearchOutcome {
  return (
    searchInTurn(
      pairs.map((pair) => () => {
        // Uses the compared answers, not those that the mock assumes for unspecified points.
        const old = { ...pair.old, operation: withAnswer(pair.old.operation, name, parameter, before) };
        const next = { ...pair.new, operation: withAnswer(pair.new.operation, name, parameter, after) };
        const open = (): Requests => badRequestFor(old.operation).map(({ request }) => request);
        return findRequestWitness({ ...pair, old, new: next }, open, (readings) => contrastOfClass(readings, name, parameter));
      }),
    ) ?? unwitnessed
  );
}

/** Searches for a request that the old contract accepts and that violates a rule of the new one. */
export function findParameterRuleWitness(pair: AnnotatedOperationPair, { rule, parameters }: ParameterRule): SearchOutcome {
  return findRequestWitness(
    pair,
    () => requestFor(pair.old.operation),
    ({ old, new: next }) => {
      const refusal = refusalOf(next);
      if (old.problems.length > 0 || refusal?.class !== 'broken-rule' || refusal.parameters.join() !== parameters.join()) return undefined;
      return { refusedBy: 'new', keyword: rule, message: `the old contract accepts it; the new one rejects it: ${refusal.message}` };
    },
  );
}

type Requests = ReturnType<typeof requestFor>;
type RequestContrast = Pick<ChangeWitness, 'refusedBy' | 'keyword' | 'message'>;

function findRequestWitness(
  pair: AnnotatedOperationPair,
  open: () => Requests,
  contrastOf: (readings: RequestReadings) => RequestContrast | undefined,
): SearchOutcome {
  const witnessIn = (request: GeneratedRequest): ChangeWitness | undefined => {
    const readings = readRequestByBoth(pair, asReceived(request));
    const requestContrast = readings && contrastOf(readings);
    return readings && requestContrast && toWitness(pair.old, readings, requestContrast);
  };
  const value = drawSmallest(open, (request) => witnessIn(request) !== undefined, requestsMax);
  return outcomeOf(value && witnessIn(value));
}

/** Contrast of two readings that treat a problem of this class differently; `undefined` if a client sees no difference. */
function contrastOfClass(
  { old, new: next }: RequestReadings,
  name: InvalidClass,
  parameter: string | undefined,
): RequestContrast | undefined {
  const isOfClass = (problem: RequestProblem): boolean =>
    problem.class === name && (parameter === undefined || problem.parameters.includes(parameter));
  const [before, after] = [old.problems.find(isOfClass), next.problems.find(isOfClass)];
  const refusals = [refusalOf(old), refusalOf(next)];
  // A refusal for another reason says nothing about this class.
  if (before === undefined || after === undefined || refusals.some((refusal) => refusal !== undefined && !isOfClass(refusal)))
    return undefined;
  const [isRefusedBefore, isRefusedNow] = refusals.map((refusal) => refusal !== undefined);
  const isVisible = isRefusedBefore !== isRefusedNow || isReadDifferently(before, after, old.values, next.values);
  if (!isVisible || (isRefusedBefore === true && isRefusedNow === true)) return undefined;
  const refusedBy = isRefusedNow === true ? 'new' : isRefusedBefore === true ? 'old' : undefined;
  const message = `the problem is: ${before.message} Under the old contract it is ${before.answer}, under the new one ${after.answer}`;
  return { refusedBy, keyword: name, message };
}

function isReadDifferently(
  before: RequestProblem,
  after: RequestProblem,
  old: ReadonlyMap<string, Json>,
  next: ReadonlyMap<string, Json>,
): boolean {
  // An empty result is another answer, whatever the parameter values.
  if ((before.answer === 'empty') !== (after.answer === 'empty')) return true;
  return !isSameValue(Object.fromEntries(old), Object.fromEntries(next));
}

function withAnswer(operation: Operation, name: InvalidClass, parameter: string | undefined, answer: Json | undefined): Operation {
  const changed = { [name]: printAnnotation(answer) as InvalidAnswer };
  if (parameter === undefined) return { ...operation, invalid: { ...operation.invalid, ...changed } };
  const parameters = operation.parameters.map((each) =>
    each.name === parameter ? { ...each, invalid: { ...each.invalid, ...changed } } : each,
  );
  return { ...operation, parameters };
}

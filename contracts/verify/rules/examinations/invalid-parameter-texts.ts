/** Invalid texts for parameters, and requests that the contract refuses because of them. Sends nothing. */

import type { InvalidClass } from '../../../../core/annotations/annotations.ts';
import { isObject, printJson } from '../../../../core/json.ts';
import { isStated as isClauseStated } from '../../../../core/openapi/clauses.ts';
import type { Contract } from '../../../../core/openapi/contract.ts';
import { isPlain, type Operation } from '../../../../core/openapi/operation.ts';
import type { Parameter } from '../../../../core/parameters/parse-parameter.ts';
import { type RequestProblem, readRequest } from '../../../../core/parameters/read-request.ts';
import { type Call, encodeAnyText, toRequest } from '../../evidence/call.ts';
import { parameterPlace } from '../../evidence/clause-places.ts';
import { isStated } from '../../evidence/open-places.ts';
import { mustBeRefused, type RequestExpectation } from './examine-requests.ts';

/** Invalid texts for a parameter; `refusedTexts` keeps those that the contract refuses. */
interface InvalidTexts {
  /** Sent for each parameter: a value that is not listed, numbers just beyond the bounds, and 30 February. */
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
  const type = printJson(texts);
  const sameTypeParameters = contract.operations
    .flatMap(({ parameters }) => parameters)
    .filter((each) => printJson(textsFor(each)) === type);
  return [...texts.always, ...shareOf(texts.shared, Math.max(0, sameTypeParameters.indexOf(parameter)), sameTypeParameters.length)];
}

/** Every invalid text for a parameter, whatever others of its type there are. */
export function invalidTextsOf(parameter: Parameter): readonly string[] {
  const { always, shared } = textsFor(parameter);
  return [...always, ...shared];
}

/** The part of a list with this index, if the list is divided into this many parts. */
export function shareOf<T>(all: readonly T[], index: number, parts: number): readonly T[] {
  return all.filter((_, position) => position % Math.max(1, parts) === index);
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

/** The problems of a call by the contract. The segments of a path that the call leaves open have values when it is sent, so they are no problem. */
export function problemsOf(call: Call): readonly RequestProblem[] {
  const segments = new Map(Object.entries(call.segments ?? {}));
  const inPath = call.operation.parameters.filter((parameter) => parameter.in === 'path');
  const isGiven = ({ key, name }: Parameter): boolean => call.values?.[key] !== undefined || segments.has(name);
  const open = inPath.filter((parameter) => !isGiven(parameter));
  for (const { key, name } of inPath) {
    const value = call.values?.[key];
    if (value !== undefined) segments.set(name, encodeAnyText(String(value)));
  }
  const openSegments = Object.fromEntries(open.map(({ name }) => [name, '-']));
  const request = toRequest({ ...call, segments: { ...openSegments, ...call.segments } }, new Map());
  const parameters = call.operation.parameters.filter((parameter) => !open.includes(parameter));
  return readRequest({ ...call.operation, parameters }, request, segments).problems;
}

/** True if the contract says how malformed requests are answered: by annotations. A plain file leaves open which of them are refused. */
export function statesReactions(operation: Operation): boolean {
  return !isPlain(operation) || isClauseStated(operation.document, '/x-invalid');
}

/** True if the contract refuses a call, and no open question leaves that undecided. */
export function isRefused(contract: Contract, call: Call): boolean {
  return problemsOf(call).some((problem) => problem.answer === 'refused' && isRefusalStated(contract, call, problem));
}

function isRefusalStated(contract: Contract, { operation }: Call, problem: RequestProblem): boolean {
  const [name = ''] = problem.parameters;
  const statedAnswer = operation.parameters.find((parameter) => parameter.name === name)?.invalid[problem.class];
  return statedAnswer !== undefined || isStated(contract, problem.class);
}

/** Requests with one invalid text each for a query parameter, which the contract refuses for a reason of these classes. Default texts: `invalidTexts`. */
export function refusedTexts(
  contract: Contract,
  operation: Operation,
  name: string,
  classes: readonly InvalidClass[],
  texts: readonly string[] = operation.parameters.filter(({ key }) => key === name).flatMap((each) => invalidTexts(contract, each)),
): readonly RequestExpectation[] {
  return texts.flatMap((text) => {
    const call: Call = { operation, raw: [`${encodeAnyText(name)}=${encodeAnyText(text).replaceAll('%2C', ',')}`] };
    const isOfClass = problemsOf(call).some((problem) => classes.includes(problem.class));
    return isOfClass && isRefused(contract, call)
      ? [mustBeRefused({ call, what: `${name}=${text}`, clause: parameterPlace(operation, name) })]
      : [];
  });
}

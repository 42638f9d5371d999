/** Reads the parameters of a whole request: their values, and every mistake with the documented reaction. Bodies are not read. */

import type { InvalidAnswer, InvalidClass, ParameterRule } from '../annotations/annotations.ts';
import { type HttpHeaders, type HttpRequest, headerOf, splitTarget } from '../http/exchange.ts';
import { isNumber, type Json } from '../json.ts';
import { getOrCompute } from '../memo.ts';
import type { Operation } from '../openapi/operation.ts';
import { parseInstant } from '../query/instants.ts';
import { describeMembers } from './parameter-style.ts';
import { type Parameter, type ParameterReading, parseQueryParameter, parseSegmentParameter } from './parse-parameter.ts';
import { maxQueryPairs, type RawPair, splitQuery } from './query-string.ts';

/** One mistake in a request. */
export interface RequestProblem {
  /** The parameters concerned, by name. */
  readonly parameters: readonly string[];
  /** The place of the first parameter in the request. */
  readonly in: Parameter['in'];
  /** The class of the mistake. */
  readonly class: InvalidClass;
  /** The documented reaction of a server. */
  readonly answer: InvalidAnswer;
  /** The mistake in one sentence: `limit=101 is not accepted: it must be <= 100.` */
  readonly message: string;
}

/** The parameters of a request. */
export interface RequestReading {
  /** Sent values and defaults, by the `key` of the parameter. Absent parameters without a default are missing. */
  readonly values: ReadonlyMap<string, Json>;
  /** Keys of the parameters whose sent value is used. */
  readonly sent: ReadonlySet<string>;
  readonly problems: readonly RequestProblem[];
}

/** Length limit of values in messages, in characters. */
const maxQuoted = 200;

/** The parts of a request that hold its parameters. */
export interface SentParameters {
  readonly headers: HttpHeaders;
  readonly pairs: readonly RawPair[];
  /** The texts of the path parameters by name. */
  readonly segments: ReadonlyMap<string, string>;
}

/** Reads the parameters of a request by the schemas and parameter rules of its operation; `segments` has the texts of path parameters by name. */
export function readRequest(operation: Operation, request: HttpRequest, segments: ReadonlyMap<string, string>): RequestReading {
  return readParameters(operation, { headers: request.headers, pairs: splitQuery(splitTarget(request.target).query), segments });
}

/** Reads the parameters of a request whose target is split already. */
export function readParameters(operation: Operation, parts: SentParameters): RequestReading {
  const { pairs } = parts;
  if (pairs.length > maxQueryPairs) return { values: new Map(), sent: new Set(), problems: [tooManyParameters] };
  const values = new Map<string, Json>();
  const sent = new Set<string>();
  const problems: RequestProblem[] = [];
  for (const parameter of operation.parameters) {
    const reading = readParameter(parameter, parts);
    const value = chooseValue(operation, parameter, reading, problems);
    if (value !== undefined) sent.add(parameter.key);
    const usedValue = value === undefined ? parameter.fallback : value;
    if (usedValue !== undefined) values.set(parameter.key, usedValue);
  }
  const undeclaredParameters = undeclaredProblems(operation, pairs);
  // A problem of one rule must not hide another rule, so `problems` gets them at the end.
  const brokenRules: RequestProblem[] = [];
  for (const rule of operation.rules) brokenRules.push(...ruleProblems(operation, rule, values, sent, problems));
  problems.push(...undeclaredParameters, ...brokenRules);
  return { values, sent, problems };
}

const tooManyParameters: RequestProblem = {
  parameters: [],
  in: 'query',
  class: 'malformed',
  answer: 'refused',
  message: `The query has more than ${maxQueryPairs} parameters; send fewer.`,
};

function readParameter(parameter: Parameter, { headers, pairs, segments }: SentParameters): ParameterReading {
  if (parameter.in === 'query') return parseQueryParameter(parameter, pairs);
  if (parameter.in === 'path') return parseSegmentParameter(parameter, segments.get(parameter.name));
  if (parameter.in === 'header') return parseSegmentParameter(parameter, headerOf(headers, parameter.name));
  return parseSegmentParameter(parameter, cookiesOf(headers).get(parameter.name));
}

/** Returns the value that the server uses, `undefined` for none, and adds the mistakes to `problems`. */
function chooseValue(operation: Operation, parameter: Parameter, reading: ParameterReading, problems: RequestProblem[]): Json | undefined {
  if (reading.kind === 'value') return reading.value;
  const addProblem = (problem: InvalidClass, message: string): InvalidAnswer => {
    const answer = parameter.invalid[problem] ?? operation.invalid[problem];
    problems.push({ parameters: [parameter.name], in: parameter.in, class: problem, answer, message });
    return answer;
  };
  if (reading.kind === 'absent') {
    if (parameter.required) addProblem('broken-rule', `${parameter.name} is required, but missing.`);
    return undefined;
  }
  const answer = addProblem(reading.problem, `${parameter.name}=${quote(reading.sent)} ${reading.because}.`);
  if (answer === 'accepted' || answer === 'clamped') return reading.lenient;
  // A required parameter that is ignored is missing.
  if (answer === 'ignored' && parameter.required) addProblem('broken-rule', `${parameter.name} is required, but missing.`);
  return undefined;
}

function undeclaredProblems(operation: Operation, pairs: readonly RawPair[]): readonly RequestProblem[] {
  const isDeclared = getOrCompute(declaredNameTests, operation, () => declaredNameTestOf(operation));
  const undeclaredNames = new Set(pairs.map(([name]) => name).filter((name) => !isDeclared(name)));
  return [...undeclaredNames].map((name) => ({
    parameters: [name],
    in: 'query',
    class: 'undeclared',
    answer: operation.invalid.undeclared,
    message: `${quote(name)} ${describeUndeclared(operation, name)}.`,
  }));
}

/** An object whose members are parameters of their own has no parameter of its own name. */
function describeUndeclared({ parameters }: Operation, name: string): string {
  const object = parameters.find((parameter) => parameter.in === 'query' && parameter.name === name);
  return object === undefined ? 'is not a parameter of this operation' : `is an object; ${describeMembers(object.style)}`;
}

/** The tests for declared names, by operation. */
const declaredNameTests = new WeakMap<Operation, (name: string) => boolean>();

/** Returns the test for declared names of an operation's query, its keys included. */
function declaredNameTestOf(operation: Operation): (name: string) => boolean {
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'query');
  const carriers = operation.security.flat().map(({ carrier }) => (carrier.in === 'query' ? carrier.name : undefined));
  return (name) => carriers.includes(name) || parameters.some((parameter) => isNameOf(parameter, name));
}

function isNameOf(parameter: Parameter, name: string): boolean {
  if (parameter.style.shape !== 'members') return parameter.name === name;
  if (parameter.style.style === 'deepObject') return name.startsWith(`${parameter.name}[`);
  return parameter.style.explode ? parameter.style.members.includes(name) : parameter.name === name;
}

function ruleProblems(
  operation: Operation,
  rule: ParameterRule,
  values: ReadonlyMap<string, Json>,
  sent: ReadonlySet<string>,
  problems: readonly RequestProblem[],
): readonly RequestProblem[] {
  // A refused value is reported once, not again as a broken rule.
  const refusedProblems = problems.filter((problem) => problem.answer === 'refused');
  if (refusedProblems.some((problem) => problem.parameters.some((name) => rule.parameters.includes(name)))) return [];
  const message = rule.rule === 'exactly-one-of' ? brokenChoice(rule.parameters, sent) : brokenOrder(rule.parameters, values);
  if (message === undefined) return [];
  return [{ parameters: rule.parameters, in: 'query', class: 'broken-rule', answer: operation.invalid['broken-rule'], message }];
}

function brokenChoice(names: readonly string[], sent: ReadonlySet<string>): string | undefined {
  const sentNames = names.filter((name) => sent.has(name));
  if (sentNames.length === 1) return undefined;
  return `exactly one of ${names.join(' and ')} is needed, but ${sentNames.length === 0 ? 'none was' : `${sentNames.join(' and ')} were`} sent.`;
}

function brokenOrder(names: readonly string[], values: ReadonlyMap<string, Json>): string | undefined {
  let previous: { readonly name: string; readonly value: Json } | undefined;
  for (const name of names) {
    const value = values.get(name);
    if (value === undefined) continue;
    if (previous !== undefined && isAfter(previous.value, value)) {
      return `${name}=${String(value)} must not be before ${previous.name}=${String(previous.value)}.`;
    }
    previous = { name, value };
  }
  return undefined;
}

function quote(text: string): string {
  return text.length > maxQuoted ? `${text.slice(0, maxQuoted)}…` : text;
}

/** True if a value comes after another one, by the order of parameters: as instants, as numbers, and all else, such as calendar dates, as texts. */
export function isAfter(left: Json, right: Json): boolean {
  if (isNumber(left) && isNumber(right)) return left > right;
  const instants = [parseInstant(String(left)), parseInstant(String(right))] as const;
  return instants[0] !== undefined && instants[1] !== undefined ? instants[0] > instants[1] : String(left) > String(right);
}

function cookiesOf(headers: HttpHeaders): ReadonlyMap<string, string> {
  const cookies = (headerOf(headers, 'cookie') ?? '').split(';').map((cookie) => cookie.trim());
  return new Map(
    cookies
      .filter((cookie) => cookie.includes('='))
      .map((cookie) => [cookie.slice(0, cookie.indexOf('=')), cookie.slice(cookie.indexOf('=') + 1)]),
  );
}

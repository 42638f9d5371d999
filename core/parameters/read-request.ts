/** Reading a whole request against its operation: every parameter's value, and everything that is wrong with it. */

import type { InvalidAnswer, InvalidClass, ParameterRule } from '../annotations/annotations.ts';
import { type HttpRequest, headerOf, splitTarget } from '../http/exchange.ts';
import type { Json } from '../json.ts';
import type { Operation } from '../openapi/operation.ts';
import { parseInstant } from '../query/instant.ts';
import { type Parameter, type ParameterReading, parseQueryParameter, parseSegmentParameter } from './parameter.ts';
import { pairsMax, type RawPair, splitQuery } from './parameter-style.ts';

/** One thing that is wrong with a request. */
export interface RequestProblem {
  /** The parameters concerned, by name. */
  readonly parameters: readonly string[];
  /** The place of the first parameter in the request. */
  readonly in: Parameter['in'];
  /** The class of the mistake. */
  readonly class: InvalidClass;
  /** The documented reaction of a server. */
  readonly answer: InvalidAnswer;
  /** A sentence for a reader: `limit=101 is not accepted: it must be <= 100.` */
  readonly message: string;
}

/** A request as the operation understands it. */
export interface RequestReading {
  /** By parameter (`key`): what was sent, or the default; parameters that are absent without a default are not here. */
  readonly values: ReadonlyMap<string, Json>;
  /** The names of the parameters that were sent with a value that counts. */
  readonly sent: ReadonlySet<string>;
  readonly problems: readonly RequestProblem[];
}

/** The longest value that a message quotes, in characters. */
const quotedMax = 200;

/** Reads the parameters of a request and judges them by the operation's schemas and rules. */
export function readRequest(operation: Operation, request: HttpRequest, segments: ReadonlyMap<string, string>): RequestReading {
  const pairs = splitQuery(splitTarget(request.target).query);
  if (pairs.length > pairsMax) return { values: new Map(), sent: new Set(), problems: [tooMany] };
  const values = new Map<string, Json>();
  const sent = new Set<string>();
  const problems: RequestProblem[] = [];
  for (const parameter of operation.parameters) {
    const reading = readParameter(parameter, request, pairs, segments);
    const value = settle(operation, parameter, reading, problems);
    if (value !== undefined) sent.add(parameter.key);
    const settled = value === undefined ? parameter.fallback : value;
    if (settled !== undefined) values.set(parameter.key, settled);
  }
  const undeclared = undeclaredProblems(operation, pairs);
  // Rules are about parameters, and each is judged for itself.
  const broken: RequestProblem[] = [];
  for (const rule of operation.rules) broken.push(...ruleProblems(operation, rule, values, sent, problems));
  problems.push(...undeclared, ...broken);
  return { values, sent, problems };
}

const tooMany: RequestProblem = {
  ...{ parameters: [], in: 'query', class: 'malformed', answer: 'refused' },
  message: `The query has more than ${pairsMax} parameters; send fewer.`,
};

function readParameter(
  parameter: Parameter,
  request: HttpRequest,
  pairs: readonly RawPair[],
  segments: ReadonlyMap<string, string>,
): ParameterReading {
  if (parameter.in === 'query') return parseQueryParameter(parameter, pairs);
  if (parameter.in === 'path') return parseSegmentParameter(parameter, segments.get(parameter.name));
  if (parameter.in === 'header') return parseSegmentParameter(parameter, headerOf(request.headers, parameter.name));
  return parseSegmentParameter(parameter, cookiesOf(request).get(parameter.name));
}

/** The value that counts after the contract's answer to what is wrong; problems are noted on the way. */
function settle(operation: Operation, parameter: Parameter, reading: ParameterReading, problems: RequestProblem[]): Json | undefined {
  if (reading.kind === 'value') return reading.value;
  const note = (problem: InvalidClass, message: string): InvalidAnswer => {
    const answer = parameter.invalid[problem] ?? operation.invalid[problem];
    problems.push({ parameters: [parameter.name], in: parameter.in, class: problem, answer, message });
    return answer;
  };
  if (reading.kind === 'absent') {
    if (parameter.required) note('broken-rule', `${parameter.name} is missing, and it is required.`);
    return undefined;
  }
  const answer = note(reading.problem, `${parameter.name}=${quote(reading.sent)} ${reading.because}.`);
  if (answer === 'accepted' || answer === 'clamped') return reading.lenient;
  // An ignored parameter counts as absent, which a required one must not be.
  if (answer === 'ignored' && parameter.required) note('broken-rule', `${parameter.name} is missing, and it is required.`);
  return undefined;
}

function undeclaredProblems(operation: Operation, pairs: readonly RawPair[]): readonly RequestProblem[] {
  const isDeclared = namesOf(operation);
  let unknown: Set<string> | undefined;
  for (const [name] of pairs) {
    if (!isDeclared(name)) unknown = (unknown ?? new Set()).add(name);
  }
  return [...(unknown ?? [])].map((name) => ({
    parameters: [name],
    in: 'query',
    class: 'undeclared',
    answer: operation.invalid.undeclared,
    message: `${quote(name)} is not a parameter of this operation.`,
  }));
}

/** Names in a query that belong to an operation, computed once for each. */
function namesOf(operation: Operation): (name: string) => boolean {
  const known = declaredNames.get(operation);
  if (known !== undefined) return known;
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'query');
  const carriers = operation.security.flat().map(({ carrier }) => (carrier.in === 'query' ? carrier.name : undefined));
  const isDeclared = (name: string): boolean => carriers.includes(name) || parameters.some((parameter) => isNameOf(parameter, name));
  declaredNames.set(operation, isDeclared);
  return isDeclared;
}

const declaredNames = new WeakMap<Operation, (name: string) => boolean>();

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
  // A value that is refused anyway says nothing about the rule: one mistake, one sentence.
  const refused = problems.filter((problem) => problem.answer === 'refused');
  if (refused.some((problem) => problem.parameters.some((name) => rule.parameters.includes(name)))) return [];
  const message = rule.rule === 'exactly-one-of' ? brokenChoice(rule.parameters, sent) : brokenOrder(rule.parameters, values);
  if (message === undefined) return [];
  return [{ parameters: rule.parameters, in: 'query', class: 'broken-rule', answer: operation.invalid['broken-rule'], message }];
}

function brokenChoice(names: readonly string[], sent: ReadonlySet<string>): string | undefined {
  const given = names.filter((name) => sent.has(name));
  if (given.length === 1) return undefined;
  return `exactly one of ${names.join(' and ')} is needed, and ${given.length === 0 ? 'none was' : `${given.join(' and ')} were`} sent.`;
}

function brokenOrder(names: readonly string[], values: ReadonlyMap<string, Json>): string | undefined {
  let lower: { readonly name: string; readonly value: Json } | undefined;
  for (const name of names) {
    const value = values.get(name);
    if (value === undefined) continue;
    if (lower !== undefined && isAfter(lower.value, value)) {
      return `${name}=${String(value)} must not be before ${lower.name}=${String(lower.value)}.`;
    }
    lower = { name, value };
  }
  return undefined;
}

function quote(text: string): string {
  return text.length > quotedMax ? `${text.slice(0, quotedMax)}…` : text;
}

/** Instants compare as instants, numbers as numbers, and calendar dates as their text does. */
function isAfter(left: Json, right: Json): boolean {
  if (typeof left === 'number' && typeof right === 'number') return left > right;
  const instants = [parseInstant(String(left)), parseInstant(String(right))] as const;
  return instants[0] !== undefined && instants[1] !== undefined ? instants[0] > instants[1] : String(left) > String(right);
}

function cookiesOf(request: HttpRequest): ReadonlyMap<string, string> {
  const cookies = (headerOf(request.headers, 'cookie') ?? '').split(';').map((cookie) => cookie.trim());
  return new Map(
    cookies
      .filter((cookie) => cookie.includes('='))
      .map((cookie) => [cookie.slice(0, cookie.indexOf('=')), cookie.slice(cookie.indexOf('=') + 1)]),
  );
}

/** Faults of requests: which rule is broken, whether the contract sees it so, and which answers it documents. */

import { type Operation, responseFor } from '../../core/operation.ts';
import type { RequestProblem, RequestReading } from '../../core/request.ts';
import type { Condition, InvalidAnswer, InvalidClass } from '../../core/rules.ts';
import { agrees, type GeneratedRequest, type RequestParts, readBack, writeRequest } from './wire.ts';

/** The rules that a request can break, each with the classes of `x-invalid` that its breaches can be in. */
const classesOf = {
  /** A value of another type. */
  type: ['malformed', 'unknown-value'],
  /** A number beyond its bounds, or between its multiples. */
  bound: ['out-of-range'],
  /** A text that is too short or too long. */
  length: ['out-of-range', 'sloppy'],
  pattern: ['malformed', 'sloppy'],
  format: ['malformed', 'sloppy'],
  /** A value that is not listed. */
  enum: ['unknown-value', 'sloppy'],
  /** A list that is too short, too long or repeats itself. */
  items: ['out-of-range', 'malformed'],
  /** An object that lacks a member or has one too many. */
  members: ['out-of-range', 'malformed'],
  /** A combination of schemas that does not hold. */
  schema: ['out-of-range', 'malformed', 'unknown-value'],
  /** A value that only a lenient reader recognises. */
  spelling: ['sloppy'],
  /** Percent-encoding that cannot be decoded. */
  encoding: ['malformed'],
  /** A body that is not JSON. */
  json: ['malformed'],
  /** A parameter without a value. */
  empty: ['sloppy'],
  /** A parameter that is sent twice. */
  repeated: ['sloppy'],
  /** A parameter that the operation does not have. */
  undeclared: ['undeclared'],
  /** A parameter or a body that is missing. */
  required: ['broken-rule'],
  'exactly-one-of': ['broken-rule'],
  ordered: ['broken-rule'],
  /** A page cursor that no server gave out. */
  cursor: ['damaged-cursor'],
  'missing-key': [],
  'empty-key': [],
  'unknown-key': [],
  /** A key where none is read. */
  'wrong-carrier': [],
} as const;

/** A rule that a request can break. */
export type BrokenRule = keyof typeof classesOf;

/** What is wrong with the parts of a request. */
export interface Fault {
  readonly rule: BrokenRule;
  /** The parameters concerned, by name; none for a key or a body. */
  readonly parameters: readonly string[];
  /** What is wrong, as a clause without a subject. */
  readonly change: string;
  readonly parts: RequestParts;
  /** The class of a fault that no reader of parameters sees: that of a cursor, or of a body. */
  readonly unseen?: InvalidClass;
}

/** A request with one fault, and how the contract says that it is answered. */
export interface BadRequest {
  readonly request: GeneratedRequest;
  /** The names of the parameters concerned; none when the fault is in the key or in the body. */
  readonly parameters: readonly string[];
  readonly rule: BrokenRule;
  /** What is wrong, as a clause without a subject: `is above 100`. */
  readonly change: string;
  readonly expect: Expectation;
}

/** The request with a fault; `undefined` when the contract finds nothing wrong with it, or something else. */
export function confirm(operation: Operation, { rule, parameters, change, parts, unseen }: Fault): BadRequest | undefined {
  const request = writeRequest(operation, parts);
  const reading = readBack(operation, request);
  if (reading === undefined || !agrees(operation, reading, request, [...parameters, ...parts.texts.keys()])) return undefined;
  const found = { request, parameters, rule, change };
  const answer =
    unseen === undefined ? answerTo(operation, reading, rule, parameters) : answerUnseen(operation, reading, parameters, unseen);
  if (answer === 'unauthenticated') return { ...found, expect: expectUnauthenticated(operation) };
  return answer === undefined ? undefined : { ...found, expect: expectAnswer(operation, request, parameters, answer) };
}

function answerTo(
  operation: Operation,
  { problems }: RequestReading,
  rule: BrokenRule,
  parameters: readonly string[],
): InvalidAnswer | 'unauthenticated' | undefined {
  const classes: readonly InvalidClass[] = classesOf[rule];
  const [problem, ...others] = problems;
  if (problem === undefined) return classes.length === 0 ? 'unauthenticated' : undefined;
  const isNamed = problem.parameters.join() === parameters.join() && classes.includes(problem.class);
  if (!isNamed || !others.every((other) => follows(operation, problem, other))) return undefined;
  return problems.some((each) => each.answer === 'refused') ? 'refused' : problem.answer;
}

function answerUnseen(
  { parameters, invalid }: Operation,
  { problems }: RequestReading,
  names: readonly string[],
  unseen: InvalidClass,
): InvalidAnswer | undefined {
  const own = parameters.find(({ name }) => names.includes(name))?.invalid[unseen];
  return problems.length === 0 ? (own ?? invalid[unseen]) : undefined;
}

/** Whether a problem is there only because of another: what is ignored is as good as absent, and may be needed. */
function follows({ rules }: Operation, cause: RequestProblem, problem: RequestProblem): boolean {
  if (cause.answer === 'refused' || problem.class !== 'broken-rule') return false;
  const isOfRule = rules.some(({ rule, parameters }) => rule === 'exactly-one-of' && parameters.join() === problem.parameters.join());
  return (isOfRule || problem.parameters.length === 1) && cause.parameters.some((name) => problem.parameters.includes(name));
}

/** The answers that a contract allows to one request. */
export interface Expectation {
  /** What keeps the request from a success; `undefined` when nothing does. */
  readonly condition: Condition | undefined;
  /** The statuses, as a contract writes them: `422`, or `4XX` for any of them. */
  readonly statuses: readonly string[];
}

/** Whether a status is one of those expected. */
export function isExpected({ statuses }: Expectation, status: number): boolean {
  return statuses.some((each) => each === String(status) || each === `${Math.floor(status / 100)}XX`);
}

/** The answers to a request that the contract allows: a documented success, or 404 for what is not there. */
export function expectSuccess(operation: Operation, request: GeneratedRequest): Expectation {
  if (request.lacksKey) return expectUnauthenticated(operation);
  const refusals = mayBePastTheEnd(operation, request) ? refusalsOf(operation) : [];
  return { condition: undefined, statuses: [...successesOf(operation, request), ...refusals] };
}

/** The answers to a request without a valid key. */
function expectUnauthenticated({ responses }: Operation): Expectation {
  const isRange = !responses.has('401') && (responses.has('4XX') || responses.has('default'));
  return { condition: 'unauthenticated', statuses: [isRange ? '4XX' : '401'] };
}

/**
 * The answers to a request with a fault in some parameters, when the contract says that a server does this about it.
 * Where the contract does not document a refusal, there is either none or one that it does not know.
 */
function expectAnswer(operation: Operation, request: GeneratedRequest, parameters: readonly string[], answer: InvalidAnswer): Expectation {
  if (answer !== 'refused') return expectSuccess(operation, request);
  const refusals = refusalsOf(operation);
  const documented = refusals.length > 0 ? refusals : [...successesOf(operation, request), '4XX'];
  const absent = mayBeAbsent(operation, request, parameters) && !documented.includes('4XX') ? ['404'] : [];
  const unauthenticated = request.lacksKey ? expectUnauthenticated(operation).statuses : [];
  return { condition: 'invalid', statuses: [...new Set([...documented, ...absent, ...unauthenticated])] };
}

/** The documented statuses of invalid requests. */
function refusalsOf({ responses }: Operation): readonly string[] {
  const exact = ['400', '422'].filter((status) => responses.has(status));
  if (exact.length > 0) return exact;
  return responses.has('4XX') || responses.has('default') ? ['4XX'] : [];
}

function successesOf(operation: Operation, { headers }: GeneratedRequest): readonly string[] {
  const { responses } = operation;
  // Only a request with a condition can be answered with 304 (RFC 9110 §15.4.5).
  const isConditional = Object.keys(headers).some((name) => /^if-/i.test(name));
  const documented = [...responses.keys()].filter((status) => status.startsWith('2') || (status === '304' && isConditional));
  const successes = documented.length === 0 && responses.has('default') ? ['2XX'] : documented;
  return responseFor(operation, 404) === undefined ? successes : [...successes, '404'];
}

/** Whether the request names something by parameters that are not those with the fault: that it is absent may be told first. */
function mayBeAbsent(operation: Operation, request: GeneratedRequest, faulty: readonly string[]): boolean {
  const { resource, parameters } = operation;
  const naming = resource === undefined ? parameters.filter((each) => each.in === 'path').map((each) => each.key) : [...resource.by.keys()];
  const isSound = naming.some((name) => request.values.has(name)) && !naming.some((name) => faulty.includes(name));
  return isSound && responseFor(operation, 404) !== undefined;
}

/** Whether a page may be asked for that is past the end, which some contracts call invalid. */
function mayBePastTheEnd({ collection }: Operation, { values }: GeneratedRequest): boolean {
  const page = collection?.page;
  return page?.style === 'page' && page.beyond === 'invalid' && values.get(page.page) !== undefined;
}

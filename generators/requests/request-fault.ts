/**
 * The faults of requests: the rules that a request can break, the documented answers, and the proof that the contract finds exactly this fault.
 * bad-request-arbitrary.ts and parameter-text-faults.ts build requests with them.
 */

import type { Condition, InvalidAnswer, InvalidClass } from '../../core/annotations/annotations.ts';
import { type Operation, responseFor } from '../../core/openapi/operation.ts';
import type { RequestProblem, RequestReading } from '../../core/parameters/read-request.ts';
import { type GeneratedRequest, hasIntendedValues, type RequestParts, readBack, writeRequest } from './wire-request.ts';

/** A rule that a request can break. */
export type BrokenRule =
  | 'type'
  | 'bound'
  | 'length'
  | 'pattern'
  | 'format'
  | 'enum'
  | 'items'
  | 'members'
  | 'schema'
  | 'spelling'
  | 'encoding'
  | 'json'
  | 'empty'
  | 'repeated'
  | 'undeclared'
  | 'required'
  | 'exactly-one-of'
  | 'ordered'
  | 'cursor'
  | 'missing-key'
  | 'empty-key'
  | 'unknown-key'
  | 'wrong-carrier';

/** The rules that a request can break, each with the classes of `x-invalid` that may apply. */
const classesOf: Readonly<Record<BrokenRule, readonly InvalidClass[]>> = {
  /** A value of another type. */
  type: ['malformed', 'unknown-value'],
  /** A number outside its bounds, or not a multiple. */
  bound: ['out-of-range'],
  /** A text of invalid length. */
  length: ['out-of-range', 'sloppy'],
  pattern: ['malformed', 'sloppy'],
  format: ['malformed', 'sloppy'],
  /** A value outside an enum. */
  enum: ['unknown-value', 'sloppy'],
  /** A list of invalid length, or with duplicates. */
  items: ['out-of-range', 'malformed'],
  /** An object with a missing or unknown member. */
  members: ['out-of-range', 'malformed'],
  /** A combination of schemas that does not match. */
  schema: ['out-of-range', 'malformed', 'unknown-value'],
  /** A value that only a lenient reader accepts. */
  spelling: ['sloppy'],
  /** Invalid percent-encoding. */
  encoding: ['malformed'],
  /** A body that is not JSON. */
  json: ['malformed'],
  /** A parameter without a value. */
  empty: ['sloppy'],
  /** A repeated parameter. */
  repeated: ['sloppy'],
  /** An unknown parameter. */
  undeclared: ['undeclared'],
  /** A missing parameter or body. */
  required: ['broken-rule'],
  'exactly-one-of': ['broken-rule'],
  ordered: ['broken-rule'],
  /** A page cursor that the server did not issue. */
  cursor: ['damaged-cursor'],
  'missing-key': [],
  'empty-key': [],
  'unknown-key': [],
  /** A key in the wrong place. */
  'wrong-carrier': [],
};

/** A fault in the parts of a request. */
export interface RequestFault {
  readonly rule: BrokenRule;
  /** The parameters concerned, by name; empty for a key or a body. */
  readonly parameters: readonly string[];
  /** The problem, as a clause without a subject: `is above 100`. */
  readonly problem: string;
  readonly parts: RequestParts;
  /** The class of a fault in a cursor or body, which the reader of parameters does not see. */
  readonly hiddenClass?: InvalidClass;
}

/** A request with one fault, and the answers that the contract documents for it. */
export interface BadRequest {
  /** The request with the fault. */
  readonly request: GeneratedRequest;
  /** The parameters concerned, by name; empty when the fault is in the key or the body. */
  readonly parameters: readonly string[];
  /** The rule that the request breaks. */
  readonly rule: BrokenRule;
  /** The problem, as a clause without a subject: `is above 100`. */
  readonly problem: string;
  /** Documented answers to the request. */
  readonly expect: ExpectedAnswers;
}

/** Builds a request with a fault and reads it back; `undefined` if the contract finds no problem, or another one. */
export function confirmFault(
  operation: Operation,
  { rule, parameters, problem: change, parts, hiddenClass }: RequestFault,
): BadRequest | undefined {
  const request = writeRequest(operation, parts);
  const reading = readBack(operation, request);
  if (reading === undefined || !hasIntendedValues(operation, reading, request, [...parameters, ...parts.texts.keys()])) return undefined;
  const found = { request, parameters, rule, problem: change };
  const answer =
    hiddenClass === undefined
      ? answerTo(operation, reading, rule, parameters)
      : answerToHidden(operation, reading, parameters, hiddenClass);
  if (answer === 'unauthenticated') return { ...found, expect: expectUnauthenticated(operation) };
  return answer === undefined ? undefined : { ...found, expect: expectAnswer(operation, request, parameters, answer) };
}

function answerTo(
  operation: Operation,
  { problems }: RequestReading,
  rule: BrokenRule,
  parameters: readonly string[],
): InvalidAnswer | 'unauthenticated' | undefined {
  const classes = classesOf[rule];
  const [problem, ...others] = problems;
  if (problem === undefined) return classes.length === 0 ? 'unauthenticated' : undefined;
  const isNamed = problem.parameters.join() === parameters.join() && classes.includes(problem.class);
  if (!isNamed || !others.every((other) => isConsequence(operation, problem, other))) return undefined;
  return problems.some((each) => each.answer === 'refused') ? 'refused' : problem.answer;
}

function answerToHidden(
  { parameters, invalid }: Operation,
  { problems }: RequestReading,
  names: readonly string[],
  hiddenClass: InvalidClass,
): InvalidAnswer | undefined {
  const ofParameter = parameters.find(({ name }) => names.includes(name))?.invalid[hiddenClass];
  return problems.length === 0 ? (ofParameter ?? invalid[hiddenClass]) : undefined;
}

/** True if a problem is only a consequence of another: an ignored parameter counts as absent, although it may be required. */
function isConsequence({ rules }: Operation, cause: RequestProblem, problem: RequestProblem): boolean {
  if (cause.answer === 'refused' || problem.class !== 'broken-rule') return false;
  const isOfRule = rules.some(({ rule, parameters }) => rule === 'exactly-one-of' && parameters.join() === problem.parameters.join());
  return (isOfRule || problem.parameters.length === 1) && cause.parameters.some((name) => problem.parameters.includes(name));
}

/** The answers that a contract allows to one request. */
export interface ExpectedAnswers {
  /** The reason why the request cannot succeed; `undefined` when it can. */
  readonly condition: Condition | undefined;
  /** Statuses as in a contract: `422`, or `4XX` for any of them. */
  readonly statuses: readonly string[];
}

/**
 * True when a status is one of those expected.
 * @example
 * ```ts
 * import { isExpected } from 'touchstone/generators';
 *
 * console.log(isExpected({ condition: 'invalid', statuses: ['4XX'] }, 422));
 * ```
 */
export function isExpected({ statuses }: ExpectedAnswers, status: number): boolean {
  return statuses.some((each) => each === String(status) || each === `${Math.floor(status / 100)}XX`);
}

/**
 * The answers to a valid request: a documented success, or 404 for an unknown record.
 * @example
 * ```ts
 * import fc from 'fast-check';
 * import { contractFile, loadContract } from 'touchstone';
 * import { expectSuccess, requestFor } from 'touchstone/generators';
 *
 * const [operation] = (await loadContract(contractFile('wiki'))).operations;
 * if (operation === undefined) throw new Error('the contract has no operation');
 * for (const request of fc.sample(requestFor(operation), 10)) console.log(expectSuccess(operation, request).statuses);
 * ```
 */
export function expectSuccess(operation: Operation, request: GeneratedRequest): ExpectedAnswers {
  if (request.lacksKey) return expectUnauthenticated(operation);
  const refusals = mayBePastTheEnd(operation, request) ? refusalsOf(operation) : [];
  return { condition: undefined, statuses: [...successesOf(operation, request), ...refusals] };
}

/** The answers to a request without a valid key. */
function expectUnauthenticated({ responses }: Operation): ExpectedAnswers {
  const isRange = !responses.has('401') && (responses.has('4XX') || responses.has('default'));
  return { condition: 'unauthenticated', statuses: [isRange ? '4XX' : '401'] };
}

/** The answers to a request with a fault. Where the contract documents no refusal, any success or 4XX is expected. */
function expectAnswer(
  operation: Operation,
  request: GeneratedRequest,
  parameters: readonly string[],
  answer: InvalidAnswer,
): ExpectedAnswers {
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
  // Only a conditional request can get a 304 (RFC 9110 §15.4.5).
  const isConditional = Object.keys(headers).some((name) => /^if-/i.test(name));
  const documented = [...responses.keys()].filter((status) => status.startsWith('2') || (status === '304' && isConditional));
  const successes = documented.length === 0 && responses.has('default') ? ['2XX'] : documented;
  return responseFor(operation, 404) === undefined ? successes : [...successes, '404'];
}

/** True when valid parameters identify a record: the server may report first that it does not exist. */
function mayBeAbsent(operation: Operation, request: GeneratedRequest, faulty: readonly string[]): boolean {
  const { resource, parameters } = operation;
  const naming = resource === undefined ? parameters.filter((each) => each.in === 'path').map((each) => each.key) : [...resource.by.keys()];
  const isSound = naming.some((name) => request.values.has(name)) && !naming.some((name) => faulty.includes(name));
  return isSound && responseFor(operation, 404) !== undefined;
}

/** True when the requested page may be past the end, which some contracts call invalid. */
function mayBePastTheEnd({ collection }: Operation, { values }: GeneratedRequest): boolean {
  const page = collection?.page;
  return page?.style === 'page' && page.beyond === 'invalid' && values.get(page.page) !== undefined;
}

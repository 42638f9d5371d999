/** Faults of requests: which rule is broken, and whether the contract sees it so. */

import type { Operation } from '../../core/operation.ts';
import type { RequestProblem, RequestReading } from '../../core/request.ts';
import type { InvalidAnswer, InvalidClass } from '../../core/rules.ts';
import { type Expectation, expectAnswer, expectUnauthenticated } from './expectation.ts';
import type { GeneratedRequest } from './generated-request.ts';
import type { RequestParts } from './request-parts.ts';
import { agrees, readBack, writeRequest } from './wire.ts';

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

/** The rules that a request can break, each with the classes of `x-invalid` that its breaches can be in. */
const classesOf: Readonly<Record<BrokenRule, readonly InvalidClass[]>> = {
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
};

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

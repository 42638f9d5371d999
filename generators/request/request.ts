/** Requests that a contract allows: which parameters they send together, in which order of values, with whose key. */

import { type Arbitrary, constant, constantFrom, nat, subarray, tuple } from 'fast-check';
import { parseInstant } from '../../core/instant.ts';
import type { Json } from '../../core/json.ts';
import type { Operation } from '../../core/operation.ts';
import type { Parameter } from '../../core/parameter.ts';
import { Unsatisfiable, unless } from '../outcome.ts';
import { bodiesFor, isSendable, sieve, valuesOf } from './values.ts';
import {
  agrees,
  choices,
  type GeneratedRequest,
  proofsFor,
  type RequestOptions,
  type RequestParts,
  readBack,
  writeRequest,
} from './wire.ts';

/**
 * Whole requests to an operation, all of which the contract allows. A strict reader finds in each exactly the values that it means.
 *
 * - Optional parameters come and go, from none of them to all; rules about several parameters are kept.
 * - Every way of writing a value comes up that means the same: encoded letters, `+` for a space, pairs in another order, header names in another
 *   case. Values are drawn from the whole schema, boundaries often, and from `known` values.
 * - With `keys`, each alternative of `security` is used that there are keys for. Without any, requests use the anonymous alternative; where there is
 *   none they are sent without a key and say so (`lacksKey`). Counterexamples never show a key.
 * - A page cursor is sent only if `known` has some, and then without the filters that must not change from page to page: take known cursors from a list
 *   without filters.
 * - Failures shrink to the required parameters with the smallest values in the plainest spelling.
 *
 * Not generated: bodies that are not JSON, more than one key alternative at once, texts that HTTP cannot carry (empty header fields and path
 * segments, the segments `.` and `..`, header texts beyond ASCII), and optional parameters that no style can write, such as arrays of arrays.
 * @throws {UsageError} for a known value or a key that cannot be sent.
 * @throws {Unsatisfiable} when the contract allows no request.
 * @throws {Unsupported} when a parameter or a required body cannot be generated.
 */
export function requestFor(operation: Operation, options: RequestOptions = {}): Arbitrary<GeneratedRequest> {
  const requests = openDesk(operation, options)
    .parts()
    .map((parts) => writeRequest(operation, parts));
  return sieve(requests, (request) => isAllowed(operation, request), `a request that ${operation.id} allows`);
}

function isAllowed(operation: Operation, request: GeneratedRequest): boolean {
  const reading = readBack(operation, request);
  return reading?.problems.length === 0 && agrees(operation, reading, request);
}

/** What requests to one operation are made from. */
export interface Desk {
  readonly operation: Operation;
  readonly options: RequestOptions;
  /** The parameters that can be sent, with the values that they can be sent with. */
  readonly sendable: readonly { readonly parameter: Parameter; readonly values: Arbitrary<Json> }[];
  /**
   * The parts of requests that the contract allows, in view of wishes about their parameters.
   * @throws {Unsatisfiable} when the parameter rules allow none.
   */
  readonly parts: (focus?: Focus) => Arbitrary<RequestParts>;
}

/**
 * Makes what requests to an operation are made from.
 * @throws {UsageError} for a known value or a key that cannot be sent.
 * @throws {Unsatisfiable} when a required part cannot be had.
 * @throws {Unsupported} when a part cannot be generated.
 */
export function openDesk(operation: Operation, options: RequestOptions): Desk {
  const sendable = operation.parameters.flatMap((parameter) => {
    const values = valuesOf(operation, parameter, options);
    return values === undefined ? [] : [{ parameter, values }];
  });
  const keys = sendable.map(({ parameter }) => parameter.key);
  const drawn = tuple(...sendable.map(({ values }) => values)).map((list) =>
    list.map((value, index) => [keys[index] ?? '', value] as const),
  );
  const proofs = constantFrom(...proofsFor(operation, options));
  const bodies = bodiesFor(operation) ?? constant(undefined);
  const ties = nat({ max: 3 }).map((number) => number === 3);
  return {
    operation,
    options,
    sendable,
    parts: (focus) =>
      tuple(presenceFor(operation, keys, focus), drawn, ties, proofs, bodies, choices).map(
        ([present, all, isTie, proof, body, written]) => {
          const values = new Map(all.filter(([key]) => present.has(key)));
          return { values: putInOrder(operation, values, isTie), texts: new Map(), pairs: [], proof, body, choices: written };
        },
      ),
  };
}

/** The parts of requests for a wish that the parameter rules may not allow; none where they do not. */
export function partsOrNone(desk: Desk, focus: Focus): readonly Arbitrary<RequestParts>[] {
  return unless(() => [desk.parts(focus)], Unsatisfiable) ?? [];
}

/** Wishes about which parameters are sent. */
interface Focus {
  /** Parameters that must be sent. */
  readonly with?: readonly string[];
  /** Parameters that must not be sent. */
  readonly without?: readonly string[];
}

/**
 * The sets of parameters (`key`) that an operation allows together, out of those that can be sent. The smallest set comes first.
 * @throws {Unsatisfiable} when its rules and the wishes allow no set.
 */
function presenceFor(operation: Operation, sendable: readonly string[], focus: Focus = {}): Arbitrary<ReadonlySet<string>> {
  const { with: wanted = [], without: unwanted = [] } = focus;
  const possible = sendable.filter((key) => !unwanted.includes(key));
  const required = operation.parameters.filter((parameter) => parameter.required && possible.includes(parameter.key));
  const certain = [...new Set([...required.map((parameter) => parameter.key), ...wanted])];
  const choices = exclusiveChoices(operation, possible, certain);
  if (choices.length === 0) {
    const why = `its parameter rules leave no set of parameters to send${wanted.length === 0 ? '' : ` with ${wanted.join(' and ')}`}`;
    throw new Unsatisfiable(operation.pointer, why);
  }
  const exclusive = new Set(exclusiveRules(operation).flatMap((rule) => rule.parameters));
  const free = possible.filter((key) => !exclusive.has(key) && !certain.includes(key));
  return tuple(constantFrom(...choices), subarray(free)).map(([chosen, extra]) =>
    withoutConflict(operation, new Set([...certain, ...chosen, ...extra]), wanted),
  );
}

function exclusiveRules({ rules }: Operation): Operation['rules'] {
  return rules.filter(({ rule }) => rule === 'exactly-one-of');
}

/** The ways to pick one parameter of each exclusive group; groups may overlap, and what is certain is already picked. */
function exclusiveChoices(operation: Operation, possible: readonly string[], certain: readonly string[]): readonly (readonly string[])[] {
  const rules = exclusiveRules(operation);
  let picks: readonly (readonly string[])[] = [[]];
  for (const { parameters } of rules) {
    const members = parameters.filter((key) => possible.includes(key));
    picks = picks.flatMap((pick) => members.map((member) => [...pick, member]));
  }
  return picks.filter((pick) =>
    rules.every(({ parameters }) => parameters.filter((key) => pick.includes(key) || certain.includes(key)).length === 1),
  );
}

/** A cursor that is known comes from a list without filters, so it is sent without them: they must not change from page to page. */
function withoutConflict(
  { collection, parameters }: Operation,
  present: ReadonlySet<string>,
  wanted: readonly string[],
): ReadonlySet<string> {
  const page = collection?.page;
  if (page?.style !== 'cursor' || !present.has(page.cursor)) return present;
  const isFirm = (key: string): boolean => wanted.includes(key) || parameters.some((each) => each.key === key && each.required);
  const fixed = page.fixed.filter((key) => present.has(key));
  const dropped = fixed.some(isFirm) && !isFirm(page.cursor) ? [page.cursor] : fixed.filter((key) => !isFirm(key));
  return new Set([...present].filter((key) => !dropped.includes(key)));
}

/** Values by parameter. */
type Values = ReadonlyMap<string, Json>;

/** Deals the values of ordered parameters out again so that they are in order; all the same when `isTie`. What does not fit stays as it is. */
function putInOrder(operation: Operation, values: Values, isTie: boolean): Values {
  let result = values;
  for (const { rule, parameters } of operation.rules) {
    if (rule !== 'ordered') continue;
    const names = parameters.filter((name) => result.has(name));
    const sorted = names.map((name) => result.get(name) ?? null).toSorted(compare);
    const equal = sorted.map(() => sorted[0] ?? null);
    result = (isTie ? deal(operation, result, names, equal) : undefined) ?? deal(operation, result, names, sorted) ?? result;
  }
  return result;
}

/** Deals the values of two ordered parameters out the wrong way round; `undefined` when they are equal or do not fit. */
export function putOutOfOrder(operation: Operation, values: Values, names: readonly [string, string]): Values | undefined {
  const [low, high] = names.map((name) => values.get(name) ?? null).toSorted(compare);
  if (low === undefined || high === undefined || compare(low, high) === 0) return undefined;
  return deal(operation, values, names, [high, low]);
}

function deal(operation: Operation, values: Values, names: readonly string[], dealt: readonly Json[]): Values | undefined {
  const result = new Map(values);
  for (const [index, name] of names.entries()) {
    const parameter = operation.parameters.find((each) => each.key === name);
    const value = dealt[index] ?? null;
    if (parameter === undefined || !isSendable(parameter, value)) return undefined;
    result.set(name, value);
  }
  return result;
}

/** Instants compare as instants, numbers as numbers, and all else as text, as the contract's rules do. */
function compare(left: Json, right: Json): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  const [first, second] = [parseInstant(String(left)), parseInstant(String(right))];
  if (first !== undefined && second !== undefined) return first < second ? -1 : Number(first > second);
  return String(left) < String(right) ? -1 : Number(String(left) > String(right));
}

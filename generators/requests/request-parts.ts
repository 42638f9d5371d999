/**
 * Chooses the parts of a request at each draw: the parameters that are sent together, the order of their values, keys, body and spelling. Writes nothing yet.
 */

import { type Arbitrary, constant, constantFrom, nat, subarray, tuple } from 'fast-check';
import type { Json } from '../../core/json.ts';
import type { Credential, Operation } from '../../core/openapi/operation.ts';
import type { Parameter } from '../../core/parameters/parse-parameter.ts';
import { isAfter } from '../../core/parameters/read-request.ts';
import { Unsatisfiable, undefinedOn } from '../generation-errors.ts';
import { type SpellingNumbers, spellingNumbers } from './equivalent-spellings.ts';
import { isSendable, valuesOf } from './parameter-values.ts';
import { type CarriedKeys, carriedKeysFor } from './request-api-keys.ts';
import { bodiesFor, type GeneratedBody } from './request-bodies.ts';

/** Facts about a server that its contract does not state. */
export interface RequestOptions {
  /**
   * Values that the server knows, by parameter (`key`): record ids, page cursors, entity tags for `If-None-Match`. A parameter uses one
   * three times out of four, so that not every response is 404. Unknown parameters are ignored.
   */
  readonly known?: Readonly<Record<string, readonly Json[]>>;
  /** The key for a credential; `undefined` when there is none. For HTTP Basic it is `name:password`, or a name alone. */
  readonly keys?: (credential: Credential) => string | undefined;
}

/** The parts from which a request is built. */
export interface RequestParts {
  readonly values: ReadonlyMap<string, Json>;
  /** Texts sent in place of values, by parameter; in the query with the name: `limit=abc`. */
  readonly texts: ReadonlyMap<string, string>;
  /** Further pairs of the query. */
  readonly pairs: readonly string[];
  readonly keys: CarriedKeys;
  readonly body: GeneratedBody | undefined;
  /** Numbers that choose among equivalent spellings. */
  readonly spelling: SpellingNumbers;
}

/** Makes the parts of requests to one operation. */
export interface RequestPartsFactory {
  readonly operation: Operation;
  readonly options: RequestOptions;
  /** The parameters that can be sent, with their values. */
  readonly sendable: readonly { readonly parameter: Parameter; readonly values: Arbitrary<Json> }[];
  /**
   * The parts of valid requests, with required or forbidden parameters.
   * @throws {Unsatisfiable} when the parameter rules allow none.
   */
  readonly parts: (selection?: ParameterSelection) => Arbitrary<RequestParts>;
}

/**
 * Prepares the parts of requests to an operation.
 * @throws {UsageError} for a known value or a key that cannot be sent.
 * @throws {Unsatisfiable} when a required part is impossible.
 * @throws {Unsupported} when a part cannot be generated.
 */
export function createRequestPartsFactory(operation: Operation, options: RequestOptions): RequestPartsFactory {
  const sendable = operation.parameters.flatMap((parameter) => {
    const values = valuesOf(operation, parameter, options.known);
    return values === undefined ? [] : [{ parameter, values }];
  });
  const parameterKeys = sendable.map(({ parameter }) => parameter.key);
  const valuesByKey = tuple(...sendable.map(({ values }) => values)).map((list) =>
    list.map((value, index) => [parameterKeys[index] ?? '', value] as const),
  );
  const carriedKeys = constantFrom(...carriedKeysFor(operation, options));
  const bodies = bodiesFor(operation) ?? constant(undefined);
  const ties = nat({ max: 3 }).map((number) => number === 3);
  return {
    operation,
    options,
    sendable,
    parts: (selection) =>
      tuple(presenceFor(operation, parameterKeys, selection), valuesByKey, ties, carriedKeys, bodies, spellingNumbers).map(
        ([presentKeys, allValues, mayBeEqual, keys, body, spelling]) => {
          const values = new Map(allValues.filter(([key]) => presentKeys.has(key)));
          return { values: putInOrder(operation, values, mayBeEqual), texts: new Map(), pairs: [], keys, body, spelling };
        },
      ),
  };
}

/** The parts of requests, or an empty list when the parameter rules do not allow the selection. */
export function partsIfPossible(factory: RequestPartsFactory, selection: ParameterSelection): readonly Arbitrary<RequestParts>[] {
  return undefinedOn(() => [factory.parts(selection)], Unsatisfiable) ?? [];
}

/** Parameters that must or must not be sent. */
interface ParameterSelection {
  readonly with?: readonly string[];
  readonly without?: readonly string[];
}

/**
 * The sets of parameters (`key`) that an operation allows together. The smallest set comes first.
 * @throws {Unsatisfiable} when the rules and the selection allow no set.
 */
function presenceFor(
  operation: Operation,
  sendable: readonly string[],
  selection: ParameterSelection = {},
): Arbitrary<ReadonlySet<string>> {
  const { with: requiredKeys = [], without: forbiddenKeys = [] } = selection;
  const possibleKeys = sendable.filter((key) => !forbiddenKeys.includes(key));
  const requiredParameters = operation.parameters.filter((parameter) => parameter.required && possibleKeys.includes(parameter.key));
  const certainKeys = [...new Set([...requiredParameters.map((parameter) => parameter.key), ...requiredKeys])];
  const exclusiveSets = exclusiveSetsOf(operation, possibleKeys, certainKeys);
  if (exclusiveSets.length === 0) {
    const why = `its parameter rules leave no set of parameters to send${requiredKeys.length === 0 ? '' : ` with ${requiredKeys.join(' and ')}`}`;
    throw new Unsatisfiable(operation.pointer, why);
  }
  const exclusiveKeys = new Set(exclusiveRules(operation).flatMap((rule) => rule.parameters));
  const freeKeys = possibleKeys.filter((key) => !exclusiveKeys.has(key) && !certainKeys.includes(key));
  return tuple(constantFrom(...exclusiveSets), subarray(freeKeys)).map(([exclusiveSet, extraKeys]) =>
    withoutConflict(operation, new Set([...certainKeys, ...exclusiveSet, ...extraKeys]), requiredKeys),
  );
}

function exclusiveRules({ rules }: Operation): Operation['rules'] {
  return rules.filter(({ rule }) => rule === 'exactly-one-of');
}

/** The ways to choose one parameter of each exclusive group. Groups may overlap; certain parameters count as chosen. */
function exclusiveSetsOf(
  operation: Operation,
  possibleKeys: readonly string[],
  certainKeys: readonly string[],
): readonly (readonly string[])[] {
  const rules = exclusiveRules(operation);
  let picks: readonly (readonly string[])[] = [[]];
  for (const { parameters } of rules) {
    const members = parameters.filter((key) => possibleKeys.includes(key));
    picks = picks.flatMap((pick) => members.map((member) => [...pick, member]));
  }
  return picks.filter((pick) =>
    rules.every(({ parameters }) => parameters.filter((key) => pick.includes(key) || certainKeys.includes(key)).length === 1),
  );
}

/** Known cursors come from an unfiltered list, so they are sent without the filters that must not change between pages. */
function withoutConflict(
  { collection, parameters }: Operation,
  presentKeys: ReadonlySet<string>,
  requiredKeys: readonly string[],
): ReadonlySet<string> {
  const page = collection?.page;
  if (page?.style !== 'cursor' || !presentKeys.has(page.cursor)) return presentKeys;
  const isFixed = (key: string): boolean => requiredKeys.includes(key) || parameters.some((each) => each.key === key && each.required);
  const fixedKeys = page.fixed.filter((key) => presentKeys.has(key));
  const droppedKeys = fixedKeys.some(isFixed) && !isFixed(page.cursor) ? [page.cursor] : fixedKeys.filter((key) => !isFixed(key));
  return new Set([...presentKeys].filter((key) => !droppedKeys.includes(key)));
}

type ParameterValues = ReadonlyMap<string, Json>;

/** Reorders the values of ordered parameters; makes them equal when `isTie`. Values that cannot be sent that way stay unchanged. */
function putInOrder(operation: Operation, values: ParameterValues, isTie: boolean): ParameterValues {
  let result = values;
  for (const { rule, parameters } of operation.rules) {
    if (rule !== 'ordered') continue;
    const names = parameters.filter((name) => result.has(name));
    const sortedValues = names.map((name) => result.get(name) ?? null).toSorted(compareByRules);
    const equalValues = sortedValues.map(() => sortedValues[0] ?? null);
    result =
      (isTie ? assignValues(operation, result, names, equalValues) : undefined) ??
      assignValues(operation, result, names, sortedValues) ??
      result;
  }
  return result;
}

/** Compares for a sort by the order that the rules of a contract demand. */
function compareByRules(left: Json, right: Json): number {
  return Number(isAfter(left, right)) - Number(isAfter(right, left));
}

/** Puts the greater of two ordered values first; `undefined` when they are equal or cannot be sent that way. */
export function putOutOfOrder(
  operation: Operation,
  values: ParameterValues,
  names: readonly [string, string],
): ParameterValues | undefined {
  const [low, high] = names.map((name) => values.get(name) ?? null).toSorted(compareByRules);
  if (low === undefined || high === undefined || !isAfter(high, low)) return undefined;
  return assignValues(operation, values, names, [high, low]);
}

function assignValues(
  operation: Operation,
  values: ParameterValues,
  names: readonly string[],
  assignedValues: readonly Json[],
): ParameterValues | undefined {
  const result = new Map(values);
  for (const [index, name] of names.entries()) {
    const parameter = operation.parameters.find((each) => each.key === name);
    const value = assignedValues[index] ?? null;
    if (parameter === undefined || !isSendable(parameter, value)) return undefined;
    result.set(name, value);
  }
  return result;
}

/** What a condition gives to the requests of a pact: the values that `${name}` stands for in `fromProviderState`. */

import type { Contract } from '../contract.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import type { Operation } from '../operation.ts';
import { gather, type Schema, schemasAt, typesOf } from '../schema.ts';
import { parseBodyPath } from './body-path.ts';
import type { Interaction } from './pact.ts';
import type { StateCondition } from './provider-state.ts';

/** A value that can stand in a request. */
export type StateValue = string | number | boolean;

/** The scalar fields of a record: by dotted path, and by the last name of the path where only one field has it. */
export function scalarFields(record: JsonObject): ReadonlyMap<string, StateValue> {
  return withLastNames(new Map(scalarsIn(record, [])));
}

/**
 * The names that a condition gives a value for, as far as the contract tells; `undefined` when it does not tell, because a schema leaves fields open.
 */
export function stateValueNames(contract: Contract, condition: StateCondition): ReadonlySet<string> | undefined {
  if (condition.kind === 'no-record') return new Set([condition.field.slice(1).replaceAll('/', '.'), lastOf(condition.field.slice(1).split('/'))]);
  if (condition.kind === 'record' || condition.kind === 'records') {
    const names = namesIn(contract, (operation) => placeOf(operation, condition.collection));
    return names && new Set([...names, 'etag', ...(condition.kind === 'records' ? ['cursor', 'next_cursor'] : [])]);
  }
  // What exists once is a document, whose fields contracts seldom list.
  return condition.kind === 'resource' ? undefined : new Set();
}

/** An expression with the values that a state gave; what it gave none for is told. */
export function fillExpression(
  expression: string,
  values: ReadonlyMap<string, StateValue>,
  encode: (text: string) => string = (text) => text,
): { readonly text: string; readonly missing: readonly string[] } {
  const missing: string[] = [];
  const text = expression.replaceAll(/\$\{([^}]*)\}/g, (all, name: string) => {
    const value = values.get(name.trim());
    if (value === undefined) missing.push(name.trim());
    return value === undefined ? all : encode(String(value));
  });
  return { text, missing };
}

/** The names that an expression stands for. */
export function expressionNames(expression: string): readonly string[] {
  return [...expression.matchAll(/\$\{([^}]*)\}/g)].map(([, name = '']) => name.trim());
}

function scalarsIn(value: JsonObject, path: readonly string[]): readonly (readonly [string, StateValue])[] {
  return Object.entries(value).flatMap(([name, member]): readonly (readonly [string, StateValue])[] => {
    if (isObject(member)) return scalarsIn(member, [...path, name]);
    return isScalar(member) ? [[[...path, name].join('.'), member]] : [];
  });
}

/** Whether a value can stand in a request. */
export function isScalar(value: Json | undefined): value is StateValue {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function withLastNames<T>(fields: ReadonlyMap<string, T>): ReadonlyMap<string, T> {
  const last = [...fields.keys()].map((path) => lastOf(path.split('.')));
  const alone = [...fields].filter(([path]) => last.filter((name) => name === lastOf(path.split('.'))).length === 1);
  return new Map([...alone.map(([path, value]) => [lastOf(path.split('.')), value] as const), ...fields]);
}

function lastOf(path: readonly string[]): string {
  return path.at(-1) ?? '';
}

/** Where an operation shows a record of a collection. */
function placeOf({ collection, resource }: Operation, name: string): string | undefined {
  if (collection?.name === name) return `${collection.items}/0`;
  return resource?.name === name ? resource.at : undefined;
}

function namesIn(contract: Contract, place: (operation: Operation) => string | undefined): ReadonlySet<string> | undefined {
  const schemas = contract.operations.flatMap((operation) => {
    const at = place(operation);
    return at === undefined ? [] : successSchemas(operation).flatMap((schema) => schemasAt(operation.document, schema, at));
  });
  const paths = schemas.flatMap((schema) => pathsIn(contract, schema, []));
  if (paths.length === 0) return undefined;
  return new Set(withLastNames(new Map(paths.map((path) => [path, true] as const))).keys());
}

function successSchemas({ responses }: Operation): readonly Schema[] {
  return [...responses]
    .filter(([status]) => /^2/.test(status))
    .flatMap(([, { content }]) => [...content.values()].map((each) => each.schema));
}

/** A schema may contain itself; deeper than this nothing is named. */
const deepest = 4;

function pathsIn(contract: Contract, schema: Schema, path: readonly string[]): readonly string[] {
  const { properties } = path.length >= deepest ? {} : gather(contract.closed, schema);
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, member]) => {
    if (member === false || (typeof member !== 'boolean' && !isObject(member))) return [];
    // Lists are no values that could stand in a request.
    if (isObject(member) && typesOf(gather(contract.closed, member)).join() === 'array') return [];
    const inner = pathsIn(contract, member, [...path, name]);
    return inner.length > 0 ? inner : [[...path, name].join('.')];
  });
}

/** A part of a request that is filled in from a provider state. */
export interface StateGenerator {
  readonly part: 'path' | 'query' | 'header';
  /** The name of the parameter, or of the header in lower case; empty for the path. */
  readonly name: string;
  /** Which of several values of a parameter. */
  readonly index: number | undefined;
  readonly expression: string;
  /** Where the generator stands below the generators of the request. */
  readonly keys: readonly string[];
}

/** Everything of a request that is filled in from provider states. */
export function listRequestGenerators(generators: JsonObject): readonly StateGenerator[] {
  return Object.entries(generators).flatMap(([category, value]): readonly StateGenerator[] => {
    if (category === 'path') {
      const expression = expressionOf(isObject(value) && isObject(value['']) ? value[''] : value);
      return expression === undefined ? [] : [{ part: 'path', name: '', index: undefined, expression, keys: [category] }];
    }
    const part = category === 'headers' ? 'header' : category;
    if ((part !== 'query' && part !== 'header') || !isObject(value)) return [];
    return Object.entries(value).flatMap(([key, generator]) => {
      const expression = expressionOf(generator);
      const { name, index } = readKey(key);
      const own = part === 'header' ? name.toLowerCase() : name;
      return expression === undefined ? [] : [{ part, name: own, index, expression, keys: [category, key] }];
    });
  });
}

/** Whether a parameter of the query is filled in from a provider state. */
export function isQueryGenerated({ request }: Interaction, parameter: string): boolean {
  return listRequestGenerators(request.generators).some(({ part, name }) => part === 'query' && name === parameter);
}

/** `$.limit[0]`, `$['limit']`, `limit[0]` and `limit` are the same parameter. */
function readKey(key: string): Pick<StateGenerator, 'name' | 'index'> {
  const plain = key.replace(/^\$\.?/, '').replace(/^\[['"](.*?)['"]\]/, '$1');
  const [, name = plain, index] = /^(.*)\[(\d+)\]$/.exec(plain) ?? [];
  return { name, index: index === undefined ? undefined : Number(index) };
}

/** The expression of a generator that a state fills; later versions of Pact write it with a type of its own for URLs of mocks, which are no values. */
function expressionOf(generator: Json | undefined): string | undefined {
  if (!isObject(generator) || generator['type'] !== 'ProviderState') return undefined;
  return typeof generator['expression'] === 'string' ? generator['expression'] : undefined;
}

/** What of a body is the value of a state: each path of the generators, as it is written and in its steps, with its expression. */
export function listBodyGenerators(
  generators: Json | undefined,
): readonly { readonly path: string; readonly steps: readonly (string | number)[]; readonly expression: string }[] {
  const body = isObject(generators) ? generators['body'] : undefined;
  return Object.entries(isObject(body) ? body : {}).flatMap(([path, generator]) => {
    const [expression, parsed] = [expressionOf(generator), parseBodyPath(path)];
    return expression === undefined || parsed === undefined ? [] : [{ path, steps: parsed.steps, expression }];
  });
}

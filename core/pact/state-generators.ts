/**
 * `ProviderState` generators of pacts (`fromProviderState` in pact-js): the places of requests and bodies that use values of provider states, and the names
 * of these values. `pact check` and `pact verify` call it for each interaction. `infer-recorded-states.ts` of the mock asks it which values a state can give.
 * It finds no values on a server.
 */

import { isObject, type Json, type JsonObject, objectOrEmpty } from '../json.ts';
import { mergedBranchKeywords, type Schema, schemasAt, typesOf } from '../openapi/applicable-schemas-and-types.ts';
import type { Contract } from '../openapi/contract.ts';
import type { Operation } from '../openapi/operation.ts';
import { parseBodyPath } from './body-path.ts';
import type { BodyPath, Interaction } from './pact.ts';
import type { StateCondition } from './state-condition.ts';

/** A value that a request can contain. */
export type StateValue = string | number | boolean;

/** Returns the scalar fields of a record: by dotted path, and by the last name if only one field has it. */
export function scalarFields(record: JsonObject): ReadonlyMap<string, StateValue> {
  return withLastNames(new Map(scalarsIn(record, [])));
}

/** Returns the names of the values that a state provides; `undefined` if the contract does not list the fields. */
export function stateValueNames(contract: Contract, condition: StateCondition): ReadonlySet<string> | undefined {
  if (condition.kind === 'no-record')
    return new Set([condition.field.slice(1).replaceAll('/', '.'), lastOf(condition.field.slice(1).split('/'))]);
  if (condition.kind === 'record' || condition.kind === 'records') {
    const names = namesIn(contract, (operation) => placeOf(operation, condition.collection));
    return names && new Set([...names, 'etag', ...(condition.kind === 'records' ? ['cursor', 'next_cursor'] : [])]);
  }
  // Contracts seldom list the fields of a resource that exists once.
  return condition.kind === 'resource' ? undefined : new Set();
}

/** Replaces each `${name}` of an expression by the value of a state. Lists the names without a value. */
export function fillExpression(
  expression: string,
  values: ReadonlyMap<string, StateValue>,
  encode: (text: string) => string = (text) => text,
): { readonly text: string; readonly missing: readonly string[] } {
  const missing: string[] = [];
  const text = expression.replaceAll(/\$\{([^}]*)\}/g, (placeholder, name: string) => {
    const value = values.get(name.trim());
    if (value === undefined) missing.push(name.trim());
    return value === undefined ? placeholder : encode(String(value));
  });
  return { text, missing };
}

/** Returns the names in an expression. */
export function expressionNames(expression: string): readonly string[] {
  return [...expression.matchAll(/\$\{([^}]*)\}/g)].map(([, name = '']) => name.trim());
}

function scalarsIn(value: JsonObject, path: readonly string[]): readonly (readonly [string, StateValue])[] {
  return Object.entries(value).flatMap(([name, member]): readonly (readonly [string, StateValue])[] => {
    if (isObject(member)) return scalarsIn(member, [...path, name]);
    return isStateValue(member) ? [[[...path, name].join('.'), member]] : [];
  });
}

/** True for a string, a number or a boolean. */
export function isStateValue(value: Json | undefined): value is StateValue {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function withLastNames<T>(fields: ReadonlyMap<string, T>): ReadonlyMap<string, T> {
  const lastNames = [...fields.keys()].map((path) => lastOf(path.split('.')));
  const uniquelyNamed = [...fields].filter(([path]) => lastNames.filter((name) => name === lastOf(path.split('.'))).length === 1);
  return new Map([...uniquelyNamed.map(([path, value]) => [lastOf(path.split('.')), value] as const), ...fields]);
}

function lastOf(path: readonly string[]): string {
  return path.at(-1) ?? '';
}

/** Returns the pointer of a collection's record in the responses of an operation. */
function placeOf({ collection, resource }: Operation, name: string): string | undefined {
  if (collection?.name === name) return `${collection.items}/0`;
  return resource?.name === name ? resource.at : undefined;
}

function namesIn(contract: Contract, place: (operation: Operation) => string | undefined): ReadonlySet<string> | undefined {
  const schemas = contract.operations.flatMap((operation) => {
    const pointer = place(operation);
    return pointer === undefined ? [] : successSchemas(operation).flatMap((schema) => schemasAt(operation.document, schema, pointer));
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

/** Maximum depth of field names, since a schema may contain itself. */
const maxFieldDepth = 4;

function pathsIn(contract: Contract, schema: Schema, path: readonly string[]): readonly string[] {
  const { properties } = path.length >= maxFieldDepth ? {} : mergedBranchKeywords(contract.closed, schema);
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, member]) => {
    if (member === false || (typeof member !== 'boolean' && !isObject(member))) return [];
    // A request cannot contain an array.
    if (isObject(member) && typesOf(mergedBranchKeywords(contract.closed, member)).join() === 'array') return [];
    const innerPaths = pathsIn(contract, member, [...path, name]);
    return innerPaths.length > 0 ? innerPaths : [[...path, name].join('.')];
  });
}

/** A `ProviderState` generator of a request. */
interface StateGenerator {
  readonly part: 'path' | 'query' | 'header';
  /** Name of the parameter, or of the header in lower case; empty for the path. */
  readonly name: string;
  /** Index of the value, if the parameter has several. */
  readonly index: number | undefined;
  readonly expression: string;
  /** Keys below the generators of the request. */
  readonly keys: readonly string[];
}

/** Lists the generators of a request. */
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
      const partName = part === 'header' ? name.toLowerCase() : name;
      return expression === undefined ? [] : [{ part, name: partName, index, expression, keys: [category, key] }];
    });
  });
}

/** True if a generator sets the query parameter. */
export function isQueryGenerated({ request }: Interaction, parameter: string): boolean {
  return listRequestGenerators(request.generators).some(({ part, name }) => part === 'query' && name === parameter);
}

/** Parses a key: `$.limit[0]`, `$['limit']`, `limit[0]` and `limit` are the same parameter. */
function readKey(key: string): Pick<StateGenerator, 'name' | 'index'> {
  const keyText = key.replace(/^\$\.?/, '').replace(/^\[['"](.*?)['"]\]/, '$1');
  const [, name = keyText, index] = /^(.*)\[(\d+)\]$/.exec(keyText) ?? [];
  return { name, index: index === undefined ? undefined : Number(index) };
}

/** Returns the expression of a `ProviderState` generator; other types, such as mock server URLs, take no state values. */
function expressionOf(generator: Json | undefined): string | undefined {
  if (!isObject(generator) || generator['type'] !== 'ProviderState') return undefined;
  return typeof generator['expression'] === 'string' ? generator['expression'] : undefined;
}

/** Lists the generators of a body: each path, as text and as steps, with its expression. */
export function listBodyGenerators(
  generators: Json | undefined,
): readonly { readonly path: string; readonly steps: BodyPath['steps']; readonly expression: string }[] {
  const body = isObject(generators) ? generators['body'] : undefined;
  return Object.entries(objectOrEmpty(body)).flatMap(([path, generator]) => {
    const [expression, bodyPath] = [expressionOf(generator), parseBodyPath(path)];
    return expression === undefined || bodyPath === undefined ? [] : [{ path, steps: bodyPath.steps, expression }];
  });
}

/** What a fact gives to the requests of a pact: the values that `${name}` stands for in `fromProviderState`. */

import type { Contract } from '../contract.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import type { Operation } from '../operation.ts';
import type { StateCondition } from './provider-state.ts';
import { gather, type Schema, schemasAt, typesOf } from '../schema.ts';

/** A value that can stand in a request. */
export type StateValue = string | number | boolean;

/** The scalar fields of a record: by dotted path, and by the last name of the path where only one field has it. */
export function scalarFields(record: JsonObject): ReadonlyMap<string, StateValue> {
  return withLastNames(new Map(scalarsIn(record, [])));
}

/**
 * The names that a fact gives a value for, as far as the contract tells; `undefined` when it does not tell, because a schema leaves fields open.
 */
export function stateValueNames(contract: Contract, fact: StateCondition): ReadonlySet<string> | undefined {
  if (fact.kind === 'no-record') return new Set([fact.field.slice(1).replaceAll('/', '.'), lastOf(fact.field.slice(1).split('/'))]);
  if (fact.kind === 'record' || fact.kind === 'records') {
    const names = namesIn(contract, (operation) => placeOf(operation, fact.collection));
    return names && new Set([...names, 'etag', ...(fact.kind === 'records' ? ['cursor', 'next_cursor'] : [])]);
  }
  // What exists once is a document, whose fields contracts seldom list.
  return fact.kind === 'resource' ? undefined : new Set();
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

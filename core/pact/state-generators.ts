/**
 * `ProviderState` generators of pacts (`fromProviderState` in pact-js): the places of requests and bodies that take a value of a provider state, and the values
 * that a record can give. `pact verify` fills them before it sends a request.
 */

import { isObject, type Json, type JsonObject, objectOrEmpty } from '../json.ts';
import { parseBodyPath } from './body-path.ts';
import type { BodyPath, Interaction } from './pact.ts';

/** A value that a request can contain. */
export type StateValue = string | number | boolean;

/** Returns the scalar fields of a record: by dotted path, and by the last name if only one field has it. */
export function scalarFields(record: JsonObject): ReadonlyMap<string, StateValue> {
  const fields = scalarsIn(record, []);
  const named = fields.map(([path, value]) => [path.slice(path.lastIndexOf('.') + 1), value] as const);
  const uniquelyNamed = named.filter(([name]) => named.filter(([each]) => each === name).length === 1);
  return new Map([...uniquelyNamed, ...fields]);
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

function scalarsIn(value: JsonObject, path: readonly string[]): readonly (readonly [string, StateValue])[] {
  return Object.entries(value).flatMap(([name, member]): readonly (readonly [string, StateValue])[] => {
    if (isObject(member)) return scalarsIn(member, [...path, name]);
    return isStateValue(member) ? [[[...path, name].join('.'), member]] : [];
  });
}

/** True for a string, a number or a boolean. */
export function isStateValue(value: Json | undefined): value is StateValue {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

/** A `ProviderState` generator of a request. */
interface StateGenerator {
  readonly part: 'path' | 'query' | 'header';
  /** Name of the parameter, or of the header in lower case; empty for the path. */
  readonly name: string;
  /** Index of the value, if the parameter has several. */
  readonly index: number | undefined;
  readonly expression: string;
}

/** Lists the generators of a request. */
export function listRequestGenerators(generators: JsonObject): readonly StateGenerator[] {
  return Object.entries(generators).flatMap(([category, value]): readonly StateGenerator[] => {
    if (category === 'path') {
      const expression = expressionOf(isObject(value) && isObject(value['']) ? value[''] : value);
      return expression === undefined ? [] : [{ part: 'path', name: '', index: undefined, expression }];
    }
    const part = category === 'headers' ? 'header' : category;
    if ((part !== 'query' && part !== 'header') || !isObject(value)) return [];
    return Object.entries(value).flatMap(([key, generator]) => {
      const expression = expressionOf(generator);
      const { name, index } = readKey(key);
      const partName = part === 'header' ? name.toLowerCase() : name;
      return expression === undefined ? [] : [{ part, name: partName, index, expression }];
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
): readonly { readonly path: string; readonly steps: BodyPath; readonly expression: string }[] {
  const body = isObject(generators) ? generators['body'] : undefined;
  return Object.entries(objectOrEmpty(body)).flatMap(([path, generator]) => {
    const [expression, bodyPath] = [expressionOf(generator), parseBodyPath(path)];
    return expression === undefined || bodyPath === undefined ? [] : [{ path, steps: bodyPath, expression }];
  });
}

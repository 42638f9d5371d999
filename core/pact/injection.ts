/** What the verifier fills into a request, or an expected body, before it uses them: generators that stand for values of a provider state. */

import { isObject, type Json, type JsonObject } from '../json.ts';
import type { Interaction } from './pact.ts';
import { parseBodyPath } from './body-path.ts';

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

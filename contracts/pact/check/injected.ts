/** What the verifier fills into a request before it sends it. */

import { isObject, type Json } from '../../../core/json.ts';
import { namesOfExpression } from '../../../core/pact-injection.ts';
import type { Subject } from './subject.ts';

/** A part of a request that is filled in from a provider state. */
export interface Injection {
  readonly part: 'path' | 'query' | 'header';
  /** The name of the parameter or header; empty for the path. */
  readonly name: string;
  readonly expression: string;
  /** The names of the values that it needs. */
  readonly values: readonly string[];
  /** Where the generator stands below the interaction. */
  readonly keys: readonly string[];
}

/** Everything that is filled in from provider states. */
export function listInjections({ interaction }: Pick<Subject, 'interaction'>): readonly Injection[] {
  return Object.entries(interaction.request.generators).flatMap(([category, value]): readonly Injection[] => {
    const keys = ['request', 'generators', category];
    if (category === 'path') return readInjection('path', '', value, keys);
    const part = category === 'query' ? 'query' : category === 'header' || category === 'headers' ? 'header' : undefined;
    if (part === undefined || !isObject(value)) return [];
    return Object.entries(value).flatMap(([key, each]) => readInjection(part, nameOf(key), each, [...keys, key]));
  });
}

/** Whether a parameter is filled in from a provider state. */
export function isInjected(subject: Pick<Subject, 'interaction'>, part: Injection['part'], name: string): boolean {
  const same = (left: string, right: string): boolean => (part === 'header' ? left.toLowerCase() === right.toLowerCase() : left === right);
  return listInjections(subject).some((each) => each.part === part && (part === 'path' || same(each.name, name)));
}

function readInjection(part: Injection['part'], name: string, value: Json, keys: readonly string[]): readonly Injection[] {
  const inner = isObject(value) && part === 'path' && isObject(value['']) ? value[''] : value;
  if (!isObject(inner) || inner['type'] !== 'ProviderState' || typeof inner['expression'] !== 'string') return [];
  const { expression } = inner;
  return [{ part, name, expression, values: namesOfExpression(expression), keys }];
}

/** `$.limit[0]`, `limit[0]` and `limit` are the same parameter. */
function nameOf(key: string): string {
  return key
    .replace(/^\$\.?/, '')
    .replace(/^\[['"](.*?)['"]\]/, '$1')
    .replace(/\[\d+\]$/, '');
}

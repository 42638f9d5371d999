/**
 * Paths of matching rules in pacts, such as `$.data.items[*].id`: parse, print and compare them, and find the values that they lead to. `parse-pact.ts` and
 * `state-generators.ts` parse the paths of each pact. `pact check` compares them with each expected body, and `pact verify` finds values of each response by
 * them; findings print them. It applies no matching rule.
 */

import { isObject, type Json } from '../json.ts';
import type { BodyPath } from './pact.ts';

/** A step of a path: `.name` or `['any name']` for a property, `[0]` for an element, `.*` or `[*]` for all. */
const step = /\.\*|\.([^.[\]'"\s]+)|\[\*\]|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;

/** Parses a path; `undefined` if it is invalid. Older files omit `$.` before a name. */
export function parseBodyPath(text: string): BodyPath | undefined {
  const rest = text.startsWith('$') ? text.slice(1) : text.startsWith('[') ? text : `.${text}`;
  const steps: (string | number | '*')[] = [];
  step.lastIndex = 0;
  while (step.lastIndex < rest.length) {
    const found = step.exec(rest);
    if (found === null) return undefined;
    const [whole, dotted, index, single, double] = found;
    if (whole === '.*' || whole === '[*]') steps.push('*');
    else if (index !== undefined) steps.push(Number(index));
    else steps.push(dotted ?? (single ?? double ?? '').replaceAll(/\\(.)/g, '$1'));
  }
  return { text, steps };
}

/** Prints keys below a body as a path. */
export function printBodyPath(keys: readonly (string | number)[]): string {
  const print = (key: string | number): string => {
    if (typeof key === 'number') return `[${key}]`;
    return /^[\w-]+$/.test(key) ? `.${key}` : `['${key.replaceAll(/['\\]/g, '\\$&')}']`;
  };
  return `$${keys.map(print).join('')}`;
}

/** True if the path matches the keys of a value. */
export function matchesPath({ steps }: BodyPath, keys: readonly (string | number)[]): boolean {
  return steps.length === keys.length && isPathPrefix({ steps }, keys);
}

/** True if the path matches the keys of a value, or of a parent. */
export function isPathPrefix({ steps }: Pick<BodyPath, 'steps'>, keys: readonly (string | number)[]): boolean {
  return steps.length <= keys.length && steps.every((part, at) => part === '*' || String(part) === String(keys[at]));
}

/** Returns the weight of a path by Pact's specification: names weigh more than wildcards, longer paths more than shorter ones. */
export function pathWeight({ steps }: BodyPath): number {
  return steps.reduce((weight: number, part) => weight * (part === '*' ? 1 : 2), 2) * 1000 + steps.length;
}

/** Returns every value that a path leads to. */
export function valuesAlong(body: Json | undefined, steps: readonly (string | number)[]): readonly Json[] {
  const below = (value: Json, at: string | number): readonly Json[] => {
    if (Array.isArray(value)) return at === '*' ? (value as readonly Json[]) : (value as readonly Json[]).slice(Number(at), Number(at) + 1);
    if (!isObject(value)) return [];
    if (at === '*') return Object.values(value);
    const member = Object.hasOwn(value, at) ? value[at] : undefined;
    return member === undefined ? [] : [member];
  };
  return steps.reduce<readonly Json[]>((found, at) => found.flatMap((value) => below(value, at)), body === undefined ? [] : [body]);
}

/** Paths of matching rules (`$.data.items[*].id`), and which of them speak of a place in a body. */

import { isObject, type Json } from '../json.ts';
import type { BodyPath } from './pact.ts';

/** The matching rules of Pact name members as `$.name` or `$['any name']`, elements as `[0]`, and all of them as `.*` or `[*]`. */
const step = /\.\*|\.([^.[\]'"\s]+)|\[\*\]|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;

/** Reads a path; `undefined` when it is none. Older files leave the `$.` before a name out. */
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

/** Prints the keys below a body as a path. */
export function printBodyPath(keys: readonly (string | number)[]): string {
  const print = (key: string | number): string => {
    if (typeof key === 'number') return `[${key}]`;
    return /^[\w-]+$/.test(key) ? `.${key}` : `['${key.replaceAll(/['\\]/g, '\\$&')}']`;
  };
  return `$${keys.map(print).join('')}`;
}

/** Whether a path leads to a place, given as keys below the body. */
export function matchesPath({ steps }: BodyPath, keys: readonly (string | number)[]): boolean {
  return steps.length === keys.length && isPathPrefix({ steps }, keys);
}

/** Whether a path leads to a place or to something above it. */
export function isPathPrefix({ steps }: Pick<BodyPath, 'steps'>, keys: readonly (string | number)[]): boolean {
  return steps.length <= keys.length && steps.every((each, at) => each === '*' || String(each) === String(keys[at]));
}

/**
 * How exactly a path names a place, as Pact weighs it: a name counts more than a wildcard, and a longer path more than a shorter one. Of several
 * paths that lead to a place, the heaviest decides.
 */
export function pathWeight({ steps }: BodyPath): number {
  return steps.reduce((weight: number, each) => weight * (each === '*' ? 1 : 2), 2) * 1000 + steps.length;
}

/** Every value of a body that the steps of a path lead to. */
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

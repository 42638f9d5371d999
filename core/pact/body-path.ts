/** Paths of matching rules in pacts, such as `$.data.items[*].id`: parsed, printed, compared and followed. No matching rule is applied here. */

import { isArray, isObject, type Json } from '../json.ts';
import type { BodyPath } from './pact.ts';

/** A step of a path: `.name` or `['any name']` for a property, `[0]` for an element, `.*` or `[*]` for all. */
const stepPattern = /\.\*|\.([^.[\]'"\s]+)|\[\*\]|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;

/** Parses a path; `undefined` if it is invalid. Older files omit `$.` before a name. */
export function parseBodyPath(text: string): BodyPath | undefined {
  const pathText = text.startsWith('$') ? text.slice(1) : text.startsWith('[') ? text : `.${text}`;
  const steps: (string | number | null)[] = [];
  stepPattern.lastIndex = 0;
  while (stepPattern.lastIndex < pathText.length) {
    const match = stepPattern.exec(pathText);
    if (match === null) return undefined;
    const [whole, dotted, index, singleQuoted, doubleQuoted] = match;
    if (whole === '.*' || whole === '[*]') steps.push(null);
    else if (index !== undefined) steps.push(Number(index));
    else steps.push(dotted ?? (singleQuoted ?? doubleQuoted ?? '').replaceAll(/\\(.)/g, '$1'));
  }
  return steps;
}

/** Prints the keys of a value as a path. */
export function printBodyPath(keys: readonly (string | number)[]): string {
  const print = (key: string | number): string => {
    if (typeof key === 'number') return `[${key}]`;
    return /^[\w-]+$/.test(key) ? `.${key}` : `['${key.replaceAll(/['\\]/g, '\\$&')}']`;
  };
  return `$${keys.map(print).join('')}`;
}

/** True if the path matches the keys of a value. */
export function matchesPath(path: BodyPath, keys: readonly (string | number)[]): boolean {
  return path.length === keys.length && isPathPrefix(path, keys);
}

/** True if the path matches the keys of a value, or of a parent. */
export function isPathPrefix(path: BodyPath, keys: readonly (string | number)[]): boolean {
  return path.length <= keys.length && path.every((step, index) => step === null || String(step) === String(keys[index]));
}

/** Returns the weight of a path by Pact's specification: names weigh more than wildcards, longer paths more than shorter ones. */
export function pathWeight(path: BodyPath): number {
  return path.reduce((weight: number, step) => weight * (step === null ? 1 : 2), 2) * 1000 + path.length;
}

/** Returns every value that a path leads to. */
export function valuesAlong(body: Json | undefined, path: BodyPath): readonly Json[] {
  const childrenAt = (value: Json, step: string | number | null): readonly Json[] => {
    if (isArray(value)) return step === null ? value : value.slice(Number(step), Number(step) + 1);
    if (!isObject(value)) return [];
    if (step === null) return Object.values(value);
    const member = Object.hasOwn(value, step) ? value[step] : undefined;
    return member === undefined ? [] : [member];
  };
  return path.reduce<readonly Json[]>(
    (values, step) => values.flatMap((value) => childrenAt(value, step)),
    body === undefined ? [] : [body],
  );
}

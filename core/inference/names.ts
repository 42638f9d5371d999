/** Compares names whatever their spelling: `customerId`, `customer_id` and `Customer-ID` are the same words. */

import { memoize } from '../memo.ts';

/** The words of a name in lower case; brackets count as separators, so `page[size]` has two. */
export const wordsOf: (name: string) => readonly string[] = memoize(
  (name) =>
    name
      .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
      .replaceAll(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== ''),
  20_000,
);

/** The words of a name, joined: equal for all spellings. */
export function plainName(name: string): string {
  return wordsOf(name).join('');
}

/** The singular of a noun: `entries` gives `entry`, `boxes` gives `box`. */
export function singularOf(noun: string): string {
  if (/[^aeiou]ies$/i.test(noun)) return noun.replace(/ies$/i, 'y');
  if (/(?:ss|x|z|ch|sh)es$/i.test(noun)) return noun.slice(0, -2);
  if (/(?:status|address|analysis|bus|access)es$/i.test(noun)) return noun.slice(0, -2);
  return /[^su]s$/i.test(noun) ? noun.slice(0, -1) : noun;
}

/** True if two nouns are the same word, in the singular or the plural. */
export function isSameNoun(left: string, right: string): boolean {
  const [first, second] = [plainName(left), plainName(right)];
  return first === second || singularOf(first) === singularOf(second);
}

/** True for the name of an identifier, such as `id`, `uuid` or `order_id`; other keys are names that may change. */
export function isIdentifierName(name: string): boolean {
  return ['id', 'uuid', 'guid', 'uid', 'gid', 'sid'].includes(wordsOf(name).at(-1) ?? '');
}

/** The nouns of a path: its segments without parameters, versions and file endings, from the left. */
export function nounsOfPath(path: string): readonly string[] {
  return path
    .split('/')
    .filter((segment) => segment !== '' && !segment.includes('{') && !/^v\d+(\.\d+)*$/i.test(segment))
    .map((segment) => segment.replace(/\.(json|xml|php)$/i, ''));
}

/** The names of the parameters in a path template, from the left. */
export function parametersOfPath(path: string): readonly string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
}

/** A path template without the names of its parameters, so that equal places are equal texts. */
export function withoutParameterNames(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, '{}').replace(/\/+$/, '');
}

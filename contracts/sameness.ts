/**
 * Whether two requests are answered alike. Answers hold what differs each time, such as a moment or a number of the request; so what
 * differs is only held against a server when it differs between the requests twice, and not between two answers to the same request.
 */

import type { HttpHeaders } from '../core/exchange.ts';
import { headerOf } from '../core/exchange.ts';
import { isObject, type Json } from '../core/json.ts';
import { toPointer } from '../core/pointer.ts';
import type { Reply } from './reply.ts';

/** How answers are compared. */
export interface Comparison {
  /** Headers of these names are compared; all but those of the connection when there is no list. */
  readonly headers?: readonly string[];
  /** Takes out of the text of an answer what it must repeat of its request. */
  readonly neutral?: (text: string, reply: Reply) => string;
}

/** Headers that follow from the moment, the connection or the length of the body. */
const ownHeaders: ReadonlySet<string> = new Set([
  'date',
  'age',
  'expires',
  'connection',
  'keep-alive',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'set-cookie',
  'last-modified',
]);

/** Where two answers differ: `status`, `header NAME`, or a JSON Pointer into the body. */
export function differencesBetween(one: Reply, other: Reply, comparison: Comparison = {}): readonly string[] {
  const status = one.response.status === other.response.status ? [] : ['status'];
  return [...status, ...headerDifferences(one, other, comparison), ...bodyDifferences(one, other, comparison)];
}

/** Where two requests are answered differently both times, although each is answered alike both times. */
export function lastingDifferences(
  first: readonly [Reply, Reply],
  second: readonly [Reply, Reply],
  comparison: Comparison = {},
): readonly string[] {
  const again = new Set(differencesBetween(first[1], second[1], comparison));
  const restless = [...differencesBetween(first[0], first[1], comparison), ...differencesBetween(second[0], second[1], comparison)];
  return differencesBetween(first[0], second[0], comparison).filter(
    (each) => again.has(each) && !restless.some((moving) => isWithin(each, moving) || isWithin(moving, each) || sharesList(each, moving)),
  );
}

function isWithin(place: string, whole: string): boolean {
  return place === whole || place.startsWith(`${whole}/`);
}

/** When one element of a list moves, others stand at other places, so that nothing in the list can be compared by its place. */
function sharesList(one: string, other: string): boolean {
  const list = /^(.*?)\/\d+(\/|$)/.exec(one)?.[1];
  return list !== undefined && list === /^(.*?)\/\d+(\/|$)/.exec(other)?.[1];
}

function headerDifferences(one: Reply, other: Reply, { headers, neutral }: Comparison): readonly string[] {
  const names = new Set([...Object.keys(one.response.headers), ...Object.keys(other.response.headers)].map((name) => name.toLowerCase()));
  const compared = [...names].filter((name) => (headers === undefined ? !ownHeaders.has(name) : headers.includes(name)));
  const read = (reply: Reply, name: string): string | undefined => {
    const text = headerOf(reply.response.headers satisfies HttpHeaders, name);
    return text === undefined || neutral === undefined ? text : neutral(text, reply);
  };
  return compared.filter((name) => read(one, name) !== read(other, name)).map((name) => `header ${name}`);
}

function bodyDifferences(one: Reply, other: Reply, { neutral }: Comparison): readonly string[] {
  const [left, right] = [one, other].map((reply) => (neutral === undefined ? reply.response.body : neutral(reply.response.body, reply)));
  if (left === right) return [];
  const [first, second] = [one, other].map(({ body }) => body);
  if (first === undefined || second === undefined) return ['the body'];
  const found: string[] = [];
  const same = (a: string, b: string): boolean => (neutral === undefined ? a === b : neutral(a, one) === neutral(b, other));
  compare(first, second, [], same, found);
  return found;
}

function compare(
  left: Json | undefined,
  right: Json | undefined,
  keys: readonly (string | number)[],
  same: (left: string, right: string) => boolean,
  found: string[],
): void {
  if (isObject(left) && isObject(right)) {
    for (const name of new Set([...Object.keys(left), ...Object.keys(right)]))
      compare(left[name], right[name], [...keys, name], same, found);
  } else if (Array.isArray(left) && Array.isArray(right) && left.length === right.length) {
    for (const index of left.keys())
      compare((left as readonly Json[])[index], (right as readonly Json[])[index], [...keys, index], same, found);
  } else if (left === undefined || right === undefined || !same(JSON.stringify(left), JSON.stringify(right))) {
    found.push(keys.length === 0 ? 'the body' : toPointer(keys));
  }
}

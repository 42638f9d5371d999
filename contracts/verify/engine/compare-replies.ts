/**
 * Compares the replies to two requests by status, headers and body. The key and tenancy rules call it to tell if two callers get the same. It finds
 * differences, and leaves their meaning to the rules.
 */

import { type HttpHeaders, headerOf } from '../../../core/http/exchange.ts';
import { isObject, type Json } from '../../../core/json.ts';
import { toPointer } from '../../../core/pointer.ts';
import type { Reply } from './call-and-reply.ts';

/** Options for comparing replies. */
export interface ReplyComparison {
  /** Names of the headers to compare. Default: all except those of the connection. */
  readonly headers?: readonly string[];
  /** Removes echoed values of the request from a text of its reply. */
  readonly neutral?: (text: string, reply: Reply) => string;
}

/** Headers that depend on the time, the connection or the length of the body. They are never compared by default. */
const volatileHeaders: ReadonlySet<string> = new Set([
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

/** The differences of two replies: `status`, `header NAME`, or a JSON Pointer into the body. */
export function differencesBetween(one: Reply, other: Reply, comparison: ReplyComparison = {}): readonly string[] {
  const status = one.response.status === other.response.status ? [] : ['status'];
  return [...status, ...headerDifferences(one, other, comparison), ...bodyDifferences(one, other, comparison)];
}

/**
 * The lasting differences between two requests that were each sent twice: those that occur both times, and never between two replies to the same
 * request. Values such as times and request ids differ each time.
 */
export function lastingDifferences(
  first: readonly [Reply, Reply],
  second: readonly [Reply, Reply],
  comparison: ReplyComparison = {},
): readonly string[] {
  const again = new Set(differencesBetween(first[1], second[1], comparison));
  const restless = [...differencesBetween(first[0], first[1], comparison), ...differencesBetween(second[0], second[1], comparison)];
  return differencesBetween(first[0], second[0], comparison).filter(
    (each) => again.has(each) && !restless.some((moving) => isBelow(each, moving) || isBelow(moving, each) || sharesList(each, moving)),
  );
}

function isBelow(place: string, whole: string): boolean {
  return place === whole || place.startsWith(`${whole}/`);
}

/** True if two places are in the same array: an inserted element shifts all others, so their places cannot be compared. */
function sharesList(one: string, other: string): boolean {
  const list = /^(.*?)\/\d+(\/|$)/.exec(one)?.[1];
  return list !== undefined && list === /^(.*?)\/\d+(\/|$)/.exec(other)?.[1];
}

function headerDifferences(one: Reply, other: Reply, { headers, neutral }: ReplyComparison): readonly string[] {
  const names = new Set([...Object.keys(one.response.headers), ...Object.keys(other.response.headers)].map((name) => name.toLowerCase()));
  const compared = [...names].filter((name) => (headers === undefined ? !volatileHeaders.has(name) : headers.includes(name)));
  const read = (reply: Reply, name: string): string | undefined => {
    const text = headerOf(reply.response.headers satisfies HttpHeaders, name);
    return text === undefined || neutral === undefined ? text : neutral(text, reply);
  };
  return compared.filter((name) => read(one, name) !== read(other, name)).map((name) => `header ${name}`);
}

function bodyDifferences(one: Reply, other: Reply, { neutral }: ReplyComparison): readonly string[] {
  const [left, right] = [one, other].map((reply) => (neutral === undefined ? reply.response.body : neutral(reply.response.body, reply)));
  if (left === right) return [];
  const [first, second] = [one, other].map(({ body }) => body);
  if (first === undefined || second === undefined) return ['the body'];
  const found: string[] = [];
  const same = (a: string, b: string): boolean => (neutral === undefined ? a === b : neutral(a, one) === neutral(b, other));
  collectDifferences(first, second, [], same, found);
  return found;
}

function collectDifferences(
  left: Json | undefined,
  right: Json | undefined,
  keys: readonly (string | number)[],
  same: (left: string, right: string) => boolean,
  found: string[],
): void {
  if (isObject(left) && isObject(right)) {
    for (const name of new Set([...Object.keys(left), ...Object.keys(right)]))
      collectDifferences(left[name], right[name], [...keys, name], same, found);
  } else if (Array.isArray(left) && Array.isArray(right) && left.length === right.length) {
    for (const index of left.keys())
      collectDifferences((left as readonly Json[])[index], (right as readonly Json[])[index], [...keys, index], same, found);
  } else if (left === undefined || right === undefined || !same(JSON.stringify(left), JSON.stringify(right))) {
    found.push(keys.length === 0 ? 'the body' : toPointer(keys));
  }
}

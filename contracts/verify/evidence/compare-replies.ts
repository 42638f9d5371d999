/** Compares two replies by status, headers and body. What a difference means is left to the rules. */

import { headerOf } from '../../../core/http/exchange.ts';
import { isObject, type Json, printJson } from '../../../core/json.ts';
import { toPointer } from '../../../core/pointer.ts';
import type { Reply } from './call.ts';

/** Options for comparing replies. */
export interface ReplyComparison {
  /** Names of the headers to compare. Default: all except those that depend on time, connection or length. */
  readonly headers?: readonly string[];
  /** Removes echoed values of the request from a text of its reply. */
  readonly maskEchoes?: (text: string, reply: Reply) => string;
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

/** A part of a reply in which another one differs: its status, a header, or the place in the body to which some keys lead. */
export type ReplyPlace =
  | { readonly part: 'status' }
  | { readonly part: 'header'; readonly name: string }
  | { readonly part: 'body'; readonly keys: readonly (string | number)[] };

/** Names a place in a sentence: `status`, `header etag`, `/data/id`. */
export function describePlace(place: ReplyPlace): string {
  if (place.part === 'status') return 'status';
  if (place.part === 'header') return `header ${place.name}`;
  return place.keys.length === 0 ? 'the body' : toPointer(place.keys);
}

/** True for the status of a reply. */
export function isStatus({ part }: ReplyPlace): boolean {
  return part === 'status';
}

/** The differences of two replies. */
export function differencesBetween(one: Reply, other: Reply, comparison: ReplyComparison = {}): readonly ReplyPlace[] {
  const status: readonly ReplyPlace[] = one.response.status === other.response.status ? [] : [{ part: 'status' }];
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
): readonly ReplyPlace[] {
  const repeatedPlaces = differencesBetween(first[1], second[1], comparison);
  const volatilePlaces = [...differencesBetween(first[0], first[1], comparison), ...differencesBetween(second[0], second[1], comparison)];
  return differencesBetween(first[0], second[0], comparison).filter(
    (each) =>
      repeatedPlaces.some((place) => isSamePlace(place, each)) &&
      !volatilePlaces.some((changing) => isBelow(each, changing) || isBelow(changing, each) || sharesList(each, changing)),
  );
}

function isSamePlace(one: ReplyPlace, other: ReplyPlace): boolean {
  return isBelow(one, other) && isBelow(other, one);
}

/** True if a place is another one, or inside of it. */
function isBelow(place: ReplyPlace, whole: ReplyPlace): boolean {
  if (place.part === 'header') return whole.part === 'header' && place.name === whole.name;
  if (place.part === 'status') return whole.part === 'status';
  return whole.part === 'body' && startsWith(place.keys, whole.keys);
}

function startsWith(keys: readonly (string | number)[], first: readonly (string | number)[]): boolean {
  return first.every((key, index) => keys[index] === key);
}

/** True if two places are in the same array: an inserted element shifts all others, so their places cannot be compared. */
function sharesList(one: ReplyPlace, other: ReplyPlace): boolean {
  if (one.part !== 'body' || other.part !== 'body') return false;
  const [depth, otherDepth] = [one, other].map(({ keys }) => keys.findIndex((key) => typeof key === 'number'));
  return depth !== undefined && depth >= 0 && depth === otherDepth && startsWith(other.keys, one.keys.slice(0, depth));
}

function headerDifferences(one: Reply, other: Reply, { headers, maskEchoes = asWritten }: ReplyComparison): readonly ReplyPlace[] {
  const names = new Set([one, other].flatMap(({ response }) => Object.keys(response.headers).map((name) => name.toLowerCase())));
  const comparedNames = [...names].filter((name) => (headers === undefined ? !volatileHeaders.has(name) : headers.includes(name)));
  const readHeader = (reply: Reply, name: string): string | undefined => {
    const text = headerOf(reply.response.headers, name);
    return text === undefined ? undefined : maskEchoes(text, reply);
  };
  return comparedNames.filter((name) => readHeader(one, name) !== readHeader(other, name)).map((name) => ({ part: 'header', name }));
}

function bodyDifferences(one: Reply, other: Reply, { maskEchoes = asWritten }: ReplyComparison): readonly ReplyPlace[] {
  if (maskEchoes(one.response.body, one) === maskEchoes(other.response.body, other)) return [];
  if (one.body === undefined || other.body === undefined) return [{ part: 'body', keys: [] }];
  return valueDifferences(one.body, other.body, [], (left, right) => maskEchoes(left, one) === maskEchoes(right, other));
}

function asWritten(text: string): string {
  return text;
}

function valueDifferences(
  left: Json | undefined,
  right: Json | undefined,
  keys: readonly (string | number)[],
  isSame: (left: string, right: string) => boolean,
): readonly ReplyPlace[] {
  if (isObject(left) && isObject(right)) {
    const names = new Set([...Object.keys(left), ...Object.keys(right)]);
    return [...names].flatMap((name) => valueDifferences(left[name], right[name], [...keys, name], isSame));
  }
  if (Array.isArray(left) && Array.isArray(right) && left.length === right.length)
    return (left as readonly Json[]).flatMap((each, index) => valueDifferences(each, right[index] as Json, [...keys, index], isSame));
  if (left !== undefined && right !== undefined && isSame(printJson(left), printJson(right))) return [];
  return [{ part: 'body', keys }];
}

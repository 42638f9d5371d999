/** Lists of any length, computed on request. A million records need no memory. */

import { splitTarget } from '../../core/http/exchange.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { ListOperation } from '../../core/openapi/list-operation.ts';
import { splitQuery } from '../../core/parameters/query-string.ts';
import { fromPointer } from '../../core/pointer.ts';
import { type Answer, type FakeTarget, fakeTarget } from './engine.ts';

/** A list that computes the record at each position, from 0. */
export interface LazyList {
  readonly size: number;
  readonly record: (place: number) => JsonObject;
  /** Positions that pass a filter, by the parameter's name and decoded text. The filter is read once and applied to up to a million positions. */
  readonly filter: (parameter: string, text: string) => (place: number) => boolean;
}

/** Envelope of a page. */
export interface PageParts {
  readonly records: readonly Json[];
  readonly next?: Json;
  readonly more?: Json;
  readonly total?: Json;
  readonly limit?: Json;
  readonly page?: Json;
}

/** The body of a page, with each part at its place in the contract. */
export function pageBody({ collection }: ListOperation, parts: PageParts): JsonObject {
  const { page } = collection;
  const body: Record<string, Json> = { ok: true };
  const put = (pointer: string | undefined, value: Json | undefined): void => {
    if (pointer !== undefined && value !== undefined) putAt(body, fromPointer(pointer), value);
  };
  put(collection.items, [...parts.records]);
  if (page.style === 'cursor') {
    put(page.next, parts.next ?? null);
    put(page.more, parts.more);
    return body;
  }
  put(page.total, parts.total);
  if (page.style === 'offset') put(page.more, parts.more);
  else {
    put(page.echo?.limit, parts.limit);
    put(page.echo?.page, parts.page);
  }
  return body;
}

function putAt(body: Record<string, Json>, keys: readonly string[], value: Json): void {
  const [first = '', ...rest] = keys;
  if (rest.length === 0) body[first] = value;
  else {
    const inner = { ...((body[first] ?? {}) as JsonObject) };
    putAt(inner, rest, value);
    body[first] = inner;
  }
}

/** The query of a request target, decoded. */
export function queryOf(target: string): ReadonlyMap<string, string> {
  return new Map(splitQuery(splitTarget(target).query).map(([name, value]) => [decodeURIComponent(name), decodeURIComponent(value)]));
}

/** Answers a list request. A cursor is the position of the first record of its page. */
export function answerList(operation: ListOperation, list: LazyList, target: string, standard = 50): Answer {
  const query = queryOf(target);
  const { page } = operation.collection;
  const limit = Number(query.get(page.limit) ?? standard);
  const filters = [...query].filter(([name]) => operation.collection.filters.has(name));
  const accepts = allOf(filters.map(([name, text]) => list.filter(name, text)));
  if (page.style === 'cursor') {
    const places = take(list, accepts, Number(query.get(page.cursor) ?? 0), limit + 1);
    const next = places[limit];
    const records = places.slice(0, limit).map(list.record);
    return { body: pageBody(operation, { records, next: next === undefined ? null : String(next), more: next !== undefined }) };
  }
  const number = page.style === 'page' ? Number(query.get(page.page) ?? 1) : 1;
  const skip = page.style === 'page' ? (number - 1) * limit : Number(query.get(page.offset) ?? 0);
  // Without a filter, every position passes and the count is the length.
  const places = filters.length === 0 ? take(list, () => true, skip, limit) : take(list, accepts, 0, skip + limit).slice(skip);
  const total = filters.length === 0 ? list.size : totalOf(list, accepts, JSON.stringify(filters));
  return { body: pageBody(operation, { records: places.map(list.record), total, limit, page: number }) };
}

function allOf(filters: readonly ((place: number) => boolean)[]): (place: number) => boolean {
  const [only, ...others] = filters;
  if (only !== undefined && others.length === 0) return only;
  return (place) => filters.every((passes) => passes(place));
}

/** Number of records of each selection, counted once: every page states it, and a count reads all records. */
const totals = new WeakMap<LazyList, Map<string, number>>();

function totalOf(list: LazyList, accepts: (place: number) => boolean, selection: string): number {
  const known = totals.get(list) ?? new Map<string, number>();
  totals.set(list, known);
  const total = known.get(selection) ?? take(list, accepts, 0, list.size).length;
  known.set(selection, total);
  return total;
}

function take(list: LazyList, accepts: (place: number) => boolean, from: number, most: number): readonly number[] {
  const places: number[] = [];
  for (let place = from; place < list.size && places.length < most; place += 1) if (accepts(place)) places.push(place);
  return places;
}

/** A target with this list only. */
export function listTarget(operation: ListOperation, list: LazyList): FakeTarget {
  return fakeTarget(({ target }) => answerList(operation, list, target));
}

/** A permutation of the numbers below a size. */
export function scatter(size: number, salt: number): (number: number) => number {
  // A prime that does not divide the size makes multiplication one to one.
  const factor = [7919, 104_729, 15_485_863].find((prime) => size % prime !== 0) ?? 1;
  return (number) => (number * factor + salt) % size;
}

const firstMs = Date.UTC(2020, 0, 1);

/** The instant of a rank: one minute after the instant of the previous rank. */
export function momentOf(rank: number): string {
  return new Date(firstMs + rank * 60_000).toISOString().replace('.000Z', '+00:00');
}

/** The first rank whose instant is at or after the instant in a text. */
export function rankFrom(text: string): number {
  return Math.ceil((Date.parse(text) - firstMs) / 60_000);
}

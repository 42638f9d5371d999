/** Writes guesses as annotations, for `touchstone infer` and its report. What annotations cannot express is left out. */

import type { Filter } from '../annotations/annotations.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Operation } from '../openapi/operation.ts';
import {
  type Guess,
  type Inference,
  type InferredCollection,
  type InferredDetail,
  type InferredList,
  isSure,
  type Paging,
} from './guess.ts';
import { parametersOfPath } from './names.ts';

/** An annotation of one operation, with the guesses that it is made of. */
export interface InferredAnnotation {
  readonly operation: Operation;
  readonly keyword: 'x-collection' | 'x-resource';
  readonly value: JsonObject;
  /** The guesses by what they are about, such as `items` or `filters/status`. */
  readonly guesses: ReadonlyMap<string, Guess<unknown>>;
  /** True if all parts are sure, and the annotations can say them. */
  readonly isActive: boolean;
  /** What annotations cannot express yet: pages of other styles, or none. */
  readonly unsayable: 'pages' | 'no-pages' | 'key' | 'parents' | undefined;
}

/** Lists the annotations of the operations that have none. */
export function toAnnotations({ collections }: Inference): readonly InferredAnnotation[] {
  return collections.flatMap((collection) => [
    ...collection.lists.filter(({ operation }) => operation.collection === undefined).map((list) => annotateList(collection, list)),
    ...collection.details.filter(({ operation }) => operation.resource === undefined).map((detail) => annotateDetail(collection, detail)),
  ]);
}

function annotateList(collection: InferredCollection, list: InferredList): InferredAnnotation {
  const { operation, items, filters, paging } = list;
  const { name, key, version } = collection;
  const page = paging === undefined ? undefined : toPage(paging.value);
  const sureFilters = [...filters].filter(([, guess]) => isSure(guess));
  const value: Record<string, Json> = {
    ...{ name, items: items.value, key: key?.value ?? '' },
    ...(isSure(version) ? { version: version.value } : {}),
    order: 'unknown',
    page: page ?? {},
    filters: Object.fromEntries(sureFilters.map(([parameter, guess]) => [parameter, toFilter(guess.value)])),
  };
  const unsayable = key === undefined ? 'key' : paging === undefined ? 'no-pages' : page === undefined ? 'pages' : undefined;
  const guesses = new Map<string, Guess<unknown>>([['items', items]]);
  for (const [part, guess] of [
    ['key', key],
    ['version', version],
    ['page', paging],
    ['sort', list.sort],
  ] as const)
    if (guess !== undefined) guesses.set(part, guess);
  for (const [parameter, guess] of filters) guesses.set(`filters/${parameter}`, guess);
  const isActive = unsayable === undefined && isSure(items) && isSure(key) && isSure(paging);
  return { operation, keyword: 'x-collection', value, guesses, isActive, unsayable };
}

function toFilter(filter: Filter): Json {
  if (filter.operator === 'matches') return { matches: { fields: filter.fields, fold: filter.fold } };
  return { [filter.operator]: filter.field };
}

/** The pages of an annotation; `undefined` if annotations cannot describe them yet. */
function toPage({ style, limit, start, firstPage, members }: Paging): JsonObject | undefined {
  if (limit === undefined || start === undefined) return undefined;
  const total = members.total === undefined ? {} : { total: members.total };
  const { more, next } = members;
  if (style === 'cursor' && next !== undefined && more !== undefined)
    return { style, limit, cursor: start, next, more, fixed: [], changed: 'accepted' };
  if (style === 'page' && firstPage === 1) return { style, limit, page: start, ...total };
  if (style === 'offset' && firstPage === 0) return { style, limit, offset: start, ...total, ...(more === undefined ? {} : { more }) };
  return undefined;
}

function annotateDetail(collection: InferredCollection, { operation, at, parameter }: InferredDetail): InferredAnnotation {
  const { name, key } = collection;
  const value = { name, at: at.value, by: { [parameter]: key?.value ?? '' } };
  const guesses = new Map<string, Guess<unknown>>([['at', at], ...(key === undefined ? [] : [['by', key] as const])]);
  // A record is found by its key alone, wherever its parents are.
  const hasParents = parametersOfPath(operation.path).length > 1;
  const unsayable = key === undefined ? 'key' : hasParents ? 'parents' : undefined;
  return { operation, keyword: 'x-resource', value, guesses, isActive: unsayable === undefined && isSure(at) && isSure(key), unsayable };
}

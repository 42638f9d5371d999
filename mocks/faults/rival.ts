/** Served APIs whose evaluator of lists deviates: another selection of records, or other pages of them. */

import type { Json } from '../../core/json.ts';
import type { Operation } from '../../core/operation.ts';
import type { Arguments, Entry, PageSlice, PageStart, Query } from '../../core/query.ts';
import type { CursorCodec } from '../cursor.ts';
import type { ServedApi } from '../served-api.ts';

/** Decides which records are on a list that is asked for with some arguments; `sorted` is the whole list. */
export type Selection = (values: Arguments, query: Query, sorted: readonly Entry[]) => (record: Entry) => boolean;

/** A page of the sorted records. */
export type Paging = (query: Query, sorted: readonly Entry[], values: Arguments, start: PageStart, limit: number) => PageSlice;

/** An API whose evaluator of one list is another in part. */
export function withQuery(api: ServedApi, operation: string, change: (query: Query) => Partial<Query>): ServedApi {
  const operations = api.contract.operations.map((each): Operation => {
    const { collection } = each;
    if (each.id !== operation || collection === undefined) return each;
    return { ...each, collection: { ...collection, query: { ...collection.query, ...change(collection.query) } } };
  });
  const collections = operations.flatMap((each) => each.collection ?? []);
  return { ...api, contract: { ...api.contract, operations, collections } };
}

/** An API that selects the records of one list by another predicate; who may see a record stays as it is. */
export function withSelection(api: ServedApi, operation: string, selection: Selection): ServedApi {
  return withQuery(api, operation, (query) => {
    const select = (records: readonly Entry[], values: Arguments): readonly Entry[] => records.filter(selection(values, query, records));
    return {
      page: (sorted, values, start, limit) => query.page(select(sorted, values), nothing, start, limit),
      count: (records, values) => query.count(select(records, values), nothing),
    };
  });
}

/** An API that reads the arguments of one list otherwise. */
export function withArguments(api: ServedApi, operation: string, read: (values: Arguments) => Arguments): ServedApi {
  return withQuery(api, operation, (query) => ({
    page: (sorted, values, start, limit) => query.page(sorted, read(values), start, limit),
    count: (records, values) => query.count(records, read(values)),
  }));
}

/** An API that cuts one list into pages otherwise. */
export function withPaging(api: ServedApi, operation: string, page: Paging): ServedApi {
  return withQuery(api, operation, (query) => ({
    page: (sorted, values, start, limit) => page(query, sorted, values, start, limit),
  }));
}

/** An API with another codec of cursors for one list. */
export function withCursors(
  api: ServedApi,
  operation: string,
  encode: (codec: CursorCodec, content: Parameters<CursorCodec['encode']>[0]) => string,
): ServedApi {
  const { cursors } = api;
  return {
    ...api,
    cursors: { ...cursors, encode: (content) => (content.operation === operation ? encode(cursors, content) : cursors.encode(content)) },
  };
}

/** The arguments with another value for a parameter. */
export function put(values: Arguments, parameter: string, value: Json): Arguments {
  return new Map(values).set(parameter, value);
}

/** The arguments without a parameter. */
export function without(values: Arguments, parameter: string): Arguments {
  const rest = new Map(values);
  rest.delete(parameter);
  return rest;
}

/** The order values that a page starts after; `undefined` on a first page. */
export function startOf(start: PageStart): readonly Json[] | undefined {
  return 'after' in start ? start.after : undefined;
}

const nothing: Arguments = new Map();

/** Cuts the page that a request asks for out of a list, by the inferred pages of the list, and writes it into the body of the response. */

import { type InferredList, isSure, type PageMembers, type Paging } from '../../core/inference/guess.ts';
import { readSortValue } from '../../core/inference/infer-filters.ts';
import { numberedPagingOf } from '../../core/inference/infer-paging.ts';
import { shapeOfSuccess } from '../../core/inference/shape.ts';
import { isObject, type Json } from '../../core/json.ts';
import { memoize } from '../../core/memo.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { schemaOfSuccess } from '../../core/openapi/operation.ts';
import { allowsNull, comparisonKind, schemasAt } from '../../core/openapi/schema-facts.ts';
import type { Parameter } from '../../core/parameters/parse-parameter.ts';
import { valueAt, withoutValuesAt, withValueAt } from '../../core/pointer.ts';
import { createQuery, type DataRecord, type FilterArguments, type Query } from '../../core/query/query.ts';
import type { CursorCodec } from '../handler/cursor.ts';

import type { WorldCollection } from './plan-world.ts';
import { projected } from './show-record.ts';

/** A request for a page. */
export interface PageRequest {
  readonly values: FilterArguments;
  /** The URL of the request without its query, as the response may show it. */
  readonly url: string;
  readonly query: string;
}

/** A page, with what the response says about it. */
export interface WorldPage {
  readonly records: readonly DataRecord[];
  readonly total: number;
  readonly limit: number;
  /** Number of records before the page. */
  readonly skipped: number;
  readonly more: boolean;
}

/** Reads and prints the pages of one list. */
export interface PageReader {
  /** Cuts the page; `undefined` for a cursor that is none. */
  readonly cut: (records: readonly DataRecord[], request: PageRequest) => WorldPage | undefined;
  /** Writes a page into a body of the response. */
  readonly write: (body: Json, page: WorldPage, request: PageRequest) => Json;
  /** The value of the header Link (RFC 8288); `undefined` without another page. */
  readonly link: (page: WorldPage, request: PageRequest) => string | undefined;
}

/** Number of records in a page if neither the request nor the schema says one. */
const usualLimit = 20;

/** Creates the reader of a list. */
export function createPageReader(contract: Contract, collection: WorldCollection, list: InferredList, cursors: CursorCodec): PageReader {
  const { operation, items } = list;
  const success = shapeOfSuccess(operation);
  const schema = schemaOfSuccess(operation.responses) ?? true;
  const record = success.at(`${items.value}/0`);
  const paging = isSure(list.paging) ? list.paging.value : undefined;
  const starts = [...(paging === undefined ? [] : [paging]), ...numberedPagingOf(operation)];
  const parameter = operation.parameters.find(({ name }) => name === paging?.start);
  const limitParameter = operation.parameters.find(({ name }) => name === list.paging?.value.limit);
  const keyOf = (each: DataRecord): Json => valueAt(each, collection.key.value) ?? null;
  const cursorFor = (page: WorldPage): Json => {
    const last = page.records.at(-1);
    const key = last === undefined ? null : keyOf(last);
    if (paging?.style === 'keyset') return key;
    const token = cursors.encode({ operation: operation.id, tenant: '', position: [key, page.skipped + page.records.length], fixed: {} });
    return parameter === undefined || accepts(parameter, token) ? token : page.skipped + page.records.length;
  };
  const select = createSelection(list, collection, (pointer) =>
    comparisonKind(schemasAt(contract.closed, schema, `${items.value}/0${pointer}`)),
  );
  const hrefOf = (request: PageRequest, page: WorldPage, direction: 1 | -1): string | undefined => {
    const start = startOfNeighbour(paging, page, direction, cursorFor);
    if (start === undefined || paging?.start === undefined) return undefined;
    const query = new URLSearchParams(request.query);
    query.set(paging.start, String(start));
    return `${request.url}?${query}`;
  };
  return {
    cut: (records, { values }) => {
      const sorted = select(records, values);
      const limit = limitOf(paging !== undefined, limitParameter, values) ?? sorted.length;
      const start = starts.find((each) => values.has(each.start ?? ''));
      const skipped = start === undefined ? 0 : skippedBy({ paging: start, limit, records: sorted, keyOf, cursors }, values);
      if (skipped === undefined) return undefined;
      const shown = sorted.slice(skipped, skipped + limit);
      return { records: shown, total: sorted.length, limit, skipped, more: skipped + shown.length < sorted.length };
    },
    write: (body, page, request) => {
      const withItems = withValueAt(
        body,
        items.value,
        page.records.map((each) => projected(each, record)),
      );
      if (paging === undefined) return withTotal(withItems, page, list);
      const facts = factsOf(paging, page, cursorFor, keyOf, (direction) => hrefOf(request, page, direction));
      return Object.entries(facts).reduce<Json>((current, [role, value]) => {
        const pointer = paging.members[role as keyof PageMembers];
        if (pointer === undefined) return current;
        return place(current, pointer, value, (at) =>
          schemasAt(contract.closed, schema, at).some((each) => allowsNull(contract.closed, each)),
        );
      }, withItems);
    },
    link: (page, request) => {
      const links = [
        ['next', page.more ? hrefOf(request, page, 1) : undefined],
        ['prev', page.skipped > 0 ? hrefOf(request, page, -1) : undefined],
      ] as const;
      const text = links.flatMap(([relation, href]) => (href === undefined ? [] : [`<${href}>; rel="${relation}"`])).join(', ');
      return text === '' ? undefined : text;
    },
  };
}

function accepts(parameter: Parameter, value: Json): boolean {
  return parameter.kinds.includes('string') && parameter.validate(value).length === 0;
}

/** Number of records in a page; `undefined` for all. A limit that a request states is obeyed, even if it is not sure that the list has pages. */
function limitOf(hasPages: boolean, parameter: Parameter | undefined, values: FilterArguments): number | undefined {
  const asked = values.get(parameter?.key ?? '');
  if (typeof asked === 'number') return Math.max(0, asked);
  return hasPages ? Math.max(0, Number(parameter?.fallback ?? usualLimit)) : undefined;
}

/** Selects and sorts the records that a request asks for, with one evaluator for each order. */
function createSelection(
  list: InferredList,
  collection: WorldCollection,
  kindOf: Parameters<typeof createQuery>[1],
): (records: readonly DataRecord[], values: FilterArguments) => readonly DataRecord[] {
  const filters = new Map([...list.filters].flatMap(([name, guess]) => (isSure(guess) ? [[name, guess.value] as const] : [])));
  const queryOf = memoize((order: string): Query => {
    const keys = order
      .split(',')
      .filter((each) => each !== '')
      .map((each) => {
        const [by = '', direction] = each.split(' ');
        return { by, direction: direction === 'descending' ? 'descending' : 'ascending' } as const;
      });
    return createQuery({ key: collection.key.value, order: keys, filters }, kindOf);
  }, 100);
  return (records, values) => {
    const order = orderOf(list, values);
    const query = queryOf(order);
    const hasFilter = [...filters.keys()].some((name) => values.has(name));
    const matching = hasFilter ? records.filter(query.matching(values)) : records;
    return order === '' ? matching : query.sort(matching);
  };
}

/** The order that a request asks for: pointers with directions; empty for the order of the list. */
function orderOf({ sort }: InferredList, values: FilterArguments): string {
  const asked = sort === undefined ? undefined : values.get(sort.value.parameter);
  if (sort === undefined || asked === undefined) return '';
  const stated = String(values.get(sort.value.direction ?? '') ?? '');
  return [asked]
    .flat()
    .flatMap((text) => String(text).split(','))
    .flatMap((text) => {
      const { field, direction } = readSortValue(text);
      const pointer = sort.value.fields.get(field);
      return pointer === undefined ? [] : [`${pointer} ${direction ?? (/^desc/i.test(stated) ? 'descending' : 'ascending')}`];
    })
    .join(',');
}

/** The records that a page is cut from. */
interface Cut {
  readonly paging: Paging;
  readonly limit: number;
  readonly records: readonly DataRecord[];
  readonly keyOf: (record: DataRecord) => Json;
  readonly cursors: CursorCodec;
}

/** Number of records before the page; `undefined` for a cursor that is none. */
function skippedBy(cut: Cut, values: FilterArguments): number | undefined {
  const { style, start, firstPage } = cut.paging;
  const value = values.get(start ?? '') ?? '';
  if (value === '') return 0;
  if (style === 'page') return Math.max(0, (Number(value) - firstPage) * cut.limit);
  if (style === 'offset') return Math.max(0, Number(value) - firstPage);
  return skippedByCursor(cut, value);
}

/** A cursor of the mock, the key of a record, or a number of records where a cursor must be one. */
function skippedByCursor({ paging, records, keyOf, cursors }: Cut, value: Json): number | undefined {
  const position = cursors.decode(String(value))?.position ?? (paging.style === 'keyset' ? [value, null] : undefined);
  if (position === undefined || position === null) return /^\d+$/.test(String(value)) ? Number(value) : undefined;
  const [key, count] = position;
  const index = records.findIndex((record) => String(keyOf(record)) === String(key));
  if (index >= 0) return index + 1;
  return typeof count === 'number' ? Math.min(count, records.length) : undefined;
}

function startOfNeighbour(
  paging: Paging | undefined,
  { skipped, limit, records }: WorldPage,
  direction: 1 | -1,
  cursorFor: (page: WorldPage) => Json,
): Json | undefined {
  if (paging === undefined || limit === 0) return undefined;
  if (paging.style === 'page') return Math.floor(skipped / limit) + paging.firstPage + direction;
  if (paging.style === 'offset') return Math.max(0, skipped + direction * limit) + paging.firstPage;
  return direction === 1 ? cursorFor({ skipped, limit, records, total: 0, more: true }) : undefined;
}

/** What the response says about a page, by the role of the member; `undefined` for a member that is absent or null. */
function factsOf(
  paging: Paging,
  page: WorldPage,
  cursorFor: (page: WorldPage) => Json,
  keyOf: (record: DataRecord) => Json,
  hrefOf: (direction: 1 | -1) => string | undefined,
): { readonly [Role in keyof PageMembers]: Json | undefined } {
  const { total, limit, skipped, more, records } = page;
  const [first, last] = [records[0], records.at(-1)];
  const pages = limit === 0 ? 0 : Math.ceil(total / limit);
  const isNumbered = paging.style === 'page';
  const next = !more
    ? undefined
    : isNumbered
      ? Math.floor(skipped / Math.max(1, limit)) + paging.firstPage + 1
      : paging.style === 'offset'
        ? skipped + limit
        : cursorFor(page);
  return {
    ...{ total, pages, limit, more, isLast: !more, count: records.length, next },
    page: limit === 0 ? paging.firstPage : Math.floor(skipped / limit) + (isNumbered ? paging.firstPage : 1),
    offset: skipped,
    nextLink: more ? hrefOf(1) : undefined,
    previousLink: skipped > 0 ? hrefOf(-1) : undefined,
    firstKey: first === undefined ? undefined : keyOf(first),
    lastKey: last === undefined ? undefined : keyOf(last),
  };
}

/** A list without pages may still count its records. */
function withTotal(body: Json, page: WorldPage, list: InferredList): Json {
  const total = list.paging?.value.members.total;
  return total === undefined || typeof valueAt(body, total) !== 'number' ? body : withValueAt(body, total, page.total);
}

/** Writes a member. Without a value it becomes null where that is allowed, and is left out elsewhere. A link may be an object with `href`. */
function place(body: Json, pointer: string, value: Json | undefined, isNullable: (pointer: string) => boolean): Json {
  const before = valueAt(body, pointer);
  if (value === undefined) {
    if (isNullable(pointer)) return withValueAt(withoutValuesAt(body, [pointer]), pointer, null);
    return withoutValuesAt(body, [pointer]);
  }
  if (isObject(before) && typeof value === 'string') return withValueAt(body, `${pointer}/href`, value);
  return withValueAt(body, pointer, typeof before === 'string' && typeof value === 'number' ? String(value) : value);
}

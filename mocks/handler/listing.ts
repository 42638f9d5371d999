/** Makes the pages of list operations: reads the cursor, selects the records, and prints them in their envelope. Checks neither keys nor other parameters. */

import type { Collection, CursorPage } from '../../core/annotations/annotations.ts';
import { type Json, type JsonObject, printJson } from '../../core/json.ts';
import { getOrCompute, memoize } from '../../core/memo.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { schemaOfSuccess } from '../../core/openapi/operation.ts';
import { schemasAt } from '../../core/openapi/schema-facts.ts';
import type { RequestProblem, RequestReading } from '../../core/parameters/read-request.ts';
import { withValueAt } from '../../core/pointer.ts';
import { parseInstant } from '../../core/query/instants.ts';
import type { DataRecord, FilterArguments, PageStart } from '../../core/query/query.ts';
import type { Dataset } from '../data/dataset.ts';
import { createStoreOf } from '../data/stores/create-list-store.ts';
import type { Store } from '../data/stores/list-store.ts';
import { chooseLastPageCursor, type LastPageCursor } from './choose-last-page-cursor.ts';
import type { CursorContent } from './cursor.ts';
import { envelopeOf, type Frame, fillAround, frameOf, joinList } from './envelope.ts';
import { createFit } from './fit-record-to-schema.ts';
import { type ListedPage, type ListedRecord, toListedRecord } from './listed-page.ts';
import type { ServedApi } from './served-api.ts';

/** The start and the filter values of a page, with the problems of its cursor. */
export interface ListRequest {
  readonly values: FilterArguments;
  readonly start: PageStart;
  readonly problems: readonly RequestProblem[];
}

/** A page with its body, as JSON in UTF-8. */
interface PrintedPage {
  readonly body: Buffer;
  readonly page: ListedPage;
}

/** A list operation of a served API, compiled once. */
export interface Listing {
  /** Reads the start and the filters of the requested page. A damaged cursor, or one with other filters, is a problem of the request. */
  readonly readRequest: (reading: RequestReading, tenant: string) => ListRequest;
  /**
   * Prints the page; without a tenant, it is empty. For a page past the end: `undefined` if the contract says that it is absent, `'invalid'` if the contract
   * refuses it.
   */
  readonly printPage: (request: ListRequest, tenant: string | undefined, dataset: Dataset) => PrintedPage | undefined | 'invalid';
  /** Does the slow search for a page while the mock responds to other requests; `undefined` if there is none. Only lists with a search have it. */
  readonly prepare?: (request: ListRequest, tenant: string, dataset: Dataset) => Promise<void> | undefined;
}

/** Page size if neither the request nor the contract has one. */
const defaultLimit = 50;

/** Compiles a list operation. */
export function createListing(api: ServedApi, operation: Operation, collection: NonNullable<Operation['collection']>): Listing {
  const schema = schemaOfSuccess(operation.responses) ?? true;
  const { closed } = api.contract;
  const fitRecord = createFit(closed, schemasAt(closed, schema, `${collection.items}/0`));
  const storeOf = createStoreOf(api.contract, collection);
  const printedRecords = new WeakMap<DataRecord, PrintedRecord>();
  const printRecord = (record: DataRecord): PrintedRecord => ({
    bytes: Buffer.from(printJson(fitRecord(record))),
    listed: toListedRecord(record, collection),
  });
  const frames = new Frames(envelopeOf(api, operation), collection.head ?? '');
  // The choice compiles the schema of the list, so it waits for the first last page.
  const lastPageCursor = memoize((page: CursorPage) => chooseLastPageCursor(api.contract, schema, page));
  return {
    readRequest: (reading, tenant) => readListRequest(api, operation, collection, reading, tenant),
    ...(hasSearch(collection) ? { prepare: ({ values }, tenant, dataset) => storeOf(dataset, tenant).prepare?.(values) } : {}),
    printPage: (request, tenant, dataset) => {
      const store = tenant === undefined ? emptyStore : storeOf(dataset, tenant);
      const slice = takeSlice(collection, store, request);
      if (typeof slice === 'string') return slice === 'absent' ? undefined : slice;
      const head = collection.head === undefined || tenant === undefined ? undefined : dataset.head(tenant, collection.name);
      const members = [...slice.members, ...cursorMembers(api, operation, collection, request, slice, tenant, lastPageCursor)];
      const pointers = [collection.items, ...members.map(([pointer]) => pointer)];
      const [before, after] = fillAround(
        frames.of(head ?? noHead, pointers),
        members.map(([, value]) => printJson(value)),
      );
      const records = slice.records.map((record) => getOrCompute(printedRecords, record, printRecord));
      const body = joinList(
        before,
        records.map(({ bytes }) => bytes),
        after,
      );
      const listed = records.map((record) => record.listed);
      return { body, page: { next: nextCursorIn(collection, members), more: slice.more, records: listed } };
    },
  };
}

/** Frames of an envelope, by its head and its members. There are few: the head of a tenant seldom changes, and most pages have the same members. */
class Frames {
  readonly #envelope: Json;
  readonly #place: string;
  readonly #frames = new WeakMap<JsonObject, Map<string, Frame>>();

  /** `place` is the pointer of the head. */
  constructor(envelope: Json, place: string) {
    this.#envelope = envelope;
    this.#place = place;
  }

  /** The frame of a body with this head, and with gaps at these pointers. */
  of(head: JsonObject, pointers: readonly string[]): Frame {
    const framesOfHead = getOrCompute(this.#frames, head, () => new Map<string, Frame>());
    const key = pointers.join('\n');
    const frame =
      framesOfHead.get(key) ?? frameOf(head === noHead ? this.#envelope : withValueAt(this.#envelope, this.#place, head), pointers);
    framesOfHead.set(key, frame);
    return frame;
  }
}

/** True for a list with a text search. */
function hasSearch({ query }: NonNullable<Operation['collection']>): boolean {
  return query.plan?.filters.some(({ filter }) => filter.operator === 'matches') === true;
}

/** Stands for the head of a list that has none. */
const noHead: JsonObject = {};

/** The cursor among the members of a page. */
function nextCursorIn({ page }: Collection, members: readonly (readonly [string, Json])[]): string | undefined {
  const next = page.style === 'cursor' ? members.find(([pointer]) => pointer === page.next)?.[1] : undefined;
  return typeof next === 'string' ? next : undefined;
}

/** The records of a page, and its members about the page, such as its total, without cursors. */
interface Slice {
  readonly records: readonly DataRecord[];
  readonly more: boolean;
  readonly members: readonly (readonly [string, Json])[];
}

/** Selects the records of a page. */
function takeSlice(collection: NonNullable<Operation['collection']>, store: Store, request: ListRequest): Slice | 'absent' | 'invalid' {
  const { page } = collection;
  const wantedLimit = numberIn(request.values, page.limit) ?? defaultLimit;
  if (page.style === 'cursor') {
    const slice = store.page(request.values, request.start, Math.max(1, wantedLimit));
    return { records: slice.records, more: slice.more, members: [[page.more, slice.more]] };
  }
  const count = store.count(request.values);
  if (page.style === 'offset') {
    const skip = Math.max(0, numberIn(request.values, page.offset) ?? 0);
    const slice = store.page(request.values, { skip }, Math.max(0, wantedLimit));
    return { records: slice.records, more: slice.more, members: [...member(page.total, count), ...member(page.more, slice.more)] };
  }
  const limit = Math.max(1, Math.min(wantedLimit, page.cap ?? wantedLimit));
  const lastPage = Math.max(1, Math.ceil(count / limit));
  const wantedPage = Math.max(1, numberIn(request.values, page.page) ?? 1);
  const isBeyond = wantedPage > lastPage;
  if (isBeyond && (page.beyond === 'absent' || page.beyond === 'invalid')) return page.beyond;
  const number = isBeyond && page.beyond === 'last' ? lastPage : wantedPage;
  const total = page.counts === 'overall' ? store.count(new Map()) : count;
  const { records, more } = store.page(request.values, { skip: (number - 1) * limit }, limit);
  return { records, more, members: [...member(page.echo?.limit, limit), ...member(page.echo?.page, number), ...member(page.total, total)] };
}

function member(pointer: string | undefined, value: Json): readonly (readonly [string, Json])[] {
  return pointer === undefined ? [] : [[pointer, value]];
}

/** Reads the cursor of a request. */
function readListRequest(
  api: ServedApi,
  operation: Operation,
  collection: Collection,
  reading: RequestReading,
  tenant: string,
): ListRequest {
  const { page } = collection;
  const values = new Map(reading.values);
  const withoutCursor: ListRequest = { values, start: { after: undefined }, problems: [] };
  if (page.style !== 'cursor' || !reading.sent.has(page.cursor)) return withoutCursor;
  const content = api.cursors.decode(String(reading.values.get(page.cursor)));
  const refuse = (problem: Omit<RequestProblem, 'in'>): ListRequest => ({
    ...withoutCursor,
    problems: [{ in: 'query', ...problem }],
  });
  const hasPosition = content?.position?.length === operation.collection?.query.position({}).length || content?.position === null;
  if (content?.operation !== operation.id || content.tenant !== tenant || !hasPosition) {
    const message = `${page.cursor} was not issued to this caller for this list; use ${page.next} from the previous page.`;
    return refuse({ parameters: [page.cursor], class: 'damaged-cursor', answer: operation.invalid['damaged-cursor'], message });
  }
  const changed = page.fixed.filter((name) => !isSame(canonical(content.fixed[name]), canonical(values.get(name))));
  if (changed.length > 0 && page.changed === 'refused') {
    const message = `${changed.join(' and ')} must not change from page to page; start again without ${page.cursor} to use other values.`;
    return refuse({ parameters: [page.cursor, ...changed], class: 'broken-rule', answer: 'refused', message });
  }
  if (page.changed === 'ignored') restoreFixedValues(values, page, content);
  // A cursor without a position is from an empty page, so its page is empty.
  const start: PageStart = content.position === null ? { skip: Number.MAX_SAFE_INTEGER } : { after: content.position };
  return { values, start, problems: [] };
}

/** Replaces the values of the request by those of the cursor. */
function restoreFixedValues(values: Map<string, Json>, page: CursorPage, content: CursorContent): void {
  for (const name of page.fixed) {
    const value = content.fixed[name] ?? null;
    if (value === null) values.delete(name);
    else values.set(name, value);
  }
}

/** The cursor member of a page, if it has one. */
function cursorMembers(
  api: ServedApi,
  operation: Operation,
  collection: NonNullable<Operation['collection']>,
  request: ListRequest,
  slice: Slice,
  tenant: string | undefined,
  lastPageCursor: (page: CursorPage) => LastPageCursor,
): readonly (readonly [string, Json])[] {
  const { page, query } = collection;
  if (page.style !== 'cursor') return [];
  const last = slice.records.at(-1);
  // The cursor of an empty page keeps the position of the request.
  const requested = 'after' in request.start ? request.start.after : undefined;
  const position = last === undefined ? (requested ?? null) : query.position(last);
  const fixed = Object.fromEntries(page.fixed.map((name) => [name, request.values.get(name) ?? null]));
  const encode = (): string => api.cursors.encode({ operation: operation.id, tenant: tenant ?? '', position, fixed });
  if (slice.more) return [[page.next, encode()]];
  const choice = lastPageCursor(page);
  return choice === 'absent' ? [] : [[page.next, choice === 'null' ? null : encode()]];
}

/** The comparable form of a value: lists without order and duplicates, instants without their spelling. */
function canonical(value: Json | undefined): Json {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return [...new Set((value as readonly Json[]).map(String))].sort();
  return typeof value === 'string' ? (parseInstant(value)?.toString() ?? value) : value;
}

function isSame(left: Json, right: Json): boolean {
  return printJson(left) === printJson(right);
}

function numberIn(values: FilterArguments, name: string): number | undefined {
  const value = values.get(name);
  return typeof value === 'number' ? value : undefined;
}

/** A store without records, for callers without a tenant and for values that select nothing. */
const emptyStore: Store = { page: () => ({ records: [], more: false }), count: () => 0, find: () => undefined };

/** A record in a page, with its JSON. */
interface PrintedRecord {
  readonly bytes: Buffer;
  readonly listed: ListedRecord;
}

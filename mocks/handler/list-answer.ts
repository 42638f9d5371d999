/** Answers of list operations: which records, which page of them, and what stands around them. */

import type { Collection, CursorPage } from '../../core/annotations/annotations.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { schemaOfSuccess } from '../../core/openapi/read-operations.ts';
import { schemasAt } from '../../core/openapi/schema.ts';
import type { RequestProblem, RequestReading } from '../../core/parameters/read-request.ts';
import { withValueAt } from '../../core/pointer.ts';
import { parseInstant } from '../../core/query/instant.ts';
import { type DataRecord, type FilterArguments, type PageStart, planOf } from '../../core/query/query.ts';
import type { Dataset } from '../data/dataset.ts';
import { createStores } from '../data/history/choose-store.ts';
import type { Store } from '../data/history/list-store.ts';
import type { CursorContent } from './cursor.ts';
import { envelopeOf, type Frame, fillAround, frameOf, joinList } from './envelope.ts';
import { createFit, type Fit } from './fit-schema.ts';
import { chooseLastCursor, type LastCursor } from './last-cursor.ts';
import type { ServedApi } from './served-api.ts';

/** Start and filter values of a list, after its cursor is read. */
export interface ListRequest {
  readonly values: FilterArguments;
  readonly start: PageStart;
  readonly problems: readonly RequestProblem[];
}

/** The body of a page as JSON in UTF-8, and the cursor that it gives. */
export interface AnsweredPage {
  readonly body: Buffer;
  readonly next: string | undefined;
}

/** A list operation of a served API, compiled once. */
export interface Listing {
  /** Reads the page that is asked for; a damaged or changed cursor is a problem of the request. */
  readonly read: (reading: RequestReading, tenant: string) => ListRequest;
  /** The body of the page; without a tenant, of an empty one. `undefined` when the contract says that a page past the end is absent, `'invalid'` when it is refused. */
  readonly answer: (request: ListRequest, tenant: string | undefined, dataset: Dataset) => AnsweredPage | undefined | 'invalid';
  /** Makes what a page needs and takes long; `undefined` when it can be answered at once. Lists that nobody can search need nothing. */
  readonly prepare?: (request: ListRequest, tenant: string, dataset: Dataset) => Promise<void> | undefined;
}

/** A page when neither the request nor the contract says how large it is. */
const customaryLimit = 50;

/** Compiles a list operation. */
export function createListing(api: ServedApi, operation: Operation, collection: NonNullable<Operation['collection']>): Listing {
  const schema = schemaOfSuccess(operation.responses) ?? true;
  const { closed } = api.contract;
  const shape = createFit(closed, schemasAt(closed, schema, `${collection.items}/0`));
  const storeOf = createStores(api.contract, collection);
  const printed = new WeakMap<DataRecord, Buffer>();
  const frames = new Frames(envelopeOf(api, operation), collection.head ?? '');
  const lastCursor = collection.page.style === 'cursor' ? chooseLastCursor(api.contract, schema, collection.page) : undefined;
  return {
    read: (reading, tenant) => readList(api, operation, collection, reading, tenant),
    ...(hasSearch(collection) ? { prepare: ({ values }, tenant, dataset) => storeOf(dataset, tenant).prepare?.(values) } : {}),
    answer: (request, tenant, dataset) => {
      const store = tenant === undefined ? nothing : storeOf(dataset, tenant);
      const slice = takeSlice(collection, store, request);
      if (typeof slice === 'string') return slice === 'absent' ? undefined : slice;
      const head = collection.head === undefined || tenant === undefined ? undefined : dataset.head(tenant, collection.name);
      const members = [...slice.members, ...cursorMembers(api, operation, collection, request, slice, tenant, lastCursor)];
      const pointers = [collection.items, ...members.map(([pointer]) => pointer)];
      const [before, after] = fillAround(
        frames.of(head ?? none, pointers),
        members.map(([, value]) => JSON.stringify(value)),
      );
      const records = slice.records.map((record) => printOnce(printed, record, shape));
      return { body: joinList(before, records, after), next: nextIn(collection, members) };
    },
  };
}

/** The frames of an envelope: few, since answers differ little in which members they have, and a tenant's head is the same for a long time. */
class Frames {
  readonly #envelope: Json;
  readonly #place: string;
  readonly #known = new WeakMap<JsonObject, Map<string, Frame>>();

  /** Takes the pointer at which heads stand. */
  constructor(envelope: Json, place: string) {
    this.#envelope = envelope;
    this.#place = place;
  }

  of(head: JsonObject, pointers: readonly string[]): Frame {
    const known = this.#known.get(head) ?? new Map<string, Frame>();
    this.#known.set(head, known);
    const key = pointers.join('\n');
    const frame = known.get(key) ?? frameOf(head === none ? this.#envelope : withValueAt(this.#envelope, this.#place, head), pointers);
    known.set(key, frame);
    return frame;
  }
}

function hasSearch({ query }: NonNullable<Operation['collection']>): boolean {
  return planOf(query)?.filters.some(({ filter }) => filter.operator === 'matches') === true;
}

/** Envelope fields of a list without any. */
const none: JsonObject = {};

/** The cursor that a page gives. */
function nextIn({ page }: Collection, members: readonly (readonly [string, Json])[]): string | undefined {
  const next = page.style === 'cursor' ? members.find(([pointer]) => pointer === page.next)?.[1] : undefined;
  return typeof next === 'string' ? next : undefined;
}

/** A slice with the members that tell of it, other than cursors. */
interface Slice {
  readonly records: readonly DataRecord[];
  readonly more: boolean;
  readonly members: readonly (readonly [string, Json])[];
}

function takeSlice(collection: NonNullable<Operation['collection']>, store: Store, request: ListRequest): Slice | 'absent' | 'invalid' {
  const { page } = collection;
  const asked = numberIn(request.values, page.limit) ?? customaryLimit;
  if (page.style === 'cursor') {
    const { records, more } = store.page(request.values, request.start, Math.max(1, asked));
    return { records, more, members: [[page.more, more]] };
  }
  const count = store.count(request.values);
  if (page.style === 'offset') {
    const skip = Math.max(0, numberIn(request.values, page.offset) ?? 0);
    const { records, more } = store.page(request.values, { skip }, Math.max(0, asked));
    return { records, more, members: [...member(page.total, count), ...member(page.more, more)] };
  }
  const limit = Math.max(1, Math.min(asked, page.cap ?? asked));
  const lastPage = Math.max(1, Math.ceil(count / limit));
  const wanted = Math.max(1, numberIn(request.values, page.page) ?? 1);
  const isBeyond = wanted > lastPage;
  if (isBeyond && (page.beyond === 'absent' || page.beyond === 'invalid')) return page.beyond;
  const number = isBeyond && page.beyond === 'last' ? lastPage : wanted;
  const total = page.counts === 'overall' ? store.count(new Map()) : count;
  const { records, more } = store.page(request.values, { skip: (number - 1) * limit }, limit);
  return { records, more, members: [...member(page.echo?.limit, limit), ...member(page.echo?.page, number), ...member(page.total, total)] };
}

function member(pointer: string | undefined, value: Json): readonly (readonly [string, Json])[] {
  return pointer === undefined ? [] : [[pointer, value]];
}

function readList(api: ServedApi, operation: Operation, collection: Collection, reading: RequestReading, tenant: string): ListRequest {
  const { page } = collection;
  const values = new Map(reading.values);
  const plain: ListRequest = { values, start: { after: undefined }, problems: [] };
  if (page.style !== 'cursor' || !reading.sent.has(page.cursor)) return plain;
  const content = api.cursors.decode(String(reading.values.get(page.cursor)));
  const refuse = (problem: Omit<RequestProblem, 'in'>): ListRequest => ({
    ...plain,
    problems: [{ in: 'query', ...problem }],
  });
  const isPlace = content?.position?.length === operation.collection?.query.position({}).length || content?.position === null;
  if (content?.operation !== operation.id || content.tenant !== tenant || !isPlace) {
    const message = `${page.cursor} is not a cursor that this list gave to this caller; take it from ${page.next} of the page before.`;
    return refuse({ parameters: [page.cursor], class: 'damaged-cursor', answer: operation.invalid['damaged-cursor'], message });
  }
  const changed = page.fixed.filter((name) => !isSame(canonical(content.fixed[name]), canonical(values.get(name))));
  if (changed.length > 0 && page.changed === 'refused') {
    const message = `${changed.join(' and ')} must stay unchanged while paging; start again without ${page.cursor} to use other values.`;
    return refuse({ parameters: [page.cursor, ...changed], class: 'broken-rule', answer: 'refused', message });
  }
  if (page.changed === 'ignored') restore(values, page, content);
  // A cursor without a place came with an empty list.
  const start: PageStart = content.position === null ? { skip: Number.MAX_SAFE_INTEGER } : { after: content.position };
  return { values, start, problems: [] };
}

/** The cursor's values win over the request's. */
function restore(values: Map<string, Json>, page: CursorPage, content: CursorContent): void {
  for (const name of page.fixed) {
    const value = content.fixed[name] ?? null;
    if (value === null) values.delete(name);
    else values.set(name, value);
  }
}

function cursorMembers(
  api: ServedApi,
  operation: Operation,
  collection: NonNullable<Operation['collection']>,
  request: ListRequest,
  slice: Slice,
  tenant: string | undefined,
  lastCursor: LastCursor | undefined,
): readonly (readonly [string, Json])[] {
  const { page, query } = collection;
  if (page.style !== 'cursor') return [];
  const last = slice.records.at(-1);
  // Nothing comes after an empty page, so a cursor that is given all the same stays where it was asked for.
  const asked = 'after' in request.start ? request.start.after : undefined;
  const position = last === undefined ? (asked ?? null) : query.position(last);
  const fixed = Object.fromEntries(page.fixed.map((name) => [name, request.values.get(name) ?? null]));
  const encode = (): string => api.cursors.encode({ operation: operation.id, tenant: tenant ?? '', position, fixed });
  if (slice.more) return [[page.next, encode()]];
  return lastCursor === 'given' ? [[page.next, encode()]] : lastCursor === 'null' ? [[page.next, null]] : [];
}

/** A value as it is compared: lists without order and repetition, instants by their moment. */
function canonical(value: Json | undefined): Json {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return [...new Set((value as readonly Json[]).map(String))].sort();
  return typeof value === 'string' ? (parseInstant(value)?.toString() ?? value) : value;
}

function isSame(left: Json, right: Json): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function numberIn(values: FilterArguments, name: string): number | undefined {
  const value = values.get(name);
  return typeof value === 'number' ? value : undefined;
}

/** No records at all: what a caller is shown to whom nothing belongs. */
const nothing: Store = { page: () => ({ records: [], more: false }), count: () => 0, find: () => undefined };

function printOnce(known: WeakMap<DataRecord, Buffer>, record: DataRecord, shape: Fit): Buffer {
  const ready = known.get(record);
  if (ready !== undefined) return ready;
  const result = Buffer.from(JSON.stringify(shape(record)));
  known.set(record, result);
  return result;
}

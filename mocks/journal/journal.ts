/**
 * The journal of a mock or proxy: its last exchanges, bounded in number and bytes. `create-control.ts` and `start-proxy.ts` create it and record every
 * exchange; programs and the control endpoint read it. It masks keys and personal data in everything that it shows.
 */

import { hash } from 'node:crypto';
import type { CursorPage } from '../../core/annotations/annotations.ts';
import { UsageError } from '../../core/errors.ts';
import { type Exchange, type HttpHeaders, type HttpResponse, splitTarget } from '../../core/http/exchange.ts';
import type { Json } from '../../core/json.ts';
import { getOrCompute } from '../../core/memo.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { decodeOrKeep, splitQuery } from '../../core/parameters/query-string.ts';
import { fromPointer, valueAt } from '../../core/pointer.ts';
import { RecentCache } from '../../core/recent-cache.ts';
import { createMask, type Mask, personal } from '../../core/redaction/mask-personal-data.ts';
import { createRedactor, type Redactor } from '../../core/redaction/redact-secrets.ts';
import { printInstant } from '../clock.ts';
import { readErrorMessage } from '../handler/error-response.ts';
import { type PreparedResponse, preparedToHttpResponse, type Served } from '../handler/prepare-response.ts';
import type { ServedApi } from '../handler/served-api.ts';
import type { CursorProvenance, JournalEntry, JournalProblem, JournalQuery, JournalSummary, KeptExchange } from './journal-types.ts';

/** The last exchanges of a mock, without keys and personal data. */
export interface Journal {
  /** Lists the entries: the oldest first, unless the query says otherwise. */
  readonly entries: (query?: JournalQuery) => readonly JournalSummary[];
  /** Returns an entry with headers and body; `undefined` if the journal does not have this number, or no longer. */
  readonly entry: (number: number) => JournalEntry | undefined;
  /** Returns the number of the last exchange; 0 before the first. */
  readonly last: () => number;
  /** Removes all entries and the memory of given cursors. The numbers continue. */
  readonly clear: () => void;
}

/** A journal with its write side, for `create-control.ts`. */
export interface JournalWriter extends Journal {
  /** Stores an exchange under the next number. */
  readonly record: (served: Served) => RecordedExchange;
  /** Returns the stored exchanges, oldest first, with personal data. A dropped body is empty. */
  readonly kept: () => Iterable<KeptExchange>;
  /** Returns an upper bound of the memory that the entries take. */
  readonly bytes: () => number;
}

/** A stored exchange. Its summary is made only when a caller needs it. */
export interface RecordedExchange {
  readonly kept: KeptExchange;
  readonly summarize: (kept: KeptExchange) => JournalSummary;
}

/** Settings of a journal. */
export interface JournalOptions {
  /** Maximum number of entries. Default: 1000. */
  readonly limit?: number | undefined;
  /** The served APIs, which a reload may change. */
  readonly apis: () => readonly ServedApi[];
  /** The mock's clock, for exchanges that reached no API. */
  readonly now: () => number;
  /** The real time in milliseconds. */
  readonly wall: () => number;
}

/** Default number of entries. */
export const defaultEntries = 1000;

/** Maximum number of entries. */
export const maxEntries = 10_000;

/** Memory limits in bytes: of all entries together (`all`, or `entry` times the number of entries if that is more), and of one body. */
export const journalBytes: { readonly all: number; readonly entry: number; readonly body: number } = {
  all: 4 * 1024 * 1024,
  entry: 4 * 1024,
  body: 1024 * 1024,
};

/**
 * Creates an empty journal.
 * @throws {UsageError} for an invalid maximum number of entries.
 */
export function createJournal({ limit = defaultEntries, apis, now, wall }: JournalOptions): JournalWriter {
  if (!Number.isInteger(limit) || limit < 0 || limit > maxEntries)
    throw new UsageError(`the journal cannot have ${limit} entries; write a whole number from 0 to ${maxEntries}`);
  const exchanges = new ExchangeRing(limit);
  const cursors = createCursorTracker(apis);
  const view = createEntryView(apis);
  let last = 0;
  return {
    record: (served) => {
      last += 1;
      const { request, response, durationMs, connection } = served;
      const kept: KeptExchange = {
        number: last,
        wallMs: wall(),
        nowMs: response.context?.nowMs ?? now(),
        request,
        response,
        bodyLength: response.body.length,
        hasBody: true,
        durationMs,
        connection,
        cursor: cursors.track(served, last),
      };
      exchanges.put(kept);
      return { kept, summarize: view.summary };
    },
    entries: (query = {}) => {
      const { after = 0, first = 'oldest', limit: maximum = Number.POSITIVE_INFINITY } = query;
      const found = [...exchanges.after(after)].filter((kept) => matchesQuery(kept, query));
      return (first === 'newest' ? found.reverse() : found).slice(0, maximum).map(view.summary);
    },
    entry: (number) => {
      const kept = exchanges.get(number);
      return kept === undefined ? undefined : view.entry(kept);
    },
    last: () => last,
    kept: () => exchanges.after(0),
    bytes: () => exchanges.bytes,
    clear: () => {
      exchanges.clear();
      cursors.clear();
    },
  };
}

function matchesQuery({ number, response, response: { context } }: KeptExchange, query: JournalQuery): boolean {
  const { before = Number.POSITIVE_INFINITY, operation, role, status } = query;
  if (number >= before) return false;
  if (operation !== undefined && context?.operation !== operation) return false;
  if (role !== undefined && context?.role !== role) return false;
  return status === undefined || String(response.status) === status || `${Math.floor(response.status / 100)}xx` === status;
}

/** Estimated bytes of an entry besides its texts, and maximum bytes of a character in memory. */
const [bytesPerEntry, bytesPerCharacter] = [1024, 2];

/** A kept exchange with its estimated bytes. */
interface SizedExchange {
  readonly exchange: KeptExchange;
  readonly bytes: number;
}

/**
 * Ring buffer of exchanges by number: the newest replaces the oldest. Above the limit of bytes, it drops the oldest bodies first, and then the oldest
 * entries.
 */
class ExchangeRing {
  bytes = 0;
  private readonly limit: number;
  private readonly bytesMax: number;
  private readonly ring: (SizedExchange | undefined)[] = [];
  /** Numbers of the oldest and of the next entry. */
  private oldest = 1;
  private next = 1;
  /** Entries with a smaller number have no body. */
  private bodiesFrom = 1;

  constructor(limit: number) {
    this.limit = limit;
    this.bytesMax = Math.max(journalBytes.all, limit * journalBytes.entry);
  }

  get(number: number): KeptExchange | undefined {
    return this.weighed(number)?.exchange;
  }

  /** Yields the entries with a greater number. */
  *after(number: number): Generator<KeptExchange, void, undefined> {
    for (let current = Math.max(number + 1, this.oldest); current < this.next; current += 1) {
      const exchange = this.get(current);
      if (exchange !== undefined) yield exchange;
    }
  }

  /** Adds an exchange, whose number must be the next one. */
  put(exchange: KeptExchange): void {
    this.next = exchange.number + 1;
    while (this.next - this.oldest > this.limit) this.dropOldest();
    if (this.limit === 0) return;
    this.set(exchange.bodyLength > journalBytes.body ? withoutBody(exchange) : exchange);
    while (this.bytes > this.bytesMax && this.bodiesFrom < exchange.number) this.dropOldestBody();
    while (this.bytes > this.bytesMax) this.dropOldest();
  }

  clear(): void {
    while (this.oldest < this.next) this.dropOldest();
  }

  private weighed(number: number): SizedExchange | undefined {
    return number >= this.oldest && number < this.next ? this.ring[number % this.limit] : undefined;
  }

  private set(exchange: KeptExchange): void {
    const bytes = sizeOf(exchange);
    this.bytes += bytes;
    this.ring[exchange.number % this.limit] = { exchange, bytes };
  }

  private dropOldest(): void {
    this.remove(this.oldest);
    this.oldest += 1;
  }

  private dropOldestBody(): void {
    const exchange = this.remove(this.bodiesFrom);
    this.bodiesFrom += 1;
    if (exchange !== undefined) this.set(withoutBody(exchange));
  }

  private remove(number: number): KeptExchange | undefined {
    const found = this.weighed(number);
    if (found === undefined) return undefined;
    this.ring[number % this.limit] = undefined;
    this.bytes -= found.bytes;
    return found.exchange;
  }
}

const nothing = Buffer.alloc(0);

/** Returns the exchange with an empty response body. Whoever keeps an exchange for long keeps it without the body, which may be large. */
export function withoutBody(kept: KeptExchange): KeptExchange {
  return { ...kept, response: { ...kept.response, body: nothing, encoded: undefined }, hasBody: false };
}

/** Returns an upper bound of the bytes of an entry. It uses loops, because every request needs it. */
function sizeOf({ request, response }: KeptExchange): number {
  let characters = request.method.length + request.target.length;
  characters += lengthOfFields(request.headers) + lengthOfFields(response.headers);
  for (const { message } of response.context?.problems ?? []) characters += message.length;
  for (const note of response.context?.chaos ?? []) characters += note.length;
  const { body, encoded = body } = response;
  return bytesPerEntry + bytesPerCharacter * characters + body.length + (encoded === body ? 0 : encoded.length);
}

function lengthOfFields(headers: HttpHeaders): number {
  let length = 0;
  for (const name in headers) {
    const value = headers[name] ?? '';
    length += name.length;
    if (typeof value === 'string') length += value.length;
    else for (const item of value) length += item.length;
  }
  return length;
}

/** Converts kept exchanges to entries without keys and personal data. */
interface EntryView {
  readonly summary: (kept: KeptExchange) => JournalSummary;
  readonly entry: (kept: KeptExchange) => JournalEntry;
}

/** Creates the view for the exchanges of the served APIs, which a reload may change. */
function createEntryView(apis: () => readonly ServedApi[]): EntryView {
  const masks = new WeakMap<Contract, Mask>();
  const maskOf = ({ contract }: ServedApi): Mask => {
    return getOrCompute(masks, contract, () => createMask(contract));
  };
  const maskPersonal = (kept: KeptExchange, exchange: Exchange): Exchange => {
    // A request that reached no API may contain personal data of any API.
    const concerned = apis().filter(
      ({ contract }) => kept.response.context === undefined || contract.name === kept.response.context.contract,
    );
    return concerned.reduce((shown, api) => maskOf(api).mask(shown), exchange);
  };
  const redactors = new WeakMap<readonly ServedApi[], Redactor>();
  const currentRedactor = (): Redactor => {
    const all = apis();
    return getOrCompute(redactors, all, () => createRedactor(all.flatMap(({ keys }) => [...keys.byRole.values()]).map(asSecret)));
  };
  const reasonOf = ({ response: { status, body, context } }: KeptExchange): string | undefined => {
    if (status < 400) return undefined;
    const api = apis().find(({ contract }) => contract.name === context?.contract) ?? apis()[0];
    const message = readErrorMessage(body.toString(), api?.contract);
    return message === undefined ? undefined : currentRedactor().clean(message);
  };
  // Requests and error messages arrive without keys (`hide-keys.ts`). Response headers and bodies are cleaned here.
  const summary = (kept: KeptExchange): JournalSummary => {
    const { request } = maskPersonal(kept, { request: kept.request, response: { ...headOf(kept), body: '' } });
    return toSummary(kept, request.target, reasonOf(kept));
  };
  return {
    summary,
    entry: (kept) => {
      const { clean } = currentRedactor();
      const shown = maskPersonal(kept, { request: kept.request, response: preparedToHttpResponse(kept.response) });
      // An error message may repeat personal data of the target, so the whole body is masked.
      const mayRepeatTarget = shown.request.target !== kept.request.target && kept.response.status >= 400;
      return {
        ...summary(kept),
        requestHeaders: shown.request.headers,
        responseHeaders: cleanHeaders(shown.response.headers, clean),
        body: kept.bodyLength > 0 && !kept.hasBody ? null : mayRepeatTarget ? personal : clean(shown.response.body),
        bodyLength: kept.bodyLength,
      };
    },
  };
}

/** Returns status and headers of the response, which is all that a summary needs. */
function headOf({ response: { status, headers } }: KeptExchange): Pick<HttpResponse, 'status' | 'headers'> {
  return { status, headers };
}

function asSecret(value: string): { readonly name: string; readonly value: string } {
  return { name: 'KEY', value };
}

function toSummary(kept: KeptExchange, target: string, reason: string | undefined): JournalSummary {
  const { number, cursor, request, response } = kept;
  const { context } = response;
  // Messages quote invalid values.
  const isPersonal = target !== request.target;
  const hideQuoted = (problem: JournalProblem): JournalProblem => (isPersonal ? { ...problem, message: personal } : problem);
  return {
    number,
    instant: printInstant(kept.nowMs),
    wallInstant: new Date(kept.wallMs).toISOString(),
    contract: context?.contract ?? null,
    operation: context?.operation ?? null,
    role: context?.role ?? null,
    method: request.method,
    target,
    status: response.status,
    durationMs: Math.round(kept.durationMs * 100) / 100,
    isCached: context?.isCached ?? false,
    chaos: context?.chaos ?? [],
    problems: (context?.problems ?? []).map(hideQuoted),
    reason: reason === undefined ? null : isPersonal ? personal : reason,
    ...(cursor === undefined ? {} : { cursor }),
  };
}

function cleanHeaders(headers: HttpHeaders, clean: Redactor['clean']): HttpHeaders {
  const shown = Object.entries(headers).map(([name, value]) => [
    name,
    value === undefined || typeof value === 'string' ? value && clean(value) : value.map(clean),
  ]);
  return Object.fromEntries(shown);
}

/** Remembers which response gave each cursor, to find the origin of a request's cursor. */
interface CursorTracker {
  /** Returns the origin of the request's cursor, and remembers the response's next cursor under a number. Returns `undefined` for other operations. */
  readonly track: (served: Served, number: number) => CursorProvenance | undefined;
  readonly clear: () => void;
}

/** Number of remembered cursors, of which the newer half is always kept. Their hashes take about two megabytes. */
const cursorsKept = 20_000;

/** Creates a tracker for the cursors of the served APIs, which a reload may change. */
function createCursorTracker(apis: () => readonly ServedApi[]): CursorTracker {
  const givenBy = new RecentCache<string, number>(cursorsKept);
  // The last response and the hash of its cursor, because the cache often gives the same response several times in a row.
  let latest: { readonly body?: Buffer; readonly page?: CursorPage; readonly hash?: string | undefined } = {};
  const hashOfNext = ({ body, page: known }: PreparedResponse, page: CursorPage): string | undefined => {
    if (latest.body !== body || latest.page !== page) {
      const next = known === undefined ? nextIn(body, page) : known.next;
      latest = { body, page, hash: next === undefined ? undefined : hashOf(next) };
    }
    return latest.hash;
  };
  const originOf = (cursor: string | undefined, api: ServedApi): CursorProvenance => {
    if (cursor === undefined) return { kind: 'first' };
    const by = givenBy.get(hashOf(cursor));
    if (by !== undefined) return { kind: 'given', by };
    return { kind: api.cursors.decode(cursor) === undefined ? 'not-given' : 'given-elsewhere' };
  };
  return {
    track: ({ request, response }, number) => {
      const { context } = response;
      const api = apis().find(({ contract }) => contract.name === context?.contract);
      const page = api?.contract.operations.find(({ id }) => id === context?.operation)?.collection?.page;
      if (api === undefined || page?.style !== 'cursor') return undefined;
      const origin = originOf(cursorIn(request.target, page), api);
      const next = response.status === 200 ? hashOfNext(response, page) : undefined;
      if (next !== undefined) givenBy.set(next, number);
      return origin;
    },
    clear: () => givenBy.clear(),
  };
}

function hashOf(cursor: string): string {
  return hash('sha256', cursor, 'base64url').slice(0, 22);
}

function cursorIn(target: string, { cursor }: CursorPage): string | undefined {
  // Shortcut for most targets, which have neither a cursor nor encoded characters.
  if (!target.includes(cursor) && !/[%+]/.test(target)) return undefined;
  const found = splitQuery(splitTarget(target).query).find(([name]) => name === cursor);
  return found === undefined ? undefined : decodeOrKeep(found[1]);
}

/**
 * Returns the next cursor of a response. Parsing a page takes longer than answering it, so the bytes are searched for the member's name. A match is always a
 * member, since inside a string its quotes would be escaped. Only a name that occurs twice needs the parser.
 */
function nextIn(bytes: Buffer, { next }: CursorPage): string | undefined {
  const mark = `${JSON.stringify(fromPointer(next).at(-1) ?? '')}:`;
  const at = bytes.indexOf(mark);
  if (at < 0) return undefined;
  const isOnly = bytes.lastIndexOf(mark) === at;
  const value = isOnly ? textAt(bytes, at + Buffer.byteLength(mark)) : valueAt(JSON.parse(bytes.toString()) as Json, next);
  return typeof value === 'string' ? value : undefined;
}

const [quote, backslash] = [0x22, 0x5c] as const;

/** Returns the JSON string at an offset; `undefined` if the value there is not a string. */
function textAt(bytes: Buffer, at: number): string | undefined {
  if (bytes[at] !== quote) return undefined;
  let end = at + 1;
  while (end < bytes.length && bytes[end] !== quote) end += bytes[end] === backslash ? 2 : 1;
  return JSON.parse(bytes.toString('utf8', at, end + 1)) as string;
}

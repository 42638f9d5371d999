/**
 * The journal of a mock: its last exchanges, bounded in number and in bytes. Entries are shown without keys and personal fields, and with where the cursor of
 * each request comes from.
 */

import { hash } from 'node:crypto';
import type { CursorPage } from '../../core/annotations/annotations.ts';
import { UsageError } from '../../core/errors.ts';
import { type Exchange, type HttpHeaders, type HttpResponse, splitTarget } from '../../core/http/exchange.ts';
import type { Json } from '../../core/json.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { decodeOrKeep, splitQuery } from '../../core/parameters/parameter-style.ts';
import { fromPointer, valueAt } from '../../core/pointer.ts';
import { personal } from '../../core/redaction/mask-text.ts';
import { createMask, type Mask } from '../../core/redaction/personal-data.ts';
import { createRedactor, type Redactor } from '../../core/redaction/redaction.ts';
import { printInstant } from '../clock.ts';
import { Recent } from '../data/history/recently-used.ts';
import { type PreparedResponse, preparedToHttpResponse, type Served } from '../handler/mock-response.ts';
import type { ServedApi } from '../handler/served-api.ts';
import type { CursorProvenance, JournalEntry, JournalProblem, JournalQuery, JournalSummary, KeptExchange } from './journal-entry.ts';

/** The last exchanges of a mock, as they may be shown: without keys and without personal fields. */
export interface Journal {
  /** Oldest first. */
  readonly entries: (query?: JournalQuery) => readonly JournalSummary[];
  /** An entry with headers and body; `undefined` when there is none of that number, or no longer. */
  readonly entry: (number: number) => JournalEntry | undefined;
  /** The number of the last exchange so far; 0 before the first. */
  readonly last: () => number;
  /** Forgets all entries, and which cursors were given. Numbers go on. */
  readonly clear: () => void;
}

/** A journal that is written to. */
export interface JournalWriter extends Journal {
  /** Takes an exchange down under the next number; what it returns tells what was taken down. */
  readonly record: (served: Served) => () => JournalSummary;
  /** The exchanges that it has, oldest first, as they may not be shown; a body that had to make room is empty. */
  readonly kept: () => Iterable<KeptExchange>;
  /** Most bytes that its texts take. */
  readonly bytes: () => number;
}

/** Settings of a journal. */
export interface JournalOptions {
  /** The most entries; 1000 unless said otherwise. */
  readonly limit?: number | undefined;
  /** The APIs whose exchanges it takes down; they may change while the mock runs. */
  readonly apis: () => readonly ServedApi[];
  /** The mock's clock, for exchanges that never came to an API. */
  readonly now: () => number;
  /** The clock on the wall. */
  readonly wall: () => number;
}

/** Default number of entries. */
export const defaultEntries = 1000;

/** Largest number of entries. */
export const mostEntries = 10_000;

/** The most bytes that all texts of a journal take, that each entry of a large journal adds to it, and that the body of one entry takes. */
export const journalBytes: { readonly all: number; readonly entry: number; readonly body: number } = {
  all: 4 * 1024 * 1024,
  entry: 4 * 1024,
  body: 1024 * 1024,
};

/**
 * An empty journal.
 * @throws {UsageError} when its limit is no number of entries.
 */
export function createJournal({ limit = defaultEntries, apis, now, wall }: JournalOptions): JournalWriter {
  if (!Number.isInteger(limit) || limit < 0 || limit > mostEntries)
    throw new UsageError(`a journal of ${limit} entries cannot be kept; name a whole number from 0 to ${mostEntries}`);
  const shelf = new Shelf(limit);
  const provenance = createProvenance(apis);
  const showing = createShowing(apis);
  let last = 0;
  return {
    record: (served) => {
      last += 1;
      const { request, response, durationMs } = served;
      const kept: KeptExchange = {
        number: last,
        wallMs: wall(),
        nowMs: response.context?.nowMs ?? now(),
        request,
        response,
        bodyLength: response.body.length,
        hasBody: true,
        durationMs,
        cursor: provenance.see(served, last),
      };
      shelf.put(kept);
      return () => showing.summary(kept);
    },
    entries: (query = {}) => {
      const { after = 0, limit: most = Number.POSITIVE_INFINITY } = query;
      return [...shelf.after(after)]
        .filter((kept) => isWanted(kept, query))
        .slice(0, most)
        .map(showing.summary);
    },
    entry: (number) => {
      const kept = shelf.get(number);
      return kept === undefined ? undefined : showing.entry(kept);
    },
    last: () => last,
    kept: () => shelf.after(0),
    bytes: () => shelf.bytes,
    clear: () => {
      shelf.clear();
      provenance.clear();
    },
  };
}

function isWanted({ response: { status: given, context } }: KeptExchange, { operation, role, status }: JournalQuery): boolean {
  if (operation !== undefined && context?.operation !== operation) return false;
  if (role !== undefined && context?.role !== role) return false;
  return status === undefined || String(given) === status || `${Math.floor(given / 100)}xx` === status;
}

/** Bytes of an entry besides its texts, and most bytes of a character. */
const [bytesPerEntry, bytesPerCharacter] = [1024, 2];

/** A kept exchange with the bytes that it takes. */
interface Weighed {
  readonly exchange: KeptExchange;
  readonly bytes: number;
}

/**
 * Entries by number, in a ring: the newest takes the place of the oldest. When there are too many bytes, the oldest bodies go first, and then the oldest
 * entries.
 */
class Shelf {
  bytes = 0;
  private readonly limit: number;
  private readonly bytesMax: number;
  private readonly ring: (Weighed | undefined)[] = [];
  /** The numbers of the oldest entry, and of the one that comes next. */
  private oldest = 1;
  private next = 1;
  /** No entry with a smaller number has a body. */
  private bodiesFrom = 1;

  constructor(limit: number) {
    this.limit = limit;
    this.bytesMax = Math.max(journalBytes.all, limit * journalBytes.entry);
  }

  get(number: number): KeptExchange | undefined {
    return this.weighed(number)?.exchange;
  }

  /** Entries with a greater number. */
  *after(number: number): Generator<KeptExchange, void, undefined> {
    for (let each = Math.max(number + 1, this.oldest); each < this.next; each += 1) {
      const exchange = this.get(each);
      if (exchange !== undefined) yield exchange;
    }
  }

  /** Puts the exchange of the next number there. */
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

  private weighed(number: number): Weighed | undefined {
    return number >= this.oldest && number < this.next ? this.ring[number % this.limit] : undefined;
  }

  private set(exchange: KeptExchange): void {
    const bytes = sizeOf(exchange);
    this.bytes += bytes;
    this.ring[exchange.number % this.limit] = { exchange, bytes };
  }

  private dropOldest(): void {
    this.take(this.oldest);
    this.oldest += 1;
  }

  private dropOldestBody(): void {
    const exchange = this.take(this.bodiesFrom);
    this.bodiesFrom += 1;
    if (exchange !== undefined) this.set(withoutBody(exchange));
  }

  /** Takes an entry away. */
  private take(number: number): KeptExchange | undefined {
    const found = this.weighed(number);
    if (found === undefined) return undefined;
    this.ring[number % this.limit] = undefined;
    this.bytes -= found.bytes;
    return found.exchange;
  }
}

const nothing = Buffer.alloc(0);

function withoutBody(kept: KeptExchange): KeptExchange {
  return { ...kept, response: { ...kept.response, body: nothing, encoded: undefined }, hasBody: false };
}

/** The most that an entry can take. It is done for every request, hence by loops. */
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
    else for (const each of value) length += each.length;
  }
  return length;
}

/** Shows kept exchanges. */
interface Showing {
  readonly summary: (kept: KeptExchange) => JournalSummary;
  readonly entry: (kept: KeptExchange) => JournalEntry;
}

/** Shows the exchanges of some APIs; which those are may change while the mock runs. */
function createShowing(apis: () => readonly ServedApi[]): Showing {
  const masks = new WeakMap<Contract, Mask>();
  const maskOf = ({ contract }: ServedApi): Mask => {
    const mask = masks.get(contract) ?? createMask(contract);
    masks.set(contract, mask);
    return mask;
  };
  const hide = (kept: KeptExchange, exchange: Exchange): Exchange => {
    // A request that reached no API may hold personal data of any of them.
    const concerned = apis().filter(
      ({ contract }) => kept.response.context === undefined || contract.name === kept.response.context.contract,
    );
    return concerned.reduce((shown, api) => maskOf(api).mask(shown), exchange);
  };
  const redactors = new WeakMap<readonly ServedApi[], Redactor>();
  const redactor = (): Redactor => {
    const all = apis();
    const made = redactors.get(all) ?? createRedactor(all.flatMap(({ keys }) => [...keys.byRole.values()]).map(asSecret));
    redactors.set(all, made);
    return made;
  };
  // The mock hides keys in what it tells of requests, and in the texts of failures; contents and headers are looked through here once more.
  const summary = (kept: KeptExchange): JournalSummary => {
    const { request } = hide(kept, { request: kept.request, response: { ...headOf(kept), body: '' } });
    return summarise(kept, request.target);
  };
  return {
    summary,
    entry: (kept) => {
      const { clean } = redactor();
      const shown = hide(kept, { request: kept.request, response: preparedToHttpResponse(kept.response) });
      // The texts of a failure may repeat what was asked for.
      const isTold = shown.request.target !== kept.request.target && kept.response.status >= 400;
      return {
        ...summary(kept),
        requestHeaders: shown.request.headers,
        responseHeaders: cleanHeaders(shown.response.headers, clean),
        body: kept.bodyLength > 0 && !kept.hasBody ? null : isTold ? personal : clean(shown.response.body),
        bodyLength: kept.bodyLength,
      };
    },
  };
}

/** Response as a summary shows it, without its body. */
function headOf({ response: { status, headers } }: KeptExchange): Pick<HttpResponse, 'status' | 'headers'> {
  return { status, headers };
}

function asSecret(value: string): { readonly name: string; readonly value: string } {
  return { name: 'KEY', value };
}

function summarise(kept: KeptExchange, target: string): JournalSummary {
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

/** Remembers the cursors of answers, and recognises those of requests. */
interface Provenance {
  /** Tells of the cursor of a request, and remembers that of its answer under a number; `undefined` where nothing is paged by cursors. */
  readonly see: (served: Served, number: number) => CursorProvenance | undefined;
  readonly clear: () => void;
}

/** Number of remembered cursors; the newer half is always kept. As hashes they take about two megabytes in all. */
const cursorsKept = 20_000;

/** Knows the cursors of the APIs of a mock; which APIs those are may change while it runs. */
function createProvenance(apis: () => readonly ServedApi[]): Provenance {
  const givenBy = new Recent<string, number>(cursorsKept);
  // The same answer is often given several times in a row, and need not be searched each time.
  let latest: { readonly body?: Buffer; readonly page?: CursorPage; readonly hash?: string | undefined } = {};
  const hashIn = ({ body, next: known }: PreparedResponse, page: CursorPage): string | undefined => {
    if (latest.body !== body || latest.page !== page) {
      const next = known ?? nextIn(body, page);
      latest = { body, page, hash: next === undefined ? undefined : hashOf(next) };
    }
    return latest.hash;
  };
  const recognise = (cursor: string | undefined, api: ServedApi): CursorProvenance => {
    if (cursor === undefined) return { kind: 'first' };
    const by = givenBy.get(hashOf(cursor));
    if (by !== undefined) return { kind: 'given', by };
    return { kind: api.cursors.decode(cursor) === undefined ? 'not-given' : 'given-elsewhere' };
  };
  return {
    see: ({ request, response }, number) => {
      const { context } = response;
      const api = apis().find((each) => each.contract.name === context?.contract);
      const page = api?.contract.operations.find((each) => each.id === context?.operation)?.collection?.page;
      if (api === undefined || page?.style !== 'cursor') return undefined;
      const provenance = recognise(cursorIn(request.target, page), api);
      const next = response.status === 200 ? hashIn(response, page) : undefined;
      if (next !== undefined) givenBy.set(next, number);
      return provenance;
    },
    clear: () => givenBy.clear(),
  };
}

function hashOf(cursor: string): string {
  return hash('sha256', cursor, 'base64url').slice(0, 22);
}

function cursorIn(target: string, { cursor }: CursorPage): string | undefined {
  // Most targets have nothing encoded, and no cursor.
  if (!target.includes(cursor) && !/[%+]/.test(target)) return undefined;
  const found = splitQuery(splitTarget(target).query).find(([name]) => name === cursor);
  return found === undefined ? undefined : decodeOrKeep(found[1]);
}

/**
 * The cursor that an answer gives. Reading a whole page as JSON takes longer than answering it, so a name that stands only once in the body is
 * looked for as it is written: inside a string its quotes would be escaped, so what is found is a member.
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

/** The JSON string that begins at a place; `undefined` when something else stands there. */
function textAt(bytes: Buffer, at: number): string | undefined {
  if (bytes[at] !== quote) return undefined;
  let end = at + 1;
  while (end < bytes.length && bytes[end] !== quote) end += bytes[end] === backslash ? 2 : 1;
  return JSON.parse(bytes.toString('utf8', at, end + 1)) as string;
}

/**
 * The last exchanges of a mock or proxy, bounded in number and bytes. Keys are hidden before an exchange arrives; personal data is hidden only when an entry is
 * read.
 */

import { UsageError } from '../../core/errors.ts';
import type { HttpHeaders } from '../../core/http/exchange.ts';
import type { ServedApi } from '../handler/served-api.ts';
import type { FinishedExchange } from '../served-exchange.ts';
import { createCursorTracker } from './cursor-provenance.ts';
import type { JournalEntry, JournalQuery, JournalSummary, KeptExchange } from './journal-types.ts';
import { createEntryMaker } from './make-journal-entry.ts';

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

/** A journal with its write side, for those who create it. */
export interface JournalWriter extends Journal {
  /** Stores an exchange under the next number. */
  readonly record: (exchange: FinishedExchange) => RecordedExchange;
  /** Returns the stored exchanges, oldest first, with personal data. A dropped body is empty. */
  readonly exchanges: () => Iterable<KeptExchange>;
  /** Returns an upper bound of the memory that the entries take. */
  readonly bytes: () => number;
}

/** A stored exchange. Its summary is made only when a caller needs it. */
export interface RecordedExchange {
  readonly keptExchange: KeptExchange;
  readonly summarize: (keptExchange: KeptExchange) => JournalSummary;
}

/** Settings of a journal. */
interface JournalOptions {
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
const journalBytes: { readonly all: number; readonly entry: number; readonly body: number } = {
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
  const entryMaker = createEntryMaker(apis);
  let lastNumber = 0;
  return {
    record: (exchange) => {
      lastNumber += 1;
      const { request, response, durationMs, connection } = exchange;
      const keptExchange: KeptExchange = {
        number: lastNumber,
        wallMs: wall(),
        nowMs: response.context?.nowMs ?? now(),
        request,
        response,
        bodyLength: response.body.length,
        hasBody: true,
        durationMs,
        connection,
        cursor: cursors.track(exchange, lastNumber),
      };
      exchanges.put(keptExchange);
      return { keptExchange, summarize: entryMaker.summary };
    },
    entries: (query = {}) => {
      const { after = 0, first = 'oldest', limit: maximum = Number.POSITIVE_INFINITY } = query;
      const matchingExchanges: KeptExchange[] = [];
      for (const keptExchange of exchanges.after(after)) {
        if (first === 'oldest' && matchingExchanges.length >= maximum) break;
        if (matchesQuery(keptExchange, query)) matchingExchanges.push(keptExchange);
      }
      return (first === 'newest' ? matchingExchanges.reverse() : matchingExchanges).slice(0, maximum).map(entryMaker.summary);
    },
    entry: (number) => {
      const keptExchange = exchanges.get(number);
      return keptExchange === undefined ? undefined : entryMaker.entry(keptExchange);
    },
    last: () => lastNumber,
    exchanges: () => exchanges.after(0),
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
  private oldestNumber = 1;
  private nextNumber = 1;
  /** Number of the oldest entry that may have a body. */
  private firstWithBody = 1;

  constructor(limit: number) {
    this.limit = limit;
    this.bytesMax = Math.max(journalBytes.all, limit * journalBytes.entry);
  }

  get(number: number): KeptExchange | undefined {
    return this.sizedExchangeOf(number)?.exchange;
  }

  /** Yields the entries with a greater number. */
  *after(number: number): Generator<KeptExchange, void, undefined> {
    for (let current = Math.max(number + 1, this.oldestNumber); current < this.nextNumber; current += 1) {
      const exchange = this.get(current);
      if (exchange !== undefined) yield exchange;
    }
  }

  /** Adds an exchange, whose number must be the next one. */
  put(exchange: KeptExchange): void {
    this.nextNumber = exchange.number + 1;
    while (this.nextNumber - this.oldestNumber > this.limit) this.dropOldest();
    if (this.limit === 0) return;
    this.set(exchange.bodyLength > journalBytes.body ? withoutBody(exchange) : exchange);
    while (this.bytes > this.bytesMax && this.firstWithBody < exchange.number) this.dropOldestBody();
    while (this.bytes > this.bytesMax) this.dropOldest();
  }

  clear(): void {
    while (this.oldestNumber < this.nextNumber) this.dropOldest();
  }

  private sizedExchangeOf(number: number): SizedExchange | undefined {
    return number >= this.oldestNumber && number < this.nextNumber ? this.ring[number % this.limit] : undefined;
  }

  private set(exchange: KeptExchange): void {
    const bytes = sizeOf(exchange);
    this.bytes += bytes;
    this.ring[exchange.number % this.limit] = { exchange, bytes };
  }

  private dropOldest(): void {
    this.remove(this.oldestNumber);
    this.oldestNumber += 1;
  }

  private dropOldestBody(): void {
    const exchange = this.remove(this.firstWithBody);
    this.firstWithBody += 1;
    if (exchange !== undefined) this.set(withoutBody(exchange));
  }

  private remove(number: number): KeptExchange | undefined {
    const sizedExchange = this.sizedExchangeOf(number);
    if (sizedExchange === undefined) return undefined;
    this.ring[number % this.limit] = undefined;
    this.bytes -= sizedExchange.bytes;
    return sizedExchange.exchange;
  }
}

const emptyBody = Buffer.alloc(0);

/** Returns the exchange without its bodies. Anyone who keeps an exchange for long keeps it so, since bodies may be large. */
export function withoutBody(keptExchange: KeptExchange): KeptExchange {
  const { body: _, ...request } = keptExchange.request;
  return { ...keptExchange, request, response: { ...keptExchange.response, body: emptyBody, encoded: undefined }, hasBody: false };
}

/** Returns an upper bound of the bytes of an entry. It uses loops, because every request needs it. */
function sizeOf({ request, response }: KeptExchange): number {
  let characters = request.method.length + request.target.length + (request.body?.length ?? 0);
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

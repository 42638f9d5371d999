/** The journal of a mock: its last exchanges, bounded in number and in bytes, so that a client's conduct can be looked at later. */

import { UsageError } from '../core/errors.ts';
import type { HttpHeaders } from '../core/exchange.ts';
import type { JournalEntry, JournalQuery, JournalSummary, KeptExchange } from './journal-entry.ts';
import { createProvenance } from './provenance.ts';
import type { Served } from './response.ts';
import type { ServedApi } from './served-api.ts';
import { createShowing } from './showing.ts';

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
  /** How many bytes its texts take at most. */
  readonly bytes: () => number;
}

/** What a journal is made from. */
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

/** How many entries a journal has unless said otherwise. */
export const defaultEntries = 1000;

/** How many entries a journal may have. */
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

/** What an entry takes besides its texts, and what a character takes at most. */
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
  for (const note of response.context?.trouble ?? []) characters += note.length;
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

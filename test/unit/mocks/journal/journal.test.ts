/** The journal: its entries without keys and personal data, the origin of cursors, and its limits. */

import { describe, expect, it } from 'vitest';
import type { RequestContext } from '../../../../mocks/handler/call.ts';
import { prepareHttpResponse } from '../../../../mocks/handler/prepare-response.ts';
import type { ServedApi } from '../../../../mocks/handler/served-api.ts';
import { createJournal, type JournalWriter } from '../../../../mocks/journal/journal.ts';
import type { CursorProvenance, JournalSummary } from '../../../../mocks/journal/journal-types.ts';
import type { FinishedExchange } from '../../../../mocks/served-exchange.ts';
import { notesText } from '../../../helpers/contracts/notes-contract.ts';
import { serveText } from '../../../helpers/served.ts';

const api = await serveText(
  notesText.replace('title: { type: string }\n        seen', 'title: { type: string, x-personal: true }\n        seen'),
);
const wallMs = Date.UTC(2030, 0, 2, 3, 4, 5, 678);
const mebibyte = 1024 * 1024;

function journalOf(limit?: number, apis: () => readonly ServedApi[] = () => [api]): JournalWriter {
  return createJournal({ limit, apis, now: () => 0, wall: () => wallMs });
}

const { name } = api.contract;
const context: RequestContext = {
  contract: name,
  operation: 'listNotes',
  role: 'full',
  nowMs: Date.UTC(2026, 2, 29, 16),
  problems: [],
  isCached: false,
  chaos: [],
};

interface Given {
  readonly target?: string;
  readonly status?: number;
  readonly body?: string;
  readonly context?: Partial<RequestContext>;
}

function exchange({ target = '/notes', status = 200, body = '', context: more = {} }: Given = {}): FinishedExchange {
  const request = { method: 'GET', target, headers: { accept: '*/*' } };
  const prepared = prepareHttpResponse(request, { status, headers: {}, body }, { context: { ...context, ...more } });
  return { request, response: { ...prepared, headers: { 'content-type': 'application/json' } }, durationMs: 1.23456 };
}

/** Records an exchange, and returns its summary. */
function record(journal: JournalWriter, served: FinishedExchange): JournalSummary {
  const { keptExchange: kept, summarize } = journal.record(served);
  return summarize(kept);
}

function pageWith(next: string | null, notes: readonly object[] = []): string {
  return JSON.stringify({ notes, page: { more: next !== null, next } });
}

describe('an entry', () => {
  it('has all facts of an exchange', () => {
    const journal = journalOf();
    const problem = { parameters: ['limit'], class: 'out-of-range', message: 'limit is 99.' } as const;
    const known = { problems: [problem], chaos: ['503: by the rule 503'], isCached: true, role: 'other' };
    const summary = record(journal, exchange({ target: '/notes?limit=99', status: 422, body: '{"message":"No!"}', context: known }));
    expect(summary).toEqual({
      number: 1,
      instant: '2026-03-29T16:00:00Z',
      wallInstant: '2030-01-02T03:04:05.678Z',
      contract: name,
      operation: 'listNotes',
      role: 'other',
      method: 'GET',
      target: '/notes?limit=99',
      status: 422,
      durationMs: 1.23,
      isCached: true,
      chaos: ['503: by the rule 503'],
      problems: [problem],
      reason: 'No!',
      cursor: { kind: 'first' },
    });
    expect(journal.entries()).toEqual([summary]);
    expect(journal.entry(1)).toEqual({
      ...summary,
      requestHeaders: { accept: '*/*' },
      responseHeaders: { 'content-type': 'application/json' },
      body: '{"message":"No!"}',
      bodyLength: 17,
    });
  });

  it('of a request that reached no API has the instant of the mock, and no contract or role', () => {
    const bare = exchange({ target: '*' });
    expect(record(journalOf(), { ...bare, response: { ...bare.response, context: undefined } })).toMatchObject({
      instant: '1970-01-01T00:00:00Z',
      contract: null,
      operation: null,
      role: null,
    });
  });

  it('has no personal data in the body, nor in filters of personal fields', () => {
    const journal = journalOf();
    journal.record(exchange({ body: pageWith(null, [{ id: 1, title: 'A secret of Anna' }]) }));
    expect(journal.entry(1)?.body).toBe('{"notes":[{"id":1,"title":"‹personal›"}],"page":{"more":false,"next":null}}');
    const problems = [{ parameters: ['q'], class: 'sloppy', message: 'q is Anna twice.' }] as const;
    journal.record(
      exchange({ target: '/notes?limit=1&q=Anna', status: 422, body: '{"error":{"message":"q is Anna"}}', context: { problems } }),
    );
    expect(JSON.stringify([journal.entries(), journal.entry(2)])).not.toContain('Anna');
    expect(journal.entry(2)).toMatchObject({ target: '/notes?limit=1&q=‹personal›', body: '‹personal›' });
  });

  it('has no key, neither in the body nor in a header', () => {
    const journal = journalOf();
    const key = api.keys.byRole.get('full') ?? '';
    const { response, ...rest } = exchange({ body: JSON.stringify({ notes: [key], code: Buffer.from(key).toString('base64') }) });
    journal.record({ ...rest, response: { ...response, headers: { location: `/notes?key=${key}`, link: ['a', key] } } });
    expect(journal.entry(1)).toMatchObject({
      body: '{"notes":["$KEY"],"code":"$KEY"}',
      responseHeaders: { location: '/notes?key=$KEY', link: ['a', '$KEY'] },
    });
  });

  it('is found by number, operation, role and status', () => {
    const journal = journalOf();
    const visits = [{}, { role: 'other' }, { operation: 'getNote' }, {}];
    for (const [index, more] of visits.entries()) journal.record(exchange({ status: index === 3 ? 404 : 200, context: more }));
    const numbers = (query: Parameters<JournalWriter['entries']>[0]): readonly number[] =>
      journal.entries(query).map(({ number }) => number);
    expect(numbers({})).toEqual([1, 2, 3, 4]);
    expect(numbers({ after: 2 })).toEqual([3, 4]);
    expect(numbers({ limit: 2 })).toEqual([1, 2]);
    expect(numbers({ operation: 'getNote' })).toEqual([3]);
    expect(numbers({ role: 'full', operation: 'listNotes' })).toEqual([1, 4]);
    expect(numbers({ status: '404' })).toEqual([4]);
    expect(numbers({ status: '2xx', after: 1, limit: 1 })).toEqual([2]);
    expect(journal.entry(5)).toBeUndefined();
  });
});

describe('the origin of a cursor', () => {
  const cursorOf = (content: string): string =>
    api.cursors.encode({ operation: 'listNotes', tenant: 'full', position: [content], fixed: {} });
  const see = (journal: JournalWriter, target: string, body = ''): CursorProvenance | undefined =>
    record(journal, exchange({ target, body })).cursor;

  it('is the last answer that gave it', () => {
    const journal = journalOf();
    const [first, second] = [cursorOf('one'), cursorOf('two')];
    expect(see(journal, '/notes', pageWith(first))).toEqual({ kind: 'first' });
    expect(see(journal, `/notes?cursor=${first}&limit=3`, pageWith(second))).toEqual({ kind: 'given', by: 1 });
    expect(see(journal, `/notes?cursor=${encodeURIComponent(second)}`, pageWith(null))).toEqual({ kind: 'given', by: 2 });
    expect(see(journal, '/notes', pageWith(first))).toEqual({ kind: 'first' });
    expect(see(journal, `/notes?%63ursor=${first}`)).toEqual({ kind: 'given', by: 4 });
  });

  it('is another mock with the same seed, or none', () => {
    const journal = journalOf();
    const cursor = cursorOf('one');
    expect(see(journal, `/notes?cursor=${cursor}`)).toEqual({ kind: 'given-elsewhere' });
    expect(see(journal, `/notes?cursor=${cursor}x`)).toEqual({ kind: 'not-given' });
    expect(see(journal, '/notes?cursor=')).toEqual({ kind: 'not-given' });
    expect(see(journal, '/notes?cursor=%E0%A4%A')).toEqual({ kind: 'not-given' });
  });

  it('is absent for operations without cursors, and errors give no cursor', () => {
    const journal = journalOf();
    const cursor = cursorOf('one');
    expect(record(journal, exchange({ context: { operation: 'getNote' } }))).not.toHaveProperty('cursor');
    journal.record(exchange({ status: 422, body: pageWith(cursor) }));
    expect(see(journal, `/notes?cursor=${cursor}`)).toEqual({ kind: 'given-elsewhere' });
  });

  it('is the member at its pointer, even if another member has the same name', () => {
    const journal = journalOf();
    const [real, other] = [cursorOf('real'), cursorOf('other')];
    see(journal, '/notes', pageWith(real, [{ title: `"next":"${other}"`, next: other, nested: { 'n"ext': other } }]));
    expect(see(journal, `/notes?cursor=${other}`)).toEqual({ kind: 'given-elsewhere' });
    expect(see(journal, `/notes?cursor=${real}`)).toEqual({ kind: 'given', by: 1 });
    expect(see(journal, '/notes', '{"page":{"next":"a\\u0062\\"c"}}')).toEqual({ kind: 'first' });
    expect(see(journal, '/notes?cursor=ab%22c')).toEqual({ kind: 'given', by: 4 });
  });

  it('is known after ten thousand more cursors, and forgotten after twenty thousand or when the journal is cleared', () => {
    const journal = journalOf(1);
    const give = (from: number, end: number): void => {
      for (let index = from; index < end; index += 1) journal.record(exchange({ body: `{"page":{"next":"c${index}"}}` }));
    };
    give(0, 10_001);
    expect(see(journal, '/notes?cursor=c0')).toEqual({ kind: 'given', by: 1 });
    give(10_001, 30_001);
    expect(see(journal, '/notes?cursor=c1')).toEqual({ kind: 'not-given' });
    expect(see(journal, '/notes?cursor=c30000')).toEqual({ kind: 'given', by: 30_002 });
    journal.clear();
    expect(see(journal, '/notes?cursor=c30000')).toEqual({ kind: 'not-given' });
  });
});

describe('the limits of a journal', () => {
  it('are a number of entries: the oldest is dropped first, and the numbers continue', () => {
    const journal = journalOf(3);
    for (let count = 0; count < 5; count += 1) journal.record(exchange());
    expect(journal.entries().map(({ number }) => number)).toEqual([3, 4, 5]);
    expect(journal.entry(2)).toBeUndefined();
    journal.clear();
    expect([journal.entries(), journal.last(), journal.bytes()]).toEqual([[], 5, 0]);
    journal.record(exchange());
    expect(journal.entries().map(({ number }) => number)).toEqual([6]);
  });

  it('may be 0 entries, and each exchange still has a summary', () => {
    const journal = journalOf(0);
    expect(record(journal, exchange())).toMatchObject({ number: 1 });
    expect([journal.entries(), journal.bytes()]).toEqual([[], 0]);
  });

  it.each([-1, 1.5, Number.NaN, 10_001])('are not a number such as %d', (limit) => {
    expect(() => journalOf(limit)).toThrow(/the journal cannot have .* entries; write a whole number from 0 to 10000/);
  });

  it('are bytes: bodies are dropped before entries', () => {
    const journal = journalOf();
    const body = 'x'.repeat(100_000);
    for (let count = 0; count < 60; count += 1) {
      journal.record(exchange({ body: `"${count}${body}"` }));
      expect(journal.bytes()).toBeLessThanOrEqual(4 * mebibyte);
    }
    expect(journal.entries()).toHaveLength(60);
    expect(journal.entry(60)?.body).toContain(body);
    expect(journal.entry(1)).toMatchObject({ body: null, bodyLength: 100_003 });
    const kept = journal.entries().filter(({ number }) => journal.entry(number)?.body !== null).length;
    expect(kept).toBe(Math.floor((4 * mebibyte - 60 * 1200) / 100_005));
  });

  it('are bytes, including those of targets and headers', () => {
    const journal = journalOf();
    for (let count = 0; count < 300; count += 1) {
      journal.record(exchange({ target: `/notes?${'y'.repeat(60_000)}` }));
      expect(journal.bytes()).toBeLessThanOrEqual(4 * mebibyte);
    }
    expect(journal.entries().length).toBeLessThan(36);
    expect(journal.entries().length).toBeGreaterThan(30);
  });

  it('allow more bytes for a large number of entries', () => {
    const journal = journalOf(10_000);
    for (let count = 0; count < 10_000; count += 1) journal.record(exchange({ target: `/notes?${'y'.repeat(1000)}` }));
    expect(journal.entries({ limit: 1 })).toMatchObject([{ number: 1 }]);
    expect(journal.bytes()).toBeGreaterThan(4 * mebibyte);
  });

  it('exclude a body above its own limit, and the entry has its length', () => {
    const journal = journalOf();
    const large = JSON.stringify('z'.repeat(mebibyte));
    journal.record(exchange({ body: large }));
    expect(journal.entry(1)).toMatchObject({ body: null, bodyLength: large.length });
    expect(journal.bytes()).toBeLessThan(10_000);
  });
});

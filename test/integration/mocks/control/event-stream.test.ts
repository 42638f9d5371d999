/** The stream of events: its content, its resumption, and its limits for slow readers. */

import { once } from 'node:events';
import { get as request } from 'node:http';
import { Writable } from 'node:stream';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { announceReload } from '../../../../mocks/control/announce-changes.ts';
import type { ControlEvent } from '../../../../mocks/control/control-bodies.ts';
import { readEvents } from '../../../../mocks/control/event-reader.ts';
import { createEventStreams, streamLimits } from '../../../../mocks/control/event-stream.ts';
import type { JournalSummary } from '../../../../mocks/journal/journal-types.ts';
import { fixture, startJudgedMock } from '../../../helpers/judged-mock.ts';
import { ask, type Fields } from '../../../helpers/plain-client.ts';
import { open } from '../../../helpers/raw-socket.ts';

const mock = await startJudgedMock({ contracts: [fixture('library')] });
// The first answer waits until Prism is loaded.
await ask(mock, '/books?size=1');
afterAll(() => mock.close());
beforeEach(() => mock.reset());

interface Stream {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** Resolves with the text of a number of events as soon as they have arrived. The `open` event does not count. */
  readonly take: (count: number) => Promise<readonly string[]>;
  readonly ended: Promise<void>;
  readonly leave: () => void;
}

/** Opens a stream and waits for its first event. */
function openStream(port: number, query = '', headers: Fields = {}): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path: `/__mock/events${query}`, headers, agent: false }, (incoming) => {
      let text = '';
      const waiting = new Set<() => void>();
      const blocks = (): readonly string[] => text.split('\n\n').slice(0, -1);
      const take = (count: number): Promise<readonly string[]> =>
        new Promise((done) => {
          const look = (): void => {
            if (blocks().length > count && waiting.delete(look)) done(blocks().slice(1, count + 1));
          };
          waiting.add(look);
          look();
        });
      const ended = new Promise<void>((done) => incoming.once('close', () => done()));
      incoming.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
        for (const look of waiting) look();
      });
      incoming.on('error', () => undefined);
      const leave = (): void => void outgoing.destroy();
      const stream = { status: incoming.statusCode ?? 0, headers: incoming.headers, take, ended, leave };
      if (stream.status === 200) void take(0).then(() => resolve(stream), reject);
      else resolve(stream);
    });
    outgoing.on('error', reject);
  });
}

function dataOf(block: string | undefined): unknown {
  return JSON.parse(/^data: (.*)$/m.exec(block ?? '')?.[1] ?? '');
}

describe('the stream', () => {
  it('has all exchanges, and all changes of clock and chaos from HTTP and from the handle', async () => {
    const stream = await openStream(mock.port);
    expect(stream).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' },
    });
    await ask(mock, '/books?size=1');
    mock.clock.advance(3_600_000);
    await ask(mock, '/__mock/chaos', {}, 'POST', '{"set":["latency 1ms"]}');
    await mock.reload();
    const blocks = await stream.take(4);
    const number = mock.journal.last();
    expect(blocks.map((block) => block.split('\n').slice(0, -1))).toEqual([
      ['event: exchange', `id: ${number}`],
      ['event: clock'],
      ['event: chaos'],
      ['event: reload'],
    ]);
    const scope = 'this process';
    expect(blocks.map(dataOf)).toEqual([
      mock.journal.entries()[0],
      { scope, now: '2026-03-29T17:00:00Z', pace: 0 },
      { scope, rules: ['latency 1ms'] },
      { scope, problem: null },
    ]);
    stream.leave();
  });

  it('begins with the next event, or after the last one that the reader received', async () => {
    for (const size of [1, 2, 3]) await ask(mock, `/books?size=${size}`);
    const last = mock.journal.last();
    const idsOf = async (stream: Promise<Stream>, count: number): Promise<readonly (string | undefined)[]> => {
      const { take, leave } = await stream;
      await ask(mock, '/books?size=4');
      const blocks = await take(count);
      leave();
      return blocks.map((block) => /^id: (\d+)$/m.exec(block)?.[1]);
    };
    expect(await idsOf(openStream(mock.port), 1)).toEqual([`${last + 1}`]);
    expect(await idsOf(openStream(mock.port, '', { 'last-event-id': `${last - 1}` }), 3)).toEqual([
      `${last}`,
      `${last + 1}`,
      `${last + 2}`,
    ]);
    expect(await idsOf(openStream(mock.port, `?after=${last + 1}`), 2)).toEqual([`${last + 2}`, `${last + 3}`]);
    expect(await idsOf(openStream(mock.port, '?after=999999'), 7)).toEqual(Array.from({ length: 7 }, (_, index) => `${last - 2 + index}`));
    for (const query of ['?after=now', '?since=1', '?after=1&after=2'])
      expect(await openStream(mock.port, query), query).toMatchObject({ status: 400 });
  });

  it('is limited in number, and another may open when one has closed', async () => {
    const streams = await Promise.all(Array.from({ length: streamLimits.streams }, () => openStream(mock.port)));
    const refused = await ask(mock, '/__mock/events');
    expect([refused.status, refused.at('/error/message')]).toEqual([
      503,
      '32 streams are open, and more are not allowed; close one of them.',
    ]);
    streams[0]?.leave();
    // The mock notices the closed connection a little later.
    await expect.poll(async () => (await ask(mock, '/__mock/events', {}, 'HEAD')).status, { timeout: 5000 }).toBe(200);
    for (const stream of streams) stream.leave();
  });

  it('is disconnected if its reader takes nothing, and the mock continues', async () => {
    const bytes = 'GET /__mock/events HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const socket = await open(mock.port, bytes);
    const cut = new Promise<void>((resolve) => socket.on('error', () => undefined).once('close', () => resolve()));
    // The buffers of two sockets hold far less than this.
    for (let round = 0; round < 25; round += 1)
      await Promise.all(Array.from({ length: 10 }, (_, index) => ask(mock, `/books?${round}=${'x'.repeat(60_000)}&${index}`)));
    socket.resume();
    await cut;
    expect((await ask(mock, '/books?size=1')).status).toBe(200);
  });

  it('ends when the mock closes, which does not wait for readers', async () => {
    const other = await startJudgedMock({ contracts: [fixture('library')] });
    const stream = await openStream(other.port);
    await other.close();
    await stream.ended;
  });
});

/** A connection whose reader takes nothing, with the texts that were written to it. */
function stuckConnection(): { readonly connection: Writable; readonly texts: readonly string[] } {
  const texts: string[] = [];
  const connection = new Writable({ decodeStrings: false, write: () => undefined });
  const write = connection.write.bind(connection);
  connection.write = ((text: string) => {
    texts.push(text);
    return write(text);
  }) as typeof connection.write;
  return { connection, texts };
}

/** A connection whose reader takes what was written when the test says so. */
function slowConnection(): ReturnType<typeof stuckConnection> & { readonly takeNext: () => Promise<void> } {
  const { connection, texts } = stuckConnection();
  let taken = (): void => undefined;
  connection._write = (_chunk, _encoding, callback) => {
    taken = callback;
  };
  let takenCount = 0;
  const takeNext = async (): Promise<void> => {
    for (const { length } = texts; takenCount < length; takenCount += 1) {
      taken();
      await new Promise(setImmediate);
    }
    await new Promise(setImmediate);
  };
  return { connection, texts, takeNext };
}

const reload: ControlEvent = { type: 'reload', data: { scope: 'this process', problem: 'x'.repeat(1000) } };

describe('reloading', () => {
  it('is an event with the error message, and the error is thrown too', async () => {
    const told: ControlEvent[] = [];
    const problem = new Error('api.yaml:1:1: not good');
    const reloads = announceReload(() => Promise.reject(problem), { publish: (event) => void told.push(event) });
    await expect(reloads()).rejects.toBe(problem);
    expect(told).toEqual([{ type: 'reload', data: { scope: 'this process', problem: problem.message } }]);
  });
});

describe('a reader', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
  afterEach(() => void vi.useRealTimers());

  it('that is too slow is disconnected at the limit of unsent bytes', async () => {
    const events = createEventStreams();
    const [slow, other] = [stuckConnection(), stuckConnection()];
    events.open(slow.connection, [reload]);
    for (let count = 0; count < 500; count += 1) events.publish(reload);
    events.open(other.connection, [reload]);
    expect([slow.connection.destroyed, events.hasListeners(), vi.getTimerCount()]).toEqual([false, true, 2]);
    for (let count = 0; count < 700; count += 1) events.publish(reload);
    await once(slow.connection, 'close');
    expect(slow.texts.join('').length).toBeLessThanOrEqual(streamLimits.unsentBytes + 2000);
    expect([other.connection.destroyed, other.texts.length, vi.getTimerCount()]).toEqual([false, 701, 1]);
    events.end();
    expect([other.connection.writableEnded, events.hasListeners()]).toEqual([true, false]);
    other.connection.destroy();
    await once(other.connection, 'close');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('gets heartbeats, and nothing after its connection closed', async () => {
    const events = createEventStreams();
    const { connection, texts } = stuckConnection();
    events.open(connection, [reload]);
    vi.advanceTimersByTime(15_000);
    expect(texts).toEqual([printEvent(reload), ': still here\n\n']);
    connection.destroy();
    await once(connection, 'close');
    vi.advanceTimersByTime(15_000);
    events.publish(reload);
    expect(texts).toHaveLength(2);
  });

  it('gets all exchanges that it missed, however many, as fast as it reads, before new ones', async () => {
    const exchangeOf = (number: number): ControlEvent => ({
      type: 'exchange',
      data: { number, target: 'x'.repeat(100_000) } as JournalSummary,
    });
    const idsOf = (texts: readonly string[]): readonly number[] =>
      [...texts.join('').matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
    const events = createEventStreams();
    const { connection, texts, takeNext } = slowConnection();
    const missed = Array.from({ length: 30 }, (_, index) => exchangeOf(index + 1));
    events.open(connection, missed);
    while (idsOf(texts).length < missed.length) {
      expect(connection.writableLength).toBeLessThan(streamLimits.unsentBytes / 2);
      // These are read from the journal later, like the other first events.
      events.publish(exchangeOf(99));
      events.publish(reload);
      await takeNext();
    }
    await takeNext();
    events.publish(exchangeOf(31));
    expect(idsOf(texts)).toEqual([...missed, null].map((_, index) => index + 1));
    expect([texts.filter((text) => text === printEvent(reload)).length, connection.destroyed]).toEqual([missed.length - 1, false]);
  });
});

function printEvent({ type, data }: ControlEvent): string {
  const id = type === 'exchange' ? `id: ${data.number}\n` : '';
  return `event: ${type}\n${id}data: ${JSON.stringify(data)}\n\n`;
}

describe('reading a stream', () => {
  async function read(pieces: readonly string[]): Promise<readonly ControlEvent[]> {
    async function* stream(): AsyncGenerator<Uint8Array> {
      for (const piece of pieces) yield Buffer.from(piece, 'latin1');
    }
    const events: ControlEvent[] = [];
    for await (const event of readEvents(stream())) events.push(event);
    return events;
  }

  const text = `: a comment\n\n${Buffer.from(printEvent({ ...reload, data: { ...reload.data, problem: 'é\n‹' } } as ControlEvent)).toString('latin1')}`;
  const expected = [{ type: 'reload', data: { scope: 'this process', problem: 'é\n‹' } }];

  it.each(['\n', '\r\n', '\r'])('parses events across all cuts, with the line end %j', async (end) => {
    const written = text.replaceAll('\n', end);
    for (let cut = 0; cut < written.length; cut += 1)
      expect(await read([written.slice(0, cut), written.slice(cut), end === '\r' ? ':' : '']), `at ${cut}`).toEqual(expected);
  });

  it('skips unknown types and incomplete events', async () => {
    expect(await read(['event: thunder\ndata: {}\n\ndata: {}\n\nevent: clock\n\n', text, 'event: clock\ndata: {}'])).toEqual(expected);
  });
});

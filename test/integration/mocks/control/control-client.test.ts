/** The client of `touchstone/control` against a running mock: every method, and its errors. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type ControlEvent, connectControl, UsageError } from '../../../../mocks/control/index.ts';
import { startJudgedMock } from '../../../helpers/judged-mock.ts';
import { ask } from '../../../helpers/plain-client.ts';
import { wiki } from '../../../helpers/request-targets.ts';

const mock = await startJudgedMock({ seed: 5 });
const control = connectControl(mock.url);
// The first answer waits for Prism.
await ask(mock, `${wiki}?limit=1`);
afterAll(() => mock.close());
beforeEach(() => mock.reset());

const scope = 'this process';

describe('a client', () => {
  it('reads the served contracts and the keys', async () => {
    expect(await control.served()).toMatchObject({ scope, url: mock.url, seed: 5 });
    expect(await control.keys()).toEqual(mock.keys);
  });

  it('reads and moves the clock', async () => {
    const { clock } = control;
    expect(await clock.read()).toEqual({ scope, now: '2026-03-29T16:00:00Z', pace: 0 });
    expect((await clock.advance('PT2H')).now).toBe('2026-03-29T18:00:00Z');
    expect((await clock.set('2026-04-01T00:00:00+02:00')).now).toBe('2026-03-31T22:00:00Z');
    expect((await clock.setPace(60)).pace).toBe(60);
    expect(await clock.reset()).toMatchObject({ now: '2026-03-29T16:00:00Z', pace: 0 });
  });

  it('changes and clears the chaos', async () => {
    const { chaos } = control;
    expect((await chaos.set('503 0%', 'latency 1ms')).rules).toEqual(['503 0%', 'latency 1ms']);
    expect((await chaos.add('429 0%')).rules).toHaveLength(3);
    expect(await chaos.read()).toEqual({ scope, rules: mock.chaos.list() });
    expect((await chaos.clear()).rules).toEqual([]);
    expect((await chaos.reset()).rules).toEqual([]);
  });

  it('reads the mistakes of clients, of one key role or of all', async () => {
    await ask(mock, `${wiki}?limit=1&colour=red`);
    expect(await control.client()).toEqual(mock.client());
    expect(await control.client({ role: 'anybody' })).toMatchObject({ verdict: 'warning', requests: 1 });
    expect(await control.client({ role: 'full' })).toMatchObject({ verdict: 'not-exercised', requests: 0 });
    await expect(control.client({ role: 'ful' })).rejects.toThrow('The mock has no key role ful; did you mean full?');
    await control.reset();
    expect(mock.client().requests).toBe(0);
  });

  it('compares the records of a client, of which there may be many', async () => {
    const { text } = await ask(mock, `${wiki}?limit=100&type=creature`);
    const { data } = JSON.parse(text) as { data: { slug: string }[] };
    expect(await control.compare({ collection: 'entries', records: data })).toMatchObject({ verdict: 'equal', correct: data.length });
    const large = data.map((entry) => ({ ...entry, own: 'x'.repeat(10_000) }));
    expect(mock.compare({ records: large.slice(1) }).differences).toMatchObject([{ kind: 'missing', count: 1, keys: [data[0]?.slug] }]);
    expect(await control.compare({ records: large.slice(1) })).toEqual(mock.compare({ records: large.slice(1) }));
    await expect(control.compare({ records: [{ slug: 'x'.repeat(5_000_000) }] })).rejects.toThrow('larger than 4194304 bytes');
    await expect(control.compare({ records: 'all' as unknown as [] })).rejects.toThrow('records is "all", which is not a list');
    await expect(control.compare({ role: 'ful', records: [] })).rejects.toThrow('did you mean full?');
  });

  it('reads and clears the journal', async () => {
    await ask(mock, `${wiki}?limit=1`);
    await ask(mock, '/nothing');
    const { entries, last } = await control.journal.read({ status: '4xx', limit: 5 });
    expect(entries).toEqual([mock.journal.entries()[1]]);
    expect(await control.journal.entry(last)).toEqual({ scope, ...mock.journal.entry(last) });
    expect((await control.journal.clear()).entries).toEqual([]);
    // Findings would name requests that are gone.
    expect(mock.client()).toMatchObject({ requests: 0, findings: [] });
    await ask(mock, wiki);
    expect(await control.reset()).toMatchObject({ scope, clock: { pace: 0 } });
    expect(mock.journal.entries()).toEqual([]);
  });

  it('receives events after the given exchange until it leaves the loop', async () => {
    await ask(mock, `${wiki}?limit=1`);
    const after = mock.journal.last() - 1;
    const heard: ControlEvent[] = [];
    for await (const event of control.events({ after })) {
      heard.push(event);
      if (event.type === 'exchange') mock.clock.advance(60_000);
      if (event.type === 'clock') break;
    }
    expect(heard).toEqual([
      { type: 'open', data: { scope, last: after + 1 } },
      { type: 'exchange', data: mock.journal.entries()[0] },
      { type: 'clock', data: { scope, now: '2026-03-29T16:01:00Z', pace: 0 } },
    ]);
  });

  it('receives the end of the stream when the mock closes', async () => {
    const other = await startJudgedMock({ contracts: ['wiki'] });
    const events = connectControl(other.url).events()[Symbol.asyncIterator]();
    expect((await events.next()).value).toMatchObject({ type: 'open' });
    await other.close();
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });
});

describe('an error', () => {
  it.each<[string, () => Promise<unknown>, RegExp]>([
    [
      'a duration that is none',
      () => control.clock.advance('2h'),
      /\/__mock\/clock returned 400: advance is 2h, which is not a duration; send, for example,/,
    ],
    ['chaos that is none', () => control.chaos.add('thunder'), /\/__mock\/chaos returned 400: .*thunder/],
    [
      'an entry that is not there',
      () => control.journal.entry(99_999),
      /returned 404: The journal has no entry 99999: the last one so far is/,
    ],
    ['a query that is none', () => control.journal.read({ status: 'bad' }), /returned 400: status is bad, which is neither/],
    [
      'events after nothing',
      () => control.events({ after: -1 })[Symbol.asyncIterator]().next(),
      /returned 400: -1 is not the number of an exchange/,
    ],
  ])('has the error message of the mock', async (_what, act, message) => {
    const failure = await act().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UsageError);
    expect(String(failure)).toMatch(message);
  });

  it.each(['localhost:4010', 'mock', 'ftp://x'])('says that %s is not the URL of a mock', (address) => {
    expect(() => connectControl(address)).toThrow(`${address} is not the URL of a mock; write, for example, http://127.0.0.1:4010`);
  });

  it('says that no mock answers, or that something else does', async () => {
    const server = createServer((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')).listen(
      0,
      '127.0.0.1',
    );
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await expect(connectControl(url).keys()).rejects.toThrow(
      `${url}/__mock/keys returned 200: this is not a mock, or its control endpoint is turned off`,
    );
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await expect(connectControl(url).keys()).rejects.toThrow(
      `no mock responds at ${url}/__mock/keys; check that it runs and that this is its URL`,
    );
  });

  it('says that the control endpoint is turned off', async () => {
    const closed = await startJudgedMock({ contracts: ['wiki'], control: false });
    await expect(connectControl(closed.url).clock.read()).rejects.toThrow(/returned 404: /);
    await closed.close();
  });
});

/** The command `mock` in this process: what it prints, line by line, until it is interrupted. */

import { describe, expect, it } from 'vitest';
import { run } from '../../../../cli/run-command.ts';
import { fixture } from '../../../helpers/judged-mock.ts';
import { ask } from '../../../helpers/plain-client.ts';
import { createTerminal, type TestTerminal } from '../../../helpers/reports/fake-terminal.ts';
import { business, wiki, withKey } from '../../../helpers/request-targets.ts';

interface Started {
  readonly terminal: TestTerminal;
  readonly port: number;
  readonly code: Promise<number>;
}

async function start(args: readonly string[], decorated = false, port = ['--port', '0']): Promise<Started> {
  const terminal = createTerminal(decorated);
  const code = run(['mock', ...port, ...args], '0.0.0', terminal);
  await terminal.until('http://127.0.0.1:');
  return { terminal, code, port: Number(/http:\/\/127\.0\.0\.1:(\d+)/.exec(terminal.printed().out)?.[1]) };
}

async function stop({ terminal, code, port }: Started): Promise<string> {
  terminal.interrupt();
  expect(await code).toBe(0);
  expect(terminal.printed().error).toBe('');
  await expect(ask({ port }, '/')).rejects.toThrow();
  return terminal.printed().out;
}

describe('the mock in a terminal', () => {
  it('prints its banner, a line for each request, and that it stopped', async () => {
    const started = await start(['wiki']);
    await ask(started, `${wiki}?limit=1`);
    await ask(started, '/unknown', {}, 'POST');
    await ask(started, wiki, {}, 'HEAD');
    const lines = (await stop(started)).split('\n');
    const requests = lines.filter((line) => /^\d{3} /.test(line)).map((line) => line.replace(/[\d.]+ ms/, 'ms'));
    expect(requests).toEqual([
      `200 GET  ${wiki}?limit=1 ms`,
      '404 POST /unknown ms  (No API of this mock has this path)',
      `200 HEAD ${wiki} ms`,
    ]);
    expect(lines.at(-2)).toMatch(/^Stopped after 3 requests from the client: no findings; \d+ rules not exercised\.$/);
    expect(lines.indexOf('Touchstone mock seed 1')).toBeLessThan(lines.findIndex((line) => line.startsWith('200 ')));
  });

  it('colours the status by its class, and nothing without decoration', async () => {
    const started = await start(['wiki'], true);
    await ask(started, wiki);
    await ask(started, '/unknown');
    const out = await stop(started);
    expect(out).toContain('\u001b[32m200\u001b[39m GET');
    expect(out).toContain('\u001b[33m404\u001b[39m GET');
    const plain = await start(['wiki']);
    await ask(plain, wiki);
    expect(await stop(plain)).not.toContain('\u001b');
  });

  it('lets no request write to the terminal anything but text', async () => {
    const started = await start(['wiki']);
    await ask(started, `${wiki}?q=%1B[2J%07`);
    await ask(started, `/"quoted"\\back`);
    await ask(started, `/${'x'.repeat(3000)}`);
    const lines = (await stop(started)).split('\n').filter((line) => /^\d{3} /.test(line));
    expect(lines[1]).toContain('/"quoted"\\back');
    expect(lines[2]?.length).toBeLessThan(600);
    for (const line of lines) expect(line).toMatch(/^[\x20-\x7e…]*$/);
  });

  it('chooses the dataset and the keys by the seed', async () => {
    const [one, same, other] = [await start(['--json', '--seed', '41']), await start(['--json', '--seed', '41']), await start(['--json'])];
    const [first, second, third] = await Promise.all(
      [one, same, other].map(async (each) => JSON.parse((await stop(each)).split('\n')[0] ?? '') as Readonly<Record<string, unknown>>),
    );
    expect(first?.['seed']).toBe(41);
    expect(second?.['keys']).toEqual(first?.['keys']);
    expect(third?.['keys']).not.toEqual(first?.['keys']);
    expect(third?.['seed']).toBe(1);
  });
});

describe('a port', () => {
  it('that is taken is left for the next one, if nobody named it, and the mock says so', async () => {
    const earlier = [await start(['wiki'], false, [])];
    let last = await start(['wiki'], false, []);
    // A test in another process may have used the default port and freed it since.
    while (last.port === 4010) {
      earlier.push(last);
      last = await start(['wiki'], false, []);
    }
    expect(last.port).toBeGreaterThan(4010);
    expect(earlier.map(({ port }) => port)).not.toContain(last.port);
    expect((await ask(last, wiki)).status).toBe(200);
    const [line] = (await stop(last)).split('\n');
    expect(line).toBe(`Port 4010 is taken; this mock listens on ${last.port} instead.`);
    for (const each of earlier) await stop(each);
  });
});

describe('the mock for a program', () => {
  it('prints one JSON object a line, and nothing else', async () => {
    const started = await start(['--json']);
    const greeting = JSON.parse(started.terminal.printed().out) as Readonly<Record<string, unknown>> & {
      readonly keys: Readonly<Record<string, string>>;
    };
    const url = `http://127.0.0.1:${started.port}`;
    expect(greeting).toEqual({
      event: 'ready',
      url,
      urls: { business: url, wiki: url },
      keys: expect.objectContaining({ full: expect.stringMatching(/^mock_full_/), 'without:menu': expect.any(String) }),
      hiddenRecords: expect.arrayContaining([expect.any(String)]),
      seed: 1,
    });
    await ask(started, business.orders, withKey(greeting.keys['full']));
    await ask(started, business.orders);
    const events = (await stop(started))
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => JSON.parse(line) as unknown);
    expect(events).toEqual(
      [200, 401].map((status) => ({ event: 'exchange', method: 'GET', target: business.orders, status, durationMs: expect.any(Number) })),
    );
  });
});

describe('a key', () => {
  it.each([[[]], [['--json']]])('that comes in a request is in no line about it, with %j', async (options) => {
    const started = await start([fixture('parcels'), ...options]);
    const announced = started.terminal.printed().out;
    const key = /mock_full_[0-9a-f]+/.exec(announced)?.[0] ?? '';
    const targets = [
      `/v2/parcels?access_key=${key}`,
      `/v2/parcels?page=2&access%5Fkey=${key.replaceAll('_', '%5f')}&per_page=1`,
      `/v2/parcels/C3?access_key=${key}`,
      '/v2/parcels?access_key=my-own-secret-key',
      `/unknown?access_key=${key}`,
      `/v2/parcels?access_key=${key}&access_key=${key}`,
    ];
    for (const target of targets) await ask(started, target);
    await ask(started, '/v2/parcels', { authorization: `Bearer ${key}` });
    const lines = (await stop(started)).slice(announced.length);
    expect(lines).toContain('/v2/parcels');
    expect(lines).toContain('page=2');
    const digits = key.slice(-20);
    for (const secret of [digits, 'my-own-secret-key']) expect(lines).not.toContain(secret);
  });
});

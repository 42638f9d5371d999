/** `touchstone verify --watch`: durations, what does not go with it, and a watch that the user ends. */

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readWatchDuration } from '../../../cli/verify/verify-options.ts';
import { type RunningMock, startMock } from '../../../mocks/start-mock.ts';
import { closeServers, openServer, verifyOnTerminal } from './verifying.ts';

vi.setConfig({ testTimeout: 60_000 });

let mock: RunningMock;
beforeAll(async () => {
  mock = await startMock({ contracts: ['wiki'] });
});
afterAll(async () => {
  await closeServers();
  await mock.close();
});

function read(watch: string | undefined, more: readonly string[] = []): number | undefined {
  return readWatchDuration({ positionals: [], values: { watch }, switches: new Set(more), lists: {}, line: '' });
}

describe('the duration', () => {
  it.each([
    ['90s', 90_000],
    ['30m', 1_800_000],
    ['2h', 7_200_000],
    ['PT90M', 5_400_000],
    ['1d', 86_400_000],
    [undefined, undefined],
  ])('%s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it.each(['30', '0m', '10s', 'soon', '32d', '-5m', 'P1Y'])('%s is none', (text) => {
    expect(() => read(text)).toThrow(`--watch ${text} is not a duration`);
  });

  it('does not go with a quick run', () => {
    expect(() => read('30m', ['quick'])).toThrow('--quick cannot be combined with --watch');
  });
});

describe('a watch', () => {
  it('that the user ends reports what it saw until then', async () => {
    let [requests, interrupt] = [0, (): void => undefined];
    const server = await openServer(async (request, response) => {
      requests += 1;
      if (requests === 12) interrupt();
      const answer = await fetch(`${mock.url}${request.url}`);
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(await answer.text());
    });
    const { code, out } = await verifyOnTerminal('wiki', server.url, '--watch', '2h', '--rate', '1000/s', (terminal) => {
      interrupt = terminal.interrupt;
    });
    expect([code, requests]).toEqual([130, 12]);
    expect(out).toContain('watch/changed-at');
  });
});

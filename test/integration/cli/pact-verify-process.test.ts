/** The command `pact verify` as a process that is interrupted while the target withholds an answer. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type RunningMock, startMock } from '../../../mocks/start-mock.ts';
import { endAll, run } from '../../helpers/program.ts';
import { closeServers, openServer } from './verifying.ts';

// The process loads the whole program and starts another one with Pact, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let folder: string;
let mock: RunningMock;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-pact-process-'));
  mock = await startMock({ contracts: ['wiki'] });
});
afterEach(async () => {
  endAll();
  await closeServers();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await mock.close();
});

describe('the program that verifies pacts', () => {
  it('ends on SIGINT with a report of what was judged, though an answer never comes', async () => {
    const file = join(folder, 'interrupted.json');
    const server = await openServer(async (request, response) => {
      const target = request.url ?? '';
      // The provider state needs the first page only, so this is the request of the interaction itself, after others were answered.
      if (target.includes('type=creature') && target.includes('page=2')) {
        running.process.kill('SIGINT');
        return;
      }
      const answer = await fetch(`${mock.url}${target}`);
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(await answer.text());
    });
    const only = ['a request for an entry', '*second page of creatures', 'a search*'].flatMap((pattern) => ['--only', pattern]);
    const options = ['--api', 'wiki', ...only, '--timeout', '600000', '--report', `json=${file}`];
    const running = run(['pact', 'verify', '--target', server.url, ...options]);
    const { code, signal, out } = await running.ended;
    expect({ code, signal }).toEqual({ code: 130, signal: null });
    expect(out).toMatch(/Interrupted: the results so far are shown above\. Exit code 130\.\n$/);
    const report = JSON.parse(readFileSync(file, 'utf8')) as {
      readonly count: object;
      readonly interactions: readonly { readonly verdict: string; readonly reason?: string }[];
    };
    expect(report.count).toEqual({ passed: 1, failed: 0, notExercised: 3 });
    const reasons = report.interactions.filter(({ verdict }) => verdict === 'not-exercised').map(({ reason }) => reason);
    expect(new Set(reasons)).toEqual(new Set(['the run was interrupted']));
  });
});

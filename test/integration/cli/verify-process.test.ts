/** The command `verify` as a process: signals, pipes, and variables of the environment. */

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type RunningMock, startMock } from '../../../mocks/start-mock.ts';
import { endAll, finish, program, run } from '../../helpers/program.ts';
import { readRun } from '../../helpers/reports/report-schema.ts';
import { closeServers, openServer } from './verifying.ts';

// Each process loads the whole program, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let folder: string;
let mock: RunningMock;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-process-'));
  mock = await startMock();
});
afterEach(async () => {
  endAll();
  await closeServers();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await mock.close();
});

describe('the program', () => {
  it('reads keys from its environment, and prints the summary alone to standard output', async () => {
    const args = ['verify', 'business', '--target', mock.url, '--key', 'full=A_KEY', '--only', 'keys/missing', '--seed', '7'];
    const { code, out, error } = await finish(args, { A_KEY: mock.keys['full'] ?? '' });
    expect({ code, first: out.split('\n')[1] }).toEqual({
      code: 0,
      first: `Business Integration API 1.0.0-alpha.2 at ${mock.url}, seed 7: checked 7 of 7 operations`,
    });
    expect(error).toMatch(/^Verifying Business/);
    expect(error).not.toContain('TOUCHSTONE-VERIFY');
    for (const control of ['\r', '\u001b']) expect(`${out}${error}`).not.toContain(control);
  });

  it('ends a run on SIGINT with a report of what was judged, though an answer never comes', async () => {
    const file = join(folder, 'interrupted.json');
    let count = 0;
    const server = await openServer(async (request, response) => {
      count += 1;
      // Never answered: an answer could arrive before the signal, and the program would send another request.
      if (count === 5) return void running.process.kill('SIGINT');
      const answer = await fetch(`${mock.url}${request.url}`);
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(await answer.text());
    });
    const running = run(['verify', 'wiki', '--target', server.url, '--report', `json=${file}`]);
    const { code, signal, out } = await running.ended;
    expect({ code, signal, count }).toEqual({ code: 130, signal: null, count: 5 });
    expect(out).toMatch(/Interrupted: .* Exit code 130\.\n$/);
    const report = readRun(file);
    expect([report.cutShort, report.notes?.[0]]).toEqual([
      'interrupted',
      expect.stringContaining('The run was interrupted after 5 requests'),
    ]);
  });

  it('keeps its exit code when nobody reads its output', async () => {
    const server = await openServer((_request, response) => response.writeHead(503).end());
    const args = [program, 'verify', 'wiki', '--target', server.url];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.destroy();
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(3);
  });
});

/** Runs that end early: the user stops them, the target dies, or the requests are used up. What was judged until then keeps its verdict. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { CheckResult, RunResult } from '../../../core/results/run-result.ts';
import { type RunningMock, startMock } from '../../../mocks/start-mock.ts';
import { readRun } from '../../helpers/reports/report-schema.ts';
import { closeServers, openServer, verifyOnTerminal } from './verifying.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let folder: string;
let mock: RunningMock;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-cut-'));
  mock = await startMock({ contracts: ['wiki'] });
});
afterEach(closeServers);
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await mock.close();
});

const formats = ['json', 'junit', 'markdown', 'sarif', 'html', 'github', 'gitlab', 'har'];
const fileOf = (format: string): string => join(folder, `report.${format}`);
const reports = (): readonly string[] => formats.flatMap((format) => ['--report', `${format}=${fileOf(format)}`]);

/** A proxy in front of the mock. It calls `then` after its answer to request number `at`. */
async function openDoor(at: number, then: () => void | Promise<void>): Promise<string> {
  let count = 0;
  const { url } = await openServer(async (request, response) => {
    count += 1;
    const answer = await fetch(`${mock.url}${request.url ?? ''}`);
    const headers = { 'content-type': answer.headers.get('content-type') ?? '', etag: answer.headers.get('etag') ?? '' };
    response.writeHead(answer.status, headers).end(await answer.text());
    if (count === at) await then();
  });
  return url;
}

function readReport(): RunResult & { readonly notes: readonly string[] } {
  const report = readRun(fileOf('json'));
  for (const format of formats) expect(readFileSync(fileOf(format), 'utf8').length).toBeGreaterThan(0);
  return { ...report, notes: report.notes ?? [] };
}

const withVerdict = ({ checks: rules }: RunResult, verdict: CheckResult['verdict']): readonly CheckResult[] =>
  rules.filter((rule) => rule.verdict === verdict);

describe('a run that ends early', () => {
  it('since the user stops it, reports what was judged and why the rest was not', async () => {
    let interrupt = (): void => undefined;
    const url = await openDoor(25, () => interrupt());
    const { code, out } = await verifyOnTerminal('wiki', url, ...reports(), (terminal) => {
      interrupt = terminal.interrupt;
    });
    const report = readReport();
    expect([code, report.exitCode, report.cutShort]).toEqual([130, 130, 'interrupted']);
    expect(withVerdict(report, 'holds').length).toBeGreaterThan(0);
    expect(withVerdict(report, 'violated')).toEqual([]);
    const rest = withVerdict(report, 'not-exercised').map(({ message }) => message);
    expect(rest).toContain('the run was interrupted');
    expect(report.notes).toEqual([
      expect.stringMatching(/^The run was interrupted after \d+ requests; \d+ of \d+ checks had a result by then$/),
    ]);
    expect(out).toMatch(/\n\nNotes\n {2}The run was interrupted after /);
    expect(out).toMatch(/Interrupted: .* Exit code 130\.\n$/);
  });

  it('since the target dies in the middle, keeps the verdicts until then and blames nobody for the rest', async () => {
    const url = await openDoor(25, closeServers);
    const { code, out } = await verifyOnTerminal('wiki', url, ...reports());
    const report = readReport();
    expect([code, report.exitCode, report.verdict, report.cutShort]).toEqual([3, 3, 'blocked', 'lost']);
    expect(report).not.toHaveProperty('unavailable');
    expect(withVerdict(report, 'holds').length).toBeGreaterThan(0);
    expect(withVerdict(report, 'violated')).toEqual([]);
    expect(withVerdict(report, 'blocked').length).toBeGreaterThan(0);
    for (const { message } of withVerdict(report, 'blocked')) expect(message).toContain(new URL(url).host);
    expect(report.notes[0]).toMatch(/^The target stopped responding after \d+ requests \(.+\); \d+ of \d+ checks had a result by then$/);
    expect(out).toMatch(/Blocked: a part of the target could not be checked\. Exit code 3\.\n$/);
  });

  it.each([10, 25])('since its %i requests are spent, says so of what it did not reach', async (budget) => {
    const { code, out } = await verifyOnTerminal('wiki', mock.url, ...reports(), '--budget', String(budget));
    const report = readReport();
    expect([code, report.exitCode, report.cutShort, report.requests <= budget]).toEqual([4, 4, 'budget', true]);
    expect(withVerdict(report, 'violated')).toEqual([]);
    const rest = withVerdict(report, 'not-exercised').map(({ message }) => message);
    expect(rest.some((message) => message === `the budget of ${budget} requests is too small for this; raise --budget`)).toBe(true);
    expect(report.notes[0]).toMatch(/^The budget was spent after \d+ requests; \d+ of \d+ checks had a result by then/);
    expect(out).toMatch(/Too little evidence: .* Exit code 4\.\n$/);
  });

  it('still tells of a violation that was confirmed before, and then that is what counts', async () => {
    await using faulty = await startMock({ contracts: ['wiki'], mutants: ['content-type-plain:wiki'] });
    let last = 0;
    const { url } = await openServer(async (request, response) => {
      last += 1;
      if (last > 150) return void response.destroy();
      const answer = await fetch(`${faulty.url}${request.url ?? ''}`);
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(await answer.text());
    });
    const { code } = await verifyOnTerminal('wiki', url, ...reports(), '--only', 'response/content-type', '--only', 'pages/*');
    expect([code, withVerdict(readReport(), 'violated').length > 0]).toEqual([1, true]);
  });
});

/** `touchstone replay`: counterexamples of a report, sent again to servers that got better, stayed as they were, or lost the data. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { run } from '../../../../cli/run-command.ts';
import type { Replay } from '../../../../core/results/replay-result.ts';
import { type RunningMock, startMock } from '../../../../mocks/start-mock.ts';
import { createTerminal } from '../../../helpers/reports/fake-terminal.ts';
import { readRun } from '../../../helpers/reports/report-schema.ts';
import { closeServers, openServer, verifyOnTerminal } from '../verifying.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), 'touchstone-replay-'));
const report = join(folder, 'report.json');
const guarded = join(folder, 'guarded.json');
const key = ['--key', 'full=TEST_REPLAY_KEY'];
let faulty: RunningMock;
let good: RunningMock;

beforeAll(async () => {
  faulty = await startMock({ mutants: ['search-ignored:listEntries.q'] });
  good = await startMock();
  vi.stubEnv('TEST_REPLAY_KEY', faulty.keys['full'] ?? '');
  await verifyOnTerminal('wiki', faulty.url, '--only', 'response/schema', '--only', 'search/*', '--report', `json=${report}`);
});
afterEach(closeServers);
afterAll(async () => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
  await Promise.all([faulty.close(), good.close()]);
});

async function print(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly error: string }> {
  const terminal = createTerminal();
  return { code: await run(['replay', ...args], '0.0.0', terminal), ...terminal.printed() };
}

describe('a counterexample', () => {
  it('still stands at the server that it was found at, with both answers', async () => {
    const { code, out, error } = await print(report);
    expect([code, error]).toEqual([1, '']);
    const violated = readRun(report).checks.filter(({ verdict }) => verdict === 'violated');
    expect(violated.length).toBeGreaterThan(0);
    for (const { rule: id } of violated) expect(out).toContain(`${id} in listEntries`);
    expect(out).toMatch(/\nStill stands\n/);
    expect(out).toMatch(
      / {4}earlier {4}\S.*\n(?:.*\n)*? {4}request {4}GET \/api\/v1\/wiki\?q=\S+\n(?:.*\n)*? {4}before {5}200 .*\n(?:.*\n)*? {4}now {8}(the same|200 .*)\n/,
    );
    expect(out).toContain('The same violation was seen again');
    expect(out).toMatch(
      new RegExp(
        `^\\n${violated.length} counterexamples? at ${faulty.url}\\n[\\s\\S]*\\n${violated.length} still stands?, 0 gone, 0 cannot be checked. Exit code 1.\\n$`,
      ),
    );
  });

  it('is sent to a named target with its keys', async () => {
    const config = join(folder, 'touchstone.config.yaml');
    writeFileSync(config, `targets:\n  staging: { url: '${faulty.url}', contract: wiki, keys: { full: TEST_REPLAY_KEY } }\n`);
    const { code, out, error } = await print(report, 'search/*', '--target', 'staging', '--config', config);
    expect([code, error]).toEqual([1, '']);
    expect(out).toContain(`at ${faulty.url}`);
  });

  it('is gone at a server that keeps the rule', async () => {
    const { code, out } = await print(report, 'search/*', '--target', good.url);
    expect(out).toMatch(/\nGone\n {2}search\//);
    expect([code, out.includes('0 still stand')]).toEqual([0, true]);
  });

  it('cannot be judged where the target does not answer, or the rule sees too little', async () => {
    const server = await openServer(() => undefined);
    await closeServers();
    expect(await print(report, '--target', server.url)).toMatchObject({ code: 3, out: expect.stringContaining('Nothing listens') });
    const few = await print(report, 'search/*', '--target', good.url, '--budget', '1');
    expect([few.code, few.out]).toEqual([3, expect.stringContaining('Cannot be checked\n  search/')]);
  });

  it('cannot be judged when what it was found in is refused now, although the rule holds', async () => {
    const file = join(folder, 'moved.json');
    const result = readRun(report);
    const rules = result.checks.map((rule) =>
      rule.verdict !== 'violated'
        ? rule
        : {
            ...rule,
            rule: 'response/schema',
            counterexample: { ...rule.counterexample, exchanges: rule.counterexample?.exchanges.map(toMissing) },
          },
    );
    writeFileSync(
      file,
      JSON.stringify({
        schema: 'touchstone-verify/4',
        exitCode: 1,
        runs: [{ ...result, checks: rules.slice(0, rules.findIndex(({ verdict }) => verdict === 'violated') + 1) }],
      }),
    );
    const { code, out } = await print(file, '--target', good.url);
    expect(out).toMatch(/Cannot be checked\n {2}response\/schema/);
    expect(out.replaceAll(/\s+/g, ' ')).toContain('the data changed: GET /api/v1/wiki/no-such-entry now returns 404 instead of 200');
    expect(code).toBe(3);
  });

  it('is shown to programs as JSON', async () => {
    const { out } = await print(report, 'search/*', '--operation', 'listEntries', '--target', good.url, '--json');
    const result = JSON.parse(out) as Replay;
    expect(result).toMatchObject({ exitCode: 0, target: good.url });
    expect(result.checks.every(({ verdict, before }) => verdict === 'gone' && before.rule.startsWith('search/'))).toBe(true);
    expect(result.checks[0]?.exchanges[0]).toMatchObject({ before: { response: { status: 200 } }, now: { response: { status: 200 } } });
  });
});

function toMissing(exchange: object): object {
  const call = { operation: 'getEntry', segments: { slug: 'no-such-entry' }, variables: [] };
  return { ...exchange, request: { method: 'GET', target: '/api/v1/wiki/no-such-entry', headers: {} }, call };
}

describe('keys', () => {
  it('are sent as the roles that the report names, and shown by their names', async () => {
    const [mutant] = ['field-of-unknown-value:listOrders.channel'];
    await using server = await startMock({ contracts: ['business'], mutants: [mutant ?? ''] });
    await verifyOnTerminal('business', server.url, ...key, '--only', 'response/schema', '--skip', 'get*', '--report', `json=${guarded}`);
    expect(readFileSync(guarded, 'utf8')).toContain('$TEST_REPLAY_KEY');
    const { code, out } = await print(guarded, ...key, '--json');
    const { checks: rules } = JSON.parse(out) as Replay;
    expect([code, rules[0]?.exchanges[0]?.now?.response.status]).toEqual([1, 200]);
    expect(out).toContain('$TEST_REPLAY_KEY');
    expect(out).not.toContain(server.keys['full'] ?? 'no key');
  });

  it('that are not given are asked for', async () => {
    expect(await print(guarded)).toMatchObject({ code: 2, error: expect.stringContaining('--key full=') });
  });
});

describe('mistakes', () => {
  it.each([
    [[], 'needs one report'],
    [[join(folder, 'none.json')], 'cannot be read (ENOENT)'],
    [[report, 'search/narow'], 'the report has no violation of search/narow'],
    [[report, '--operation', 'getEntry'], 'the report has no violation of * in getEntry'],
  ])('%j', async (args, message) => {
    expect(await print(...args)).toMatchObject({ code: 2, out: '', error: expect.stringContaining(message) });
  });

  it('are none when the report has no violation', async () => {
    const file = join(folder, 'clean.json');
    await verifyOnTerminal('wiki', good.url, '--only', 'response/content-type', '--report', `json=${file}`);
    expect(await print(file)).toMatchObject({ code: 0, out: expect.stringContaining('nothing to replay') });
  });
});

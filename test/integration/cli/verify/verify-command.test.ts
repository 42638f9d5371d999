/** The command `verify` in this process, against mocks and against servers that are no API: exit codes, summary, reports. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type RunningMock, startMock } from '../../../../mocks/start-mock.ts';
import { complaintsAbout, readRun } from '../../../helpers/reports/report-schema.ts';
import { closeServers, openServer, type Verified, verifyOnTerminal } from '../verifying.ts';

// A run sends dozens of requests, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

let mock: RunningMock;
let folder: string;
const key = ['--key', 'full=TEST_FULL_KEY'];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-verify-'));
  mock = await startMock();
  vi.stubEnv('TEST_FULL_KEY', mock.keys['full'] ?? '');
});
afterEach(closeServers);
afterAll(async () => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
  await mock.close();
});

const json = (response: ServerResponse, status: number, body: unknown): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

describe('two contracts in one run', () => {
  it('end in one summary and one report, with the patterns and keys that each needs', async () => {
    const files = [join(folder, 'both.json'), join(folder, 'both.html')] as const;
    const reports = ['--report', `json=${files[0]}`, '--report', `html=${files[1]}`];
    const only = ['--only', 'keys/missing', '--only', 'pages/echo'];
    const { code, out, error } = await verifyOnTerminal('business', mock.url, 'wiki', ...key, ...only, '--quick', ...reports);
    expect([code, error.match(/^Verifying .* at /gm)]).toEqual([0, [expect.stringContaining('Business'), expect.stringContaining('Wiki')]]);
    expect(out).toContain('\n2 runs: business, wiki\nBusiness Integration API');
    expect(out.trimEnd().split('\n').slice(-2).join(' ')).toMatch(/Holds: business, .*; Holds: wiki, .* Exit code 0\.$/);
    const report: unknown = JSON.parse(readFileSync(files[0], 'utf8'));
    expect(complaintsAbout(report)).toEqual([]);
    expect(report).toMatchObject({ exitCode: 0, runs: [{ contract: { name: 'business' } }, { contract: { name: 'wiki' } }] });
    expect(readFileSync(files[1], 'utf8')).toContain('<title>Holds: 2 runs: business, wiki</title>');
    for (const file of files) rmSync(file);
  });

  it('are checked before the first request', async () => {
    const refused = async (...more: readonly string[]): Promise<string> =>
      (await verifyOnTerminal('business', mock.url, ...more, ...key)).error;
    expect(await refused('wiki', '--only', 'keys/missing')).toBe(
      'touchstone: --only selects nothing in wiki; leave the contract out, or add a pattern for it\n',
    );
    expect(await refused('wiki', '--only', 'keys/mising')).toContain('keys/mising matches no rule and no operation of business');
    expect(await refused('wiki', '--watch', '1m')).toContain('--watch follows one contract at one target');
    expect(await refused(mock.keys['full'] ?? '')).toMatch(/^touchstone: 2 contracts are named, but one of them is neither a file nor/);
  });
});

describe('--fail-fast', () => {
  it('ends the run after the first group of rules with a violation, and says what was left out', async () => {
    await using faulty = await startMock({ contracts: ['wiki'], mutants: ['filter-ignored:listEntries.type'] });
    const [whole, fast] = [join(folder, 'whole.json'), join(folder, 'fast.json')] as const;
    await verifyOnTerminal('wiki', faulty.url, '--report', `json=${whole}`);
    const { code } = await verifyOnTerminal('wiki', faulty.url, 'wiki', '--fail-fast', '--report', `json=${fast}`);
    const [before, after] = [readRun(whole), readRun(fast)];
    for (const file of [whole, fast]) rmSync(file);
    expect(code).toBe(1);
    expect(after).not.toHaveProperty('runs');
    expect(after.causes.map(({ id }) => id)).toContain(before.causes[0]?.id);
    expect(after.requests).toBeLessThan(before.requests);
    expect(after.checks).toHaveLength(before.checks.length);
    expect(after.checks.filter(({ message }) => message === 'The run stopped at an earlier violation').length).toBeGreaterThan(10);
    expect(after.notes).toEqual([expect.stringMatching(/^The run ended before the verification of wiki at http/)]);
    expect(before.checks.some(({ durationMs = 0 }) => durationMs > 0)).toBe(true);
  });

  it('judges everything of a server without a violation', async () => {
    const file = join(folder, 'good.json');
    const { code } = await verifyOnTerminal('wiki', mock.url, '--fail-fast', '--report', `json=${file}`);
    const { checks } = readRun(file);
    rmSync(file);
    expect([code, checks.filter(({ verdict }) => verdict === 'violated')]).toEqual([0, []]);
    expect(checks.filter(({ verdict }) => verdict === 'holds').length).toBeGreaterThan(30);
  });
});

describe('a server that keeps its contract', () => {
  it('is judged with exit code 0, a summary, and a report that is valid', async () => {
    const file = join(folder, 'clean.json');
    const { code, out, error } = await verifyOnTerminal('wiki', mock.url, '--report', `json=${file}`, '--quick');
    const report = readRun(file);
    expect(out).not.toContain('Violated');
    expect({ code, verdict: report.verdict, exitCode: report.exitCode }).toEqual({ code: 0, verdict: 'holds', exitCode: 0 });
    expect(out).toContain(`\n${report.requests} of at most 200 requests in `);
    expect(out).toContain(`Written: ${file}.\n`);
    expect(out).toMatch(/Exit code 0\.\n$/);
    expect(error).toMatch(/^Verifying Public Wiki API v1 at http:\/\/127\.0\.0\.1:\d+: at most 200 requests, \d+ checks\.\nChecking: /);
    expect(readdirSync(folder)).toEqual(['clean.json']);
  });

  it('is reported with the time, the commit and the command line, which shows no key', async () => {
    vi.stubEnv('GITHUB_SHA', '0123456789abcdef0123456789abcdef01234567');
    const file = join(folder, 'origin.json');
    const value = mock.keys['full'] ?? '';
    await verifyOnTerminal('wiki', mock.url, ...key, '--hidden', value, '--only', 'response/*', '--quick', '--report', `json=${file}`);
    const { started, command, commit } = readRun(file);
    expect(Math.abs(Date.now() - Date.parse(started))).toBeLessThan(60_000);
    expect(command).toContain(` --key full=TEST_FULL_KEY --hidden $TEST_FULL_KEY --only 'response/*' --quick `);
    expect(commit).toBe('0123456789abcdef0123456789abcdef01234567');
  });

  it('is asked the same with the same seed', async () => {
    const options = ['--quick', '--seed', '3'];
    const runs = [await verifyOnTerminal('wiki', mock.url, ...options), await verifyOnTerminal('wiki', mock.url, ...options)];
    const [one, two] = runs.map(({ out }) => out.replace(/in [\d.]+ s/, 'in … s'));
    expect(one).toBe(two);
    expect(one).toContain(', seed 3: checked 2 of 2 operations; 3 stated checks not exercised\n');
  });

  it('is judged by the rules that were asked for', async () => {
    const file = join(folder, 'only.json');
    await verifyOnTerminal('wiki', mock.url, '--only', 'response/*', '--skip', 'getEntry', '--report', `json=${file}`);
    expect(new Set(readRun(file).checks.map(({ rule: id, operation }) => `${id.split('/')[0]} ${operation}`))).toEqual(
      new Set(['response listEntries']),
    );
  });

  it('is judged behind a path prefix, and with the header that a gateway wants', async () => {
    vi.stubEnv('TEST_GATE', 'let-me-in');
    const server = await openServer(async (request, response) => {
      if (request.headers['x-gate'] !== 'let-me-in' || !request.url?.startsWith('/prefix/')) return void response.writeHead(418).end();
      const answer = await fetch(`${mock.url}${request.url.slice('/prefix'.length)}`);
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(await answer.text());
    });
    const run = (...more: readonly string[]): Promise<Verified> =>
      verifyOnTerminal('wiki', `${server.url}/prefix/`, '--only', 'response/schema', ...more);
    expect((await run('--header', 'X-Gate=TEST_GATE')).code).toBe(0);
    expect((await run()).code).toBe(3);
  });
});

describe('a server that breaks its contract', () => {
  it('is judged with exit code 1, and the violation stands first, with a command line that shows it', async () => {
    await using faulty = await startMock({ contracts: ['business'], mutants: ['field-of-unknown-value:listOrders.channel'] });
    const file = join(folder, 'faulty.json');
    const { code, out } = await verifyOnTerminal('business', faulty.url, ...key, '--only', 'response/*', '--report', `json=${file}`);
    const report = readRun(file);
    expect(code).toBe(1);
    expect(report.checks.filter(({ verdict }) => verdict === 'violated').map(({ rule: id }) => id)).toEqual(['response/schema']);
    expect(out).toMatch(/\n\nViolated\n {2}response\/schema in listOrders /);
    expect(out).toMatch(/"x-service-api-key: \$TEST_FULL_KEY"/i);
    expect(out).toMatch(/contract +\S*business\.openapi\.yaml:\d+:\d+ \(stated\)\n/);
    expect(out).toMatch(/Exit code 1\.\n$/);
  });
});

describe('a target that cannot be judged', () => {
  it('answers nothing', async () => {
    const server = await openServer(() => undefined);
    await closeServers();
    const file = join(folder, 'nothing.json');
    const { code, out } = await verifyOnTerminal('wiki', server.url, '--report', `json=${file}`);
    expect(code).toBe(3);
    expect(out).toContain(`Nothing listens at ${server.url}`);
    expect(out).not.toContain('checks:');
    expect(out).toMatch(/Blocked: the target could not be checked\. Exit code 3\.\n$/);
    expect(readRun(file).unavailable).toContain('Nothing listens');
  });

  it.each<readonly [what: string, answer: (response: ServerResponse) => void, paragraph: RegExp]>([
    ['is not ready', (response) => json(response.setHeader('retry-after', '0'), 503, { ok: false }), /503/],
    ['rejects the key', (response) => json(response, 401, { ok: false, error: { code: 'UNAUTHORIZED' } }), /rejects the key \(401/],
    [
      'asks for a login',
      (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<form>Log in</form>'),
      /web page/,
    ],
    [
      'leads elsewhere',
      (response) => void response.writeHead(302, { location: 'https://login.example/?next=1' }).end(),
      /redirects .*login\.example/s,
    ],
    ['knows no path of it', (response) => json(response, 404, {}), /404/],
    ['closes each connection', (response) => void response.destroy(), /Nothing was checked/],
    ['answers too late', () => undefined, /Nothing was checked/],
  ])('%s', async (_, answer, paragraph) => {
    const server = await openServer((_request, response) => answer(response));
    const { code, out } = await verifyOnTerminal('business', server.url, ...key, '--timeout', '100');
    expect(out).toMatch(paragraph);
    expect(out).not.toContain('Violated');
    expect(code).toBe(3);
  });
});

describe('a run that shows too little', () => {
  it('ends with exit code 4', async () => {
    const file = join(folder, 'little.json');
    const { code, out } = await verifyOnTerminal('wiki', mock.url, '--budget', '1', '--only', 'filters/*', '--report', `json=${file}`);
    expect(out).toMatch(/Too little evidence: .* Exit code 4\.\n$/);
    expect(code).toBe(4);
    expect(readRun(file)).toMatchObject({ verdict: 'not-exercised', requests: 1, budget: 1 });
  });
});

describe('an interrupted run', () => {
  it('stops asking, reports what was judged, and ends with exit code 130', async () => {
    let [requests, interrupt] = [0, (): void => undefined];
    const server = await openServer(async (request, response) => {
      requests += 1;
      if (requests === 4) interrupt();
      const answer = await fetch(`${mock.url}${request.url}`);
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(await answer.text());
    });
    const file = join(folder, 'interrupted.json');
    const verified = await verifyOnTerminal('wiki', server.url, '--report', `json=${file}`, (terminal) => {
      interrupt = terminal.interrupt;
    });
    expect(verified.out).toMatch(/Interrupted: .* Exit code 130\.\n$/);
    expect(verified.code).toBe(130);
    expect(requests).toBe(4);
  });
});

describe('the report file', () => {
  it('that can no longer be written at the end takes nothing away from the summary', async () => {
    const gone = mkdtempSync(join(folder, 'gone-'));
    let isFirst = true;
    const server = await openServer((_request, response) => {
      if (isFirst) {
        rmSync(gone, { recursive: true });
        writeFileSync(gone, '');
      }
      isFirst = false;
      json(response, 401, {});
    });
    const { code, out, error } = await verifyOnTerminal('business', server.url, ...key, '--report', `json=${join(gone, 'r.json')}`);
    expect(out).toContain('rejects the key');
    expect(error).toContain(`r.json cannot be written: a part of ${gone} is a file`);
    expect(code).toBe(3);
    expect(out).not.toContain('Written');
  });
});

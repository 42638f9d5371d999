/** The command `pact verify` in this process: exit codes, summary, reports, and keys that stay hidden. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { run } from '../../../../cli/run-command.ts';
import { type RunningMock, startMock } from '../../../../mocks/start-mock.ts';
import { createTerminal } from '../../../helpers/reports/fake-terminal.ts';
import { complaintsAboutReport } from '../../../helpers/reports/report-schema.ts';

// Each run starts a process with Pact.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let mock: RunningMock;
let folder: string;
let keys: readonly string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-pacts-'));
  mock = await startMock();
  for (const [role, value] of Object.entries(mock.keys)) vi.stubEnv(variableOf(role), value);
  keys = Object.keys(mock.keys).flatMap((role) => ['--key', `${role}=${variableOf(role)}`]);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
  await mock.close();
});

function variableOf(role: string): string {
  return `PACT_TEST_${role.replaceAll(/\W/g, '_').toUpperCase()}`;
}

async function verifyPact(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly error: string }> {
  const terminal = createTerminal();
  const code = await run(['pact', 'verify', ...args], '0.0.0', terminal);
  const { out, error } = terminal.printed();
  for (const value of Object.values(mock.keys)) expect(`${out}${error}`).not.toContain(value);
  return { code, out, error };
}

const onlyFull = ['--key', `full=${variableOf('full')}`];
const some = ['--only', 'a request for all orders', '--only', 'a request for an entry'];

describe('touchstone pact verify', () => {
  it('verifies the pacts of the package, and says so on one screen', async () => {
    const { code, out, error } = await verifyPact('--target', mock.url, ...onlyFull, ...some, '--only', '*expired', '--require', '2');
    expect(error).toMatch(/^Verifying the pacts of game, point-of-sale at http:\/\/127\.0\.0\.1:\d+: at most 600 requests, 3 checks\.\n/);
    expect(out).toMatch(/^\nPacts at http/);
    expect(out).toContain(
      '  game with wiki               0 failed  0 not exercised  1 passed\n  point-of-sale with business  0 failed  1 not exercised  1 passed\n',
    );
    expect(out).toMatch(/Passed: 2 interactions passed, and 1 of 3 was not exercised\. Exit code 0\.\n$/);
    expect(code).toBe(0);
  });

  it('shows what fails with its place, a command line and a report in each format', async () => {
    const files = Object.fromEntries(['json', 'junit', 'markdown', 'github'].map((format) => [format, join(folder, `report.${format}`)]));
    await using faulty = await startMock({ mutants: ['field-of-other-type:listOrders.id'] });
    const reports = Object.entries(files).flatMap(([format, file]) => ['--report', `${format}=${file}`]);
    const { code, out } = await verifyPact('--target', faulty.url, ...keys, ...some, ...reports);
    expect(code).toBe(1);
    expect(out).toMatch(/Failed\n {2}a request for all orders \(point-of-sale\)\n {4}given {6}an order exists\n/);
    expect(out).toMatch(/finding {4}\$\.data\.orders\[\d+\]\.id: the type changed: \/data\/orders\/\d+\/id is a string/);
    expect(out).toContain('note       the contract does not allow this response: data.orders[');
    expect(out).toMatch(/pact {7}.*point-of-sale-business\.json:\d+:\d+\n {4}try {8}curl -si .*\$PACT_TEST_FULL"/);
    expect(out).toContain(`Written: ${Object.values(files).join(', ')}.`);
    expect(out).toMatch(/Failed: 1 of 2 exercised interactions failed\. Exit code 1\.\n$/);
    const texts = Object.fromEntries(Object.entries(files).map(([format, file]) => [format, readFileSync(file, 'utf8')]));
    const report: unknown = JSON.parse(texts['json'] ?? '');
    expect(complaintsAboutReport('pact', report)).toEqual([]);
    expect(report).toMatchObject({ verdict: 'failed', exitCode: 1, count: { passed: 1, failed: 1, notExercised: 0 } });
    expect(texts['junit']).toContain('<testsuites name="touchstone pact verify" tests="2" failures="1" errors="0"');
    expect(texts['junit']).toContain('name="a request for all orders (given an order exists)"');
    expect(texts['markdown']).toContain('**a request for all orders (point-of-sale)**');
    expect(texts['github']).toMatch(
      /^::error file=.*point-of-sale-business\.json,line=\d+,col=\d+,title=point-of-sale%3A a request for all orders fails::/,
    );
    for (const text of Object.values(texts)) for (const value of Object.values(mock.keys)) expect(text).not.toContain(value);
  });

  it('has exit code 4 when less is exercised than is required, and names what is lacking', async () => {
    const file = join(folder, 'lacking.json');
    const args = ['--only', '*expired', '--only', 'a request for all orders', '--report', `json=${file}`];
    const all = await verifyPact('--target', mock.url, ...onlyFull, ...args);
    expect(all.out.replaceAll(/\s+/g, ' ')).toContain('no key has this role; add --key expired=ENV_VAR');
    expect(all.out).toMatch(/Too little evidence: 1 of 2 interactions was exercised, but 2 are required\. Exit code 4\.\n$/);
    expect(all.code).toBe(4);
    expect(complaintsAboutReport('pact', JSON.parse(readFileSync(file, 'utf8')))).toEqual([]);
  });

  it('has exit code 3 when nobody answers', async () => {
    const { code, out } = await verifyPact('--target', 'http://127.0.0.1:1', ...keys);
    expect(out).toContain('Blocked: a part of the target could not be verified. Exit code 3.');
    expect(code).toBe(3);
  });

  describe('by the name of a target', () => {
    /** A configuration whose targets are the mock. */
    function configure(): string {
      const file = join(folder, 'named.yaml');
      const rules = 'only: [paging/*], require: all, waivers: none.yaml, reports: { html: never.html }';
      const target = `url: '${mock.url}', contract: business, keys: { full: ${variableOf('full')} }`;
      const local = `{ ${target}, budget: 50, ${rules} }`;
      writeFileSync(file, `targets:\n  local: ${local}\n  lost: { ${target}, headers: { X-Gate: NO_SUCH_VARIABLE } }\n`);
      return file;
    }

    it('takes the address, the contract, the keys and the budget of the file, and nothing that is about rules', async () => {
      const given = ['--only', 'a request for all orders'];
      const { code, out, error } = await verifyPact('--config', configure(), '--target', 'local', ...given);
      expect(error).toMatch(/^Skipped .*game-wiki\.json: its provider wiki is not business\.\n/);
      expect(error).toContain('Verifying the pacts of point-of-sale at http://127.0.0.1:');
      expect(error).toContain(': at most 50 requests, 1 check.\n');
      expect(out).toMatch(/Passed: 1 interaction passed\. Exit code 0\.\n$/);
      expect(code).toBe(0);
    });

    it('lets options win', async () => {
      const terminal = createTerminal();
      terminal.interrupt();
      const given = ['--api', 'wiki', '--budget', '60', '--only', 'a request for an entry'];
      await run(['pact', 'verify', '--config', configure(), '--target', 'local', ...given], '0.0.0', terminal);
      expect(terminal.printed().error).toContain('Verifying the pacts of game at ');
      expect(terminal.printed().error).toContain(': at most 60 requests, 1 check.\n');
    });

    it.each<readonly [string, readonly string[], string]>([
      ['an unknown name', ['--target', 'locl'], 'named.yaml has no target locl; did you mean local?'],
      [
        'a variable that is not set, without repeating its name, which may be a key',
        ['--target', 'lost'],
        '--header X-Gate names an environment variable that is not set',
      ],
    ])('refuses %s', async (_, args, message) => {
      const { code, out, error } = await verifyPact('--config', configure(), ...args);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(error).toContain(message);
      expect(error).not.toContain('NO_SUCH_VARIABLE');
    });

    it('says how to get a file where there is none', async () => {
      const { code, error } = await verifyPact('--target', 'staging');
      expect(code).toBe(2);
      expect(error).toContain('--target staging is not a URL, and no touchstone.config.yaml here defines a target of that name');
    });
  });

  it.each<readonly [string, readonly string[], string]>([
    ['no target', [], 'touchstone pact verify needs a server: --target URL'],
    ['no key', ['--target', 'http://127.0.0.1:1'], 'business needs a key'],
    [
      'a role that no contract knows',
      ['--target', 'http://127.0.0.1:1', '--key', 'full=PACT_TEST_FULL', '--key', 'without:x=PACT_TEST_FULL'],
      'a role that',
    ],
    [
      'a number that is none',
      ['--target', 'http://127.0.0.1:1', '--key', 'full=PACT_TEST_FULL', '--require', 'most'],
      '--require most is not a whole number',
    ],
    [
      'an address that is none',
      ['--target', 'http://127.0.0.1:1', '--key', 'full=PACT_TEST_FULL', '--state-change-url', 'here'],
      '--state-change-url is not a URL',
    ],
    ['a folder that is not there', ['no-such-folder', '--target', 'http://127.0.0.1:1'], 'no-such-folder'],
    ['an unknown format', ['--report', 'xml=x'], 'there is no format xml'],
  ])('refuses %s', async (_, args, message) => {
    const { code, out, error } = await verifyPact(...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).toContain(message);
  });

  it('stops when the user says so, and reports what it came to', async () => {
    const terminal = createTerminal();
    terminal.interrupt();
    const code = await run(['pact', 'verify', '--target', mock.url, ...keys, ...some], '0.0.0', terminal);
    expect(terminal.printed().out).toContain('Interrupted: the results so far are shown above. Exit code 130.');
    expect(code).toBe(130);
  });
});

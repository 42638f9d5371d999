/** Exit code of `verify` by requirements, waivers and baselines. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { fingerprintOf } from '../../../contracts/verify/violation-fingerprint.ts';
import { type RunningMock, startMock } from '../../../mocks/start-mock.ts';
import { readRun } from '../../helpers/reports/report-schema.ts';
import { type Verified, verifyOnTerminal } from './verifying.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let folder: string;
let sound: RunningMock;
let faulty: RunningMock;
let asked = 0;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-terms-'));
  sound = await startMock();
  faulty = await startMock({
    contracts: ['business'],
    mutants: ['field-of-unknown-value:listOrders.channel'],
    onExchange: () => {
      asked += 1;
    },
  });
  vi.stubEnv('TEST_FULL_KEY', sound.keys['full'] ?? '');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
  await Promise.all([sound.close(), faulty.close()]);
});

const key = ['--key', 'full=TEST_FULL_KEY'];
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

describe('--require', () => {
  it('ends with 4 and a note for each rule that does not hold, and with 0 where all do', async () => {
    const file = join(folder, 'required.json');
    const options = [...key, '--only', 'keys/*', '--skip', 'get*', '--report', `json=${file}`];
    const { code, out } = await verifyOnTerminal('business', sound.url, ...options, '--require', 'stated');
    expect(code).toBe(4);
    expect(out).toMatch(/\n\nNotes\n {2}keys\/\S+ in list\S+ is required \(stated\) and is not testable:/);
    expect(out).toMatch(/Too little evidence: no violation was found, but required checks have no result\. Exit code 4\.\n$/);
    const lacking = readRun(file).checks.filter(({ verdict, strength }) => verdict !== 'holds' && strength === 'stated');
    expect(readRun(file).notes).toHaveLength(lacking.length);
    expect((await verifyOnTerminal('business', sound.url, ...options, '--require', 'keys/missing,keys/unknown')).code).toBe(0);
  });

  it('is refused when it requires nothing', async () => {
    const { code, error } = await verifyOnTerminal('wiki', sound.url, '--require', 'state');
    expect([code, error]).toEqual([2, 'touchstone: state requires no rule; did you mean stated?\n']);
    expect((await verifyOnTerminal('wiki', sound.url, '--only', 'response/*', '--require', 'pages/*')).error).toContain(
      'pages/* is required, but it is not a rule that is checked here',
    );
  });
});

const fingerprint = fingerprintOf('response/schema', 'listOrders', { stableName: '/data/orders/*/channel enum' });
const holding = fingerprintOf('response/schema', 'listReservations', { stableName: 'x' });

describe('--waivers', () => {
  const verify = (...more: readonly string[]): Promise<Verified> =>
    verifyOnTerminal(
      'business',
      faulty.url,
      ...key,
      '--quick',
      '--only',
      'response/schema',
      '--only',
      'keys/missing',
      '--skip',
      'get*',
      ...more,
    );

  it('lets a violation pass with its reason, as long as they hold', async () => {
    const report = join(folder, 'waived.json');
    const waived = write('waived.yaml', `waivers:\n  - fingerprint: ${fingerprint}\n    reason: ticket 7\n    expires: 2999-12-31\n`);
    const { code, out } = await verify('--waivers', waived, '--report', `json=${report}`);
    expect(code).toBe(0);
    expect(out).toContain('\n4 checks: 1 waived, 3 hold');
    expect(out).toContain('\nViolated and waived\n  response/schema in listOrders: ticket 7 (until 2999-12-31)\n');
    expect(readRun(report).checks.find(({ verdict }) => verdict === 'violated')?.waiver).toEqual({
      reason: 'ticket 7',
      expires: '2999-12-31',
    });
  });

  it('that have expired or are unused are reported with their lines', async () => {
    const idle = write(
      'idle.yaml',
      `waivers:\n  - { fingerprint: ${fingerprint}, reason: old, expires: 2020-01-01 }\n  - { fingerprint: ${holding}, reason: x }\n`,
    );
    const report = join(folder, 'idle.json');
    const { code } = await verify('--waivers', idle, '--report', `json=${report}`);
    expect(code).toBe(1);
    expect(readRun(report).notes).toEqual([
      `${idle}:2:5: the waiver of ${fingerprint} expired on 2020-01-01, and response/schema in listOrders counts again: fix it, or give a later date`,
      `${idle}:3:5: the waiver of ${holding} is unused: response/schema in listReservations holds; remove it`,
    ]);
  });

  it('make room for what is new: a report as a baseline lets pass what it has', async () => {
    const baseline = join(folder, 'baseline.json');
    await verify('--report', `json=${baseline}`);
    const { code, out } = await verify('--baseline', baseline);
    expect(code).toBe(0);
    expect(out).toContain('\n  response/schema in listOrders: the baseline has it\n');
    const older = { ...readRun(baseline), checks: [] };
    expect(
      (await verify('--baseline', write('older.json', JSON.stringify({ schema: 'touchstone-verify/4', exitCode: 1, runs: [older] })))).code,
    ).toBe(1);
    expect((await verify('--baseline', join(folder, 'none.json'))).error).toContain('none.json cannot be read (ENOENT)');
  });

  it('with a mistake are refused before anything is asked', async () => {
    const before = asked;
    const { code, error } = await verify('--waivers', write('wrong.yaml', 'waivers:\n  - { fingerprint: 1c9a07-e3b0c4 }\n'));
    expect([code, error]).toEqual([2, `touchstone: ${join(folder, 'wrong.yaml')}:2:5: waivers.0 must have required property 'reason'\n`]);
    expect((await verify('--waivers', join(folder, 'none.yaml'))).error).toContain('none.yaml cannot be read (ENOENT)');
    expect(asked).toBe(before);
  });
});

/** The suite of a contract in Vitest: against a correct server here, and against a wrong one in another process, as the page about test runners shows it. */

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { listSuiteTests } from '../../../../contracts/vitest/checks-as-tests.ts';
import { describeContract } from '../../../../contracts/vitest/index.ts';
import { loadUncheckedContract } from '../../../../core/openapi/contract.ts';
import { contractFile } from '../../../../core/shipped-files.ts';
import { type RunningMock, startMock } from '../../../../mocks/start-mock.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const repository = fileURLToPath(new URL('../../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'touchstone-suite-'));
let mock: RunningMock | undefined;

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await mock?.close();
});

describeContract({
  name: 'the mock of entries as a suite',
  contract: 'wiki',
  target: async () => {
    mock = await startMock({ contracts: ['wiki'] });
    return mock.url;
  },
  // All of these hold at the mock, so nothing is skipped.
  only: ['pages/*'],
});

describe('the suite of docs/how-to/test-runners.md against a server with a mutant', () => {
  it('has a test for each check: the violation fails its test with the counterexample, and a check without evidence is skipped', async () => {
    await using faulty = await startMock({ contracts: ['business'], mutants: ['field-of-unknown-value:listOrders.channel'] });
    const tests = await runSuite({ API_URL: faulty.url, FULL_KEY: faulty.keys['full'] ?? '' });
    const contract = await loadUncheckedContract(contractFile('business'));
    expect(tests.map(({ title }) => title)).toEqual([
      ...listSuiteTests(contract, { only }).map(({ name }) => name),
      'exercises enough checks',
    ]);
    const failed = tests.filter(({ status }) => status === 'failed');
    expect(failed.map(({ title }) => title)).toContain('response/schema in listOrders');
    expect(failed.length).toBeLessThan(5);
    expect(failed[0]?.failureMessages.join('\n')).toMatch(/expected {2}[\s\S]*actual {4}[\s\S]*try {7}curl .*\$FULL_KEY/);
    expect(JSON.stringify(tests)).not.toContain(faulty.keys['full'] ?? 'no key');
    const statusOf = (name: string): string | undefined => tests.find(({ title }) => title === name)?.status;
    expect([statusOf('keys/expired in listOrders'), statusOf('filters/sound in listReservations')]).toEqual(['skipped', 'passed']);
  });
});

/** A few rules, since the program is on trial. */
const only = ['response/schema', 'filters/sound', 'keys/expired'];

interface TestResult {
  readonly title: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

/** Runs the program of the page by vitest in a project of its own. */
async function runSuite(environment: Readonly<Record<string, string>>): Promise<readonly TestResult[]> {
  const [, program = ''] =
    /```mts\n([\s\S]*?describeContract[\s\S]*?)```/.exec(readFileSync(join(repository, 'docs/how-to/test-runners.md'), 'utf8')) ?? [];
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(
    join(folder, 'contract.test.ts'),
    program
      .replace("'touchstone/vitest'", JSON.stringify(join(repository, 'contracts/vitest/index.ts')))
      .replace('describeContract({', `describeContract({ only: ${JSON.stringify(only)},`),
  );
  writeFileSync(join(folder, 'vitest.config.mjs'), 'export default {};\n');
  const report = join(folder, 'report.json');
  const args = [join(repository, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder, '--reporter=json', `--outputFile=${report}`];
  // Exit code 1 only means that a test failed, so the report decides.
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { env: { ...process.env, ...environment }, cwd: folder }, (_, out, error) =>
      resolve(`${out}${error}`),
    );
  });
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
      readonly testResults: readonly { readonly assertionResults: readonly TestResult[] }[];
    };
    return testResults.flatMap(({ assertionResults }) => assertionResults);
  } catch (cause) {
    throw new Error(`vitest wrote no report: ${said}`, { cause });
  }
}

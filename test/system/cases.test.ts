/** Runs every scenario of test/cases/: against the mock, or against the server named by TOUCHSTONE_TARGET. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type JudgedMock, startJudgedMock } from '../helpers/judged-mock.ts';
import { parseScenario } from '../scenario/scenario.ts';
import { reasonToSkip, runScenario, type ScenarioTarget, targetOf } from '../scenario/scenario-runner.ts';

const root = fileURLToPath(new URL('../cases/', import.meta.url));
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yaml'))
  .sort();

const target = targetOf(process.env);

describe(target === undefined ? 'the mock' : `the server at ${target.baseUrl}`, () => {
  let server: ScenarioTarget;
  /** Each of its answers must also pass our own validators; the scenarios themselves never read a contract. */
  let mock: JudgedMock | undefined;
  let close: () => Promise<void> = async () => {};

  beforeAll(async () => {
    if (target !== undefined) {
      server = target;
      return;
    }
    mock = await startJudgedMock({ port: 0 });
    close = mock.close;
    server = { baseUrl: mock.url, keys: mock.keys, hiddenRecords: mock.hiddenRecords };
  });

  afterAll(() => close());

  test.for(files)('%s', { timeout: 120_000 }, async (file, context) => {
    const scenario = parseScenario(`test/cases/${file}`, readFileSync(`${root}${file}`, 'utf8'));
    const reason = target === undefined ? undefined : reasonToSkip(scenario, target);
    if (reason !== undefined) context.skip(reason);
    await runScenario(scenario, server);
    await mock?.verify();
  });
});

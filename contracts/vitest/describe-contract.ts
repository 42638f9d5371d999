import { beforeAll, describe, expect, it } from 'vitest';
import { withoutUndefined } from '../../core/drop-undefined.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { RunResult } from '../../core/results/run-result.ts';
import type { VerifyOptions } from '../verify/run-options.ts';
import { openContract, verify } from '../verify/verify.ts';
import { judgeSuiteTest, listSuiteTests, nameSuiteTest } from './checks-as-tests.ts';

/** A value, or a function that returns it. The function is called after the hooks of the suite: a server has no address before it starts. */
export type Lazy<T> = T | (() => T | Promise<T>);

/** Options of `describeContract`: those of `verify`, and the name and the timeout of the suite. */
export interface ContractSuiteOptions extends Omit<VerifyOptions, 'target' | 'keys' | 'interrupted'> {
  /** The address of the target. */
  readonly target: Lazy<string>;
  /** Keys by role: the value, and the variable that messages show instead. */
  readonly keys?: Lazy<NonNullable<VerifyOptions['keys']>>;
  /** The name of the suite; `contract NAME` by default. */
  readonly name?: string;
  /** Timeout of the whole run in milliseconds; 300,000 by default. */
  readonly runTimeoutMs?: number;
}

const defaultRunTimeoutMs = 300_000;

/**
 * Declares the tests of a contract. Their names depend only on the contract and the patterns. The run begins with the first test. A violation
 * fails its test with the counterexample. A check without evidence is skipped with the reason.
 * @example
 * ```ts
 * import { describeContract } from 'touchstone/vitest';
 *
 * describeContract({ contract: 'wiki', target: 'http://127.0.0.1:4010', quick: true });
 * ```
 */
export function describeContract(options: ContractSuiteOptions): void {
  const { contract: source } = options;
  const name = options.name ?? `contract ${typeof source === 'string' ? source : source.name}`;
  describe(name, async () => {
    const contract = typeof source === 'string' ? await openContract(source) : source;
    declareTests(contract, options);
  });
}

function declareTests(contract: Contract, options: ContractSuiteOptions): void {
  let result: RunResult | undefined;
  beforeAll(async () => {
    result = await runOnce(contract, options);
  }, options.runTimeoutMs ?? defaultRunTimeoutMs);
  for (const { name } of listSuiteTests(contract, options)) {
    it(name, ({ skip }) => {
      const check = result?.checks.find((each) => nameSuiteTest(each.rule, each.operation) === name);
      if (check === undefined) return expect.fail(`${name} has no result`);
      const { kind, message } = judgeSuiteTest(check);
      if (kind === 'skipped') skip(message);
      if (kind === 'failed') expect.fail(message);
    });
  }
  it('exercises enough checks', () => {
    // Violations fail their own tests. A run without evidence must fail too.
    if (result !== undefined && result.exitCode !== 0 && result.exitCode !== 1)
      expect.fail([`the run ended with exit code ${result.exitCode} (${result.verdict})`, ...(result.notes ?? [])].join('\n'));
  });
}

/**
 * Runs the checks.
 * @throws {Error} when the target cannot be checked; the whole suite then fails.
 */
async function runOnce(contract: Contract, options: ContractSuiteOptions): Promise<RunResult> {
  const { name: _, runTimeoutMs: __, target, keys, ...rest } = options;
  const settledKeys = keys && (await settle(keys));
  const result = await verify({ ...rest, contract, target: await settle(target), ...withoutUndefined({ keys: settledKeys }) }).result;
  if (result.unavailable !== undefined) throw new Error(result.unavailable);
  return result;
}

function settle<T extends object | string>(value: Lazy<T>): T | Promise<T> {
  return typeof value === 'function' ? value() : value;
}

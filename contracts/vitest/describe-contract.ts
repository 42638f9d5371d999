/** A contract as a suite of vitest: one test for each check at each operation, and one run for all of them. */

import { beforeAll, describe, expect, it } from 'vitest';
import { type Contract, loadContract, readContract } from '../../core/openapi/contract.ts';
import type { RunResult } from '../../core/results/run-result.ts';
import { contractFile, listShipped } from '../../core/shipped.ts';
import { type VerifyOptions, verify } from '../verify/verify.ts';
import { judgeSuiteTest, listSuiteTests, nameSuiteTest } from './suite-tests.ts';

/** A value, or what makes it once the hooks of the suite have run: a server that a test starts has no address before. */
export type Lazy<T> = T | (() => T | Promise<T>);

/** Options of `describeContract`: those of `verify`, and the name and the timeout of the suite. */
export interface ContractSuiteOptions extends Omit<VerifyOptions, 'target' | 'keys' | 'interrupted'> {
  /** The address of the target. */
  readonly target: Lazy<string>;
  /** Keys by role: the value, and the variable that messages show instead. */
  readonly keys?: Lazy<NonNullable<VerifyOptions['keys']>>;
  /** The name of the suite; `contract NAME` unless it is given. */
  readonly name?: string;
  /** Timeout of the whole run in milliseconds; 300,000 by default. */
  readonly runTimeoutMs?: number;
}

const defaultRunTimeoutMs = 300_000;

/**
 * Declares the tests. Their names follow from the contract and the patterns alone; the run begins when the first of them does. A violation fails its
 * test with the counterexample; what the data or the settings did not let the run show is skipped with the reason.
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
  for (const { name, rule, operation } of listSuiteTests(contract, pickChoice(options))) {
    it(name, ({ skip }) => {
      const found = result?.checks.find((each) => nameSuiteTest(each.rule, each.operation) === name);
      if (found === undefined) return skip(`${rule} was not judged at ${operation}: it is of another shard`);
      const { kind, message } = judgeSuiteTest(found);
      if (kind === 'skipped') skip(message);
      if (kind === 'failed') expect.fail(message);
    });
  }
  it('shows enough to be believed', () => {
    // Violations have tests of their own; a run in which nothing held must not pass for a good one.
    if (result !== undefined && result.exitCode !== 0 && result.exitCode !== 1)
      expect.fail([`the run ended with exit code ${result.exitCode} (${result.verdict})`, ...(result.notes ?? [])].join('\n'));
  });
}

/** Runs the checks; a target that cannot be judged is an error of the whole suite. */
async function runOnce(contract: Contract, options: ContractSuiteOptions): Promise<RunResult> {
  const { name: _, runTimeoutMs: __, target, keys, ...rest } = options;
  const given = { target: await settle(target), ...(keys === undefined ? {} : { keys: await settle(keys) }) };
  const result = await verify({ ...rest, ...given, contract }).result;
  if (result.unavailable !== undefined) throw new Error(result.unavailable);
  return result;
}

function pickChoice({ only, skip }: ContractSuiteOptions): { readonly only?: readonly string[]; readonly skip?: readonly string[] } {
  return { ...(only === undefined ? {} : { only }), ...(skip === undefined ? {} : { skip }) };
}

function settle<T extends object | string>(value: Lazy<T>): T | Promise<T> {
  return typeof value === 'function' ? value() : value;
}

function openContract(name: string): Promise<Contract> {
  return (listShipped().includes(name) ? readContract : loadContract)(contractFile(name));
}

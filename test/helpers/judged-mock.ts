/** Mocks for tests. Every answer is checked against the contracts, so that no test can overlook a wrong answer. */

import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { ServedExchange } from '../../mocks/served-exchange.ts';
import { type MockOptions, type RunningMock, startMock } from '../../mocks/start-mock.ts';
import { createJudge } from './exchange-judge.ts';

/** A mock with a check of its answers. */
export interface JudgedMock extends RunningMock {
  /** Every exchange so far, as the mock reports it. */
  readonly exchanges: readonly ServedExchange[];
  /** Internal errors so far. A test removes an error that it expects. */
  readonly errors: unknown[];
  /**
   * Checks every answer since the last call.
   * @throws if an answer violates a contract, or after an internal error.
   */
  readonly verify: () => Promise<void>;
}

/** Starts a mock on a free port. Closing it verifies its answers. */
export async function startJudgedMock(options: MockOptions = {}): Promise<JudgedMock> {
  const exchanges: ServedExchange[] = [];
  const errors: unknown[] = [];
  const judge = createJudge(() => mock.contracts);
  const mock = await startMock({
    ...options,
    onExchange: (exchange) => {
      exchanges.push(exchange);
      judge.record(exchange);
      options.onExchange?.(exchange);
    },
    onError: (error) => errors.push(error),
  });
  const verify = async (): Promise<void> => {
    await judge.verify();
    expect(errors, 'errors inside the mock').toEqual([]);
  };
  const close = async (): Promise<void> => {
    await mock.close();
    await verify();
  };
  return { ...mock, exchanges, errors, verify, close, [Symbol.asyncDispose]: close };
}

/** The path of a contract file among the fixtures. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/${name}.openapi.yaml`, import.meta.url));
}

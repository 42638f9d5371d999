/** The client of the examples makes no mistake: with and without chaos, and in every scenario of the exam. */

import { expect, it, vi } from 'vitest';
import { createExampleClient, findingsOfExample } from '../../../helpers/example-client.ts';
import { runExamOutOfTime } from '../../../helpers/out-of-time.ts';

vi.setConfig({ testTimeout: 60_000 });

it('the client of the examples passes every scenario', async () => {
  const { scenarios } = await runExamOutOfTime(createExampleClient());
  expect(scenarios.map(({ id, state }) => [id, state])).toEqual(scenarios.map(({ id }) => [id, 'passed']));
});

it.each([
  ['without chaos', []],
  ['with chaos', ['503 10%', '429 2% retry-after=1', 'reset 3%', 'truncated 3%', 'latency 1ms..5ms']],
])('the client of the examples makes no mistake %s', async (_, chaos) => {
  expect(await findingsOfExample(1, chaos)).toEqual([]);
});

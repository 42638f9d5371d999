/** The client of the examples, in exams and with mocks that answer with chaos. */

import { vi } from 'vitest';
import type { Json } from '../../core/json.ts';
import type { ClientComparison } from '../../core/results/client-result.ts';
import type { ExamRun, ExamRunEnd } from '../../mocks/exam/exam.ts';
import { type RunningMock, startMock } from '../../mocks/start-mock.ts';

/** The client. The examples are JavaScript, so the compiler does not know its type here. */
interface OrderCopy {
  readonly orders: ReadonlyMap<number, object>;
  readonly synchronise: () => Promise<void>;
  readonly details: (id: number) => Promise<unknown>;
}

const example = new URL('../../examples/client/order-copy.js', import.meta.url).href;
const { OrderCopy } = (await import(example)) as { readonly OrderCopy: new (url: string, key: string) => OrderCopy };

function recordsOf({ orders }: OrderCopy): readonly Json[] {
  return JSON.parse(JSON.stringify([...orders.values()])) as readonly Json[];
}

/** Runs the client, which keeps its copy from the first run of a scenario to the second. */
export function createExampleClient(): (run: ExamRun) => Promise<ExamRunEnd> {
  let copy = new OrderCopy('', '');
  return async ({ run, mock }) => {
    if (run === 1) copy = new OrderCopy(mock.url, mock.keys['full'] ?? '');
    try {
      await copy.synchronise();
      await copy.details([...copy.orders.keys()][0] ?? 0);
      mock.compare({ records: recordsOf(copy) });
      return { code: 0, output: '' };
    } catch (error) {
      return { code: 1, output: String(error) };
    }
  };
}

/** Synchronises with the mock for three days, and asks for a few orders twice. Failed tries are repeated after a pause, in which only the clock goes on. */
async function useMock(mock: RunningMock): Promise<ClientComparison> {
  const copy = new OrderCopy(mock.url, mock.keys['full'] ?? '');
  const retry = async (step: () => Promise<unknown>): Promise<void> => {
    for (let tries = 1; tries <= 20; tries += 1) {
      const failure = await step().then(
        () => undefined,
        (error: unknown) => String(error),
      );
      if (failure === undefined) return;
      vi.setSystemTime(Date.now() + (failure.includes('429') ? 1050 : 60));
    }
    throw new Error('the mock never answers');
  };
  for (let day = 0; day < 3; day += 1) {
    await retry(() => copy.synchronise());
    for (const id of [...copy.orders.keys()].slice(0, 3)) {
      await retry(() => copy.details(id));
      await retry(() => copy.details(id));
    }
    mock.clock.advance('P1D');
  }
  await retry(() => copy.synchronise());
  return mock.compare({ records: recordsOf(copy) });
}

/** Uses a mock with a seed and chaos, in a time of its own. Returns what the judge found, and what the copy lacks. */
export async function findingsOfExample(seed: number, chaos: readonly string[]): Promise<readonly string[]> {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  try {
    await using mock = await startMock({ contracts: ['business'], seed, sizes: { orders: 330 }, chaos });
    const { differences } = await useMock(mock);
    return [...differences, ...mock.client().findings].map(({ message }) => message);
  } finally {
    vi.useRealTimers();
  }
}

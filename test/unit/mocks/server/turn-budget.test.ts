import { expect, test } from 'vitest';
import { TurnBudget } from '../../../../mocks/server/turn-budget.ts';

test('requests that arrive together are spread over turns, in their order', async () => {
  let nowMs = 0;
  const turn = new TurnBudget(() => nowMs);
  const events: string[] = [];
  const handle = async (name: string): Promise<void> => {
    const later = turn.enter();
    if (later !== undefined) await later;
    events.push(name);
    nowMs += 6;
  };
  let isOver = false;
  const countTurns = (): void => {
    events.push('turn');
    if (!isOver) setImmediate(countTurns);
  };
  const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map(handle));
  setImmediate(countTurns);
  await all;
  isOver = true;
  expect(events.join(' ')).toMatch(/^a b (turn )?c d (turn )+e/);
});

test('a request alone does not wait', () => {
  expect(new TurnBudget(() => 0).enter()).toBeUndefined();
});

/** Soundness: if nothing breaks, the reader accepts every instance that the sender allows. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { holdAgainst, tryPair } from './contradictions.ts';
import { schemaChanges } from './random-pairs.ts';

test('what is called proved or compatible is contradicted by no instance', async () => {
  let tries = 0;
  const property = fc.asyncProperty(schemaChanges(1), async (pair) => {
    const trial = await tryPair(pair, 10);
    tries += trial.tries;
    expect(trial.contradictions).toEqual([]);
  });
  await fc.assert(property, { seed: 20_261_121, numRuns: 12 });
  expect(tries).toBeGreaterThan(1_500);
});

test.each([
  ['request', { type: 'string' }, { type: 'string', minLength: 2 }],
  ['response', { enum: ['a'] }, { enum: ['a', 'b'] }],
] as const)('a comparison that overlooks what a %s loses is contradicted', (direction, old, next) => {
  const { contradictions } = holdAgainst({ old, new: next }, direction, [], 5);
  expect(contradictions).toMatchObject([{ direction, claim: 'proved', changes: [] }]);
});

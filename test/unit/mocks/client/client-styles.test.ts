/** Correct clients of many styles, whose requests the mock judges without any finding, with and without chaos. */

import { describe, expect, it } from 'vitest';
import { clientStyles, findingsOfStyle, survivableChaos } from '../../../helpers/client-styles.ts';
import { findingsOfRandomClient } from '../../../helpers/random-clients.ts';

// The campaign correct-clients meets each page with each chaos.
const troubles = [undefined, ...survivableChaos].map((chaos, index) => [chaos, index % 3] as const);

describe.each(troubles)('with the chaos %s on some pages, asked again', (chaos, offset) => {
  it.each(Object.keys(clientStyles))('%s', async (name) => {
    expect(await findingsOfStyle(name, { seed: 1, chaos, offset })).toEqual([]);
  });
});

// The campaign has 400 of them.
it.each([1, 2, 3, 4, 5])('random client %i', async (seed) => {
  expect(await findingsOfRandomClient(seed)).toEqual([]);
});

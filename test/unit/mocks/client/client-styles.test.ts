/** Correct clients of many styles, whose requests the mock judges without any finding, with and without chaos. */

import { describe, expect, it } from 'vitest';
import { clientStyles, findingsOfStyle, survivableChaos } from '../../../helpers/client-styles.ts';

describe.each([undefined, ...survivableChaos])('with the chaos %s on some pages, asked again', (chaos) => {
  // The campaign correct-clients meets each page with each chaos.
  const offset =
    Math.max(
      0,
      survivableChaos.findIndex((rule) => rule === chaos),
    ) % 3;

  it.each(Object.keys(clientStyles))('%s', async (name) => {
    expect(await findingsOfStyle(name, { seed: 1, chaos, offset })).toEqual([]);
  });
});

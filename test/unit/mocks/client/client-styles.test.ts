/** Correct clients of many styles, whose requests the mock judges without any finding, with and without chaos. */

import { describe, expect, it } from 'vitest';
import { clientStyles, findingsOfStyle, survivableChaos } from '../../../helpers/client-styles.ts';

describe.each([undefined, ...survivableChaos])('with the chaos %s on any page, asked again', (chaos) => {
  it.each(Object.keys(clientStyles))('%s', async (name) => {
    for (const offset of chaos === undefined ? [0] : [0, 1, 2]) expect(await findingsOfStyle(name, { seed: 1, chaos, offset })).toEqual([]);
  });
});

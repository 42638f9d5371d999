/** What takes Prism's place where it is not what is tested: a call behaves at once, and there are no examples. */

import type { PrismParts } from '../../mocks/prism-parts.ts';

/** The parts of Prism, done without it. */
export const withoutPrism: PrismParts = {
  engine: async () => ({ respond: async (call) => call.behave() }),
  negotiation: async () => async () => 'there are no examples without Prism',
};

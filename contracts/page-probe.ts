/** The second page of a small size: one request that shows a page that is neither the first nor of the default size, for all who want one. */

import type { Lab } from './lab.ts';
import { type NumberedOperation, pageCall } from './numbered.ts';
import type { Reply } from './reply.ts';

/** A size that is no default, and that divides few lists. */
export const smallSize = 7;

/** Asks for it. */
export async function askSecondPage(lab: Lab, operation: NumberedOperation): Promise<Reply> {
  const { base } = await lab.universe(operation);
  return lab.ask(pageCall(operation, base, smallSize, 1));
}

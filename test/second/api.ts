/** Knows what the server asks of either API. */

import type { Asked, Failure, Reply } from './reply.ts';
import type { MutableWorld } from './world.ts';

/** One of the two APIs, ready to answer. */
export interface Api {
  /** Whether the path is one of the API's own. */
  readonly has: (path: string) => boolean;
  readonly answer: (asked: Asked) => Reply;
  readonly fail: (failure: Failure, asked: Asked) => Reply;
  readonly world: MutableWorld;
  readonly keys: Readonly<Record<string, string>>;
  readonly hidden: () => readonly string[];
}

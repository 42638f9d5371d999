/** What the mock answers, before it becomes bytes. */

import type { Json } from '../core/json.ts';

/** An answer of the mock. */
export interface Answer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** `undefined` for an answer without a body. */
  readonly body: Json | undefined;
}

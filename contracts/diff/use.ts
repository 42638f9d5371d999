/** Where schemas are used: which half of an exchange carries their values, and how a value is shown there. */

import type { HalfOfExchange, WitnessExchange } from '../../core/change.ts';
import type { Json } from '../../core/json.ts';
import type { Schema } from '../../core/schema.ts';

/** Puts a value into an exchange. */
export type Exposure = (value: Json) => WitnessExchange;

/** Where a schema is used. */
export interface Use {
  readonly operation: string;
  /** `request-body`, `query-parameter`, `response-header` …: the first half of ids. */
  readonly subject: string;
  readonly direction: HalfOfExchange;
  /** In the reader's words. */
  readonly location: string;
  /** Whether values are written as text, as XML and forms are: a text may then hold what JSON would write otherwise. */
  readonly isText: boolean;
  readonly old: Schema;
  readonly new: Schema;
  /** Puts a value of the schema into an exchange. */
  readonly expose: Exposure;
}

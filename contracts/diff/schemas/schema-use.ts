/** Where an operation uses a schema: in its request or its response, and at which place. Compares nothing. */

import type { Schema } from '../../../core/openapi/schema-facts.ts';
import type { HalfOfExchange } from '../../../core/results/diff-result.ts';
import type { ExchangePart } from '../exchange-place.ts';
import type { ExchangeBuilder } from '../witnesses/build-witness-exchange.ts';

/** The use of a schema in an operation. */
export interface SchemaUse {
  readonly operation: string;
  /** First half of ids: `request-body`, `query-parameter`, `response-header` … */
  readonly idPrefix: string;
  readonly direction: HalfOfExchange;
  /** The part of the exchange that has the schema. */
  readonly at: { readonly part: ExchangePart };
  /** True if values are written as text, as in parameters, headers, XML and forms. A text may then stand for another JSON type. */
  readonly isText: boolean;
  /** True if each element of a list is a text of its own, as in `?q=a&q=b`. */
  readonly repeatsLists: boolean;
  readonly old: Schema;
  readonly new: Schema;
  /** Builds an exchange that carries a value of the schema. */
  readonly toExchange: ExchangeBuilder;
}

/** True if the schema describes a body. Parameters and headers travel as text. */
export function isBody({ idPrefix }: SchemaUse): boolean {
  return idPrefix.endsWith('-body');
}

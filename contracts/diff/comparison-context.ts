/**
 * Type of everything that one comparison shares: both documents, the searches and the list of differences. `compare-contracts.ts` builds the context once for
 * each comparison, and all comparisons of standard OpenAPI read it, directly or through `add-difference.ts`. The comparisons of annotations do not; they
 * read `annotated-operation-pair.ts`.
 */

import type { JsonObject } from '../../core/json.ts';
import type { Document } from '../../core/openapi/document.ts';
import type { Difference } from './difference.ts';
import type { SchemaPairs } from './schemas/schema-pairs.ts';
import type { FullSchemaSearch } from './witnesses/full-schema-search.ts';
import type { SchemaWitnessSearch } from './witnesses/schema-witness-search.ts';

/** Everything that a comparison of two documents needs. */
export interface ComparisonContext {
  /** Files of both sides in one document: it knows the place of every value and the target of every reference. */
  readonly document: Document;
  readonly oldRoot: JsonObject;
  readonly newRoot: JsonObject;
  readonly pairs: SchemaPairs;
  readonly search: SchemaWitnessSearch;
  readonly fullSchemas: FullSchemaSearch;
  /** Today as `2026-12-31`, for announced removals. */
  readonly today: string;
  readonly report: (difference: Difference) => void;
  /** Lets pending events run; false after an interruption. */
  readonly shouldContinue: () => Promise<boolean>;
}

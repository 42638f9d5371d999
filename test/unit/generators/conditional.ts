/** Builds schemas with `if`, `then` and `else` from entries, since an object literal with a member `then` looks like a promise. */

import type { JsonObject } from '../../../core/json.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';

/** Returns a schema with a consequence where a condition holds, and an alternative elsewhere. */
export function conditional(condition: Schema, consequence: Schema, alternative: Schema = true): JsonObject {
  return Object.fromEntries(
    Object.entries({ if: condition, consequence, else: alternative }).map(([key, part]) => [key === 'consequence' ? 'then' : key, part]),
  );
}

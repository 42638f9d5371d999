/** `if` and what depends on it, put together by name: an object that is written with a member `then` looks like a promise. */

import type { JsonObject } from '../../../core/json.ts';
import type { Schema } from '../../../core/openapi/schema.ts';

/** A schema that asks for one thing where a condition holds, and for another where it does not. */
export function conditional(condition: Schema, consequence: Schema, alternative: Schema = true): JsonObject {
  return Object.fromEntries(
    Object.entries({ if: condition, consequence, else: alternative }).map(([key, part]) => [key === 'consequence' ? 'then' : key, part]),
  );
}

import type { Json } from '../../../core/json.ts';
import type { BodySchema } from '../../../core/openapi/operation.ts';
import { isSlowPattern } from '../../../core/openapi/validator.ts';
import { withoutValuesAt } from '../../../core/pointer.ts';

/** A body without the members that its direction lacks: `readOnly` ones in a request, `writeOnly` ones in a response. */
export function withoutMisdirected(media: BodySchema | undefined, value: Json): Json {
  return withoutValuesAt(value, placesOfMisdirected(media, value));
}

/** The places of the members that the direction of a body lacks, as JSON Pointers. */
export function placesOfMisdirected(media: BodySchema | undefined, value: Json): readonly string[] {
  try {
    return media?.findMisdirected(value).map(({ path }) => path) ?? [];
  } catch (error) {
    // A body whose pattern takes too long is not judged.
    if (!isSlowPattern(error)) throw error;
    return [];
  }
}

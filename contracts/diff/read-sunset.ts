/**
 * Reads announced removals: `deprecated`, and the day of removal in `x-sunset` of an operation, a parameter or a schema. `compare-lifecycle.ts` calls it for
 * both sides of a change and for what was removed. `compare-metadata-keywords.ts` calls it for a changed day in a schema. It rates nothing.
 */

import type { JsonObject } from '../../core/json.ts';
import { isCalendarDate } from '../../core/query/instant.ts';

/** Announced removal of an operation, parameter or schema. */
type SunsetAnnouncement =
  | { readonly kind: 'none' }
  | { readonly kind: 'deprecated' }
  | { readonly kind: 'dated'; readonly day: string }
  | { readonly kind: 'unreadable'; readonly text: string };

/** Reads `deprecated` and `x-sunset`. */
export function readSunset(value: JsonObject): SunsetAnnouncement {
  const sunset = value['x-sunset'];
  if (sunset === undefined) return { kind: value['deprecated'] === true ? 'deprecated' : 'none' };
  // A date, or a date with a time.
  const text = String(sunset);
  const day = /^(\d{4}-\d{2}-\d{2})(?:[T ].*)?$/.exec(text)?.[1];
  return day !== undefined && isCalendarDate(day) ? { kind: 'dated', day } : { kind: 'unreadable', text };
}

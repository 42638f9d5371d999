/** What is promised of an end: `deprecated`, and the day of it in `x-sunset`. */

import type { JsonObject } from '../../core/json.ts';

/** What was promised of an end. */
export type Ending =
  | { readonly kind: 'none' }
  | { readonly kind: 'deprecated' }
  | { readonly kind: 'dated'; readonly day: string }
  | { readonly kind: 'unreadable'; readonly text: string };

/** The promise of an end that something carries. */
export function endingOf(value: JsonObject): Ending {
  const sunset = value['x-sunset'];
  if (sunset !== undefined) {
    const day = dayOf(String(sunset));
    return day === undefined ? { kind: 'unreadable', text: String(sunset) } : { kind: 'dated', day };
  }
  return value['deprecated'] === true ? { kind: 'deprecated' } : { kind: 'none' };
}

/** A date, or the date of an instant; `undefined` for what is neither. */
function dayOf(text: string): string | undefined {
  const found = /^(\d{4}-\d{2}-\d{2})(?:[T ].*)?$/.exec(text)?.[1];
  if (found === undefined) return undefined;
  const date = new Date(`${found}T00:00:00Z`);
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== found ? undefined : found;
}

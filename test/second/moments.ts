/** Knows how the business API reads dates and checkpoints, with the deviations that a checkpoint's reading can have. */

import { dateText, day, daysOf, isDay, microseconds, readInstant, second } from './instant.ts';
import { invalid, sloppily } from './parameters.ts';
import type { Setup } from './setup.ts';

/** A date as YYYY-MM-DD. */
export function readDate(setup: Setup, name: string, text: string): string | undefined {
  const strict = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  const found = strict ?? /^\s*(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ][\d:.+Zz-]*)?\s*$/.exec(text);
  const [year = 0, month = 0, date = 0] = found?.slice(1).map(Number) ?? [];
  const rolls = setup.faulty('impossible-date-accepted') && month >= 1 && month <= 12 && date >= 1 && date <= 31;
  if (found === null || !(isDay(year, month, date) || rolls))
    throw invalid(setup, `${name} must be a date of the calendar like 2024-02-29`);
  const read = dateText(daysOf(year, month, date));
  return strict === null ? sloppily(setup, name, read) : read;
}

/** What a checkpoint asks for: instants from one on, and, for a server that compares texts, the text. */
export interface Checkpoint {
  readonly from: number;
  readonly text: string;
}

/** A checkpoint, as an instant. */
export function readCheckpoint(setup: Setup, text: string): Checkpoint | undefined {
  const strict = readInstant(text);
  if (strict !== undefined) return { from: deviating(setup, strict), text };
  const tidy = tidied(text);
  const loose = tidy === undefined ? undefined : readInstant(tidy);
  if (loose === undefined || tidy === undefined) {
    if (setup.faulty('updated-after-any-text')) return undefined;
    throw invalid(setup, 'updated_after must be a date-time with its offset like 2024-02-29T12:00:00+01:00');
  }
  return sloppily(setup, 'updated_after', { from: deviating(setup, loose), text: tidy });
}

type Written = NonNullable<ReturnType<typeof readInstant>>;

function deviating(setup: Setup, moment: Written): number {
  const exact = microseconds(moment);
  if (setup.faulty('updated-after-offset-ignored')) return microseconds({ ...moment, offset: 0 });
  if (setup.faulty('updated-after-to-the-second')) return Math.floor(exact / second) * second;
  if (setup.faulty('updated-after-by-day')) return Math.floor(exact / day) * day;
  if (setup.faulty('updated-after-grace')) return exact - 3600 * second;
  if (setup.faulty('updated-after-fraction')) return microseconds({ ...moment, fraction: '' }) + Number(moment.fraction) * 1000;
  return exact;
}

/** What a lenient reader makes of a bare date, a missing offset, a space for the plus sign, small letters, an offset without its colon. */
function tidied(text: string): string | undefined {
  const found = /^\s*(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?\s*(?:([Zz])|([+ -]?)(\d{2}):?(\d{2}))?)?\s*$/.exec(text);
  if (found === null) return undefined;
  const [, date, clock = '00:00', seconds = ':00', , sign, hours, minutes] = found;
  const offset = hours === undefined ? 'Z' : `${sign === '-' ? '-' : '+'}${hours}:${minutes}`;
  return `${date}T${clock}${seconds}${offset}`;
}

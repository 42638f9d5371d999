/** Knows how one server was asked to be: its API, its data, its answers to the open questions and its deviations. */

import { type Calendar, type CalendarId, calendars } from './calendar.ts';
import { answersTo, type ChoiceId } from './choices.ts';
import { deviations, type FaultId } from './faults.ts';

/** The amount and kind of data. */
export type DataSize = 'usual' | 'none' | 'one' | 'two' | 'few' | 'same-instant' | 'large';

/** What every part of a server asks when it must decide something. */
export interface Setup {
  readonly api: 'business' | 'wiki';
  readonly data: DataSize;
  readonly calendar: Calendar;
  readonly seed: number;
  readonly choice: (id: ChoiceId) => string;
  readonly faulty: (id: FaultId) => boolean;
}

/** The part of the options that does not change while a server runs. */
export interface SetupOptions {
  readonly api: 'business' | 'wiki';
  readonly choices?: Readonly<Record<string, string>>;
  readonly faults?: readonly string[];
  readonly data?: DataSize;
  readonly calendar?: CalendarId;
  readonly seed?: number;
}

/** Checks the options and fills in their defaults. */
export function setupFrom(options: SetupOptions): Setup {
  return {
    api: options.api,
    data: options.data ?? 'usual',
    calendar: calendars[options.calendar ?? 'leap-day'],
    seed: options.seed ?? 1,
    choice: answersTo(options.api, options.choices ?? {}),
    faulty: deviations(options.api, options.faults ?? []),
  };
}

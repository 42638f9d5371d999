/** The movable clock of a mock, and the texts that set it. Rate limits do not follow it: they run on real time. */

import { readDuration } from '../core/duration.ts';
import { UsageError } from '../core/errors.ts';
import { printJson } from '../core/json.ts';
import { parseInstant } from '../core/query/instants.ts';

/** A movable clock. Instants are milliseconds since 1970-01-01T00:00:00Z, in whole seconds. */
export interface MockClock {
  /** Returns the instant of the clock in milliseconds. */
  readonly now: () => number;
  /** Returns the pace: seconds of the clock in one second of real time; 0 for a stopped clock. */
  readonly pace: () => number;
  /**
   * Sets the clock to an instant, in milliseconds or as `2026-03-29T02:30:00+01:00`. Its pace stays the same.
   * @throws {UsageError} for anything but an instant in the years 0000 to 9999; the clock stays unchanged.
   */
  readonly set: (instant: number | string) => void;
  /**
   * Advances the clock by a duration, in milliseconds or as `PT2H`; a negative one moves it back.
   * @throws {UsageError} for an invalid duration, or one that would move the clock outside the years 0000 to 9999; the clock stays unchanged.
   */
  readonly advance: (duration: number | string) => void;
  /**
   * Sets the seconds that pass per real second.
   * @throws {UsageError} for anything but a number from 0 to 1,000,000.
   */
  readonly setPace: (pace: number) => void;
  /** Restores the setting from the start of the mock. */
  readonly reset: () => void;
}

/** Initial setting of a clock. */
interface ClockSetting {
  /** Start in milliseconds; `undefined` for the default instant of the mock, `'wall'` for the current time. */
  readonly from: number | 'wall' | undefined;
  readonly pace: number;
}

/** Default instant of the mock's clock: a Sunday evening, hours after the change to summer time in Europe. */
export const defaultInstant: number = Date.UTC(2026, 2, 29, 16, 0, 0);

const paceMax = 1_000_000;

/** Earliest and latest instant with a year of four digits. `Date.UTC` takes the year 0 as 1900, and 31,556,952 s is the average year. */
const [earliest, latest] = [Date.UTC(0, 0, 1) - 1900 * 31_556_952_000, Date.UTC(9999, 11, 31, 23, 59, 59)];

/** Creates a clock. `wall` returns the wall-clock time; `defaultStart` is the default instant of the mock. */
export function createClock({ from, pace }: ClockSetting, defaultStart: number, wall: () => number): MockClock {
  const startInstant = (): number => (from === 'wall' ? wall() : (from ?? defaultStart));
  let current = { instantMs: startInstant(), wallMs: wall(), pace };
  const now = (): number => wholeSecond(current.instantMs + (wall() - current.wallMs) * current.pace);
  const change = (instant: number, newPace: number): void => {
    current = { instantMs: clamp(instant), wallMs: wall(), pace: newPace };
  };
  return {
    now,
    pace: () => current.pace,
    set: (instant) => change(requireInstant(instant), current.pace),
    advance: (duration) => change(addDuration(duration, now()), current.pace),
    setPace: (newPace) => change(now(), requirePace(newPace)),
    reset: () => change(startInstant(), pace),
  };
}

/**
 * Reads an instant from a value, in milliseconds.
 * @throws {UsageError} for anything else.
 */
export function requireInstant(value: unknown): number {
  const instant = typeof value === 'string' ? readInstant(value) : value;
  if (typeof instant === 'number' && instant >= earliest && instant <= latest) return instant;
  throw new UsageError(
    `set is ${quoteValue(value)}, which is not an instant with an offset; send, for example, "2026-03-29T02:30:00+01:00".`,
  );
}

/**
 * Adds a duration to an instant.
 * @throws {UsageError} for an invalid duration, or a result out of range.
 */
export function addDuration(value: unknown, nowMs: number): number {
  const durationMs = typeof value === 'string' ? readDuration(value) : value;
  if (typeof durationMs !== 'number' || Number.isNaN(durationMs))
    throw new UsageError(`advance is ${quoteValue(value)}, which is not a duration; send, for example, "PT2H", "P1D" or "-PT30M".`);
  const instant = nowMs + durationMs;
  if (instant >= earliest && instant <= latest) return instant;
  throw new UsageError(`advance is ${quoteValue(value)}, which leaves the years 0000 to 9999; send a shorter duration.`);
}

/**
 * Reads a pace: the seconds that pass per real second.
 * @throws {UsageError} for anything but a number from 0 to 1,000,000.
 */
export function requirePace(value: unknown): number {
  if (typeof value === 'number' && value >= 0 && value <= paceMax) return value;
  throw new UsageError(
    `pace is ${quoteValue(printJson(value))}, which is not a number from 0 to ${paceMax}; 0 stops the clock, 1 is real time.`,
  );
}

function quoteValue(value: unknown): string {
  const text = typeof value === 'string' ? value : String(printJson(value));
  return text.length > 100 ? `${text.slice(0, 100)}…` : text === '' ? '""' : text;
}

/**
 * Reads the setting of a clock: `live`, `x60`, or an instant with an offset.
 * @throws {UsageError} for anything else.
 */
export function parseClock(text: string): ClockSetting {
  if (text === 'live') return { from: 'wall', pace: 1 };
  const pace = /^x(\d+(?:\.\d+)?)$/.exec(text)?.[1];
  if (pace !== undefined && Number(pace) <= paceMax) return { from: undefined, pace: Number(pace) };
  const instant = readInstant(text);
  if (instant !== undefined) return { from: instant, pace: 0 };
  throw new UsageError(
    `the clock ${text} is neither live, nor a pace such as x60, nor an instant such as 2026-03-29T02:30:00+01:00; write one of these`,
  );
}

/**
 * Reads an instant: `2026-03-29T02:30:00+01:00`, or a duration (ISO 8601) relative to `nowMs`, such as `PT2H`, `+P1D` or `-PT30M`.
 * Returns `undefined` for other texts.
 */
export function readInstantOrDuration(text: string, nowMs: number): number | undefined {
  const durationMs = readDuration(text);
  const instant = durationMs === undefined ? readInstant(text) : nowMs + durationMs;
  return instant === undefined || instant < earliest || instant > latest ? undefined : instant;
}

function readInstant(text: string): number | undefined {
  const nanoseconds = /[zZ]|[+-]\d\d:\d\d$/.test(text) ? parseInstant(text) : undefined;
  return nanoseconds === undefined ? undefined : wholeSecond(Number(nanoseconds / 1_000_000n));
}

function wholeSecond(milliseconds: number): number {
  return Math.floor(milliseconds / 1000) * 1000;
}

function clamp(instantMs: number): number {
  return Math.min(latest, Math.max(earliest, wholeSecond(instantMs)));
}

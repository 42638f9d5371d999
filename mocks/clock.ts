/** The clock of a mock: it stands still, goes as fast as the clock on the wall, or so many times as fast, and can be moved. */

import { UsageError } from '../core/errors.ts';
import { parseInstant } from '../core/query/instant.ts';

/** A clock that can be moved. Instants are in milliseconds since 1970-01-01T00:00:00Z, on whole seconds. */
export interface MockClock {
  /** Returns the instant of the clock in milliseconds. */
  readonly now: () => number;
  /** Returns the pace: seconds of the clock in one second of real time; 0 for a stopped clock. */
  readonly pace: () => number;
  /**
   * Moves it to an instant, in milliseconds or as `2026-03-29T02:30:00+01:00`; it goes on from there as it went before.
   * @throws {UsageError} for what is no instant of the years 0000 to 9999; nothing is moved.
   */
  readonly set: (instant: number | string) => void;
  /**
   * Moves it on by a duration, in milliseconds or as `PT2H`; back by a negative one.
   * @throws {UsageError} for what is no duration, or leads out of the years 0000 to 9999; nothing is moved.
   */
  readonly advance: (duration: number | string) => void;
  /**
   * Lets so many seconds pass in one on the wall.
   * @throws {UsageError} for what is no number from 0 to 1,000,000.
   */
  readonly setPace: (pace: number) => void;
  /** As it was when the mock was started. */
  readonly reset: () => void;
}

/** How a clock is set. */
export interface ClockSetting {
  /** Where it starts; `undefined` for the mock's own instant, `'wall'` for the instant on the wall. */
  readonly from: number | 'wall' | undefined;
  readonly pace: number;
}

const paceMax = 1_000_000;

/** The range of instants that a year of four digits can name. */
const [earliest, latest] = [Date.UTC(0, 0, 1) - 1900 * 31_556_952_000, Date.UTC(9999, 11, 31, 23, 59, 59)];

/** A clock; `wall` gives the instant on the wall, and `start` the mock's own. */
export function createClock({ from, pace }: ClockSetting, start: number, wall: () => number): MockClock {
  const begin = (): number => (from === 'wall' ? wall() : (from ?? start));
  let current = { shown: begin(), since: wall(), pace };
  const now = (): number => wholeSecond(current.shown + (wall() - current.since) * current.pace);
  const change = (shown: number, next: number): void => {
    current = { shown: clamp(shown), since: wall(), pace: next };
  };
  return {
    now,
    pace: () => current.pace,
    set: (instant) => change(requireInstant(instant), current.pace),
    advance: (duration) => change(requireMoment(duration, now()), current.pace),
    setPace: (next) => change(now(), requirePace(next)),
    reset: () => change(begin(), pace),
  };
}

/**
 * The instant that a value names, in milliseconds.
 * @throws {UsageError} when it names none.
 */
export function requireInstant(value: unknown): number {
  const instant = typeof value === 'string' ? readInstant(value) : value;
  if (typeof instant === 'number' && instant >= earliest && instant <= latest) return instant;
  throw new UsageError(`set is ${excerpt(value)}, which is no instant with an offset; send one such as "2026-03-29T02:30:00+01:00".`);
}

/**
 * The instant after a duration.
 * @throws {UsageError} when the value is no duration, or leads too far.
 */
export function requireMoment(value: unknown, nowMs: number): number {
  const length = typeof value === 'string' ? readDuration(value) : value;
  if (typeof length !== 'number' || Number.isNaN(length))
    throw new UsageError(`advance is ${excerpt(value)}, which is no duration; send one such as "PT2H", "P1D" or "-PT30M".`);
  const moment = nowMs + length;
  if (moment >= earliest && moment <= latest) return moment;
  throw new UsageError(`advance is ${excerpt(value)}, which leads out of the years 0000 to 9999; send a shorter duration.`);
}

/**
 * A pace: the seconds that pass in one on the wall.
 * @throws {UsageError} when it is no number from 0 to 1,000,000.
 */
export function requirePace(value: unknown): number {
  if (typeof value === 'number' && value >= 0 && value <= paceMax) return value;
  throw new UsageError(
    `pace is ${excerpt(JSON.stringify(value))}, which is no number from 0 to ${paceMax}; 0 stops the clock, 1 lets it run.`,
  );
}

function excerpt(value: unknown): string {
  const text = typeof value === 'string' ? value : String(JSON.stringify(value));
  return text.length > 100 ? `${text.slice(0, 100)}…` : text === '' ? '""' : text;
}

/** A clock that stands still. */
export function stillClock(instantMs: number): MockClock {
  return createClock({ from: instantMs, pace: 0 }, instantMs, () => 0);
}

/**
 * Reads how a clock is to be set: `live`, `x60`, or an instant with its offset.
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
 * The instant that a text names: `2026-03-29T02:30:00+01:00`, or a duration before or after another instant, such as `PT2H`, `+P1D` or `-PT30M`
 * (ISO 8601). `undefined` when it names none.
 */
export function readMoment(text: string, nowMs: number): number | undefined {
  const length = readDuration(text);
  const instant = length === undefined ? readInstant(text) : nowMs + length;
  return instant === undefined || instant < earliest || instant > latest ? undefined : instant;
}

/** A duration in milliseconds, with days of 24 hours and weeks of seven; `undefined` for what is none. Months and years have no fixed length. */
export function readDuration(text: string): number | undefined {
  const match = /^([+-]?)P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,7})H)?(?:(\d{1,9})M)?(?:(\d{1,10})S)?)?$/.exec(text);
  if (match === null || /[PT]$/.test(text)) return undefined;
  const [weeks, days, hours, minutes, seconds] = match.slice(2).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const length = ((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
  return match[1] === '-' ? -length : length;
}

/** An instant as it is shown: `2026-03-29T16:00:00Z`. */
export function printInstant(instantMs: number): string {
  return new Date(instantMs).toISOString().replace('.000Z', 'Z');
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

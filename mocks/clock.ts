/** The clock of a mock: it stands still, goes as fast as the clock on the wall, or so many times as fast, and can be moved. */

import { UsageError } from '../core/errors.ts';
import { parseInstant } from '../core/instant.ts';

/** A clock that can be moved. Instants are in milliseconds since 1970-01-01T00:00:00Z, on whole seconds. */
export interface Clock {
  readonly now: () => number;
  /** How many seconds pass in one on the wall; 0 when it stands still. */
  readonly pace: () => number;
  /** Moves it to an instant; it goes on from there as it went before. */
  readonly set: (instantMs: number) => void;
  /** Moves it on, or back by a negative number. */
  readonly advance: (milliseconds: number) => void;
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

/** The range of instants that a year of four digits can name. */
const [earliest, latest] = [Date.UTC(0, 0, 1) - 1900 * 31_556_952_000, Date.UTC(9999, 11, 31, 23, 59, 59)];

/** A clock; `wall` gives the instant on the wall, and `start` the mock's own. */
export function createClock({ from, pace }: ClockSetting, start: number, wall: () => number): Clock {
  const begin = (): number => (from === 'wall' ? wall() : (from ?? start));
  let current = { shown: begin(), since: wall(), pace };
  const now = (): number => wholeSecond(current.shown + (wall() - current.since) * current.pace);
  const change = (shown: number, next: number): void => {
    current = { shown: clamp(shown), since: wall(), pace: next };
  };
  return {
    now,
    pace: () => current.pace,
    set: (instantMs) => change(instantMs, current.pace),
    advance: (milliseconds) => change(now() + milliseconds, current.pace),
    setPace: (next) => change(now(), next),
    reset: () => change(begin(), pace),
  };
}

/** A clock that stands still. */
export function stillClock(instantMs: number): Clock {
  return createClock({ from: instantMs, pace: 0 }, instantMs, () => 0);
}

/**
 * Reads how a clock is to be set: `live`, `x60`, or an instant with its offset.
 * @throws {UsageError} for anything else.
 */
export function parseClock(text: string): ClockSetting {
  if (text === 'live') return { from: 'wall', pace: 1 };
  const pace = /^x(\d+(?:\.\d+)?)$/.exec(text)?.[1];
  if (pace !== undefined && Number(pace) <= 1_000_000) return { from: undefined, pace: Number(pace) };
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

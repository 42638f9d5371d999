/** Quantities in the rules of trouble: lengths of time, speeds, shares and delays, as texts and as numbers. */

import type { Delay } from './rule.ts';

/** The longest time that an answer can be held back, or a client told to wait, in milliseconds. */
export const longestMs: number = 600_000;

const timeUnits: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };
const speedUnits: Readonly<Record<string, number>> = { B: 1, kB: 1000, MB: 1_000_000 };

/** Milliseconds of `200ms`, `1.5s` or `2m`; `undefined` for anything else, and beyond ten minutes. */
export function readTime(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,9}(?:\.\d{1,6})?)(ms|s|m)$/.exec(text) ?? [];
  const time = Number(digits) * (timeUnits[unit] ?? Number.NaN);
  return time <= longestMs ? time : undefined;
}

/** Bytes in a second of `500B/s`, `2kB/s` or `1MB/s`; `undefined` for anything else, and for less than one. */
export function readSpeed(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,9}(?:\.\d{1,6})?)(B|kB|MB)\/s$/.exec(text) ?? [];
  const speed = Number(digits) * (speedUnits[unit] ?? Number.NaN);
  return speed >= 1 ? speed : undefined;
}

/** A part of 1, from `10%` or `0.5%`; `undefined` for anything else, and beyond `100%`. */
export function readShare(text: string): number | undefined {
  const digits = /^(\d{1,3}(?:\.\d{1,6})?)%$/.exec(text)?.[1];
  return digits !== undefined && Number(digits) <= 100 ? Number(digits) / 100 : undefined;
}

/** A delay of `200ms`, `50ms..400ms` or `lognormal(120ms,0.5)`; `undefined` for anything else. */
export function readDelay(text: string): Delay | undefined {
  const [, median, spread = ''] = /^lognormal\(\s*([^\s,()]+)\s*,\s*(\d(?:\.\d{1,6})?)\s*\)$/.exec(text) ?? [];
  if (median !== undefined) {
    const medianMs = readTime(median);
    return medianMs === undefined ? undefined : { kind: 'lognormal', medianMs, spread: Number(spread) };
  }
  const [least = '', most, ...more] = text.split('..');
  const leastMs = readTime(least);
  if (leastMs === undefined || more.length > 0) return undefined;
  if (most === undefined) return { kind: 'fixed', ms: leastMs };
  const mostMs = readTime(most);
  return mostMs === undefined || mostMs < leastMs ? undefined : { kind: 'between', leastMs, mostMs };
}

/** The delay in whole milliseconds that two numbers from 0 to 1 choose. */
export function chooseDelay(delay: Delay, first: number, second: number): number {
  if (delay.kind === 'fixed') return Math.round(delay.ms);
  if (delay.kind === 'between') return Math.round(delay.leastMs + first * (delay.mostMs - delay.leastMs));
  // Box and Muller's way from two even numbers to one of the normal distribution; the first must not be 0.
  const normal = Math.sqrt(-2 * Math.log(1 - first)) * Math.cos(2 * Math.PI * second);
  return Math.min(longestMs, Math.round(delay.medianMs * Math.exp(delay.spread * normal)));
}

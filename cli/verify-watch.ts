/** `touchstone verify --watch`: how long, and what does not go with it. */

import { UsageError } from '../core/errors.ts';
import { readDuration } from '../mocks/clock.ts';
import type { Arguments } from './command.ts';

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Options that are about how much a run asks at once; a watch has all the time there is. */
const excluded: readonly string[] = ['quick', 'shard', 'require'];

/** The least and the most that is a watch: a minute, and a month. */
const [least, most] = [60_000, 31 * 86_400_000];

/**
 * How long to watch, in milliseconds; `undefined` for a run that does not.
 * @throws {UsageError} for what is no duration, or for options that do not go with it.
 */
export function readWatch({ values, switches, lists }: Arguments): number | undefined {
  const text = values['watch'];
  if (text === undefined) return undefined;
  const [, digits = '', unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const duration = digits === '' ? readDuration(text) : Number(digits) * (units[unit] ?? Number.NaN);
  if (duration === undefined || !(duration >= least && duration <= most))
    throw new UsageError(`--watch ${text} is no duration of a minute to 31 days; write 30m, 2h or PT90M`);
  const other = excluded.find((name) => switches.has(name) || values[name] !== undefined || lists[name] !== undefined);
  if (other !== undefined) throw new UsageError(`--${other} does not go with --watch; leave one of them out`);
  return duration;
}

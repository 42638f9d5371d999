import { didYouMean } from '../core/did-you-mean.ts';
import { UsageError } from '../core/errors.ts';
import { matchesPattern } from '../core/name-pattern.ts';
import type { Arguments } from './command.ts';

/**
 * Reads a whole number of an option; `undefined` without the option.
 * @throws {UsageError} for anything else, or a number out of bounds.
 */
export function readWholeNumber(values: Arguments['values'], option: string, minimum: number, maximum: number): number | undefined {
  const text = values[option];
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value;
  throw new UsageError(`--${option} ${text} is not a whole number from ${minimum} to ${maximum}`);
}

/**
 * Reads requests per second from `2`, `2/s`, `0.5/s` or `30/min`.
 * @throws {UsageError} for anything else.
 */
export function readRate(text: string): number {
  const [, digits = '', unit = 's'] = /^(\d+(?:\.\d+)?)(?:\/(s|min))?$/.exec(text) ?? [];
  const rate = Number(digits) / (unit === 'min' ? 60 : 1);
  if (digits !== '' && rate > 0 && rate <= 1000) return rate;
  throw new UsageError(`--rate ${text} is not a rate; write requests per second or minute, such as 2/s or 30/min, up to 1000/s`);
}

/**
 * Finds the ids that a pattern of an option selects. `kind` names what they are.
 * @throws {UsageError} for a pattern that selects none.
 */
export function selectIds<Id extends string>(option: string, pattern: string, ids: readonly Id[], kind: string): readonly Id[] {
  const selected = ids.filter((id) => matchesPattern(pattern, id));
  if (selected.length > 0) return selected;
  throw new UsageError(`--${option} ${pattern}: there is no such ${kind}; ${didYouMean(pattern, ids, `there are ${ids.join(', ')}`)}`);
}

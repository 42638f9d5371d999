/** Wrong values of a parameter, several for each mistake that callers make: just outside the bounds, far outside, of another type, on no calendar. */

import type { Contract } from '../core/contract.ts';
import { isObject } from '../core/json.ts';
import type { Parameter } from '../core/parameter.ts';

/** Texts that are no value of a parameter. Which of them a contract refuses, `refusedTexts` tells. */
interface WrongTexts {
  /** Asked of each parameter: the bounds of a number, and the day that most servers get wrong. */
  readonly always: readonly string[];
  /** Shared among all parameters of the same sort, since one piece of code usually reads them all. */
  readonly shared: readonly string[];
}

/**
 * The wrong texts to ask of a parameter: of those that are shared, its part.
 * @example
 * wrongTexts(contract, limit) // ['101', '0', 'abc', '1.5'] for one of two limits from 1 to 100; the other has '-1' and '1000000'
 */
export function wrongTexts(contract: Contract, parameter: Parameter): readonly string[] {
  const texts = textsFor(parameter);
  const sort = JSON.stringify(texts);
  const alike = contract.operations.flatMap(({ parameters }) => parameters).filter((each) => JSON.stringify(textsFor(each)) === sort);
  return [...texts.always, ...shareOf(texts.shared, Math.max(0, alike.indexOf(parameter)), alike.length)];
}

/** The part of a list that falls to one of so many, by turns. */
export function shareOf<T>(all: readonly T[], index: number, count: number): readonly T[] {
  return all.filter((_, at) => at % Math.max(1, count) === index);
}

function textsFor({ kinds, allowed, schema, validate }: Parameter): WrongTexts {
  if (allowed.length > 0) return { always: ['no_such_value'], shared: [] };
  if (kinds.includes('date-time'))
    return { always: [], shared: ['yesterday', '2026-02-30T10:00:00Z', '2026-03-01T25:10:00Z', '1772355600'] };
  const isWhole = kinds.includes('integer');
  if (isWhole || kinds.includes('number')) return wrongNumbers(isObject(schema) ? schema : {}, isWhole);
  const takesDays = validate('2026-02-28').length === 0 && validate('2026-02-30').length > 0;
  return takesDays ? { always: ['2026-02-30'], shared: ['abc', '2026-13-01', '20260301'] } : { always: [], shared: [] };
}

function wrongNumbers({ minimum, maximum }: Readonly<Record<string, unknown>>, isWhole: boolean): WrongTexts {
  const above = typeof maximum === 'number' ? [String(maximum + 1)] : [];
  const below = typeof minimum === 'number' ? [String(minimum - 1)] : [];
  const far = typeof maximum === 'number' ? [String(maximum * 10_000)] : [];
  return { always: [...above, ...below], shared: ['abc', '-1', ...(isWhole ? ['1.5'] : []), ...far] };
}

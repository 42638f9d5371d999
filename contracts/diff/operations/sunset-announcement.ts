/** Announced removals of operations, parameters and schemas: `deprecated`, and the day in `x-sunset`. */

import type { JsonObject } from '../../../core/json.ts';
import { isCalendarDate } from '../../../core/query/instants.ts';
import type { ChangeLevel } from '../../../core/results/diff-result.ts';
import { changeVerb, describeJsonChange } from '../describe-value-change.ts';

/** Announced removal of an operation, parameter or schema. */
type SunsetAnnouncement =
  | { readonly kind: 'none' }
  | { readonly kind: 'deprecated' }
  | { readonly kind: 'dated'; readonly day: string }
  | { readonly kind: 'unreadable'; readonly text: string };

/** Reads `deprecated` and `x-sunset`. */
export function readSunset(value: JsonObject): SunsetAnnouncement {
  const sunset = value['x-sunset'];
  if (sunset === undefined) return { kind: value['deprecated'] === true ? 'deprecated' : 'none' };
  // A date, or a date with a time.
  const text = String(sunset);
  const day = /^(\d{4}-\d{2}-\d{2})(?:[T ].*)?$/.exec(text)?.[1];
  return day !== undefined && isCalendarDate(day) ? { kind: 'dated', day } : { kind: 'unreadable', text };
}

/** Level and reason of a removal. */
export interface RatedRemoval {
  readonly level: ChangeLevel;
  readonly reason?: string;
}

/** Rates the removal of an operation, a parameter or a property by what was announced. On or after its announced day it is compatible. */
export function rateRemoval({ today }: { readonly today: string }, value: JsonObject, unannounced: RatedRemoval): RatedRemoval {
  const sunset = readSunset(value);
  const stability = value['x-stability-level'];
  if (stability === 'draft' || stability === 'alpha')
    return { level: 'compatible', reason: `It was ${stability}, which promises nothing.` };
  switch (sunset.kind) {
    case 'dated':
      return sunset.day <= today
        ? { level: 'compatible', reason: `Its removal was announced for ${sunset.day}.` }
        : { level: 'breaking', reason: `Its removal was announced for ${sunset.day}, which is still in the future.` };
    case 'unreadable':
      return { level: 'breaking', reason: `Its x-sunset, ${sunset.text}, is not a date, so clients could not prepare.` };
    case 'deprecated':
      return {
        level: unannounced.level === 'breaking' ? 'risky' : unannounced.level,
        reason: 'It was deprecated, but no day of removal was announced.',
      };
    case 'none':
      return unannounced;
  }
}

/** Rating of a changed day of removal. */
interface RatedSunset {
  /** Rule of the change: `sunset-removed`. */
  readonly rule: string;
  readonly level: ChangeLevel;
  /** Sentence on the change, with the name of its owner. */
  readonly text: (owner: string) => string;
  readonly reason?: string;
}

/** Rates a changed day of removal. */
export function rateSunset(before: JsonObject, after: JsonObject): RatedSunset {
  const [old, next] = [readSunset(before), readSunset(after)];
  if (next.kind === 'unreadable')
    return {
      rule: 'sunset-unreadable',
      level: 'breaking',
      text: (owner) => `x-sunset of ${owner}, ${next.text}, is not a date`,
      reason: 'Clients cannot prepare for a day that they cannot read; write it as 2026-12-31.',
    };
  if (next.kind === 'deprecated')
    return {
      rule: 'sunset-removed',
      level: 'breaking',
      text: (owner) => `x-sunset of ${owner} was removed although it is still deprecated`,
      reason: 'Clients that planned for the announced day no longer know how long it lasts.',
    };
  const isSooner = next.kind === 'dated' && old.kind === 'dated' && next.day < old.day;
  const [was, is] = [before['x-sunset'], after['x-sunset']];
  return {
    rule: `sunset-${changeVerb(was, is)}`,
    level: isSooner ? 'breaking' : 'compatible',
    text: (owner) => describeJsonChange(`x-sunset of ${owner}`, was, is),
    ...(isSooner ? { reason: 'Clients that planned for the announced day have less time than promised.' } : {}),
  };
}

/** How things end: deprecation, the day of the end (`x-sunset`), and stability levels (`x-stability-level`). */

import type { Level } from '../../core/change.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { type Comparing, isSame, member, reportAt } from './comparing.ts';
import { endingOf } from './ending.ts';
import { show } from './schema-edit.ts';

/** How grave a removal is: what ends on a day that was announced, and has come, surprises nobody. */
export function removalLevel(comparing: Comparing, value: JsonObject, otherwise: Level): { readonly level: Level; readonly why: string } {
  const ending = endingOf(value);
  const stability = value['x-stability-level'];
  if (stability === 'draft' || stability === 'alpha') return { level: 'compatible', why: `It was ${stability}, which promises nothing.` };
  switch (ending.kind) {
    case 'dated':
      return ending.day <= comparing.today
        ? { level: 'compatible', why: `Its end was announced for ${ending.day}.` }
        : { level: 'breaking', why: `Its end was announced for ${ending.day}, which has not come.` };
    case 'unreadable':
      return { level: 'breaking', why: `The day of its end, ${ending.text}, is no date, so nobody could prepare for it.` };
    case 'deprecated':
      return { level: otherwise === 'breaking' ? 'risky' : otherwise, why: 'It was deprecated, and no day of its end was announced.' };
    case 'none':
      return { level: otherwise, why: '' };
  }
}

/** Compares the marks of an operation or a parameter. */
export function compareLifecycle(
  comparing: Comparing,
  operation: string,
  prefix: string,
  what: string,
  sides: { readonly old: JsonObject; readonly new: JsonObject },
  location: string,
): void {
  const both = (key: string): { readonly before: ReturnType<typeof member>; readonly after: ReturnType<typeof member> } => ({
    before: member(comparing, sides.old, key),
    after: member(comparing, sides.new, key),
  });
  const isDeprecated = sides.new['deprecated'] === true;
  if ((sides.old['deprecated'] === true) !== isDeprecated)
    reportAt(comparing, operation, {
      ...both('deprecated'),
      id: `${prefix}/${isDeprecated ? 'deprecated' : 'reactivated'}`,
      level: 'compatible',
      location,
      subject: 'deprecated',
      text: `${what} is ${isDeprecated ? 'deprecated' : 'no longer deprecated'}`,
    });
  compareSunset(comparing, operation, prefix, what, sides, location);
  compareStability(comparing, operation, prefix, what, sides, location);
}

function compareSunset(
  comparing: Comparing,
  operation: string,
  prefix: string,
  what: string,
  sides: { readonly old: JsonObject; readonly new: JsonObject },
  location: string,
): void {
  const [before, after] = [sides.old['x-sunset'], sides.new['x-sunset']];
  if (isSame(before, after)) return;
  const ending = endingOf(sides.new);
  const earlier = endingOf(sides.old);
  const base = {
    before: member(comparing, sides.old, 'x-sunset'),
    after: member(comparing, sides.new, 'x-sunset'),
    location,
    subject: 'x-sunset',
  };
  if (ending.kind === 'unreadable') {
    reportAt(comparing, operation, {
      ...base,
      id: `${prefix}/sunset-unreadable`,
      level: 'breaking',
      text: `the day on which ${what} ends, ${show(after)}, is no date`,
      reason: 'Nobody can prepare for an end that cannot be read; write it as 2026-12-31.',
    });
    return;
  }
  if (after === undefined && sides.new['deprecated'] === true) {
    reportAt(comparing, operation, {
      ...base,
      id: `${prefix}/sunset-removed`,
      level: 'breaking',
      text: `${what} is still deprecated, and the day of its end is gone`,
      reason: 'Clients that planned by the announced day do not know any more how long it lasts.',
    });
    return;
  }
  const isSooner = ending.kind === 'dated' && earlier.kind === 'dated' && ending.day < earlier.day;
  reportAt(comparing, operation, {
    ...base,
    id: `${prefix}/sunset-${before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'}`,
    level: isSooner ? 'breaking' : 'compatible',
    text: `the day on which ${what} ends changed from ${show(before)} to ${show(after)}`,
    ...(isSooner ? { reason: 'Clients that planned by the announced day have less time than they were told.' } : {}),
  });
}

const stabilities = ['draft', 'alpha', 'beta', 'stable'];

function compareStability(
  comparing: Comparing,
  operation: string,
  prefix: string,
  what: string,
  sides: { readonly old: JsonObject; readonly new: JsonObject },
  location: string,
): void {
  const [before, after] = [sides.old['x-stability-level'], sides.new['x-stability-level']];
  const verdict = judgeStability(before, after);
  if (verdict === undefined) return;
  const isUnreadable = verdict.verb === 'unreadable';
  reportAt(comparing, operation, {
    before: member(comparing, sides.old, 'x-stability-level'),
    after: member(comparing, sides.new, 'x-stability-level'),
    location,
    subject: 'x-stability-level',
    id: `${prefix}/stability-${verdict.verb}`,
    level: verdict.level,
    text: isUnreadable
      ? `the stability of ${what}, ${show(after)}, is none of ${stabilities.join(', ')}`
      : `the stability of ${what} changed from ${show(before ?? 'stable')} to ${show(after ?? 'stable')}`,
    reason: isUnreadable ? 'Nobody can tell what is promised.' : 'What was promised to stay may change now.',
  });
}

/** What a change of stability is; `undefined` for none. Where nothing is said, what is there is stable. */
function judgeStability(
  before: Json | undefined,
  after: Json | undefined,
): { readonly verb: 'unreadable' | 'raised' | 'lowered'; readonly level: Level } | undefined {
  const rankOf = (value: Json | undefined): number => stabilities.indexOf(String(value ?? 'stable'));
  if (rankOf(after) < 0) return { verb: 'unreadable', level: 'breaking' };
  if (before === after) return undefined;
  if (rankOf(after) >= rankOf(before)) return { verb: 'raised', level: 'compatible' };
  return { verb: 'lowered', level: before === undefined ? 'risky' : 'breaking' };
}

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
  sides: Marked['sides'],
  location: string,
): void {
  const marked: Marked = { comparing, operation, prefix, what, sides, location };
  compareDeprecation(marked);
  compareSunset(marked);
  compareStability(marked);
}

/** What carries marks in both documents, and where changes of them are reported. */
interface Marked {
  readonly comparing: Comparing;
  readonly operation: string;
  /** What the ids of its changes begin with. */
  readonly prefix: string;
  /** What it is called in sentences. */
  readonly what: string;
  readonly sides: { readonly old: JsonObject; readonly new: JsonObject };
  readonly location: string;
}

type Reported = Parameters<typeof reportAt>[2];

/** Reports a change of one of the marks. */
function report(marked: Marked, mark: string, verb: string, change: Pick<Reported, 'level' | 'text' | 'reason'>): void {
  const { comparing, operation, prefix, sides, location } = marked;
  reportAt(comparing, operation, {
    ...change,
    id: `${prefix}/${verb}`,
    before: member(comparing, sides.old, mark),
    after: member(comparing, sides.new, mark),
    location,
    subject: mark,
  });
}

function compareDeprecation(marked: Marked): void {
  const { sides, what } = marked;
  const isDeprecated = sides.new['deprecated'] === true;
  if ((sides.old['deprecated'] === true) === isDeprecated) return;
  report(marked, 'deprecated', isDeprecated ? 'deprecated' : 'reactivated', {
    level: 'compatible',
    text: `${what} is ${isDeprecated ? 'deprecated' : 'no longer deprecated'}`,
  });
}

function compareSunset(marked: Marked): void {
  const { sides, what } = marked;
  const [before, after] = [sides.old['x-sunset'], sides.new['x-sunset']];
  if (isSame(before, after)) return;
  const [earlier, ending] = [endingOf(sides.old), endingOf(sides.new)];
  if (ending.kind === 'unreadable') {
    report(marked, 'x-sunset', 'sunset-unreadable', {
      level: 'breaking',
      text: `the day on which ${what} ends, ${show(after)}, is no date`,
      reason: 'Nobody can prepare for an end that cannot be read; write it as 2026-12-31.',
    });
    return;
  }
  if (after === undefined && sides.new['deprecated'] === true) {
    report(marked, 'x-sunset', 'sunset-removed', {
      level: 'breaking',
      text: `${what} is still deprecated, and the day of its end is gone`,
      reason: 'Clients that planned by the announced day do not know any more how long it lasts.',
    });
    return;
  }
  const isSooner = ending.kind === 'dated' && earlier.kind === 'dated' && ending.day < earlier.day;
  report(marked, 'x-sunset', `sunset-${before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'}`, {
    level: isSooner ? 'breaking' : 'compatible',
    text: `the day on which ${what} ends changed from ${show(before)} to ${show(after)}`,
    ...(isSooner ? { reason: 'Clients that planned by the announced day have less time than they were told.' } : {}),
  });
}

const stabilities = ['draft', 'alpha', 'beta', 'stable'];

function compareStability(marked: Marked): void {
  const { sides, what } = marked;
  const [before, after] = [sides.old['x-stability-level'], sides.new['x-stability-level']];
  const verdict = judgeStability(before, after);
  if (verdict === undefined) return;
  const isUnreadable = verdict.verb === 'unreadable';
  report(marked, 'x-stability-level', `stability-${verdict.verb}`, {
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

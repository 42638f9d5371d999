/** How things end: deprecation, the day of the end (`x-sunset`), and stability levels (`x-stability-level`). */

import type { Level } from '../../core/change.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { type Comparing, isSame, type Part, reportMember, type Sides, type Sketch } from './comparing.ts';
import type { Draft } from './draft.ts';
import { endingOf } from './keyword-notes.ts';
import { show, verbOf } from './schema-edit.ts';

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

/** Compares the marks of an operation or a parameter; ids of changes begin with the prefix, and sentences call it by its name. */
export function compareLifecycle(part: Part, sides: Sides, prefix: string, what: string): void {
  const marked: Marked = { part, sides, prefix, what };
  compareDeprecation(marked);
  compareSunset(marked);
  compareStability(marked);
}

/** What carries marks in both documents, and where changes of them are reported. */
interface Marked {
  readonly part: Part;
  readonly sides: Sides;
  readonly prefix: string;
  readonly what: string;
}

function compareDeprecation({ part, sides, prefix, what }: Marked): void {
  const is = sides.new['deprecated'] === true;
  if ((sides.old['deprecated'] === true) === is) return;
  reportMember(part, sides, 'deprecated', {
    id: `${prefix}/${is ? 'deprecated' : 'reactivated'}`,
    level: 'compatible',
    text: `${what} is ${is ? 'deprecated' : 'no longer deprecated'}`,
  });
}

function compareSunset({ part, sides, prefix, what }: Marked): void {
  const [before, after] = [sides.old['x-sunset'], sides.new['x-sunset']];
  if (isSame(before, after)) return;
  const [earlier, ending] = [endingOf(sides.old), endingOf(sides.new)];
  const isSooner = ending.kind === 'dated' && earlier.kind === 'dated' && ending.day < earlier.day;
  const change = ((): Pick<Sketch, 'level' | 'text'> & Pick<Partial<Draft>, 'reason'> & { readonly verb: string } => {
    if (ending.kind === 'unreadable')
      return {
        verb: 'unreadable',
        level: 'breaking',
        text: `the day on which ${what} ends, ${show(after)}, is no date`,
        reason: 'Nobody can prepare for an end that cannot be read; write it as 2026-12-31.',
      };
    if (after === undefined && sides.new['deprecated'] === true)
      return {
        verb: 'removed',
        level: 'breaking',
        text: `${what} is still deprecated, and the day of its end is gone`,
        reason: 'Clients that planned by the announced day do not know any more how long it lasts.',
      };
    return {
      verb: verbOf(before, after),
      level: isSooner ? 'breaking' : 'compatible',
      text: `the day on which ${what} ends changed from ${show(before)} to ${show(after)}`,
      ...(isSooner ? { reason: 'Clients that planned by the announced day have less time than they were told.' } : {}),
    };
  })();
  const { verb, ...sketch } = change;
  reportMember(part, sides, 'x-sunset', { id: `${prefix}/sunset-${verb}`, ...sketch });
}

const stabilities = ['draft', 'alpha', 'beta', 'stable'];

function compareStability({ part, sides, prefix, what }: Marked): void {
  const [before, after] = [sides.old['x-stability-level'], sides.new['x-stability-level']];
  const verdict = judgeStability(before, after);
  if (verdict === undefined) return;
  const isUnreadable = verdict.verb === 'unreadable';
  reportMember(part, sides, 'x-stability-level', {
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

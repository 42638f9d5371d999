/**
 * Compares the deprecation, the day of removal (`x-sunset`) and the stability level (`x-stability-level`) of operations and parameters. A removal is rated
 * by what was announced.
 */

import type { Json } from '../../../core/json.ts';
import { isSameValue } from '../../../core/json-equality.ts';
import type { ChangeLevel } from '../../../core/results/diff-result.ts';
import { type ComparedPart, type ObjectPair, reportMemberChange } from '../comparison-context.ts';
import { showJson } from '../describe-value-change.ts';
import { rateSunset } from './sunset-announcement.ts';

/** Compares the announcements of an operation or a parameter. `prefix` begins the ids of changes, `what` is the noun in sentences. */
export function compareLifecycle(part: ComparedPart, sides: ObjectPair, prefix: string, what: string): void {
  const announced: Announced = { part, sides, prefix, what };
  compareDeprecation(announced);
  compareSunset(announced);
  compareStability(announced);
}

/** An operation or parameter with announcements, in both documents. */
interface Announced {
  readonly part: ComparedPart;
  readonly sides: ObjectPair;
  readonly prefix: string;
  readonly what: string;
}

function compareDeprecation({ part, sides, prefix, what }: Announced): void {
  const isDeprecated = sides.new['deprecated'] === true;
  if ((sides.old['deprecated'] === true) === isDeprecated) return;
  reportMemberChange(part, sides, 'deprecated', {
    id: `${prefix}/${isDeprecated ? 'deprecated' : 'reactivated'}`,
    level: 'compatible',
    text: `${what} is ${isDeprecated ? 'now' : 'no longer'} deprecated`,
  });
}

function compareSunset({ part, sides, prefix, what }: Announced): void {
  if (isSameValue(sides.old['x-sunset'], sides.new['x-sunset'])) return;
  const { rule, text, ...rating } = rateSunset(sides.old, sides.new);
  reportMemberChange(part, sides, 'x-sunset', { id: `${prefix}/${rule}`, text: text(what), ...rating });
}

const stabilityLevels = ['draft', 'alpha', 'beta', 'stable'];

function compareStability({ part, sides, prefix, what }: Announced): void {
  const [before, after] = [sides.old['x-stability-level'], sides.new['x-stability-level']];
  const change = rateStability(before, after);
  if (change === undefined) return;
  const isUnreadable = change.outcome === 'unreadable';
  const reason = {
    unreadable: 'Clients cannot tell what is promised.',
    lowered: 'What was promised to stay may now change.',
    raised: undefined,
  }[change.outcome];
  reportMemberChange(part, sides, 'x-stability-level', {
    id: `${prefix}/stability-${change.outcome}`,
    level: change.level,
    text: isUnreadable
      ? `the stability level of ${what}, ${showJson(after ?? 'stable')}, is none of ${stabilityLevels.join(', ')}`
      : `the stability level of ${what} changed from ${showJson(before ?? 'stable')} to ${showJson(after ?? 'stable')}`,
    ...(reason === undefined ? {} : { reason }),
  });
}

/** Rating of a change of the stability level; `undefined` if it stays. An absent level means `stable`, but nobody has promised it. */
function rateStability(
  before: Json | undefined,
  after: Json = 'stable',
): { readonly outcome: 'unreadable' | 'raised' | 'lowered'; readonly level: ChangeLevel } | undefined {
  if (isSameValue(before ?? 'stable', after)) return undefined;
  const rankOf = (value: Json): number => stabilityLevels.indexOf(String(value));
  if (rankOf(after) < 0) return { outcome: 'unreadable', level: 'breaking' };
  if (rankOf(after) >= rankOf(before ?? 'stable')) return { outcome: 'raised', level: 'compatible' };
  return { outcome: 'lowered', level: before === undefined ? 'risky' : 'breaking' };
}

/** What changes of words of the usual kinds mean: of values that may go, come or change, and of sets that may shrink or grow. */

import type { Level } from '../../../core/change.ts';
import type { Json } from '../../../core/json.ts';
import { isSame } from './spot.ts';
import { named, type Ruling, type Word } from './word.ts';

/** A level with its reason. */
export type Verdict = readonly [level: Level, reason: string];

/** What it means that a value goes, comes or changes. Words that are required in the annotations neither go nor come. */
export interface Verdicts {
  readonly gone?: Verdict;
  readonly added?: Verdict;
  readonly changed: Verdict;
}

/** The judge of a single value. */
export function judgeValue(key: string, verdicts: Verdicts): Word['judge'] {
  const withdrawn: Verdict = ['breaking', 'A promise is withdrawn, and clients may rely on it.'];
  const promised: Verdict = ['compatible', 'It is one promise more.'];
  return (before, after) => {
    if (isSame(before, after)) return undefined;
    if (after === undefined) return rule(named(key, 'gone'), verdicts.gone ?? withdrawn);
    return before === undefined ? rule(named(key, 'added'), verdicts.added ?? promised) : rule(named(key, 'changed'), verdicts.changed);
  };
}

/** The judge of a list whose order carries nothing. What shrinks and grows at once does the graver of the two. */
export function judgeSet(key: string, verdicts: { readonly shorter: Verdict; readonly longer: Verdict }): Word['judge'] {
  return (before, after) => {
    const [old, next] = [toList(before), toList(after)];
    const isShorter = old.some((member) => !isAmong(member, next));
    const isLonger = next.some((member) => !isAmong(member, old));
    if (isShorter && (!isLonger || verdicts.shorter[0] === 'breaking')) return rule(`${key}-shorter`, verdicts.shorter);
    return isLonger ? rule(`${key}-longer`, verdicts.longer) : undefined;
  };
}

/** A ruling of a rule. */
export function rule(name: string, [level, reason]: Verdict): Ruling {
  return { rule: name, level, reason };
}

/** A value as a list; of nothing, an empty one. */
export function toList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : value === undefined ? [] : [value];
}

function isAmong(value: Json, values: readonly Json[]): boolean {
  return values.some((each) => isSame(each, value));
}

/** Levels that a team sets for some changes. They replace the levels of the rules after the searches for witnesses, and before changes are accepted. */

import { matchesPattern } from '../../core/name-pattern.ts';
import { type Change, type ChangeLevel, changeLevels } from '../../core/results/diff-result.ts';
import { matchesPlace } from './acceptance.ts';

/** The level of some changes, as `diff.levels` of touchstone.config.yaml sets it. */
export interface LevelSetting {
  /** Pattern for ids, such as `response-body/enum-value-added`; `*` matches anything. */
  readonly id: string;
  /** Pattern that all operations of the change must match; every operation by default. */
  readonly operation?: string;
  /** Pattern for the location in the exchange; every location by default. */
  readonly location?: string;
  /** The level of these changes. */
  readonly level: ChangeLevel;
  /** Why the team rates them differently. Reports show it with the change. */
  readonly reason: string;
}

/** Sets the level of each change by the first setting that matches it, and sorts the changes again. */
export function applyLevels(changes: readonly Change[], settings: readonly LevelSetting[]): readonly Change[] {
  if (settings.length === 0) return changes;
  const changesWithLevels = changes.map((change) => {
    const setting = settings.find((each) => matchesPattern(each.id, change.id) && matchesPlace(each, change));
    return setting === undefined || setting.level === change.level ? change : withLevel(change, setting);
  });
  return changeLevels.flatMap((level) => changesWithLevels.filter((change) => change.level === level));
}

function withLevel(change: Change, { level, reason }: LevelSetting): Change {
  const sentence = `The configuration makes it ${level} instead of ${change.level}: ${reason.trim().replace(/\.$/, '')}.`;
  return { ...change, level, reason: change.reason === '' ? sentence : `${change.reason} ${sentence}` };
}

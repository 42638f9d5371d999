/** What changes ask of a version (semver.org 2.0.0), and what was done to it. */

import type { Level, Step, VersionAdvice } from '../../core/change.ts';

interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

const order: readonly Step[] = ['none', 'patch', 'minor', 'major'];

/** Advises on the version by how many changes have each level. */
export function adviseVersion(count: Readonly<Record<Level, number>>, from: string, to: string): VersionAdvice {
  const [before, after] = [parse(from), parse(to)];
  const wanted: Step =
    count.breaking > 0 ? 'major' : count.risky + count.compatible > 0 ? 'minor' : count.documentation > 0 ? 'patch' : 'none';
  // Before 1.0.0 nothing is promised to stay, and the step for what breaks is the next smaller one (semver.org §4).
  const suggested = before?.major === 0 && wanted === 'major' ? 'minor' : wanted;
  const taken = before === undefined || after === undefined ? undefined : stepBetween(before, after);
  return { suggested, from, to, taken, isEnough: taken !== undefined && order.indexOf(taken) >= order.indexOf(suggested) };
}

function parse(text: string): Version | undefined {
  const match = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:[-+].*)?$/.exec(text.trim());
  return match === null ? undefined : { major: Number(match[1]), minor: Number(match[2] ?? 0), patch: Number(match[3] ?? 0) };
}

/** A version that went back took no step. */
function stepBetween(before: Version, after: Version): Step {
  if (after.major !== before.major) return after.major > before.major ? 'major' : 'none';
  if (after.minor !== before.minor) return after.minor > before.minor ? 'minor' : 'none';
  return after.patch > before.patch ? 'patch' : 'none';
}

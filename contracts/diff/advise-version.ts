import type { ChangeLevel, VersionAdvice, VersionStep } from '../../core/results/diff-result.ts';

/** Parts of a semantic version; a shorter one, such as v1, lacks some numbers. */
interface SemanticVersion {
  readonly prefix: string;
  readonly numbers: readonly number[];
  /** Identifiers of a pre-release, such as `beta` and `2`. */
  readonly preRelease: readonly string[];
}

const versionSteps: readonly VersionStep[] = ['none', 'pre-release', 'patch', 'minor', 'major'];

/** The version step that the changes require (semver.org 2.0.0), and the step that `info.version` made. */
export function adviseVersion(count: Readonly<Record<ChangeLevel, number>>, from: string, to: string): VersionAdvice {
  const [before, after] = [parseVersion(from), parseVersion(to)];
  const wanted: VersionStep =
    count.security + count.breaking > 0
      ? 'major'
      : count.risky + count.compatible > 0
        ? 'minor'
        : count.documentation > 0
          ? 'patch'
          : 'none';
  const suggested = before === undefined ? wanted : stepFrom(before, wanted);
  const taken = before === undefined || after === undefined ? undefined : stepBetween(before, after);
  const isEnough = taken !== undefined && versionSteps.indexOf(taken) >= versionSteps.indexOf(suggested);
  return { suggested, next: before && nextVersion(before, suggested), from, to, taken, isEnough };
}

/** Any change may come with the next pre-release (semver.org §9). Before 1.0.0, a breaking change requires only a minor step (§4). */
function stepFrom({ numbers: [major], preRelease }: SemanticVersion, wanted: VersionStep): VersionStep {
  if (preRelease.length > 0 && wanted !== 'none') return 'pre-release';
  return major === 0 && wanted === 'major' ? 'minor' : wanted;
}

function parseVersion(text: string): SemanticVersion | undefined {
  const [, prefix = '', numbers = '', preRelease] = /^(v?)(\d+(?:\.\d+){0,2})(?:-([\w.-]+))?(?:\+.*)?$/.exec(text.trim()) ?? [];
  if (numbers === '') return undefined;
  return { prefix, numbers: numbers.split('.').map(Number), preRelease: preRelease?.split('.') ?? [] };
}

const steps = ['major', 'minor', 'patch'] as const;

/** Step between two versions; `none` for a lower version. */
function stepBetween(before: SemanticVersion, after: SemanticVersion): VersionStep {
  for (const [index, step] of steps.entries()) {
    const [left, right] = [before.numbers[index] ?? 0, after.numbers[index] ?? 0];
    if (left !== right) return right > left ? step : 'none';
  }
  // A version without a pre-release comes after those with one (semver.org §11).
  const isSame = before.preRelease.join('.') === after.preRelease.join('.');
  return before.preRelease.length === 0 || isSame ? 'none' : 'pre-release';
}

/** The next version by a step: the last number of a pre-release rises, or it gets one. */
function nextVersion({ prefix, numbers, preRelease }: SemanticVersion, step: VersionStep): string {
  const print = (next: readonly number[], identifiers: readonly string[]): string =>
    `${prefix}${next.join('.')}${identifiers.length === 0 ? '' : `-${identifiers.join('.')}`}`;
  if (step === 'none') return print(numbers, preRelease);
  if (step === 'pre-release') {
    const last = preRelease.at(-1) ?? '';
    return print(numbers, /^\d+$/.test(last) ? [...preRelease.slice(0, -1), String(Number(last) + 1)] : [...preRelease, '1']);
  }
  const raised = steps.indexOf(step);
  const length = Math.max(numbers.length, raised + 1);
  return print(
    Array.from({ length }, (_, index) => (index < raised ? (numbers[index] ?? 0) : index === raised ? (numbers[index] ?? 0) + 1 : 0)),
    [],
  );
}

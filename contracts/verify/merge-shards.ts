import { withoutUndefined } from '../../core/drop-undefined.ts';
import { UsageError } from '../../core/errors.ts';
import { getOrCompute } from '../../core/memo.ts';
import { type CheckResult, type Observation, type RunResult, verdicts, violationsIn } from '../../core/results/run-result.ts';
import { today } from '../system-clock.ts';
import { concludeRun } from './conclude-run.ts';
import { checkRequirement, narrowRequirement, readRequirement } from './evidence-requirement.ts';
import { isPassive } from './rules/rule.ts';
import { rules } from './rules/rule-catalogue.ts';
import type { WaiverEntry } from './waivers.ts';

/** The result of one shard or run, and the name that messages give it. */
export interface ShardResult {
  /** The name that messages give the result, such as its file. */
  readonly name: string;
  /** The result of the shard or run. */
  readonly result: RunResult;
}

/** Conditions on the merged result. They replace the conditions of the shards. */
export interface MergeOptions {
  /** Checks that must hold: `stated`, `all`, or patterns for rule ids. If one does not, the exit code is 4. */
  readonly require?: string | readonly string[];
  /** Known violations, which fail nothing. */
  readonly waivers?: readonly WaiverEntry[];
  /** An earlier run, whose violations fail nothing: only what is new does. */
  readonly baseline?: Pick<RunResult, 'checks'>;
  /** The day for which waivers are checked, in UTC, as `2026-12-31`. Default: today. */
  readonly today?: string;
}

/**
 * Merges the results of several runs: those of one contract at one target become one, as `mergeResults` says.
 * @throws {UsageError} if shards do not belong together, if one is missing, or if a check was judged twice.
 */
export function mergeRuns(
  results: readonly ShardResult[],
  { require: required, baseline = [], ...options }: Omit<MergeOptions, 'baseline'> & { readonly baseline?: readonly RunResult[] } = {},
): readonly RunResult[] {
  const require = required === undefined ? undefined : readRequirement(required);
  const rulesIn = (shards: readonly ShardResult[]): readonly string[] =>
    shards.flatMap(({ result }) => result.checks.map(({ rule }) => rule));
  checkRequirement(require, rulesIn(results));
  const groups = new Map<string, ShardResult[]>();
  for (const shard of results) {
    getOrCompute(groups, JSON.stringify([shard.result.contract.name, shard.result.target]), () => []).push(shard);
  }
  return [...groups.values()].map((group) => {
    const ownRequirement = narrowRequirement(require, rulesIn(group));
    const earlier = baseline.find(({ contract }) => contract.name === group[0]?.result.contract.name);
    return mergeResults(group, { ...options, ...withoutUndefined({ require: ownRequirement, baseline: earlier }) });
  });
}

/**
 * Merges the results of all shards of a run, or of whole runs that judged different checks of one target.
 * @throws {UsageError} if they belong to different runs, if a shard is missing or given twice, or if a check was judged twice.
 * @example
 * ```ts
 * import { mergeResults, verify } from 'touchstone/verify';
 *
 * const judge = (index: number) => verify({ contract: 'wiki', target: 'http://127.0.0.1:4010', shard: { index, of: 2 } }).result;
 * const shards = [
 *   { name: 'first', result: await judge(1) },
 *   { name: 'second', result: await judge(2) },
 * ];
 * console.log(mergeResults(shards).verdict);
 * ```
 */
export function mergeResults(shards: readonly ShardResult[], options: MergeOptions = {}): RunResult {
  const sorted = shards.toSorted((left, right) => (left.result.shard?.index ?? 0) - (right.result.shard?.index ?? 0));
  const [first] = sorted;
  if (first === undefined) throw new UsageError('there is nothing to merge; name the JSON report of every shard');
  requireOneRun(first, sorted);
  const results = sorted.map(({ result }) => result);
  const checks = joinChecks(results.flatMap((result) => result.checks));
  const require = options.require === undefined ? undefined : readRequirement(options.require);
  checkRequirement(
    require,
    checks.map(({ rule: id }) => id),
  );
  const findings = { checks: sortByCatalogue(checks), ...gatherCuts(sorted) };
  const { contract, target, seed, toolVersion, commit } = first.result;
  return {
    contract,
    target,
    requests: totalOf(results.map(({ requests }) => requests)),
    budget: totalOf(results.map(({ budget }) => budget)),
    // Shards run at the same time, so the run took as long as the longest.
    durationMs: Math.max(...results.map(({ durationMs }) => durationMs)),
    seed,
    started: results.map(({ started }) => started).toSorted()[0] ?? first.result.started,
    toolVersion,
    ...withoutUndefined({ commit }),
    observations: mergeObservations(results),
    ...findings,
    ...concludeRun(findings, { require, waivers: options.waivers, baseline: options.baseline?.checks, today: options.today ?? today() }),
  };
}

/** Makes sure that results belong together, and that each shard is there once. */
function requireOneRun(first: ShardResult, shards: readonly ShardResult[]): void {
  const run = describeRun(first.result);
  const other = shards.find(({ result }) => describeRun(result) !== run);
  if (other !== undefined)
    throw new UsageError(
      `${first.name} and ${other.name} are of different runs: ${run}, and ${describeRun(other.result)}; merge the reports of one run`,
    );
  const count = first.result.shard?.of ?? 0;
  for (let index = 1; index <= count; index += 1) {
    const names = shards.filter(({ result }) => result.shard?.index === index).map(({ name }) => name);
    if (names.length !== 1)
      throw new UsageError(
        `the shard ${index}/${count} of ${run} is there ${names.length} times${names.map((name) => `, as ${name}`).join('')}; name the report of each shard once`,
      );
  }
}

/** What the results of one run have in common. */
function describeRun({ contract, target, seed, shard }: RunResult): string {
  const division = shard === undefined ? 'as a whole' : `in ${shard.of} shards`;
  return `${contract.name} ${contract.version} at ${target} with the seed ${seed} ${division}`;
}

/** Merges the results of each check. Only passive rules may be in several shards; others mean that the shards had different patterns. */
function joinChecks(results: readonly CheckResult[]): readonly CheckResult[] {
  const joined = new Map<string, CheckResult>();
  for (const result of results) {
    const key = `${result.rule} at ${result.operation}`;
    const earlierResult = joined.get(key);
    if (earlierResult !== undefined && !isPassive(result.rule))
      throw new UsageError(
        `${key} was judged twice; run every shard with the same --only and --skip, and compare whole runs with touchstone compare`,
      );
    joined.set(key, earlierResult === undefined ? result : joinTwoResults(earlierResult, result));
  }
  return [...joined.values()];
}

/** Merges two results of one check. A violation wins, then a result with evidence, then the gravest reason for none. */
function joinTwoResults(one: CheckResult, two: CheckResult): CheckResult {
  const [first, second] = rankOf(one) <= rankOf(two) ? [one, two] : [two, one];
  const violations = new Map([...violationsIn(second), ...violationsIn(first)].map((each) => [each.fingerprint, each]));
  const further = [...violations.values()].filter(({ fingerprint }) => fingerprint !== first.fingerprint);
  const killed = [...new Map([...one.killed, ...two.killed].map((mutant) => [mutant.id, mutant])).values()];
  const isAlive = ({ id }: { readonly id: string }): boolean => !killed.some((mutant) => mutant.id === id);
  const alive = [...new Map([...one.alive, ...two.alive].map((mutant) => [mutant.id, mutant])).values()].filter(isAlive);
  return { ...first, instances: one.instances + two.instances, killed, alive, ...(further.length === 0 ? {} : { further }) };
}

function rankOf({ verdict, waiver }: CheckResult): number {
  if (verdict === 'violated') return waiver === undefined ? 0 : 1;
  return verdict === 'holds' ? 2 : 2 + verdicts.indexOf(verdict);
}

/** Merges the early ends of shards. A shard without results is a lost part of the run. */
function gatherCuts(shards: readonly ShardResult[]): Pick<RunResult, 'cutShort' | 'unavailable' | 'notes'> {
  const results = shards.map(({ result }) => result);
  const unavailable = results.every((result) => result.unavailable !== undefined) ? results[0]?.unavailable : undefined;
  const lostRuns = unavailable === undefined ? results.filter((result) => result.unavailable !== undefined) : [];
  const earlyEnds = [...results.map((result) => result.cutShort), ...(lostRuns.length > 0 ? (['lost'] as const) : [])];
  const cutShort = (['interrupted', 'lost', 'budget'] as const).find((cut) => earlyEnds.includes(cut));
  const lossNotes = lostRuns.map(
    ({ shard, unavailable: why = '' }) =>
      `${shard === undefined ? 'A run' : `The shard ${shard.index}/${shard.of}`} could judge nothing: ${why}`,
  );
  const notes = [...new Set([...results.flatMap((result) => result.notes ?? []), ...lossNotes])];
  return { ...withoutUndefined({ unavailable, cutShort }), ...(notes.length === 0 ? {} : { notes }) };
}

/** Sorts results as a run without shards does: by rule, in the order of the catalogue. */
function sortByCatalogue(results: readonly CheckResult[]): readonly CheckResult[] {
  const positions = new Map<string, number>(rules.map(({ id }, index) => [id, index]));
  const positionOf = ({ rule: id }: CheckResult): number => positions.get(id) ?? rules.length;
  return results.toSorted((left, right) => positionOf(left) - positionOf(right));
}

/** Merges observations: an answer remains possible if no shard excludes it. If shards exclude all answers, the question stays open. */
function mergeObservations(results: readonly RunResult[]): readonly Observation[] {
  const observations = results.flatMap((result) => result.observations);
  return [...new Set(observations.map(({ id }) => id))].flatMap((id) => {
    const same = observations.filter((each) => each.id === id);
    const answered = same.filter(({ answers }) => answers.length > 0);
    const counted = answered.length > 0 ? answered : same.slice(0, 1);
    const evidence = [...new Set(counted.map((each) => each.evidence))].join('; ');
    return counted.slice(0, 1).map((first) => ({
      ...first,
      answers: first.answers.filter((answer) => counted.every(({ answers }) => answers.includes(answer))),
      evidence,
    }));
  });
}

function totalOf(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

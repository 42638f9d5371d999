/**
 * `watch`: follows the lists of a target at a low rate for a duration, and judges what only time shows. `verify --watch` and users of
 * `touchstone/verify` call it. It runs no rule of a single run.
 */

import { UsageError } from '../../../core/errors.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { CheckResult, RunEvent, RunResult } from '../../../core/results/run-result.ts';
import { type SystemClock, systemClock, today } from '../../system-clock.ts';
import { concludeCheck as judgeExamination, type RoundOutcome, withoutEvidence } from '../check-outcome.ts';
import { checksOf, isChosen } from '../choose-checks.ts';
import { concludeRun, describeCut } from '../conclusion.ts';
import { Blocked } from '../engine/blocked-operations.ts';
import { RunContext } from '../engine/run-context.ts';
import { BudgetSpent } from '../engine/session.ts';
import { type Check, type RunSettings, toResult } from '../play-run.ts';
import { findObstacle } from '../preflight.ts';
import { openAccess, type VerifyOptions } from '../verify.ts';
import { beginTimeline, closeTimeline, type ListTimeline, lookAtList, openTimelines } from './list-timeline.ts';
import { isDoubtful, type WatchRule, watchRules } from './watch-rules.ts';

/** Options of `watch`. Only the contract, the target and the duration are required. */
export interface WatchOptions extends Omit<VerifyOptions, 'contract' | 'shard' | 'require' | 'again' | 'quick'> {
  /** The contract of the target. */
  readonly contract: Contract;
  /** Duration of the watch in milliseconds. */
  readonly forMs: number;
}

/** Default rate in requests per second: 6 per minute. */
const customaryRate = 0.1;

/** Requests reserved for the closing reads of each list. */
const closingRequests = 8;

/**
 * Watches a target.
 * @throws {UsageError} for an option that cannot be used.
 * @example
 * ```ts
 * import { contractFile, loadContract, watch } from 'touchstone/verify';
 *
 * const contract = await loadContract(contractFile('wiki'));
 * const { verdict } = await watch({ contract, target: 'http://127.0.0.1:4010', forMs: 3_600_000 });
 * ```
 */
export async function watch(options: WatchOptions, emit: (event: RunEvent) => void = () => undefined): Promise<RunResult> {
  const { contract, forMs, clock = systemClock, rate = customaryRate, seed = 1 } = options;
  const checks = chooseWatchChecks(options);
  const budget = options.budget ?? Math.ceil((forMs / 1000) * rate) + 2 * closingRequests;
  const { session, printing, isInterrupted, begin: start, close: leave } = openAccess(contract, { ...options, rate }, budget, emit);
  const settings: RunSettings = { contract, session, hidden: [], quick: true, seed, printing, emit };
  const startedMs = clock.nowMs();
  const begun = start(checks.length);
  try {
    const obstacle = await findObstacle(new RunContext(settings));
    const timelines = openTimelines(contract).filter(({ operation, read }) =>
      checks.some((each) => each.operation === operation || each.operation === read),
    );
    const failure = obstacle === undefined ? await fillTimelines(settings, timelines, { clock, startedMs, forMs, rate }) : undefined;
    const results = obstacle === undefined ? checks.map((check) => judgeWatched(settings, check, timelines, failure)) : [];
    const parts = { checks: results, ...(obstacle === undefined ? {} : { unavailable: printing.clean(obstacle) }) };
    const { notes, ...cut } = describeCut(settings, isInterrupted(), parts);
    const seen = { ...parts, ...cut };
    const result: RunResult = {
      ...begun(seed),
      observations: [],
      ...seen,
      ...concludeRun({ ...seen, notes }, { waivers: options.waivers, today: options.today ?? today() }),
    };
    emit({ kind: 'finished', result });
    return result;
  } finally {
    await leave();
  }
}

function chooseWatchChecks({ contract, only = [], skip = [] }: WatchOptions): readonly Check<WatchRule>[] {
  const all = checksOf(watchRules, contract);
  const chosen = all.filter((check) => isChosen(check, { only, skip }));
  if (chosen.length > 0) return chosen;
  throw new UsageError(
    `there is nothing to watch: ${all.length === 0 ? `no list of ${contract.name} tells when a record changed last` : 'the patterns leave nothing over'}`,
  );
}

interface Schedule {
  readonly clock: SystemClock;
  readonly startedMs: number;
  readonly forMs: number;
  readonly rate: number;
}

/** Fills the timelines until the time is over. A blocked target or a spent budget ends it early; what was seen until then counts. */
async function fillTimelines(
  settings: RunSettings,
  timelines: readonly ListTimeline[],
  { clock, startedMs, forMs, rate }: Schedule,
): Promise<RoundOutcome | undefined> {
  const { session, contract, emit } = settings;
  const lastMs = startedMs + forMs - (closingRequests * timelines.length * 1000) / rate;
  const reportProgress = (): void =>
    emit({ kind: 'phase', title: 'watching', done: Math.min(100, Math.floor((100 * (clock.nowMs() - startedMs)) / forMs)), of: 100 });
  try {
    for (const timeline of timelines) await beginTimeline(session, timeline);
    do {
      reportProgress();
      for (const timeline of timelines) await lookAtList(session, contract, timeline);
    } while (clock.nowMs() < lastMs);
    for (const timeline of timelines) await closeTimeline(session, timeline);
    for (const timeline of timelines.filter(isDoubtful)) await closeTimeline(session, timeline);
    return undefined;
  } catch (error) {
    if (error instanceof Blocked) return withoutEvidence('blocked', error.message);
    if (error instanceof BudgetSpent) return withoutEvidence('not-exercised', error.message);
    throw error;
  }
}

function judgeWatched(
  settings: RunSettings,
  { rule, operation }: Check<WatchRule>,
  timelines: readonly ListTimeline[],
  failure: RoundOutcome | undefined,
): CheckResult {
  const timeline = timelines.find((each) => each.operation === operation || each.read === operation);
  const outcome =
    timeline === undefined
      ? withoutEvidence('not-exercised', 'No evidence was found')
      : judgeExamination(rule.judge(timeline, settings.contract));
  const isDecided = outcome.verdict === 'violated' || outcome.verdict === 'holds';
  return toResult(settings, { rule, operation }, failure === undefined || isDecided ? outcome : failure);
}

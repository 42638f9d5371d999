/** Reads the lists of a target at a low rate for some time, and then judges what only time shows. Runs none of the rules of a single run. */

import { withoutUndefined } from '../../../core/drop-undefined.ts';
import { UsageError } from '../../../core/errors.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { CheckResult, RunEvent, RunResult } from '../../../core/results/run-result.ts';
import { type SystemClock, systemClock, today } from '../../system-clock.ts';
import { type Check, checksOf, isChosen } from '../choose-checks.ts';
import { concludeCheck, type RoundOutcome, withoutEvidence, withoutWrongReference } from '../conclude-check.ts';
import { concludeRun, describeCut } from '../conclude-run.ts';
import { Blocked } from '../evidence/blocked-operations.ts';
import { BudgetSpent } from '../evidence/request-session.ts';
import { RoundContext } from '../evidence/round-context.ts';
import { openSessionAndRedaction } from '../open-run.ts';
import { type RunSettings, toResult } from '../play-run.ts';
import { findObstacle } from '../preflight.ts';
import type { VerifyOptions } from '../run-options.ts';
import { beginTimeline, closeTimeline, type ListTimeline, lookAtList, openTimelines, requestsToClose } from './timeline-of-list.ts';
import { isDoubtful, type TimelineRule, timelineRules } from './timeline-rules.ts';

/** Options of `watch`. Only the contract, the target and the duration are required. */
export interface WatchOptions extends Omit<VerifyOptions, 'contract' | 'require' | 'again' | 'quick'> {
  /** The contract of the target. */
  readonly contract: Contract;
  /** Duration of the watch in milliseconds. */
  readonly forMs: number;
}

/** Default rate in requests per second: 6 per minute. */
const customaryRate = 0.1;

/** Requests of a short watch for each list of one or two pages: the first read, a few looks, and the closing reads. */
const requestsOfShortWatch = 24;

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
  const { contract, forMs, clock = systemClock, seed = 1 } = options;
  const checks = chooseWatchChecks(options);
  const timelines = openTimelines(contract).filter(({ operation, readOperation }) =>
    checks.some((check) => check.operation === operation || check.operation === readOperation),
  );
  // At the usual rate, a watch of a minute would end before its closing reads.
  const rate = options.rate ?? Math.max(customaryRate, (1000 * requestsOfShortWatch * timelines.length) / forMs);
  const budget = options.budget ?? Math.ceil((forMs / 1000) * rate);
  const connection = openSessionAndRedaction(contract, { ...options, rate }, budget, emit);
  const settings: RunSettings = { ...connection, contract, hidden: [], quick: true, seed, emit };
  const startedMs = clock.nowMs();
  const summarize = connection.begin(checks.length);
  try {
    const obstacle = await findObstacle(new RoundContext(settings));
    const failure = obstacle === undefined ? await fillTimelines(settings, timelines, { clock, startedMs, forMs, rate }) : undefined;
    const parts = {
      checks: obstacle === undefined ? judgeWatched(settings, checks, timelines, failure) : [],
      ...withoutUndefined({ unavailable: obstacle && connection.printing.clean(obstacle) }),
    };
    const { notes, ...earlyEnd } = describeCut(settings, connection.isInterrupted(), parts);
    const result: RunResult = {
      ...summarize(seed),
      observations: [],
      ...parts,
      ...earlyEnd,
      ...concludeRun({ ...parts, ...earlyEnd, notes }, { waivers: options.waivers, today: options.today ?? today() }),
    };
    emit({ kind: 'finished', result });
    return result;
  } finally {
    await connection.close();
  }
}

function chooseWatchChecks({ contract, only = [], skip = [] }: WatchOptions): readonly Check<TimelineRule>[] {
  const watchChecks = checksOf(timelineRules, contract);
  const chosen = watchChecks.filter((check) => isChosen(check, { only, skip }));
  if (chosen.length > 0) return chosen;
  throw new UsageError(
    `there is nothing to watch: ${watchChecks.length === 0 ? `no list of ${contract.name} has a time of last change` : 'the patterns select no watch/* rule'}`,
  );
}

/** Start, duration and rate of a watch. */
interface Schedule {
  readonly clock: SystemClock;
  readonly startedMs: number;
  readonly forMs: number;
  readonly rate: number;
}

/**
 * Fills the timelines until the time is over, or only the requests for the closing reads are left. A blocked target or a spent budget ends it early; what
 * was seen until then counts.
 */
async function fillTimelines(
  { session, contract, emit }: RunSettings,
  timelines: readonly ListTimeline[],
  { clock, startedMs, forMs, rate }: Schedule,
): Promise<RoundOutcome | undefined> {
  const elapsedMs = (): number => clock.nowMs() - startedMs;
  const hasTimeForLook = (): boolean => {
    const requests = timelines.reduce((sum, timeline) => sum + requestsToClose(timeline), 0);
    // Few lists are doubtful, so the time for one closing read is enough.
    return session.requestsLeft >= requests && elapsedMs() + (500 * requests) / rate < forMs;
  };
  try {
    for (const timeline of timelines) await beginTimeline(session, timeline);
    do {
      const [done, of] = [Math.min(elapsedMs(), forMs), forMs].map((ms) => Math.floor(ms / 1000)) as [number, number];
      emit({ kind: 'phase', title: 'watching', done, of, unit: 'second' });
      for (const timeline of timelines) await lookAtList(session, contract, timeline);
    } while (hasTimeForLook());
    for (const timeline of timelines) await closeTimeline(session, timeline);
    for (const timeline of timelines.filter(isDoubtful)) await closeTimeline(session, timeline);
    return undefined;
  } catch (error) {
    if (error instanceof Blocked) return withoutEvidence('blocked', error.message);
    if (!(error instanceof BudgetSpent)) throw error;
    const requests = `${session.requests} requests at ${Number((60 * rate).toPrecision(2))}/min`;
    const isTooShort = session.requestsLeft === 0;
    return withoutEvidence(
      'not-exercised',
      isTooShort
        ? `The watch ended before its last reads: ${requests} are too few for its lists; watch longer, or raise --rate`
        : error.message,
    );
  }
}

function judgeWatched(
  settings: RunSettings,
  checks: readonly Check<TimelineRule>[],
  timelines: readonly ListTimeline[],
  failure: RoundOutcome | undefined,
): readonly CheckResult[] {
  const outcomes = checks.map(({ rule, operation }) => {
    const timeline = timelines.find((each) => each.operation === operation || each.readOperation === operation);
    const outcome =
      timeline === undefined
        ? withoutEvidence('not-exercised', 'No evidence was found')
        : concludeCheck(rule.judge(timeline, settings.contract));
    const isDecided = outcome.verdict === 'violated' || outcome.verdict === 'holds';
    return { check: { rule, operation }, outcome: failure === undefined || isDecided ? outcome : failure };
  });
  const violatedRules = new Set(outcomes.flatMap(({ check, outcome }) => (outcome.verdict === 'violated' ? [check.rule.id] : [])));
  return outcomes.map(({ check, outcome }) => toResult(settings, check, withoutWrongReference(outcome, violatedRules)));
}

/**
 * Plays the rounds of a run. The first examines every check (group by group with `failFast`), and up to three more confirm contradictions, so that data that
 * changes during the run is not reported as a violation.
 */

import { countNoun } from '../../core/count-noun.ts';
import { withoutUndefined } from '../../core/drop-undefined.ts';
import { formatLocation } from '../../core/errors.ts';
import { mapTexts } from '../../core/map-texts.ts';
import { getOrCompute } from '../../core/memo.ts';
import { requestMutant } from '../../core/mutants/mutant-catalogue.ts';
import { hintFor } from '../../core/mutants/violation-hints.ts';
import { groupOf, type RuleId } from '../../core/results/rule-id.ts';
import type { CheckResult, CheckViolation, KilledMutant, RunEvent, Verdict } from '../../core/results/run-result.ts';
import type { Check } from './choose-checks.ts';
import {
  describeContradiction,
  failedOutcome,
  type RoundOutcome,
  takeBack,
  violatedOutcome,
  withoutEvidence,
  withoutWrongReference,
} from './conclude-check.ts';
import { type Printing, printCounterexample } from './counterexample.ts';
import { logVerdict } from './debug-log.ts';
import type { Call, Reply } from './evidence/call.ts';
import { RoundContext, type RoundContextSettings } from './evidence/round-context.ts';
import { drawProbes, readExplored } from './explore/draw-probes.ts';
import { isReadOn, readOn } from './explore/read-on-without-annotations.ts';
import { sendProbes } from './explore/send-probes.ts';
import { attempt, type CheckTask, type ConcludedCheck, playRound, type Suspect, suspectsOf } from './play-round.ts';
import { type Contradiction, describeMissing, isPassive, type Rule, roomInQuickRun } from './rules/rule.ts';
import { fingerprintOf, subjectInAnyOperation, subjectOf } from './violation-fingerprint.ts';

/** Number of further rounds for a contradiction before a run gives up on data that keeps changing. */
const maxConfirmations = 3;

/** Settings of a run. */
export interface RunSettings extends RoundContextSettings {
  /** Requests of an earlier run to send again (`replay`). */
  readonly again?: readonly Call[] | undefined;
  /** True to end the run after the first group of rules with a violation. */
  readonly failFast?: boolean;
  /** Time for drawn requests. Default: as long as the budget lasts. */
  readonly exploreMs?: number | undefined;
  readonly printing: Printing;
  readonly emit: (event: RunEvent) => void;
}

/** Plays all rounds. The first uses a context that may already have replies. Unselected checks are not judged; they send requests for passive rules. */
export async function playRun(
  settings: RunSettings,
  context: RoundContext,
  checks: readonly Check[],
  unselected?: readonly Check[],
): Promise<readonly CheckResult[]> {
  const isInRun = ({ rule }: Check): boolean => !(settings.quick && rule.slow === true);
  const earlierRequests = settings.again?.map((call): Suspect => ({ call })) ?? [];
  const tasks = checks.filter(isInRun).map((check): CheckTask => {
    const suspects = earlierRequests.filter(({ call }) => call?.operation.id === check.operation.id);
    return { ...check, suspects };
  });
  const outcomes = new Map<string, RoundOutcome>();
  const keep = (concluded: readonly ConcludedCheck[]): void => {
    for (const each of concluded) outcomes.set(nameOf(each), each.outcome);
  };
  const moved: CheckTask[] = [];
  let isViolated = false;
  for (const taskGroup of settings.failFast === true ? divideByGroup(tasks) : [tasks]) {
    if (isViolated) break;
    const concluded = await playRound(settings, context, taskGroup, 'checking', settings.emit, unselected?.filter(isInRun));
    moved.push(...taskGroup.filter((_, index) => concluded[index]?.outcome.verdict === 'inconclusive'));
    const settled = await confirmAll(settings, concluded);
    keep(settled);
    isViolated = rulesViolatedIn(settled).size > 0;
  }
  if (!settings.quick && settings.again === undefined && !(settings.failFast === true && isViolated)) {
    const verdictOf = (task: CheckTask): Verdict | undefined => outcomes.get(nameOf(task))?.verdict;
    const undecided = moved.filter((task) => verdictOf(task) === 'inconclusive');
    keep(await tryAgain(settings, undecided));
    const held = tasks.filter((task) => verdictOf(task) !== 'violated');
    const violatedRules = new Set(tasks.filter((task) => !held.includes(task)).map(({ rule }) => rule.id));
    keep(await explore(settings, held, violatedRules));
  }
  const violatedRules = rulesViolatedIn(checks.map((check) => ({ ...check, outcome: outcomes.get(nameOf(check)) })));
  return checks.map((check) =>
    toResult(settings, check, withoutWrongReference(outcomes.get(nameOf(check)) ?? leftOutOutcome(isInRun(check)), violatedRules)),
  );
}

function nameOf({ rule, operation }: Check): string {
  return `${rule.id} ${operation.id}`;
}

/** Plays checks once more that the data kept from a verdict, since it may be quiet now. Returns those that hold. */
async function tryAgain(settings: RunSettings, tasks: readonly CheckTask[]): Promise<readonly ConcludedCheck[]> {
  if (tasks.length === 0 || settings.session.requestsLeft <= exploring.spared) return [];
  const concluded = await playRound(settings, new RoundContext(settings), tasks, 'checking again', settings.emit);
  return concluded.filter(({ outcome }) => outcome.verdict === 'holds');
}

/** Number of requests of one batch of the explorer, and those that it leaves for other work: its confirmations, and the observation of open questions. */
const exploring = { batch: 160, spared: 70 } as const;

/**
 * Sends drawn requests on the budget that is left, in batches between two readings of the lists, and lets all rules judge the replies. Returns the checks
 * with a confirmed contradiction.
 */
async function explore(
  settings: RunSettings,
  tasks: readonly CheckTask[],
  violatedRules: ReadonlySet<RuleId>,
): Promise<readonly ConcludedCheck[]> {
  const { session, exploreMs = Number.POSITIVE_INFINITY } = settings;
  const endMs = session.nowMs + exploreMs;
  const observers = tasks.filter(({ rule }) => rule.judgeReplies !== undefined || isPassive(rule.id));
  const operations = new Set(observers.map(({ operation }) => operation));
  const found: ConcludedCheck[] = [];
  const isOver = (): boolean => session.nowMs >= endMs || session.requestsLeft <= exploring.spared;
  for (let batch = 0; found.length === 0 && !isOver(); batch += 1) {
    const context = new RoundContext({ ...settings, seed: settings.seed + batch });
    const spared = Math.max(exploring.spared, session.requestsLeft - exploring.batch);
    const mayAsk = (): boolean => session.requestsLeft > spared;
    const before = session.requests;
    const obstacle = await attempt(async () => {
      const snapshots = await readExplored(context, operations);
      // Nothing is drawn at operations without annotations, so a further batch would repeat the first.
      if (batch === 0) await readOn(context, [...operations].filter(isReadOn), mayAsk);
      if (snapshots.length > 0 && mayAsk()) await sendProbes(context, await drawProbes(context, snapshots, operations), mayAsk);
      return undefined;
    });
    if (obstacle !== undefined || session.requests === before) return found;
    const concluded = await playRound(settings, context, observers.map(observing), 'exploring', settings.emit);
    found.push(...(await confirmAll(settings, concluded, violatedRules)).filter(({ outcome }) => outcome.verdict === 'violated'));
  }
  return found;
}

function observing(task: CheckTask): CheckTask {
  return { ...task, isObserver: true, suspects: [] };
}

/** The outcome of a check that the run did not reach, or that quick runs leave out. */
function leftOutOutcome(isInRun: boolean): RoundOutcome {
  const [message, missing] = isInRun
    ? ['The run stopped at an earlier violation', 'a run without --fail-fast']
    : ['Quick runs skip this check', roomInQuickRun];
  return withoutEvidence('not-exercised', message, [{ ...requestMutant('unchecked'), missing }]);
}

/** Divides tasks by the group of their rules. Rules that judge every reply are in each part, since they judge the replies so far. */
function divideByGroup(tasks: readonly CheckTask[]): readonly (readonly CheckTask[])[] {
  const passive = tasks.filter(({ rule }) => isPassive(rule.id));
  const groups = new Map<string, CheckTask[]>();
  for (const task of tasks.filter((each) => !passive.includes(each)))
    getOrCompute(groups, groupOf(task.rule.id) ?? '', () => []).push(task);
  return groups.size === 0 ? [passive] : [...groups.values()].map((group) => [...group, ...passive]);
}

/** The ids of the rules that are violated at some operation. */
function rulesViolatedIn(checks: readonly (Check & { readonly outcome: RoundOutcome | undefined })[]): ReadonlySet<RuleId> {
  return new Set(checks.filter(({ outcome }) => outcome?.verdict === 'violated').map(({ rule }) => rule.id));
}

/**
 * Confirms the contradictions of a round, and then those that were left to rules without a confirmed violation. `violatedBefore` are the rules with one, for a
 * round of drawn requests.
 */
async function confirmAll(
  settings: RunSettings,
  concluded: readonly ConcludedCheck[],
  violatedBefore?: ReadonlySet<RuleId>,
): Promise<readonly ConcludedCheck[]> {
  const isObserver = violatedBefore !== undefined;
  const withConfirmed = async (checks: readonly ConcludedCheck[]): Promise<readonly ConcludedCheck[]> => {
    const confirmed = await confirm(settings, checks, isObserver);
    return checks.map((each) => ({ ...each, outcome: confirmed.get(each) ?? each.outcome }));
  };
  const settled = await withConfirmed(concluded);
  const violatedRules = new Set([...rulesViolatedIn(settled), ...(violatedBefore ?? [])]);
  const takenBack = settled.flatMap((each) => {
    const outcome = takeBack(each.outcome, violatedRules);
    return outcome === undefined ? [] : [{ ...each, outcome }];
  });
  const settledLater = await withConfirmed(takenBack);
  return settled.map((each) => settledLater.find(({ rule, operation }) => rule === each.rule && operation === each.operation) ?? each);
}

/** Repeats contradicted checks in further rounds, until each contradiction is confirmed or given up. */
async function confirm(
  settings: RunSettings,
  concluded: readonly ConcludedCheck[],
  isObserver: boolean,
): Promise<ReadonlyMap<ConcludedCheck, RoundOutcome>> {
  const confirmed = new Map<ConcludedCheck, RoundOutcome>();
  const outcomes = new Map<ConcludedCheck, readonly RoundOutcome[]>();
  let unconfirmed = concluded.filter(({ outcome }) => outcome.verdict === 'violated');
  for (const each of unconfirmed) outcomes.set(each, [each.outcome]);
  for (let confirmation = 1; confirmation <= maxConfirmations && unconfirmed.length > 0; confirmation += 1) {
    const tasks = unconfirmed.map((each): CheckTask => ({ ...each, suspects: suspectsOf(each.outcome, settings), isObserver }));
    const further = await playRound(settings, new RoundContext(settings), tasks, 'confirming', settings.emit);
    for (const [index, each] of unconfirmed.entries()) {
      const now = further[index]?.outcome ?? withoutEvidence('inconclusive', 'It was not checked again');
      const before = outcomes.get(each) ?? [];
      const outcome = compareRounds(before, now, confirmation === maxConfirmations);
      const isFlaky = now.verdict === 'holds' && outcome?.verdict === 'inconclusive' && provesByItself(each.rule.id);
      const settled = isFlaky ? flakyOutcome(before[0] ?? now, now) : outcome;
      outcomes.set(each, [...before, now]);
      const durationMs = [...before, now].reduce((sum, round) => sum + (round.durationMs ?? 0), 0);
      if (settled !== undefined) confirmed.set(each, { ...settled, durationMs });
    }
    unconfirmed = unconfirmed.filter((each) => !confirmed.has(each));
  }
  return confirmed;
}

/** True for a rule whose contradictions no change of the data explains: a wrong status, media type or shape. */
function provesByItself(rule: RuleId): boolean {
  return groupOf(rule) === 'response' && rule !== 'response/request-id';
}

/** The outcome of contradictions that were seen once, and not again. */
function flakyOutcome(seen: RoundOutcome, now: RoundOutcome): RoundOutcome {
  const replies = new Set(seen.contradictions.flatMap((each) => (each.sameSubject ?? [each]).flatMap((one) => one.replies.slice(-1))));
  return violatedOutcome({ ...seen, flaky: { responses: replies.size, of: replies.size + seen.instances + now.instances } });
}

/** Compares a further round of a contradicted check with the earlier ones; `undefined` if another round is needed. */
function compareRounds(before: readonly RoundOutcome[], now: RoundOutcome, isLast: boolean): RoundOutcome | undefined {
  const earlier = before.flatMap((round) => round.contradictions);
  const contradictionsNow = [...now.contradictions, ...(now.deferred ?? []).map(({ contradiction }) => contradiction)];
  const contradictions = contradictionsNow.filter((each) => earlier.some((one) => isSameViolation(one, each)));
  if (contradictions.length > 0) return violatedOutcome({ ...now, contradictions, instances: (before[0]?.instances ?? 0) + now.instances });
  if (now.verdict === 'holds') return { ...now, verdict: 'inconclusive', message: `Seen once, but not again: ${before[0]?.message ?? ''}` };
  const isFinal = now.verdict === 'blocked' || now.verdict === 'not-exercised';
  if (!isLast && !isFinal) return undefined;
  const because = isFinal ? now.message : 'the data changed';
  return {
    ...now,
    verdict: now.verdict === 'blocked' ? 'blocked' : 'inconclusive',
    message: `Seen once, but not confirmed (${because}): ${before[0]?.message ?? ''}`,
  };
}

/** True if two contradictions share a record, or have no records and the same subject. */
function isSameViolation(first: Contradiction, second: Contradiction): boolean {
  if (first.recordKeys.length === 0 && second.recordKeys.length === 0) return subjectOf(first) === subjectOf(second);
  return first.recordKeys.some((witness) => second.recordKeys.includes(witness));
}

/** Makes the reported result of a check, and emits it. */
export function toResult(
  settings: Pick<RunSettings, 'contract' | 'printing' | 'emit'>,
  check: Check<Omit<Rule, 'examine'>>,
  outcome: RoundOutcome,
): CheckResult {
  let [result, failure] = [undefined as CheckResult | undefined, outcome.failure];
  try {
    result = describeResult(settings, check, outcome);
  } catch (error) {
    const ended = failedOutcome(error);
    failure = ended.failure;
    result = describeResult(settings, check, ended);
  }
  if (failure !== undefined) settings.emit({ kind: 'failed', error: failure });
  settings.emit({ kind: 'check', result });
  logVerdict(result);
  return result;
}

/** Maximum number of requests that are named for a killed mutant. */
const killersMax = 3;

function requestsOf({ mask }: Printing, replies: readonly Reply[]): Pick<KilledMutant, 'by'> {
  const by = replies.slice(-killersMax).map((reply) => {
    const { method, target } = mask({ request: reply.request, response: reply.response }).request;
    return `${method} ${target}`;
  });
  return by.length === 0 ? {} : { by };
}

/** Describes the outcome of a check without any key: its texts may quote what a target says. */
function describeResult(
  { contract, printing }: Pick<RunSettings, 'contract' | 'printing'>,
  { rule, operation }: Check<Omit<Rule, 'examine'>>,
  outcome: RoundOutcome,
): CheckResult {
  const { verdict, instances, killed, alive, message, contradictions, flaky, failure, durationMs } = outcome;
  const frequency = flaky === undefined ? '' : `${flaky.responses} of ${countNoun(flaky.of, 'response')}, and not when repeated: `;
  const clause = (failure === undefined ? rule.clause(operation, contract) : undefined) ?? operation.place;
  const violations = contradictions.map((each): CheckViolation => {
    const subject = subjectInAnyOperation(operation.id, each);
    const diagnosis = each.mutant && `The server behaves as if ${each.mutant.title}`;
    return {
      fingerprint: fingerprintOf(rule.id, operation.id, each),
      subject,
      message: `${frequency}${describeContradiction(each)}`,
      ...withoutUndefined({ diagnosis, hint: hintFor(rule.id, subject, operation) }),
      counterexample: printCounterexample(printing, each, each.clause ?? clause),
      evidence: each.evidence ?? [],
    };
  });
  const [first, ...further] = violations;
  const result: CheckResult = {
    rule: rule.id,
    operation: operation.id,
    title: rule.title,
    source: rule.rfc ?? formatLocation(contradictions[0]?.clause ?? clause),
    strength: rule.strength,
    verdict,
    instances,
    killed: killed.map(({ id, title, replies }) => ({ id, title, ...requestsOf(printing, replies) })),
    alive: alive.map((mutant) => ({ id: mutant.id, title: mutant.title, missing: describeMissing(mutant) })),
    message,
    ...first,
    ...(further.length === 0 ? {} : { further }),
    ...(failure === undefined ? {} : { failed: true }),
    ...withoutUndefined({ flaky, durationMs: durationMs && Math.round(durationMs) }),
  };
  return mapTexts(result, printing.clean);
}

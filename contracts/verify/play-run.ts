/**
 * Plays the rounds of a run. The first examines every check (group by group with `failFast`), and up to three more confirm contradictions, so that data that
 * changes during the run is not reported as a violation.
 */

import { withoutUndefined } from '../../core/drop-undefined.ts';
import { formatLocation, SpecError } from '../../core/errors.ts';
import { mapTexts } from '../../core/map-texts.ts';
import { getOrCompute } from '../../core/memo.ts';
import { requestMutant } from '../../core/mutants/mutant-catalogue.ts';
import { hintFor } from '../../core/mutants/violation-hints.ts';
import { isPlain } from '../../core/openapi/operation.ts';
import { groupOf } from '../../core/results/rule-id.ts';
import type { CheckResult, CheckViolation, RunEvent } from '../../core/results/run-result.ts';
import type { Check } from './choose-checks.ts';
import {
  concludeCheck,
  describeContradiction,
  failedOutcome,
  type RoundOutcome,
  violatedOutcome,
  withoutEvidence,
  withoutWrongReference,
} from './conclude-check.ts';
import { type Printing, printCounterexample } from './counterexample.ts';
import { log, logVerdict } from './debug-log.ts';
import { Blocked } from './evidence/blocked-operations.ts';
import { type Call, toRequest, Unwritable } from './evidence/call.ts';
import type { PaginationPlan } from './evidence/pagination/pagination.ts';
import { BudgetSpent } from './evidence/request-session.ts';
import { RoundContext, type RoundContextSettings } from './evidence/round-context.ts';
import { readChangedAgain } from './evidence/single-reads.ts';
import { exampleCall } from './evidence/single-record-calls.ts';
import { refusedOperations, withinScope } from './missing-scopes.ts';
import {
  type Candidate,
  type Contradiction,
  describeMissing,
  type Examination,
  isPassive,
  type Rule,
  roomInQuickRun,
  withoutData,
} from './rules/rule.ts';
import { fingerprintOf, subjectInAnyOperation, subjectOf } from './violation-fingerprint.ts';
import { wrongResponsesOf } from './wrong-responses.ts';

/** Number of further rounds for a contradiction before a run gives up on data that keeps changing. */
const maxConfirmations = 3;

/** Number of requests that are kept for confirming other violations. Simpler requests are sent only if more are left. */
const sparedRequests = 100;

/** Settings of a run. */
export interface RunSettings extends RoundContextSettings {
  /** Requests of an earlier run to send again (`replay`). */
  readonly again?: readonly Call[] | undefined;
  /** True to end the run after the first group of rules with a violation. */
  readonly failFast?: boolean;
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
  const nameOf = ({ rule, operation }: Check): string => `${rule.id} ${operation.id}`;
  const outcomes = new Map<string, RoundOutcome>();
  let isViolated = false;
  for (const taskGroup of settings.failFast === true ? divideByGroup(tasks) : [tasks]) {
    if (isViolated) break;
    const concluded = await playRound(settings, context, taskGroup, 'checking', settings.emit, unselected?.filter(isInRun));
    const confirmed = await confirm(settings, concluded);
    for (const each of concluded) outcomes.set(nameOf(each), confirmed.get(each) ?? each.outcome);
    isViolated = [...confirmed.values()].some(({ verdict }) => verdict === 'violated');
  }
  const violated = checks.filter((check) => outcomes.get(nameOf(check))?.verdict === 'violated');
  const violatedRules = new Set<string>(violated.map(({ rule }) => rule.id));
  return checks.map((check) =>
    toResult(settings, check, withoutWrongReference(outcomes.get(nameOf(check)) ?? leftOutOutcome(isInRun(check)), violatedRules)),
  );
}

/** The outcome of a check that the run did not reach, or that quick runs leave out. */
function leftOutOutcome(isInRun: boolean): RoundOutcome {
  const [message, missing] = isInRun
    ? ['The run ended at a violation before', 'a run that does not end at the first violation']
    : ['Quick runs leave it out', roomInQuickRun];
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

/** Repeats contradicted checks in further rounds, until each contradiction is confirmed or given up. */
async function confirm(settings: RunSettings, concluded: readonly ConcludedCheck[]): Promise<ReadonlyMap<ConcludedCheck, RoundOutcome>> {
  const confirmed = new Map<ConcludedCheck, RoundOutcome>();
  const outcomes = new Map<ConcludedCheck, readonly RoundOutcome[]>();
  let unconfirmed = concluded.filter(({ outcome }) => outcome.verdict === 'violated');
  for (const each of unconfirmed) outcomes.set(each, [each.outcome]);
  for (let confirmation = 1; confirmation <= maxConfirmations && unconfirmed.length > 0; confirmation += 1) {
    const tasks = unconfirmed.map((each): CheckTask => ({ ...each, suspects: suspectsOf(each.outcome, settings) }));
    const further = await playRound(settings, new RoundContext(settings), tasks, 'confirming', settings.emit);
    for (const [index, each] of unconfirmed.entries()) {
      const now = further[index]?.outcome ?? withoutEvidence('inconclusive', 'It was not checked again');
      const before = outcomes.get(each) ?? [];
      const outcome = compareRounds(before, now, confirmation === maxConfirmations);
      outcomes.set(each, [...before, now]);
      const durationMs = [...before, now].reduce((sum, round) => sum + (round.durationMs ?? 0), 0);
      if (outcome !== undefined) confirmed.set(each, { ...outcome, durationMs });
    }
    unconfirmed = unconfirmed.filter((each) => !confirmed.has(each));
  }
  return confirmed;
}

/** Compares a further round of a contradicted check with the earlier ones; `undefined` if another round is needed. */
function compareRounds(before: readonly RoundOutcome[], now: RoundOutcome, isLast: boolean): RoundOutcome | undefined {
  const earlier = before.flatMap((round) => round.contradictions);
  const contradictions = now.contradictions.filter((each) => earlier.some((one) => isSameViolation(one, each)));
  if (contradictions.length > 0) return violatedOutcome({ ...now, contradictions, instances: (before[0]?.instances ?? 0) + now.instances });
  if (now.verdict === 'holds') return { ...now, verdict: 'inconclusive', message: `Seen once, and not again: ${before[0]?.message ?? ''}` };
  const isFinal = now.verdict === 'blocked' || now.verdict === 'not-exercised';
  if (!isLast && !isFinal) return undefined;
  const because = isFinal ? now.message : 'the data moved';
  return {
    ...now,
    verdict: now.verdict === 'blocked' ? 'blocked' : 'inconclusive',
    message: `Seen once, and not confirmed (${because}): ${before[0]?.message ?? ''}`,
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

/** Describes the outcome of a check without any key: its texts may quote what a target says. */
function describeResult(
  { contract, printing }: Pick<RunSettings, 'contract' | 'printing'>,
  { rule, operation }: Check<Omit<Rule, 'examine'>>,
  outcome: RoundOutcome,
): CheckResult {
  const { verdict, instances, killed, alive, message, contradictions, failure, durationMs } = outcome;
  const clause = (failure === undefined ? rule.clause(operation, contract) : undefined) ?? operation.place;
  const violations = contradictions.map((each): CheckViolation => {
    const subject = subjectInAnyOperation(operation.id, each);
    const diagnosis = each.mutant && `It behaves as if ${each.mutant.title}`;
    return {
      fingerprint: fingerprintOf(rule.id, operation.id, each),
      subject,
      message: describeContradiction(each),
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
    killed,
    alive: alive.map((mutant) => ({ id: mutant.id, title: mutant.title, missing: describeMissing(mutant) })),
    message,
    ...first,
    ...(further.length === 0 ? {} : { further }),
    ...(failure === undefined ? {} : { failed: true }),
    ...withoutUndefined({ durationMs: durationMs && Math.round(durationMs) }),
  };
  return mapTexts(result, printing.clean);
}

/** A request that contradicted a rule, or a pagination that did or may do so, to send again. */
interface Suspect {
  readonly call?: Call;
  readonly paginationPlan?: PaginationPlan;
  /** True for a pagination without filters that the mistake does not need. If it contradicts the rule too, it shows the mistake better. */
  readonly isSimpler?: true;
}

/** A check to play, with the requests that contradicted it before. */
interface CheckTask extends Check {
  readonly suspects: readonly Suspect[];
}

/** A check with its outcome in one round. */
interface ConcludedCheck extends Check {
  readonly outcome: RoundOutcome;
}

/** Plays one round. Unselected checks are not judged; they send the requests whose replies passive rules check. */
export async function playRound(
  settings: RoundContextSettings,
  context: RoundContext,
  tasks: readonly CheckTask[],
  phase: string,
  emit: (event: RunEvent) => void,
  unselected?: readonly Check[],
): Promise<readonly ConcludedCheck[]> {
  const examined: (Check & { readonly result: Examination | RoundOutcome; readonly durationMs: number })[] = [];
  // Each operation is asked before any is asked twice. Annotated ones are read as lists anyway.
  if (unselected !== undefined)
    for (const operation of new Set(tasks.map((task) => task.operation).filter(isPlain)))
      await attempt(async (): Promise<undefined> => void (await context.ask({ operation })));
  for (const [index, task] of tasks.entries()) {
    emit({ kind: 'phase', title: phase, done: index, of: tasks.length });
    log('%s: %s at %s', phase, task.rule.id, task.operation.id);
    const startedMs = settings.session.nowMs;
    const result = await examineCheck(context, task);
    examined.push({ rule: task.rule, operation: task.operation, result, durationMs: settings.session.nowMs - startedMs });
  }
  emit({ kind: 'phase', title: phase, done: tasks.length, of: tasks.length });
  const maySend = unselected !== undefined;
  const passive = new Set(examined.flatMap(({ operation, result }) => (maySend && 'isPassive' in result ? [operation] : [])));
  const senders = [
    ...[...passive].map((operation) => async () => void (await context.ask(await exampleCall(context, operation)))),
    ...(unselected ?? [])
      .filter(({ operation }) => passive.has(operation))
      .map(
        ({ rule, operation }) =>
          async () =>
            void (await rule.examine(context, operation)),
      ),
  ];
  const unwritten: typeof senders = [];
  for (const [index, ask] of senders.entries()) {
    emit({ kind: 'phase', title: 'sending requests for rules that only read responses', done: index, of: senders.length });
    const outcome = await attempt(ask);
    if (outcome?.failure !== undefined) emit({ kind: 'failed', error: outcome.failure });
    if (outcome?.verdict === 'not-exercised') unwritten.push(ask);
  }
  // The responses since then may show the values that were lacking.
  for (const ask of unwritten) await attempt(ask);
  settings.session.reserve(0);
  const lastRead = await attempt(async (): Promise<undefined> => {
    await context.readAgain();
    await readChangedAgain(context);
  });
  if (lastRead !== undefined && examined.length > 0) emit({ kind: 'waiting', seconds: 0, because: lastRead.message });
  // Without the last read, changes of the data are unknown, so nothing can be judged.
  const hasLastRead = lastRead?.failure === undefined;
  const refused = refusedOperations(settings.session.replies);
  const concluded: ConcludedCheck[] = [];
  for (const { rule, operation, result, durationMs } of examined) {
    const outcome = await attempt(() => {
      const ofCheck = 'judge' in result ? (hasLastRead ? concludeCheck(result) : lastRead) : result;
      return withEvidence(context, withinScope(operation, ofCheck, refused));
    });
    concluded.push({ rule, operation, outcome: { ...outcome, durationMs } });
  }
  return concluded;
}

function withEvidence(context: RoundContext, outcome: RoundOutcome): RoundOutcome {
  if (outcome.contradictions.length === 0) return outcome;
  return { ...outcome, contradictions: outcome.contradictions.map((each) => ({ ...each, evidence: wrongResponsesOf(context, each) })) };
}

async function examineCheck(context: RoundContext, { rule, operation, suspects }: CheckTask): Promise<Examination | RoundOutcome> {
  if (isPlain(operation) && !isPassive(rule.id) && suspects.length === 0 && context.session.requestsLeft < sparedRequests / 4)
    return withoutEvidence('not-exercised', 'The budget does not reach that far', [withoutData(requestMutant('unchecked'))]);
  const result = await attempt(async () => {
    const examination = await rule.examine(context, operation);
    return 'untestable' in examination ? withoutEvidence('not-testable', examination.untestable) : examination;
  });
  // Passive rules judge all replies, so the suspects are sent again for them. A blocked request must not end the check.
  const obstacles: (RoundOutcome | undefined)[] = [];
  for (const { call, paginationPlan, isSimpler } of suspects) {
    if (isSimpler && context.session.requestsLeft <= sparedRequests) continue;
    obstacles.push(
      await attempt(async (): Promise<undefined> => {
        if (call !== undefined) await context.ask(call);
        if (paginationPlan !== undefined) await context.pagination(paginationPlan);
      }),
    );
  }
  return obstacles.find((outcome) => outcome?.failure !== undefined) ?? result;
}

/** The result of some work. An obstacle, such as a blocked operation or an internal error, becomes an outcome, so that other checks go on. */
async function attempt<T>(work: () => T | Promise<T>): Promise<T | RoundOutcome> {
  try {
    return await work();
  } catch (error) {
    // An error in the contract is no internal error.
    if (error instanceof Blocked || error instanceof SpecError) return withoutEvidence('blocked', error.message);
    if (error instanceof BudgetSpent) return withoutEvidence('not-exercised', error.message);
    if (error instanceof Unwritable) {
      const alive: readonly Candidate[] = [{ ...requestMutant('unchecked'), missing: error.message }];
      return withoutEvidence('not-exercised', `The data lacks ${error.message}`, alive);
    }
    return failedOutcome(error);
  }
}

/** The requests of all contradictions, each once. A pagination stays whole, because a cursor is useless without the page before it. */
export function suspectsOf({ contradictions }: RoundOutcome, settings: RoundContextSettings): readonly Suspect[] {
  const distinctCalls = new Map<string, Call>();
  for (const { replies, paginationPlan } of contradictions) {
    if (paginationPlan !== undefined) continue;
    for (const { call } of replies) getOrCompute(distinctCalls, JSON.stringify(toRequest(call, settings.session.keys)), () => call);
  }
  return [
    ...[...distinctCalls.values()].map((call): Suspect => ({ call })),
    ...contradictions.flatMap(({ paginationPlan }): readonly Suspect[] => (paginationPlan === undefined ? [] : [{ paginationPlan }])),
    ...contradictions.flatMap(withNeededFilters).map((paginationPlan): Suspect => ({ paginationPlan, isSimpler: true })),
  ];
}

/** The pagination of a contradiction with no other filters than those that the mistake needs, if it has others. */
function withNeededFilters({ paginationPlan, neededFilters }: Contradiction): readonly PaginationPlan[] {
  if (paginationPlan === undefined || neededFilters === undefined) return [];
  const filters = Object.entries(paginationPlan.values).filter(([name]) => neededFilters.includes(name));
  return filters.length < Object.keys(paginationPlan.values).length ? [{ ...paginationPlan, values: Object.fromEntries(filters) }] : [];
}

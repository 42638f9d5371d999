/**
 * Plays one round: every check sends its requests, the lists are read again, and the rules judge the replies. Compares no rounds.
 */

import { SpecError } from '../../core/errors.ts';
import { printJson } from '../../core/json.ts';
import { getOrCompute } from '../../core/memo.ts';
import { requestMutant } from '../../core/mutants/mutant-catalogue.ts';
import { isPlain } from '../../core/openapi/operation.ts';
import type { RunEvent } from '../../core/results/run-result.ts';
import type { Check } from './choose-checks.ts';
import { concludeCheck, failedOutcome, type RoundOutcome, withoutEvidence } from './conclude-check.ts';
import { log } from './debug-log.ts';
import { Blocked } from './evidence/blocked-operations.ts';
import { type Call, toRequest, Unwritable } from './evidence/call.ts';
import type { PaginationPlan } from './evidence/pagination/pagination.ts';
import { BudgetSpent } from './evidence/request-session.ts';
import type { RoundContext, RoundContextSettings } from './evidence/round-context.ts';
import { readChangedAgain } from './evidence/single-reads.ts';
import { exampleCall } from './evidence/single-record-calls.ts';
import { readExplored } from './explore/draw-probes.ts';
import { shrinkWalk } from './explore/send-probes.ts';
import { wrongResponsesOf } from './find-wrong-responses.ts';
import { refusedOperations, withinScope } from './missing-scopes.ts';
import {
  type Candidate,
  type Contradiction,
  type Examination,
  fromReplies,
  isPassive,
  type Judgements,
  withoutData,
} from './rules/rule.ts';

/** Number of requests that are kept for confirming other violations. Simpler requests are sent only if more are left. */
const sparedRequests = 100;

/** A request that contradicted a rule, or a pagination that did or may do so, to send again. */
export interface Suspect {
  readonly call?: Call;
  /** True for a request to send once more after the others: the contradiction compares its two responses. */
  readonly isAgain?: true;
  readonly paginationPlan?: PaginationPlan;
  /** True for a pagination without filters that the mistake does not need. If it contradicts the rule too, it shows the mistake better. */
  readonly isSimpler?: true;
}

/** A check to play, with the requests that contradicted it before. */
export interface CheckTask extends Check {
  readonly suspects: readonly Suspect[];
  /** True if the rule sends nothing of its own, and judges the replies to other requests. */
  readonly isObserver?: boolean;
}

/** A check with its outcome in one round. */
export interface ConcludedCheck extends Check {
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
  const completed = (each: Contradiction): Contradiction => ({ ...each, evidence: wrongResponsesOf(context, each) });
  return {
    ...outcome,
    contradictions: outcome.contradictions.map(completed),
    deferred: (outcome.deferred ?? []).map((each) => ({ ...each, contradiction: completed(each.contradiction) })),
  };
}

async function examineCheck(
  context: RoundContext,
  { rule, operation, suspects, isObserver = false }: CheckTask,
): Promise<Examination | RoundOutcome> {
  if (isPlain(operation) && !isPassive(rule.id) && suspects.length === 0 && context.session.requestsLeft < sparedRequests / 4)
    return withoutEvidence('not-exercised', 'The budget is too small for this; raise --budget', [withoutData(requestMutant('unchecked'))]);
  const judgeReplies = (): Judgements => rule.judgeReplies?.(context, operation);
  const result = await attempt(async () => {
    if (isObserver) await readExplored(context, [operation]);
    if (isObserver && rule.judgeReplies !== undefined) return { mutants: [], judge: judgeReplies };
    const [examination, replies] = await context.observing(() => rule.examine(context, operation));
    if ('untestable' in examination) return withoutEvidence('not-testable', examination.untestable);
    return { ...examination, judge: () => fromReplies(replies, [examination.judge(), judgeReplies()]) };
  });
  // Passive rules judge all replies, so the suspects are sent again for them. A blocked request must not end the check.
  const obstacles: (RoundOutcome | undefined)[] = [];
  for (const { call, isAgain, paginationPlan, isSimpler } of suspects) {
    if (isSimpler && context.session.requestsLeft <= sparedRequests) continue;
    obstacles.push(
      await attempt(async (): Promise<undefined> => {
        if (call !== undefined) await (isAgain ? context.askAgain(call) : context.ask(call));
        if (paginationPlan === undefined) return;
        await context.pagination(paginationPlan);
        if (isObserver) await shrinkWalk(context, paginationPlan);
      }),
    );
  }
  return obstacles.find((outcome) => outcome?.failure !== undefined) ?? result;
}

/** The result of some work. An obstacle, such as a blocked operation or an internal error, becomes an outcome, so that other checks go on. */
export async function attempt<T>(work: () => T | Promise<T>): Promise<T | RoundOutcome> {
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
  const [distinctCalls, repeatedCalls] = [new Map<string, Call>(), new Map<string, Call>()];
  for (const { replies, paginationPlan } of contradictions) {
    if (paginationPlan !== undefined) continue;
    const own = new Set<string>();
    for (const { call } of replies) {
      const request = printJson(toRequest(call, settings.session.keys));
      getOrCompute(own.has(request) ? repeatedCalls : distinctCalls, request, () => call);
      own.add(request);
    }
  }
  return [
    ...[...distinctCalls.values()].map((call): Suspect => ({ call })),
    ...[...repeatedCalls.values()].map((call): Suspect => ({ call, isAgain: true })),
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

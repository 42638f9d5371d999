/** A whole run: a first round of all rules, and further rounds for what was contradicted, so that nothing is reported that was seen only once. */

import { formatLocation, SpecError } from '../../core/errors.ts';
import { requestMutant } from '../../core/mutants/mutant-catalogue.ts';
import { hintFor } from '../../core/mutants/mutant-hints.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import type { CheckResult, CheckViolation, RunEvent } from '../../core/results/run-result.ts';
import {
  conclude,
  describe,
  failed,
  fingerprintOf,
  type Outcome,
  refusedOperations,
  subjectInAnyOperation,
  subjectOf,
  violated,
  withinScope,
  withoutEvidence,
} from './check-outcome.ts';
import { type Printing, printCounterexample } from './counterexample.ts';
import { log, logVerdict } from './debug-log.ts';
import { roomInQuickRun } from './engine/access.ts';
import { Blocked } from './engine/blocked-operations.ts';
import { type Call, toRequest, Unwritable } from './engine/call.ts';
import type { PaginationPlan } from './engine/paginate.ts';
import { readChangedAgain } from './engine/record-reads.ts';
import { RunContext, type RunContextSettings } from './engine/run-context.ts';
import { BudgetSpent } from './engine/session.ts';
import { exampleCall } from './engine/single-read.ts';
import { evidenceOf } from './evidence.ts';
import type { Candidate, Contradiction, Examination, Rule } from './rules/rule.ts';

/** Number of further rounds for a contradiction before a run gives up on data that keeps changing. */
const confirmations = 3;

/** Results of a run, and its first round, whose answers show the open questions. */
interface Played {
  readonly results: readonly CheckResult[];
  readonly first: Round;
}

/** Settings of a run. */
export interface RunSettings extends RunContextSettings {
  /** Requests of an earlier run, and those repeated at the judged operations. */
  readonly again?: readonly Call[] | undefined;
  readonly printing: Printing;
  readonly tell: (event: RunEvent) => void;
}

/** Plays all rounds, the first of them in a context that may have seen something already. The others are not judged; they ask what some subjects look at. */
export async function playRun(
  settings: RunSettings,
  context: RunContext,
  subjects: readonly Check[],
  others?: readonly Check[],
): Promise<Played> {
  const isPlayed = ({ rule }: Check): boolean => !(settings.quick && rule.slow === true);
  const tasks = subjects.filter(isPlayed).map((subject): Task => ({ ...subject, suspects: askedBefore(settings, subject) }));
  const first = await playRound(settings, context, tasks, 'looking', settings.tell, others?.filter(isPlayed));
  const settled = await confirm(settings, first);
  const byRule = new Map(first.concluded.map((each) => [`${each.rule.id} ${each.operation.id}`, settled.get(each) ?? each.outcome]));
  const unchecked: Candidate = { ...requestMutant('unchecked'), missing: roomInQuickRun };
  const leftOut = withoutEvidence('not-exercised', 'Quick runs leave it out', [unchecked]);
  const results = subjects.map((subject) =>
    toResult(settings, subject, byRule.get(`${subject.rule.id} ${subject.operation.id}`) ?? leftOut),
  );
  return { first, results };
}

/** Requests of an earlier run to an operation. */
function askedBefore({ again = [] }: RunSettings, { operation }: Check): Suspects {
  const calls = again.filter((call) => call.operation.id === operation.id);
  return calls.length === 0 ? noSuspects : { calls, routes: [] };
}

/** Looks again at what was contradicted, until each contradiction is confirmed or given up. */
async function confirm(settings: RunSettings, { concluded }: Round): Promise<ReadonlyMap<Concluded, Outcome>> {
  const settled = new Map<Concluded, Outcome>();
  const looks = new Map<Concluded, readonly Outcome[]>();
  let doubtful = concluded.filter(({ outcome }) => outcome.verdict === 'violated');
  for (const each of doubtful) looks.set(each, [each.outcome]);
  for (let attempt = 1; attempt <= confirmations && doubtful.length > 0; attempt += 1) {
    const tasks = doubtful.map((each): Task => ({ ...each, suspects: suspectsOf(each.outcome, settings) }));
    const again = await playRound(settings, new RunContext(settings), tasks, 'looking again', settings.tell);
    for (const [index, each] of doubtful.entries()) {
      const now = again.concluded[index]?.outcome ?? withoutEvidence('inconclusive', 'It was not looked at again');
      const before = looks.get(each) ?? [];
      const outcome = settle(before, now, attempt === confirmations);
      looks.set(each, [...before, now]);
      if (outcome !== undefined) settled.set(each, outcome);
    }
    doubtful = doubtful.filter((each) => !settled.has(each));
  }
  return settled;
}

/** Outcome after a further round for a contradicted check; `undefined` when yet another one is needed. */
function settle(before: readonly Outcome[], now: Outcome, isLast: boolean): Outcome | undefined {
  const earlier = before.flatMap((look) => look.contradictions);
  const contradictions = now.contradictions.filter((each) => earlier.some((one) => isSame(one, each)));
  if (contradictions.length > 0) return violated({ ...now, contradictions, instances: (before[0]?.instances ?? 0) + now.instances });
  if (now.verdict === 'holds') return { ...now, verdict: 'inconclusive', message: `Seen once, and not again: ${before[0]?.message ?? ''}` };
  const isOver = now.verdict === 'blocked' || now.verdict === 'not-exercised';
  if (!isLast && !isOver) return undefined;
  const because = isOver ? now.message : 'the data moved';
  return {
    ...now,
    verdict: now.verdict === 'blocked' ? 'blocked' : 'inconclusive',
    message: `Seen once, and not confirmed (${because}): ${before[0]?.message ?? ''}`,
  };
}

/** Two looks contradict a rule alike when they rest on one of the same records, or on no record at all and the same thing is wrong. */
function isSame(first: Contradiction, second: Contradiction): boolean {
  if (first.witnesses.length === 0 && second.witnesses.length === 0) return subjectOf(first) === subjectOf(second);
  return first.witnesses.some((witness) => second.witnesses.includes(witness));
}

/** Reported result of a rule at an operation. */
export function toResult(
  settings: Pick<RunSettings, 'contract' | 'printing' | 'tell'>,
  subject: Check<Omit<Rule, 'examine'>>,
  outcome: Outcome,
): CheckResult {
  let [result, failure] = [undefined as CheckResult | undefined, outcome.failure];
  try {
    result = describeResult(settings, subject, outcome);
  } catch (error) {
    const ended = failed(error);
    failure = ended.failure;
    result = describeResult(settings, subject, ended);
  }
  if (failure !== undefined) settings.tell({ kind: 'failed', error: failure });
  settings.tell({ kind: 'check', result });
  logVerdict(result);
  return result;
}

function describeResult(
  { contract, printing }: Pick<RunSettings, 'contract' | 'printing'>,
  { rule, operation }: Check<Omit<Rule, 'examine'>>,
  outcome: Outcome,
): CheckResult {
  const { verdict, instances, killed, alive: open, message, contradictions, failure } = outcome;
  const stated = (failure === undefined ? rule.clause(operation, contract) : undefined) ?? operation.place;
  const violations = contradictions.map((each): CheckViolation => {
    const subject = subjectInAnyOperation(operation.id, each);
    const hint = hintFor(rule.id, subject, operation);
    return {
      fingerprint: fingerprintOf(rule.id, operation.id, each),
      subject,
      message: printing.clean(describe(each)),
      ...(each.mutant === undefined ? {} : { diagnosis: printing.clean(`It behaves as if ${each.mutant.title}`) }),
      ...(hint === undefined ? {} : { hint }),
      counterexample: printCounterexample(printing, each, each.clause ?? stated),
      evidence: each.evidence ?? [],
    };
  });
  const [first, ...further] = violations;
  return {
    rule: rule.id,
    operation: operation.id,
    title: rule.title,
    source: rule.rfc ?? formatLocation(contradictions[0]?.clause ?? stated),
    strength: rule.strength,
    verdict,
    instances,
    killed,
    alive: open,
    message: printing.clean(message),
    ...first,
    ...(further.length === 0 ? {} : { further }),
    ...(failure === undefined ? {} : { failed: true }),
  };
}

/** A rule at an operation. */
export interface Check<T = Rule> {
  readonly rule: T;
  readonly operation: Operation;
}

/** Requests and paginations that contradicted a rule. */
interface Suspects {
  readonly calls: readonly Call[];
  readonly routes: readonly PaginationPlan[];
}

/** Nothing is suspected before the first look. */
export const noSuspects: Suspects = { calls: [], routes: [] };

/** A subject that is looked at again, with the calls that contradicted it before. */
interface Task extends Check {
  readonly suspects: Suspects;
}

/** A subject and what a round concluded of it. */
interface Concluded extends Check {
  readonly outcome: Outcome;
}

/** A round that is over: its outcomes, and the context that has its answers. */
interface Round {
  readonly concluded: readonly Concluded[];
  readonly context: RunContext;
}

/** Plays a round. The others, if there may be any, are not judged: they ask what those that ask nothing themselves look at. */
export async function playRound(
  settings: RunContextSettings,
  context: RunContext,
  tasks: readonly Task[],
  title: string,
  tell: (event: RunEvent) => void,
  others?: readonly Check[],
): Promise<Round> {
  const examined: (Check & { readonly result: Examination | Outcome })[] = [];
  for (const [index, task] of tasks.entries()) {
    tell({ kind: 'phase', title, done: index, of: tasks.length });
    log('%s: %s at %s', title, task.rule.id, task.operation.id);
    examined.push({ rule: task.rule, operation: task.operation, result: await examine(context, task) });
  }
  tell({ kind: 'phase', title, done: tasks.length, of: tasks.length });
  const mayAsk = others !== undefined;
  const passive = new Set(examined.flatMap(({ operation, result }) => (mayAsk && 'isPassive' in result ? [operation] : [])));
  const asking = [
    ...[...passive].map((operation) => async () => void (await context.ask(await exampleCall(context, operation)))),
    ...(others ?? [])
      .filter(({ operation }) => passive.has(operation))
      .map(
        ({ rule, operation }) =>
          async () =>
            void (await rule.examine(context, operation)),
      ),
  ];
  for (const [index, ask] of asking.entries()) {
    tell({ kind: 'phase', title: 'asking on behalf of these', done: index, of: asking.length });
    const failure = (await guard(ask))?.failure;
    if (failure !== undefined) tell({ kind: 'failed', error: failure });
  }
  settings.session.reserve(0);
  const closing = await guard(async () => {
    await context.readAgain();
    await readChangedAgain(context);
  });
  if (closing !== undefined && examined.length > 0) tell({ kind: 'waiting', seconds: 0, because: closing.message });
  // Without the last reading nobody knows what moved, so nothing can be judged.
  const hasReadAgain = closing?.failure === undefined;
  const refused = refusedOperations(settings.session.replies);
  const concluded = examined.map(({ rule, operation, result }) => {
    const outcome = 'judge' in result ? (hasReadAgain ? orFailed(() => conclude(result)) : closing) : result;
    return { rule, operation, outcome: orFailed(() => withEvidence(context, withinScope(operation, outcome, refused))) };
  });
  return { concluded, context };
}

function withEvidence(context: RunContext, outcome: Outcome): Outcome {
  if (outcome.contradictions.length === 0) return outcome;
  return { ...outcome, contradictions: outcome.contradictions.map((each) => ({ ...each, evidence: evidenceOf(context, each) })) };
}

/** An internal error ends its own check only. */
function orFailed(work: () => Outcome): Outcome {
  try {
    return work();
  } catch (error) {
    return error instanceof SpecError ? withoutEvidence('blocked', error.message) : failed(error);
  }
}

async function examine(context: RunContext, { rule, operation, suspects }: Task): Promise<Examination | Outcome> {
  let result: Examination | Outcome | undefined;
  const failure = await guard(async () => {
    const examination = await rule.examine(context, operation);
    result = 'untestable' in examination ? withoutEvidence('not-testable', examination.untestable) : examination;
  });
  // Rules about whatever was asked must see it asked again; that something is not available now is no reason not to judge the rest.
  const again: (Outcome | undefined)[] = [];
  for (const call of suspects.calls) again.push(await guard(async () => void (await context.ask(call))));
  for (const route of suspects.routes) again.push(await guard(async () => void (await context.pagination(route))));
  return (
    again.find((outcome) => outcome?.failure !== undefined) ?? result ?? failure ?? withoutEvidence('not-exercised', 'Nothing was seen')
  );
}

/** An obstacle to a judgement is an outcome of its own, an internal error included. */
async function guard(work: () => Promise<void>): Promise<Outcome | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    // An error in the contract is no internal error.
    if (error instanceof Blocked || error instanceof SpecError) return withoutEvidence('blocked', error.message);
    if (error instanceof BudgetSpent) return withoutEvidence('not-exercised', error.message);
    if (error instanceof Unwritable) {
      const open: readonly Candidate[] = [{ ...requestMutant('unchecked'), missing: error.message }];
      return withoutEvidence('not-exercised', `The data lacks ${error.message}`, open);
    }
    return failed(error);
  }
}

/** The requests of what contradicts a rule, each once; those of a pagination follow each other, since a cursor is worth nothing by itself. */
export function suspectsOf({ contradictions }: Outcome, settings: RunContextSettings): Suspects {
  const routes = contradictions.flatMap(({ route }) => route ?? []);
  const calls = contradictions.flatMap(({ replies, route }) => (route === undefined ? replies.map((reply) => reply.call) : []));
  const texts = calls.map((call) => JSON.stringify(toRequest(call, settings.session.keys)));
  return { calls: calls.filter((_, index) => texts.indexOf(texts[index] ?? '') === index), routes };
}

/**
 * A run of `verify` from its options to its result: preflight, rounds, open questions, conclusion. It only puts these in order; the rules send requests and
 * judge, and `watch/` follows changes.
 */

import { withoutUndefined } from '../../core/drop-undefined.ts';
import { type Contract, listSetAside, loadContract, loadUncheckedContract } from '../../core/openapi/contract.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import type { RunEvent, RunResult } from '../../core/results/run-result.ts';
import { contractFile, listShipped } from '../../core/shipped-files.ts';
import { today } from '../system-clock.ts';
import { type Check, chooseChecks, listUnselected } from './choose-checks.ts';
import { failedOutcome } from './conclude-check.ts';
import { concludeRun, describeCut, type Terms } from './conclude-run.ts';
import { printTimed } from './counterexample.ts';
import { keyringOf } from './evidence/callers.ts';
import { noteWrongExamples } from './evidence/judge-reply-by-contract.ts';
import { RoundContext } from './evidence/round-context.ts';
import { findCoverage } from './find-coverage.ts';
import { noteChanges } from './note-changes.ts';
import { noteGuesses } from './note-contradicted-guesses.ts';
import { observeOpenQuestions } from './observations/observe-open-questions.ts';
import { openSessionAndRedaction } from './open-run.ts';
import { playRun, type RunSettings } from './play-run.ts';
import { findObstacle } from './preflight.ts';
import { checkRequirement, readRequirement } from './required-checks.ts';
import { noteUndeclaredMembers } from './rules/response-rules.ts';
import type { VerifyOptions } from './run-options.ts';
import { findUnsent } from './sendable-operations.ts';

/** A run under way: its events as they arrive, and its result. */
export interface Verification extends AsyncIterable<RunEvent> {
  /** The result at the end of the run; rejects with the error if nothing could be checked. */
  readonly result: Promise<RunResult>;
}

/** Default maximum number of requests. */
export const budgets = { full: 600, quick: 200 } as const;

/** Maximum number of requests of a run that ends by its time. */
const endlessBudget = 1_000_000;

/** Each readable operation is asked, so a large contract gets more requests. */
function defaultBudget({ operations }: Contract, quick: boolean): number {
  const readable = operations.filter(({ method }) => method === 'GET').length;
  return Math.max(quick ? budgets.quick : budgets.full, (quick ? 2 : 8) * readable);
}

/** Share of the budget that is reserved for further rounds. */
const reservedShare = 0.35;

/**
 * Verifies a target. The run begins at once; its events may be read or not.
 * @throws {UsageError} through `result`, for an option that cannot be used.
 * @throws {SpecError} from the promise `result`, if the contract file has a mistake.
 * @example
 * ```ts
 * import { verify } from 'touchstone/verify';
 *
 * const { verdict, checks } = await verify({ contract: 'wiki', target: 'http://127.0.0.1:4010' }).result;
 * for (const { rule, operation, message } of checks) console.log(rule, operation, message);
 * ```
 */
export function verify(options: VerifyOptions): Verification {
  const events = new EventQueue();
  const result = runVerification(options, (event) => events.push(event)).finally(() => events.end());
  // A caller that only reads events must not crash the process; `await result` still throws the error.
  result.catch(() => undefined);
  return { result, [Symbol.asyncIterator]: () => events.read() };
}

async function runVerification(options: VerifyOptions, emit: (event: RunEvent) => void): Promise<RunResult> {
  const contract = typeof options.contract === 'string' ? await openContract(options.contract) : options.contract;
  const { hidden = [], quick = false, seed = 1, again, strictMembers = false } = options;
  const unsent = findUnsent(contract, { send: options.send, keys: keyringOf(contract, options.keys ?? {}) });
  const isSent = (operation: Operation): boolean => operation.method !== 'GET' || !unsent.has(operation);
  const sent: Contract = { ...contract, operations: contract.operations.filter(isSent) };
  const checks = chooseChecks(sent, options);
  const terms = termsOf(checks, options);
  const budget = options.budget ?? (options.exploreMs === undefined ? defaultBudget(contract, quick) : endlessBudget);
  const usualBudget = Math.min(budget, defaultBudget(contract, quick));
  const connection = openSessionAndRedaction(contract, options, budget, emit);
  const settings: RunSettings = {
    contract: sent,
    params: options.params,
    session: connection.session,
    hidden,
    quick,
    seed,
    again,
    failFast: options.failFast === true,
    exploreMs: options.exploreMs,
    printing: connection.printing,
    emit,
  };
  const summarize = connection.begin(checks.length);
  try {
    const { failure, changes, ...parts } = await judgeChecks(settings, usualBudget, checks, listUnselected(sent, options));
    const { replies } = settings.session;
    const { notes: cutNotes, ...earlyEnd } = describeCut(settings, connection.isInterrupted(), { ...parts, failure });
    const notes = [
      ...cutNotes,
      ...noteWrongExamples(contract, replies),
      ...(strictMembers ? [] : noteUndeclaredMembers(replies)),
      ...noteGuesses(sent, replies),
      ...(changes ?? []),
    ].map((note) => settings.printing.clean(note));
    const isWhole = again === undefined && parts.unavailable === undefined;
    const coverage = isWhole ? findCoverage(contract, unsent, settings.session, parts.checks) : undefined;
    const isPart = (options.only ?? []).length > 0 || (options.skip ?? []).length > 0 || options.failFast === true;
    const result: RunResult = {
      ...summarize(seed),
      ...parts,
      ...withoutUndefined({ coverage }),
      ...(options.exchanges === true ? { exchanges: replies.map((reply) => printTimed(settings.printing, reply, replies[0])) } : {}),
      ...earlyEnd,
      ...concludeRun(
        {
          ...parts,
          ...earlyEnd,
          notes,
          setAside: listSetAside(contract),
          hasInternalError: failure !== undefined,
          ...(isPart ? {} : withoutUndefined({ coverage })),
        },
        terms,
      ),
    };
    emit({ kind: 'finished', result });
    return result;
  } finally {
    await connection.close();
  }
}

/** Opens a contract by its name or file. Contracts of the package are not checked, because its tests do. */
export function openContract(name: string): Promise<Contract> {
  const file = contractFile(name);
  return listShipped().includes(name) ? loadUncheckedContract(file) : loadContract(file);
}

/** The judged checks and observations of a run, or the reason why nothing was judged. */
type JudgedParts = Pick<RunResult, 'checks' | 'observations'> & {
  readonly unavailable?: string;
  /** Present if an internal error ended the observation of open questions. */
  readonly failure?: string;
  /** Notes on content that changed during the run. */
  readonly changes?: readonly string[];
};

async function judgeChecks(
  settings: RunSettings,
  usualBudget: number,
  selected: readonly Check[],
  unselected: readonly Check[] | undefined,
): Promise<JudgedParts> {
  const context = new RoundContext(settings);
  const unavailable = await findObstacle(context);
  if (unavailable !== undefined) return { unavailable: settings.printing.clean(unavailable), checks: [], observations: [] };
  // A run with time to explore has no end of requests, but its rules have their usual share of them.
  const { requestsLeft } = settings.session;
  settings.session.reserve(requestsLeft - Math.floor(Math.min(requestsLeft, usualBudget) * (1 - reservedShare)));
  const results = await playRun(settings, context, selected, unselected);
  try {
    const observations = await observeOpenQuestions(context);
    const changes = await noteChanges(context);
    return {
      changes,
      checks: results,
      observations: observations.map((each) => ({ ...each, evidence: settings.printing.clean(each.evidence) })),
    };
  } catch (error) {
    const { failure, message } = failedOutcome(error, 'the observation of open questions');
    settings.emit({ kind: 'failed', error: failure });
    return { checks: results, observations: [], failure: message };
  }
}

/**
 * Reads the terms that decide the exit code together with the verdicts.
 * @throws {UsageError} for a required rule that no check judges.
 */
function termsOf(checks: readonly Check[], options: VerifyOptions): Terms {
  const require = options.require === undefined ? undefined : readRequirement(options.require);
  checkRequirement(
    require,
    checks.map(({ rule }) => rule.id),
  );
  const { waivers, baseline, allowFlaky } = options;
  return { require, waivers, baseline: baseline?.checks, allowFlaky, today: options.today ?? today() };
}

/** A queue of events, read by one consumer. */
class EventQueue {
  private readonly waiting: RunEvent[] = [];
  private wake: (() => void) | undefined;
  private isEnded = false;

  push(event: RunEvent): void {
    this.waiting.push(event);
    this.wake?.();
  }

  end(): void {
    this.isEnded = true;
    this.wake?.();
  }

  async *read(): AsyncGenerator<RunEvent> {
    for (;;) {
      const event = this.waiting.shift();
      if (event !== undefined) yield event;
      else if (this.isEnded) return;
      else
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
    }
  }
}

/**
 * Runs the rounds of a pact verification: finds states, prepares requests, lets Pact make them, and sends them to the target. `verify-pacts.ts` calls it once
 * for each run. The second round repeats the failed interactions. It sends only safe methods to the target, and leaves verdicts to `judge-interaction.ts`.
 */

import { type HttpRequest, type HttpResponse, headerOf } from '../../../core/http/exchange.ts';
import { isObject, type Json, type JsonObject, readJson } from '../../../core/json.ts';
import { memoize } from '../../../core/memo.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { StateInterpretation } from '../../../core/pact/interpret-state.ts';
import type { ProviderState } from '../../../core/pact/pact.ts';
import { scalarFields } from '../../../core/pact/state-generators.ts';
import type { RunEvent } from '../../../core/results/run-result-and-events.ts';
import { Blocked } from '../../verify/evidence/blocked-operations.ts';
import { BudgetSpent, type Session } from '../../verify/evidence/request-session.ts';
import { RoundContext } from '../../verify/evidence/round-context.ts';
import { findObstacle } from '../../verify/preflight.ts';
import { compareWithRelatedReplies } from './compare-related-responses.ts';
import { callFromPact } from './convert-pact-request-to-call.ts';
import { findStates, type StateLookup } from './find-data-of-all-states.ts';
import { type AnsweredInteraction, type InteractionOutcome, judgeInteraction, type NotExercised } from './judge-interaction.ts';
import type { PactProcess } from './pact-verifier-process.ts';
import { type InteractionTask, prepareRequest, type ReadyInteraction } from './prepare-request.ts';
import { combineStates, foundWithoutValues, type StateResult, stateMissing } from './state-result.ts';
import { interactionHeader, interactionTitle, writePreparedPact } from './write-prepared-pact.ts';

/** Results of all rounds. */
interface RoundResults {
  readonly outcomes: ReadonlyMap<number, InteractionOutcome>;
  /** Reasons why the target could not be verified against a contract. */
  readonly unavailable: ReadonlyMap<Contract, string>;
  /** Numbers of the interactions that failed at first and passed on retry. */
  readonly passedOnRetry: ReadonlySet<number>;
}

/** Settings of every round. */
interface RoundSettings {
  readonly session: Session;
  readonly stateChangeUrl: string | undefined;
  readonly states: StateInterpretation;
  readonly pact: PactProcess;
}

/** Runs one round over every interaction and a second over the failed ones: data may change between finding a record and requesting it. */
export async function verifyInRounds(
  tasks: readonly InteractionTask[],
  settings: RoundSettings,
  emit: (event: RunEvent) => void,
): Promise<RoundResults> {
  const contextOf = createContexts(settings.session);
  const unavailable = new Map<Contract, string>();
  for (const contract of new Set(tasks.map((task) => task.contract))) {
    const obstacle = await findObstacle(contextOf(contract));
    if (obstacle !== undefined) unavailable.set(contract, obstacle);
  }
  const available = tasks.filter(({ contract }) => !unavailable.has(contract));
  const { outcomes } = await new PactRound('interactions', settings, contextOf, emit).run(available);
  const failed = available.filter((task) => isFailed(task, outcomes.get(task.number)));
  const passedOnRetry = new Set<number>();
  if (failed.length === 0) return { outcomes, unavailable, passedOnRetry };
  const second = await new PactRound('retry', settings, createContexts(settings.session), emit).run(failed);
  for (const task of failed) {
    const outcome = second.outcomes.get(task.number);
    // Without a response on retry, the first response counts.
    if (outcome?.kind !== 'answered') continue;
    outcomes.set(task.number, outcome);
    if (!isFailed(task, outcome)) passedOnRetry.add(task.number);
  }
  return { outcomes, unavailable, passedOnRetry };
}

/** Creates one context for each contract. Each round has contexts of its own, so that it reads the target anew. */
function createContexts(session: Session): (contract: Contract) => RoundContext {
  return memoize((contract) => new RoundContext({ contract, session, hidden: [], quick: true, seed: 1 }));
}

function isFailed(task: InteractionTask, outcome: InteractionOutcome | undefined): boolean {
  return outcome?.kind === 'answered' && judgeInteraction(task, outcome, false, undefined).verdict === 'failed';
}

/** One pass over some interactions. Pact sends its requests to `answer`, which passes them on to the target. */
class PactRound {
  readonly outcomes = new Map<number, InteractionOutcome>();
  private readonly title: string;
  private readonly settings: RoundSettings;
  private readonly contextOf: (contract: Contract) => RoundContext;
  private readonly emit: (event: RunEvent) => void;
  private readonly recorded = new Map<number, Pick<AnsweredInteraction, 'kind' | 'reply' | 'confirmed'> | NotExercised>();
  private readonly readyByNumber = new Map<number, ReadyInteraction>();
  private count = 0;
  private done = 0;

  constructor(title: string, settings: RoundSettings, contextOf: (contract: Contract) => RoundContext, emit: (event: RunEvent) => void) {
    this.title = title;
    this.settings = settings;
    this.contextOf = contextOf;
    this.emit = emit;
  }

  async run(tasks: readonly InteractionTask[]): Promise<this> {
    this.count = tasks.length;
    this.progress(0);
    const ready: ReadyInteraction[] = [];
    const toSetUp: { readonly task: InteractionTask; readonly statesToSetUp: StateLookup['statesToSetUp'] }[] = [];
    for (const task of tasks) {
      const lookup = await this.findStatesOf(task);
      if (lookup === undefined) continue;
      if (lookup.statesToSetUp.length > 0) toSetUp.push({ task, statesToSetUp: lookup.statesToSetUp });
      else ready.push(...this.prepare(task, lookup.result));
    }
    for (const pact of new Set(ready.map(({ task }) => task.pact))) await this.verify(ready.filter(({ task }) => task.pact === pact));
    // A state that was set up may affect other interactions, so each interaction with such a state is verified alone.
    for (const { task, statesToSetUp } of toSetUp) await this.verifyWithSetUp(task, statesToSetUp);
    return this;
  }

  private progress(more: number): void {
    this.done += more;
    this.emit({ kind: 'phase', title: this.title, done: this.done, of: this.count });
  }

  private async findStatesOf(task: InteractionTask): Promise<StateLookup | undefined> {
    const { method } = task.interaction.request;
    const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(method);
    if (!isRead) this.skip(task, `${method} may change data, and only safe methods are sent`);
    return isRead
      ? await this.catchObstacle(task, () => findStates(this.contextOf(task.contract), task.interaction, this.settings.states))
      : undefined;
  }

  private prepare(task: InteractionTask, result: StateResult): readonly ReadyInteraction[] {
    const prepared = result.kind === 'missing' ? result : prepareRequest(task, result);
    if (prepared.kind === 'prepared') return [{ task, prepared }];
    this.skip(task, prepared.reason);
    return [];
  }

  private async verifyWithSetUp(task: InteractionTask, statesToSetUp: StateLookup['statesToSetUp']): Promise<void> {
    const url = this.settings.stateChangeUrl ?? '';
    const { consumer } = task.pact;
    const setUp = combineStates(await Promise.all(statesToSetUp.map((state) => changeState(url, consumer, state, 'setup'))));
    if (setUp.kind === 'missing') this.skip(task, setUp.reason);
    else {
      const lookup = await this.catchObstacle(task, () =>
        findStates(this.contextOf(task.contract), task.interaction, this.settings.states, statesToSetUp),
      );
      if (lookup !== undefined) await this.verify(this.prepare(task, combineStates([lookup.result, setUp])));
    }
    for (const state of statesToSetUp) await changeState(url, consumer, state, 'teardown');
  }

  /** Turns a blocked request or a spent budget into the outcome of the interaction. Other errors end the run. */
  private async catchObstacle<T>(task: InteractionTask, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.outcomes.set(task.number, toReason(error));
      this.progress(1);
      return undefined;
    }
  }

  private skip(task: InteractionTask, reason: string): void {
    this.outcomes.set(task.number, { kind: 'not-exercised', reason, isBlocked: false });
    this.progress(1);
  }

  private async verify(ready: readonly ReadyInteraction[]): Promise<void> {
    const [first] = ready;
    if (first === undefined) return;
    for (const each of ready) this.readyByNumber.set(each.task.number, each);
    const verdict = await this.settings.pact.verify(writePreparedPact(first.task.pact, ready), (request) => this.answer(request));
    for (const each of ready) this.outcomes.set(each.task.number, this.outcomeOf(each, verdict));
  }

  /** Sends a request of Pact to the target, and cross-checks the response. */
  private async answer(request: HttpRequest): Promise<HttpResponse> {
    const number = Number(headerOf(request.headers, interactionHeader));
    const ready = this.readyByNumber.get(number);
    if (ready === undefined) throw new Error(`Pact sent a request that belongs to no interaction: ${request.method} ${request.target}`);
    const { task, prepared } = ready;
    const { session } = this.settings;
    try {
      // `expected` makes the session return an expected 429 or 503 at once, without retries.
      const expected = task.interaction.response.status;
      const reply = await session.ask({ ...callFromPact(task.contract, request, prepared.sender), expected });
      const confirmed =
        reply.response.status === expected ? await compareWithRelatedReplies(ready, reply, (call) => session.ask(call)) : [];
      this.recorded.set(number, { kind: 'answered', reply, confirmed });
      return reply.response;
    } catch (error) {
      this.recorded.set(number, toReason(error));
      // No status for Pact to accept: the interaction is reported as not exercised, whatever Pact says.
      return { status: 599, headers: {}, body: '' };
    } finally {
      this.progress(1);
    }
  }

  private outcomeOf({ task, prepared }: ReadyInteraction, verdict: JsonObject): InteractionOutcome {
    const recorded = this.recorded.get(task.number);
    if (recorded === undefined) return { kind: 'not-exercised', reason: 'Pact did not send its request', isBlocked: true };
    if (recorded.kind === 'not-exercised') return recorded;
    return { ...recorded, prepared, mismatches: mismatchesOf(verdict, interactionTitle(task.number)) };
  }
}

function toReason(error: unknown): NotExercised {
  const isBlocked = error instanceof Blocked;
  if (isBlocked || error instanceof BudgetSpent) return { kind: 'not-exercised', reason: error.message, isBlocked };
  throw error;
}

/** Returns Pact's mismatches for an interaction. A missing verdict counts as a mismatch. */
function mismatchesOf(verdict: JsonObject, title: string): readonly JsonObject[] {
  const results = listIn(verdict['interactionResults']).filter(({ description }) => description === title);
  const errors = ['errors', 'pendingErrors'].flatMap((name) => listIn(verdict[name]));
  const errorsOfThis = errors.filter(({ interaction }) => typeof interaction === 'string' && interaction.endsWith(` - ${title}`));
  const otherMismatch = (mismatch: string): JsonObject => ({ type: 'Other', mismatch });
  const found = errorsOfThis.flatMap(({ mismatch }): readonly JsonObject[] => {
    if (!isObject(mismatch)) return [otherMismatch('Pact gives no reason')];
    const list = listIn(mismatch['mismatches']);
    return list.length > 0 ? list : [otherMismatch(String(mismatch['message'] ?? JSON.stringify(mismatch)))];
  });
  if (results.length === 0) return [otherMismatch('Pact gave no verdict'), ...found];
  const hasPassed = results.every(({ result }) => result === 'OK');
  return hasPassed || found.length > 0 ? found : [otherMismatch('Pact reports a failure without a reason')];
}

function listIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isObject) : [];
}

/** Timeout of one state change. */
const stateChangeTimeoutMs = 30_000;

/** Sends a state change request in Pact's protocol, to set up a state or to tear it down. The response may contain values for generators. */
async function changeState(url: string, consumer: string, state: ProviderState, action: 'setup' | 'teardown'): Promise<StateResult> {
  const refuse = (why: string): StateResult => stateMissing(`the state change URL ${why}`);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ consumer, action, state: state.name, states: [state.name], params: state.params }),
      signal: AbortSignal.timeout(stateChangeTimeoutMs),
      redirect: 'error',
    });
    // A provider without values often answers with plain text.
    const value = readJson(await response.text());
    if (!response.ok) return refuse(`answered ${response.status}`);
    return isObject(value) ? { kind: 'found', values: scalarFields(value) } : foundWithoutValues;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return refuse(`did not answer: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

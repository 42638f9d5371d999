/**
 * Runs the rounds of a pact verification: finds states, sends the requests, lets Pact compare the responses, and has them judged. Only safe methods are sent
 * to the target.
 */

import { isObject, type Json, type JsonObject, printJson, readJson } from '../../../core/json.ts';
import { memoize } from '../../../core/memo.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { StateInterpretation } from '../../../core/pact/interpret-state.ts';
import type { ProviderState } from '../../../core/pact/pact.ts';
import { scalarFields } from '../../../core/pact/state-generators.ts';
import type { InteractionResult } from '../../../core/results/pact-verify-result.ts';
import type { RunEvent } from '../../../core/results/run-result.ts';
import type { Printing } from '../../verify/counterexample.ts';
import { Blocked } from '../../verify/evidence/blocked-operations.ts';
import { BudgetSpent, type Session } from '../../verify/evidence/request-session.ts';
import { RoundContext } from '../../verify/evidence/round-context.ts';
import { findObstacle } from '../../verify/preflight.ts';
import { seemsToChange } from '../../verify/sendable-operations.ts';
import { interactionTitle, writePreparedPact } from './build-prepared-pact.ts';
import { compareWithStates } from './check-response-fits-request.ts';
import { findStates, type StateLookup } from './find-states.ts';
import { type AnsweredInteraction, judgeInteraction, notExercised } from './judge-interaction.ts';
import { operationFor } from './operation-for-request.ts';
import type { PactProcess } from './pact-verifier-process.ts';
import { type InteractionTask, prepareRequest } from './prepare-request.ts';
import { combineStates, evidenceIn, foundWithoutValues, type StateFound, type StateResult, stateMissing } from './state-result.ts';

/** Results of all rounds. */
interface RoundResults {
  /** In the order of the tasks. */
  readonly interactions: readonly InteractionResult[];
  /** Reasons why the target could not be verified against a contract. */
  readonly unavailable: ReadonlyMap<Contract, string>;
  /** True if the target did not respond to a request. */
  readonly isBlocked: boolean;
}

/** Settings of every round. */
interface RoundSettings {
  readonly session: Session;
  readonly stateChangeUrl: string | undefined;
  readonly states: StateInterpretation;
  readonly pact: PactProcess;
  readonly printingOf: (contract: Contract) => Printing;
  readonly emit: (event: RunEvent) => void;
}

/** Runs one round over every interaction and a second over the failed ones: data may change between finding a record and requesting it. */
export async function verifyInRounds(tasks: readonly InteractionTask[], settings: RoundSettings): Promise<RoundResults> {
  const contextOf = createContexts(settings.session);
  const unavailable = new Map<Contract, string>();
  for (const contract of new Set(tasks.map((task) => task.contract))) {
    const obstacle = await findObstacle(contextOf(contract));
    if (obstacle !== undefined) unavailable.set(contract, obstacle);
  }
  const available = tasks.filter(({ contract }) => !unavailable.has(contract));
  const { results, isBlocked } = await new PactRound('interactions', settings, contextOf).run(available);
  const failed = available.filter(({ number }) => results.get(number)?.verdict === 'failed');
  const retried = failed.length === 0 ? undefined : await new PactRound('retry', settings, createContexts(settings.session)).run(failed);
  for (const [number, result] of retried?.results ?? []) {
    const note = 'it failed at first and passed on retry: the data had changed';
    if (result.verdict === 'passed') results.set(number, { ...result, notes: [note, ...result.notes] });
    // Without a response on retry, the first response counts.
    else if (result.verdict === 'failed') results.set(number, result);
  }
  const reason = 'the target could not be verified against the contract';
  const interactions = tasks.map((task) => results.get(task.number) ?? notExercised(task, reason, settings.printingOf(task.contract)));
  return { interactions, unavailable, isBlocked };
}

/** Creates one context for each contract. Each round has its own contexts, so that it reads the target again. */
function createContexts(session: Session): (contract: Contract) => RoundContext {
  return memoize(
    (contract) =>
      new RoundContext({
        contract: { ...contract, operations: contract.operations.filter((each) => !seemsToChange(each)) },
        session,
        hidden: [],
        quick: true,
        seed: 1,
      }),
  );
}

/** One pass over some interactions. */
class PactRound {
  /** By the number of the interaction. */
  readonly results = new Map<number, InteractionResult>();
  isBlocked = false;
  private readonly title: string;
  private readonly settings: RoundSettings;
  private readonly contextOf: (contract: Contract) => RoundContext;
  private count = 0;
  private done = 0;

  constructor(title: string, settings: RoundSettings, contextOf: (contract: Contract) => RoundContext) {
    this.title = title;
    this.settings = settings;
    this.contextOf = contextOf;
  }

  async run(tasks: readonly InteractionTask[]): Promise<this> {
    this.count = tasks.length;
    this.progress(0);
    const answered: AnsweredInteraction[] = [];
    const toSetUp: { readonly task: InteractionTask; readonly statesToSetUp: StateLookup['statesToSetUp'] }[] = [];
    for (const task of tasks) {
      const lookup = await this.findStatesOf(task);
      if (lookup === undefined) continue;
      if (lookup.statesToSetUp.length > 0) toSetUp.push({ task, statesToSetUp: lookup.statesToSetUp });
      else answered.push(...(await this.request(task, lookup.result)));
    }
    for (const pact of new Set(answered.map(({ task }) => task.pact)))
      await this.compare(answered.filter(({ task }) => task.pact === pact));
    // A state that was set up may affect other interactions, so each interaction with such a state is verified alone.
    for (const { task, statesToSetUp } of toSetUp) await this.verifyWithSetUp(task, statesToSetUp);
    return this;
  }

  private progress(more: number): void {
    this.done += more;
    this.settings.emit({ kind: 'phase', title: this.title, done: this.done, of: this.count });
  }

  private async findStatesOf(task: InteractionTask, statesSetUp?: readonly ProviderState[]): Promise<StateLookup | undefined> {
    const { method } = task.interaction.request;
    const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(method);
    const { operation } = operationFor(task.contract, method, task.interaction.request.path);
    const changes = isRead && seemsToChange(operation);
    if (!isRead) this.skip(task, `${method} may change data, and only safe methods are used`);
    if (changes) this.skip(task, `${operation.id} seems to change something, and only reads are sent`);
    return isRead && !changes
      ? await this.catchObstacle(task, () => findStates(this.contextOf(task.contract), task.interaction, this.settings.states, statesSetUp))
      : undefined;
  }

  /** Sends the request to the target and cross-checks the response; nothing if a state or the response is missing. */
  private async request(task: InteractionTask, states: StateResult): Promise<readonly AnsweredInteraction[]> {
    const { session } = this.settings;
    const prepared = states.kind === 'missing' ? states : prepareRequest(task, states);
    if (prepared.kind === 'missing') {
      this.skip(task, prepared.reason);
      return [];
    }
    const answered = await this.catchObstacle(task, async () => {
      // `expected` makes the session return an expected 429 or 503 at once, without retries.
      const expected = task.interaction.response.status;
      const reply = await session.ask({ ...prepared.call, expected });
      const isExpected = reply.response.status === expected;
      const suspected = isExpected ? compareWithStates(task.contract, task.pact, prepared.states, reply) : [];
      const confirmed = suspected.length > 0 && (await this.isUnchanged(task, prepared.states)) ? suspected : [];
      return { task, prepared, reply, confirmed };
    });
    if (answered === undefined) return [];
    this.progress(1);
    return [answered];
  }

  /** Finds the states of an interaction again; true if the target still shows the same. Without a response, it is not known to. */
  private async isUnchanged({ contract, interaction }: InteractionTask, found: StateFound): Promise<boolean> {
    const { session, states } = this.settings;
    try {
      const { result } = await findStates(createContexts(session)(contract), interaction, states);
      return result.kind === 'found' && evidenceIn(result) === evidenceIn(found);
    } catch (error) {
      if (error instanceof Blocked || error instanceof BudgetSpent) return false;
      throw error;
    }
  }

  /** Lets Pact compare the responses of one pact, and judges them. */
  private async compare(answered: readonly AnsweredInteraction[]): Promise<void> {
    const [first] = answered;
    if (first === undefined) return;
    const { pact, printingOf } = this.settings;
    const responses = new Map(answered.map(({ task, reply }) => [task.number, reply.response]));
    const verdict = await pact.compare(writePreparedPact(first.task.pact, answered), responses);
    for (const each of answered) {
      const { number, contract } = each.task;
      this.results.set(number, judgeInteraction(each, mismatchesOf(verdict, interactionTitle(number)), printingOf(contract)));
    }
  }

  private async verifyWithSetUp(task: InteractionTask, statesToSetUp: StateLookup['statesToSetUp']): Promise<void> {
    const url = this.settings.stateChangeUrl ?? '';
    const { consumer } = task.pact;
    const setUp = combineStates(await Promise.all(statesToSetUp.map((state) => changeState(url, consumer, state, 'setup'))));
    if (setUp.kind === 'missing') this.skip(task, setUp.reason);
    else {
      const lookup = await this.findStatesOf(task, statesToSetUp);
      if (lookup !== undefined) await this.compare(await this.request(task, combineStates([lookup.result, setUp])));
    }
    for (const state of statesToSetUp) await changeState(url, consumer, state, 'teardown');
  }

  /** Turns a blocked request or a spent budget into the result of the interaction. Other errors end the run. */
  private async catchObstacle<T>(task: InteractionTask, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Blocked) this.isBlocked = true;
      else if (!(error instanceof BudgetSpent)) throw error;
      this.skip(task, error.message);
      return undefined;
    }
  }

  private skip(task: InteractionTask, reason: string): void {
    this.results.set(task.number, notExercised(task, reason, this.settings.printingOf(task.contract)));
    this.progress(1);
  }
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
    return list.length > 0 ? list : [otherMismatch(String(mismatch['message'] ?? printJson(mismatch)))];
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
      body: printJson({ consumer, action, state: state.name, states: [state.name], params: state.params }),
      signal: AbortSignal.timeout(stateChangeTimeoutMs),
      redirect: 'error',
    });
    // A provider without values often answers with plain text.
    const value = readJson(await response.text());
    if (!response.ok) return refuse(`returned ${response.status}`);
    return isObject(value) ? { kind: 'found', values: scalarFields(value) } : foundWithoutValues;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return refuse(`did not respond: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

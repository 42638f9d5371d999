/** The rounds of a verification: facts are looked for, requests made ready, and Pact judges what comes back. */

import type { Contract } from '../../../core/contract.ts';
import { type HttpRequest, type HttpResponse, headerOf } from '../../../core/exchange.ts';
import { isObject, type Json, type JsonObject, readJson } from '../../../core/json.ts';
import type { ProviderState } from '../../../core/pact/pact.ts';
import { scalarFields } from '../../../core/pact/state-generators.ts';
import type { RunEvent } from '../../../core/verdict.ts';
import { Lab } from '../../lab.ts';
import { Blocked } from '../../losses.ts';
import { findObstacle } from '../../preflight.ts';
import { BudgetSpent, type Session } from '../../session.ts';
import { type StateLookup, findStates } from './find-states.ts';
import type { PactProcess } from './pact-process.ts';
import {
  callFromPact,
  type StateResult,
  type InteractionTask,
  stateMissing,
  interactionHeader,
  foundWithoutValues,
  prepareRequest,
  type ReadyInteraction,
  interactionTitle,
  combineStates,
  writePact,
} from './prepare-request.ts';
import { type AnsweredInteraction, judgeOutcome, type InteractionOutcome, type NotExercised } from './interaction-result.ts';
import { crossCheck } from './cross-checks.ts';

/** What came of all rounds. */
export interface RoundResults {
  readonly outcomes: ReadonlyMap<number, InteractionOutcome>;
  /** Why a target could not be judged by a contract. */
  readonly unavailable: ReadonlyMap<Contract, string>;
  /** The interactions that failed at first, and not at the second look. */
  readonly healed: ReadonlySet<number>;
}

/** What rounds work with. */
interface RoundSettings {
  readonly session: Session;
  readonly stateChangeUrl: string | undefined;
  readonly pact: PactProcess;
}

/** One round over everything, and one more over what failed: data may move between looking for a fact and asking by it. */
export async function verifyInRounds(items: readonly InteractionTask[], settings: RoundSettings, tell: (event: RunEvent) => void): Promise<RoundResults> {
  const labOf = labs(settings.session);
  const unavailable = new Map<Contract, string>();
  for (const contract of new Set(items.map((item) => item.contract))) {
    const obstacle = await findObstacle(labOf(contract));
    if (obstacle !== undefined) unavailable.set(contract, obstacle);
  }
  const open = items.filter(({ contract }) => !unavailable.has(contract));
  const { outcomes } = await new Round('interactions', settings, labOf, tell).play(open);
  const failed = open.filter((item) => isFailed(item, outcomes.get(item.number)));
  const healed = new Set<number>();
  if (failed.length === 0) return { outcomes, unavailable, healed };
  const second = await new Round('a second look', settings, labs(settings.session), tell).play(failed);
  for (const item of failed) {
    const outcome = second.outcomes.get(item.number);
    // What could not be asked again leaves what was seen before.
    if (outcome?.kind !== 'answered') continue;
    outcomes.set(item.number, outcome);
    if (!isFailed(item, outcome)) healed.add(item.number);
  }
  return { outcomes, unavailable, healed };
}

/** What was read in one round counts in that round alone. */
function labs(session: Session): (contract: Contract) => Lab {
  return memoize((contract) => new Lab({ contract, session, hidden: [], quick: true, seed: 1 }));
}

function isFailed(item: InteractionTask, outcome: InteractionOutcome | undefined): boolean {
  return outcome?.kind === 'answered' && judgeOutcome(item, outcome, false, undefined).verdict === 'failed';
}

/** A function that makes each thing once. */
export function memoize<K, V>(make: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const value = known.get(key) ?? make(key);
    known.set(key, value);
    return value;
  };
}

class Round {
  readonly outcomes = new Map<number, InteractionOutcome>();
  private readonly title: string;
  private readonly settings: RoundSettings;
  private readonly labOf: (contract: Contract) => Lab;
  private readonly tell: (event: RunEvent) => void;
  private readonly recorded = new Map<number, Pick<AnsweredInteraction, 'kind' | 'reply' | 'confirmed'> | NotExercised>();
  private readonly underWay = new Map<number, ReadyInteraction>();
  private count = 0;
  private done = 0;

  constructor(title: string, settings: RoundSettings, labOf: (contract: Contract) => Lab, tell: (event: RunEvent) => void) {
    this.title = title;
    this.settings = settings;
    this.labOf = labOf;
    this.tell = tell;
  }

  async play(items: readonly InteractionTask[]): Promise<this> {
    this.count = items.length;
    this.progress(0);
    const ready: ReadyInteraction[] = [];
    const asked: { readonly item: InteractionTask; readonly changes: StateLookup['changes'] }[] = [];
    for (const item of items) {
      const seen = await this.lookFor(item);
      if (seen === undefined) continue;
      if (seen.changes.length > 0) asked.push({ item, changes: seen.changes });
      else ready.push(...this.prepare(item, seen.finding));
    }
    for (const pact of new Set(ready.map(({ item }) => item.pact))) await this.judge(ready.filter(({ item }) => item.pact === pact));
    // A state that is asked for may be in the way of every other interaction, so it holds for its own alone.
    for (const { item, changes } of asked) await this.judgeChanged(item, changes);
    return this;
  }

  private progress(more: number): void {
    this.done += more;
    this.tell({ kind: 'phase', title: this.title, done: this.done, of: this.count });
  }

  private async lookFor(item: InteractionTask): Promise<StateLookup | undefined> {
    const { method } = item.interaction.request;
    const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(method);
    if (!isRead) this.leaveOut(item, `${method} may change something, and only requests that read are sent`);
    const canChange = this.settings.stateChangeUrl !== undefined;
    return isRead ? await this.guard(item, () => findStates(this.labOf(item.contract), item.interaction, canChange)) : undefined;
  }

  private prepare(item: InteractionTask, finding: StateResult): readonly ReadyInteraction[] {
    const prepared = finding.kind === 'missing' ? finding : prepareRequest(item, finding);
    if (prepared.kind === 'prepared') return [{ item, prepared }];
    this.leaveOut(item, prepared.reason);
    return [];
  }

  private async judgeChanged(item: InteractionTask, changes: StateLookup['changes']): Promise<void> {
    const url = this.settings.stateChangeUrl ?? '';
    const { consumer } = item.pact;
    const given = combineStates(await Promise.all(changes.map((state) => changeState(url, consumer, state, 'setup'))));
    if (given.kind === 'missing') this.leaveOut(item, given.reason);
    else {
      const seen = await this.guard(item, () => findStates(this.labOf(item.contract), item.interaction, false, changes));
      if (seen !== undefined) await this.judge(this.prepare(item, combineStates([seen.finding, given])));
    }
    for (const state of changes) await changeState(url, consumer, state, 'teardown');
  }

  /** What stops a single look stops no other: the session knows by itself when nothing can be asked any more. */
  private async guard<T>(item: InteractionTask, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.outcomes.set(item.number, toReason(error));
      this.progress(1);
      return undefined;
    }
  }

  private leaveOut(item: InteractionTask, reason: string): void {
    this.outcomes.set(item.number, { kind: 'not-exercised', reason, isBlocked: false });
    this.progress(1);
  }

  private async judge(ready: readonly ReadyInteraction[]): Promise<void> {
    const [first] = ready;
    if (first === undefined) return;
    for (const each of ready) this.underWay.set(each.item.number, each);
    const verdict = await this.settings.pact.verify(writePact(first.item.pact, ready), (request) => this.answer(request));
    for (const each of ready) this.outcomes.set(each.item.number, this.outcomeOf(each, verdict));
  }

  /** Pact's request, sent to the target as one of ours. */
  private async answer(request: HttpRequest): Promise<HttpResponse> {
    const number = Number(headerOf(request.headers, interactionHeader));
    const under = this.underWay.get(number);
    if (under === undefined) throw new Error(`Pact sent a request that belongs to no interaction: ${request.method} ${request.target}`);
    const { item, prepared } = under;
    const { session } = this.settings;
    try {
      // A consumer that expects to be turned away has to see it at once.
      const expected = item.interaction.response.status;
      const reply = await session.ask({ ...callFromPact(item.contract, request, prepared.sender), expected });
      const confirmed = reply.response.status === expected ? await crossCheck(under, reply, (call) => session.ask(call)) : [];
      this.recorded.set(number, { kind: 'answered', reply, confirmed });
      return reply.response;
    } catch (error) {
      this.recorded.set(number, toReason(error));
      return { status: 599, headers: {}, body: '' };
    } finally {
      this.progress(1);
    }
  }

  private outcomeOf({ item, prepared }: ReadyInteraction, verdict: JsonObject): InteractionOutcome {
    const recorded = this.recorded.get(item.number);
    if (recorded === undefined) return { kind: 'not-exercised', reason: 'Pact did not send its request', isBlocked: true };
    if (recorded.kind === 'not-exercised') return recorded;
    return { ...recorded, prepared, mismatches: mismatchesOf(verdict, interactionTitle(item.number)) };
  }
}

function toReason(error: unknown): NotExercised {
  const isBlocked = error instanceof Blocked;
  if (isBlocked || error instanceof BudgetSpent) return { kind: 'not-exercised', reason: error.message, isBlocked };
  throw error;
}

/** What Pact holds against an interaction; a verdict that does not speak of it is none. */
function mismatchesOf(verdict: JsonObject, title: string): readonly JsonObject[] {
  const results = listIn(verdict['interactionResults']).filter(({ description }) => description === title);
  const errors = ['errors', 'pendingErrors'].flatMap((name) => listIn(verdict[name]));
  const own = errors.filter(({ interaction }) => typeof interaction === 'string' && interaction.endsWith(` - ${title}`));
  const other = (mismatch: string): JsonObject => ({ type: 'Other', mismatch });
  const found = own.flatMap(({ mismatch }): readonly JsonObject[] => {
    if (!isObject(mismatch)) return [other('Pact tells no reason')];
    const list = listIn(mismatch['mismatches']);
    return list.length > 0 ? list : [other(String(mismatch['message'] ?? JSON.stringify(mismatch)))];
  });
  if (results.length === 0) return [other('Pact gave no verdict on it'), ...found];
  const isFine = results.every(({ result }) => result === 'OK');
  return isFine || found.length > 0 ? found : [other('Pact says that it fails, and not why')];
}

function listIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isObject) : [];
}

/** How long a provider may take to get into a state. */
const stateChangeTimeoutMs = 30_000;

/**
 * Asks for a state to begin or to end, by Pact's own protocol: for what cannot be found out by reading, where whoever runs the provider lets it be
 * asked. What it finds are the values that the provider gives to inject.
 */
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
    // A provider that has nothing to inject often says so in words.
    const value = readJson(await response.text());
    if (!response.ok) return refuse(`answered ${response.status}`);
    return isObject(value) ? { kind: 'found', values: scalarFields(value) } : foundWithoutValues;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return refuse(`did not answer: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

/** One round over interactions: facts are looked for, requests made ready, and Pact judges what comes back. */

import type { Contract } from '../../../core/contract.ts';
import type { HttpRequest, HttpResponse } from '../../../core/exchange.ts';
import { headerOf } from '../../../core/exchange.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { Interaction, Pact } from '../../../core/pact.ts';
import type { PactFailure } from '../../../core/pact-verdict.ts';
import type { Lab } from '../../lab.ts';
import { Blocked } from '../../losses.ts';
import type { Reply } from '../../reply.ts';
import { BudgetSpent, type Session } from '../../session.ts';
import { together } from './found.ts';
import { type Look, look } from './look.ts';
import type { PactProcess } from './pact-process.ts';
import { type Prepared, prepare } from './prepare.ts';
import { callOf, numberHeader } from './request-of.ts';
import { titleOf, type Written, writePact } from './rewrite.ts';
import { confirmSuspicions } from './second-reading.ts';
import { changeState } from './state-change.ts';

/** An interaction of a run. */
export interface Item {
  readonly number: number;
  readonly pact: Pact;
  readonly contract: Contract;
  readonly interaction: Interaction;
}

/** What came of one: nothing was sent, or there is an answer, what Pact says of it, and what other answers say. */
export type Outcome =
  | { readonly kind: 'not-exercised'; readonly reason: string; readonly isBlocked: boolean }
  | {
      readonly kind: 'answered';
      readonly reply: Reply;
      readonly prepared: Prepared;
      readonly mismatches: readonly JsonObject[];
      readonly confirmed: readonly PactFailure[];
    };

/** What a round works with. */
export interface RoundSettings {
  readonly session: Session;
  readonly stateChangeUrl: string | undefined;
  /** The lab of a contract in this round. */
  readonly labOf: (contract: Contract) => Lab;
  readonly pact: PactProcess;
  /** Told of each interaction that is done. */
  readonly done: () => void;
}

/** Plays a round. */
export async function playRound(items: readonly Item[], settings: RoundSettings): Promise<ReadonlyMap<number, Outcome>> {
  const round = new Round(settings);
  await round.play(items);
  return round.outcomes;
}

type Recorded = Pick<Extract<Outcome, { kind: 'answered' }>, 'kind' | 'reply' | 'confirmed'> | Extract<Outcome, { kind: 'not-exercised' }>;

class Round {
  readonly outcomes = new Map<number, Outcome>();
  private readonly settings: RoundSettings;
  private readonly recorded = new Map<number, Recorded>();
  private readonly underWay = new Map<number, { readonly item: Item; readonly prepared: Prepared }>();

  constructor(settings: RoundSettings) {
    this.settings = settings;
  }

  async play(items: readonly Item[]): Promise<void> {
    const ready: { readonly item: Item; readonly prepared: Prepared }[] = [];
    const asked: { readonly item: Item; readonly seen: Look }[] = [];
    for (const item of items) {
      const seen = await this.lookFor(item);
      if (seen === undefined) continue;
      const prepared = seen.changes.length > 0 ? undefined : this.prepare(item, seen);
      if (seen.changes.length > 0) asked.push({ item, seen });
      else if (prepared !== undefined) ready.push({ item, prepared });
    }
    for (const pact of new Set(ready.map(({ item }) => item.pact))) await this.judge(ready.filter(({ item }) => item.pact === pact));
    // A state that is asked for may be in the way of every other interaction, so it holds for its own alone.
    for (const { item, seen } of asked) await this.judgeChanged(item, seen);
  }

  private async lookFor(item: Item): Promise<Look | undefined> {
    const { method } = item.interaction.request;
    if (!['GET', 'HEAD', 'OPTIONS'].includes(method)) {
      this.leaveOut(item, `${method} may change something, and only requests that read are sent`);
      return undefined;
    }
    return await this.guard(item, () =>
      look(this.settings.labOf(item.contract), item.interaction, this.settings.stateChangeUrl !== undefined),
    );
  }

  private prepare(item: Item, { finding }: Pick<Look, 'finding'>): Prepared | undefined {
    const prepared = finding.kind === 'missing' ? finding : prepare(item.contract, item.interaction, finding);
    if (prepared.kind === 'prepared') return prepared;
    this.leaveOut(item, prepared.reason);
    return undefined;
  }

  private async judgeChanged(item: Item, { changes }: Look): Promise<void> {
    const url = this.settings.stateChangeUrl ?? '';
    const { consumer } = item.pact;
    const done = await Promise.all(changes.map((state) => changeState(url, consumer, state, 'setup')));
    const refused = done.find((each) => each.kind === 'refused');
    if (refused?.kind === 'refused') this.leaveOut(item, refused.reason);
    else {
      const given = done.flatMap((each) => (each.kind === 'changed' ? [{ kind: 'found' as const, values: each.values }] : []));
      const seen = await this.guard(item, () => look(this.settings.labOf(item.contract), item.interaction, false, changes));
      const prepared = seen && this.prepare(item, { finding: together([seen.finding, ...given]) });
      if (prepared !== undefined) await this.judge([{ item, prepared }]);
    }
    for (const state of changes) await changeState(url, consumer, state, 'teardown');
  }

  /** What stops a single look stops no other: the session knows by itself when nothing can be asked any more. */
  private async guard<T>(item: Item, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.outcomes.set(item.number, toReason(error));
      this.settings.done();
      return undefined;
    }
  }

  private leaveOut(item: Item, reason: string): void {
    this.outcomes.set(item.number, { kind: 'not-exercised', reason, isBlocked: false });
    this.settings.done();
  }

  private async judge(ready: readonly { readonly item: Item; readonly prepared: Prepared }[]): Promise<void> {
    const [first] = ready;
    if (first === undefined) return;
    for (const each of ready) this.underWay.set(each.item.number, each);
    const written: readonly Written[] = ready.map(({ item, prepared }) => ({
      number: item.number,
      interaction: item.interaction,
      prepared,
    }));
    const verdict = await this.settings.pact.verify(writePact(first.item.pact, written), (request) => this.answer(request));
    for (const { item, prepared } of ready) this.outcomes.set(item.number, this.outcomeOf(item.number, prepared, verdict));
  }

  /** Pact's request, sent to the target as one of ours. */
  private async answer(request: HttpRequest): Promise<HttpResponse> {
    const number = Number(headerOf(request.headers, numberHeader));
    const under = this.underWay.get(number);
    if (under === undefined) throw new Error(`Pact sent a request that belongs to no interaction: ${request.method} ${request.target}`);
    const { item, prepared } = under;
    const { session, done } = this.settings;
    try {
      // A consumer that expects to be turned away has to see it at once.
      const expected = item.interaction.response.status;
      const reply = await session.ask({ ...callOf(item.contract, request, prepared.sender), expected });
      const answer = { contract: item.contract, pact: item.pact, prepared, reply };
      const confirmed = reply.response.status === expected ? await confirmSuspicions(answer, (call) => session.ask(call)) : [];
      this.recorded.set(number, { kind: 'answered', reply, confirmed });
      return reply.response;
    } catch (error) {
      this.recorded.set(number, toReason(error));
      return { status: 599, headers: {}, body: '' };
    } finally {
      done();
    }
  }

  private outcomeOf(number: number, prepared: Prepared, verdict: JsonObject): Outcome {
    const recorded = this.recorded.get(number);
    if (recorded === undefined) return { kind: 'not-exercised', reason: 'Pact did not send its request', isBlocked: true };
    if (recorded.kind === 'not-exercised') return recorded;
    return { ...recorded, prepared, mismatches: mismatchesOf(verdict, titleOf(number)) };
  }
}

function toReason(error: unknown): Extract<Outcome, { kind: 'not-exercised' }> {
  if (error instanceof Blocked) return { kind: 'not-exercised', reason: error.message, isBlocked: true };
  if (error instanceof BudgetSpent) return { kind: 'not-exercised', reason: error.message, isBlocked: false };
  throw error;
}

/** What Pact holds against an interaction; a verdict that does not speak of it is none. */
function mismatchesOf(verdict: JsonObject, title: string): readonly JsonObject[] {
  const results = listIn(verdict['interactionResults']).filter(({ description }) => description === title);
  const errors = ['errors', 'pendingErrors'].flatMap((name) => listIn(verdict[name]));
  const own = errors.filter(({ interaction }) => typeof interaction === 'string' && interaction.endsWith(` - ${title}`));
  const found = own.flatMap(({ mismatch }): readonly JsonObject[] => {
    if (!isObject(mismatch)) return [{ type: 'Other', mismatch: 'Pact tells no reason' }];
    const list = listIn(mismatch['mismatches']);
    return list.length > 0 ? list : [{ type: 'Other', mismatch: String(mismatch['message'] ?? JSON.stringify(mismatch)) }];
  });
  if (results.length === 0) return [{ type: 'Other', mismatch: 'Pact gave no verdict on it' }, ...found];
  const isFine = results.every(({ result }) => result === 'OK');
  return isFine || found.length > 0 ? found : [{ type: 'Other', mismatch: 'Pact says that it fails, and not why' }];
}

function listIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isObject) : [];
}

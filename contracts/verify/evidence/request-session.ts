/** Sends the requests of a run: within its budget, at its rate, again after 429 or 503, or with a smaller page. Keeps every reply, and judges none. */

import { withoutUndefined } from '../../../core/drop-undefined.ts';
import { headerOf } from '../../../core/http/exchange.ts';
import { readRetryAfter } from '../../../core/http/time-headers.ts';
import { printJson, readJson } from '../../../core/json.ts';
import { isList } from '../../../core/openapi/list-operation.ts';
import { documentsStatus } from '../../../core/openapi/operation.ts';
import { withValueAt } from '../../../core/pointer.ts';
import type { RunEvent } from '../../../core/results/run-result.ts';
import type { SystemClock } from '../../system-clock.ts';
import type { Delivery, Target } from '../target/open-target.ts';
import { BlockedOperations, refuseRedirect } from './blocked-operations.ts';
import { type Call, isSuccess, type Reply, recordsIn, sentKeyOf, toRequest } from './call.ts';
import type { Keyring } from './callers.ts';
import { limitOf, withDefaultLimit } from './pagination/pagination.ts';

/** The budget of requests is spent, or the user interrupted the run. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent' as const;
}

/** Settings of a session. */
export interface SessionOptions {
  readonly target: Target;
  readonly keys: Keyring;
  /** Maximum number of requests. */
  readonly budget: number;
  /** Requests in a second; `undefined` for as fast as the target responds. */
  readonly rate: number | undefined;
  readonly clock: SystemClock;
  readonly emit: (event: RunEvent) => void;
  /** Resolves when the user asks to stop. */
  readonly interrupted: Promise<void>;
}

/** Maximum total time that a run waits for a throttling target. */
const patienceMs = 120_000;

/** Maximum number of times that one request is sent if the reply is 429 or 503. */
const maxAttempts = 4;

/** Maximum size of all kept bodies in characters; half as much again for later rounds. Parsed, they take ten times the memory. */
const maxKeptCharacters = 100_000_000;

/** Time that a pending reply gets after an interruption. */
const graceAfterInterruptionMs = 1000;

const fullReason = `the responses add up to more than ${maxKeptCharacters / 1e6} million characters, and no more are kept`;

const interruptedReason = 'the run was interrupted';

/** The only way in which a run reaches its target. */
export class Session {
  readonly keys: Keyring;
  private readonly options: SessionOptions;
  /** Every reply so far, 429 and 503 included. */
  readonly replies: Reply[] = [];
  /** Index of the default carrier of keys; set by the preflight to the first that the target reads. */
  carrier = 0;
  /** True when a request was refused by the budget. */
  isSpent = false;
  /** By operation, the required parameters for which no value was found. */
  readonly lacking: Map<string, readonly string[]> = new Map();
  /** By operation, the number of redirects that were followed within the origin of the target. */
  readonly redirects: Map<string, number> = new Map();
  /** The operations at which the target refuses a larger page size than the default. */
  private readonly largePageRefusals = new Set<string>();
  private sentRequests = 0;
  private limit: number;
  private waitedMs = 0;
  private nextMs = 0;
  private keptCharacters = 0;
  private readonly blocked: BlockedOperations = new BlockedOperations();
  private readonly interruption: Promise<void>;
  private isInterrupted = false;
  /** Rejects each request that was sent and has no reply yet. */
  private readonly pending = new Set<() => void>();

  constructor(options: SessionOptions) {
    this.options = options;
    this.keys = options.keys;
    this.limit = options.budget;
    this.interruption = options.interrupted.then(() => {
      this.isInterrupted = true;
      if (this.pending.size > 0) void this.abandonPending();
    });
  }

  /** The reason why the target counts as lost; `undefined` while it responds. */
  get loss(): string | undefined {
    return this.blocked.targetReason;
  }

  /** The reason why the run stops before the budget is spent; `undefined` while there is memory for replies. */
  get fullness(): string | undefined {
    return this.keptCharacters >= maxKeptCharacters ? fullReason : undefined;
  }

  /** Time of the clock of the run in milliseconds. */
  get nowMs(): number {
    return this.options.clock.nowMs();
  }

  /** Number of sent requests. */
  get requests(): number {
    return this.sentRequests;
  }

  /** Reserves requests of the budget for later rounds; 0 frees them. */
  reserve(requests: number): void {
    this.limit = Math.max(0, this.options.budget - requests);
  }

  /** Number of requests left before the reserve. */
  get requestsLeft(): number {
    return Math.max(0, this.limit - this.sentRequests);
  }

  /**
   * Sends a request. Where the contract states no maximum of the page size, and the target refuses a large page, it sends the default size from then on.
   * @throws {Blocked} if no reply can be judged: the target is unreachable, redirects to another origin, or keeps responding with 429 or 503.
   * @throws {BudgetSpent} if the budget is spent, or the user interrupts.
   */
  async ask(call: Call): Promise<Reply> {
    const smaller = withDefaultLimit(call);
    if (smaller === undefined) return this.askAsIs(call);
    const { id } = call.operation;
    if (this.largePageRefusals.has(id)) return this.askAsIs(smaller.call);
    const reply = await this.askAsIs(call);
    if (!smaller.isFirstPage || ![400, 422].includes(reply.response.status)) return reply;
    const smallerReply = await this.askAsIs(smaller.call);
    // Otherwise the refusal has another reason than the page size.
    if (!isSuccess(smallerReply)) return reply;
    this.largePageRefusals.add(id);
    return smallerReply;
  }

  private async askAsIs(call: Call): Promise<Reply> {
    this.blocked.refuse(call.operation.id);
    for (let attempt = 1; ; attempt += 1) {
      const reply = await this.sendOnce(call);
      const { status } = reply.response;
      refuseRedirect(reply);
      if ((status !== 429 && status !== 503) || status === call.expected) return reply;
      const waitMs = this.waitFor(reply, attempt);
      if (waitMs === undefined) this.giveUp(call, reply);
      else await this.wait(waitMs, status === 429 ? 'the target asks for fewer requests (429)' : 'the target is not ready (503)');
    }
  }

  private giveUp(call: Call, { response }: Reply): never {
    const problem = response.status === 429 ? 'returned 429 for longer than a run can wait' : 'is not available (503)';
    this.blocked.block(call.operation.id, `${call.operation.id} ${problem}`);
  }

  /** Time to wait before the next attempt; `undefined` for no further attempt. */
  private waitFor(reply: Reply, attempt: number): number | undefined {
    if (attempt >= maxAttempts) return undefined;
    const retryAfterMs = readRetryAfter(reply.response);
    const waitMs = retryAfterMs ?? (reply.response.status === 429 ? 1000 * 2 ** (attempt - 1) : 200 * attempt);
    return this.waitedMs + waitMs > patienceMs ? undefined : waitMs;
  }

  private async wait(milliseconds: number, because: string): Promise<void> {
    this.waitedMs += milliseconds;
    if (milliseconds >= 1000) this.options.emit({ kind: 'waiting', seconds: Math.ceil(milliseconds / 1000), because });
    await this.sleep(milliseconds);
  }

  private async sendOnce(call: Call): Promise<Reply> {
    const { target, emit } = this.options;
    const sent = { carrier: this.carrier, ...call };
    const request = toRequest(sent, this.keys);
    for (;;) {
      await this.pace();
      const delivery = await this.untilInterrupted(target.send(request, (status) => documentsStatus(call.operation, status)));
      const response = delivery.kind === 'answer' ? delivery.response : undefined;
      if (delivery.kind === 'answer') this.countRedirects(call, delivery.redirects ?? 0);
      emit({ kind: 'request', number: this.sentRequests, method: request.method, target: request.target, status: response?.status });
      if (response !== undefined)
        return this.record(call, { request, response, ...withoutUndefined({ key: sentKeyOf(sent, this.keys) }) }, delivery);
      if (delivery.kind === 'failure') this.blocked.noteFailure(call.operation.id, delivery, this.replies.length === 0);
    }
  }

  /** A redirect is one more request to the target. */
  private countRedirects({ operation }: Call, redirects: number): void {
    this.sentRequests += redirects;
    if (redirects > 0) this.redirects.set(operation.id, (this.redirects.get(operation.id) ?? 0) + redirects);
  }

  /** Waits for a reply, but after an interruption only for a moment, because a target may delay it for long. */
  private untilInterrupted(sending: Promise<Delivery>): Promise<Delivery> {
    return new Promise((resolve, reject) => {
      const stop = (): void => reject(new BudgetSpent(interruptedReason));
      this.pending.add(stop);
      const done = (): boolean => this.pending.delete(stop);
      sending.then(resolve, reject).then(done, done);
      if (this.isInterrupted) void this.abandonPending();
    });
  }

  private async abandonPending(): Promise<void> {
    await this.options.clock.sleep(graceAfterInterruptionMs);
    for (const stop of this.pending) stop();
  }

  private record(call: Call, exchange: Pick<Reply, 'request' | 'response' | 'key'>, delivery: Delivery): Reply {
    const { response } = exchange;
    const { startedMs, endedMs } = delivery;
    this.blocked.noteReply(call.operation.id);
    const value = readJson(response.body);
    // A JSON object labelled as HTML is read: `response/content-type` reports the label.
    const isPage = /^text\/html/i.test(headerOf(response.headers, 'content-type') ?? '') && typeof value !== 'object';
    const body = isPage ? undefined : value;
    const redirectedTo = 'redirectedTo' in delivery && delivery.redirectedTo !== undefined ? { redirectedTo: delivery.redirectedTo } : {};
    const reply = trimPage({ call, ...exchange, number: this.sentRequests, startedMs, endedMs, body, ...redirectedTo });
    this.replies.push(reply);
    this.keptCharacters += reply.response.body.length;
    return reply;
  }

  private async pace(): Promise<void> {
    const { rate, clock, budget } = this.options;
    if (rate !== undefined) {
      // The time is taken before waiting, since requests may be sent side by side.
      const waitMs = Math.max(0, this.nextMs - clock.nowMs());
      this.nextMs = clock.nowMs() + waitMs + 1000 / rate;
      if (waitMs > 0) await this.sleep(waitMs);
    }
    if (this.isInterrupted) throw new BudgetSpent(interruptedReason);
    const isFull = this.keptCharacters >= (this.limit < budget ? maxKeptCharacters : 1.5 * maxKeptCharacters);
    this.isSpent ||= this.sentRequests >= this.limit || isFull;
    if (isFull) throw new BudgetSpent(fullReason);
    if (this.sentRequests >= this.limit) throw new BudgetSpent(`the budget of ${budget} requests is too small for this; raise --budget`);
    this.sentRequests += 1;
  }

  /** Waits for a time, or until the user interrupts. */
  private async sleep(milliseconds: number): Promise<void> {
    await Promise.race([this.options.clock.sleep(milliseconds), this.interruption]);
  }
}

/** Number of records that is always kept of a page. Above it, ten times the limit is kept. */
const minKeptRecords = 1000;

/** Drops the records of a page that has far more of them than its limit. */
function trimPage(reply: Reply): Reply {
  const { operation } = reply.call;
  const records = recordsIn(reply);
  if (!isList(operation) || records === undefined || records.length <= minKeptRecords) return reply;
  const limit = limitOf(operation, reply);
  const most = Math.max(minKeptRecords, 10 * (limit ?? Infinity));
  if (records.length <= most) return reply;
  const body = withValueAt(reply.body, operation.collection.items, records.slice(0, most));
  return { ...reply, body, response: { ...reply.response, body: printJson(body) }, isTrimmed: true };
}

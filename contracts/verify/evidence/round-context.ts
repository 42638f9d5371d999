/** What all rules of one round share: identical requests are sent once, and each list is read when a rule first needs it and again at the end of the round. */

import { isArray, isObject, type Json, printJson } from '../../../core/json.ts';
import { getOrCompute } from '../../../core/memo.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import { isPlain, type Operation } from '../../../core/openapi/operation.ts';
import type { Parameter } from '../../../core/parameters/parse-parameter.ts';
import { log } from '../debug-log.ts';
import { type Call, isSuccess, lackOf, type Reply, toRequest, Unwritable } from './call.ts';
import type { Caller, Keyring } from './callers.ts';
import { type FoundValues, findValues, type GivenValues, namesRecord, openParameters, recordsAbove, valueSets } from './find-values.ts';
import { type Pagination, type PaginationPlan, paginate } from './pagination/pagination.ts';
import { RecordReadings } from './record-readings.ts';
import type { Session } from './request-session.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

/** Number of pages by which a list may grow during a round. */
const maxGrowth = 2;

/** Settings shared by all rounds of a run. */
export interface RoundContextSettings {
  readonly contract: Contract;
  readonly session: Session;
  /** Identifiers of records that the caller may not see (`--hidden`). */
  readonly hidden: readonly string[];
  /** True to prefer few requests over much evidence. */
  readonly quick: boolean;
  readonly seed: number;
  /** Values for parameters, as the user gives them. */
  readonly params?: GivenValues | undefined;
}

/** Shared requests and replies of one round. Replies of earlier rounds are ignored. */
export class RoundContext {
  readonly contract: Contract;
  readonly session: Session;
  readonly hidden: readonly string[];
  readonly quick: boolean;
  readonly seed: number;
  readonly params: GivenValues;
  /** Values of required parameters by operation and parameter. */
  private readonly values = new Map<string, Promise<Readonly<Record<string, Json>>>>();
  /** The operations whose values are being looked for, which must not wait for themselves. */
  private readonly searching = new Set<Operation>();
  /** Index of the first reply of this round among those of the session. */
  private readonly firstReply: number;
  private readonly repliesByRequest = new Map<string, Promise<Reply>>();
  /** Every reply that was given to a rule, in order; a shared one as often as it was given. */
  private readonly given: Reply[] = [];
  private readonly paginationsByPlan = new Map<string, Promise<Pagination>>();
  private readonly snapshots = new Map<string, Promise<Snapshot>>();
  private readonly conclusions = new Conclusions();
  /** Conclusions from all replies so far, and the number of these replies. */
  private latest = { replies: 0, conclusions: new Conclusions() };
  /** Snapshots of this round; their lists are read again at its end. */
  private readonly takenSnapshots: Snapshot[] = [];

  constructor(settings: RoundContextSettings) {
    this.contract = settings.contract;
    this.session = settings.session;
    this.hidden = settings.hidden;
    this.quick = settings.quick;
    this.seed = settings.seed;
    this.params = settings.params ?? {};
    this.firstReply = settings.session.replies.length;
  }

  /** The same round under another contract: it shares requests and replies, but no conclusions. */
  withContract(contract: Contract): RoundContext {
    return Object.create(this, {
      contract: { value: contract },
      conclusions: { value: new Conclusions() },
      latest: { value: { replies: 0, conclusions: new Conclusions() }, writable: true },
    }) as RoundContext;
  }

  /** What a function concludes about some subjects, worked out once. */
  conclude<Subjects extends readonly unknown[], T>(work: (context: RoundContext, ...subjects: Subjects) => T, ...subjects: Subjects): T {
    return this.conclusions.get([work, ...subjects], () => work(this, ...subjects));
  }

  /** As `conclude`, for a function that looks at all replies: worked out again when there are more. */
  concludeSoFar<Subjects extends readonly unknown[], T>(
    work: (context: RoundContext, ...subjects: Subjects) => T,
    ...subjects: Subjects
  ): T {
    const replies = this.replies.length;
    if (this.latest.replies !== replies) this.latest = { replies, conclusions: new Conclusions() };
    return this.latest.conclusions.get([work, ...subjects], () => work(this, ...subjects));
  }

  get keys(): Keyring {
    return this.session.keys;
  }

  /** Every reply of this round. */
  get replies(): readonly Reply[] {
    return this.session.replies.slice(this.firstReply);
  }

  /** Every finished pagination of this round. */
  readonly paginations: Pagination[] = [];

  /** Adds values of the required parameters that a call leaves open. */
  private async complete(call: Call): Promise<Call> {
    const { operation } = call;
    if (operation.requestBody?.required === true) {
      this.session.lacking.set(operation.id, ['its body']);
      throw new Unwritable(`a body for ${operation.path}, since requests are sent without one`);
    }
    const open = openParameters(call);
    if (open.length === 0) return call;
    if (this.searching.has(operation)) throw new Unwritable(lackOf(open[0]?.name ?? '', operation));
    const key = `${operation.id} ${open.map((each) => each.key).join()} ${call.as ?? 'full'}`;
    const found = await remember(this.values, key, () => this.search(operation, open));
    const missing = open.filter((parameter) => found[parameter.key] === undefined).map(({ name }) => name);
    const [firstMissing] = missing;
    if (firstMissing === undefined) return { ...call, values: { ...found, ...call.values } };
    // A later response may show the value.
    this.values.delete(key);
    this.session.lacking.set(operation.id, missing);
    throw new Unwritable(lackOf(firstMissing, operation));
  }

  /**
   * Searches for values of required parameters. Where they name a record, it is read: a record that the target does not have, or an empty list, would show
   * little, so other values are tried then.
   */
  private async search(operation: Operation, open: readonly Parameter[]): Promise<FoundValues> {
    this.searching.add(operation);
    const sources = {
      given: this.params,
      replies: this.session.replies,
      operations: this.contract.operations,
      call: (other: Operation) => this.ask({ operation: other }).catch(ignoreUnwritable),
    };
    const tried: FoundValues[] = [];
    let answered: FoundValues | undefined;
    try {
      for await (const values of valueSets(sources, operation, open)) {
        tried.push(values);
        if (!open.some(namesRecord) || open.some(({ key }) => values[key] === undefined)) break;
        const reply = await this.tryValues(operation, open, values);
        if (reply === undefined || !mayHaveOther(reply)) {
          // Any other failure says nothing about the values.
          answered = values;
          break;
        }
        if (isSuccess(reply)) answered ??= values;
        if (tried.length === triedMax) break;
      }
    } finally {
      this.searching.delete(operation);
    }
    return answered ?? tried[0] ?? {};
  }

  /** The reply with values that a search has found. A record that no list has shown may never have been there; one that was listed must be found. */
  private tryValues(operation: Operation, open: readonly Parameter[], values: FoundValues): Promise<Reply | undefined> {
    const isGuess = isPlain(operation) && !this.isListed(operation, open, values);
    return this.ask({ operation, values, ...(isGuess ? { mayBeRefused: true } : {}) }).catch(ignoreUnwritable);
  }

  /** True if the lists above a path have shown each of the values that a search has found for it. */
  private isListed(operation: Operation, open: readonly Parameter[], values: FoundValues): boolean {
    return open.every(
      (parameter) =>
        parameter.in !== 'path' ||
        recordsAbove(this, operation, parameter).some(({ value }) => String(value) === String(values[parameter.key])),
    );
  }

  /** A value for a parameter, from the contract and the replies so far. Sends nothing. */
  async valueFor(operation: Operation, parameter: Parameter): Promise<Json | undefined> {
    const sources = {
      given: this.params,
      replies: this.session.replies,
      operations: this.contract.operations,
      call: async () => undefined,
    };
    return (await findValues(sources, operation, [parameter]))[parameter.key];
  }

  /** Sends a request, or returns the reply to the same request from this round. */
  async ask(given: Call): Promise<Reply> {
    const call = await this.complete(given);
    const key = requestKey({ carrier: this.session.carrier, ...call }, this.keys);
    if (log.enabled)
      void this.repliesByRequest.get(key)?.then(
        ({ number }) => log('  request %d: its response is used again', number),
        () => undefined,
      );
    return this.give(await remember(this.repliesByRequest, key, () => this.session.ask(call)));
  }

  /** Sends a request even if it was sent before. */
  async askAgain(call: Call): Promise<Reply> {
    return this.give(await this.session.ask(await this.complete(call)));
  }

  /** Reads a list by a plan, or returns the pagination of the same plan from this round. */
  async pagination(plan: PaginationPlan): Promise<Pagination> {
    const pagination = await remember(this.paginationsByPlan, planKey(plan), async () =>
      this.keep(await paginate((call) => this.ask(call), plan)),
    );
    this.given.push(...pagination.replies);
    return pagination;
  }

  /** Reads a list by a plan even if it was read before. */
  async paginationAgain(plan: PaginationPlan): Promise<Pagination> {
    return this.keep(await paginate((call) => this.askAgain(call), plan));
  }

  private give(reply: Reply): Reply {
    this.given.push(reply);
    return reply;
  }

  /** The result of some work, and the replies that it was given, shared ones among them. */
  async observing<T>(work: () => Promise<T>): Promise<readonly [T, readonly Reply[]]> {
    const before = this.given.length;
    const result = await work();
    return [result, [...new Set(this.given.slice(before))]];
  }

  private keep(pagination: Pagination): Pagination {
    this.paginations.push(pagination);
    return pagination;
  }

  /** The records of a list at the beginning of the round: all of them, or a complete part of a long list. */
  snapshot(operation: ListOperation, as: Caller = 'full'): Promise<Snapshot> {
    return remember(this.snapshots, `${operation.id} ${as}`, async () => {
      const snapshot = await takeSnapshot(this, operation, as);
      this.takenSnapshots.push(snapshot);
      return snapshot;
    });
  }

  /** The snapshot of a list, if the round has taken one. Sends nothing. */
  takenSnapshot(operation: ListOperation, as: Caller): Snapshot | undefined {
    return this.takenSnapshots.find((snapshot) => snapshot.operation.id === operation.id && snapshot.as === as);
  }

  /** Reads each list once more at the end of the round, which shows which records stayed unchanged. */
  async readAgain(): Promise<void> {
    for (const snapshot of this.takenSnapshots.filter(({ as }) => as === 'full')) {
      if (snapshot.pagination.end === 'complete' || snapshot.pagination.end === 'cut')
        snapshot.finalPagination = await this.paginationAgain({
          ...snapshot.pagination,
          maxPages: snapshot.pagination.replies.length + maxGrowth,
        });
    }
  }

  /** Readings of the records of a list in this round so far. */
  readings(operation: ListOperation, as: Caller = 'full'): RecordReadings {
    return this.concludeSoFar(readRecords, operation, as);
  }
}

function readRecords({ replies }: RoundContext, operation: ListOperation, as: Caller): RecordReadings {
  return new RecordReadings(operation, as, replies);
}

/** Results of functions by the function and its arguments. */
class Conclusions {
  private readonly results = new Map<unknown, unknown>();

  get<T>(keys: readonly unknown[], make: () => T): T {
    let level = this.results;
    for (const key of keys.slice(0, -1)) level = getOrCompute(level, key, () => new Map<unknown, unknown>()) as Map<unknown, unknown>;
    return getOrCompute(level, keys.at(-1), make) as T;
  }
}

/** Number of values that are tried for one operation. */
const triedMax = 4;

/** True if other values may show more: nothing was found, or a list without records. */
function mayHaveOther(reply: Reply): boolean {
  return isSuccess(reply) ? isEmptyList(reply.body) : [400, 404, 410, 422].includes(reply.response.status);
}

/** True for a list without records, or an object whose only list has none. */
function isEmptyList(body: Json | undefined): boolean {
  if (isArray(body)) return body.length === 0;
  const lists = isObject(body) ? Object.values(body).filter(isArray) : [];
  return lists.length === 1 && lists[0]?.length === 0;
}

function ignoreUnwritable(error: unknown): undefined {
  if (!(error instanceof Unwritable)) throw error;
}

function requestKey(call: Call, keys: Keyring): string {
  const { method, target, headers } = toRequest(call, keys);
  return printJson([method, target, headers]);
}

function planKey({ operation, values, limit, as = 'full', maxPages }: PaginationPlan): string {
  return printJson([operation.id, Object.entries(values).toSorted(), limit, as, maxPages]);
}

/** Returns a stored promise, or makes and stores it. A rejected one is removed, so that the next caller tries again. */
function remember<T>(promises: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const stored = promises.get(key);
  if (stored !== undefined) return stored;
  const promise = make();
  promises.set(key, promise);
  promise.catch(() => promises.delete(key));
  return promise;
}

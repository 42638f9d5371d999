/** Confirms or refutes the guesses about an API by a few requests, all of which read. What no response shows stays a guess. */

import type { Guess, Inference, InferredCollection, InferredDetail, InferredList, Paging } from '../../core/inference/guess.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { equal } from '../../core/json-equality.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { valueAt } from '../../core/pointer.ts';
import { Blocked } from '../verify/evidence/blocked-operations.ts';
import { type Call, isSuccess, type Reply, Unwritable } from '../verify/evidence/call.ts';
import { keyringOf } from '../verify/evidence/callers.ts';
import { BudgetSpent } from '../verify/evidence/request-session.ts';
import { RoundContext } from '../verify/evidence/round-context.ts';
import { openSessionAndRedaction } from '../verify/open-run.ts';
import { findObstacle } from '../verify/preflight.ts';
import type { VerifyOptions } from '../verify/run-options.ts';
import { findUnsent } from '../verify/sendable-operations.ts';

/** Guesses after a server was asked, and how many of them it decided. */
export interface ConfirmedInference {
  /** Confirmed guesses have the confidence 1, refuted ones 0. */
  readonly inference: Inference;
  readonly target: string;
  readonly requests: number;
  readonly confirmed: number;
  readonly refuted: number;
  /** The guesses that no response decided. */
  readonly open: number;
  /** Why nothing could be asked; `undefined` if the server answered. */
  readonly obstacle: string | undefined;
}

/** Default maximum number of requests for one list, its details and filters. */
const requestsPerList = 10;

/** Maximum number of filters that are tried at one list. */
const maxFilters = 4;

/**
 * Asks a server about guesses.
 * @throws {UsageError} for an option that cannot be used.
 */
export async function confirmGuesses(
  contract: Contract,
  inference: Inference,
  options: Omit<VerifyOptions, 'contract'>,
): Promise<ConfirmedInference> {
  const unsent = findUnsent(contract, { send: options.send, keys: keyringOf(contract, options.keys ?? {}) });
  const sent: Contract = { ...contract, operations: contract.operations.filter((operation) => !unsent.has(operation)) };
  const lists = inference.collections.flatMap((collection) => collection.lists);
  const budget = options.budget ?? requestsPerList * Math.max(5, lists.length);
  const { session, printing, close } = openSessionAndRedaction(contract, options, budget, () => undefined);
  try {
    const context = new RoundContext({ contract: sent, session, params: options.params, hidden: [], quick: true, seed: 1 });
    const obstacle = await findObstacle(context);
    const verdicts = new Verdicts();
    const collections: InferredCollection[] = [];
    for (const collection of inference.collections)
      collections.push(obstacle === undefined ? await new Examination(context, verdicts, collection).examine() : collection);
    const { confirmed, refuted, open } = verdicts;
    return {
      inference: { ...inference, collections },
      target: printing.clean(options.target),
      requests: session.requests,
      ...{ confirmed, refuted, open },
      obstacle: obstacle === undefined ? undefined : printing.clean(obstacle),
    };
  } finally {
    await close();
  }
}

/** Counts verdicts, and turns them into confidence. A guess of which nothing was seen counts as open. */
class Verdicts {
  confirmed = 0;
  refuted = 0;
  open = 0;

  apply<T>(guess: Guess<T>, isTrue: boolean | undefined, operation: Operation): Guess<T> {
    if (isTrue === undefined) {
      this.open += 1;
      return guess;
    }
    if (isTrue) this.confirmed += 1;
    else this.refuted += 1;
    return {
      ...guess,
      confidence: isTrue ? 1 : 0,
      reason: { by: isTrue ? 'response' : 'contradicting-response', name: operation.id },
    };
  }
}

/** A list that was read: its first response, and the records in it. */
interface ReadList {
  readonly list: InferredList;
  readonly reply: Reply;
  readonly records: readonly JsonObject[];
}

/** The examination of one collection. */
class Examination {
  private readonly context: RoundContext;
  private readonly verdicts: Verdicts;
  private readonly collection: InferredCollection;
  private readonly readLists: ReadList[] = [];

  constructor(context: RoundContext, verdicts: Verdicts, collection: InferredCollection) {
    this.context = context;
    this.verdicts = verdicts;
    this.collection = collection;
  }

  async examine(): Promise<InferredCollection> {
    const { collection, verdicts } = this;
    const lists: InferredList[] = [];
    for (const list of collection.lists) lists.push(await this.examineList(list));
    const [first] = this.readLists;
    if (first === undefined) return { ...collection, lists };
    const hasKeys = this.readLists.every((each) => this.hasKeys(each));
    const key = collection.key === undefined ? undefined : verdicts.apply(collection.key, hasKeys, first.list.operation);
    const details: InferredDetail[] = [];
    for (const detail of collection.details) {
      const isFound = hasKeys ? await this.showsRecord(detail, first) : undefined;
      details.push({ ...detail, at: verdicts.apply(detail.at, isFound, detail.operation) });
    }
    return { ...collection, key, lists, details };
  }

  private async examineList(list: InferredList): Promise<InferredList> {
    const { operation, paging } = list;
    const reply = await this.read({ operation });
    const found = reply === undefined ? undefined : valueAt(reply.body, list.items.value);
    const items = this.verdicts.apply(list.items, reply === undefined ? undefined : Array.isArray(found), operation);
    const records = Array.isArray(found) ? (found as readonly Json[]).filter(isObject) : [];
    if (reply === undefined || records.length === 0) return { ...list, items };
    const readList = { list, reply, records };
    this.readLists.push(readList);
    return {
      ...list,
      items,
      paging: paging === undefined ? undefined : this.verdicts.apply(paging, await this.hasPages(readList, paging.value), operation),
      filters: await this.examineFilters(readList),
    };
  }

  /** The successful reply to a call with a JSON body; `undefined` if there is none. */
  private async read(call: Call): Promise<Reply | undefined> {
    if (!this.context.contract.operations.includes(call.operation)) return undefined;
    try {
      const reply = await this.context.ask(call);
      return isSuccess(reply) && reply.body !== undefined ? reply : undefined;
    } catch (error) {
      if (error instanceof Blocked || error instanceof Unwritable || error instanceof BudgetSpent) return undefined;
      throw error;
    }
  }

  private keyOf(record: JsonObject): Json | undefined {
    return this.collection.key === undefined ? undefined : valueAt(record, this.collection.key.value);
  }

  /** True if each record has a key of its own. */
  private hasKeys({ records }: ReadList): boolean {
    const keys = records.map((record) => this.keyOf(record));
    const isScalar = keys.every((key) => key !== undefined && key !== null && typeof key !== 'object');
    return isScalar && new Set(keys).size === keys.length;
  }

  /** True if the list keeps to a limit and a second page has other records. */
  private async hasPages({ list, reply, records }: ReadList, paging: Paging): Promise<boolean | undefined> {
    const limit = parameterOf(list.operation, paging.limit);
    if (limit === undefined) return undefined;
    const size = [1, 2, 5, 10].find((each) => each < records.length && limit.validate(each).length === 0);
    if (size === undefined) return undefined;
    const values = { ...reply.call.values, [limit.key]: size };
    const first = await this.read({ operation: list.operation, values });
    if (first === undefined) return undefined;
    const firstRecords = valueAt(first.body, list.items.value);
    if (!Array.isArray(firstRecords) || firstRecords.length > size) return false;
    if (paging.style === 'limit') return true;
    const lastRecord = firstRecords.at(-1) as Json | undefined;
    const start = {
      page: paging.firstPage + 1,
      offset: paging.firstPage + size,
      cursor: paging.members.next === undefined ? undefined : valueAt(first.body, paging.members.next),
      keyset: isObject(lastRecord) ? this.keyOf(lastRecord) : undefined,
    }[paging.style];
    const parameter = parameterOf(list.operation, paging.start);
    if (parameter === undefined || start === undefined || start === null) return undefined;
    const second = await this.read({ operation: list.operation, values: { ...values, [parameter.key]: start } });
    if (second === undefined) return undefined;
    const secondRecords = valueAt(second.body, list.items.value);
    if (!Array.isArray(secondRecords) || secondRecords.length > size) return false;
    return secondRecords.length === 0 ? undefined : !equal(firstRecords as Json, secondRecords as Json);
  }

  /** Tries filters for equal values, each with a value that some records have and others have not. */
  private async examineFilters({ list, reply: unfiltered, records: all }: ReadList): Promise<InferredList['filters']> {
    const examined = new Map(list.filters);
    let tries = 0;
    for (const [name, guess] of list.filters) {
      const parameter = parameterOf(list.operation, name);
      if (parameter === undefined || guess.value.operator !== 'equals') continue;
      const { field } = guess.value;
      const shown = all.map((record) => valueAt(record, field));
      const value = shown.find((each) => each !== undefined && each !== null && parameter.validate(each).length === 0);
      if (value === undefined || shown.every((each) => each === value) || tries === maxFilters) continue;
      tries += 1;
      const reply = await this.read({ operation: list.operation, values: { ...unfiltered.call.values, [parameter.key]: value } });
      const records = reply === undefined ? undefined : valueAt(reply.body, list.items.value);
      const isKept =
        Array.isArray(records) && records.length > 0 ? records.every((each) => valueAt(each as Json, field) === value) : undefined;
      examined.set(name, this.verdicts.apply(guess, isKept, list.operation));
    }
    return examined;
  }

  /** True if an operation shows the record of a list by its key. */
  private async showsRecord({ operation, at, parameter }: InferredDetail, { reply, records }: ReadList): Promise<boolean | undefined> {
    const place = parameterOf(operation, parameter);
    const [record] = records;
    const key = record === undefined ? undefined : this.keyOf(record);
    if (place === undefined || key === undefined) return undefined;
    const shown = await this.read({ operation, values: { ...sharedValues(reply, operation), [place.key]: key } });
    if (shown === undefined) return undefined;
    const found = valueAt(shown.body, at.value);
    return isObject(found) && this.keyOf(found) === key;
  }
}

function parameterOf({ parameters }: Operation, name: string | undefined): Operation['parameters'][number] | undefined {
  return parameters.find((each) => each.name === name);
}

/** The values of a list's parents, for an operation below the same parents. */
function sharedValues({ call }: Reply, { parameters }: Operation): Readonly<Record<string, Json>> {
  const inPath = new Set(parameters.filter((each) => each.in === 'path').map(({ key }) => key));
  return Object.fromEntries(Object.entries(call.values ?? {}).filter(([key]) => inPath.has(key)));
}

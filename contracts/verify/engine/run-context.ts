/** Context of the rules in one round: shared requests, lists that are read once, and the records seen. */

import type { Contract } from '../../../core/openapi/contract.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { log } from '../debug-log.ts';
import { type Call, type Caller, type Keyring, type Reply, toRequest } from './call.ts';
import { type Pagination, type PaginationPlan, paginate } from './paginate.ts';
import { RecordReadings } from './readings.ts';
import type { Session } from './session.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

/** Settings shared by all rounds of a run. */
export interface RunContextSettings {
  readonly contract: Contract;
  readonly session: Session;
  /** Keys of records that are known to be hidden from the caller. */
  readonly hidden: readonly string[];
  /** True to prefer few requests over much evidence. */
  readonly quick: boolean;
  readonly seed: number;
}

/** One round: nothing that was seen before it counts, and what is seen in it is seen once for all rules. */
export class RunContext {
  readonly contract: Contract;
  readonly session: Session;
  readonly hidden: readonly string[];
  readonly quick: boolean;
  readonly seed: number;
  private readonly first: number;
  private readonly asked = new Map<string, Promise<Reply>>();
  private readonly paginated = new Map<string, Promise<Pagination>>();
  private readonly snapshots = new Map<string, Promise<Snapshot>>();
  private readonly seen = new Map<string, { readonly count: number; readonly readings: RecordReadings }>();
  /** Snapshots of this round, whose lists are read again at its end. */
  private readonly closings: Snapshot[] = [];

  constructor(settings: RunContextSettings) {
    this.contract = settings.contract;
    this.session = settings.session;
    this.hidden = settings.hidden;
    this.quick = settings.quick;
    this.seed = settings.seed;
    this.first = settings.session.replies.length;
  }

  get keys(): Keyring {
    return this.session.keys;
  }

  /** Every answer of this round. */
  get replies(): readonly Reply[] {
    return this.session.replies.slice(this.first);
  }

  /** Every pagination of this round that is over. */
  readonly paginations: Pagination[] = [];

  /** Sends a request, or gives the answer that the same request had in this round. */
  ask(call: Call): Promise<Reply> {
    const text = textOf({ carrier: this.session.carrier, ...call }, this.keys);
    if (log.enabled)
      void this.asked.get(text)?.then(
        ({ number }) => log('  request %d: its response is used again', number),
        () => undefined,
      );
    return remember(this.asked, text, () => this.session.ask(call));
  }

  /** Sends a request whether or not it was sent before. */
  again(call: Call): Promise<Reply> {
    return this.session.ask(call);
  }

  /** Reads a list, or gives what the same reading gave in this round. */
  pagination(route: PaginationPlan): Promise<Pagination> {
    return remember(this.paginated, routeText(route), async () => this.keep(await paginate((call) => this.ask(call), route)));
  }

  /** Reads a list whether or not it was read before. */
  async paginationAgain(route: PaginationPlan): Promise<Pagination> {
    return this.keep(await paginate((call) => this.again(call), route));
  }

  private keep(pagination: Pagination): Pagination {
    this.paginations.push(pagination);
    return pagination;
  }

  /** All records of a list that a run can look at, as they were when the round began. */
  snapshot(operation: ListOperation, as: Caller = 'full'): Promise<Snapshot> {
    return remember(this.snapshots, `${operation.id} ${as}`, async () => {
      const snapshot = await takeSnapshot(this, operation, as);
      this.closings.push(snapshot);
      return snapshot;
    });
  }

  /** The snapshot of a list, if the round has taken one. Sends nothing. */
  takenSnapshot(operation: ListOperation, as: Caller): Snapshot | undefined {
    return this.closings.find((snapshot) => snapshot.operation === operation && snapshot.as === as);
  }

  /** Reads every list that was read a last time, so that what did not change can be told from what did. */
  async readAgain(): Promise<void> {
    for (const snapshot of this.closings.filter(({ as }) => as === 'full')) {
      if (snapshot.pagination.end === 'complete' || snapshot.pagination.end === 'cut')
        snapshot.closing = await this.paginationAgain({ ...snapshot.pagination, most: snapshot.pagination.replies.length + 2 });
    }
  }

  /** Readings of the records of a collection in lists so far. */
  readings(operation: ListOperation, as: Caller = 'full'): RecordReadings {
    const key = `${operation.id} ${as}`;
    const { replies } = this;
    const known = this.seen.get(key);
    if (known?.count === replies.length) return known.readings;
    const readings = new RecordReadings(operation, as, replies);
    this.seen.set(key, { count: replies.length, readings });
    return readings;
  }

  /** The list operation of a resource's collection. */
  listOf(operation: Operation): ListOperation | undefined {
    return this.contract.operations.find(
      (each): each is ListOperation => each.collection !== undefined && each.collection.name === operation.resource?.name,
    );
  }
}

function textOf(call: Call, keys: Keyring): string {
  const { method, target, headers } = toRequest(call, keys);
  return JSON.stringify([method, target, headers]);
}

function routeText({ operation, values, limit, as, most }: PaginationPlan): string {
  return JSON.stringify([operation.id, Object.entries(values).toSorted(), limit ?? null, as ?? 'full', most]);
}

/** A failed request is repeated: a target that was not ready may be ready later. */
function remember<T>(known: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  known.set(key, made);
  made.catch(() => known.delete(key));
  return made;
}

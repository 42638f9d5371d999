/** A dataset: the content that a mock serves. Only datasets know the meaning of an API's records. */

import type { JsonObject } from '../../core/json.ts';
import type { Contract } from '../../core/openapi/contract.ts';

/** Caller, where content depends on it (an identity endpoint describes the caller's key). */
export interface DatasetCaller {
  /** The role of the key, as the mock prints it: `full`, `other`, `expired`, `without:SCOPE`, … */
  readonly role: string;
  /** The scopes that the key carries. */
  readonly scopes: readonly string[];
}

/** The content of one API at one instant. */
export interface Dataset {
  /** The instant, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly nowMs?: number;
  /**
   * The tenants, each named by the key role that it is reached by; the first is the one that the keys `full`, `expired` and `without:SCOPE`
   * belong to. An API without keys has one tenant.
   */
  readonly tenants: readonly string[];
  /**
   * Every record of a collection, in no particular order, hidden ones included, with all fields of its most detailed view.
   * The same array for the same arguments, each time.
   */
  records(tenant: string, collection: string): readonly JsonObject[];
  /** Fields that stand beside the items of a list answer, such as the business that they belong to. */
  head(tenant: string, collection: string): JsonObject | undefined;
  /** The records of a collection through the period of this instant, for whoever keeps an index of them; absent where there are only records. */
  history?(tenant: string, collection: string): CollectionHistory | undefined;
  /** A resource that exists at most once for a tenant; `undefined` when the tenant has none. */
  resource(tenant: string, name: string, view: string | undefined, caller: DatasetCaller): JsonObject | undefined;
}

/** A record through time. What happens to it is fixed beforehand; an instant only tells which of it has happened. */
export interface RecordHistory {
  /** When it begins and when it changes, in order, in milliseconds since 1970-01-01T00:00:00Z. Changes of one record lie in different seconds. */
  readonly instants: readonly number[];
  /** The fields that lists are ordered, filtered and found by, after so many changes; much cheaper than the record. */
  readonly outline: (changes: number) => JsonObject;
  /** The whole record after so many changes. */
  readonly record: (changes: number) => JsonObject;
}

/** The records of a collection through a period. */
export interface CollectionHistory {
  /** When the period ends, in milliseconds since 1970-01-01T00:00:00Z: then nothing of it is left. */
  readonly untilMs: number;
  /** JSON Pointer of the field that shows the instant of a record's last change, to the second. */
  readonly instantField: string;
  /** Upper bound of the number of records created before an instant. They are numbered from 0. */
  readonly countUntil: (instantMs: number) => number;
  readonly life: (index: number) => RecordHistory;
}

/** The content of one API through time: a pure function of the instant. */
export interface ChangingDataset {
  readonly tenants: readonly string[];
  /** The content at an instant, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly at: (nowMs: number) => Dataset;
}

/** Content that is the same at every instant. */
export function unchanging(dataset: Dataset): ChangingDataset {
  return { tenants: dataset.tenants, at: () => dataset };
}

/** Settings of a dataset. The same values give the same bytes on any machine. */
export interface DatasetChoice {
  /** Chooses among datasets; a whole number of at least 0. */
  readonly seed: number;
  /** Number of records by collection of the first tenant at the mock's start time; overrides the default. */
  readonly sizes?: Readonly<Record<string, number>>;
}

/** A dataset and an instant of it. */
export interface DatasetOptions extends DatasetChoice {
  /** The dataset's instant, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly nowMs: number;
}

/** A kind of dataset, and which contracts it has content for. */
export interface DatasetProvider {
  /** True when this source has content for every collection and resource of the contract. */
  serves(contract: Contract): boolean;
  /** The dataset itself: a pure function of its arguments. */
  create(contract: Contract, choice: DatasetChoice): ChangingDataset;
}

/** Collections and resources of a dataset. */
interface DatasetContent {
  /** The title of the contract. */
  readonly title: string;
  readonly collections: readonly string[];
  /** The views of each resource; a record of a collection that is read alone is a resource of the collection's name. */
  readonly views: ReadonlyMap<string, readonly (string | undefined)[]>;
}

/** The part of a contract that decides it. */
type ServedContract = Pick<Contract, 'title'> & {
  readonly collections: readonly Pick<Contract['collections'][number], 'name'>[];
  readonly resources: readonly Pick<Contract['resources'][number], 'name' | 'view'>[];
};

/** True when the title is that of the dataset, and it knows every collection and every view of a resource. */
export function servesContract(contract: ServedContract, content: DatasetContent): boolean {
  const knowsCollections = contract.collections.every(({ name }) => content.collections.includes(name));
  const knowsResources = contract.resources.every(({ name, view }) => content.views.get(name)?.includes(view) ?? false);
  return contract.title === content.title && knowsCollections && knowsResources;
}

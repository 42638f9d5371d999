/** What a dataset is: the content that a mock serves, at one instant or at all times. It knows nothing of what the records mean. */

import type { JsonObject } from '../../core/json.ts';
import type { Contract } from '../../core/openapi/contract.ts';

/** The caller of a request, whose key an identity endpoint describes. */
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
   * Tenants, named by the role of their key. The keys `full`, `expired` and `without:SCOPE` belong to the first one. An API without keys has one tenant.
   */
  readonly tenants: readonly string[];
  /**
   * Lists all records of a collection in any order, including hidden ones, with the fields of the most detailed view.
   * Returns the same array for the same arguments, since indexes and sorted lists are cached by it.
   */
  records(tenant: string, collection: string): readonly JsonObject[];
  /** Returns the fields beside the items of a list response, such as the business of the records. */
  head(tenant: string, collection: string): JsonObject | undefined;
  /** Returns the history of a collection in the period of this instant, for an index; `undefined` for a collection without history. */
  history?(tenant: string, collection: string): CollectionHistory | undefined;
  /** Returns a resource that exists at most once per tenant; `undefined` if the tenant has none. */
  resource(tenant: string, name: string, view: string | undefined, caller: DatasetCaller): JsonObject | undefined;
}

/** All changes of one record, past and future. An instant decides which of them have happened. */
export interface RecordHistory {
  /** Instants of creation and changes, in order, in milliseconds since 1970-01-01T00:00:00Z. They lie in different seconds. */
  readonly instants: readonly number[];
  /** Returns the fields for order, filters and lookups after a number of changes. Much faster than `record`. */
  readonly outline: (changes: number) => JsonObject;
  /** Returns the whole record after a number of changes. */
  readonly record: (changes: number) => JsonObject;
}

/** All records of a collection in one period, past and future. */
export interface CollectionHistory {
  /** End of the period, in milliseconds since 1970-01-01T00:00:00Z. No record exists after it. */
  readonly untilMs: number;
  /** JSON Pointer of the field with the instant of the last change, to the second. */
  readonly instantField: string;
  /** Returns an upper bound of the number of records created before an instant. */
  readonly countUntil: (instantMs: number) => number;
  /** Returns the history of a record, from 0 on in the order of creation. */
  readonly recordHistory: (index: number) => RecordHistory;
}

/** The content of one API at all times: a pure function of the instant. */
export interface ChangingDataset {
  readonly tenants: readonly string[];
  /** Returns the content at an instant, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly at: (nowMs: number) => Dataset;
}

/** Converts content that never changes. */
export function unchanging(dataset: Dataset): ChangingDataset {
  return { tenants: dataset.tenants, at: () => dataset };
}

/** Settings of a dataset. The same values give the same bytes on any machine. */
export interface DatasetSettings {
  /** Seed of all random choices; a whole number of at least 0. */
  readonly seed: number;
  /** Number of records of the first tenant at the mock's default instant, by collection. */
  readonly sizes?: Readonly<Record<string, number>>;
}

/** A kind of generated content, for the contracts that it serves. */
export interface DatasetProvider {
  /** True if it has content for every collection and resource of the contract. */
  serves(contract: Contract): boolean;
  /** Creates the content: a pure function of its arguments. */
  create(contract: Contract, settings: DatasetSettings): ChangingDataset;
}

/** Collections and resources of a dataset. */
interface DatasetContent {
  /** The title of the contract. */
  readonly title: string;
  readonly collections: readonly string[];
  /** Views by resource. A record that is read alone is a resource with the name of its collection. */
  readonly views: ReadonlyMap<string, readonly (string | undefined)[]>;
}

/** Parts of a contract that decide whether a dataset serves it. */
type ContractContent = Pick<Contract, 'title'> & {
  readonly collections: readonly Pick<Contract['collections'][number], 'name'>[];
  readonly resources: readonly Pick<Contract['resources'][number], 'name' | 'view'>[];
};

/** True if a dataset has the title of the contract, all of its collections and all views of its resources. */
export function servesContract(contract: ContractContent, content: DatasetContent): boolean {
  const knowsCollections = contract.collections.every(({ name }) => content.collections.includes(name));
  const knowsResources = contract.resources.every(({ name, view }) => content.views.get(name)?.includes(view) ?? false);
  return contract.title === content.title && knowsCollections && knowsResources;
}

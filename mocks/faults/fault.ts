/** What a fault is: one deviation from a contract, as services really have them. */

import type { Contract } from '../../core/contract.ts';
import type { Edit } from '../../core/edit.ts';
import type { Operation } from '../../core/operation.ts';
import type { Collection, CursorPage, NumberedPage } from '../../core/rules.ts';
import type { Middleware } from '../middleware.ts';
import type { ServedApi } from '../served-api.ts';

/** How a fault comes about: by edits of the contract, by other parts of the served API, or by something around its answers. */
export interface Deviation {
  readonly edits?: readonly Edit[];
  readonly serve?: (api: ServedApi) => ServedApi;
  readonly around?: (api: ServedApi) => Middleware;
}

/** A fault of one place, before it is known which contract it belongs to. */
export interface FaultDraft extends Deviation {
  /** What is wrong; the same word for every place that it can be wrong at. */
  readonly kind: string;
  /** Where: an operation, a parameter of one, or the contract as a whole. */
  readonly place: string;
  /** The law that says that it is wrong. */
  readonly law: string;
  /** What this service does wrong, in one sentence. */
  readonly title: string;
}

/** A fault that a mock can be started with. */
export interface Fault extends Deviation {
  /** `KIND:PLACE`. Ids are public: a rename keeps an alias. */
  readonly id: string;
  /** The name of the contract that it deviates from. */
  readonly contract: string;
  readonly law: string;
  readonly title: string;
}

/** Finds the places of a closed contract at which something can be wrong. */
export type FaultSource = (contract: Contract) => readonly FaultDraft[];

/** An operation that lists a collection. */
export type ListOperation = Operation & { readonly collection: NonNullable<Operation['collection']> };

/** An operation that reads one thing. */
export type ReadOperation = Operation & { readonly resource: NonNullable<Operation['resource']> };

/** The operations that list something. */
export function listsOf(contract: Contract): readonly ListOperation[] {
  return contract.operations.filter((operation): operation is ListOperation => operation.collection !== undefined);
}

/** The operations that read one thing; of those with parameters, a record. */
export function readsOf(contract: Contract): readonly ReadOperation[] {
  return contract.operations.filter((operation): operation is ReadOperation => operation.resource !== undefined);
}

/** The operations that read one record of a collection. */
export function recordReadsOf(contract: Contract): readonly ReadOperation[] {
  return readsOf(contract).filter((operation) => operation.resource.by.size > 0);
}

/** The list of the collection whose records an operation reads. */
export function listFor(contract: Contract, operation: ReadOperation): ListOperation | undefined {
  return listsOf(contract).find((list) => list.collection.name === operation.resource.name);
}

/** The lists that are walked by cursor. */
export function cursorListsOf(contract: Contract): readonly (ListOperation & { readonly collection: { readonly page: CursorPage } })[] {
  return listsOf(contract).filter(
    (list): list is ListOperation & { readonly collection: Collection & { readonly page: CursorPage } } & ListOperation =>
      list.collection.page.style === 'cursor',
  );
}

/** The lists that have numbered pages. */
export function numberedListsOf(contract: Contract): readonly (ListOperation & { readonly collection: { readonly page: NumberedPage } })[] {
  return listsOf(contract).filter(
    (list): list is ListOperation & { readonly collection: Collection & { readonly page: NumberedPage } } & ListOperation =>
      list.collection.page.style === 'page',
  );
}

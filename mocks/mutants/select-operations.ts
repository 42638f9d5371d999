import type { Contract } from '../../core/openapi/contract.ts';
import { type CursorList, type ListOperation, listsOf, type NumberedList } from '../../core/openapi/list-operation.ts';
import type { Operation } from '../../core/openapi/operation.ts';

/** An operation that reads a single resource or record. */
export type ReadOperation = Operation & { readonly resource: NonNullable<Operation['resource']> };

/** Lists the operations that read a single resource or record. */
export function readsOf({ operations }: Contract): readonly ReadOperation[] {
  return operations.filter((operation): operation is ReadOperation => operation.resource !== undefined);
}

/** Lists the operations that read one record of a collection. */
export function recordReadsOf(contract: Contract): readonly ReadOperation[] {
  return readsOf(contract).filter((operation) => operation.resource.by.size > 0);
}

/** Finds the list of the records that an operation reads. */
export function listFor(contract: Contract, operation: ReadOperation): ListOperation | undefined {
  return listsOf(contract).find((list) => list.collection.name === operation.resource.name);
}

/** Lists the list operations with cursors. */
export function cursorListsOf(contract: Contract): readonly CursorList[] {
  return listsOf(contract).filter((list): list is CursorList => list.collection.page.style === 'cursor');
}

/** Lists the list operations with numbered pages. */
export function numberedListsOf(contract: Contract): readonly NumberedList[] {
  return listsOf(contract).filter((list): list is NumberedList => list.collection.page.style === 'page');
}

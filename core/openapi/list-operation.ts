/** Tells which operations of a contract list records, and with which kind of pages. */

import type { CursorPage, NumberedPage } from '../annotations/annotations.ts';
import type { Contract } from './contract.ts';
import type { Operation } from './operation.ts';

/** An operation that lists records. */
export type ListOperation = Operation & { readonly collection: NonNullable<Operation['collection']> };

/** A list with cursors. */
export type CursorList = ListOperation & { readonly collection: { readonly page: CursorPage } };

/** A list with numbered pages. */
export type NumberedList = ListOperation & { readonly collection: { readonly page: NumberedPage } };

/** True for an operation that lists records. */
export function isList(operation: Operation): operation is ListOperation {
  return operation.collection !== undefined;
}

/** True for a list with cursors. */
export function isCursorList(operation: Operation): operation is CursorList {
  return operation.collection?.page.style === 'cursor';
}

/** Returns the lists of a contract. */
export function listsOf({ operations }: Contract): readonly ListOperation[] {
  return operations.filter(isList);
}

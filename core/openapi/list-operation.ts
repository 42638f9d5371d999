/** Operations that list the records of a collection, by the way their pages are read. */

import type { CursorPage, NumberedPage } from '../annotations/annotations.ts';
import type { Contract } from './contract.ts';
import type { Operation } from './operation.ts';

/** An operation that lists records. */
export type ListOperation = Operation & { readonly collection: NonNullable<Operation['collection']> };

/** A list whose pages lead to each other by a cursor. */
export type CursorList = ListOperation & { readonly collection: { readonly page: CursorPage } };

/** A list with numbered pages. */
export type NumberedList = ListOperation & { readonly collection: { readonly page: NumberedPage } };

/** Tells an operation that lists records from others. */
export function isList(operation: Operation): operation is ListOperation {
  return operation.collection !== undefined;
}

/** Tells a list with cursors from other operations. */
export function isCursorList(operation: Operation): operation is CursorList {
  return operation.collection?.page.style === 'cursor';
}

/** The lists of a contract. */
export function listsOf({ operations }: Contract): readonly ListOperation[] {
  return operations.filter(isList);
}

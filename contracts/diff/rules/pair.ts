/** Operations that two contracts have in common, each with what is written of it. */

import type { Contract } from '../../../core/contract.ts';
import { follow } from '../../../core/document.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { Operation } from '../../../core/operation.ts';
import { isList, type ListOperation } from '../../walk.ts';
import { type Ground, objectAt, type Written } from './word.ts';

/** An operation in one of the contracts; its holder is the operation as it is written. */
export interface Half extends Written {
  readonly operation: Operation;
}

/** An operation that both contracts have. */
export interface Pair extends Ground {
  /** Such as `GET /things/{id}`. */
  readonly name: string;
  readonly old: Half;
  readonly next: Half;
}

/** An operation that lists records in both contracts. */
export interface ListPair extends Pair {
  readonly old: Half & { readonly operation: ListOperation };
  readonly next: Half & { readonly operation: ListOperation };
}

/** The operations that both contracts have, by method and path, in the order of the new file. */
export function pairOperations(old: Contract, next: Contract): readonly Pair[] {
  return next.operations.flatMap((operation) => {
    const name = nameOf(operation);
    const before = old.operations.find((each) => nameOf(each) === name);
    return before === undefined ? [] : [{ name, operations: [name], old: halfOf(old, before), next: halfOf(next, operation) }];
  });
}

/** An operation as changes name it. */
export function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

/** Whether both contracts say that an operation lists records. */
export function isListPair(pair: Pair): pair is ListPair {
  return isList(pair.old.operation) && isList(pair.next.operation);
}

/** The parameters of an operation as they are written, by their place and name. */
export function writtenParameters({ contract, operation, holder }: Half): ReadonlyMap<string, JsonObject> {
  const lists = [itemOf(contract, operation)['parameters'], holder['parameters']];
  const parameters = lists.flatMap((list) => (Array.isArray(list) ? (list as readonly Json[]) : []));
  const entries = parameters.flatMap((entry) => {
    const parameter = follow(contract.document, entry);
    return isObject(parameter) ? [[`${String(parameter['in'])} ${String(parameter['name'])}`, parameter] as const] : [];
  });
  return new Map(entries);
}

function halfOf(contract: Contract, operation: Operation): Half {
  const written = itemOf(contract, operation)[operation.method.toLowerCase()];
  return { contract, operation, holder: isObject(written) ? written : operation.value };
}

function itemOf({ document }: Contract, { path }: Operation): JsonObject {
  const item = follow(document, objectAt(document.root, ['paths'])[path]);
  return isObject(item) ? item : {};
}

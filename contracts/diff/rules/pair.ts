/** Operations that two contracts have in common, each with what is written of it. */

import type { Contract } from '../../../core/contract.ts';
import { follow } from '../../../core/document.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { Operation } from '../../../core/operation.ts';
import { isList, type ListOperation } from '../../walk.ts';

/** An operation in one of the contracts. */
export interface Half {
  readonly contract: Contract;
  readonly operation: Operation;
  /** The operation as it is written, its questions open. */
  readonly written: JsonObject;
}

/** An operation that both contracts have. */
export interface Pair {
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
    const before = old.operations.find((each) => nameOf(each) === nameOf(operation));
    if (before === undefined) return [];
    return [{ name: nameOf(operation), old: halfOf(old, before), next: halfOf(next, operation) }];
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
export function writtenParameters({ contract, operation, written }: Half): ReadonlyMap<string, JsonObject> {
  const { document } = contract;
  const item = follow(document, pathsOf(contract)[operation.path]);
  const lists = [isObject(item) ? item['parameters'] : undefined, written['parameters']];
  const parameters = lists.flatMap((list) => (Array.isArray(list) ? (list as readonly Json[]) : []));
  const entries = parameters.flatMap((entry) => {
    const parameter = follow(document, entry);
    return isObject(parameter) ? [[`${String(parameter['in'])} ${String(parameter['name'])}`, parameter] as const] : [];
  });
  return new Map(entries);
}

function halfOf(contract: Contract, operation: Operation): Half {
  const item = follow(contract.document, pathsOf(contract)[operation.path]);
  const written = isObject(item) ? item[operation.method.toLowerCase()] : undefined;
  return { contract, operation, written: isObject(written) ? written : operation.value };
}

function pathsOf({ document }: Contract): JsonObject {
  const paths = document.root['paths'];
  return isObject(paths) ? paths : {};
}

/**
 * Operations of two annotated contracts, paired by method and path, each with its unresolved object from the file. `compare-annotations.ts` pairs them once for
 * each comparison, and `find-list-or-resource-witness.ts` again for each witness of a single read. The compare-*.ts files of this folder and
 * `find-list-or-resource-witness.ts` read names and members from both sides of each pair; `find-request-annotation-witness.ts` and `candidate-values.ts` take
 * the types. It compares nothing; standard OpenAPI uses `collect-differences.ts` instead.
 */

import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { follow } from '../../../core/openapi/document.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { toPointer, valueAt } from '../../../core/pointer.ts';

/** Two corresponding objects with annotations, and the operations that they affect. */
export interface AnnotationContext {
  readonly old: AnnotatedObject;
  readonly new: AnnotatedObject;
  readonly operations: readonly string[];
  /** Location of the objects, if the keys do not show it: `query parameter limit`. */
  readonly location?: string;
}

/** An object of a contract as written. */
export interface AnnotatedObject {
  readonly contract: Contract;
  readonly holder: JsonObject;
}

/** An operation of one contract. `holder` is the operation as written. */
export interface AnnotatedOperation extends AnnotatedObject {
  readonly operation: Operation;
}

/** An operation that both contracts have. */
export interface AnnotatedOperationPair extends AnnotationContext {
  /** `GET /things/{id}`. */
  readonly name: string;
  readonly old: AnnotatedOperation;
  readonly new: AnnotatedOperation;
}

/** An operation that lists records in both contracts. */
export interface ListOperationPair extends AnnotatedOperationPair {
  readonly old: AnnotatedOperation & { readonly operation: ListOperation };
  readonly new: AnnotatedOperation & { readonly operation: ListOperation };
}

/** The operations of both contracts, matched by method and path, in the order of the new file. */
export function pairOperations(old: Contract, next: Contract): readonly AnnotatedOperationPair[] {
  return next.operations.flatMap((operation) => {
    const name = operationName(operation);
    const before = old.operations.find((each) => operationName(each) === name);
    return before === undefined
      ? []
      : [{ name, operations: [name], old: annotatedOperation(old, before), new: annotatedOperation(next, operation) }];
  });
}

/** Name of an operation in reports. */
export function operationName({ method, path }: Operation): string {
  return `${method} ${path}`;
}

/** True if the operation lists records in both contracts. */
export function isListOperationPair(pair: AnnotatedOperationPair): pair is ListOperationPair {
  return isList(pair.old.operation) && isList(pair.new.operation);
}

/** Parameters of an operation as written, by location and name. */
export function writtenParameters({ contract, operation, holder }: AnnotatedOperation): ReadonlyMap<string, JsonObject> {
  const lists = [pathItemOf(contract, operation)['parameters'], holder['parameters']];
  const parameters = lists.flatMap((list) => (Array.isArray(list) ? (list as readonly Json[]) : []));
  const entries = parameters.flatMap((entry) => {
    const parameter = follow(contract.document, entry);
    return isObject(parameter) ? [[`${String(parameter['in'])} ${String(parameter['name'])}`, parameter] as const] : [];
  });
  return new Map(entries);
}

function annotatedOperation(contract: Contract, operation: Operation): AnnotatedOperation {
  const written = pathItemOf(contract, operation)[operation.method.toLowerCase()];
  return { contract, operation, holder: isObject(written) ? written : operation.value };
}

function pathItemOf({ document }: Contract, { path }: Operation): JsonObject {
  const item = follow(document, objectAt(document.root, ['paths'])[path]);
  return isObject(item) ? item : {};
}

/** The object under a list of keys; empty if absent. */
export function objectAt(holder: JsonObject, keys: readonly string[]): JsonObject {
  const object = valueAt(holder, toPointer(keys));
  return isObject(object) ? object : {};
}

/** Names of the members that either side has under a list of keys. */
export function namesAt({ old, new: next }: Pick<AnnotationContext, 'old' | 'new'>, keys: readonly string[]): readonly string[] {
  return [...new Set([old, next].flatMap(({ holder }) => Object.keys(objectAt(holder, keys))))];
}

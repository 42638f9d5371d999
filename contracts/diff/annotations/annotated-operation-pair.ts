/** The operations that both annotated contracts have. Annotations are compared as written, so each operation comes with its unresolved object from the file. */

import { isObject, type JsonObject } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { rawOf } from '../../../core/openapi/raw-document.ts';
import { copyOrigin } from '../../../core/openapi/source-positions.ts';
import { toPointer, valueAt } from '../../../core/pointer.ts';
import type { ExchangePart } from '../exchange-place.ts';
import { type DocumentedOperation, pairOperations } from '../operations/documented-operations.ts';

/** Two corresponding objects with annotations, and the operations that they affect. */
export interface AnnotationContext {
  readonly old: AnnotatedObject;
  readonly new: AnnotatedObject;
  readonly operations: readonly string[];
  /** The part of the exchange that the objects are about. */
  readonly part?: ExchangePart;
}

/** An object of a contract as written. */
export interface AnnotatedObject {
  readonly contract: Contract;
  readonly holder: JsonObject;
}

/** An operation of one contract. `holder` is the operation as written. */
export interface AnnotatedOperation extends AnnotatedObject, Pick<DocumentedOperation, 'parameters'> {
  readonly operation: Operation;
}

/** An operation that both contracts have. */
export interface AnnotatedOperationPair extends AnnotationContext {
  /** `GET /things/{id}`, by the new contract. */
  readonly name: string;
  /** New names of renamed path parameters, by the old name. */
  readonly newNames: ReadonlyMap<string, string>;
  readonly old: AnnotatedOperation;
  readonly new: AnnotatedOperation;
}

/** An operation that lists records in both contracts. */
export interface ListOperationPair extends AnnotatedOperationPair {
  readonly old: AnnotatedOperation & { readonly operation: ListOperation };
  readonly new: AnnotatedOperation & { readonly operation: ListOperation };
}

/** The operations of both contracts, paired as for the comparison of standard OpenAPI. */
export function pairAnnotatedOperations(old: Contract, next: Contract): readonly AnnotatedOperationPair[] {
  return pairOperations(rawOf(old.document), rawOf(next.document)).flatMap(({ old: oldOperation, new: newOperation }) => {
    const [before, after] = [annotatedOperation(old, oldOperation), annotatedOperation(next, newOperation)];
    if (before === undefined || after === undefined) return [];
    const name = operationName(after.operation);
    const newNames = newNamesInPath(before, after);
    return [{ name, operations: [name], newNames, old: { ...before, holder: withNewNames(before.holder, newNames) }, new: after }];
  });
}

function annotatedOperation(contract: Contract, documented: DocumentedOperation | undefined): AnnotatedOperation | undefined {
  const operation = contract.operations.find((each) => operationName(each) === documented?.name);
  return operation && documented && { contract, operation, holder: documented.value, parameters: documented.parameters };
}

function newNamesInPath({ parameters: old }: AnnotatedOperation, { parameters: next }: AnnotatedOperation): ReadonlyMap<string, string> {
  return new Map(
    [...old].flatMap(([id, { in: place, name }]) => {
      const newName = next.get(id)?.name ?? name;
      return place === 'path' && newName !== name ? [[name, newName] as const] : [];
    }),
  );
}

/** An operation as written, with the new names of path parameters in its annotations, because clients never see these names. */
function withNewNames(holder: JsonObject, newNames: ReadonlyMap<string, string>): JsonObject {
  if (newNames.size === 0) return holder;
  const withMember = (object: JsonObject, key: string, change: (value: JsonObject) => JsonObject): JsonObject => {
    const value = object[key];
    return isObject(value) ? copyOrigin(object, { ...object, [key]: change(value) }) : object;
  };
  const oldNames = new Map([...newNames].map(([from, to]) => [to, from]));
  const rename = (object: JsonObject): JsonObject =>
    copyOrigin(object, Object.fromEntries(Object.entries(object).map(([key, value]) => [newNames.get(key) ?? key, value])), oldNames);
  const renamed = withMember(holder, 'x-collection', (list) => withMember(list, 'filters', rename));
  return withMember(renamed, 'x-resource', (read) => withMember(read, 'by', rename));
}

/** Name of an operation in reports. */
function operationName({ method, path }: Operation): string {
  return `${method} ${path}`;
}

/** True if the operation lists records in both contracts. */
export function isListOperationPair(pair: AnnotatedOperationPair): pair is ListOperationPair {
  return isList(pair.old.operation) && isList(pair.new.operation);
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

/**
 * Pointers and edits of a contract that mutants share, and tests if the contract states the rule that a mutant breaks. `contract-edit-mutants.ts` and
 * `page-mutants.ts` call it when mutants are listed. So do `answer-mutants.ts`, `list-mutants.ts` and `read-mutants.ts` of the mock. It defines no mutant.
 */

import type { InvalidClass } from '../annotations/annotations.ts';
import { arrayOrEmpty, isObject, type Json, type JsonObject } from '../json.ts';
import type { Contract } from '../openapi/contract.ts';
import { type Document, follow } from '../openapi/document.ts';
import type { Edit } from '../openapi/edit-document.ts';
import type { Operation } from '../openapi/operation.ts';
import { fromPointer, toPointer, valueAt } from '../pointer.ts';

/** The pointer of a parameter of an operation in the closed document, where the operation or its path declares it. */
export function parameterPointer(operation: Operation, name: string): string {
  const path = toPointer(['paths', operation.path]);
  const item = follow(operation.document, valueAt(operation.document.root, path));
  const ownIndex = indexOf(operation.document, operation.value['parameters'], name);
  if (ownIndex >= 0) return `${operation.pointer}/parameters/${ownIndex}`;
  return `${path}/parameters/${indexOf(operation.document, valueAt(item, '/parameters'), name)}`;
}

function indexOf(document: Document, parameters: Json | undefined, name: string): number {
  return arrayOrEmpty(parameters).findIndex((entry) => valueAt(follow(document, entry), '/name') === name);
}

/** True when a document has a value at a pointer. References are followed, as edits do. */
export function hasValueAt(document: Document, pointer: string): boolean {
  const target = fromPointer(pointer).reduce<Json | undefined>(
    (value, key) => valueAt(follow(document, value), toPointer([key])),
    document.root,
  );
  return target !== undefined;
}

/** The requirements that an operation has, its own or those of the whole file. */
export function requirementsOf(operation: Operation): readonly JsonObject[] {
  const requirements = operation.value['security'] ?? operation.document.root['security'];
  return arrayOrEmpty(requirements).filter(isObject);
}

/** The edit that gives an operation other security requirements. */
export function securityEdit(operation: Operation, requirements: readonly JsonObject[]): Edit {
  return { op: 'add', at: `${operation.pointer}/security`, value: requirements };
}

/** True when the contract specifies the response to an invalid value. */
export function isAnswerStated(contract: Contract, operation: Operation, parameter: string, problem: InvalidClass): boolean {
  const parameterReaction = operation.parameters.find((each) => each.key === parameter)?.invalid[problem];
  const writtenReaction = valueAt(contract.document.root, `/x-invalid/${problem}`);
  return parameterReaction !== undefined || typeof writtenReaction === 'string';
}

/** True when an operation's extension has no open part. */
export function isFullyStated(contract: Contract, operation: Operation, pointer: string): boolean {
  const extension = valueAt(contract.document.root, `${operation.pointer}${pointer}`);
  return extension !== undefined && !(isObject(extension) && extension['unspecified'] !== undefined);
}

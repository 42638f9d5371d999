/**
 * Where the body of a single read has its record, by the contract alone. If the place is an open question, the schema of the body has a branch for each choice.
 */

import { isObject, type Json } from '../json.ts';
import type { Document } from '../openapi/document.ts';
import type { Operation } from '../openapi/operation.ts';
import { certainSchemas, isSchema, type Schema, schemasAt } from '../openapi/schema-facts.ts';
import { fromPointer } from '../pointer.ts';
import type { Question } from './open-questions.ts';

/** The part of a contract that says where a record may be. */
interface ContractWithQuestions {
  readonly questions: ReadonlyMap<string, Question>;
}

/** Lists the JSON Pointers at which a single read may return its record. */
export function recordPlacesOf(contract: ContractWithQuestions, operation: Operation): readonly string[] {
  const statedPlace = operation.resource?.at;
  const choices = [...(placeQuestionOf(contract, operation)?.choices.values() ?? [])].filter((choice) => typeof choice === 'string');
  return choices.length > 0 ? [...new Set(choices)] : statedPlace === undefined ? [] : [statedPlace];
}

/** Returns the open question about the place of the record; `undefined` if the contract states the place. */
export function placeQuestionOf(contract: ContractWithQuestions, operation: Operation): Question | undefined {
  return [...contract.questions.values()].find(({ pointers }) => pointers.includes(`${operation.pointer}/x-resource/at`));
}

/** The branch of a schema that has the record at one place. */
export interface PlaceBranch {
  readonly place: string;
  /** Schema of the whole body: instances have the record at the place. */
  readonly schema: Schema;
  /** Lists the schemas that may apply at a pointer, without those of the other branches. */
  readonly schemasAt: (pointer: string) => readonly Schema[];
}

/** Finds the branch of `anyOf` or `oneOf` that has the record at a place, recognised by its identifying field; `undefined` if none or all have it. */
export function schemaBranchAt(document: Document, schema: Schema, operation: Operation, place: string): PlaceBranch | undefined {
  const fields = [...(operation.resource?.by.values() ?? [])].map(fromPointer);
  const keys = fromPointer(place);
  for (let depth = 0; depth <= keys.length; depth += 1) {
    const keysBelow = keys.slice(depth);
    for (const branches of branchesOf(certainAt(document, schema, keys.slice(0, depth)))) {
      const branchesWithRecord = branches.filter((branch) => hasRecord(document, branch, keysBelow, fields));
      if (branchesWithRecord.length === 0 || branchesWithRecord.length === branches.length) continue;
      const toBodySchema = (each: Schema): Schema => atPath(keys.slice(0, depth), each);
      const [onlyBranch = true, ...furtherBranches] = branchesWithRecord;
      const branchSchema = toBodySchema(furtherBranches.length === 0 ? onlyBranch : { anyOf: branchesWithRecord.filter(isObject) });
      const otherSchemas = branches.filter((branch) => !branchesWithRecord.includes(branch)).map(toBodySchema);
      return { place, schema: branchSchema, schemasAt: (pointer) => withoutOthers(document, schema, branchSchema, otherSchemas, pointer) };
    }
  }
  return undefined;
}

function withoutOthers(
  document: Document,
  bodySchema: Schema,
  branchSchema: Schema,
  otherSchemas: readonly Schema[],
  pointer: string,
): readonly Schema[] {
  const branchSchemas = new Set(schemasAt(document, branchSchema, pointer));
  const foreignSchemas = new Set(
    otherSchemas.flatMap((other) => schemasAt(document, other, pointer)).filter((each) => !branchSchemas.has(each)),
  );
  return schemasAt(document, bodySchema, pointer).filter((each) => !foreignSchemas.has(each));
}

function branchesOf(schemas: readonly Schema[]): readonly (readonly Schema[])[] {
  const lists = schemas.filter(isObject).flatMap(({ anyOf, oneOf }) => [anyOf, oneOf]);
  return lists.filter((list): list is readonly Json[] => Array.isArray(list)).map((list) => list.filter(isSchema));
}

/** Lists the schemas that certainly apply to the value at a path. */
function certainAt(document: Document, schema: Schema, path: readonly string[]): readonly Schema[] {
  let current = certainSchemas(document, schema);
  for (const key of path) {
    const members = current.filter(isObject).map(({ properties }) => (isObject(properties) ? properties[key] : undefined));
    current = members.filter(isSchema).flatMap((member) => certainSchemas(document, member));
  }
  return current;
}

/** True if a schema requires an object at a path, and defines a field there that names the record. */
function hasRecord(document: Document, schema: Schema, path: readonly string[], fields: readonly (readonly string[])[]): boolean {
  const isRequired = path.every((key, depth) =>
    certainAt(document, schema, path.slice(0, depth)).some(
      (each) => isObject(each) && Array.isArray(each['required']) && each['required'].includes(key),
    ),
  );
  return isRequired && fields.some((field) => certainAt(document, schema, [...path, ...field]).length > 0);
}

function atPath(path: readonly string[], schema: Schema): Schema {
  return path.reduceRight<Schema>(
    (memberSchema, key) => ({ type: 'object', required: [key], properties: { [key]: memberSchema } }),
    schema,
  );
}

/** Loads the two files of a comparison: always as documents, and as contracts if they have annotations. */

import path from 'node:path';
import { isAnnotation } from '../../core/annotations/is-annotation.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { equal } from '../../core/json-equality.ts';
import { memoize } from '../../core/memo.ts';
import { type Contract, contractOfDocument, type LoadOptions, openDocument, uncheckedContractOf } from '../../core/openapi/contract.ts';
import type { Document, ReadText } from '../../core/openapi/document.ts';
import { refuseTogether } from '../../core/openapi/mending/set-aside.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { createDocument, follow, rawOf } from '../../core/openapi/raw-document.ts';
import { readOperations } from '../../core/openapi/read-operations.ts';
import { copyOrigin } from '../../core/openapi/source-positions.ts';
import { createValidators } from '../../core/openapi/validator.ts';

/** A file loaded for comparison: the document, and the contract if the file has annotations. */
export interface LoadedContract {
  readonly document: Document;
  readonly contract: Contract | undefined;
}

/** The two files of a comparison. */
export type LoadedContractPair = readonly [old: LoadedContract, next: LoadedContract];

/**
 * Loads the two files. Equal files are not read any further.
 * @throws {UsageError} when a file cannot be read.
 * @throws {SpecError} when one is not OpenAPI 3, or has a reference without a target.
 */
export async function loadContractPair(
  old: string,
  next: string,
  read?: ReadText,
  { strict = false }: LoadOptions = {},
): Promise<LoadedContractPair> {
  // The old file is as it is: only a mistake of the new one can still be corrected.
  const [before, after] = [await openDocument(old, read), await openDocument(next, read, { strict })];
  if (strict) refuseTogether(after.setAside);
  const isSame = areSame(before, after);
  const load = async (document: Document): Promise<LoadedContract> => ({
    document,
    contract: isAnnotated(rawOf(document).root) && !isSame ? await contractOfDocument(document) : undefined,
  });
  const versions = [await load(before), await load(after)] as const;
  // A schema that cannot be compiled is a mistake of the new contract. The old one was compiled when it was new.
  refuseTogether(versions[1].contract?.validators.prepare() ?? []);
  return versions;
}

/** True if both files have the same content. Their names do not matter. */
export function areSame(old: Document, next: Document): boolean {
  const contentOf = (document: Document): Json => {
    const { file, files } = rawOf(document);
    return [...files].map(([name, root]) => [name === file ? '' : path.relative(path.dirname(file), name), root]);
  };
  return equal(contentOf(old), contentOf(next));
}

/** True if a file has annotations. Only then is it loaded as a contract, which checks more. */
function isAnnotated(root: JsonObject): boolean {
  return isAnnotation('x-api', root['x-api']) || isObject(root['x-unspecified']);
}

/** The contract of a file, with or without annotations. */
export function asContract({ document, contract }: LoadedContract): Contract {
  return contract ?? uncheckedContractOf(withoutAnnotations(document));
}

/** Reads single operations of a file, by names such as `GET /orders`. */
export function operationReader({ document, contract }: LoadedContract): (name: string) => Operation | undefined {
  const plain = withoutAnnotations(document);
  const validators = createValidators(plain, { isTolerant: true });
  const readPath = memoize((template: string) => readOperations(plain, validators, template).operations);
  return (name) => {
    const operations = contract?.operations ?? readPath(name.slice(name.indexOf(' ') + 1));
    return operations.find((each) => `${each.method} ${each.path}` === name);
  };
}

/** A document without the extensions of the file and of its operations. */
function withoutAnnotations(document: Document): Document {
  const copyOperation = (value: Json): Json => (isObject(value) ? withMembers(value, (member) => member) : value);
  const copyPathItem = (value: Json): Json => {
    const pathItem = follow(document, value);
    return isObject(pathItem) ? withMembers(pathItem, copyOperation) : value;
  };
  const root = withMembers(rawOf(document).root, (value, name) =>
    name === 'paths' && isObject(value) ? withMembers(value, copyPathItem) : value,
  );
  return createDocument(document.file, new Map([...rawOf(document).files, [document.file, root]]));
}

/** A copy of an object with the same place, with changed members and without extensions. */
function withMembers(object: JsonObject, change: (value: Json, name: string) => Json): JsonObject {
  const members = Object.entries(object).filter(([name]) => !name.startsWith('x-'));
  const copy = Object.fromEntries(members.map(([name, value]) => [name, change(value, name)]));
  copyOrigin(object, copy);
  return copy;
}

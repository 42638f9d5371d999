/** Turns ajv's errors into violations: each with its line in the contract, without errors that only repeat another. */

import type { ErrorObject } from 'ajv';
import { nearest, type SourceLocation } from '../errors.ts';
import { isObject, type Json } from '../json.ts';
import { valueAt } from '../pointer.ts';
import type { Document } from './document.ts';

/** One thing that is wrong with an instance, and the line of the contract that says so. */
export interface SchemaViolation {
  /** JSON Pointer of the place in the instance. */
  readonly path: string;
  /** The keyword that refuses, such as `type` or `required`. */
  readonly keyword: string;
  /** The expectation, in ajv's words. */
  readonly message: string;
  /** The value that was found at `path`. */
  readonly found: Json | undefined;
  /** The member that must not be there, when that is what is wrong. */
  readonly unknownKey: string | undefined;
  /** Place of the keyword in the contract. */
  readonly place: SourceLocation;
}

/** The schemas that stand for `false`. */
export const standsForFalse: WeakSet<object> = new WeakSet();

/** More is wrong with no value that anybody reads to its end. */
const [violationsMost, errorsMost] = [1000, 20_000];

/** The violations that ajv's errors tell of, up to a thousand. */
export function toViolations(document: Document, errors: readonly ErrorObject[], instance: Json): readonly SchemaViolation[] {
  return tidy(errors.slice(0, errorsMost))
    .slice(0, violationsMost)
    .map((error) => toViolation(document, error, instance));
}

/**
 * Keeps what a reader needs of ajv's errors. A failed `anyOf` or `oneOf` reports every branch; that a value is not of the type of some other
 * branch, such as `null` of a nullable object, says nothing where one branch got further.
 */
function tidy(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const dropped = new Set<ErrorObject>();
  for (const [index, choice] of errors.entries()) {
    if (choice.keyword !== 'anyOf' && choice.keyword !== 'oneOf') continue;
    const inside = errorsInside(errors, index, choice).filter((error) => isOfBranch(error, choice));
    const ofOtherBranches = inside.filter((error) => error.keyword === 'type' && error.instancePath === choice.instancePath);
    for (const error of ofOtherBranches) dropped.add(error);
    if (inside.length > ofOtherBranches.length) dropped.add(choice);
  }
  return errors.filter((error) => !dropped.has(error) && error.keyword !== 'if');
}

/** The errors at or below the place of a choice that come right before its own: ajv tells of all branches first. To search all errors for each choice would take minutes. */
function errorsInside(errors: readonly ErrorObject[], end: number, choice: ErrorObject): readonly ErrorObject[] {
  let start = end;
  while (start > 0 && isAtOrBelow(errors[start - 1]?.instancePath ?? '', choice.instancePath)) start -= 1;
  return errors.slice(start, end);
}

function isAtOrBelow(path: string, holder: string): boolean {
  return path === holder || path.startsWith(`${holder}/`);
}

/** True when an error comes from a branch of a choice: below it in the same schema, or through a reference. */
function isOfBranch(error: ErrorObject, choice: ErrorObject): boolean {
  const rootOf = (path: string): string => path.split('/', 1)[0] ?? '';
  return error.schemaPath.startsWith(`${choice.schemaPath}/`) || rootOf(error.schemaPath) !== rootOf(choice.schemaPath);
}

function toViolation(document: Document, error: ErrorObject, instance: Json): SchemaViolation {
  const holder: unknown = error.parentSchema;
  const isForbidden = error.keyword === 'false schema' || (typeof holder === 'object' && holder !== null && standsForFalse.has(holder));
  return {
    path: error.instancePath,
    keyword: isForbidden ? 'false' : error.keyword,
    message: isForbidden ? 'must not be there' : describe(error),
    found: valueAt(instance, error.instancePath),
    unknownKey: unknownKeyOf(error),
    place: isObject(holder) ? document.place(holder, error.keyword) : { file: document.file, line: 1, column: 1 },
  };
}

/** ajv's words, completed by what it keeps apart: which values are allowed, and which member was most likely meant. */
function describe(error: ErrorObject): string {
  const parameters: Readonly<Record<string, unknown>> = error.params;
  const { allowedValues, allowedValue } = parameters as { readonly allowedValues?: readonly unknown[]; readonly allowedValue?: unknown };
  if (allowedValues !== undefined) return `must be one of ${allowedValues.map((value) => JSON.stringify(value)).join(', ')}`;
  if (allowedValue !== undefined) return `must be ${JSON.stringify(allowedValue)}`;
  const unknown = unknownKeyOf(error);
  if (unknown === undefined) return error.message ?? error.keyword;
  const properties: unknown = (error.parentSchema as Readonly<Record<string, unknown>> | undefined)?.['properties'];
  const meant = nearest(unknown, isObject(properties) ? Object.keys(properties) : []);
  return `must not have ${unknown}; ${meant === undefined ? 'remove it or correct its name' : `is ${meant} meant?`}`;
}

function unknownKeyOf(error: ErrorObject): string | undefined {
  const parameters: Readonly<Record<string, unknown>> = error.params;
  const key = parameters['additionalProperty'] ?? parameters['unevaluatedProperty'] ?? parameters['propertyName'];
  return typeof key === 'string' ? key : undefined;
}

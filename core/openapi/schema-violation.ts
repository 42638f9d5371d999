/**
 * Converts the errors of ajv to violations with their lines in the contract, and drops errors that only repeat another. Called by validator.ts for each
 * invalid value.
 */

import type { ErrorObject } from 'ajv';
import { nearest, type SourceLocation } from '../errors.ts';
import { isObject, type Json } from '../json.ts';
import { valueAt } from '../pointer.ts';
import type { Document } from './document.ts';

/** One violation of a schema by a value. */
export interface SchemaViolation {
  /** JSON Pointer of the wrong value. */
  readonly path: string;
  /** The violated keyword, such as `type` or `required`. */
  readonly keyword: string;
  /** The expectation as a clause without a subject: `must be string`. */
  readonly message: string;
  /** The value at `path`. */
  readonly found: Json | undefined;
  /** Name of the forbidden member; `undefined` for other violations. */
  readonly unknownKey: string | undefined;
  /** Place of the keyword in the contract. */
  readonly place: SourceLocation;
}

/** The schemas that replace `false` (see validator.ts). */
export const standsForFalse: WeakSet<object> = new WeakSet();

/** Limits for one value. Nobody reads more violations. */
const [maxViolations, maxErrors] = [1000, 20_000];

/** Converts ajv's errors to violations, a thousand at most. */
export function toViolations(document: Document, errors: readonly ErrorObject[], instance: Json): readonly SchemaViolation[] {
  return tidy(errors.slice(0, maxErrors))
    .slice(0, maxViolations)
    .map((error) => toViolation(document, error, instance));
}

/**
 * Drops errors that do not help. A failed `anyOf` or `oneOf` reports every branch. A branch of another type, such as `null` of a nullable object, is not
 * the intended one.
 */
function tidy(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const dropped = new Set<ErrorObject>();
  for (const [index, choice] of errors.entries()) {
    if (choice.keyword !== 'anyOf' && choice.keyword !== 'oneOf') continue;
    const ofBranches = errorsInside(errors, index, choice).filter((error) => isOfBranch(error, choice));
    const ofOtherTypes = ofBranches.filter((error) => error.keyword === 'type' && error.instancePath === choice.instancePath);
    for (const error of ofOtherTypes) dropped.add(error);
    if (ofBranches.length > ofOtherTypes.length) dropped.add(choice);
  }
  return errors.filter((error) => !dropped.has(error) && error.keyword !== 'if');
}

/** Returns the errors at or below the place of a choice, which ajv reports directly before the choice. Searching all errors would take minutes. */
function errorsInside(errors: readonly ErrorObject[], end: number, choice: ErrorObject): readonly ErrorObject[] {
  let start = end;
  while (start > 0 && isAtOrBelow(errors[start - 1]?.instancePath ?? '', choice.instancePath)) start -= 1;
  return errors.slice(start, end);
}

function isAtOrBelow(path: string, holder: string): boolean {
  return path === holder || path.startsWith(`${holder}/`);
}

/** True if an error comes from a branch of a choice, directly or through a reference. */
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

/** Returns ajv's message with the allowed values, or with the member that was probably meant. */
function describe(error: ErrorObject): string {
  const parameters: Readonly<Record<string, unknown>> = error.params;
  const { allowedValues, allowedValue } = parameters as { readonly allowedValues?: readonly unknown[]; readonly allowedValue?: unknown };
  if (allowedValues !== undefined) return `must be one of ${allowedValues.map((value) => JSON.stringify(value)).join(', ')}`;
  if (allowedValue !== undefined) return `must be ${JSON.stringify(allowedValue)}`;
  const unknown = unknownKeyOf(error);
  if (unknown === undefined) return error.message ?? error.keyword;
  const properties: unknown = (error.parentSchema as Readonly<Record<string, unknown>> | undefined)?.['properties'];
  const similar = nearest(unknown, isObject(properties) ? Object.keys(properties) : []);
  return `must not have ${unknown}; ${similar === undefined ? 'remove it or correct its name' : `is ${similar} meant?`}`;
}

function unknownKeyOf(error: ErrorObject): string | undefined {
  const parameters: Readonly<Record<string, unknown>> = error.params;
  const key = parameters['additionalProperty'] ?? parameters['unevaluatedProperty'] ?? parameters['propertyName'];
  return typeof key === 'string' ? key : undefined;
}

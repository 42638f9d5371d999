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
  /** The expectation after the name of the value: `must be string`. */
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
 * Keeps what a reader needs of ajv's errors. A failed `anyOf` or `oneOf` reports every branch. Of these errors, only those of the branch that fits
 * best are kept; where no branch has even the right type, the choice itself is kept with all its types.
 */
function tidy(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const dropped = new Set<ErrorObject>();
  const described = new Map<ErrorObject, ErrorObject>();
  for (const [index, choice] of errors.entries()) {
    if (choice.keyword !== 'anyOf' && choice.keyword !== 'oneOf') continue;
    const inside = errorsInside(errors, index, choice).filter((error) => isOfBranch(error, choice) && !dropped.has(error));
    const kept = new Set(isMatchedTwice(choice) ? [] : errorsOfBestBranch(inside, choice));
    for (const error of inside) if (!kept.has(error)) dropped.add(error);
    if (kept.size > 0) dropped.add(choice);
    else described.set(choice, { ...choice, message: describeChoice(choice, inside) });
  }
  return errors.filter((error) => !dropped.has(error) && error.keyword !== 'if').map((error) => described.get(error) ?? error);
}

/** True for a `oneOf` of which more than one branch accepts the value. */
function isMatchedTwice({ params }: ErrorObject): boolean {
  return Array.isArray((params as Readonly<Record<string, unknown>>)['passingSchemas']);
}

/** The errors of the branch that agrees with the value the deepest, or else of the one with the fewest; none if each branch refuses its type. */
function errorsOfBestBranch(inside: readonly ErrorObject[], choice: ErrorObject): readonly ErrorObject[] {
  const branches = new Map<number, ErrorObject[]>();
  let branch = 0;
  for (const error of inside) {
    branch = branchOf(error, choice, branch);
    branches.set(branch, [...(branches.get(branch) ?? []), error]);
  }
  const ranked = [...branches.values()]
    .map((all) => ({
      all,
      mismatch: Math.max(...all.map((error) => mismatchOf(error, choice))),
      depth: Math.min(...all.map(({ instancePath }) => instancePath.split('/').length)),
    }))
    .toSorted((left, right) => left.mismatch - right.mismatch || right.depth - left.depth || left.all.length - right.all.length);
  const [best] = ranked;
  return best === undefined || best.mismatch === otherType ? [] : best.all;
}

type Branch = boolean | Readonly<Record<string, unknown>>;

/** The branch of an error. Errors of one branch follow each other; one inside a referenced schema does not name its branch, only the place of the value. */
function branchOf({ schemaPath, instancePath }: ErrorObject, choice: ErrorObject, current: number): number {
  const branches = choice.schema as readonly Branch[];
  const named = branches.findIndex((branch, index) => {
    const reference = isObject(branch) ? branch['$ref'] : undefined;
    const isReferred = typeof reference === 'string' && schemaPath.startsWith(`${reference}/`);
    return isReferred || schemaPath.startsWith(`${choice.schemaPath}/${index}/`);
  });
  if (named >= 0) return named;
  const keys = instancePath.slice(choice.instancePath.length).split('/').slice(1);
  const referring = branches.findIndex((branch, index) => index >= current && refersTo(branch, keys));
  return referring < 0 ? current : referring;
}

/** True for a schema with a reference at these members of a value, or above them. */
function refersTo(schema: unknown, [key, ...rest]: readonly string[]): boolean {
  if (!isObject(schema)) return false;
  const { $ref: reference, properties, items } = schema;
  if (reference !== undefined) return true;
  const member = isObject(properties) && key !== undefined && Object.hasOwn(properties, key) ? properties[key] : items;
  return key !== undefined && refersTo(member, rest);
}

/** Mismatches of a value with a branch: another type rules the branch out, and a constant such as `kind: card` tells branches apart. */
const [otherType, otherConstant] = [2, 1];

function mismatchOf({ keyword, instancePath, params }: ErrorObject, choice: ErrorObject): number {
  if (keyword === 'type' && instancePath === choice.instancePath) return otherType;
  const { allowedValues } = params as { readonly allowedValues?: readonly unknown[] };
  return keyword === 'const' || allowedValues?.length === 1 ? otherConstant : 0;
}

function describeChoice(choice: ErrorObject, inside: readonly ErrorObject[]): string {
  if (isMatchedTwice(choice)) return 'must match only one schema of oneOf, and matches several';
  const types = inside.flatMap(({ params }) => (params as { readonly type?: string | readonly string[] }).type ?? []);
  return types.length === 0 ? (choice.message ?? choice.keyword) : `must be ${[...new Set(types)].join(' or ')}`;
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
  if (error.keyword === 'type')
    return `must be ${[(parameters as { readonly type: string | readonly string[] }).type].flat().join(' or ')}`;
  if (unknown === undefined) return (error.message ?? error.keyword).replace('must NOT', 'must not');
  const properties: unknown = (error.parentSchema as Readonly<Record<string, unknown>> | undefined)?.['properties'];
  const similar = nearest(unknown, isObject(properties) ? Object.keys(properties) : []);
  return `must not have ${unknown}; ${similar === undefined ? 'remove it or correct its name' : `is ${similar} meant?`}`;
}

function unknownKeyOf(error: ErrorObject): string | undefined {
  const parameters: Readonly<Record<string, unknown>> = error.params;
  const key = parameters['additionalProperty'] ?? parameters['unevaluatedProperty'] ?? parameters['propertyName'];
  return typeof key === 'string' ? key : undefined;
}

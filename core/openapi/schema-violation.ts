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
  /** The expectation after the name of the value: `must be string`. */
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

/** The errors of the branch with the fewest; none if each branch refuses the type of the value. */
function errorsOfBestBranch(inside: readonly ErrorObject[], choice: ErrorObject): readonly ErrorObject[] {
  const branches = new Map<number, ErrorObject[]>();
  let branch = 0;
  for (const error of inside) {
    // Errors of one branch follow each other; one from a schema that the branch refers to does not name the branch.
    branch = branchOf(error, choice) ?? branch;
    branches.set(branch, [...(branches.get(branch) ?? []), error]);
  }
  const ranked = [...branches.values()]
    .map((all) => ({ all, distance: all.reduce((sum, error) => sum + distanceOf(error, choice), 0) }))
    .toSorted((left, right) => left.distance - right.distance);
  const [best] = ranked;
  return best === undefined || best.distance >= otherType ? [] : best.all;
}

function branchOf({ schemaPath }: ErrorObject, choice: ErrorObject): number | undefined {
  const branches = choice.schema as readonly (boolean | Readonly<Record<string, unknown>>)[];
  const index = branches.findIndex((branch, at) => {
    const reference = typeof branch === 'object' ? branch['$ref'] : undefined;
    return (
      schemaPath.startsWith(`${choice.schemaPath}/${at}/`) || (reference !== undefined && schemaPath.startsWith(`${String(reference)}/`))
    );
  });
  return index < 0 ? undefined : index;
}

/** Distances of a value from a branch: another type rules the branch out, and a constant such as `kind: card` tells branches apart. */
const [otherType, otherConstant] = [10_000, 100];

function distanceOf({ keyword, instancePath, params }: ErrorObject, choice: ErrorObject): number {
  if (keyword === 'type' && instancePath === choice.instancePath) return otherType;
  const { allowedValues } = params as { readonly allowedValues?: readonly unknown[] };
  return keyword === 'const' || allowedValues?.length === 1 ? otherConstant : 1;
}

function describeChoice(choice: ErrorObject, inside: readonly ErrorObject[]): string {
  if (isMatchedTwice(choice)) return 'must match only one schema of oneOf, and matches several';
  const types = inside.flatMap(({ params }) => (params as { readonly type?: string | readonly string[] }).type ?? []);
  return types.length === 0 ? (choice.message ?? choice.keyword) : `must be ${[...new Set(types)].join(' or ')}`;
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
  if (error.keyword === 'type')
    return `must be ${[(parameters as { readonly type: string | readonly string[] }).type].flat().join(' or ')}`;
  if (unknown === undefined) return (error.message ?? error.keyword).replace('must NOT', 'must not');
  const properties: unknown = (error.parentSchema as Readonly<Record<string, unknown>> | undefined)?.['properties'];
  const meant = nearest(unknown, isObject(properties) ? Object.keys(properties) : []);
  return `must not have ${unknown}; ${meant === undefined ? 'remove it or correct its name' : `is ${meant} meant?`}`;
}

function unknownKeyOf(error: ErrorObject): string | undefined {
  const parameters: Readonly<Record<string, unknown>> = error.params;
  const key = parameters['additionalProperty'] ?? parameters['unevaluatedProperty'] ?? parameters['propertyName'];
  return typeof key === 'string' ? key : undefined;
}

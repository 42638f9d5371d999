/**
 * Turns the errors of ajv, after a value has failed its schema, into violations that a reader can use: with their line in the contract, and without those that
 * only repeat another.
 */

import type { ErrorObject } from 'ajv';
import { didYouMean, nearest } from '../../did-you-mean.ts';
import { startOf } from '../../errors.ts';
import { isArray, isObject, type Json, type JsonObject, objectOrEmpty, printJson } from '../../json.ts';
import { getOrCompute } from '../../memo.ts';
import { fromPointer, toPointer, valueAt } from '../../pointer.ts';
import type { Document } from '../document.ts';
import type { SchemaViolation } from '../schema-violation.ts';
import { tagOf } from '../tagged-union.ts';

/** The keyword of the violations of a schema that accepts nothing. */
export type RefusalKeyword = keyof typeof refusalMessages;

const refusalMessages = {
  false: 'must not be there',
  readOnly: 'must not be sent, because it is readOnly',
  writeOnly: 'must not be returned, because it is writeOnly',
} as const;

/** Limits for one value. Nobody reads more violations. */
const [maxViolations, maxErrors] = [1000, 20_000];

/** Returns the schema of an identifier that stands in `$ref`. */
type Resolve = (identifier: string) => unknown;

/** The schemas that ajv compiled. */
export interface CompiledSchemas {
  readonly resolve: Resolve;
  /** The keyword of a schema that accepts nothing; `undefined` for any other. */
  readonly refusalOf: (schema: object) => RefusalKeyword | undefined;
}

/** Converts ajv's errors to violations, a thousand at most. */
export function toViolations(
  document: Document,
  errors: readonly ErrorObject[],
  instance: Json,
  schemas: CompiledSchemas,
): readonly SchemaViolation[] {
  const knownErrors = errors.slice(0, maxErrors);
  const conditions = listConditions(knownErrors, instance, schemas.resolve);
  return keepUsefulErrors(knownErrors, schemas.resolve)
    .slice(0, maxViolations)
    .map((error) => toViolation(document, error, instance, schemas, conditions.get(error)));
}

/** The conditions under which a value must satisfy the schema of an error, where that is a branch of a tagged union: `kind is "card"`. */
function listConditions(errors: readonly ErrorObject[], instance: Json, resolve: Resolve): ReadonlyMap<ErrorObject, string> {
  const conditions = new Map<ErrorObject, string>();
  for (const [index, choice] of errors.entries()) {
    if (choice.keyword !== 'if') continue;
    const { if: condition, then: branch } = objectOrEmpty(choice.parentSchema as JsonObject | undefined);
    const member = tagOf(condition);
    if (member === undefined) continue;
    const branchSchemas = schemasAtKeys(branch, [], resolve);
    const text = `${member} is ${printJson(valueAt(instance, choice.instancePath + toPointer([member])))}`;
    for (const error of errorsInside(errors, index, choice)) {
      const isOfBranch = error.instancePath === choice.instancePath && branchSchemas.has(error.parentSchema);
      if (isOfBranch && !conditions.has(error)) conditions.set(error, text);
    }
  }
  return conditions;
}

/**
 * Keeps what a reader needs of ajv's errors. A failed `anyOf` or `oneOf` reports every branch. Of these errors, only those of the branch that fits
 * best are kept; where no branch has even the right type, the choice itself is kept with all its types.
 */
function keepUsefulErrors(errors: readonly ErrorObject[], resolve: Resolve): readonly ErrorObject[] {
  const droppedErrors = new Set<ErrorObject>();
  // Choices lie in each other, and ask for the same places again.
  const schemasByPlace = new Map<unknown, Map<string, ReadonlySet<unknown>>>();
  const schemasAt: SchemasAt = (schema, path) => {
    const places = getOrCompute(schemasByPlace, schema, () => new Map<string, ReadonlySet<unknown>>());
    return getOrCompute(places, path, () => schemasAtKeys(schema, fromPointer(path), resolve));
  };
  const describedChoices = new Map<ErrorObject, ErrorObject>();
  for (const [index, choice] of errors.entries()) {
    if (choice.keyword !== 'anyOf' && choice.keyword !== 'oneOf') continue;
    const branches = errorsByBranch(errorsInside(errors, index, choice), choice, schemasAt).map((branchErrors) =>
      branchErrors.filter((each) => !droppedErrors.has(each)),
    );
    const innerErrors = branches.flat();
    const isListed = isMatchedTwice(choice) || constantsOf(innerErrors, choice) !== undefined;
    const keptErrors = new Set(isListed ? [] : errorsOfBestBranch(branches, choice));
    for (const error of innerErrors) if (!keptErrors.has(error)) droppedErrors.add(error);
    if (keptErrors.size > 0) droppedErrors.add(choice);
    else describedChoices.set(choice, describeChoice(choice, innerErrors));
  }
  return errors.filter((error) => !droppedErrors.has(error) && error.keyword !== 'if').map((error) => describedChoices.get(error) ?? error);
}

/** True for a `oneOf` of which more than one branch accepts the value. */
function isMatchedTwice({ params }: ErrorObject): boolean {
  return isArray((params as Readonly<Record<string, unknown>>)['passingSchemas']);
}

/**
 * The errors of the branch that knows a misspelt member by its right name, else of the one that agrees with the value the deepest, else of the one with the
 * fewest errors. Empty if each branch refuses the type of the value.
 */
function errorsOfBestBranch(branches: readonly (readonly ErrorObject[])[], choice: ErrorObject): readonly ErrorObject[] {
  const rankedBranches = branches
    .filter((errors) => errors.length > 0)
    .map((errors) => ({
      all: errors,
      mismatch: Math.max(...errors.map((error) => mismatchOf(error, choice))),
      misspelt: errors.filter(isMisspelt).length,
      depth: Math.min(...errors.map(({ instancePath }) => instancePath.split('/').length)),
    }))
    .toSorted(
      (left, right) =>
        left.mismatch - right.mismatch || right.misspelt - left.misspelt || right.depth - left.depth || left.all.length - right.all.length,
    );
  const [bestBranch] = rankedBranches;
  return bestBranch === undefined || bestBranch.mismatch === otherType ? [] : bestBranch.all;
}

/**
 * The errors of each branch of a choice. An error is of a branch whose schemas apply at the place of the value, and ajv reports branches in order. Its path
 * in the schema does not help, since it begins anew in each referenced schema.
 */
function errorsByBranch(errors: readonly ErrorObject[], choice: ErrorObject, schemasAt: SchemasAt): readonly (readonly ErrorObject[])[] {
  const branches = (choice.schema as readonly unknown[]).map((schema) => ({ schema, errors: [] as ErrorObject[] }));
  let current = 0;
  for (const error of errors) {
    const path = error.instancePath.slice(choice.instancePath.length);
    const branchIndex = branches.findIndex(({ schema }, index) => index >= current && schemasAt(schema, path).has(error.parentSchema));
    if (branchIndex < 0) continue;
    current = branchIndex;
    branches[branchIndex]?.errors.push(error);
  }
  return branches.map((branch) => branch.errors);
}

/** Keywords whose schemas apply to the value itself: one schema, or a list or an object of them. */
const inPlaceKeywords = ['not', 'if', 'then', 'else', 'allOf', 'anyOf', 'oneOf', 'dependentSchemas'];
/** Keywords whose schemas apply to each member or item. */
const memberKeywords = ['items', 'additionalProperties', 'unevaluatedProperties', 'unevaluatedItems', 'contains'];

/** The schemas at a path below a schema. */
type SchemasAt = (schema: unknown, path: string) => ReadonlySet<unknown>;

/** All schemas that apply to the value at some keys below the value of a schema. */
function schemasAtKeys(schema: unknown, keys: readonly string[], resolve: Resolve): ReadonlySet<unknown> {
  let schemas = withInPlaceSchemas([schema], resolve);
  for (const key of keys) {
    const memberSchemas = [...schemas].flatMap((each) => schemasOfMember(each, key));
    schemas = withInPlaceSchemas(memberSchemas, resolve);
  }
  return schemas;
}

function withInPlaceSchemas(schemas: readonly unknown[], resolve: Resolve): ReadonlySet<unknown> {
  const allSchemas = new Set<unknown>(schemas);
  for (const each of allSchemas) {
    if (!isObject(each)) continue;
    const { $ref: reference } = each;
    if (typeof reference === 'string') allSchemas.add(resolve(reference));
    for (const subschema of inPlaceKeywords.flatMap((keyword) => listSchemas(each[keyword]))) allSchemas.add(subschema);
  }
  return allSchemas;
}

/** The schemas in the value of a keyword. Other values among them do no harm, since no error refers to them. */
function listSchemas(value: Json | undefined): readonly unknown[] {
  return typeof value === 'object' && value !== null ? [value, ...Object.values(value)] : [];
}

function schemasOfMember(schema: unknown, key: string): readonly unknown[] {
  if (!isObject(schema)) return [];
  const { properties, prefixItems, patternProperties } = schema;
  return [
    ...(isObject(properties) && Object.hasOwn(properties, key) ? [properties[key]] : []),
    ...(isArray(prefixItems) ? [(prefixItems as readonly unknown[])[Number(key)]] : []),
    ...Object.values(objectOrEmpty(patternProperties)),
    ...memberKeywords.map((keyword) => schema[keyword]),
  ];
}

/** Mismatches of a value with a branch: another type rules the branch out, and a constant such as `kind: card` tells branches apart. */
const [otherType, otherConstant] = [2, 1];

function mismatchOf({ keyword, instancePath, params }: ErrorObject, choice: ErrorObject): number {
  if (keyword === 'type' && instancePath === choice.instancePath) return otherType;
  const { allowedValues } = params as { readonly allowedValues?: readonly unknown[] };
  return keyword === 'const' || allowedValues?.length === 1 ? otherConstant : 0;
}

/** The values of a choice whose branches are constants, which people write to describe each value; `undefined` for any other choice. */
function constantsOf(innerErrors: readonly ErrorObject[], { instancePath }: ErrorObject): readonly unknown[] | undefined {
  const lists = innerErrors.map((error) => {
    const { allowedValue, allowedValues = [allowedValue] } = error.params as Readonly<Record<'allowedValue' | 'allowedValues', unknown>>;
    return error.instancePath === instancePath && /^(?:const|enum)$/.test(error.keyword) ? allowedValues : undefined;
  });
  return lists.length > 1 && lists.every(isArray) ? lists.flat() : undefined;
}

/** The error of a choice with the constants or the types of all its branches; without these, with a message. */
function describeChoice(choice: ErrorObject, innerErrors: readonly ErrorObject[]): ErrorObject {
  if (isMatchedTwice(choice)) return { ...choice, message: 'must match exactly one schema of oneOf, but matches several' };
  const allowedValues = constantsOf(innerErrors, choice);
  if (allowedValues !== undefined) return { ...choice, params: { allowedValues } };
  const types = innerErrors.flatMap(({ params }) => (params as { readonly type?: string | readonly string[] }).type ?? []);
  return types.length === 0 ? choice : { ...choice, params: { type: [...new Set(types)] } };
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

function toViolation(
  document: Document,
  error: ErrorObject,
  instance: Json,
  { refusalOf }: CompiledSchemas,
  condition: string | undefined,
): SchemaViolation {
  const holder: unknown = error.parentSchema;
  const refusal = error.keyword === 'false schema' ? 'false' : isObject(holder) ? refusalOf(holder) : undefined;
  return {
    path: error.instancePath,
    keyword: refusal ?? error.keyword,
    message: `${refusal === undefined ? describe(error) : refusalMessages[refusal]}${condition === undefined ? '' : `, because ${condition}`}`,
    condition,
    stated: refusal === undefined ? (error.schema as Json | undefined) : false,
    allowed: refusal === undefined ? allowedBy(error) : undefined,
    found: valueAt(instance, error.instancePath),
    missingKey: error.keyword === 'required' ? (error.params as { readonly missingProperty: string }).missingProperty : undefined,
    unknownKey: unknownKeyOf(error),
    place: isObject(holder) ? document.place(holder, error.keyword) : startOf(document.file),
  };
}

/** The values that a keyword allows, as a noun; `undefined` for a keyword that lists no values or types. */
function allowedBy({ params }: ErrorObject): string | undefined {
  const { allowedValues, allowedValue, type } = params as {
    readonly allowedValues?: readonly unknown[];
    readonly allowedValue?: unknown;
    readonly type?: string | readonly string[];
  };
  if (allowedValues !== undefined) return `one of ${allowedValues.map((value) => printJson(value)).join(', ')}`;
  if (allowedValue !== undefined) return printJson(allowedValue);
  return type === undefined ? undefined : [type].flat().join(' or ');
}

/** Returns ajv's message with the allowed values, or with the member that was probably meant. */
function describe(error: ErrorObject): string {
  const allowed = allowedBy(error);
  if (allowed !== undefined) return `must be ${allowed}`;
  const unknownKey = unknownKeyOf(error);
  if (unknownKey === undefined) return (error.message ?? error.keyword).replace('must NOT', 'must not');
  return `must not have ${unknownKey}; ${didYouMean(unknownKey, knownKeys(error), 'remove it or correct its name')}`;
}

/** The members that the schema of an error describes. */
function knownKeys({ parentSchema }: ErrorObject): readonly string[] {
  const properties: unknown = (parentSchema as Readonly<Record<string, unknown>> | undefined)?.['properties'];
  return isObject(properties) ? Object.keys(properties) : [];
}

function isMisspelt(error: ErrorObject): boolean {
  const unknownKey = unknownKeyOf(error);
  return unknownKey !== undefined && nearest(unknownKey, knownKeys(error)) !== undefined;
}

function unknownKeyOf(error: ErrorObject): string | undefined {
  const parameters: Readonly<Record<string, unknown>> = error.params;
  const key = parameters['additionalProperty'] ?? parameters['unevaluatedProperty'] ?? parameters['propertyName'];
  return typeof key === 'string' ? key : undefined;
}

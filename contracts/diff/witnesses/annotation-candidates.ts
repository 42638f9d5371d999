/**
 * Candidate values and records for the witnesses of annotation changes. They are deterministic: boundary values, generated values, and copies of one small
 * record.
 */

import { type Arbitrary, check, constant, property, sample } from 'fast-check';
import type { Visibility } from '../../../core/annotations/annotations.ts';
import { isNumber, isObject, type Json, printJson, readNumber } from '../../../core/json.ts';
import type { Document } from '../../../core/openapi/document.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import { type Operation, schemaOfSuccess } from '../../../core/openapi/operation.ts';
import { mergedBranchKeywords, type Schema, schemasAt } from '../../../core/openapi/schema-facts.ts';
import type { Validator } from '../../../core/openapi/validator.ts';
import type { Parameter } from '../../../core/parameters/parse-parameter.ts';
import { toPointer, valueAt, withValueAt } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { Unsatisfiable, Unsupported } from '../../../generators/generation-errors.ts';
import { isSendable } from '../../../generators/requests/parameter-values.ts';
import { bodiesFor, type GeneratedBody } from '../../../generators/requests/request-bodies.ts';
import { arbitraryFor } from '../../../generators/schema-arbitrary.ts';
import type { ListOperationPair } from '../annotations/annotated-operation-pair.ts';

/** Values that schemas list, then common values of every type. Many of them violate the schemas, so callers filter. */
function candidateValues(document: Document, schemas: readonly Schema[]): readonly Json[] {
  return distinct([...schemas.flatMap((schema) => listedBy(document, schema)), ...commonValues]);
}

/** Valid values of a parameter: its listed values, the values in `more`, and common values. */
export function parameterValues({ document }: Operation, parameter: Parameter, more: readonly Json[] = []): readonly Json[] {
  const isList = parameter.style.shape === 'list';
  const scalars = [...parameter.allowed, ...more, ...candidateValues(document, [parameter.schema])].filter(
    (value) => typeof value !== 'object',
  );
  const values = isList ? [...scalars.map((value) => [value]), ...scalars.slice(1).map((value) => [scalars[0] ?? value, value])] : scalars;
  return values.filter((value) => parameter.validate(value).length === 0);
}

/** Limit of drawn values of a parameter. */
const maxDraws = 20;

/** A value of a parameter that can be sent: an example if there is one, since a server probably has its record; else its name as a placeholder, or 1. */
export function exampleValue(operation: Operation, parameter: Parameter): Json | undefined {
  const canBeSent = (value: Json): boolean => isSendable(parameter, value);
  const listed = [...parameter.examples, parameter.name, 1, ...parameterValues(operation, parameter)].find(canBeSent);
  return listed ?? drawSmallest(() => arbitraryFor(parameter.schema, { document: operation.document }), canBeSent, maxDraws);
}

/** A small body of an operation that requires one; `undefined` if it is optional or cannot be JSON. */
export function drawRequiredBody(operation: Operation): GeneratedBody | undefined {
  return drawSmallest(
    () => bodiesFor(operation) ?? constant(undefined),
    // Any value fits, so an optional body shrinks to none.
    () => true,
    1,
  );
}

/** Distinct values. */
function distinct(values: readonly Json[]): readonly Json[] {
  return [...new Map(values.map((value) => [printJson(value), value])).values()];
}

/** Neighbours of an integer. */
function neighbours(value: Json): readonly Json[] {
  if (typeof value === 'bigint') return [value - 1n, value + 1n].map((each) => readNumber(String(each)));
  return typeof value === 'number' && Number.isInteger(value) ? [value - 1, value + 1] : [];
}

function listedBy(document: Document, schema: Schema): readonly Json[] {
  const { enum: values, const: onlyValue, minimum, maximum } = mergedBranchKeywords(document, schema);
  const bounds = [minimum, maximum].flatMap((bound) => (isNumber(bound) ? [bound, ...neighbours(bound)] : []));
  const listed = Array.isArray(values) ? (values as readonly Json[]) : onlyValue === undefined ? [] : [onlyValue];
  return [...listed.filter((value) => !isObject(value)), ...bounds];
}

/** Chosen so that numeric and text order differ, as do the orders of instants and of calendar days. */
const commonValues: readonly Json[] = [
  ...[1, 2, 10],
  ...['Alpha', 'alpha', 'Álpha', 'Beta', '2', '10'],
  ...['2026-03-10T12:00:00Z', '2026-03-10T12:00:01Z', '2026-03-10T13:00:00+01:00', '2026-03-09T23:30:00-02:00', '2026-03-11T12:00:00Z'],
  ...['2026-03-10', '2026-03-09', '2026-03-11'],
  ...['2026-03-10 12:00:00', '2026-03-10 12:00:01', '2026-03-11 12:00:00'],
  ...['2026-03-10T12:00:00', '2026-03-10T12:00:01', '2026-03-11T12:00:00'],
  ...['12:00', '12:01', '12:00:00', '12:00:01'],
  ...[1.5, true, false],
];

/** Fixed, so that the same contracts yield the same witnesses. */
const seed = 20_261;

/** Draws up to `runs` values until one fits, and shrinks it. Returns `undefined` if none fits or none can be generated. */
export function drawSmallest<T>(open: () => Arbitrary<T>, fits: (value: T) => boolean, runs: number): T | undefined {
  const arbitrary = openOrNone(open);
  if (arbitrary === undefined) return undefined;
  const { counterexample, errorInstance, failed } = check(
    property(arbitrary, (value) => {
      if (fits(value)) throw new FoundFit();
    }),
    { seed, numRuns: runs },
  );
  // Any other error is a bug in the generator or in `fits`.
  if (failed && !(errorInstance instanceof FoundFit)) throw errorInstance;
  return counterexample?.[0];
}

/** Draws a number of values; an empty list if none can be generated. */
function drawSome<T>(open: () => Arbitrary<T>, number: number): readonly T[] {
  const arbitrary = openOrNone(open);
  return arbitrary === undefined ? [] : sample(arbitrary, { seed, numRuns: number });
}

/** Thrown to stop at a value that fits. */
class FoundFit extends Error {}

/** The arbitrary; `undefined` if no instance of the schema can be generated. */
function openOrNone<T>(open: () => Arbitrary<T>): Arbitrary<T> | undefined {
  try {
    return open();
  } catch (error) {
    if (error instanceof Unsatisfiable || error instanceof Unsupported) return undefined;
    throw error;
  }
}

/** Records for the trials of one list. */
export interface CandidateRecords {
  /** The smallest record found. */
  readonly base: DataRecord;
  /** True if the schemas of both lists allow a record. If the new list refuses even `base`, only the old list is asked. */
  readonly allows: (record: DataRecord) => boolean;
  /** Values that a field of `base` may have. */
  readonly valuesAt: (field: string) => readonly Json[];
}

const candidatesByPair = new WeakMap<ListOperationPair, CandidateRecords | undefined>();

/** Candidate records of a list; `undefined` if no body with a record can be generated. */
export function candidateRecords(pair: ListOperationPair): CandidateRecords | undefined {
  if (!candidatesByPair.has(pair)) candidatesByPair.set(pair, createCandidates(pair));
  return candidatesByPair.get(pair);
}

/** Limit of bodies drawn until one has a record. */
const bodiesDrawn = 60;

/** Number of further records drawn for their values. */
const furtherRecords = 12;

function createCandidates({ old, new: next }: ListOperationPair): CandidateRecords | undefined {
  const schema = schemaOfSuccess(old.operation.responses);
  if (schema === undefined) return undefined;
  const { document } = old.operation;
  const recordOf = (page: Json): Json | undefined => valueAt(page, `${old.operation.collection.items}/0`);
  const open = (): ReturnType<typeof arbitraryFor> => arbitraryFor(schema, { document });
  const body = drawSmallest(open, (value) => isObject(recordOf(value)), bodiesDrawn);
  const first = body === undefined ? undefined : recordOf(body);
  if (body === undefined || !isObject(first)) return undefined;
  const before = recordValidator(old.operation, body);
  const after = recordValidator(next.operation, body);
  const isAllowedByBoth = before(first) && after(first);
  const allows = (record: DataRecord): boolean => before(record) && (!isAllowedByBoth || after(record));
  const others = drawSome(open, furtherRecords).flatMap((each) => recordOf(each) ?? []);
  const visibilities = [next, old].flatMap(({ operation: { collection } }) => collection.visible ?? []);
  const valuesAt = memoizeByText((field: string) => {
    const visibleValues = visibilities.flatMap((visible) => (visible.field === field ? visible.shown : []));
    return fieldValues(old.operation, schema, field, [...visibleValues, ...valuesInRecords(others, field)], first, allows);
  });
  const { key } = old.operation.collection;
  const withKey = withField(first, key, valuesAt(key)[0] ?? valueAt(first, key) ?? null);
  return { base: visibilities.reduce((record, visible) => makeVisible(record, visible, allows), withKey), allows, valuesAt };
}

/** The record with an allowed value that makes it visible; the record itself if no such value exists. */
function makeVisible(record: DataRecord, { field, shown }: Visibility, allows: CandidateRecords['allows']): DataRecord {
  return shown.map((value) => withField(record, field, value)).find(allows) ?? record;
}

function valuesInRecords(records: readonly Json[], field: string): readonly Json[] {
  return records.flatMap((record) => valueAt(record, field) ?? []).filter((value) => !isObject(value));
}

/** Validates a record as the only one in a body of the list, without the fields that the schema of the list forbids. */
function recordValidator({ responses, collection, document }: ListOperation, body: Json): (record: DataRecord) => boolean {
  const validate = validatorOf(responses);
  const schema = schemaOfSuccess(responses) ?? true;
  const isForbidden = memoizeByText((name: string) =>
    schemasAt(document, schema, `${collection.items}/0${toPointer([name])}`).includes(false),
  );
  return (record) => {
    const allowedFields = Object.fromEntries(Object.entries(record).filter(([name]) => !isForbidden(name)));
    return validate?.(withValueAt(body, collection.items, [allowedFields])).length === 0;
  };
}

function validatorOf(responses: ListOperation['responses']): Validator | undefined {
  const schema = schemaOfSuccess(responses);
  const contents = [...responses.values()].flatMap(({ content }) => [...content.values()]);
  return contents.find((content) => content.schema === schema)?.validate;
}

function fieldValues(
  { document, collection }: ListOperation,
  schema: Schema,
  field: string,
  more: readonly Json[],
  base: DataRecord,
  allows: (record: DataRecord) => boolean,
): readonly Json[] {
  const schemas = schemasAt(document, schema, `${collection.items}/0${field}`);
  const values = distinct([...candidateValues(document, schemas), valueAt(base, field) ?? null, ...more, ...more.flatMap(neighbours)]);
  return values.filter((value) => allows(withField(base, field, value)));
}

/** A copy of a record with another value in a field. */
export function withField(record: DataRecord, field: string, value: Json): DataRecord {
  const changed = withValueAt(record, field, value);
  return isObject(changed) ? changed : record;
}

/** A function that keeps its results by the JSON text of their key. */
export function memoizeByText<K extends Json, T>(make: (key: K) => T): (key: K) => T {
  const results = new Map<string, T>();
  return (key) => {
    const text = printJson(key);
    const result = results.has(text) ? (results.get(text) as T) : make(key);
    results.set(text, result);
    return result;
  };
}

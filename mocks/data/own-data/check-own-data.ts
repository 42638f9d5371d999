/**
 * Checks a user's own data against the contract, at the start and on each reload, before it is served: schemas, keys, and the fields that lists order and
 * filter by. It notes mistakes and throws nothing.
 */

import type { ComparisonName } from '../../../core/annotations/annotations.ts';
import { formatLocation } from '../../../core/errors.ts';
import { isNumber, type Json, type JsonObject, printJson } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { schemaOfSuccess } from '../../../core/openapi/operation.ts';
import { constantsOf, type Schema, schemasAt } from '../../../core/openapi/schema-facts.ts';
import type { SchemaViolation } from '../../../core/openapi/schema-violation.ts';
import { fromPointer, toPointer, valueAt, withValueAt } from '../../../core/pointer.ts';
import { parseInstant } from '../../../core/query/instants.ts';
import { isPersonalAt, personalPlaceholder } from '../../../core/redaction/mask-personal-data.ts';
import { chooseLastPageCursor } from '../../handler/choose-last-page-cursor.ts';
import { createFit } from '../../handler/fit-record-to-schema.ts';
import { planWorld, type WorldCollection } from '../../world/plan-world.ts';
import { describeOwnValue, type OwnCollection, type OwnContent, type OwnFile, type OwnRecord } from './parse-own-data-file.ts';

/** Checks the content of a file against a contract, and notes mistakes. */
export function checkOwnData(file: OwnFile, contract: Contract, content: OwnContent): void {
  for (const { collections, resources } of content.values()) {
    for (const [name, collection] of collections) checkCollection(file, contract, name, collection);
    for (const [name, resource] of resources) {
      if (resource === 'none') continue;
      for (const [view, value] of resource) checkValue(file, contract, placesOfResource(contract, name, view), value);
    }
  }
}

function checkCollection(file: OwnFile, contract: Contract, name: string, { records = [], head, extend }: OwnCollection): void {
  const annotated = contract.collections.find((collection) => collection.name === name);
  const inferred = annotated === undefined ? planWorld(contract).collections.find((collection) => collection.name === name) : undefined;
  const places = inferred === undefined ? placesOfRecord(contract, name) : placesOfInferred(contract, inferred);
  const fields = comparedFields(contract, name);
  const key = annotated?.key ?? inferred?.key.value ?? '';
  const [first] = records;
  if (inferred !== undefined && extend && first !== undefined)
    file.note(first.path.slice(0, -1), `${name} is inferred, and cannot be extended; give all its records`);
  const quote = createQuote(contract, places);
  const recordsByKey = new Map<string, OwnRecord>();
  for (const entry of records) {
    const invalidPointers = checkValue(file, contract, places, entry);
    for (const [pointer, kind] of fields) if (!invalidPointers.has(pointer)) checkComparable(file, entry, pointer, kind, quote);
    checkKey(file, entry, key, recordsByKey, quote);
  }
  if (head === undefined) return;
  const lists = placesOfHead(contract, name);
  if (lists.length === 0) file.note(head.path, `the list of ${name} has no head in this contract; remove the head`);
  else checkValue(file, contract, lists, head);
}

/** Validates a value at each place of a response, up to the first with violations. Returns the pointers of the violations. */
function checkValue(file: OwnFile, contract: Contract, places: readonly ResponsePlace[], { record, path }: OwnRecord): ReadonlySet<string> {
  const quote = createQuote(contract, places);
  for (const { validate, operation } of places) {
    const violations = validate(record);
    for (const violation of violations) {
      const violatedClause = `${operation.id} would break ${formatLocation(violation.place)}`;
      file.note([...path, ...fromPointer(violation.path)], `${describeViolation(violation, record, quote)} (${violatedClause})`);
    }
    if (violations.length > 0) return new Set(violations.map((violation) => violation.path));
  }
  return new Set();
}

/** Prints a value of a record for a message. */
type Quote = (value: Json, pointer: string) => string;

/** Creates the function that masks values which are personal in one of the places, since messages end up in logs. */
function createQuote({ closed }: Contract, places: readonly ResponsePlace[]): Quote {
  return (value, pointer) =>
    places.some(({ schemas }) => schemas.some((schema) => isPersonalAt(closed, schema, pointer)))
      ? personalPlaceholder
      : describeOwnValue(value);
}

/** Describes a violation with the invalid value, unless it is an object or a list. */
function describeViolation(violation: SchemaViolation, record: JsonObject, quote: Quote): string {
  const { path, message, keyword } = violation;
  const value = valueAt(record, path);
  const missing = missingOf(violation);
  if (missing !== undefined && valueAt(record, missing) === null)
    return `${missing.slice(path.length + 1)} is null, and the mock's profile gives each record a value; write one, or choose a profile that allows null`;
  const isScalar = value !== undefined && (typeof value !== 'object' || value === null) && keyword !== 'required';
  return isScalar ? `${quote(value, path)} ${message}` : message;
}

/** Returns the pointer of the missing member, if that is the violation. */
function missingOf({ keyword, path, message }: SchemaViolation): string | undefined {
  const name = keyword === 'required' ? /'(.*)'/.exec(message)?.[1] : undefined;
  return name === undefined ? undefined : path + toPointer([name]);
}

/** Returns the fields that lists of a collection compare, with the kind of comparison. */
function comparedFields(contract: Contract, name: string): ReadonlyMap<string, ComparisonName> {
  const fields = new Map<string, ComparisonName>();
  for (const { collection } of contract.operations) {
    if (collection?.name !== name) continue;
    const { key, version, order, filters, kindOf } = collection;
    for (const field of [key, ...(version === undefined ? [] : [version]), ...order.map(({ by }) => by)]) fields.set(field, kindOf(field));
    for (const filter of filters.values()) if ('field' in filter) fields.set(filter.field, filter.as ?? kindOf(filter.field));
  }
  return fields;
}

/** Checks that a value, if present, has the kind by which lists compare it. */
function checkComparable(file: OwnFile, { record, path }: OwnRecord, pointer: string, kind: ComparisonName, quote: Quote): void {
  const value = valueAt(record, pointer);
  if (value === undefined || value === null || comparable[kind](value)) return;
  file.note(
    [...path, ...fromPointer(pointer)],
    `${quote(value, pointer)} cannot be compared; lists compare this field as ${kindNames[kind]}`,
  );
}

const comparable: Readonly<Record<ComparisonName, (value: Json) => boolean>> = {
  instant: (value) => typeof value === 'string' && parseInstant(value) !== undefined,
  number: isNumber,
  text: (value) => typeof value !== 'object',
  date: (value) => typeof value === 'string',
};

const kindNames: Readonly<Record<ComparisonName, string>> = {
  instant: 'instants, such as 2026-03-29T18:00:00+02:00',
  number: 'numbers',
  text: 'plain values',
  date: 'dates, such as 2026-03-29',
};

function checkKey(file: OwnFile, entry: OwnRecord, key: string, recordsByKey: Map<string, OwnRecord>, quote: Quote): void {
  const value = valueAt(entry.record, key);
  if (value === undefined || value === null) {
    file.note(entry.path, `the record has no ${key}, which is its key; give each record a different one`);
    return;
  }
  const identity = printJson(value);
  const earlierRecord = recordsByKey.get(identity);
  recordsByKey.set(identity, earlierRecord ?? entry);
  if (earlierRecord === undefined) return;
  const { line } = file.placeOf(earlierRecord.path);
  file.note(
    [...entry.path, ...fromPointer(key)],
    `${quote(value, key)} is already the key of the record at line ${line}; give each record a different one`,
  );
}

/** A place in an operation's response at which a value is shown. */
interface ResponsePlace {
  readonly operation: Operation;
  /** The schemas of the value. */
  readonly schemas: readonly Schema[];
  /** Returns the violations of a value in a response, with paths from the value on. */
  readonly validate: (value: JsonObject) => readonly SchemaViolation[];
}

/** Lists the places that show a record of a collection: in single reads, then in lists. */
function placesOfRecord(contract: Contract, name: string): readonly ResponsePlace[] {
  const { operations } = contract;
  const singleReads = operations.filter(({ resource }) => resource?.name === name && resource.by.size > 0);
  const lists = operations.filter(({ collection }) => collection?.name === name);
  return [
    ...singleReads.map((operation) => createPlace(contract, operation, operation.resource?.at ?? '', (value) => value)),
    ...lists.map((operation) => {
      const items = operation.collection?.items ?? '';
      return createPlace(contract, operation, `${items}/0`, (value) => [value], items);
    }),
  ];
}

/** Lists the places that show a record of a collection without annotations. */
function placesOfInferred(contract: Contract, { lists, details }: WorldCollection): readonly ResponsePlace[] {
  return [
    ...details.map(({ operation, at }) => createPlace(contract, operation, at.value, (value) => value)),
    ...lists.map(({ operation, items }) => createPlace(contract, operation, `${items.value}/0`, (value) => [value], items.value)),
  ];
}

/** Lists the places that show a view of a resource. */
function placesOfResource(contract: Contract, name: string, view: string | undefined): readonly ResponsePlace[] {
  const operations = contract.operations.filter(
    ({ resource }) => resource?.name === name && resource.by.size === 0 && resource.view === view,
  );
  return operations.map((operation) => createPlace(contract, operation, operation.resource?.at ?? '', (value) => value));
}

/** Lists the places that show the envelope fields of a collection's lists. */
function placesOfHead(contract: Contract, name: string): readonly ResponsePlace[] {
  return contract.operations.flatMap((operation) => {
    const { collection } = operation;
    if (collection?.name !== name || collection.head === undefined) return [];
    const schema = schemaOfSuccess(operation.responses) ?? true;
    const envelope = emptyList(contract, operation, schema);
    const validateBody = contract.validators.compile(schema);
    const head = collection.head;
    return [
      {
        operation,
        schemas: schemasAt(contract.closed, schema, head),
        validate: (value) => violationsBelow(validateBody(withValueAt(envelope, head, value)), head),
      },
    ];
  });
}

/** Creates a place at the pointer `at`. Validation puts `wrap(value)` into the response at `put`. */
function createPlace(contract: Contract, operation: Operation, at: string, wrap: (value: Json) => Json, put = at): ResponsePlace {
  const { closed, validators } = contract;
  const schema = schemaOfSuccess(operation.responses) ?? true;
  const schemas = schemasAt(closed, schema, at);
  const fitRecord = createFit(closed, schemas);
  const envelope = operation.collection === undefined ? (constantsOf(closed, schema) ?? {}) : emptyList(contract, operation, schema);
  const validateBody = validators.compile(schema);
  return {
    operation,
    schemas,
    validate: (value) => violationsBelow(validateBody(withValueAt(envelope, put, wrap(fitRecord(value)))), at),
  };
}

/** Makes the body of an empty list. */
function emptyList(contract: Contract, operation: Operation, schema: Schema): Json {
  const { collection } = operation;
  const envelope = constantsOf(contract.closed, schema) ?? {};
  if (collection === undefined) return envelope;
  const { page, items } = collection;
  const members: readonly (readonly [string | undefined, Json | undefined])[] =
    page.style === 'cursor'
      ? [
          [page.more, false],
          [page.next, { null: null, absent: undefined, cursor: 'x' }[chooseLastPageCursor(contract, schema, page)]],
        ]
      : page.style === 'page'
        ? [
            [page.echo?.limit, 1],
            [page.echo?.page, 1],
            [page.total, 0],
          ]
        : [
            [page.total, 0],
            [page.more, false],
          ];
  return [[items, []] as const, ...members].reduce<Json>(
    (body, [pointer, value]) => (pointer === undefined || value === undefined ? body : withValueAt(body, pointer, value)),
    envelope,
  );
}

/** Returns the violations at a place and below it, with paths from there on. */
function violationsBelow(violations: readonly SchemaViolation[], at: string): readonly SchemaViolation[] {
  const depth = fromPointer(at).length;
  return violations
    .filter(({ path }) => path === at || path.startsWith(`${at}/`))
    .map((violation) => ({ ...violation, path: depth === 0 ? violation.path : violation.path.slice(at.length) }));
}

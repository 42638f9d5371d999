/** Checks own data before it is served: schemas, keys, and the fields that lists sort and filter by. */

import type { ComparisonName } from '../../../core/annotations/annotations.ts';
import { formatLocation, nearest } from '../../../core/errors.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { schemaOfSuccess } from '../../../core/openapi/read-operations.ts';
import { certainSchemas, flatten, type Schema, schemasAt } from '../../../core/openapi/schema.ts';
import type { SchemaViolation } from '../../../core/openapi/schema-violation.ts';
import { fromPointer, toPointer, valueAt, withValueAt } from '../../../core/pointer.ts';
import { parseInstant } from '../../../core/query/instant.ts';
import { personal } from '../../../core/redaction/mask-text.ts';
import { createPersonalTree } from '../../../core/redaction/personal-data.ts';
import { constantsOf, createFit } from '../../handler/fit-schema.ts';
import { chooseLastCursor } from '../../handler/last-cursor.ts';
import { describeOwnValue, type OwnCollection, type OwnContent, type OwnFile, type OwnRecord, placeIn } from './own-data-file.ts';

/** Checks what a file holds for an API; mistakes are noted. */
export function checkContent(file: OwnFile, contract: Contract, content: OwnContent): void {
  for (const { collections, resources } of content.values()) {
    for (const [name, collection] of collections) checkCollection(file, contract, name, collection);
    for (const [name, resource] of resources) {
      if (resource === 'none') continue;
      for (const [view, value] of resource) checkValue(file, contract, showingsOfResource(contract, name, view), value);
    }
  }
}

function checkCollection(file: OwnFile, contract: Contract, name: string, { records = [], head }: OwnCollection): void {
  const showings = showingsOfRecord(contract, name);
  const fields = comparedFields(contract, name);
  const key = contract.collections.find((collection) => collection.name === name)?.key ?? '';
  const taken = new Map<string, OwnRecord>();
  for (const entry of records) {
    const wrong = checkValue(file, contract, showings, entry);
    for (const [pointer, kind] of fields) if (!wrong.has(pointer)) checkComparable(file, entry, pointer, kind);
    checkKey(file, entry, key, taken);
  }
  if (head === undefined) return;
  const lists = showingsOfHead(contract, name);
  if (lists.length === 0) file.note(head.path, `nothing stands beside the list of ${name} in this contract; remove the head`);
  else checkValue(file, contract, lists, head);
}

/** Judges a value wherever it is shown, until it is found to be wrong; the pointers at which it is wrong are returned. */
function checkValue(file: OwnFile, contract: Contract, showings: readonly Showing[], { record, path }: OwnRecord): ReadonlySet<string> {
  const mistyped = new Set(showings.slice(0, 1).flatMap((showing) => checkSpelling(file, contract, showing, { record, path })));
  for (const { judge, operation, schemasFor } of showings) {
    const violations = judge(record).filter((violation) => !mistyped.has(missingOf(violation) ?? ''));
    for (const violation of violations) {
      const where = `${operation.id} would break ${formatLocation(violation.place)}`;
      const isPersonal = createPersonalTree(contract.closed, schemasFor(record), new Set()).descend(violation.path).isPersonal;
      file.note([...path, ...fromPointer(violation.path)], `${tell(violation, record, isPersonal)} (${where})`);
    }
    if (violations.length > 0) return new Set([...violations.map((violation) => violation.path), ...mistyped]);
  }
  return mistyped;
}

/** Quotes the invalid value, unless it is an object, a list, or personal: messages may end up anywhere. */
function tell(violation: SchemaViolation, record: JsonObject, isPersonal: boolean): string {
  const { path, message, keyword } = violation;
  const found = valueAt(record, path);
  const missing = missingOf(violation);
  if (missing !== undefined && valueAt(record, missing) === null)
    return `${missing.slice(path.length + 1)} is null, and the mock's profile gives each record a value; write one, or choose a profile that allows null`;
  const isPlain = found !== undefined && (typeof found !== 'object' || found === null) && keyword !== 'required';
  return isPlain ? `${isPersonal ? personal : describeOwnValue(found)} ${message}` : message;
}

/** The pointer of the member that is missing, when that is what is wrong. */
function missingOf({ keyword, path, message }: SchemaViolation): string | undefined {
  const name = keyword === 'required' ? /'(.*)'/.exec(message)?.[1] : undefined;
  return name === undefined ? undefined : path + toPointer([name]);
}

/**
 * A member that no schema names may be there, but one that is nearly named like a missing one is a slip of the pen that would be served without a
 * word. The pointers of the members that are meant are returned.
 */
function checkSpelling(file: OwnFile, contract: Contract, showing: Showing, { record, path }: OwnRecord): readonly string[] {
  const [schema] = showing.schemasFor(record);
  if (schema === undefined) return [];
  const meantAt: string[] = [];
  const walk = (value: Json, keys: readonly (string | number)[]): void => {
    if (typeof value !== 'object' || value === null) return;
    if (isObject(value)) meantAt.push(...checkNames(file, namesAt(contract, schema, keys), value, [...path], keys));
    for (const [key, member] of Array.isArray(value) ? [...(value as readonly Json[]).entries()] : Object.entries(value))
      walk(member, [...keys, key]);
  };
  walk(record, []);
  return meantAt;
}

function checkNames(
  file: OwnFile,
  known: readonly string[],
  value: JsonObject,
  path: readonly (string | number)[],
  keys: readonly (string | number)[],
): readonly string[] {
  const missing = known.filter((name) => !Object.hasOwn(value, name));
  return Object.keys(value).flatMap((name) => {
    const meant = known.includes(name) ? undefined : nearest(name, missing);
    if (meant === undefined) return [];
    file.note([...path, ...keys, name], `the contract names no ${name} here; is ${meant} meant? If both exist, give ${meant} too`);
    return [toPointer([...keys, meant])];
  });
}

/** The members that the schemas name at a place; the same for every element of a list. */
function namesAt(contract: Contract, schema: Schema, keys: readonly (string | number)[]): readonly string[] {
  const pointer = toPointer(keys.map((key) => (typeof key === 'number' ? 0 : key)));
  const known = names.get(schema as object) ?? new Map<string, readonly string[]>();
  if (typeof schema === 'object') names.set(schema, known);
  const found = known.get(pointer) ?? listNames(contract, schema, pointer);
  known.set(pointer, found);
  return found;
}

const names = new WeakMap<object, Map<string, readonly string[]>>();

function listNames(contract: Contract, schema: Schema, pointer: string): readonly string[] {
  const schemas = schemasAt(contract.closed, schema, pointer).filter(isObject);
  return [...new Set(schemas.flatMap(({ properties }) => (isObject(properties) ? Object.keys(properties) : [])))];
}

/** The fields that a list of the collection compares, each with how it does. */
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

/** An absent value needs no comparison; a present one must compare as the contract says. */
function checkComparable(file: OwnFile, { record, path }: OwnRecord, pointer: string, kind: ComparisonName): void {
  const value = valueAt(record, pointer);
  if (value === undefined || value === null || comparable[kind](value)) return;
  file.note(
    [...path, ...fromPointer(pointer)],
    `${describeOwnValue(value)} cannot be compared; lists compare this field as ${kindNames[kind]}`,
  );
}

const comparable: Readonly<Record<ComparisonName, (value: Json) => boolean>> = {
  instant: (value) => typeof value === 'string' && parseInstant(value) !== undefined,
  number: (value) => typeof value === 'number',
  text: (value) => typeof value !== 'object',
  date: (value) => typeof value === 'string',
};

const kindNames: Readonly<Record<ComparisonName, string>> = {
  instant: 'instants, such as 2026-03-29T18:00:00+02:00',
  number: 'numbers',
  text: 'plain values',
  date: 'dates, such as 2026-03-29',
};

function checkKey(file: OwnFile, entry: OwnRecord, key: string, taken: Map<string, OwnRecord>): void {
  const value = valueAt(entry.record, key);
  if (value === undefined || value === null) {
    file.note(entry.path, `the record has nothing at ${key}, which tells records apart; give each one of its own`);
    return;
  }
  const identity = JSON.stringify(value);
  const earlier = taken.get(identity);
  taken.set(identity, earlier ?? entry);
  if (earlier === undefined) return;
  const { line } = placeIn(file.file, file.root, earlier.path);
  file.note(
    [...entry.path, ...fromPointer(key)],
    `${describeOwnValue(value)} is the key of the record at line ${line} already; give each record its own`,
  );
}

/** A place of an answer at which a value is shown. */
interface Showing {
  readonly operation: Operation;
  /** The schemas that hold for a value at the place, or may; the one that says most of it comes first. */
  readonly schemasFor: (value: JsonObject) => readonly Schema[];
  /** Violations of a value in a response, with paths that begin at the value. */
  readonly judge: (value: JsonObject) => readonly SchemaViolation[];
}

/** Places that show a record of a collection: alone, then in the list. */
function showingsOfRecord(contract: Contract, name: string): readonly Showing[] {
  const { operations } = contract;
  const alone = operations.filter(({ resource }) => resource?.name === name && resource.by.size > 0);
  const lists = operations.filter(({ collection }) => collection?.name === name);
  return [
    ...alone.map((operation) => createShowing(contract, operation, operation.resource?.at ?? '', (value) => value)),
    ...lists.map((operation) => {
      const items = operation.collection?.items ?? '';
      return createShowing(contract, operation, `${items}/0`, (value) => [value], items);
    }),
  ];
}

/** Places that show a view of a single resource. */
function showingsOfResource(contract: Contract, name: string, view: string | undefined): readonly Showing[] {
  const shown = contract.operations.filter(({ resource }) => resource?.name === name && resource.by.size === 0 && resource.view === view);
  return shown.map((operation) => createShowing(contract, operation, operation.resource?.at ?? '', (value) => value));
}

/** Places that show the envelope fields of a list; its lists may have none. */
function showingsOfHead(contract: Contract, name: string): readonly Showing[] {
  return contract.operations.flatMap((operation) => {
    const { collection } = operation;
    if (collection?.name !== name || collection.head === undefined) return [];
    const schema = schemaOfSuccess(operation.responses) ?? true;
    const envelope = emptyList(contract, operation, schema);
    const validate = contract.validators.compile(schema);
    const head = collection.head;
    return [
      {
        operation,
        schemasFor: () => [],
        judge: (value) => below(validate(withValueAt(envelope, head, value)), head),
      },
    ];
  });
}

function createShowing(contract: Contract, operation: Operation, at: string, wrap: (value: Json) => Json, put = at): Showing {
  const { closed, validators } = contract;
  const schema = schemaOfSuccess(operation.responses) ?? true;
  const holding = schemasAt(closed, schema, at);
  const toShape = createFit(closed, holding);
  const envelope = operation.collection === undefined ? (constantsOf(closed, schema) ?? {}) : emptyList(contract, operation, schema);
  const outermost = holding.filter((each) => !holding.some((other) => other !== each && certainSchemas(closed, other).includes(each)));
  const known = outermost.map((each) => ({ schema: each, members: Object.keys(flatten(closed, each)['properties'] ?? {}) }));
  const schemasFor = (value: JsonObject): readonly Schema[] => {
    const spoken = ({ members }: { readonly members: readonly string[] }): number =>
      members.filter((member) => Object.hasOwn(value, member)).length;
    return known.toSorted((left, right) => spoken(right) - spoken(left)).map((each) => each.schema);
  };
  const whole = validators.compile(schema);
  const judge = (value: JsonObject): readonly SchemaViolation[] => {
    const shown = toShape(value);
    const found = whole(withValueAt(envelope, put, wrap(shown)));
    if (found.length === 0) return [];
    // A body that may hold the value at several places is wrong in as many ways; the schema that speaks most of it tells what is meant.
    for (const each of schemasFor(value)) {
      const violations = validators.compile(each)(shown);
      if (violations.length > 0) return violations;
    }
    return below(found, at);
  };
  return { operation, schemasFor, judge };
}

/** The body of a list without items. */
function emptyList(contract: Contract, operation: Operation, schema: Schema): Json {
  const { collection } = operation;
  const envelope = constantsOf(contract.closed, schema) ?? {};
  if (collection === undefined) return envelope;
  const { page, items } = collection;
  const members: readonly (readonly [string | undefined, Json | undefined])[] =
    page.style === 'cursor'
      ? [
          [page.more, false],
          [page.next, { null: null, absent: undefined, given: 'x' }[chooseLastCursor(contract, schema, page)]],
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

/** The violations at a place and below it, with paths from there on. */
function below(violations: readonly SchemaViolation[], at: string): readonly SchemaViolation[] {
  const depth = fromPointer(at).length;
  return violations
    .filter(({ path }) => path === at || path.startsWith(`${at}/`))
    .map((violation) => ({ ...violation, path: depth === 0 ? violation.path : violation.path.slice(at.length) }));
}

/** Contracts in older dialects of JSON Schema, read as draft 2020-12: what judges and generates knows that one alone. */

import { isObject, type Json, type JsonObject } from '../json.ts';
import { fromPointer, toPointer } from '../pointer.ts';
import { createDocument, type Document, splitReference } from './document.ts';
import { type Position, positionOf } from './document-positions.ts';
import { type DialectReading, listSchemas, modern, modernUri } from './schema-dialects.ts';
import { copyOrigin } from './source-positions.ts';

/**
 * The document with all its schemas in draft 2020-12: those of OpenAPI 3.0, and those of 3.1 that name an older draft. Everything keeps its place in the
 * file, and nothing but schemas changes; a document that needs nothing is returned as it is. The original is not touched.
 */
export function modernise(document: Document): Document {
  const rewriting = new Rewriting(document, listSchemas(document));
  const files = new Map([...document.files].map(([file, root]) => [file, rewriting.rewrite(root, 'keywords') as JsonObject]));
  const isSame = [...document.files].every(([file, root]) => files.get(file) === root);
  return isSame ? document : createDocument(document.file, files);
}

/** Copies what changes and shares the rest. A value that stands in several places is rewritten once for each position that it stands in. */
class Rewriting {
  private readonly document: Document;
  private readonly schemas: ReadonlyMap<JsonObject, DialectReading>;
  private readonly known = new Map<Position, Map<object, Json>>();

  constructor(document: Document, schemas: ReadonlyMap<JsonObject, DialectReading>) {
    this.document = document;
    this.schemas = schemas;
  }

  rewrite(value: Json, position: Position): Json {
    if (typeof value !== 'object' || value === null || position === 'data') return value;
    const known = this.known.get(position) ?? new Map<object, Json>();
    this.known.set(position, known);
    const before = known.get(value);
    if (before !== undefined) return before;
    const now = this.rewriteNew(value, position);
    known.set(value, now);
    return now;
  }

  private rewriteNew(value: readonly Json[] | JsonObject, position: Position): Json {
    if (!isObject(value)) return this.rewriteList(value, position);
    // A map of names may stand, by an alias, where a schema stands as well; its names are no keywords.
    const reading = position === 'names' ? undefined : this.schemas.get(value);
    if (reading === undefined) return this.rewriteMembers(value, position);
    return rewriteKeywords(this.rewriteMembers(value, position, true), reading);
  }

  private rewriteList(list: readonly Json[], position: Position): readonly Json[] {
    const members = list.map((member, index) => this.rewrite(member, positionOf(position, index, member)));
    if (members.every((member, index) => member === list[index])) return list;
    copyOrigin(list, members);
    return members;
  }

  private rewriteMembers(object: JsonObject, position: Position, isSchema = false): JsonObject {
    const changes: (readonly [string, Json])[] = [];
    for (const key of Object.keys(object)) {
      const member = object[key] ?? null;
      const now = isSchema ? this.rewriteInSchema(object, key, member) : this.rewrite(member, positionOf(position, key, member));
      if (now !== member) changes.push([key, now]);
    }
    if (changes.length === 0) return object;
    const changed = new Map(changes);
    const copy = Object.fromEntries(Object.entries(object).map(([key, member]) => [key, changed.get(key) ?? member]));
    copyOrigin(object, copy);
    return copy;
  }

  private rewriteInSchema(schema: JsonObject, key: string, member: Json): Json {
    if (key === '$ref' && typeof member === 'string') return rewriteReference(this.document, this.schemas, schema, member);
    return this.rewrite(member, key === 'dependencies' ? 'names' : positionOf('keywords', key, member));
  }
}

/**
 * A schema in the words of draft 2020-12, its subschemas as they are; the schema itself where nothing changes.
 * A copy stands where the schema stands, and so do keywords that have another name now.
 */
function rewriteKeywords(schema: JsonObject, reading: DialectReading): JsonObject {
  const isAlone = reading.dialect.isReferenceAlone && typeof schema['$ref'] === 'string';
  const changes: (readonly [string, readonly Keyword[]])[] = [];
  for (const key of Object.keys(schema)) {
    const value = schema[key] ?? null;
    const now = isAlone && !besideReference.has(key) ? [] : translations.get(key)?.(value, schema, reading);
    if (now !== undefined) changes.push([key, now]);
  }
  if (changes.length === 0) return schema;
  const changed = new Map(changes);
  const said = Object.entries(schema).flatMap(([from, value]) =>
    (changed.get(from) ?? [{ key: from, value }]).map((keyword) => ({ ...keyword, from })),
  );
  const copy = Object.fromEntries(said.map(({ key, value }) => [key, value]));
  copyOrigin(schema, copy, new Map(said.filter(({ key, from }) => key !== from).map(({ key, from }) => [key, from])));
  return copy;
}

/** Keywords that stay beside a `$ref` that replaces its siblings: definitions only, since references may lead into them. */
const besideReference: ReadonlySet<string> = new Set(['$ref', '$schema', 'definitions', '$defs']);

/** A keyword of draft 2020-12. */
interface Keyword {
  readonly key: string;
  readonly value: Json;
}

/** New form of a keyword, by the schema that holds it; `undefined` when it stays. */
type Translation = (value: Json, schema: JsonObject, reading: DialectReading) => readonly Keyword[] | undefined;

const translations: ReadonlyMap<string, Translation> = new Map([
  ['$schema', (_, _schema, { dialect }) => (dialect === modern ? undefined : [{ key: '$schema', value: modernUri }])],
  ['nullable', (value) => (typeof value === 'boolean' ? [] : undefined)],
  ['type', withNullType],
  ['enum', withNullValue],
  ['minimum', boundBy('exclusiveMinimum')],
  ['maximum', boundBy('exclusiveMaximum')],
  ['exclusiveMinimum', exclusive('minimum')],
  ['exclusiveMaximum', exclusive('maximum')],
  ['items', listItems],
  ['additionalItems', furtherItems],
  ['dependencies', splitDependencies],
  ['$recursiveAnchor', recursiveAnchor],
  ['$recursiveRef', recursiveReference],
  ['id', identify('id')],
  ['$id', identify('$id')],
]);

/** `nullable` is of OpenAPI 3.0, and widens the type that stands beside it; without one it does nothing. Files of 3.1 that grew out of 3.0 still hold it. */
function isNullable(schema: JsonObject): boolean {
  return schema['nullable'] === true && schema['type'] !== undefined;
}

function withNullType(type: Json, schema: JsonObject): readonly Keyword[] | undefined {
  const types = [type].flat() as readonly Json[];
  return isNullable(schema) && !types.includes('null') ? [{ key: 'type', value: [...types, 'null'] }] : undefined;
}

/** Read strictly, `nullable` beside a list without null would allow no null. Whoever writes it means that null is one of the values, and tools read it so. */
function withNullValue(listed: Json, schema: JsonObject): readonly Keyword[] | undefined {
  if (!isNullable(schema) || !Array.isArray(listed) || listed.includes(null)) return undefined;
  const value = [...(listed as readonly Json[]), null];
  copyOrigin(listed, value);
  return [{ key: 'enum', value }];
}

/** A bound that is exclusive is said by the other keyword alone. */
function boundBy(exclusiveKey: string): Translation {
  return (_, schema, { dialect }) => (dialect.hasBooleanBounds && schema[exclusiveKey] === true ? [] : undefined);
}

function exclusive(boundKey: 'minimum' | 'maximum'): Translation {
  const key = boundKey === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
  return (isExclusive, schema, { dialect }) => {
    if (!dialect.hasBooleanBounds || typeof isExclusive !== 'boolean') return undefined;
    const bound = schema[boundKey];
    return isExclusive && bound !== undefined ? [{ key, value: bound }] : [];
  };
}

function listItems(items: Json, _schema: JsonObject, { dialect }: DialectReading): readonly Keyword[] | undefined {
  if (!dialect.hasItemLists || !Array.isArray(items)) return undefined;
  return items.length === 0 ? [] : [{ key: 'prefixItems', value: items }];
}

function furtherItems(value: Json, schema: JsonObject, { dialect }: DialectReading): readonly Keyword[] | undefined {
  if (!dialect.hasItemLists) return undefined;
  return Array.isArray(schema['items']) ? [{ key: 'items', value }] : [];
}

/** Lists of names are one keyword now, and schemas another. */
function splitDependencies(value: Json, _schema: JsonObject, { dialect }: DialectReading): readonly Keyword[] | undefined {
  if (!dialect.hasDependencies || !isObject(value)) return undefined;
  const entries = Object.entries(value);
  const parts = [
    { key: 'dependentRequired', members: entries.filter(([, each]) => Array.isArray(each)) },
    { key: 'dependentSchemas', members: entries.filter(([, each]) => !Array.isArray(each)) },
  ];
  return parts
    .filter(({ members }) => members.length > 0)
    .map(({ key, members }) => {
      const part = Object.fromEntries(members);
      copyOrigin(value, part);
      return { key, value: part };
    });
}

/** Draft 2019-09 has one anchor of this kind and needs no name for it. */
const anchor = 'recursive';

function recursiveAnchor(value: Json, _schema: JsonObject, { dialect }: DialectReading): readonly Keyword[] | undefined {
  if (!dialect.hasRecursiveReferences) return undefined;
  return value === true ? [{ key: '$dynamicAnchor', value: anchor }] : [];
}

/** Without an anchor around it, it leads to the root like any other `#`. */
function recursiveReference(_: Json, _schema: JsonObject, { dialect, isAnchored }: DialectReading): readonly Keyword[] | undefined {
  return dialect.hasRecursiveReferences ? [{ key: '$dynamicRef', value: isAnchored ? `#${anchor}` : '#' }] : undefined;
}

/** Older identifiers may end in a fragment, which names an anchor. */
function identify(key: 'id' | '$id'): Translation {
  return (value, _, { dialect }) => {
    if (typeof value !== 'string' || dialect.identifier !== key) return undefined;
    const [uri = '', fragment] = value.split('#', 2);
    if (key === '$id' && fragment === undefined) return undefined;
    const parts = [
      { key: '$id', value: uri },
      { key: '$anchor', value: fragment ?? '' },
    ];
    return parts.filter((part) => part.value !== '');
  };
}

/** The `$ref` of a schema, as it must be written when all schemas are in draft 2020-12: the same, unless it leads through a keyword that was renamed. */
function rewriteReference(
  document: Document,
  schemas: ReadonlyMap<JsonObject, DialectReading>,
  holder: JsonObject,
  reference: string,
): string {
  if (!movable.test(reference)) return reference;
  const place = document.place(holder, '$ref');
  const { file, pointer } = splitReference(place.file, reference, place);
  const keys = fromPointer(pointer);
  let value: Json | undefined = document.files.get(file);
  const moved = keys.map((key) => {
    const now = isObject(value) ? renamed(value, schemas.get(value), key) : key;
    value = typeof value === 'object' && value !== null ? (value as JsonObject)[key] : undefined;
    return now;
  });
  if (moved.every((key, index) => key === keys[index])) return reference;
  const fragment = toPointer(moved).split('/').map(encodeURIComponent).join('/');
  return `${reference.slice(0, reference.indexOf('#'))}#${fragment}`;
}

/** Most references lead to whole schemas, and only these keywords are renamed. */
const movable = /\/(items|additionalItems|dependencies)(\/|$)/;

function renamed(schema: JsonObject, reading: DialectReading | undefined, key: string): string {
  if (reading?.dialect.hasDependencies === true && key === 'dependencies') return 'dependentSchemas';
  if (reading?.dialect.hasItemLists !== true || !Array.isArray(schema['items'])) return key;
  return key === 'items' ? 'prefixItems' : key === 'additionalItems' ? 'items' : key;
}

/**
 * The dialects of JSON Schema with their differences from draft 2020-12, and the list of a document's schemas with their dialects. Called by dialect.ts,
 * which converts the schemas.
 */

import { isObject, type Json, type JsonObject } from '../json.ts';
import { getOrCompute } from '../memo.ts';
import { fromPointer } from '../pointer.ts';
import { type Document, splitReference } from './document.ts';

/** The differences of a dialect from draft 2020-12. */
interface Dialect {
  /** True when keywords beside a `$ref` are ignored. */
  readonly isReferenceAlone: boolean;
  /** True when `exclusiveMinimum` and `exclusiveMaximum` are booleans that modify `minimum` and `maximum`. */
  readonly hasBooleanBounds: boolean;
  /** True when `items` may list a schema for each position, and `additionalItems` applies to the rest. */
  readonly hasItemLists: boolean;
  /** True when `dependencies` holds lists of names as well as schemas. */
  readonly hasDependencies: boolean;
  /** True when `$recursiveRef` refers to the extended schema. */
  readonly hasRecursiveReferences: boolean;
  /** The keyword that names a schema, with its anchor as a fragment; `undefined` where it is as in draft 2020-12. */
  readonly identifier: 'id' | '$id' | undefined;
}

/** Draft 2020-12, which validators and generators read. */
export const draft202012: Dialect = {
  isReferenceAlone: false,
  hasBooleanBounds: false,
  hasItemLists: false,
  hasDependencies: false,
  hasRecursiveReferences: false,
  identifier: undefined,
};

/** The URI of draft 2020-12. */
export const draft202012Uri = 'https://json-schema.org/draft/2020-12/schema';

const openapi30: Dialect = { ...draft202012, isReferenceAlone: true, hasBooleanBounds: true };
const draft07: Dialect = { ...draft202012, isReferenceAlone: true, hasItemLists: true, hasDependencies: true, identifier: '$id' };
const draft04: Dialect = { ...draft07, hasBooleanBounds: true, identifier: 'id' };
const draft201909: Dialect = { ...draft202012, hasItemLists: true, hasRecursiveReferences: true };

/** Dialects by the middle part of their URI. Draft 07 only adds keywords to draft 06, so they are one dialect. */
const dialects: ReadonlyMap<string, Dialect> = new Map([
  ['draft-04', draft04],
  ['draft-06', draft07],
  ['draft-07', draft07],
  ['draft/2019-09', draft201909],
  ['draft/2020-12', draft202012],
]);

/** Returns the dialect of a `$schema` or `jsonSchemaDialect`; `undefined` if it is unknown. */
export function dialectOf(uri: string): Dialect | undefined {
  const draft = /^https?:\/\/json-schema\.org\/(.+)\/schema#?$/.exec(uri)?.[1];
  if (draft !== undefined) return dialects.get(draft);
  return /^https?:\/\/spec\.openapis\.org\/oas\/3\.[12]\/dialect\//.test(uri) ? draft202012 : undefined;
}

/** Returns the default dialect of an OpenAPI file; `undefined` if the file is not OpenAPI. */
function dialectOfRoot(root: JsonObject): Dialect | undefined {
  const { openapi, jsonSchemaDialect } = root;
  if (typeof openapi !== 'string') return undefined;
  if (openapi.startsWith('3.0')) return openapi30;
  return (typeof jsonSchemaDialect === 'string' ? dialectOf(jsonSchemaDialect) : undefined) ?? draft202012;
}

/** The dialect of a schema, and whether it is inside a recursive anchor. */
export interface DialectReading {
  readonly dialect: Dialect;
  /** True if the schema or an enclosing one has a `$recursiveAnchor`, the target of `$recursiveRef`. */
  readonly isAnchored: boolean;
}

/**
 * Lists every schema of a document with its dialect: schemas of OpenAPI objects, their subschemas, and the targets of their references.
 * @throws {SpecError} for a broken reference.
 */
export function listSchemas(document: Document): ReadonlyMap<JsonObject, DialectReading> {
  const walk = new Walk(document);
  walk.run();
  return walk.schemas;
}

/** Kind of an OpenAPI object, by the places of its schemas. A `carrier` is a parameter, header, body, response or media type. */
type Kind = 'document' | 'components' | 'path-item' | 'operation' | 'callback' | 'carrier' | 'schema';

/** A value that is still to be visited. */
interface Step {
  readonly value: Json | undefined;
  readonly kind: Kind;
  /** The dialect around the value. */
  readonly reading: DialectReading;
}

/** Visits each object once for each kind. It uses a list of steps instead of recursion, since chains of references can be long. */
class Walk {
  readonly schemas = new Map<JsonObject, DialectReading>();
  private readonly document: Document;
  private readonly waiting: Step[] = [];
  private readonly seen = new Map<Kind, Set<JsonObject>>();
  private readonly files = new Map<string, DialectReading>();

  constructor(document: Document) {
    this.document = document;
  }

  run(): void {
    const { root, file } = this.document;
    const reading: DialectReading = { dialect: dialectOfRoot(root) ?? draft202012, isAnchored: false };
    this.files.set(file, reading);
    this.waiting.push({ value: root, kind: 'document', reading });
    for (let step = this.waiting.pop(); step !== undefined; step = this.waiting.pop()) this.visit(step);
  }

  private visit({ value, kind, reading }: Step): void {
    if (!isObject(value) || this.isKnown(value, kind)) return;
    const inner = kind === 'schema' ? inherit(reading, value) : reading;
    if (kind === 'schema') this.schemas.set(value, inner);
    if (typeof value['$ref'] === 'string') this.waiting.push(this.target(value, value['$ref'], kind, inner));
    for (const [key, member] of Object.entries(value)) this.enter(key, member, kind, inner);
  }

  private isKnown(value: JsonObject, kind: Kind): boolean {
    const known = getOrCompute(this.seen, kind, () => new Set());
    return known.size === known.add(value).size;
  }

  private enter(key: string, member: Json, kind: Kind, reading: DialectReading): void {
    const content = kind === 'callback' ? { form: 'one' as const, kind: 'path-item' as const } : structure[kind].get(key);
    // The x- members of a callback are extensions, not paths.
    if (content === undefined || typeof member !== 'object' || member === null || (kind === 'callback' && key.startsWith('x-'))) return;
    const values = content.form === 'one' && !Array.isArray(member) ? [member] : Object.values(member);
    for (const value of values) this.waiting.push({ value, kind: content.kind, reading });
  }

  /** Returns the target of a reference. Its dialect depends on the surroundings of the target. */
  private target(holder: JsonObject, reference: string, kind: Kind, from: DialectReading): Step {
    const place = this.document.place(holder, '$ref');
    const { file, pointer } = splitReference(place.file, reference, place);
    let value: Json | undefined = this.document.files.get(file);
    let reading = this.readingOf(file, value, from);
    for (const key of fromPointer(pointer)) {
      const isSchema = isObject(value) && typeof value['openapi'] !== 'string';
      if (isSchema) reading = inherit(reading, value as JsonObject);
      value = typeof value === 'object' && value !== null ? (value as JsonObject)[key] : undefined;
    }
    return { value, kind, reading };
  }

  /** Returns the dialect of a file. A file without a stated dialect has that of the first schema that refers to it. */
  private readingOf(file: string, root: Json | undefined, from: DialectReading): DialectReading {
    const known = this.files.get(file);
    if (known !== undefined) return known;
    const reading = { dialect: (isObject(root) ? dialectOfRoot(root) : undefined) ?? from.dialect, isAnchored: false };
    this.files.set(file, reading);
    return reading;
  }
}

/** Returns the dialect of a schema: the one that it states, or that of the enclosing schema. */
function inherit(reading: DialectReading, schema: JsonObject): DialectReading {
  const { $schema: uri, $recursiveAnchor: anchor } = schema;
  const stated = typeof uri === 'string' ? dialectOf(uri) : undefined;
  if (stated === undefined && anchor !== true) return reading;
  return { dialect: stated ?? reading.dialect, isAnchored: reading.isAnchored || anchor === true };
}

/** Content of a member: one object, or a map or list of objects. */
interface MemberContent {
  readonly form: 'one' | 'many';
  readonly kind: Kind;
}

function members(form: MemberContent['form'], kind: Kind, ...keys: readonly string[]): readonly (readonly [string, MemberContent])[] {
  return keys.map((key) => [key, { form, kind }] as const);
}

/** Members that lead to schemas, in OpenAPI 3.0 to 3.2 and JSON Schema. One table serves all dialects: no keyword is a schema in one and data in another. */
const structure: Readonly<Record<Exclude<Kind, 'callback'>, ReadonlyMap<string, MemberContent>>> = {
  document: new Map([...members('many', 'path-item', 'paths', 'webhooks'), ...members('one', 'components', 'components')]),
  components: new Map([
    ...members('many', 'schema', 'schemas'),
    ...members('many', 'carrier', 'responses', 'parameters', 'requestBodies', 'headers', 'mediaTypes'),
    ...members('many', 'callback', 'callbacks'),
    ...members('many', 'path-item', 'pathItems'),
  ]),
  'path-item': new Map([
    ...members('many', 'carrier', 'parameters'),
    ...members('one', 'operation', 'get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'),
    ...members('many', 'operation', 'additionalOperations'),
  ]),
  operation: new Map([
    ...members('many', 'carrier', 'parameters', 'responses'),
    ...members('one', 'carrier', 'requestBody'),
    ...members('many', 'callback', 'callbacks'),
  ]),
  carrier: new Map([
    ...members('one', 'schema', 'schema', 'itemSchema'),
    ...members('many', 'carrier', 'content', 'headers', 'encoding', 'prefixEncoding'),
    ...members('one', 'carrier', 'itemEncoding'),
  ]),
  schema: new Map([
    ...members('many', 'schema', 'properties', 'patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions'),
    ...members('many', 'schema', 'allOf', 'anyOf', 'oneOf', 'prefixItems'),
    ...members('one', 'schema', 'not', 'if', 'then', 'else', 'items', 'additionalItems', 'contains', 'unevaluatedItems'),
    ...members('one', 'schema', 'additionalProperties', 'propertyNames', 'unevaluatedProperties', 'contentSchema'),
  ]),
};

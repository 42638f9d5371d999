/** The dialects of JSON Schema, how each differs from draft 2020-12, and the schemas of a document with the dialect that each is written in. */

import { isObject, type Json, type JsonObject } from '../json.ts';
import { fromPointer } from '../pointer.ts';
import { type Document, splitReference } from './document.ts';

/** A dialect, as far as its words mean something else than in draft 2020-12. */
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
export const modern: Dialect = {
  isReferenceAlone: false,
  hasBooleanBounds: false,
  hasItemLists: false,
  hasDependencies: false,
  hasRecursiveReferences: false,
  identifier: undefined,
};

/** The URI of draft 2020-12. */
export const modernUri = 'https://json-schema.org/draft/2020-12/schema';

const openapi30: Dialect = { ...modern, isReferenceAlone: true, hasBooleanBounds: true };
const draft07: Dialect = { ...modern, isReferenceAlone: true, hasItemLists: true, hasDependencies: true, identifier: '$id' };
const draft04: Dialect = { ...draft07, hasBooleanBounds: true, identifier: 'id' };
const draft201909: Dialect = { ...modern, hasItemLists: true, hasRecursiveReferences: true };

/** By the part of the URI that tells them apart; drafts 06 and 07 differ only in keywords that one of them lacks. */
const dialects: ReadonlyMap<string, Dialect> = new Map([
  ['draft-04', draft04],
  ['draft-06', draft07],
  ['draft-07', draft07],
  ['draft/2019-09', draft201909],
  ['draft/2020-12', modern],
]);

/** The dialect of a `$schema` or `jsonSchemaDialect`; `undefined` when it names none that is known. */
export function dialectOf(uri: string): Dialect | undefined {
  const draft = /^https?:\/\/json-schema\.org\/(.+)\/schema#?$/.exec(uri)?.[1];
  if (draft !== undefined) return dialects.get(draft);
  return /^https?:\/\/spec\.openapis\.org\/oas\/3\.[12]\/dialect\//.test(uri) ? modern : undefined;
}

/** The dialect of an OpenAPI file whose schemas do not say otherwise; `undefined` when the file is not OpenAPI. */
function dialectOfRoot(root: JsonObject): Dialect | undefined {
  const { openapi, jsonSchemaDialect } = root;
  if (typeof openapi !== 'string') return undefined;
  if (openapi.startsWith('3.0')) return openapi30;
  return (typeof jsonSchemaDialect === 'string' ? dialectOf(jsonSchemaDialect) : undefined) ?? modern;
}

/** Dialect of a schema. */
export interface DialectReading {
  readonly dialect: Dialect;
  /** True when it, or a schema around it, has a `$recursiveAnchor`, the target of `$recursiveRef`. */
  readonly isAnchored: boolean;
}

/**
 * Every schema of a document with its reading: those that stand where OpenAPI puts schemas, those inside them, and those that they refer to.
 * @throws {SpecError} when a schema has a reference that cannot be followed.
 */
export function listSchemas(document: Document): ReadonlyMap<JsonObject, DialectReading> {
  const walk = new Walk(document);
  walk.run();
  return walk.schemas;
}

/**
 * Kind of an object of OpenAPI, by where its schemas are. Whatever carries a schema is alike: parameters, headers, bodies, responses,
 * media types.
 */
type Kind = 'document' | 'components' | 'path-item' | 'operation' | 'callback' | 'carrier' | 'schema';

/** A value that waits for its visit. */
interface Step {
  readonly value: Json | undefined;
  readonly kind: Kind;
  /** The reading of what is around it. */
  readonly reading: DialectReading;
}

/** Visits each object once in each role. References can make chains of any length, so steps wait in a list and not on the stack. */
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
    const reading: DialectReading = { dialect: dialectOfRoot(root) ?? modern, isAnchored: false };
    this.files.set(file, reading);
    this.waiting.push({ value: root, kind: 'document', reading });
    for (let step = this.waiting.pop(); step !== undefined; step = this.waiting.pop()) this.visit(step);
  }

  private visit({ value, kind, reading }: Step): void {
    if (!isObject(value) || this.isKnown(value, kind)) return;
    const own = kind === 'schema' ? inherit(reading, value) : reading;
    if (kind === 'schema') this.schemas.set(value, own);
    if (typeof value['$ref'] === 'string') this.waiting.push(this.target(value, value['$ref'], kind, own));
    for (const [key, member] of Object.entries(value)) this.enter(key, member, kind, own);
  }

  private isKnown(value: JsonObject, kind: Kind): boolean {
    const known = this.seen.get(kind) ?? new Set();
    this.seen.set(kind, known);
    return known.size === known.add(value).size;
  }

  private enter(key: string, member: Json, kind: Kind, reading: DialectReading): void {
    const rule = kind === 'callback' ? { form: 'one' as const, kind: 'path-item' as const } : structure[kind].get(key);
    // An extension beside paths is none of them.
    if (rule === undefined || typeof member !== 'object' || member === null || (kind === 'callback' && key.startsWith('x-'))) return;
    const values = rule.form === 'one' && !Array.isArray(member) ? [member] : Object.values(member);
    for (const value of values) this.waiting.push({ value, kind: rule.kind, reading });
  }

  /** Target of a reference. Its dialect follows from its own surroundings, not from the reference. */
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

  /** A file that says nothing of its dialect is in that of the first that refers to it. */
  private readingOf(file: string, root: Json | undefined, from: DialectReading): DialectReading {
    const known = this.files.get(file);
    if (known !== undefined) return known;
    const reading = { dialect: (isObject(root) ? dialectOfRoot(root) : undefined) ?? from.dialect, isAnchored: false };
    this.files.set(file, reading);
    return reading;
  }
}

/** A dialect holds for the schema that names it and for those inside, until one of them names another. */
function inherit(reading: DialectReading, schema: JsonObject): DialectReading {
  const { $schema: uri, $recursiveAnchor: anchor } = schema;
  const named = typeof uri === 'string' ? dialectOf(uri) : undefined;
  if (named === undefined && anchor !== true) return reading;
  return { dialect: named ?? reading.dialect, isAnchored: reading.isAnchored || anchor === true };
}

/** Content of a key: one object, or a map or list of them. */
interface Rule {
  readonly form: 'one' | 'many';
  readonly kind: Kind;
}

function rules(form: Rule['form'], kind: Kind, ...keys: readonly string[]): readonly (readonly [string, Rule])[] {
  return keys.map((key) => [key, { form, kind }] as const);
}

/** Places of schemas in OpenAPI 3.0 to 3.2 and JSON Schema. One table serves all dialects: no keyword is a schema in one and data in another. */
const structure: Readonly<Record<Exclude<Kind, 'callback'>, ReadonlyMap<string, Rule>>> = {
  document: new Map([...rules('many', 'path-item', 'paths', 'webhooks'), ...rules('one', 'components', 'components')]),
  components: new Map([
    ...rules('many', 'schema', 'schemas'),
    ...rules('many', 'carrier', 'responses', 'parameters', 'requestBodies', 'headers', 'mediaTypes'),
    ...rules('many', 'callback', 'callbacks'),
    ...rules('many', 'path-item', 'pathItems'),
  ]),
  'path-item': new Map([
    ...rules('many', 'carrier', 'parameters'),
    ...rules('one', 'operation', 'get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'),
    ...rules('many', 'operation', 'additionalOperations'),
  ]),
  operation: new Map([
    ...rules('many', 'carrier', 'parameters', 'responses'),
    ...rules('one', 'carrier', 'requestBody'),
    ...rules('many', 'callback', 'callbacks'),
  ]),
  carrier: new Map([
    ...rules('one', 'schema', 'schema', 'itemSchema'),
    ...rules('many', 'carrier', 'content', 'headers', 'encoding', 'prefixEncoding'),
    ...rules('one', 'carrier', 'itemEncoding'),
  ]),
  schema: new Map([
    ...rules('many', 'schema', 'properties', 'patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions'),
    ...rules('many', 'schema', 'allOf', 'anyOf', 'oneOf', 'prefixItems'),
    ...rules('one', 'schema', 'not', 'if', 'then', 'else', 'items', 'additionalItems', 'contains', 'unevaluatedItems'),
    ...rules('one', 'schema', 'additionalProperties', 'propertyNames', 'unevaluatedProperties', 'contentSchema'),
  ]),
};

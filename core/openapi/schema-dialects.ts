/**
 * The dialects of JSON Schema with their differences from draft 2020-12, and the list of a document's schemas with their dialects. Called by
 * upgrade-schemas.ts, which converts the schemas.
 */

import { isObject, type Json, type JsonObject } from '../json.ts';
import { getOrCompute } from '../memo.ts';
import { fromPointer } from '../pointer.ts';
import { type Document, splitReference } from './document.ts';
import { type MemberMeaning, meaningOf } from './member-meaning.ts';

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
 * Lists every schema of a document with its dialect: all objects whose members are keywords, and the targets of their references. Other objects of OpenAPI
 * are among them, since no keyword of theirs differs between dialects.
 * @throws {SpecError} for a broken reference.
 */
export function listSchemas(document: Document): ReadonlyMap<JsonObject, DialectReading> {
  const walk = new Walk(document);
  walk.run();
  return walk.schemas;
}

/** A value that is still to be visited. */
interface Step {
  readonly value: Json | undefined;
  readonly meaning: MemberMeaning;
  /** The dialect around the value. */
  readonly reading: DialectReading;
}

/** Visits each object once for each meaning. It uses a list of steps instead of recursion, since chains of references can be long. */
class Walk {
  readonly schemas = new Map<JsonObject, DialectReading>();
  private readonly document: Document;
  private readonly waiting: Step[] = [];
  private readonly seen = new Map<MemberMeaning, Set<Json>>();
  private readonly files = new Map<string, DialectReading>();

  constructor(document: Document) {
    this.document = document;
  }

  run(): void {
    const { root, file } = this.document;
    const reading: DialectReading = { dialect: dialectOfRoot(root) ?? draft202012, isAnchored: false };
    this.files.set(file, reading);
    this.waiting.push({ value: root, meaning: 'keywords', reading });
    for (let step = this.waiting.pop(); step !== undefined; step = this.waiting.pop()) this.visit(step);
  }

  private visit({ value, meaning, reading }: Step): void {
    if (typeof value !== 'object' || value === null || meaning === 'data' || meaning === 'extension') return;
    const known = getOrCompute(this.seen, meaning, () => new Set<Json>());
    if (known.size === known.add(value).size) return;
    const isSchema = meaning === 'keywords' && isObject(value);
    const inner = isSchema ? inherit(reading, value) : reading;
    if (isSchema) this.schemas.set(value, inner);
    if (isSchema && typeof value['$ref'] === 'string') this.waiting.push(this.target(value, inner));
    for (const [key, member] of Object.entries(value)) {
      const at = key === 'dependencies' && isSchema ? 'names' : meaningOf(meaning, Array.isArray(value) ? Number(key) : key, member);
      this.waiting.push({ value: member as Json, meaning: at, reading: inner });
    }
  }

  /** Returns the target of a reference. Its dialect depends on the surroundings of the target. */
  private target(holder: JsonObject, from: DialectReading): Step {
    const place = this.document.place(holder, '$ref');
    const { file, pointer } = splitReference(holder, '$ref', place);
    let value: Json | undefined = this.document.files.get(file);
    let reading = this.readingOf(file, value, from);
    for (const key of fromPointer(pointer)) {
      if (isObject(value)) reading = inherit(reading, value);
      value = typeof value === 'object' && value !== null ? (value as JsonObject)[key] : undefined;
    }
    return { value, meaning: 'keywords', reading };
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

/** Returns the dialect of a schema: the one that it states, or that of the enclosing schema. The `$schema` of an OpenAPI file is meant for editors. */
function inherit(reading: DialectReading, schema: JsonObject): DialectReading {
  const { $schema: uri, $recursiveAnchor: anchor, openapi } = schema;
  const stated = typeof uri === 'string' && typeof openapi !== 'string' ? dialectOf(uri) : undefined;
  if (stated === undefined && anchor !== true) return reading;
  return { dialect: stated ?? reading.dialect, isAnchored: reading.isAnchored || anchor === true };
}

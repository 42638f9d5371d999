/** Finds the JSON Schema dialect of a file or schema while a contract is loaded. What surrounds a schema decides, so references are not followed. */

import type { JsonObject } from '../json.ts';
import type { Document } from './document.ts';
import { rawOf } from './raw-document.ts';

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

/** Draft 2020-12, to which all others are converted. */
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
function dialectOf(uri: string): Dialect | undefined {
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

/** The dialect of a schema and of the schemas in it, and its enclosing anchor. */
export interface DialectScope {
  readonly dialect: Dialect;
  /** True if the schema or an enclosing one has a `$recursiveAnchor`, the target of `$recursiveRef`. */
  readonly isAnchored: boolean;
}

/** Returns the dialect of a file. One that is neither OpenAPI nor states a dialect has that of the entry file. */
export function dialectScopeOfFile(document: Document, file: string): DialectScope {
  const { root, files } = rawOf(document);
  return { dialect: dialectOfRoot(files.get(file) ?? root) ?? dialectOfRoot(root) ?? draft202012, isAnchored: false };
}

/** Returns the dialect of a schema: the one that it states, or that of the enclosing schema. The `$schema` of an OpenAPI file is meant for editors. */
export function dialectScopeOfSchema(enclosing: DialectScope, schema: JsonObject): DialectScope {
  const { $schema: uri, $recursiveAnchor: anchor, openapi } = schema;
  const statedDialect = typeof uri === 'string' && typeof openapi !== 'string' ? dialectOf(uri) : undefined;
  if (statedDialect === undefined && anchor !== true) return enclosing;
  return { dialect: statedDialect ?? enclosing.dialect, isAnchored: enclosing.isAnchored || anchor === true };
}

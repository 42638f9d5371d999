/** Dialects of JSON Schema that contracts are written in, and how each differs from draft 2020-12. */

import type { JsonObject } from './json.ts';

/** A dialect, as far as its words mean something else than in draft 2020-12. */
export interface Dialect {
  /** Whether whatever stands beside a `$ref` is ignored. */
  readonly isReferenceAlone: boolean;
  /** Whether `exclusiveMinimum` and `exclusiveMaximum` are booleans that speak of `minimum` and `maximum`. */
  readonly hasBooleanBounds: boolean;
  /** Whether `items` may list a schema for each place, and `additionalItems` speaks of those after. */
  readonly hasItemLists: boolean;
  /** Whether `dependencies` holds lists of names as well as schemas. */
  readonly hasDependencies: boolean;
  /** Whether a schema refers to itself, as it was extended, by `$recursiveRef`. */
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
export function dialectOfRoot(root: JsonObject): Dialect | undefined {
  const { openapi, jsonSchemaDialect } = root;
  if (typeof openapi !== 'string') return undefined;
  if (openapi.startsWith('3.0')) return openapi30;
  return (typeof jsonSchemaDialect === 'string' ? dialectOf(jsonSchemaDialect) : undefined) ?? modern;
}

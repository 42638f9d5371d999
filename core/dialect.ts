/** Contracts in older dialects of JSON Schema, read as draft 2020-12: what judges and generates knows that one alone. */

import { rewriteKeywords } from './dialect-keywords.ts';
import { rewriteReference } from './dialect-reference.ts';
import { listSchemas, type Reading } from './dialect-walk.ts';
import { createDocument, type Document } from './document.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import { copyOrigin } from './origin.ts';
import { type Position, positionOf } from './traverse.ts';

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
  private readonly schemas: ReadonlyMap<JsonObject, Reading>;
  private readonly known = new Map<Position, Map<object, Json>>();

  constructor(document: Document, schemas: ReadonlyMap<JsonObject, Reading>) {
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

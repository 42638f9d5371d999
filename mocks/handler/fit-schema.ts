/**
 * Fits content into the schema of an answer. Datasets hold every field of the most detailed view; which of them a view shows, and whether a missing
 * value is null or absent, the closed contract says.
 */

import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Document } from '../../core/openapi/document.ts';
import { allowsNull, certainSchemas, type Schema } from '../../core/openapi/schema.ts';
import { parseInstant } from '../../core/query/instant.ts';

/** Leaves out what a schema excludes: members whose schema is `false`, and nulls that it refuses. */
export type Fit = (value: Json) => Json;

/** Compiles the fitting of values to schemas that all hold for them. */
export function createFit(document: Document, schemas: readonly Schema[]): Fit {
  return new FitCompiler(document).compile(schemas);
}

/** The members that a schema fixes with `const`, however deep: what every answer of that schema carries. */
export function constantsOf(document: Document, schema: Schema, path: readonly Schema[] = []): Json | undefined {
  const parts = certainSchemas(document, schema);
  // A recursive schema has no end of members, and fixes none of them.
  if (parts.includes(false) || parts.some((part) => path.includes(part))) return undefined;
  const objects = parts.filter(isObject);
  const constant = objects.find((part) => part['const'] !== undefined)?.['const'];
  if (constant !== undefined) return constant;
  // Base schemas come first, as a reader of the response expects: the envelope, then its content.
  const members = [...propertiesOf(objects.toReversed())].flatMap(([name, schemas]) => {
    const value = constantsOf(document, { allOf: schemas }, [...path, ...objects]);
    return value === undefined ? [] : [[name, value] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

class FitCompiler {
  private readonly document: Document;
  private readonly known: { readonly parts: readonly JsonObject[]; readonly fit: Fit }[] = [];

  constructor(document: Document) {
    this.document = document;
  }

  compile(schemas: readonly Schema[]): Fit {
    const parts = schemas.flatMap((schema) => certainSchemas(this.document, schema)).filter(isObject);
    const known = this.known.find((each) => each.parts.length === parts.length && each.parts.every((part, index) => part === parts[index]));
    if (known !== undefined) return known.fit;
    // A recursive schema meets itself while it is compiled; it then finds this function, which is complete by the time it is called.
    let shape: Fit = (value) => value;
    this.known.push({ parts, fit: (value) => shape(value) });
    shape = this.compileParts(parts);
    return shape;
  }

  private compileParts(parts: readonly JsonObject[]): Fit {
    const members = new Map([...propertiesOf(parts)].map(([name, schemas]) => [name, this.compileMember(schemas)]));
    const elements = parts.flatMap((part) => (isSchema(part['items']) ? [part['items']] : []));
    const fitElement = elements.length === 0 ? undefined : this.compile(elements);
    return (value) => {
      if (Array.isArray(value)) return fitElement === undefined ? value : fitElements(value, fitElement);
      return isObject(value) ? fitObject(value, members) : value;
    };
  }

  private compileMember(schemas: readonly Schema[]): Member {
    const parts = schemas.flatMap((schema) => certainSchemas(this.document, schema));
    if (parts.includes(false)) return { excluded: true, nullable: false, fit: (value) => value };
    const isLocal = parts.some((part) => isObject(part) && part['format'] === 'date-time-local');
    const nullable = schemas.every((schema) => allowsNull(this.document, schema));
    return { excluded: false, nullable, fit: isLocal ? withoutOffset : this.compile(schemas) };
  }
}

/** As with objects, a list whose elements all fit is that list. */
function fitElements(list: readonly Json[], fit: Fit): Json {
  const fitted = list.map(fit);
  return fitted.every((element, index) => element === list[index]) ? list : fitted;
}

/** Datasets know moments; where the schema wants the local time of the place, the offset goes. */
function withoutOffset(value: Json): Json {
  return typeof value === 'string' && parseInstant(value) !== undefined ? value.slice(0, 19) : value;
}

interface Member {
  readonly excluded: boolean;
  readonly nullable: boolean;
  readonly fit: Fit;
}

/** Most objects fit as they are, and need no copy. */
function fitObject(object: JsonObject, members: ReadonlyMap<string, Member>): JsonObject {
  const isUnfit = (name: string): boolean => fitMember(object, name, members.get(name)) !== object[name];
  const names = Object.keys(object);
  const firstUnfit = names.findIndex(isUnfit);
  if (firstUnfit < 0) return object;
  const fitted: Record<string, Json> = {};
  for (const [index, name] of names.entries()) {
    const value = index < firstUnfit ? object[name] : fitMember(object, name, members.get(name));
    if (value !== undefined) fitted[name] = value;
  }
  return fitted;
}

/** A member as it fits; `undefined` when it has no place there. */
function fitMember(object: JsonObject, name: string, member: Member | undefined): Json | undefined {
  const value = object[name];
  if (member === undefined || value === undefined) return value;
  return !member.excluded && (value !== null || member.nullable) ? member.fit(value) : undefined;
}

/** The schemas of each member that parts of a schema name. */
export function propertiesOf(parts: readonly JsonObject[]): ReadonlyMap<string, readonly Schema[]> {
  const found = new Map<string, readonly Schema[]>();
  for (const part of parts) {
    for (const [name, schema] of Object.entries(isObject(part['properties']) ? part['properties'] : {})) {
      if (isSchema(schema)) found.set(name, [...(found.get(name) ?? []), schema]);
    }
  }
  return found;
}

function isSchema(value: Json | undefined): value is Schema {
  return typeof value === 'boolean' || isObject(value);
}

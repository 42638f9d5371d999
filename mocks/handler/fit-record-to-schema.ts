/** Fits records to the schema of a response: leaves out members that it excludes and nulls that it forbids, and offsets where it wants local times. */

import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Document } from '../../core/openapi/document.ts';
import { allowsNull, certainSchemas, isSchema, propertiesOf, type Schema } from '../../core/openapi/schema-facts.ts';
import { parseInstant } from '../../core/query/instants.ts';

/** Removes the members that a schema excludes: those whose schema is `false`, and nulls that it does not allow. */
type Fit = (value: Json) => Json;

/** Compiles the fit for values that must match all of the schemas. */
export function createFit(document: Document, schemas: readonly Schema[]): Fit {
  return new FitCompiler(document).compile(schemas);
}

/** Compiles fits, once per list of schemas. */
class FitCompiler {
  private readonly document: Document;
  private readonly compiled: { readonly parts: readonly JsonObject[]; readonly fit: Fit }[] = [];

  constructor(document: Document) {
    this.document = document;
  }

  compile(schemas: readonly Schema[]): Fit {
    const parts = schemas.flatMap((schema) => certainSchemas(this.document, schema)).filter(isObject);
    const isSame = (other: readonly JsonObject[]): boolean =>
      other.length === parts.length && other.every((part, index) => part === parts[index]);
    const compiled = this.compiled.find((entry) => isSame(entry.parts));
    if (compiled !== undefined) return compiled.fit;
    // A recursive schema contains itself. The inner compile finds this entry, which calls `complete` once that is compiled.
    let complete = unchanged;
    this.compiled.push({ parts, fit: (value) => complete(value) });
    complete = this.compileParts(parts);
    return complete;
  }

  private compileParts(parts: readonly JsonObject[]): Fit {
    const members = new Map([...propertiesOf(parts)].map(([name, schemas]) => [name, this.compileMember(schemas)]));
    const elements = parts.flatMap((part) => (isSchema(part['items']) ? [part['items']] : []));
    const fitElement = elements.length === 0 ? undefined : this.compile(elements);
    if (members.size === 0 && fitElement === undefined) return unchanged;
    return (value) => {
      if (Array.isArray(value)) return fitElement === undefined ? value : fitElements(value, fitElement);
      return isObject(value) ? fitObject(value, members) : value;
    };
  }

  private compileMember(schemas: readonly Schema[]): Member {
    const parts = schemas.flatMap((schema) => certainSchemas(this.document, schema));
    if (parts.includes(false)) return { excluded: true, nullable: false, fit: unchanged };
    const isLocal = parts.some((part) => isObject(part) && part['format'] === 'date-time-local');
    const nullable = schemas.every((schema) => allowsNull(this.document, schema));
    return { excluded: false, nullable, fit: isLocal ? withoutOffset : this.compile(schemas) };
  }
}

/** Fits plain values. */
const unchanged: Fit = (value) => value;

/** Fits the elements of a list. A list without changes is returned as it is, without a copy. */
function fitElements(list: readonly Json[], fit: Fit): Json {
  const fitted = list.map(fit);
  return fitted.every((element, index) => element === list[index]) ? list : fitted;
}

/** An instant without its offset, for the format `date-time-local`. Datasets have instants only. */
function withoutOffset(value: Json): Json {
  return typeof value === 'string' && parseInstant(value) !== undefined ? value.slice(0, 19) : value;
}

/** The fit of a member. */
interface Member {
  readonly excluded: boolean;
  readonly nullable: boolean;
  readonly fit: Fit;
}

/** Fits the members of an object. An object without changes is returned as it is. */
function fitObject(object: JsonObject, members: ReadonlyMap<string, Member>): JsonObject {
  const fitted: Record<string, Json> = {};
  let isUnchanged = true;
  for (const name of Object.keys(object)) {
    const value = object[name] as Json;
    const member = members.get(name);
    const fittedValue = member === undefined ? value : fitMember(value, member);
    if (fittedValue !== undefined) fitted[name] = fittedValue;
    if (fittedValue !== value) isUnchanged = false;
  }
  return isUnchanged ? object : fitted;
}

/** The fitted value of a member; `undefined` if it is excluded. */
function fitMember(value: Json, member: Member): Json | undefined {
  return member.excluded || (value === null && !member.nullable) ? undefined : member.fit(value);
}

/** Finding the line that keeps a schema from being compiled, or from meaning anything. */

import { type Document, referred } from './document.ts';
import { type Place, SpecError } from './errors.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import type { Schema } from './schema.ts';
import { type Position, positionOf } from './traverse.ts';

/** The line of the innermost part that does not compile by itself, references followed, and of its keyword where one can be told. */
export function placeOfFault(document: Document, schema: Schema, compiles: (part: JsonObject) => boolean): Place {
  const seen = new Set<JsonObject>();
  let fault = isObject(schema) ? schema : document.root;
  for (let inner: JsonObject | undefined = fault; inner !== undefined; ) {
    fault = inner;
    seen.add(fault);
    const parts = [referred(document, fault), ...innerSchemas(fault)].filter(isObject);
    // A part that leads back to a schema above it fails because of that one, and is not where the fault is.
    const leadsBack = (part: JsonObject): boolean => [part, referred(document, part)].some((each) => isObject(each) && seen.has(each));
    inner = parts.find((part) => !leadsBack(part) && !compiles(part));
  }
  const suspects = Object.keys(fault).filter((key) => typeof fault[key] !== 'object' && key !== '$ref');
  return document.place(
    fault,
    suspects.find((key) => !compiles({ [key]: fault[key] ?? null })),
  );
}

/** The line of a pattern in a schema or in what it refers to. */
export function placeOfPattern(document: Document, schema: Schema, source: string): Place {
  const parts = new Set<Json | undefined>([schema]);
  for (const part of parts) {
    if (!isObject(part)) continue;
    const { pattern, patternProperties } = part;
    if (pattern === source) return document.place(part, 'pattern');
    if (isObject(patternProperties) && Object.hasOwn(patternProperties, source)) return document.place(patternProperties, source);
    for (const inner of [...innerSchemas(part), referred(document, part)]) parts.add(inner);
  }
  return document.place(isObject(schema) ? schema : document.root);
}

function innerSchemas(value: Json, position: Position = 'keywords'): readonly JsonObject[] {
  if (typeof value !== 'object' || value === null || position === 'data' || position === 'extension') return [];
  const entries = Array.isArray(value) ? [...(value as readonly Json[]).entries()] : Object.entries(value as JsonObject);
  return entries.flatMap(([key, member]) => {
    const inner = positionOf(position, key, member);
    return inner === 'keywords' && isObject(member) ? [member] : innerSchemas(member, inner);
  });
}

/** Keywords that count, and can count neither parts nor debts (JSON Schema validation §6). */
const counts = ['maxLength', 'minLength', 'maxItems', 'minItems', 'maxProperties', 'minProperties', 'maxContains', 'minContains'];

const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

function isType(value: Json): boolean {
  return Array.isArray(value) ? value.length > 0 && value.every((each) => types.includes(String(each))) : types.includes(value as string);
}

function refuseType(document: Document, schema: JsonObject): void {
  const { type } = schema;
  if (typeof type !== 'object' || isType(type)) return;
  const found = JSON.stringify(type).slice(0, 100);
  throw new SpecError(document.place(schema, 'type'), `type: ${found} is no type; write ${types.join(', ')}, or a list of these`);
}

/**
 * Refuses types that are none, and bounds that nothing or everything would meet.
 * @throws {SpecError} at the keyword.
 */
export function refuseImpossible(document: Document, schema: JsonObject): void {
  refuseType(document, schema);
  for (const [keyword, value] of Object.entries(schema)) {
    if (typeof value !== 'number') continue;
    const expected =
      keyword === 'multipleOf' && value <= 0
        ? 'a number above zero'
        : counts.includes(keyword) && !(Number.isInteger(value) && value >= 0)
          ? 'a whole number, zero or more'
          : undefined;
    if (expected !== undefined)
      throw new SpecError(document.place(schema, keyword), `${keyword}: ${value} is meaningless; write ${expected}`);
  }
}

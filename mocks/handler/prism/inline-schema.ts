/** Replaces the references of a schema by their targets, since Prism compiles each schema without the document around it. */

import { isArray, isObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { Document } from '../../../core/openapi/document.ts';
import { referenceTarget, type Schema } from '../../../core/openapi/schema-facts.ts';

/** Maximum number of objects in an inlined schema: Prism compiles a thousand in about 50 ms. The rest accepts everything. */
const maxObjects = 1000;

/** Members that say nothing about values, and may be large. */
const annotations = new Set(['description', 'title', 'example', 'examples', 'externalDocs', 'xml', 'deprecated', 'discriminator']);

/** Members whose own members have names of the author. */
const nameMaps = new Set(['properties', 'patternProperties', 'dependentSchemas']);

/** A schema without references. Where it refers to itself, or is very large, it accepts everything. */
export function inlineSchema(document: Document, schema: Schema): Schema {
  let objects = 0;
  const inline = (value: Json, path: readonly JsonObject[], isName: boolean): Json => {
    if (isArray(value)) return value.map((each) => inline(each, path, false));
    if (typeof value === 'bigint') return Number(value);
    if (!isObject(value)) return value;
    if (path.includes(value) || objects >= maxObjects) return true;
    objects += 1;
    const pathBelow = [...path, value];
    const target = isName ? undefined : referenceTarget(document, value);
    const members = Object.entries(value).flatMap(([name, member]) => {
      if (!isName && (name === '$ref' || name.startsWith('x-') || annotations.has(name))) return [];
      return [[name, inline(member, pathBelow, !isName && nameMaps.has(name))] as const];
    });
    const own = Object.fromEntries(members);
    if (target === undefined) return own;
    const inlined = inline(target, pathBelow, false);
    return members.length === 0 ? inlined : { allOf: [inlined, own] };
  };
  return inline(schema, [], false) as Schema;
}

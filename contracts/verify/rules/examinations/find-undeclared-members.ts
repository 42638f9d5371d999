/** Finds members of a body that its schema does not name, though the schema names others there and says nothing of further ones. */

import { isArray, isObject, type Json } from '../../../../core/json.ts';
import { getOrCompute } from '../../../../core/memo.ts';
import type { Document } from '../../../../core/openapi/document.ts';
import { type Schema, schemasAt } from '../../../../core/openapi/schema-facts.ts';
import { toPointer } from '../../../../core/pointer.ts';

/** Pointers to undeclared members, with `0` for any index, each once. */
export function findUndeclaredMembers(document: Document, schema: Schema, body: Json): readonly string[] {
  const declared = new Map<string, ReadonlySet<string> | undefined>();
  const found = new Set<string>();
  const visit = (value: Json, pointer: string): void => {
    if (isArray(value)) for (const element of value) visit(element, `${pointer}/0`);
    if (!isObject(value)) return;
    const names = getOrCompute(declared, pointer, () => declaredNames(schemasAt(document, schema, pointer)));
    for (const [name, member] of Object.entries(value)) {
      const at = `${pointer}${toPointer([name])}`;
      if (names !== undefined && !names.has(name)) found.add(at);
      else visit(member, at);
    }
  };
  visit(body, '');
  return [...found];
}

/** Keywords that speak of members beside the named ones. */
const openKeywords = ['additionalProperties', 'patternProperties', 'unevaluatedProperties'] as const;

/** The names that schemas declare; `undefined` if they declare none, or speak of further members. */
function declaredNames(schemas: readonly Schema[]): ReadonlySet<string> | undefined {
  const objects = schemas.filter(isObject);
  const names = new Set(objects.flatMap(({ properties }) => (isObject(properties) ? Object.keys(properties) : [])));
  return names.size === 0 || objects.some((each) => openKeywords.some((keyword) => each[keyword] !== undefined)) ? undefined : names;
}

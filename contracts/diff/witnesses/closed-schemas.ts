/**
 * Views of schemas that forbid the properties that they do not declare: JSON Schema allows these, but no reader of a contract expects them in a value that
 * shows a loss.
 */

import { isArray, isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { memoize } from '../../../core/memo.ts';
import type { Document } from '../../../core/openapi/document.ts';
import { followOnce } from '../../../core/openapi/raw-document.ts';
import { markOfOtherDirection } from '../../../core/openapi/schema-direction.ts';
import { propertiesOf, type Schema, schemasAt } from '../../../core/openapi/schema-facts.ts';
import { copyOrigin, setTargetView } from '../../../core/openapi/source-positions.ts';

/** Keywords with schemas of the same value. A condition (`if`, `not`) is about the value as it is. */
const sameValueKeywords: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'then', 'else', 'dependentSchemas']);
const childKeywords: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'additionalProperties'],
  ...['items', 'prefixItems', 'unevaluatedItems'],
]);
const mapKeywords: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas']);

/** Returns the view of schemas of one direction: at any depth, it allows only the declared properties of this direction. */
export function createClosedViews(document: Document): (schema: Schema) => Schema {
  const close = memoize((schema: JsonObject): JsonObject => {
    const parts = schemasAt(document, schema, '').filter(isObject);
    // An object without declared properties is a map.
    if (propertiesOf(parts).size === 0) return copy(schema);
    const required = parts.flatMap((part) => (isArray(part['required']) ? part['required'].map(String) : []));
    const named = { properties: Object.fromEntries(required.map((name) => [name, true])) };
    return copyOrigin(schema, { allOf: [copy(schema), named], unevaluatedProperties: false });
  });
  /** A schema whose own undeclared properties are allowed, for those that another schema of the value declares. */
  const copy = memoize((schema: JsonObject): JsonObject => {
    const entries = Object.entries(schema).map(([keyword, value]) => [keyword, viewOf(keyword, value)] as const);
    const made = copyOrigin(schema, Object.fromEntries(entries));
    setTargetView(made, () => view(followOnce(document, schema) ?? true, copy));
    return made;
  });
  const view = (value: Json, change: (schema: JsonObject) => JsonObject): Json => (isObject(value) ? change(value) : value);
  const viewOf = (keyword: string, value: Json): Json => {
    if (!sameValueKeywords.has(keyword) && !childKeywords.has(keyword)) return value;
    const change = childKeywords.has(keyword) ? close : copy;
    if (isArray(value)) return value.map((each) => view(each, change));
    if (!mapKeywords.has(keyword) || !isObject(value)) return view(value, change);
    const members = Object.entries(value).filter(([, each]) => markOfOtherDirection(each) === undefined);
    return Object.fromEntries(members.map(([name, each]) => [name, view(each, change)]));
  };
  return (schema) => (isObject(schema) ? close(schema) : schema);
}

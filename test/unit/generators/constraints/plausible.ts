/** Instances that resemble a schema of a contract: most members are valid, some are arbitrary. */

import fc from 'fast-check';
import { isObject, type Json, type JsonObject } from '../../../../core/json.ts';
import type { Document } from '../../../../core/openapi/document.ts';
import { certainSchemas, mergedBranchKeywords, type Schema, schemasAt, typesOf } from '../../../../core/openapi/schema-facts.ts';

/** Values of every type, small ones. */
const anything: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, false, 0, 1, -1, 1.5, 100, '', 'a', '2024-02-29', '2024-02-29T10:00:00Z', '+391234567', [], {}),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
);

const texts: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['2024-02-29T10:00:00Z', '2024-02-29T10:00:00+02:00', '2023-02-29T10:00:00Z', '2024-02-29T10:00:00'],
  'date-time-local': ['2024-02-29T10:00:00', '2024-02-29 10:00:00', '2024-02-29T10:00:00Z'],
  date: ['2024-02-29', '2023-02-29'],
  email: ['a@b.example', 'a'],
  uri: ['https://a.example/b', 'a b'],
};

/** Texts without a format: among them are some for each pattern of the shipped contracts. */
const plain = ['a', '', 'AB-1234', 'EUR', '19:30', 'Europe/Rome'];

/** An arbitrary of instances that are valid now and then, and almost valid most of the time. */
export function plausible(document: Document, schema: Schema, depth = 6): fc.Arbitrary<Json> {
  return fc.oneof({ weight: 60, arbitrary: likely(document, schema, depth) }, { weight: 1, arbitrary: anything });
}

function likely(document: Document, schema: Schema, depth: number): fc.Arbitrary<Json> {
  if (depth === 0) return anything;
  if (isObject(schema) && Array.isArray(schema['anyOf'])) return ofBranches(document, schema, schema['anyOf'], depth);
  const parts = isObject(schema) && Array.isArray(schema['allOf']) ? (schema['allOf'] as readonly Json[]) : [];
  const choice = parts.find((part) => isObject(part) && Array.isArray(part['anyOf']));
  if (isObject(schema) && isObject(choice))
    return likely(document, { ...schema, allOf: parts.filter((part) => part !== choice), anyOf: choice['anyOf'] ?? [] }, depth);
  const keywords = mergedBranchKeywords(document, schema);
  const { const: constant, enum: listed } = keywords;
  if (constant !== undefined) return fc.constant(constant);
  if (Array.isArray(listed) && listed.length > 0) return fc.constantFrom<Json>(...(listed as readonly Json[]));
  const types = typesOf(keywords);
  return types.length === 0 ? anything : fc.oneof(...types.map((type) => ofType(document, schema, keywords, type, depth)));
}

function ofBranches(document: Document, schema: JsonObject, branches: readonly Schema[], depth: number): fc.Arbitrary<Json> {
  const { anyOf: _branches, ...others } = schema;
  return fc.oneof(...branches.map((branch) => likely(document, { allOf: [others, branch] }, depth)));
}

function ofType(document: Document, schema: Schema, keywords: JsonObject, type: string, depth: number): fc.Arbitrary<Json> {
  if (type === 'object') return ofMembers(document, schema, keywords, depth);
  if (type === 'array') return fc.array(plausible(document, (keywords['items'] ?? true) as Schema, depth - 1), { maxLength: 3 });
  if (type === 'integer') return fc.integer({ min: -1, max: 120 });
  if (type === 'number') return fc.integer({ min: -10, max: 5000 }).map((cents) => cents / 100);
  if (type === 'boolean') return fc.boolean();
  return type === 'null' ? fc.constant(null) : fc.constantFrom<Json>(...(texts[String(keywords['format'])] ?? plain));
}

/** Each member that is required comes nearly always, each other half of the time. */
function ofMembers(document: Document, schema: Schema, keywords: JsonObject, depth: number): fc.Arbitrary<Json> {
  const parts = [...certainSchemas(document, schema), keywords].filter(isObject);
  const names = parts.flatMap(({ properties }) => (isObject(properties) ? Object.keys(properties) : []));
  const required = new Set(parts.flatMap((part) => (part['required'] ?? []) as readonly string[]));
  const members = [...new Set(names)].map((name) => {
    const spoken = schemasAt(document, schema, `/${name}`);
    const present = plausible(document, { allOf: spoken }, depth - 1).map((value): readonly [string, Json][] => [[name, value]]);
    return fc.oneof({ weight: required.has(name) ? 60 : 1, arbitrary: present }, { weight: 1, arbitrary: fc.constant([]) });
  });
  const others = fc.constantFrom<readonly [string, Json][]>([], [], [], [], [['other', 1]]);
  return fc.tuple(others, ...members).map((found): JsonObject => Object.fromEntries(found.flat()));
}

/** The values that an edit names: a removed value, a missing member, one more than the maximum. A validator confirms them. */

import { isObject, type Json } from '../../../core/json.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import { allowedTypes, allTypes, type FlatSchema, isSchema, keywordMap, keywordSchemas } from '../schemas/flat-schema.ts';
import type { SchemaEdit } from '../schemas/schema-pair.ts';
import { type SimpleInstances, undeclaredName } from './simple-instance.ts';

/** An edit, from the side that refuses the values. */
export interface RefusingEdit {
  readonly edit: SchemaEdit;
  readonly allowing: FlatSchema;
  readonly refusing: FlatSchema;
  /** The changed keyword in the refusing schema; `undefined` if the edit has none of its own. */
  readonly constraint: Schema | undefined;
  /** What other edits of the same schema refuse. A value for this edit keeps to it. */
  readonly held: readonly Schema[];
  /** Members that edits of the same kind are about, and that no value of both schemas can have. */
  readonly leftOut: readonly string[];
}

interface Tools {
  readonly instances: SimpleInstances;
  /** An instance of some schemas that another one refuses. */
  readonly separate: (allowing: readonly Schema[], refusing: Schema) => Json | undefined;
}

/** Values that only the allowing schema of an edit allows, likely ones first. */
export function* valuesOfEdit(refusing: RefusingEdit, tools: Tools): Generator<Json> {
  for (const value of namedValues(refusing, tools.instances)) if (value !== undefined) yield value;
  const { allowing, constraint, held } = refusing;
  const value = tools.separate([allowing.schema, ...held], constraint ?? refusing.refusing.schema);
  if (value !== undefined) yield value;
}

function* namedValues(
  { edit, allowing, refusing, constraint, held, leftOut }: RefusingEdit,
  instances: SimpleInstances,
): Generator<Json | undefined> {
  const { required, not } = isObject(constraint) ? constraint : {};
  const excluded = isObject(not) ? not : {};
  if (Array.isArray(excluded['enum'])) yield* excluded['enum'] as readonly Json[];
  if (Array.isArray(required))
    yield instances.objectWith([allowing.schema, refusing.schema], { omitted: [String(required[0]), ...leftOut] });
  const added = forbiddenMember(constraint) ?? undeclaredNameOf({ edit, allowing, refusing });
  if (added !== undefined) yield objectWithMember(allowing, refusing, added, instances);
  if (edit.branch !== undefined) {
    const branch = [allowing.schema, edit.branch];
    yield* [instances.instanceOf(branch), instances.objectWith(branch, { declared: true }), instances.instanceOf([edit.branch])];
  }
  if (edit.rule === 'type-changed' || edit.rule.endsWith('nullable'))
    for (const type of typesBeyond(allowing, refusing)) yield instances.instanceOf([allowing.schema, { type }, ...held]);
}

/** The name of an undeclared member, if the edit forbids them. */
function undeclaredNameOf({ edit, allowing, refusing }: Pick<RefusingEdit, 'edit' | 'allowing' | 'refusing'>): string | undefined {
  if (!/^(?:additional|unevaluated)-properties/.test(edit.rule)) return undefined;
  return undeclaredName(new Map([...keywordMap(allowing, 'properties'), ...keywordMap(refusing, 'properties')]));
}

function objectWithMember(allowing: FlatSchema, refusing: FlatSchema, name: string, instances: SimpleInstances): Json | undefined {
  const declared = keywordMap(allowing, 'properties').get(name) ?? keywordSchemas(allowing, 'additionalProperties');
  const value = instances.instanceOf([...declared, true]);
  return value === undefined ? undefined : instances.objectWith([allowing.schema, refusing.schema], { added: [name, value] });
}

function typesBeyond(allowing: FlatSchema, refusing: FlatSchema): readonly string[] {
  const [types, others] = [allowing, refusing].map((flat) => allowedTypes(flat) ?? new Set(allTypes));
  return [...(types ?? [])].filter((type) => others?.has(type) !== true);
}

/** The member that a constraint forbids. */
export function forbiddenMember(constraint: Schema | undefined): string | undefined {
  if (!isObject(constraint)) return undefined;
  const { not: excluded, properties } = constraint;
  if (isObject(excluded) && Array.isArray(excluded['required'])) return String(excluded['required'][0]);
  return isObject(properties) ? Object.keys(properties).find((name) => properties[name] === false) : undefined;
}

/** Names of the keywords that refuse the values of an edit; empty if any keyword may. */
export function refusingKeywords({ constraint, edit }: Pick<RefusingEdit, 'constraint' | 'edit'>): readonly string[] {
  if (!isObject(constraint) || edit.branch !== undefined) return [];
  const excluded = isObject(constraint['not']) ? constraint['not'] : undefined;
  if (excluded?.['enum'] !== undefined) return ['enum', 'const', 'type'];
  if (forbiddenMember(constraint) !== undefined) return ['additionalProperties', 'unevaluatedProperties', 'false'];
  const keywords = Object.keys(constraint).filter((keyword) => keyword !== 'allOf');
  const parts = Array.isArray(constraint['allOf']) ? (constraint['allOf'] as readonly Json[]).filter(isSchema) : [];
  const names = [...keywords, ...parts.flatMap((part) => (isObject(part) ? Object.keys(part) : []))];
  // The schemas inside these keywords refuse by keywords of their own.
  if (names.some((keyword) => keyword === 'not' || keyword === 'if')) return [];
  return names.includes('enum') || names.includes('const') ? ['enum', 'const'] : names;
}

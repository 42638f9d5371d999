/**
 * Compares the keywords on the parts of a value: properties of objects, and items of arrays. Called by `SchemaPairs` once for each pair of
 * flat schemas with a common type. Reports edits, and names the pairs of schemas below that must be compared next.
 */

import type { SourceLocation } from '../../../core/errors.ts';
import { isObject, type Json } from '../../../core/json.ts';
import type { Schema } from '../../../core/openapi/schema.ts';
import { showJson } from '../sentences.ts';
import { type FlatSchema, isEmptySchema, isSchema, keywordMap, keywordSchemas, keywordValues, pickKeywords } from './flat-schema.ts';
import {
  type ChangeVerb,
  changedSides,
  changeVerb,
  effectOf,
  effectOfVerb,
  provedEffect,
  type SchemaComparison,
  type SchemaEdit,
  type SchemaStep,
  sidesWithConstraints,
  toKebab,
} from './schema-edit.ts';

/** Compares the declared properties: reports added and removed ones, and compares the schemas of the common ones. */
export function compareProperties(comparison: SchemaComparison): void {
  const [old, next] = [namesOf(comparison, comparison.old), namesOf(comparison, comparison.new)];
  const memberOf = (name: string, schema: Schema): ChangedProperty => {
    return { name, schema, wasRequired: old.required.has(name), isRequired: next.required.has(name) };
  };
  for (const [name, before] of old.named) {
    const after = next.named.get(name);
    if (after === undefined) reportRemoved(comparison, memberOf(name, before));
    else
      comparison.compareBelow(
        // The new contract decides whether requests or responses carry the property.
        {
          kind: 'property',
          name,
          isReadOnly: isMarked(comparison, after, 'readOnly'),
          isWriteOnly: isMarked(comparison, after, 'writeOnly'),
        },
        before,
        after,
      );
  }
  for (const [name, after] of next.named) if (!old.named.has(name)) reportAdded(comparison, memberOf(name, after));
  compareRequired(comparison, old, next);
}

/** Declared and required properties of a schema. */
interface NamedProperties {
  readonly named: ReadonlyMap<string, Schema>;
  readonly required: ReadonlySet<string>;
}

function namesOf({ flatSchemas }: SchemaComparison, flat: FlatSchema): NamedProperties {
  const named = [...keywordMap(flat, 'properties')].map(([name, schemas]) => [name, flatSchemas.combine(schemas)] as const);
  const lists = keywordValues(flat, 'required').map((value) => (Array.isArray(value) ? (value as readonly Json[]) : []));
  return { named: new Map(named), required: new Set(lists.flat().map(String)) };
}

function isMarked({ flatSchemas, old }: SchemaComparison, schema: Schema | undefined, keyword: 'readOnly' | 'writeOnly'): boolean {
  return schema !== undefined && keywordValues(flatSchemas.of(schema, old.place), keyword).includes(true);
}

/** True if an object must not have undeclared properties. */
function forbidsOtherProperties(flat: FlatSchema): boolean {
  return ['additionalProperties', 'unevaluatedProperties'].some((keyword) => keywordValues(flat, keyword).includes(false));
}

/** A property that only one side declares. */
interface ChangedProperty {
  readonly name: string;
  readonly schema: Schema;
  readonly wasRequired: boolean;
  readonly isRequired: boolean;
}

/** Place of a property: its schema, or its name if the schema is `true` and has no place. */
function placeOf({ flatSchemas }: SchemaComparison, flat: FlatSchema, name: string, schema: Schema): SourceLocation {
  if (isObject(schema)) return flatSchemas.of(schema, flat.place).place;
  const holder = keywordValues(flat, 'properties').find((value) => isObject(value) && name in value);
  return isObject(holder) ? flatSchemas.placeOfMember(holder, name) : flat.place;
}

function reportRemoved(comparison: SchemaComparison, { name, schema, wasRequired, isRequired }: ChangedProperty): void {
  const isLost = wasRequired && !isRequired;
  const isForbidden = forbidsOtherProperties(comparison.new);
  comparison.report({
    before: { value: schema, place: placeOf(comparison, comparison.old, name, schema) },
    after: { value: undefined, place: comparison.flatSchemas.placeOfKeyword(comparison.new, 'properties') },
    changedItem: name,
    rule: wasRequired ? 'required-property-removed' : 'property-removed',
    effect: effectOf(isForbidden, isLost || !isForbidden),
    text: `the ${wasRequired ? 'required ' : ''}property \`${name}\` was removed`,
    constraints: {
      old: isLost ? { required: [name] } : { properties: { [name]: schema } },
      ...(isForbidden ? { new: { not: { required: [name] } } } : {}),
    },
    levels: {
      request: isMarked(comparison, schema, 'readOnly') ? 'compatible' : isForbidden ? 'breaking' : 'risky',
      response: isMarked(comparison, schema, 'writeOnly') ? 'compatible' : isLost ? 'breaking' : 'risky',
    },
    reason: isLost
      ? 'A client that reads it no longer finds it.'
      : isForbidden
        ? 'A request that still has it is refused.'
        : 'It may still be there, but the contract no longer describes it.',
  });
}

function reportAdded(comparison: SchemaComparison, { name, schema, wasRequired, isRequired }: ChangedProperty): void {
  const becameRequired = isRequired && !wasRequired;
  const wasForbidden = forbidsOtherProperties(comparison.old);
  comparison.report({
    before: { value: undefined, place: comparison.flatSchemas.placeOfKeyword(comparison.old, 'properties') },
    after: { value: schema, place: placeOf(comparison, comparison.new, name, schema) },
    changedItem: name,
    rule: becameRequired ? 'required-property-added' : 'property-added',
    effect: effectOf(becameRequired || !wasForbidden, wasForbidden),
    text: `the ${isRequired ? 'required' : 'optional'} property \`${name}\` was added`,
    constraints: {
      new: becameRequired ? { required: [name] } : { properties: { [name]: schema } },
      ...(wasForbidden ? { old: { not: { required: [name] } } } : {}),
    },
    ...levelsOfAddition({
      wasForbidden,
      becameRequired,
      isReadOnly: isMarked(comparison, schema, 'readOnly'),
      allowsAnything: isEmptySchema(schema),
    }),
  });
}

/** Levels of an added property. `wasForbidden`: the old schema allowed no undeclared properties. */
function levelsOfAddition({
  wasForbidden,
  becameRequired,
  isReadOnly,
  allowsAnything,
}: Readonly<Record<'wasForbidden' | 'becameRequired' | 'isReadOnly' | 'allowsAnything', boolean>>): Pick<SchemaEdit, 'levels' | 'reason'> {
  const response = wasForbidden ? 'breaking' : 'compatible';
  if (becameRequired && !isReadOnly) return { levels: { request: 'breaking', response } };
  if (wasForbidden)
    return {
      levels: { request: 'compatible', response },
      reason: 'It was forbidden before, so a client of the old contract refuses a response that has it.',
    };
  if (isReadOnly || allowsAnything) return { levels: { request: 'compatible', response } };
  return {
    levels: { request: 'risky', response },
    reason: 'Only a request that already had an undeclared property with this name may be refused.',
  };
}

/**
 * Compares `required` for properties that both sides declare. A readOnly property is never required in requests, nor a writeOnly one in
 * responses (OpenAPI 3.0 §4.7.24.2, JSON Schema validation §9.4).
 */
function compareRequired(comparison: SchemaComparison, old: NamedProperties, next: NamedProperties): void {
  const report = (name: string, edit: Omit<SchemaEdit, 'before' | 'after' | 'changedItem'>): unknown =>
    comparison.report({
      ...changedSides(comparison, 'required', (value) => Array.isArray(value) && value.includes(name)),
      changedItem: name,
      ...edit,
    });
  for (const name of requiredBeyond(next, old))
    report(name, {
      rule: 'property-became-required',
      effect: 'narrower',
      text: `the property \`${name}\` became required`,
      constraints: { new: { required: [name] } },
      ...(isMarked(comparison, next.named.get(name), 'readOnly') ? { levels: { request: 'compatible' } } : {}),
    });
  for (const name of requiredBeyond(old, next))
    report(name, {
      rule: 'property-became-optional',
      effect: 'wider',
      text: `the property \`${name}\` became optional`,
      constraints: { old: { required: [name] } },
      ...(isMarked(comparison, old.named.get(name), 'writeOnly') ? { levels: { response: 'compatible' } } : {}),
      reason: 'A client that relies on it may not find it.',
    });
}

/** Names that `side` requires and `other` does not. Properties that only `side` declares are reported as added or removed. */
function requiredBeyond(side: NamedProperties, other: NamedProperties): readonly string[] {
  return [...side.required].filter((name) => !other.required.has(name) && (!side.named.has(name) || other.named.has(name)));
}

/** Compares the keywords for undeclared properties, and the constraints that depend on the presence of a property. */
export function compareUnnamedProperties(comparison: SchemaComparison): void {
  comparePatternProperties(comparison);
  for (const keyword of ['additionalProperties', 'unevaluatedProperties']) compareSingleSchema(comparison, keyword, { kind: 'others' });
  compareSingleSchema(comparison, 'propertyNames', { kind: 'names' });
  compareDependencies(comparison, 'dependentRequired', 'dependent-required');
  compareDependencies(comparison, 'dependentSchemas', 'dependent-schema');
}

function comparePatternProperties(comparison: SchemaComparison): void {
  const [old, next] = [keywordMap(comparison.old, 'patternProperties'), keywordMap(comparison.new, 'patternProperties')];
  for (const pattern of new Set([...old.keys(), ...next.keys()])) {
    const [before, after] = [old.get(pattern), next.get(pattern)];
    if (before !== undefined && after !== undefined)
      comparison.compareBelow({ kind: 'matching', pattern }, comparison.flatSchemas.combine(before), comparison.flatSchemas.combine(after));
    else
      comparison.report({
        ...sidesWithConstraints(comparison, 'patternProperties'),
        rule: after === undefined ? 'pattern-property-removed' : 'pattern-property-added',
        effect: after === undefined ? 'wider' : 'narrower',
        changedItem: pattern,
        text:
          after === undefined
            ? `properties with names matching \`${pattern}\` are no longer described`
            : `properties with names matching \`${pattern}\` are now described`,
      });
  }
}

/** Compares a keyword that holds one schema. An absent keyword allows everything, as `true` does. */
function compareSingleSchema(comparison: SchemaComparison, keyword: string, step: SchemaStep): void {
  const [before = true, after = true] = [comparison.old, comparison.new].map((flat) =>
    comparison.flatSchemas.combine(keywordSchemas(flat, keyword)),
  );
  if (before === after) return;
  if (isObject(before) && isObject(after)) {
    comparison.compareBelow(step, before, after);
    return;
  }
  const [wasFree, isFree] = [isEmptySchema(before), isEmptySchema(after)];
  if (wasFree && isFree) return;
  const verb = wasFree ? 'added' : isFree ? 'removed' : 'changed';
  comparison.report({
    ...changedSides(comparison, keyword),
    rule: `${toKebab(keyword)}-${verb}`,
    effect: after === false || wasFree ? 'narrower' : 'wider',
    text: { added: `${keyword} was added`, removed: `${keyword} was removed`, changed: `${keyword} changed` }[verb],
  });
}

function compareDependencies(comparison: SchemaComparison, keyword: 'dependentRequired' | 'dependentSchemas', rulePrefix: string): void {
  const [old, next] = [dependenciesIn(comparison.old, keyword), dependenciesIn(comparison.new, keyword)];
  for (const name of new Set([...old.keys(), ...next.keys()])) {
    const [before, after] = [old.get(name), next.get(name)];
    if (keyword === 'dependentSchemas' && isSchema(before) && isSchema(after)) {
      comparison.compareBelow({ kind: 'same', keyword, label: `with ${name}` }, before, after);
      continue;
    }
    if (JSON.stringify(before) === JSON.stringify(after)) continue;
    const verb: ChangeVerb = changeVerb(before, after);
    comparison.report({
      ...sidesWithConstraints(comparison, keyword),
      rule: `${rulePrefix}-${verb}`,
      effect: effectOfVerb[verb],
      changedItem: name,
      text: `the constraint that depends on the property \`${name}\` ${{ added: 'was added', removed: 'was removed', changed: 'changed' }[verb]}`,
    });
  }
}

function dependenciesIn(flat: FlatSchema, keyword: string): ReadonlyMap<string, Json> {
  return new Map(keywordValues(flat, keyword).flatMap((value) => Object.entries(isObject(value) ? value : {})));
}

/** Compares the keywords of arrays. */
export function compareItems(comparison: SchemaComparison): void {
  comparePrefixItems(comparison);
  compareSingleSchema(comparison, 'items', { kind: 'items' });
  compareSingleSchema(comparison, 'unevaluatedItems', { kind: 'items' });
  compareSingleSchema(comparison, 'contains', { kind: 'contains' });
  compareUnique(comparison);
}

function prefixItemsOf(flat: FlatSchema): readonly Schema[] {
  const [list] = keywordValues(flat, 'prefixItems');
  return Array.isArray(list) ? (list as readonly Json[]).filter(isSchema) : [];
}

function comparePrefixItems(comparison: SchemaComparison): void {
  const [old, next] = [prefixItemsOf(comparison.old), prefixItemsOf(comparison.new)];
  for (const [index, schema] of old.entries()) {
    const after = next[index];
    if (after !== undefined) comparison.compareBelow({ kind: 'element', index }, schema, after);
  }
  if (old.length === next.length) return;
  const isLonger = next.length > old.length;
  // Items after the prefix follow the schema of `items`, so both keywords decide the effect.
  const keywords = ['prefixItems', 'items'];
  const constraints = { old: pickKeywords(comparison.old, keywords), new: pickKeywords(comparison.new, keywords) };
  comparison.report({
    ...changedSides(comparison, 'prefixItems'),
    rule: isLonger ? 'prefix-items-added' : 'prefix-items-removed',
    effect: provedEffect(comparison, constraints),
    text: `${Math.abs(next.length - old.length)} schemas in prefixItems were ${isLonger ? 'added' : 'removed'}`,
    constraints,
  });
}

function compareUnique(comparison: SchemaComparison): void {
  const [old = false, next = false] = [comparison.old, comparison.new].map((flat) => keywordValues(flat, 'uniqueItems').includes(true));
  if (old === next) return;
  comparison.report({
    ...sidesWithConstraints(comparison, 'uniqueItems'),
    rule: next ? 'unique-items-added' : 'unique-items-removed',
    effect: next ? 'narrower' : 'wider',
    text: `uniqueItems changed from ${showJson(old)} to ${showJson(next)}`,
  });
}

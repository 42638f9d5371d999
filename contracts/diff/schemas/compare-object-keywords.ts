/** Compares the keywords on the properties of objects. */

import { isObject, type Json, printJson } from '../../../core/json.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import { type ChangeLevel, changeLevels, type HalfOfExchange } from '../../../core/results/diff-result.ts';
import type { ContractPlace } from '../component-places.ts';
import { type ChangeVerb, changeVerb, toKebab } from '../describe-value-change.ts';
import { type RatedRemoval, rateRemoval } from '../operations/sunset-announcement.ts';
import { pairEntries } from '../pair-renamed-entries.ts';
import { type FlatSchema, isEmptySchema, isSchema, keywordMap, keywordSchemas, keywordValues, pickKeywords } from './flat-schema.ts';
import {
  changedSides,
  compareSameValue,
  effectOf,
  effectOfVerb,
  type SchemaComparison,
  type SchemaEdit,
  type SchemaStep,
  sidesWithConstraints,
} from './schema-pair.ts';

/** Compares the declared properties: reports added and removed ones, and compares the schemas of the common ones. */
export function compareProperties(comparison: SchemaComparison): void {
  const [old, next] = [declaredProperties(comparison, comparison.old), declaredProperties(comparison, comparison.new)];
  const propertyOf = (name: string, schema: Schema): ChangedProperty => {
    return { name, schema, wasRequired: old.required.has(name), isRequired: next.required.has(name) };
  };
  const pairs = pairEntries(withContents(old, next), withContents(next, old), ({ content }) => content);
  for (const { key: name, newKey: newName, old: before, new: after } of pairs) {
    if (before === undefined) {
      if (!old.inBranches.has(name)) comparison.report(additionOf(comparison, propertyOf(name, after.schema)));
    } else if (after === undefined) {
      if (!next.inBranches.has(name)) comparison.report(removalOf(comparison, propertyOf(name, before.schema)));
    } else if (newName !== name) reportRenamed(comparison, propertyOf(name, before.schema), propertyOf(newName, after.schema));
    else
      comparison.compareBelow(
        // What only one contract has in requests, or in responses, is compared there as a whole.
        {
          kind: 'property',
          name,
          isReadOnly: [before.schema, after.schema].some((schema) => isMarked(comparison, schema, 'readOnly')),
          isWriteOnly: [before.schema, after.schema].some((schema) => isMarked(comparison, schema, 'writeOnly')),
        },
        before.schema,
        after.schema,
      );
  }
  compareRequired(comparison, old, next);
  compareDirections(comparison, old, next);
}

/** Compares whether only responses have a property (`readOnly`), or only requests (`writeOnly`). */
function compareDirections(comparison: SchemaComparison, old: NamedProperties, next: NamedProperties): void {
  for (const [name, before] of old.named) {
    const after = next.named.get(name);
    const changed = (['readOnly', 'writeOnly'] as const).filter(
      (keyword) => after !== undefined && isMarked(comparison, before, keyword) !== isMarked(comparison, after, keyword),
    );
    for (const keyword of changed) reportDirection(comparison, keyword, name, [before, after ?? true], old.required.has(name));
  }
}

function reportDirection(
  comparison: SchemaComparison,
  keyword: 'readOnly' | 'writeOnly',
  name: string,
  [before, after]: readonly [Schema, Schema],
  wasRequired: boolean,
): void {
  const isLost = isMarked(comparison, after, keyword);
  const half = keyword === 'readOnly' ? 'request' : 'response';
  comparison.report({
    before: { value: !isLost, place: placeOfProperty(comparison, comparison.old, name, before) },
    after: { value: isLost, place: placeOfProperty(comparison, comparison.new, name, after) },
    changedItem: name,
    rule: `property-${toKebab(keyword)}-${isLost ? 'added' : 'removed'}`,
    effect: 'none',
    property: name,
    text: ({ members, isPlural }) => `${members} ${isPlural ? 'are' : 'is'} ${isLost ? 'now' : 'no longer'} ${keyword}`,
    levels: { request: 'compatible', response: 'compatible', [half]: directionLevel(half, isLost, wasRequired) },
    reason: directionReasons[half][isLost ? 'gone' : 'new'],
  });
}

/** Level of a property that a half of the exchange loses or gets. */
function directionLevel(half: HalfOfExchange, isLost: boolean, wasRequired: boolean): ChangeLevel {
  if (half === 'response' && isLost) return wasRequired ? 'breaking' : 'risky';
  return isLost || (half === 'request' && wasRequired) ? 'risky' : 'compatible';
}

const directionReasons = {
  request: {
    gone: 'Requests are not meant to have it any more, so servers may ignore or reject it.',
    new: 'Deployed clients do not send it, and a server may begin to demand it.',
  },
  response: { gone: 'A client that reads it no longer finds it.', new: 'Responses have it now.' },
} as const;

/** Declared and required properties of a schema. */
interface NamedProperties {
  readonly named: ReadonlyMap<string, Schema>;
  readonly required: ReadonlySet<string>;
  /** Properties that every branch of a choice declares. The comparison of the choice is about them. */
  readonly inBranches: ReadonlySet<string>;
}

function declaredProperties({ flatSchemas }: SchemaComparison, flat: FlatSchema): NamedProperties {
  const named = [...keywordMap(flat, 'properties')].map(([name, schemas]) => [name, flatSchemas.combine(schemas)] as const);
  const branches = branchesOf(flatSchemas, flat);
  return {
    named: new Map(named),
    required: new Set([...requiredIn(flat), ...namesInEach(branches, requiredIn)]),
    inBranches: new Set(namesInEach(branches, (branch) => [...keywordMap(branch, 'properties').keys()])),
  };
}

function requiredIn(flat: FlatSchema): readonly string[] {
  return keywordValues(flat, 'required').flatMap((value) => (Array.isArray(value) ? value.map(String) : []));
}

/** The branches of a choice, if a schema has only one. */
function branchesOf(flatSchemas: SchemaComparison['flatSchemas'], flat: FlatSchema): readonly FlatSchema[] {
  const [choice = null, ...others] = ['oneOf', 'anyOf'].flatMap((keyword) => keywordValues(flat, keyword));
  if (!Array.isArray(choice) || others.length > 0) return [];
  return (choice as readonly Json[]).filter(isSchema).map((branch) => flatSchemas.of(branch, flat));
}

/** Names that every branch has. */
function namesInEach([first, ...others]: readonly FlatSchema[], namesOf: (branch: FlatSchema) => readonly string[]): readonly string[] {
  if (first === undefined) return [];
  const sets = others.map((branch) => new Set(namesOf(branch)));
  return namesOf(first).filter((name) => sets.every((set) => set.has(name)));
}

function isMarked({ flatSchemas, old }: SchemaComparison, schema: Schema | undefined, keyword: 'readOnly' | 'writeOnly'): boolean {
  return schema !== undefined && keywordValues(flatSchemas.of(schema, old), keyword).includes(true);
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
function placeOfProperty({ flatSchemas }: SchemaComparison, flat: FlatSchema, name: string, schema: Schema): ContractPlace {
  if (isObject(schema)) return flatSchemas.of(schema, flat).place;
  const holder = keywordValues(flat, 'properties').find((value) => isObject(value) && name in value);
  return isObject(holder) ? flatSchemas.placeOfMember(holder, name) : flat.place;
}

/** A declared property, and the content that identifies it under another name: its schema, and its presence in `required`. */
interface DeclaredProperty {
  readonly schema: Schema;
  readonly content: string | undefined;
}

function withContents(side: NamedProperties, other: NamedProperties): ReadonlyMap<string, DeclaredProperty> {
  return new Map(
    [...side.named].map(([name, schema]) => {
      const isVague = other.required.has(name) || isEmptySchema(schema) || schema === false;
      return [name, { schema, content: isVague ? undefined : `${String(side.required.has(name))} ${textOfProperty(schema)}` }];
    }),
  );
}

/** What makes a property the same under another name. Many properties have the same type, so it includes what their descriptions say. */
function textOfProperty(schema: Schema): string {
  if (!isObject(schema)) return String(schema);
  const { title: _title, example: _example, examples: _examples, ...rest } = schema;
  return printJson(rest);
}

function reportRenamed(comparison: SchemaComparison, old: ChangedProperty, next: ChangedProperty): void {
  const [removal, addition] = [removalOf(comparison, old), additionOf(comparison, next)];
  const worst = (half: HalfOfExchange): ChangeLevel =>
    changeLevels.find((level) => [removal, addition].some(({ levels }) => levels?.[half] === level)) ?? 'compatible';
  comparison.report({
    ...removal,
    before: { ...removal.before, value: old.name },
    after: { ...addition.after, value: next.name },
    rule: 'property-renamed',
    effect: 'both',
    changedItem: `${old.name} ${next.name}`,
    property: old.name,
    text: ({ members }) => `${members} is now \`${next.name}\``,
    constraints: {
      ...(removal.constraints?.old === undefined ? {} : { old: removal.constraints.old }),
      ...(addition.constraints?.new === undefined ? {} : { new: addition.constraints.new }),
    },
    levels: { request: worst('request'), response: worst('response') },
    reason: 'Clients look for the old name, or send it, and the new contract does not know it.',
  });
}

/** A property with the schema `false`, which only one side declares: it is forbidden there. */
function prohibitionOf(comparison: SchemaComparison, name: string, side: 'old' | 'new'): SchemaEdit {
  const isNew = side === 'new';
  const other = isNew ? comparison.old : comparison.new;
  const isForbiddenInBoth = forbidsOtherProperties(other);
  const [declared, absent] = [
    { value: false, place: placeOfProperty(comparison, comparison[side], name, false) },
    { value: undefined, place: comparison.flatSchemas.placeOfKeyword(other, 'properties') },
  ];
  return {
    before: isNew ? absent : declared,
    after: isNew ? declared : absent,
    changedItem: name,
    rule: isNew ? 'property-forbidden' : 'property-allowed',
    effect: effectOf(isNew && !isForbiddenInBoth, !isNew && !isForbiddenInBoth),
    property: name,
    text: ({ members, isPlural }) => `${members} ${isPlural ? 'are' : 'is'} ${isNew ? 'now' : 'no longer'} forbidden`,
    constraints: { [side]: { properties: { [name]: false } } },
  };
}

function removalOf(comparison: SchemaComparison, { name, schema, wasRequired, isRequired }: ChangedProperty): SchemaEdit {
  if (schema === false) return prohibitionOf(comparison, name, 'old');
  const isLost = wasRequired && !isRequired;
  const isForbidden = forbidsOtherProperties(comparison.new);
  return {
    before: { value: schema, place: placeOfProperty(comparison, comparison.old, name, schema) },
    after: { value: undefined, place: comparison.flatSchemas.placeOfKeyword(comparison.new, 'properties') },
    changedItem: name,
    rule: wasRequired ? 'required-property-removed' : 'property-removed',
    effect: effectOf(isForbidden, isLost || !isForbidden),
    property: name,
    text: ({ members, isPlural }) => `${members} ${isPlural ? 'were' : 'was'} removed`,
    constraints: {
      old: isLost ? { required: [name] } : { properties: { [name]: schema } },
      ...(isForbidden ? { new: { not: { required: [name] } } } : {}),
    },
    ...announced(comparison, schema, {
      request: {
        level: isMarked(comparison, schema, 'readOnly') ? 'compatible' : isForbidden ? 'breaking' : 'risky',
        reason: isForbidden ? 'A request that still has it is rejected.' : 'Servers may ignore or reject what deployed clients still send.',
      },
      response: {
        level: isMarked(comparison, schema, 'writeOnly') ? 'compatible' : isLost ? 'breaking' : 'risky',
        reason: isLost ? 'A client that reads it no longer finds it.' : 'The contract no longer describes it, so servers may leave it out.',
      },
    }),
  };
}

/** Levels and reasons of a removed property. A day that was announced for its removal decides, if there is one. */
function announced(
  { flatSchemas, old, today }: SchemaComparison,
  schema: Schema,
  ratings: Readonly<Record<HalfOfExchange, RatedRemoval>>,
): Pick<SchemaEdit, 'levels' | 'reason'> {
  const announcement = pickKeywords(flatSchemas.of(schema, old), ['deprecated', 'x-sunset']);
  const rate = (rating: RatedRemoval): RatedRemoval =>
    announcement['x-sunset'] === undefined || rating.level === 'compatible' ? rating : rateRemoval({ today }, announcement, rating);
  const [request, response] = [rate(ratings.request), rate(ratings.response)];
  return {
    levels: { request: request.level, response: response.level },
    reason: { request: request.reason ?? '', response: response.reason ?? '' },
  };
}

function additionOf(comparison: SchemaComparison, { name, schema, wasRequired, isRequired }: ChangedProperty): SchemaEdit {
  if (schema === false) return prohibitionOf(comparison, name, 'new');
  const becameRequired = isRequired && !wasRequired;
  const wasForbidden = forbidsOtherProperties(comparison.old);
  return {
    before: { value: undefined, place: comparison.flatSchemas.placeOfKeyword(comparison.old, 'properties') },
    after: { value: schema, place: placeOfProperty(comparison, comparison.new, name, schema) },
    changedItem: name,
    rule: becameRequired ? 'required-property-added' : 'property-added',
    effect: effectOf(becameRequired || !wasForbidden, wasForbidden),
    property: name,
    text: ({ members, isPlural }) =>
      `${members} ${isPlural ? 'were' : 'was'} added${isRequired ? ` and ${isPlural ? 'are' : 'is'} required` : ''}`,
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
  };
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
  const levels = { request: 'compatible', response } as const;
  if (wasForbidden)
    return { levels, reason: { response: 'It was forbidden before, so a client of the old contract rejects a response that has it.' } };
  if (isReadOnly || allowsAnything) return { levels };
  return { levels, reason: 'Only exchanges that already had an undeclared property with this name are affected.' };
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
      property: name,
      ...edit,
    });
  for (const name of requiredBeyond(next, old))
    report(name, {
      rule: 'property-became-required',
      effect: 'narrower',
      text: ({ members, isPlural }) => `${members} ${isPlural ? 'are' : 'is'} now required`,
      constraints: { new: { required: [name] } },
      ...(isMarked(comparison, next.named.get(name), 'readOnly') ? { levels: { request: 'compatible' } } : {}),
    });
  for (const name of requiredBeyond(old, next))
    report(name, {
      rule: 'property-became-optional',
      effect: 'wider',
      text: ({ members, isPlural }) => `${members} ${isPlural ? 'are' : 'is'} no longer required`,
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
        text: ({ name }) =>
          `properties of ${name} with names matching \`${pattern}\` are ${after === undefined ? 'no longer' : 'now'} described`,
      });
  }
}

/** Compares a keyword that holds one schema. An absent keyword allows everything, as `true` does. */
export function compareSingleSchema(comparison: SchemaComparison, keyword: string, step: SchemaStep): void {
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
    text: ({ name }) => `${keyword} of ${name} ${verb === 'changed' ? verb : `was ${verb}`}`,
  });
}

function compareDependencies(comparison: SchemaComparison, keyword: 'dependentRequired' | 'dependentSchemas', rulePrefix: string): void {
  const [old, next] = [dependenciesIn(comparison.old, keyword), dependenciesIn(comparison.new, keyword)];
  for (const name of new Set([...old.keys(), ...next.keys()])) {
    const [before, after] = [old.get(name), next.get(name)];
    if (keyword === 'dependentSchemas' && isSchema(before) && isSchema(after)) {
      compareSameValue(comparison, keyword, `with ${name}`, before, after);
      continue;
    }
    if (printJson(before) === printJson(after)) continue;
    const verb: ChangeVerb = changeVerb(before, after);
    comparison.report({
      ...sidesWithConstraints(comparison, keyword),
      rule: `${rulePrefix}-${verb}`,
      effect: effectOfVerb[verb],
      changedItem: name,
      property: name,
      text: ({ members }) => `the constraint that depends on ${members} ${verb === 'changed' ? verb : `was ${verb}`}`,
    });
  }
}

function dependenciesIn(flat: FlatSchema, keyword: string): ReadonlyMap<string, Json> {
  return new Map(keywordValues(flat, keyword).flatMap((value) => Object.entries(isObject(value) ? value : {})));
}

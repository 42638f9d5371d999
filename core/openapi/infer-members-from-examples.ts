/**
 * Finds members that only the examples of a file show, and describes them by the types in the examples. They are suggestions for code generators, never facts
 * about an API.
 */

import { arrayOrEmpty, isArray, isObject, type Json, type JsonObject, jsonTypeOf, objectOrEmpty } from '../json.ts';
import { getOrCompute } from '../memo.ts';
import { toPointer, valueAt } from '../pointer.ts';
import type { Document } from './document.ts';
import { follow } from './raw-document.ts';
import { certainSchemas, schemasAt } from './schema-facts.ts';

/** The branches of `anyOf` or `oneOf` that apply, by the schema that has them. */
export type ChosenBranches = ReadonlyMap<Json, readonly Json[]>;

/** Values in examples that no schema describes, by the schema that should. */
export type Suggestions = ReadonlyMap<JsonObject, Suggestion>;

interface Suggestion {
  /** Values of the members that no schema names. */
  readonly members: Map<string, Json[]>;
  /** Elements of arrays without `items`. */
  readonly elements: Json[];
  /** Values where the schema says nothing at all. */
  readonly values: Json[];
}

/** Reads the examples of all media types, and collects what no schema describes. */
export function inferMembersFromExamples(document: Document, branches: ChosenBranches, media: readonly JsonObject[]): Suggestions {
  const suggestions = new Map<JsonObject, Suggestion>();
  const suggestionFor = (schema: JsonObject): Suggestion => {
    return getOrCompute(suggestions, schema, () => ({ members: new Map(), elements: [], values: [] }));
  };
  /** True if every branch that may apply allows a type; otherwise a suggestion would exclude those that do not. */
  const isAlways = (type: 'object' | 'array', schemas: readonly JsonObject[]): boolean =>
    schemas
      .flatMap((schema) => schemasAt(document, schema, ''))
      .every((branch) => !isObject(branch) || branch['type'] === undefined || [branch['type']].flat().includes(type));
  /** True if a branch that may apply describes a member. */
  const isDescribed = (name: string, schemas: readonly JsonObject[]): boolean =>
    schemas.some((schema) => schemasAt(document, schema, toPointer([name])).length > 0);
  /** Compares a value with all schemas of its place. What none of them describes is suggested for the first one. */
  const compare = (schemas: readonly Json[], value: Json): void => {
    const targets = schemas.map((schema) => follow(document, schema)).filter(isObject);
    const [first] = targets;
    if (first === undefined) return;
    const applicableSchemas = withChosenBranches(document, branches, targets);
    if (!applicableSchemas.some(saysAnything)) suggestionFor(first).values.push(value);
    else if (isArray(value)) compareElements(first, applicableSchemas, value);
    else if (isObject(value)) for (const [name, member] of Object.entries(value)) compareMember(first, applicableSchemas, name, member);
  };
  const compareElements = (first: JsonObject, applicableSchemas: readonly JsonObject[], elements: readonly Json[]): void => {
    const items = applicableSchemas.flatMap((schema) => schema['items'] ?? []);
    if (items.some((item) => !isObject(item) || saysAnything(item))) for (const element of elements) compare(items, element);
    else if (isAlways('array', applicableSchemas) && applicableSchemas.every((schema) => schema['prefixItems'] === undefined))
      suggestionFor(first).elements.push(...elements);
  };
  const compareMember = (first: JsonObject, applicableSchemas: readonly JsonObject[], name: string, member: Json): void => {
    const memberSchemas = applicableSchemas.flatMap((schema) => valueAt(schema, toPointer(['properties', name])) ?? []);
    const isClosed = applicableSchemas.some((schema) => 'additionalProperties' in schema || 'patternProperties' in schema);
    if (memberSchemas.length > 0) compare(memberSchemas, member);
    else if (!isClosed && isAlways('object', applicableSchemas) && !isDescribed(name, applicableSchemas)) {
      const { members } = suggestionFor(first);
      members.set(name, [...(members.get(name) ?? []), member]);
    }
  };
  for (const { schema, example, examples } of media as readonly { readonly [key: string]: Json | undefined }[]) {
    const namedValues = isObject(examples) ? Object.values(examples).map((each) => valueAt(follow(document, each), '/value')) : [];
    for (const value of [example, ...namedValues]) if (schema !== undefined && value !== undefined) compare([schema], value);
  }
  return suggestions;
}

/** Lists the schemas that certainly apply, with the chosen branches among them. */
function withChosenBranches(document: Document, branches: ChosenBranches, schemas: readonly JsonObject[]): readonly JsonObject[] {
  const certainParts = schemas.flatMap((schema) => certainSchemas(document, schema)).filter(isObject);
  const chosenBranches = certainParts.flatMap((schema) => branches.get(schema) ?? []).filter(isObject);
  return chosenBranches.length === 0 ? certainParts : [...certainParts, ...withChosenBranches(document, branches, chosenBranches)];
}

/** True for a schema with a keyword that is not a description. */
function saysAnything(schema: JsonObject): boolean {
  return Object.keys(schema).some((key) => !['description', 'title', 'examples'].includes(key) && !key.startsWith('x-'));
}

/** Adds the suggested members to a schema, all of them optional. */
export function withSuggestion(schema: JsonObject, suggestion: Suggestion | undefined): JsonObject {
  if (suggestion === undefined) return schema;
  const { members, elements, values } = suggestion;
  if (values.length > 0) return { ...describeValues(values), ...schema };
  const ownProperties = objectOrEmpty(schema['properties']);
  const suggestedProperties = Object.fromEntries([...members].map(([name, memberValues]) => [name, describeValues(memberValues)]));
  return {
    ...schema,
    ...(members.size === 0 ? {} : { properties: { ...ownProperties, ...suggestedProperties } }),
    ...(elements.length === 0 ? {} : { items: describeValues(elements) }),
  };
}

/** Makes a schema of the types that values have, without required members. A null alone says nothing of other values. */
function describeValues(values: readonly Json[]): JsonObject {
  if (values.every((value) => value === null)) return {};
  const types = [...new Set(values.map(jsonTypeOf))].filter((type, _, allTypes) => type !== 'integer' || !allTypes.includes('number'));
  const objects = values.filter(isObject);
  const elements = values.flatMap(arrayOrEmpty);
  const names = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  const describeMember = (name: string): JsonObject =>
    describeValues(objects.flatMap((object) => (Object.hasOwn(object, name) ? [object[name] ?? null] : [])));
  return {
    type: types.length === 1 ? (types[0] ?? 'null') : types,
    ...(names.length === 0 ? {} : { properties: Object.fromEntries(names.map((name) => [name, describeMember(name)])) }),
    ...(types.includes('array') ? { items: elements.length === 0 ? {} : describeValues(elements) } : {}),
  };
}

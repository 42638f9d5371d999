/**
 * Recognises unions whose branches are told apart by a constant: the one value, or the few values, of a required member in each branch of `oneOf` or `anyOf`,
 * or the values that a `discriminator` (OpenAPI 3.1 §4.8.25) names.
 */

import { isArray, type Json, type JsonObject, objectOrEmpty } from '../json.ts';
import { canonicalText } from '../json-equality.ts';
import { getOrCompute } from '../memo.ts';
import { fromPointer, toPointer, valueAt } from '../pointer.ts';
import type { Document } from './document.ts';
import { rawOf, splitReference } from './raw-document.ts';
import { certainSchemas, isSchema, type Schema, typesOf } from './schema-facts.ts';

/** A union whose branches are told apart by a member. */
export interface TaggedUnion<S> {
  readonly keyword: 'oneOf' | 'anyOf';
  /** The member that decides. */
  readonly member: string;
  /** The branches, each with its values of the member. No two have a value in common. */
  readonly cases: readonly { readonly branch: S; readonly values: readonly Json[] }[];
  /** The one branch that accepts no objects, such as `type: null`. */
  readonly other: S | undefined;
}

/** How to read a representation of schemas. */
export interface SchemaReader<S> {
  readonly keywordsOf: (schema: S) => JsonObject;
  /** The schema and all that certainly apply with it: those of `$ref` and `allOf`. */
  readonly certain: (schema: S) => readonly S[];
  readonly property: (schema: S, name: string) => S | undefined;
  /** The branches of a keyword. */
  readonly branches: (schema: S, keyword: 'oneOf' | 'anyOf') => readonly S[];
  /** The document of the schema, in which a discriminator names other schemas. */
  readonly document: Document | undefined;
}

const unions = new WeakMap<Document, WeakMap<JsonObject, { readonly union: TaggedUnion<Schema> | undefined }>>();

/** The union of a schema of a document; `undefined` if it has none, or one without such a member. */
export function taggedUnionOf(document: Document, schema: JsonObject): TaggedUnion<Schema> | undefined {
  if (schema['oneOf'] === undefined && schema['anyOf'] === undefined) return undefined;
  const unionsOfDocument = getOrCompute(unions, document, () => new WeakMap());
  return getOrCompute(unionsOfDocument, schema, () => ({ union: findTaggedUnion<Schema>(readerOf(document), schema) })).union;
}

function readerOf(document: Document): SchemaReader<Schema> {
  return {
    document,
    keywordsOf: objectOrEmpty,
    certain: (schema) => certainSchemas(document, schema),
    property: (schema, name) => {
      const properties = objectOrEmpty(objectOrEmpty(schema)['properties']);
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return isSchema(property) ? property : undefined;
    },
    branches: (schema, keyword) => {
      const branches = objectOrEmpty(schema)[keyword];
      return isArray(branches) ? branches.filter(isSchema) : [];
    },
  };
}

/** The first value by which a discriminator of a schema leads to a branch, and its member; `undefined` without a discriminator. */
export function tagOfBranch(
  document: Document,
  holder: JsonObject,
  branch: Schema,
): { readonly member: string; readonly value: Json } | undefined {
  const discriminator = objectOrEmpty(holder['discriminator']);
  const member = discriminator['propertyName'];
  if (typeof member !== 'string') return undefined;
  const [value] = valuesOf(readerOf(document), branch, member, discriminator);
  return value === undefined ? undefined : { member, value };
}

/** Finds the union in any representation of schemas. */
export function findTaggedUnion<S>(reader: SchemaReader<S>, schema: S): TaggedUnion<S> | undefined {
  const keywords = reader.keywordsOf(schema);
  // Two unions in one schema would have to be matched with each other.
  const keyword = keywords['oneOf'] === undefined ? 'anyOf' : keywords['anyOf'] === undefined ? 'oneOf' : undefined;
  if (keyword === undefined) return undefined;
  const branches = reader.branches(schema, keyword);
  const objects = branches.filter((branch) => acceptsObjects(reader, branch));
  const others = branches.filter((branch) => !objects.includes(branch));
  if (objects.length < 2 || others.length > 1) return undefined;
  const discriminator = objectOrEmpty(keywords['discriminator']);
  const named = discriminator['propertyName'];
  const members = typeof named === 'string' ? [named] : sharedNames(reader, objects);
  for (const member of members) {
    const cases = objects.map((branch) => ({ branch, values: valuesOf(reader, branch, member, discriminator) }));
    const texts = cases.flatMap(({ values }) => values.map(canonicalText));
    const isComplete = cases.every(({ values }) => values.length > 0);
    if (isComplete && new Set(texts).size === texts.length) return { keyword, member, cases, other: others[0] };
  }
  return undefined;
}

function acceptsObjects<S>({ certain, keywordsOf }: SchemaReader<S>, branch: S): boolean {
  return certain(branch).every((part) => {
    const types = typesOf(keywordsOf(part));
    return types.length === 0 || types.includes('object');
  });
}

/** The members that every branch requires, in the order of the first. */
function sharedNames<S>({ certain, keywordsOf }: SchemaReader<S>, branches: readonly S[]): readonly string[] {
  const lists = branches.map((branch) => {
    const parts = certain(branch).map(keywordsOf);
    // A branch without a type accepts other values than objects too.
    if (!parts.some((part) => typesOf(part).join() === 'object')) return [];
    return parts.flatMap(({ required }) => (isArray(required) ? required.map(String) : []));
  });
  const [first = [], ...rest] = lists;
  return first.filter((name) => rest.every((names) => names.includes(name)));
}

/** The values of a member in a branch: those that its schema lists, of these the ones that the discriminator names; all that it names if none are listed. */
function valuesOf<S>(reader: SchemaReader<S>, branch: S, member: string, discriminator: JsonObject): readonly Json[] {
  const properties = reader.certain(branch).flatMap((part) => reader.property(part, member) ?? []);
  const keywords = properties.flatMap((property) => reader.certain(property)).map(reader.keywordsOf);
  const listed = keywords.map(({ const: constant, enum: values }) => (constant === undefined ? values : [constant])).find(isArray);
  const isNamed = reader.document !== undefined && discriminator['propertyName'] === member;
  const names = isNamed ? namesOf(reader.document, reader.keywordsOf(branch), discriminator) : [];
  if (listed === undefined) return names;
  const chosen = listed.filter((value) => names.includes(String(value)));
  return chosen.length > 0 ? chosen : listed;
}

/** The values by which a discriminator names a branch: the keys of its mapping that lead there, else the name of the component. */
function namesOf(document: Document, branch: JsonObject, discriminator: JsonObject): readonly string[] {
  const mapping = objectOrEmpty(discriminator['mapping']);
  if (typeof branch['$ref'] !== 'string') return [];
  const target = splitReference(branch, '$ref', document.place(branch, '$ref'));
  const leadsThere = (key: string): boolean => {
    const named = toPointer(['components', 'schemas', String(mapping[key])]);
    const isName = valueAt(rawOf(document).root, named) !== undefined;
    const mapped = isName ? { file: document.file, pointer: named } : splitReference(mapping, key, document.place(mapping, key));
    return mapped.file === target.file && mapped.pointer === target.pointer;
  };
  const keys = Object.keys(mapping).filter(leadsThere);
  const name = fromPointer(target.pointer).at(-1);
  return keys.length > 0 || name === undefined ? keys : [name];
}

/** The member whose values a schema of `tagSchema` lists; `undefined` for any other schema. */
export function tagOf(schema: Json | undefined): string | undefined {
  const { required, properties, ...others } = objectOrEmpty(schema) as Record<string, Json>;
  const [member, ...further] = Object.keys(objectOrEmpty(properties));
  const isTag = Object.keys(others).join() === 'type' && isArray(required) && required.join() === member && further.length === 0;
  return isTag && isArray(valueAt(properties, toPointer([member ?? '', 'enum']))) ? member : undefined;
}

/** The schema of the objects whose member has one of some values. */
export function tagSchema(member: string, values: readonly Json[]): JsonObject {
  return { type: 'object', required: [member], properties: { [member]: { enum: values } } };
}

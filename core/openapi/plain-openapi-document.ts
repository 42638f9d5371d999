/**
 * Turns a contract into a plain OpenAPI 3.1 document for code generators and documentation. It says less than the contract, in the form that gives the best
 * types: never validate a server with it.
 */

import { applyProfile } from '../annotations/apply-profile.ts';
import { arrayOrEmpty, isArray, isObject, type Json, type JsonObject, jsonTypeOf, objectOrEmpty } from '../json.ts';
import { equal, isSameValue } from '../json-equality.ts';
import { fromPointer, toPointer, valueAt } from '../pointer.ts';
import { bundleDocument } from './bundle-document.ts';
import type { Contract } from './contract.ts';
import type { Document } from './document.ts';
import { type ChosenBranches, inferMembersFromExamples, type Suggestions, withSuggestion } from './infer-members-from-examples.ts';
import { type MemberMeaning, mapMembers } from './member-meanings.ts';
import type { Operation } from './operation.ts';
import { createDocument, follow, rawOf } from './raw-document.ts';
import { certainSchemas, schemasAt } from './schema-facts.ts';

/** Settings of a plain document. */
export interface PlainDocumentOptions {
  /** True to keep extensions (`x-…`), with the answered annotations among them. */
  readonly extensions?: boolean;
  /** URL that replaces the servers listed in the file. */
  readonly server?: string;
  /** True to answer the open questions in schemas, as the mock does; otherwise schemas allow whatever the API documentation leaves open. */
  readonly answered?: boolean;
}

/**
 * Turns a contract into one plain OpenAPI 3.1 document. Schemas are as wide as the API documentation leaves them, so that a program that compiles also works with
 * a server that answers the open questions otherwise; only the place of a record is that of the contract's profile. Extensions are removed. Members that
 * only examples show become optional members with the types of the examples.
 * @example
 * ```ts
 * import { contractFile, loadContract, plainDocument } from 'touchstone';
 *
 * const contract = await loadContract(contractFile('business'));
 * console.log(JSON.stringify(plainDocument(contract, { server: 'http://127.0.0.1:4010' })));
 * ```
 */
export function plainDocument(contract: Contract, options: PlainDocumentOptions = {}): JsonObject {
  const answeredParts = options.answered === true ? 'rules-and-schemas' : 'rules';
  const bundle = bundleDocument(applyProfile(contract.document, contract.questions, contract.profile, answeredParts));
  const document = createDocument('', new Map([['', bundle]]));
  const branches = chooseBranches(document, contract);
  const media = contract.operations.flatMap((operation) => listMedia(document, operation, () => true));
  const suggestions = inferMembersFromExamples(document, branches, media);
  const rewrite = createRewriter(document, branches, suggestions, options.extensions === true);
  const { jsonSchemaDialect: _dialect, ...root } = openBareObjects(rewrite(bundle, 'keywords'), 'keywords') as Record<string, Json>;
  return { ...root, servers: options.server === undefined ? listServers(root) : [{ url: options.server }] };
}

/** Lists the servers with the default values of their variables, because many tools ignore variables. */
function listServers({ servers }: JsonObject): readonly Json[] {
  if (!isArray(servers)) return [{ url: '/' }];
  return servers.filter(isObject).map((server) => {
    const { variables: _variables, ...otherMembers } = server as Record<string, Json>;
    const url = String(server['url']).replaceAll(/\{([^}]+)\}/g, (_, name: string) =>
      String(valueAt(server, toPointer(['variables', name, 'default'])) ?? ''),
    );
    return { ...otherMembers, url };
  });
}

/** Chooses the branches of each single read's body that have the record where the contract says, such as `data.order` instead of `data`. */
function chooseBranches(document: Document, { operations }: Contract): ChosenBranches {
  const chosenBranches = new Map<Json, readonly Json[]>();
  for (const operation of operations) {
    const { resource } = operation;
    const fields = [...(resource?.by.values() ?? [])].map((pointer) => fromPointer(pointer)[0] ?? '');
    if (resource === undefined || fields.length === 0) continue;
    const holdsRecord = (branch: Json): boolean =>
      schemasAt(document, branch as JsonObject, resource.at).some((schema) => {
        const names = certainSchemas(document, schema).flatMap(namesIn);
        return fields.every((field) => names.includes(field));
      });
    for (const media of listMedia(document, operation, (status) => status.startsWith('2'))) {
      for (const schema of certainSchemas(document, media['schema'] as JsonObject)) {
        const branches = branchesOf(schema);
        const branchesWithRecord = branches.filter(holdsRecord);
        if (isObject(schema) && branchesWithRecord.length > 0 && branchesWithRecord.length < branches.length)
          chosenBranches.set(schema, branchesWithRecord);
      }
    }
  }
  return chosenBranches;
}

function branchesOf(schema: Json): readonly Json[] {
  const alternatives = isObject(schema) ? (schema['anyOf'] ?? schema['oneOf']) : undefined;
  return arrayOrEmpty(alternatives);
}

function namesIn(schema: Json): readonly string[] {
  return Object.keys(objectOrEmpty(objectOrEmpty(schema)['properties']));
}

/** Lists the media types of an operation's responses that have a schema. */
function listMedia(document: Document, { path, method }: Operation, isWanted: (status: string) => boolean): readonly JsonObject[] {
  const responses = valueAt(rawOf(document).root, toPointer(['paths', path, method.toLowerCase(), 'responses']));
  const wantedResponses = Object.entries(objectOrEmpty(responses)).filter(([status]) => isWanted(status));
  const contents = wantedResponses.map(([, response]) => valueAt(follow(document, response), '/content')).filter(isObject);
  return contents.flatMap((content) => Object.values(content).filter(isObject)).filter((media) => isObject(media['schema']));
}

/** Returns a function that copies a value without extensions, with schemas in the form that generators of types read best. */
function createRewriter(document: Document, branches: ChosenBranches, suggestions: Suggestions, keepsExtensions: boolean): Rewrite {
  const rewrite: Rewrite = (value, meaning) => {
    if (meaning === 'extension') return value;
    return meaning === 'keywords' && isObject(value) ? rewriteObject(value) : rewriteMembers(value, meaning);
  };
  const rewriteMembers = (value: Json, meaning: MemberMeaning): Json =>
    mapMembers(value, meaning, ({ member, meaning: memberMeaning }) => rewrite(member, memberMeaning));
  const rewriteObject = (object: JsonObject): JsonObject => {
    const keptMembers = Object.entries(object).filter(([key]) => keepsExtensions || !key.startsWith('x-'));
    const members = keptMembers.map(([key, member]) => [
      key,
      key === 'examples' && isObject(member) ? inlineExamples(document, member) : member,
    ]);
    const copy = withoutAbsent(Object.fromEntries(members) as JsonObject);
    const schema = chooseAmong(rewriteMembers(copy, 'keywords') as JsonObject, branches.get(object));
    return withSuggestion(withoutBareBranches(withMergedParts(withListedConstant(schema))), suggestions.get(object));
  };
  const chooseAmong = (schema: JsonObject, chosen: readonly Json[] | undefined): JsonObject => {
    if (chosen === undefined) return schema;
    const { anyOf: _any, oneOf: _one, ...otherKeywords } = schema as Record<string, Json>;
    const rewrittenBranches = chosen.map((branch) => rewrite(branch, 'keywords'));
    const ownParts = arrayOrEmpty(otherKeywords['allOf']);
    return rewrittenBranches.length === 1
      ? { ...otherKeywords, allOf: [...ownParts, ...rewrittenBranches] }
      : { ...otherKeywords, anyOf: rewrittenBranches };
  };
  return rewrite;
}

/** States of objects without described members that they may have any, since some generators type them as objects that have none. */
const openBareObjects: Rewrite = (value, meaning) => {
  if (meaning === 'extension') return value;
  const copy = mapMembers(value, meaning, (each) => openBareObjects(each.member, each.meaning));
  const isBare = meaning === 'keywords' && isObject(copy) && listOf(copy['type'] ?? []).includes('object');
  return isBare && Object.keys(copy).every((keyword) => !describingKeywords.has(keyword)) ? { ...copy, additionalProperties: true } : copy;
};

/** Keywords that describe the members of an object, or may. */
const describingKeywords: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', 'enum', '$ref', 'allOf', 'anyOf', 'oneOf', 'if'],
]);

/** Leaves out members that must be absent, which generators type as `never`. */
function withoutAbsent(schema: JsonObject): JsonObject {
  const { properties, ...otherKeywords } = schema as Record<string, Json>;
  const members = Object.entries(objectOrEmpty(properties));
  const possible = members.filter(([, member]) => member !== false);
  if (possible.length === members.length) return schema;
  return possible.length === 0 ? otherKeywords : { ...otherKeywords, properties: Object.fromEntries(possible) };
}

/** Writes a constant as a typed list of one value, since some generators make an object of constants, whose members are never optional. */
function withListedConstant(schema: JsonObject): JsonObject {
  const { const: constant, ...otherKeywords } = schema as { readonly [keyword: string]: Json };
  return constant === undefined ? schema : { type: jsonTypeOf(constant), ...otherKeywords, enum: [constant] };
}

/** Merges the parts of `allOf` that are not references, such as answers to questions, since generators type each part as an object of its own. */
function withMergedParts(schema: JsonObject): JsonObject {
  if (!isArray(schema['allOf'])) return schema;
  const { allOf, ...ownKeywords } = schema as Record<string, Json>;
  const isReference = (part: Json): boolean => !isObject(part) || part['$ref'] !== undefined;
  const references = arrayOrEmpty(allOf).filter(isReference);
  const start: JsonObject = references.length === 0 ? ownKeywords : { ...ownKeywords, allOf: references };
  return arrayOrEmpty(allOf)
    .filter(isObject)
    .filter((part) => !isReference(part))
    .reduce(mergeSchemas, start);
}

/** Leaves out alternatives that differ in nothing that a type can express, such as `required` or `format` alone. */
function withoutBareBranches(schema: JsonObject): JsonObject {
  const isBare = (branch: Json, own: JsonObject): boolean =>
    isObject(branch) &&
    Object.entries(branch).every(([keyword, value]) => {
      if (keyword === 'properties' && isObject(value)) {
        const ownProperties = objectOrEmpty(own['properties']);
        return Object.entries(value).every(([name, member]) => isBare(member, objectOrEmpty(ownProperties[name])));
      }
      return untypedKeywords.has(keyword) || isSameValue(own[keyword], value);
    });
  const bareUnions = ['anyOf', 'oneOf'].filter((union) => {
    const alternatives = arrayOrEmpty(schema[union]);
    return alternatives.length > 0 && alternatives.every((branch) => isBare(branch, schema));
  });
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !bareUnions.includes(keyword)));
}

/** Keywords that generated types cannot express. */
const untypedKeywords: ReadonlySet<string> = new Set([
  ...['title', 'description', 'required', 'format', 'pattern', 'minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minProperties', 'maxProperties'],
]);

type Rewrite = (value: Json, meaning: MemberMeaning) => Json;

/** Replaces references to examples by the examples. */
function inlineExamples(document: Document, examples: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(examples).map(([name, example]) => [name, follow(document, example) ?? example]));
}

/** Joins two schemas into one that allows what both allow, for readers of types: nothing is judged by it. Keywords that cannot be joined stay apart in `allOf`. */
function mergeSchemas(schema: JsonObject, added: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...schema };
  const apart: Record<string, Json> = {};
  const isJoinable = [...Object.keys(schema), ...Object.keys(added)].every((keyword) => !dependentKeywords.has(keyword));
  for (const [keyword, value] of Object.entries(added)) {
    const joined = isJoinable ? joinKeyword(keyword, schema[keyword], value) : undefined;
    if (joined === undefined) apart[keyword] = value;
    else merged[keyword] = joined;
  }
  if (Object.keys(apart).length > 0) merged['allOf'] = [...arrayOrEmpty(schema['allOf']), apart];
  return merged;
}

/** Keywords whose meaning depends on others beside them, so that nothing may be added to their schema. */
const dependentKeywords: ReadonlySet<string> = new Set([
  ...['additionalProperties', 'patternProperties', 'unevaluatedProperties', 'unevaluatedItems', 'prefixItems', 'contains', 'if', '$ref'],
]);

/** Joins the two values of a keyword; `undefined` if no single value says the same. */
function joinKeyword(keyword: string, own: Json | undefined, added: Json): Json | undefined {
  if (own === undefined || equal(own, added)) return added;
  if (keyword === 'required') return [...new Set([...arrayOrEmpty(own), ...arrayOrEmpty(added)])];
  if (keyword === 'allOf') return [...arrayOrEmpty(own), ...arrayOrEmpty(added)];
  if (keyword === 'type') return joinTypes(listOf(own), listOf(added));
  if (keyword === 'properties' && isObject(own) && isObject(added)) return joinProperties(own, added);
  return undefined;
}

function joinTypes(own: readonly Json[], added: readonly Json[]): Json | undefined {
  const types = own.filter((type) => added.includes(type));
  return types.length === 1 ? types[0] : types.length === 0 ? undefined : types;
}

function joinProperties(own: JsonObject, added: JsonObject): JsonObject {
  const members = Object.entries(added).map(([name, member]) => [name, joinMembers(own[name] ?? true, member)]);
  return { ...own, ...Object.fromEntries(members) };
}

/** Joins two schemas, each of which may be `true` or `false`. */
function joinMembers(own: Json, added: Json): Json {
  if (isObject(own) && isObject(added)) return mergeSchemas(own, added);
  return own === true ? added : added === true ? own : false;
}

function listOf(value: Json): readonly Json[] {
  return isArray(value) ? value : [value];
}

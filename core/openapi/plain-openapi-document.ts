/**
 * Turns a contract into a plain OpenAPI 3.1 document for code generators and documentation. All questions are answered, so it shows one reading of the API:
 * never judge a server by it.
 */

import { arrayOrEmpty, isArray, isObject, type Json, type JsonObject, objectOrEmpty } from '../json.ts';
import { fromPointer, toPointer, valueAt } from '../pointer.ts';
import { bundleDocument } from './bundle-document.ts';
import { type Contract, resolveContract } from './contract.ts';
import { createDocument, type Document, follow } from './document.ts';
import { type MemberMeaning, mapMembers } from './document-members.ts';
import { type ChosenBranches, inferMembersFromExamples, type Suggestions, withSuggestion } from './infer-members-from-examples.ts';
import type { Operation } from './operation.ts';
import { certainSchemas, schemasAt } from './schema-facts.ts';

/** Settings of a plain document. */
export interface PlainDocumentOptions {
  /** True to keep extensions (`x-…`), with the answered annotations among them. */
  readonly extensions?: boolean;
  /** URL that replaces the servers of the file. */
  readonly server?: string;
}

/**
 * Turns a contract into one plain OpenAPI 3.1 document. Open questions are answered by the contract's profile, and extensions are removed. Members that only
 * examples show become optional members with the types of the examples.
 * @example
 * ```ts
 * import { contractFile, loadContract, plainDocument } from 'touchstone';
 *
 * const contract = await loadContract(contractFile('business'));
 * console.log(JSON.stringify(plainDocument(contract, { server: 'http://127.0.0.1:4010' })));
 * ```
 */
export function plainDocument(contract: Contract, options: PlainDocumentOptions = {}): JsonObject {
  const resolved = resolveContract(contract, contract.profile);
  const bundle = bundleDocument(resolved.closed);
  const document = createDocument('', new Map([['', bundle]]));
  const branches = chooseBranches(document, resolved);
  const media = resolved.operations.flatMap((operation) => listMedia(document, operation, () => true));
  const suggestions = inferMembersFromExamples(document, branches, media);
  const rewrite = createRewriter(document, branches, suggestions, options.extensions === true);
  const { jsonSchemaDialect: _dialect, ...root } = rewrite(bundle, 'keywords') as Record<string, Json>;
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
  const responses = valueAt(document.root, toPointer(['paths', path, method.toLowerCase(), 'responses']));
  const wantedResponses = Object.entries(objectOrEmpty(responses)).filter(([status]) => isWanted(status));
  const contents = wantedResponses.map(([, response]) => valueAt(follow(document, response), '/content')).filter(isObject);
  return contents.flatMap((content) => Object.values(content).filter(isObject)).filter((media) => isObject(media['schema']));
}

/** Returns a function that copies a value without extensions, with the changes of schemas. */
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
    const schema = chooseAmong(rewriteMembers(Object.fromEntries(members) as JsonObject, 'keywords') as JsonObject, branches.get(object));
    return withSuggestion(schema, suggestions.get(object));
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

type Rewrite = (value: Json, meaning: MemberMeaning) => Json;

/** Replaces references to examples by the examples. */
function inlineExamples(document: Document, examples: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(examples).map(([name, example]) => [name, follow(document, example) ?? example]));
}

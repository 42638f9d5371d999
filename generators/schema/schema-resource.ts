/** Schema resources (JSON Schema 2020-12 core §8.2 and §9): the schema of each URI, and the targets of references. Nothing is fetched. */

import { isArray, isObject, type Json, type JsonObject } from '../../core/json.ts';
import { metaSchema } from '../../core/openapi/ajv/configure-ajv.ts';
import type { Schema } from '../../core/openapi/schema-facts.ts';
import { fromPointer, toPointer } from '../../core/pointer.ts';

/** A schema with its own URI, and its anchors. */
export interface SchemaResource {
  readonly uri: string;
  readonly root: Schema;
  /** The prefix of JSON Pointers in messages: empty for the schema that the user gave. */
  readonly prefix: string;
  /** `$anchor` and `$dynamicAnchor` by name. */
  readonly anchors: ReadonlyMap<string, Anchor>;
  /** The names of the dynamic anchors. */
  readonly dynamic: ReadonlySet<string>;
  /** False when its dialect lacks the validation vocabulary, which only `$schema` can say (core §8.1). */
  readonly asserts: boolean;
}

/** A schema, found by anchor or pointer. */
export interface Anchor {
  readonly schema: Schema;
  readonly pointer: string;
  readonly resource: SchemaResource;
}

/** The base URI of schemas without an absolute `$id`. */
const origin = 'schema:///';

/** Keywords whose value is one schema that applies to instances. */
export const schemaKeywords: readonly string[] = [
  ...['not', 'if', 'then', 'else', 'items', 'contains', 'additionalProperties', 'propertyNames'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
];
/** Keywords whose value is a list of such schemas. */
export const schemaListKeywords: readonly string[] = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
/** Keywords whose value is a map of such schemas. */
export const schemaMapKeywords: readonly string[] = ['properties', 'patternProperties', 'dependentSchemas'];

const singleSubschema: ReadonlySet<string> = new Set([...schemaKeywords, 'contentSchema']);
const manySubschemas: ReadonlySet<string> = new Set([...schemaListKeywords, ...schemaMapKeywords, '$defs', 'definitions']);

/** The URI of the validation vocabulary. */
const validationVocabulary = 'https://json-schema.org/draft/2020-12/vocab/validation';

/** The role of a value on the path of a pointer: a schema, a map or list of schemas, or something else. */
type ValueRole = 'schema' | 'schemas' | 'other';

interface MutableResource extends SchemaResource {
  readonly anchors: Map<string, Anchor>;
  readonly dynamic: Set<string>;
}

/** The resources that one schema can reach. Remote ones are registered on first reference. */
export class ResourceRegistry {
  readonly #resources = new Map<string, SchemaResource>();
  readonly #remotes = new Map<string, Schema>();
  /** The resource of the given schema. */
  readonly main: SchemaResource;

  constructor(schema: Schema, remotes: Readonly<Record<string, Schema>>) {
    for (const [uri, remote] of Object.entries(remotes)) this.#remotes.set(withoutFragment(resolveUri(uri, origin) ?? uri), remote);
    this.main = this.#register(schema, origin, '', true);
  }

  /** The resource that starts at a schema with `$id`, or the surrounding one. */
  resourceOf(schema: Schema, surrounding: SchemaResource): SchemaResource {
    const uri = identifierOf(schema, surrounding.uri);
    return uri === undefined ? surrounding : (this.#resources.get(uri) ?? surrounding);
  }

  /** The target of a reference; `undefined` when there is none. */
  find(reference: string, from: SchemaResource): (Anchor & { readonly name: string | undefined }) | undefined {
    const uri = resolveUri(reference, from.uri);
    const resource = uri === undefined ? undefined : this.#open(withoutFragment(uri));
    if (uri === undefined || resource === undefined) return undefined;
    const fragment = decodeFragment(uri.includes('#') ? uri.slice(uri.indexOf('#') + 1) : '');
    if (fragment === undefined) return undefined;
    if (fragment !== '' && !fragment.startsWith('/')) {
      const anchor = resource.anchors.get(fragment);
      return anchor && { ...anchor, name: fragment };
    }
    const target = this.#followPointer(resource, fromPointer(fragment));
    return target && { ...target, name: undefined };
  }

  #open(uri: string): SchemaResource | undefined {
    const registered = this.#resources.get(uri);
    if (registered !== undefined) return registered;
    const remote = this.#remotes.get(uri) ?? metaSchema(uri);
    return remote === undefined ? undefined : this.#register(remote, uri, uri, true);
  }

  #register(schema: Schema, uri: string, prefix: string, inherited: boolean): SchemaResource {
    const ownUri = identifierOf(schema, uri) ?? uri;
    const registered = this.#resources.get(ownUri);
    if (registered !== undefined && registered.root === schema) return registered;
    const resource = createResource(ownUri, schema, prefix, this.#asserts(schema) ?? inherited);
    for (const name of [ownUri, uri]) if (!this.#resources.has(name)) this.#resources.set(name, resource);
    this.#scan(schema, resource, '', 'schema');
    return resource;
  }

  /** False when the named dialect lacks the validation vocabulary; `undefined` when no known dialect is named. */
  #asserts(schema: Schema): boolean | undefined {
    const dialect = isObject(schema) ? schema['$schema'] : undefined;
    const meta = typeof dialect === 'string' ? this.#remotes.get(withoutFragment(dialect)) : undefined;
    const vocabularies = isObject(meta) ? meta['$vocabulary'] : undefined;
    return isObject(vocabularies) ? Object.hasOwn(vocabularies, validationVocabulary) : undefined;
  }

  /** Registers the anchors of a resource and the resources inside it. */
  #scan(value: Json, resource: MutableResource, pointer: string, role: ValueRole): void {
    if (typeof value !== 'object' || value === null) return;
    if (role === 'schema' && isObject(value)) {
      if (value !== resource.root && identifierOf(value, resource.uri) !== undefined) {
        this.#register(value, resource.uri, `${resource.prefix}#${pointer}`.replace(/^#$/, ''), resource.asserts);
        return;
      }
      addAnchors(value, resource, pointer);
    }
    for (const [key, member] of Object.entries(value)) {
      const memberRole = roleOf(role, key);
      if (memberRole !== 'other') this.#scan(member as Json, resource, pointer + toPointer([key]), memberRole);
    }
  }

  #followPointer(resource: SchemaResource, keys: readonly string[]): Anchor | undefined {
    let current: Json = resource.root;
    let currentResource = resource;
    let role: ValueRole = 'schema';
    let path: string[] = [];
    for (const key of keys) {
      const member: Json | undefined = memberOf(current, key);
      if (member === undefined) return undefined;
      role = roleOf(role, key);
      current = member;
      path = [...path, key];
      const memberResource = role === 'schema' && isObject(current) ? this.resourceOf(current, currentResource) : currentResource;
      if (memberResource !== currentResource) [currentResource, path] = [memberResource, []];
    }
    if (typeof current !== 'boolean' && !isObject(current)) return undefined;
    const targetResource = this.resourceOf(current, currentResource);
    return { schema: current, pointer: targetResource === currentResource ? toPointer(path) : '', resource: targetResource };
  }
}

function createResource(uri: string, root: Schema, prefix: string, asserts: boolean): MutableResource {
  return { uri, root, prefix, anchors: new Map(), dynamic: new Set(), asserts };
}

function addAnchors(schema: JsonObject, resource: MutableResource, pointer: string): void {
  for (const keyword of ['$anchor', '$dynamicAnchor']) {
    const name = schema[keyword];
    if (typeof name !== 'string') continue;
    if (!resource.anchors.has(name)) resource.anchors.set(name, { schema, pointer, resource });
    if (keyword === '$dynamicAnchor') resource.dynamic.add(name);
  }
}

function roleOf(holder: ValueRole, key: string): ValueRole {
  if (holder === 'schemas') return 'schema';
  if (holder === 'other') return 'other';
  if (singleSubschema.has(key)) return 'schema';
  return manySubschemas.has(key) ? 'schemas' : 'other';
}

function identifierOf(schema: Schema, base: string): string | undefined {
  const identifier = isObject(schema) ? schema['$id'] : undefined;
  // An identifier that is only a fragment is an anchor of an older draft.
  if (typeof identifier !== 'string' || identifier.startsWith('#')) return undefined;
  const uri = resolveUri(identifier, base);
  return uri === undefined ? undefined : withoutFragment(uri);
}

function memberOf(value: Json, key: string): Json | undefined {
  if (isArray(value)) return /^(0|[1-9]\d*)$/.test(key) ? value[Number(key)] : undefined;
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function resolveUri(reference: string, base: string): string | undefined {
  return URL.canParse(reference, base) ? new URL(reference, base).href : undefined;
}

function withoutFragment(uri: string): string {
  return uri.includes('#') ? uri.slice(0, uri.indexOf('#')) : uri;
}

function decodeFragment(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    // An invalid percent-encoding names nothing.
    return undefined;
  }
}

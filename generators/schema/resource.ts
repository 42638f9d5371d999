/** Schema resources (JSON Schema 2020-12 core §8.2 and §9): which URI names which schema, and what a reference leads to. */

import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { fromPointer, toPointer } from '../../core/pointer.ts';
import type { Schema } from '../../core/schema.ts';
import { metaSchema } from '../../core/validator.ts';

/** A schema with a URI of its own, and the names that it gives to places inside. */
export interface Resource {
  readonly uri: string;
  readonly root: Schema;
  /** What stands before a JSON Pointer into it when a place is told: empty for the schema that the user gave. */
  readonly prefix: string;
  /** `$anchor` and `$dynamicAnchor`: name → the schema, and its pointer from the root. */
  readonly anchors: ReadonlyMap<string, Anchor>;
  /** Which of the anchors are dynamic. */
  readonly dynamic: ReadonlySet<string>;
  /** Whether its dialect has the vocabulary of assertions, as all do whose `$schema` does not say otherwise (core §8.1). */
  readonly asserts: boolean;
}

/** A schema that is found by its name or its pointer. */
export interface Anchor {
  readonly schema: Schema;
  readonly pointer: string;
  readonly resource: Resource;
}

/** Base of relative references where a schema has no absolute `$id`. */
const origin = 'schema:///';

/** The keywords whose value is one schema that instances are judged by. */
export const single: readonly string[] = [
  ...['not', 'if', 'then', 'else', 'items', 'contains', 'additionalProperties', 'propertyNames'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
];
/** Those whose value is a list of such schemas. */
export const lists: readonly string[] = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
/** Those whose value is a map of such schemas. */
export const maps: readonly string[] = ['properties', 'patternProperties', 'dependentSchemas'];

const inSchema: ReadonlySet<string> = new Set([...single, 'contentSchema']);
const inSchemas: ReadonlySet<string> = new Set([...lists, ...maps, '$defs', 'definitions']);

/** The vocabulary of assertions. */
const assertions = 'https://json-schema.org/draft/2020-12/vocab/validation';

/** What an object on the way of a pointer is: a schema, a map or list of schemas, or something else. */
type Kind = 'schema' | 'schemas' | 'other';

interface OpenResource extends Resource {
  readonly anchors: Map<string, Anchor>;
  readonly dynamic: Set<string>;
}

/** All resources that can be reached from one schema. Remote ones are looked into when they are first referred to. */
export class Catalogue {
  readonly #resources = new Map<string, Resource>();
  readonly #remotes = new Map<string, Schema>();
  /** The resource of the schema that the catalogue was made for. */
  readonly main: Resource;

  constructor(schema: Schema, remotes: Readonly<Record<string, Schema>>) {
    for (const [uri, remote] of Object.entries(remotes)) this.#remotes.set(strip(resolveUri(uri, origin) ?? uri), remote);
    this.main = this.#register(schema, origin, '', true);
  }

  /** The resource that begins at a schema, when it has an `$id`; otherwise the one that it stands in. */
  resourceOf(schema: Schema, around: Resource): Resource {
    const uri = identifierOf(schema, around.uri);
    return uri === undefined ? around : (this.#resources.get(uri) ?? around);
  }

  /** What a reference leads to, or `undefined` when it leads nowhere. */
  find(reference: string, from: Resource): (Anchor & { readonly name: string | undefined }) | undefined {
    const uri = resolveUri(reference, from.uri);
    const resource = uri === undefined ? undefined : this.#open(strip(uri));
    if (uri === undefined || resource === undefined) return undefined;
    const fragment = decode(uri.includes('#') ? uri.slice(uri.indexOf('#') + 1) : '');
    if (fragment === undefined) return undefined;
    if (fragment !== '' && !fragment.startsWith('/')) {
      const anchor = resource.anchors.get(fragment);
      return anchor && { ...anchor, name: fragment };
    }
    const found = this.#walk(resource, fromPointer(fragment));
    return found && { ...found, name: undefined };
  }

  #open(uri: string): Resource | undefined {
    const known = this.#resources.get(uri);
    if (known !== undefined) return known;
    const remote = this.#remotes.get(uri) ?? metaSchema(uri);
    return remote === undefined ? undefined : this.#register(remote, uri, uri, true);
  }

  #register(schema: Schema, uri: string, prefix: string, inherited: boolean): Resource {
    const own = identifierOf(schema, uri) ?? uri;
    const known = this.#resources.get(own);
    if (known !== undefined && known.root === schema) return known;
    const resource = createResource(own, schema, prefix, this.#asserts(schema) ?? inherited);
    for (const name of [own, uri]) if (!this.#resources.has(name)) this.#resources.set(name, resource);
    this.#scan(schema, resource, '', 'schema');
    return resource;
  }

  /** Whether the dialect that a schema names has assertions; `undefined` when it names none that is known. */
  #asserts(schema: Schema): boolean | undefined {
    const dialect = isObject(schema) ? schema['$schema'] : undefined;
    const meta = typeof dialect === 'string' ? this.#remotes.get(strip(dialect)) : undefined;
    const vocabularies = isObject(meta) ? meta['$vocabulary'] : undefined;
    return isObject(vocabularies) ? Object.hasOwn(vocabularies, assertions) : undefined;
  }

  /** Notes the anchors of a resource and the resources that begin inside it. */
  #scan(value: Json, resource: OpenResource, pointer: string, kind: Kind): void {
    if (typeof value !== 'object' || value === null) return;
    if (kind === 'schema' && isObject(value)) {
      if (value !== resource.root && identifierOf(value, resource.uri) !== undefined) {
        this.#register(value, resource.uri, `${resource.prefix}#${pointer}`.replace(/^#$/, ''), resource.asserts);
        return;
      }
      noteAnchors(value, resource, pointer);
    }
    for (const [key, member] of Object.entries(value)) {
      const next = kindOf(kind, key);
      if (next !== 'other') this.#scan(member as Json, resource, pointer + toPointer([key]), next);
    }
  }

  #walk(resource: Resource, keys: readonly string[]): Anchor | undefined {
    let current: Json = resource.root;
    let inside = resource;
    let kind: Kind = 'schema';
    let path: string[] = [];
    for (const key of keys) {
      const member: Json | undefined = memberOf(current, key);
      if (member === undefined) return undefined;
      kind = kindOf(kind, key);
      current = member;
      path = [...path, key];
      const entered = kind === 'schema' && isObject(current) ? this.resourceOf(current, inside) : inside;
      if (entered !== inside) [inside, path] = [entered, []];
    }
    if (typeof current !== 'boolean' && !isObject(current)) return undefined;
    const landed = this.resourceOf(current, inside);
    return { schema: current, pointer: landed === inside ? toPointer(path) : '', resource: landed };
  }
}

function createResource(uri: string, root: Schema, prefix: string, asserts: boolean): OpenResource {
  return { uri, root, prefix, anchors: new Map(), dynamic: new Set(), asserts };
}

function noteAnchors(schema: JsonObject, resource: OpenResource, pointer: string): void {
  for (const keyword of ['$anchor', '$dynamicAnchor']) {
    const name = schema[keyword];
    if (typeof name !== 'string') continue;
    if (!resource.anchors.has(name)) resource.anchors.set(name, { schema, pointer, resource });
    if (keyword === '$dynamicAnchor') resource.dynamic.add(name);
  }
}

function kindOf(holder: Kind, key: string): Kind {
  if (holder === 'schemas') return 'schema';
  if (holder === 'other') return 'other';
  if (inSchema.has(key)) return 'schema';
  return inSchemas.has(key) ? 'schemas' : 'other';
}

function identifierOf(schema: Schema, base: string): string | undefined {
  const identifier = isObject(schema) ? schema['$id'] : undefined;
  // Identifiers that are only a fragment are anchors of older drafts: they start no resource.
  if (typeof identifier !== 'string' || identifier.startsWith('#')) return undefined;
  const uri = resolveUri(identifier, base);
  return uri === undefined ? undefined : strip(uri);
}

function memberOf(value: Json, key: string): Json | undefined {
  if (Array.isArray(value)) return /^(0|[1-9]\d*)$/.test(key) ? (value as readonly Json[])[Number(key)] : undefined;
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function resolveUri(reference: string, base: string): string | undefined {
  return URL.canParse(reference, base) ? new URL(reference, base).href : undefined;
}

function strip(uri: string): string {
  return uri.includes('#') ? uri.slice(0, uri.indexOf('#')) : uri;
}

function decode(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    // A fragment that is not percent-encoded UTF-8 names nothing; the caller says that the reference leads nowhere.
    return undefined;
  }
}

/**
 * A schema at its place in a document: its keywords, the schemas below it, and the targets of its references. The document is a contract file, or values from
 * JavaScript with their own URIs.
 */

import { formatLocation } from '../../core/errors.ts';
import { isArray, isObject, type Json, type JsonObject, objectOrEmpty, printJson } from '../../core/json.ts';
import { getOrCompute } from '../../core/memo.ts';
import type { Document } from '../../core/openapi/document.ts';
import type { Schema } from '../../core/openapi/schema-facts.ts';
import { referenceTarget } from '../../core/openapi/schema-facts.ts';
import { copyOrigin } from '../../core/openapi/source-positions.ts';
import { toPointer } from '../../core/pointer.ts';
import { Unsupported } from '../generation-errors.ts';
import { type Anchor, ResourceRegistry, type SchemaResource } from './schema-resource.ts';

/** Other sources of schemas, and how `format` is read. */
export interface SchemaSources {
  /** Schemas of other documents, by absolute URI or by a URI relative to the schema. */
  readonly remotes?: Readonly<Record<string, Schema>>;
  /** The contract file that contains the schema; references are resolved in it. */
  readonly document?: Document;
  /** `format` as an assertion (the default), or as an annotation that no instance fails. */
  readonly formats?: 'assertion' | 'annotation';
}

/**
 * One schema, reached through one dynamic scope (JSON Schema 2020-12 core §7.1). The same schema reached in the same way is the same
 * object.
 */
export class LocatedSchema {
  readonly id: number;
  readonly schema: Schema;
  /** The location that this is a variant of, or itself. */
  readonly origin: LocatedSchema;
  readonly #registry: SchemaRegistry;
  readonly #resource: SchemaResource | undefined;
  /** The resources with dynamic anchors on the way here, outermost first. */
  readonly #scope: readonly SchemaResource[];
  readonly #pointer: string;
  readonly #children = new Map<string, LocatedSchema>();
  /** The keywords; empty for `true` and `false`. */
  readonly keywords: JsonObject;

  constructor(
    registry: SchemaRegistry,
    schema: Schema,
    pointer: string,
    resource: SchemaResource | undefined,
    scope: readonly SchemaResource[],
    origin?: LocatedSchema,
  ) {
    this.origin = origin ?? this;
    this.id = registry.nextId();
    this.schema = schema;
    this.#registry = registry;
    this.#pointer = pointer;
    this.#resource = resource;
    this.#scope = scope;
    const keywords = objectOrEmpty(schema);
    this.keywords = resource?.asserts === false ? withoutAssertions(keywords) : keywords;
  }

  /** True when instances can fail `format`. */
  get assertsFormat(): boolean {
    return this.#registry.assertsFormat;
  }

  /** The contract file that contains the schema; `undefined` for values from JavaScript. */
  get document(): Document | undefined {
    return this.#registry.document;
  }

  /** The location for messages: `#/properties/a`, or a line of a contract file. */
  get path(): string {
    const position = this.#registry.filePositionOf(this.schema);
    return position ?? `${this.#resource?.prefix ?? ''}${this.#resource?.prefix.includes('#') === true ? '' : '#'}${this.#pointer}`;
  }

  /** The schema below a keyword, or below a member or item of it. */
  at(...keys: readonly (string | number)[]): LocatedSchema {
    const step = toPointer(keys);
    return getOrCompute(this.#children, step, () => {
      const member = keys.reduce<Json | undefined>((value, key) => (value as JsonObject | undefined)?.[key], this.keywords);
      if (typeof member !== 'boolean' && !isObject(member))
        throw this.unsupported(String(keys[0] ?? ''), `${step} is not a schema: write an object or a boolean`);
      return this.#registry.enter(member, this.#pointer + step, this.#resource, this.#scope);
    });
  }

  /** The schemas of a keyword with a list of schemas. */
  list(keyword: string): readonly LocatedSchema[] {
    const value = this.keywords[keyword];
    if (value === undefined) return [];
    if (!isArray(value)) throw this.unsupported(keyword, 'its value must be a list of schemas');
    return value.map((_, index) => this.at(keyword, index));
  }

  /** The schemas of a keyword with a map of schemas, by name, in file order. */
  map(keyword: string): ReadonlyMap<string, LocatedSchema> {
    const value = this.keywords[keyword];
    if (value === undefined) return new Map();
    if (!isObject(value)) throw this.unsupported(keyword, 'its value must be an object of schemas');
    return new Map(Object.keys(value).map((name) => [name, this.at(keyword, name)]));
  }

  /** The target of `$ref` or `$dynamicRef`. */
  target(keyword: '$ref' | '$dynamicRef'): LocatedSchema {
    const reference = this.keywords[keyword];
    if (typeof reference !== 'string') throw this.unsupported(keyword, 'its value must be a string');
    return this.#registry.refer(this, keyword, reference, this.#resource, this.#scope);
  }

  /** The same location with other keywords: a schema without one of them, or with one reversed. */
  variant(name: string, keywords: JsonObject): LocatedSchema {
    return getOrCompute(this.#children, `~${name}`, () => {
      // References are relative to the file that a schema stands in, and errors name its line.
      if (isObject(this.schema)) copyOrigin(this.schema, keywords);
      return new LocatedSchema(this.#registry, keywords, this.#pointer, this.#resource, this.#scope, this.origin);
    });
  }

  /** A schema that holds when any of the given schemas holds. */
  anyOf(locations: readonly LocatedSchema[]): LocatedSchema {
    const union = this.variant(`anyOf ${locations.map((location) => location.id).join(' ')}`, {
      anyOf: locations.map((location) => location.schema),
    });
    for (const [index, location] of locations.entries()) union.#children.set(toPointer(['anyOf', index]), location);
    return union;
  }

  /** The schema `false` at this location. */
  never(): LocatedSchema {
    return getOrCompute(
      this.#children,
      '~never',
      () => new LocatedSchema(this.#registry, false, this.#pointer, this.#resource, this.#scope),
    );
  }

  unsupported(keyword: string, why: string): Unsupported {
    return new Unsupported(this.path, keyword, why);
  }
}

/**
 * The location of a root schema.
 * @throws {Unsupported} when the value is not a schema; JavaScript callers can pass anything.
 */
export function openSchema(schema: Schema, sources: SchemaSources = {}): LocatedSchema {
  requireSchema(schema);
  const { remotes = {}, document, formats = 'assertion' } = sources;
  const assertsFormat = formats === 'assertion';
  if (document !== undefined) return new SchemaRegistry(undefined, document, assertsFormat).enter(schema, '', undefined, []);
  const resources = new ResourceRegistry(schema, remotes);
  return new SchemaRegistry(resources, undefined, assertsFormat).enter(schema, '', resources.main, []);
}

/** Opens schemas of one contract file. Shared schemas are one location, so that what is computed for them is shared. */
export function openSchemasOf(document: Document): (schema: Schema) => LocatedSchema {
  const registry = new SchemaRegistry(undefined, document, true);
  return (schema) => {
    requireSchema(schema);
    return registry.enter(schema, '', undefined, []);
  };
}

function requireSchema(schema: unknown): void {
  if (typeof schema === 'boolean' || isObject(schema)) return;
  throw new Unsupported('#', 'schema', `${printJson(schema) ?? 'undefined'} is not a schema: give an object or a boolean`);
}

/** Creates locations, each once. */
class SchemaRegistry {
  readonly #resources: ResourceRegistry | undefined;
  readonly document: Document | undefined;
  readonly #locations = new Map<Schema, Map<string, LocatedSchema>>();
  readonly assertsFormat: boolean;
  #count = 0;

  constructor(resources: ResourceRegistry | undefined, document: Document | undefined, assertsFormat: boolean) {
    this.assertsFormat = assertsFormat;
    this.#resources = resources;
    this.document = document;
  }

  nextId(): number {
    this.#count += 1;
    return this.#count;
  }

  filePositionOf(schema: Schema): string | undefined {
    return this.document === undefined || !isObject(schema) ? undefined : formatLocation(this.document.place(schema));
  }

  enter(
    schema: Schema,
    pointer: string,
    enclosingResource: SchemaResource | undefined,
    outerScope: readonly SchemaResource[],
  ): LocatedSchema {
    const resource = enclosingResource && (this.#resources?.resourceOf(schema, enclosingResource) ?? enclosingResource);
    return this.#intern(schema, resource === enclosingResource ? pointer : '', resource, outerScope);
  }

  refer(
    location: LocatedSchema,
    keyword: '$ref' | '$dynamicRef',
    reference: string,
    resource: SchemaResource | undefined,
    scope: readonly SchemaResource[],
  ): LocatedSchema {
    if (this.document !== undefined) {
      if (keyword === '$dynamicRef') throw location.unsupported(keyword, 'contract files refer by $ref only');
      const target = referenceTarget(this.document, location.keywords);
      if (target === undefined) throw location.unsupported(keyword, `${reference} is not a schema: refer to an object or a boolean`);
      return this.#intern(target, reference, undefined, []);
    }
    const target = resource && this.#resources?.find(reference, resource);
    if (target === undefined)
      throw location.unsupported(keyword, `${reference} cannot be resolved; correct it, or pass its document in remotes`);
    const { schema, pointer, resource: targetResource } = keyword === '$dynamicRef' ? redirect(target, scope) : target;
    return this.#intern(schema, pointer, targetResource, scope);
  }

  #intern(schema: Schema, pointer: string, resource: SchemaResource | undefined, outer: readonly SchemaResource[]): LocatedSchema {
    const scope = resource === undefined || addsNoAnchor(resource, outer) ? outer : [...outer, resource];
    const key = [resource?.uri, ...scope.map((each) => each.uri), ...(isObject(schema) ? [] : [pointer])].join(' ');
    const locations = getOrCompute(this.#locations, schema, () => new Map<string, LocatedSchema>());
    return getOrCompute(locations, key, () => new LocatedSchema(this, schema, pointer, resource, scope));
  }
}

/** The keywords that count in a dialect without the validation vocabulary. */
function withoutAssertions(keywords: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(keywords).filter(([keyword]) => !assertions.has(keyword)));
}

/** The keywords of the validation vocabulary (JSON Schema 2020-12 validation §6). */
const assertions: ReadonlySet<string> = new Set([
  ...['type', 'const', 'enum', 'multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  ...['maxLength', 'minLength', 'pattern', 'maxItems', 'minItems', 'uniqueItems', 'maxContains', 'minContains'],
  ...['maxProperties', 'minProperties', 'required', 'dependentRequired'],
]);

/** True when a resource cannot change a dynamic reference, since outer ones have all its names. */
function addsNoAnchor(resource: SchemaResource, outer: readonly SchemaResource[]): boolean {
  return [...resource.dynamic].every((name) => outer.some((other) => other.dynamic.has(name)));
}

/** A dynamic reference to a dynamic anchor leads to the outermost resource in scope with an anchor of that name. */
function redirect(found: Anchor & { readonly name: string | undefined }, scope: readonly SchemaResource[]): Anchor {
  const { name } = found;
  if (name === undefined || !found.resource.dynamic.has(name)) return found;
  const outermost = scope.find((resource) => resource.dynamic.has(name));
  return outermost?.anchors.get(name) ?? found;
}

/** The same schema without some of its keywords. */
export function omit(location: LocatedSchema, names: readonly string[]): LocatedSchema {
  const remainingKeywords = Object.fromEntries(Object.entries(location.keywords).filter(([name]) => !names.includes(name)));
  return location.variant(`without ${names.join(' ')}`, remainingKeywords);
}

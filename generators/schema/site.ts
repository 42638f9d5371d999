/** A schema at its place: what it says, what stands below it, and what its references lead to there. */

import { type Document, referred } from '../../core/document.ts';
import { printPlace } from '../../core/errors.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { copyOrigin } from '../../core/origin.ts';
import { toPointer } from '../../core/pointer.ts';
import type { Schema } from '../../core/schema.ts';
import { Unsupported } from '../outcome.ts';
import { recall } from '../recall.ts';
import { type Anchor, Catalogue, type Resource } from './resource.ts';

/** Where else schemas may come from. */
export interface SchemaSources {
  /** Schemas of other documents, by absolute URI (or by a URI relative to the schema's own). */
  readonly remotes?: Readonly<Record<string, Schema>>;
  /** The contract file that the schema stands in: its references are those of files. */
  readonly document?: Document;
  /** Whether `format` is an assertion, as validators with formats read it (the default), or an annotation that nothing fails. */
  readonly formats?: 'assertion' | 'annotation';
}

/**
 * One schema, at one place, reached through one dynamic scope (JSON Schema 2020-12 core §7.1). Sites are interned: the same schema reached in the same
 * way is the same site.
 */
export class Site {
  readonly id: number;
  readonly schema: Schema;
  /** The site that this one is a variant of; itself where it is none. */
  readonly origin: Site;
  readonly #registry: Registry;
  readonly #resource: Resource | undefined;
  /** The resources with dynamic anchors that were entered on the way here, outermost first. */
  readonly #scope: readonly Resource[];
  readonly #pointer: string;
  readonly #children = new Map<string, Site>();
  /** The keywords; none for `true` and `false`. */
  readonly keywords: JsonObject;

  constructor(
    registry: Registry,
    schema: Schema,
    pointer: string,
    resource: Resource | undefined,
    scope: readonly Resource[],
    origin?: Site,
  ) {
    this.origin = origin ?? this;
    this.id = registry.nextId();
    this.schema = schema;
    this.#registry = registry;
    this.#pointer = pointer;
    this.#resource = resource;
    this.#scope = scope;
    const keywords = isObject(schema) ? schema : {};
    this.keywords = resource?.asserts === false ? withoutAssertions(keywords) : keywords;
  }

  /** Whether instances can fail `format` here. */
  get assertsFormat(): boolean {
    return this.#registry.assertsFormat;
  }

  /** Where it stands, as errors tell it: `#/properties/a`, or a line of a contract file. */
  get path(): string {
    const place = this.#registry.placeOf(this.schema);
    return place ?? `${this.#resource?.prefix ?? ''}${this.#resource?.prefix.includes('#') === true ? '' : '#'}${this.#pointer}`;
  }

  /** The schema below a keyword, or below a member of a keyword. */
  at(...keys: readonly (string | number)[]): Site {
    const step = toPointer(keys);
    return recall(this.#children, step, () => {
      const found = keys.reduce<Json | undefined>((value, key) => (value as JsonObject | undefined)?.[key], this.keywords);
      if (typeof found !== 'boolean' && !isObject(found))
        throw this.unsupported(String(keys[0] ?? ''), `${step} is not a schema: write an object or a boolean`);
      return this.#registry.enter(found, this.#pointer + step, this.#resource, this.#scope);
    });
  }

  /** The schemas of a keyword that holds a list of them. */
  list(keyword: string): readonly Site[] {
    const value = this.keywords[keyword];
    if (value === undefined) return [];
    if (!Array.isArray(value)) throw this.unsupported(keyword, 'its value must be a list of schemas');
    return value.map((_, index) => this.at(keyword, index));
  }

  /** The schemas of a keyword that holds a map of them, by name, in the order of the file. */
  map(keyword: string): ReadonlyMap<string, Site> {
    const value = this.keywords[keyword];
    if (value === undefined) return new Map();
    if (!isObject(value)) throw this.unsupported(keyword, 'its value must be an object of schemas');
    return new Map(Object.keys(value).map((name) => [name, this.at(keyword, name)]));
  }

  /** What `$ref` or `$dynamicRef` leads to from here. */
  target(keyword: '$ref' | '$dynamicRef'): Site {
    const reference = this.keywords[keyword];
    if (typeof reference !== 'string') throw this.unsupported(keyword, 'its value must be a string');
    return this.#registry.refer(this, keyword, reference, this.#resource, this.#scope);
  }

  /** The same place with other keywords: what remains of a schema when one of its demands is left out or turned round. */
  variant(name: string, keywords: JsonObject): Site {
    return recall(this.#children, `~${name}`, () => {
      // References are relative to the file that a schema stands in, and errors name its line.
      if (isObject(this.schema)) copyOrigin(this.schema, keywords);
      return new Site(this.#registry, keywords, this.#pointer, this.#resource, this.#scope, this.origin);
    });
  }

  /** A schema of this place that holds where any of some others does. */
  either(sites: readonly Site[]): Site {
    const joined = this.variant(`either ${sites.map((site) => site.id).join(' ')}`, { anyOf: sites.map((site) => site.schema) });
    for (const [index, site] of sites.entries()) joined.#children.set(toPointer(['anyOf', index]), site);
    return joined;
  }

  /** The schema that nothing satisfies, at this place. */
  never(): Site {
    return recall(this.#children, '~never', () => new Site(this.#registry, false, this.#pointer, this.#resource, this.#scope));
  }

  /** An error about a keyword of this schema. */
  unsupported(keyword: string, why: string): Unsupported {
    return new Unsupported(this.path, keyword, why);
  }
}

/**
 * Opens a schema: the site of its root.
 * @throws {Unsupported} for what is no schema: in JavaScript anything can be passed.
 */
export function openSchema(schema: Schema, sources: SchemaSources = {}): Site {
  requireSchema(schema);
  const { remotes = {}, document, formats = 'assertion' } = sources;
  const assertsFormat = formats === 'assertion';
  if (document !== undefined) return new Registry(undefined, document, assertsFormat).enter(schema, '', undefined, []);
  const catalogue = new Catalogue(schema, remotes);
  return new Registry(catalogue, undefined, assertsFormat).enter(schema, '', catalogue.main, []);
}

/** Opens schemas of one contract file: what they share is one site, so that what is known of it is found out once. */
export function openDocument(document: Document): (schema: Schema) => Site {
  const registry = new Registry(undefined, document, true);
  return (schema) => {
    requireSchema(schema);
    return registry.enter(schema, '', undefined, []);
  };
}

function requireSchema(schema: unknown): void {
  if (typeof schema === 'boolean' || isObject(schema)) return;
  throw new Unsupported('#', 'schema', `${JSON.stringify(schema) ?? 'undefined'} is not a schema: give an object or a boolean`);
}

/** Makes sites, each once. */
class Registry {
  readonly #catalogue: Catalogue | undefined;
  readonly #document: Document | undefined;
  readonly #sites = new Map<Schema, Map<string, Site>>();
  readonly assertsFormat: boolean;
  #count = 0;

  constructor(catalogue: Catalogue | undefined, document: Document | undefined, assertsFormat: boolean) {
    this.assertsFormat = assertsFormat;
    this.#catalogue = catalogue;
    this.#document = document;
  }

  nextId(): number {
    this.#count += 1;
    return this.#count;
  }

  placeOf(schema: Schema): string | undefined {
    return this.#document === undefined || !isObject(schema) ? undefined : printPlace(this.#document.place(schema));
  }

  enter(schema: Schema, pointer: string, around: Resource | undefined, outer: readonly Resource[]): Site {
    const resource = around && (this.#catalogue?.resourceOf(schema, around) ?? around);
    return this.#intern(schema, resource === around ? pointer : '', resource, outer);
  }

  refer(site: Site, keyword: '$ref' | '$dynamicRef', reference: string, resource: Resource | undefined, scope: readonly Resource[]): Site {
    if (this.#document !== undefined) {
      if (keyword === '$dynamicRef') throw site.unsupported(keyword, 'contract files refer by $ref only');
      const target = referred(this.#document, site.keywords);
      if (typeof target !== 'boolean' && !isObject(target))
        throw site.unsupported(keyword, `${reference} is not a schema: refer to an object or a boolean`);
      return this.#intern(target, reference, undefined, []);
    }
    const found = resource && this.#catalogue?.find(reference, resource);
    if (found === undefined)
      throw site.unsupported(keyword, `${reference} leads nowhere; correct it, or give the document that it names in remotes`);
    const { schema, pointer, resource: landed } = keyword === '$dynamicRef' ? redirect(found, scope) : found;
    return this.#intern(schema, pointer, landed, scope);
  }

  #intern(schema: Schema, pointer: string, resource: Resource | undefined, outer: readonly Resource[]): Site {
    const scope = resource === undefined || addsNothing(resource, outer) ? outer : [...outer, resource];
    const key = [resource?.uri, ...scope.map((each) => each.uri), ...(isObject(schema) ? [] : [pointer])].join(' ');
    const sites = recall(this.#sites, schema, () => new Map<string, Site>());
    return recall(sites, key, () => new Site(this, schema, pointer, resource, scope));
  }
}

/** What a schema says in a dialect without assertions. */
function withoutAssertions(keywords: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(keywords).filter(([keyword]) => !assertions.has(keyword)));
}

/** The keywords of the vocabulary of assertions (JSON Schema 2020-12 validation §6). */
const assertions: ReadonlySet<string> = new Set([
  ...['type', 'const', 'enum', 'multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  ...['maxLength', 'minLength', 'pattern', 'maxItems', 'minItems', 'uniqueItems', 'maxContains', 'minContains'],
  ...['maxProperties', 'minProperties', 'required', 'dependentRequired'],
]);

/** Whether dynamic references come out the same with a resource in scope as without: outer ones have all its names already. */
function addsNothing(resource: Resource, outer: readonly Resource[]): boolean {
  return [...resource.dynamic].every((name) => outer.some((other) => other.dynamic.has(name)));
}

/** A dynamic reference to a dynamic anchor goes to the outermost resource in scope that has one of that name. */
function redirect(found: Anchor & { readonly name: string | undefined }, scope: readonly Resource[]): Anchor {
  const { name } = found;
  if (name === undefined || !found.resource.dynamic.has(name)) return found;
  const outermost = scope.find((resource) => resource.dynamic.has(name));
  return outermost?.anchors.get(name) ?? found;
}

/**
 * Makes typical values of schemas, member by member: its example, its default, or a value of its format, name and bounds. Conditions across members are
 * ignored, so a value may be invalid.
 */

import { isArray, isObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { Document } from '../../../core/openapi/document.ts';
import { markOfOtherDirection } from '../../../core/openapi/schema-direction.ts';
import { certainSchemas, isSchema, propertiesOf, type Schema, typesOf } from '../../../core/openapi/schema-facts.ts';
import { taggedUnionOf, tagOfBranch } from '../../../core/openapi/tagged-union.ts';
import { toPointer, valueAt } from '../../../core/pointer.ts';
import type { Draw } from './draw.ts';
import { sampleNumber } from './sample-number.ts';
import { sampleString } from './sample-string.ts';

/** Settings of a value. */
export interface SampleOptions {
  readonly document: Document;
  /** The instant of the mock, near which dates lie. */
  readonly nowMs: number;
  /** Draws varied values; absent for the typical ones. */
  readonly draw?: Draw | undefined;
  /** A value whose branches are preferred, such as the body of the request. */
  readonly like?: Json | undefined;
  /** How many values of a place were invalid, by JSON Pointer. The second has no example; each further one is of the next branch, and in the end there is none. */
  readonly failures?: ReadonlyMap<string, number>;
  /** Makes a text of a pattern. */
  readonly patternText?: ((bounds: JsonObject) => string | undefined) | undefined;
}

/** A value, and whether it had to be cut. */
export interface Sample {
  /** `undefined` for a schema that a response cannot show. */
  readonly value: Json | undefined;
  /** True if optional members are left out since the value became too large. */
  readonly isCut: boolean;
  /** True if another `like` may lead to another value. */
  readonly hasBranches: boolean;
  /** True if a text needs `patternText`, and there was none. */
  readonly lacksPattern: boolean;
}

/** Number of values in a body at which recursion stops at its first repetition, and at which optional members are left out. */
const [manyValues, maxValues] = [300, 3000] as const;

/** Depth at which optional members are left out. */
const maxDepth = 24;

/** Number of branches that one value may choose, one in another. */
const maxBranches = 16;

/** Makes a typical value of a schema. */
export function sampleValue(schema: Schema, options: SampleOptions): Sample {
  const sampler = new Sampler(options);
  const value = sampler.sample([schema], { name: '', pointer: '', path: [], isRequired: true, branches: 0 });
  return { value, isCut: sampler.isCut, hasBranches: sampler.hasBranches, lacksPattern: sampler.lacksPattern };
}

/** A place in a value. */
interface Place {
  readonly name: string;
  readonly pointer: string;
  /** The schemas above, for recursion. */
  readonly path: readonly Schema[];
  readonly isRequired: boolean;
  /** Number of branches that were chosen at this place. */
  readonly branches: number;
}

class Sampler {
  isCut = false;
  hasBranches = false;
  lacksPattern = false;
  private values = 0;
  private readonly options: SampleOptions;

  constructor(options: SampleOptions) {
    this.options = options;
  }

  /** A value of all schemas; `undefined` if there is none to show. */
  sample(schemas: readonly Schema[], place: Place): Json | undefined {
    return this.sampleParts(this.partsOf(schemas), place);
  }

  private partsOf(schemas: readonly Schema[]): readonly Schema[] {
    return schemas.flatMap((schema) => certainSchemas(this.options.document, schema));
  }

  /** A value of schemas whose references are followed. */
  private sampleParts(parts: readonly Schema[], place: Place): Json | undefined {
    const objects = parts.filter(isObject);
    if (parts.includes(false) || objects.some((part) => markOfOtherDirection(part) !== undefined)) return undefined;
    this.values += 1;
    const stated = this.statedValue(objects, place);
    if (stated !== undefined) return stated;
    if (this.skippedBranches(place) > 0 && !objects.some(isBranching)) return undefined;
    const repetitions = Math.max(0, ...objects.map((part) => place.path.filter((above) => above === part && isComposite(part)).length));
    // An empty value might be one of another branch.
    if (repetitions >= (this.values > manyValues ? 1 : 2)) return place.branches > 0 ? undefined : emptyValue(objects);
    if (!place.isRequired && (this.values > maxValues || place.path.length > maxDepth * 2)) {
      this.isCut = true;
      return undefined;
    }
    // A required recursion without an end has no value at all.
    if (place.path.length > maxDepth * 8) return undefined;
    return this.sampleBranches(objects, place);
  }

  private skippedBranches({ pointer, branches }: Place): number {
    return branches > 0 ? 0 : Math.max(0, (this.options.failures?.get(pointer) ?? 0) - 1);
  }

  /** The value that the schemas state themselves, the outermost first. */
  private statedValue(parts: readonly JsonObject[], { pointer }: Place): Json | undefined {
    const { draw, failures } = this.options;
    const constant = parts.find((part) => part['const'] !== undefined)?.['const'];
    if (constant !== undefined) return constant;
    const listed = parts.find((part) => isArray(part['enum']))?.['enum'] as readonly Json[] | undefined;
    if (draw !== undefined) return listed === undefined ? undefined : draw.oneOf(listed);
    if (failures?.has(pointer) !== true) {
      const example = parts.map(exampleOf).find((value) => value !== undefined);
      if (example !== undefined) return example;
    }
    return listed?.[0];
  }

  /** A value of the first branch that has one, joined with the schemas beside it. */
  private sampleBranches(parts: readonly JsonObject[], place: Place): Json | undefined {
    const holder = parts.find((part) => isBranching(part));
    if (holder === undefined) return this.sampleType(parts, { ...place, path: [...place.path, ...parts] });
    // A branch may lead back to its holder.
    if (place.branches > maxBranches) return undefined;
    const branches = [holder['oneOf'], holder['anyOf']].find((list) => isArray(list) && list.length > 0) as readonly Json[];
    const { oneOf: _one, anyOf: _any, ...own } = holder;
    const beside = parts.map((part) => (part === holder ? own : part));
    this.hasBranches = true;
    const ordered = this.likeliestFirst(holder, this.options.draw?.shuffle(branches) ?? showableFirst(branches), place);
    const discriminating = parts.find((part) => part['discriminator'] !== undefined) ?? {};
    for (const branch of ordered.filter(isSchema).slice(this.skippedBranches(place))) {
      const tag = tagOfBranch(this.options.document, discriminating, branch);
      const tagged = tag === undefined ? [] : [{ properties: { [tag.member]: { const: tag.value } } }];
      const joined = [...beside, ...this.partsOf([branch]), ...tagged];
      const value = this.sampleParts(joined, { ...place, branches: place.branches + 1 });
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** Branches in their order, but for those first that `like` is of, by its tag or its members. */
  private likeliestFirst(holder: JsonObject, branches: readonly Json[], { pointer }: Place): readonly Json[] {
    const { document, like } = this.options;
    const liked = valueAt(like, pointer);
    if (!isObject(liked)) return branches;
    const union = taggedUnionOf(document, holder);
    const likeness = (branch: Json): number => {
      const tags = union?.cases.find((each) => each.branch === branch)?.values;
      if (union !== undefined) return Number(tags?.includes(liked[union.member] ?? null) === true);
      const properties = propertiesOf(certainSchemas(document, branch as Schema).filter(isObject));
      return Object.keys(liked).filter((name) => properties.has(name)).length;
    };
    return branches.filter(isSchema).toSorted((left, right) => likeness(right) - likeness(left));
  }

  private readonly patternText = (bounds: JsonObject): string | undefined => {
    const { patternText } = this.options;
    if (patternText === undefined) this.lacksPattern = true;
    return patternText?.(bounds);
  };

  private sampleType(parts: readonly JsonObject[], place: Place): Json | undefined {
    const type = typeOf(parts);
    if (type === undefined && parts.some((part) => typesOf(part).length > 0)) return undefined;
    const bounds: JsonObject = Object.assign({}, ...parts.toReversed());
    if (type === 'object') return this.sampleObject(parts, bounds, place);
    if (type === 'array') return this.sampleArray(parts, bounds, place);
    if (type === 'string') return sampleString(bounds, place.name, { ...this.options, patternText: this.patternText });
    if (type === 'integer' || type === 'number') return sampleNumber(bounds, type, place.name, this.options.draw);
    if (type === 'boolean') return this.options.draw?.oneOf([true, false]) ?? true;
    return type === 'null' ? null : {};
  }

  private sampleObject(parts: readonly JsonObject[], bounds: JsonObject, place: Place): JsonObject | undefined {
    const required = new Set(parts.flatMap((part) => (isArray(part['required']) ? part['required'].map(String) : [])));
    const properties = propertiesOf(parts);
    const rest = parts.map((part) => part['additionalProperties']).filter((each) => isObject(each));
    const others: readonly Schema[] = rest.length > 0 ? rest : [{ type: 'string' }];
    const members = new Map<string, Json>();
    const add = (name: string, schemas: readonly Schema[]): void => {
      const at = { name, pointer: `${place.pointer}${toPointer([name])}`, path: place.path, isRequired: required.has(name), branches: 0 };
      const member = this.sample(schemas, at);
      if (member !== undefined) members.set(name, member);
    };
    for (const [name, schemas] of properties) add(name, schemas);
    for (const name of required) if (!properties.has(name)) add(name, others);
    // Above the outermost object, nothing can leave it out.
    if (place.path.length > 1 && [...required].some((name) => !members.has(name))) return undefined;
    if (properties.size === 0 && rest.length > 0) add(this.sampleName(parts, place), rest);
    const least = Math.min(numberOr(bounds['minProperties'], 0), 100);
    for (let count = members.size; count < least; count += 1) add(`key${count + 1}`, others);
    const most = numberOr(bounds['maxProperties'], Number.POSITIVE_INFINITY);
    const byNeed = [...members.keys()].sort((left, right) => Number(required.has(right)) - Number(required.has(left)));
    const kept = new Set(byNeed.slice(0, most));
    return Object.fromEntries([...members].filter(([name]) => kept.has(name)));
  }

  /** The name of a member that is not among the properties. */
  private sampleName(parts: readonly JsonObject[], place: Place): string {
    const names = parts.map((part) => part['propertyNames']).filter(isSchema);
    const name = names.length === 0 ? undefined : this.sample(names, { ...place, name: 'key', pointer: `${place.pointer}/`, branches: 0 });
    return typeof name === 'string' ? name : 'key';
  }

  private sampleArray(parts: readonly JsonObject[], bounds: JsonObject, place: Place): Json | undefined {
    const first = parts.map((part) => part['prefixItems']).find(isArray) ?? [];
    const schemas = parts.flatMap((part) => [part['items'], part['contains']]).filter(isSchema);
    const least = numberOr(bounds['minItems'], 0);
    const usual = schemas.length === 0 ? 0 : (this.options.draw?.whole(1, 3) ?? 1);
    const most = numberOr(bounds['maxItems'], Number.POSITIVE_INFINITY);
    const length = Math.min(most, Math.max(least, first.length + containedCount(bounds), usual), maxValues);
    if (length < least) this.isCut = true;
    const elements: Json[] = [];
    for (let index = 0; index < length; index += 1) {
      const own = first[index];
      const element = this.sample(isSchema(own) ? [own] : schemas, {
        name: place.name.replace(/ies$/, 'y').replace(/s$/, ''),
        pointer: `${place.pointer}/${index}`,
        path: place.path,
        isRequired: index < least,
        branches: 0,
      });
      if (element === undefined) return index >= least ? elements : undefined;
      elements.push(bounds['uniqueItems'] === true && index > 0 ? distinct(element, index) : element);
    }
    return elements;
  }
}

/** The number of elements that an array must contain. They come after those with schemas of their own. */
function containedCount({ contains, minContains }: JsonObject): number {
  return contains === undefined ? 0 : numberOr(minContains, 1);
}

function numberOr(value: Json | undefined, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}

/** Another value like one that is in the list already. */
function distinct(value: Json, index: number): Json {
  if (typeof value === 'bigint') return value + BigInt(index);
  if (typeof value === 'number') return value + index;
  return typeof value === 'string' ? `${value}${index + 1}` : value;
}

/** The value that a schema itself names. */
function exampleOf({ example, examples, default: fallback }: JsonObject): Json | undefined {
  return example ?? (isArray(examples) ? examples[0] : undefined) ?? fallback;
}

/** True for a schema that can repeat itself. */
function isComposite(part: JsonObject): boolean {
  return ['properties', 'items', 'oneOf', 'anyOf', 'additionalProperties', 'prefixItems'].some(
    (keyword) => isObject(part[keyword]) || isArray(part[keyword]),
  );
}

function isBranching(part: JsonObject): boolean {
  return [part['oneOf'], part['anyOf']].some((list) => isArray(list) && list.length > 0);
}

/** The value that ends a recursion; `undefined` if it needs members. */
function emptyValue(parts: readonly JsonObject[]): Json | undefined {
  const type = typeOf(parts);
  const needsMembers = parts.some(
    (part) => (isArray(part['required']) && part['required'].length > 0) || numberOr(part['minItems'] ?? part['minProperties'], 0) > 0,
  );
  if (needsMembers || parts.some(isBranching)) return typesOfAll(parts).includes('null') ? null : undefined;
  return type === 'array' ? [] : type === 'object' ? {} : undefined;
}

function typesOfAll(parts: readonly JsonObject[]): readonly string[] {
  const lists = parts.map(typesOf).filter((types) => types.length > 0);
  const allows = (list: readonly string[], type: string): boolean => list.includes(type) || (type === 'integer' && list.includes('number'));
  return [...new Set(lists.flat())].filter((type) => lists.every((list) => allows(list, type)));
}

/** The type of a value: the first one that is not null. Without `type`, other keywords tell; types that exclude each other leave none. */
function typeOf(parts: readonly JsonObject[]): string | undefined {
  const types = typesOfAll(parts);
  const usual = types.find((type) => type !== 'null') ?? types[0];
  if (usual !== undefined) return usual === 'number' && typesOfAll(parts).includes('integer') ? 'integer' : usual;
  if (parts.some((part) => typesOf(part).length > 0)) return undefined;
  const keywords = new Set(parts.flatMap((part) => Object.keys(part)));
  return typesByKeyword.find(([names]) => names.some((name) => keywords.has(name)))?.[1];
}

const typesByKeyword: readonly (readonly [readonly string[], string])[] = [
  [['properties', 'additionalProperties', 'required', 'minProperties', 'patternProperties'], 'object'],
  [['items', 'prefixItems', 'minItems', 'contains', 'uniqueItems'], 'array'],
  [['format', 'pattern', 'minLength', 'maxLength'], 'string'],
  [['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'], 'number'],
];

/** Branches in their order, `null` last. */
function showableFirst(branches: readonly Json[]): readonly Json[] {
  const isNull = (branch: Json): boolean => isObject(branch) && typesOf(branch).join() === 'null';
  return [...branches.filter((branch) => !isNull(branch)), ...branches.filter(isNull)];
}

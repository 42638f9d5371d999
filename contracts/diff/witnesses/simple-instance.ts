/**
 * Builds a simple instance of several schemas: required members, first branches, the fewest elements. It searches nothing, so an instance may be wrong where
 * keywords depend on each other; whoever uses one validates it.
 */

import { startOf } from '../../../core/errors.ts';
import { isObject, type Json, printJson } from '../../../core/json.ts';
import { getOrCompute } from '../../../core/memo.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import { toPointer, valueAt } from '../../../core/pointer.ts';
import type { HalfOfExchange } from '../../../core/results/diff-result.ts';
import { isMetadata } from '../schemas/compare-metadata-keywords.ts';
import {
  allowedTypes,
  type FlatSchema,
  type FlatSchemaCache,
  isSchema,
  keywordMap,
  keywordSchemas,
  keywordValues,
} from '../schemas/flat-schema.ts';
import type { SchemaStep } from '../schemas/schema-pair.ts';

/** What the value at the end of a path is made of. */
export interface InstanceTarget {
  readonly path: readonly SchemaStep[];
  /** Makes the value from the schemas that apply there; `undefined` if it cannot. */
  readonly make: (schemas: readonly Schema[]) => Json | undefined;
}

/** Changes of the members of an object. */
export interface MemberChanges {
  readonly omitted?: readonly string[];
  readonly added?: readonly [name: string, value: Json];
  /** True if the object also has the members that it need not have. */
  readonly declared?: boolean;
}

/** Simple values of schemas without members, elements or branches, such as strings with a pattern. */
type ScalarOf = (schema: Schema) => Json | undefined;

/** Deeper instances help nobody. */
const depthMax = 16;

/** Combinations of branches that are tried for one value. */
const branchesTried = 24;

/** Keywords whose meaning is in their value alone, without references. */
const scalarKeywords: ReadonlySet<string> = new Set([
  ...['type', 'const', 'enum', 'format', 'pattern', 'minLength', 'maxLength', 'multipleOf'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
]);

const nowhere = { place: startOf('') };

/** Builds instances for one half of an exchange. */
export class SimpleInstances {
  readonly #flatSchemas: FlatSchemaCache;
  readonly #scalarOf: ScalarOf;
  readonly #allows: (schema: Schema, value: Json) => boolean;
  readonly #half: HalfOfExchange;
  readonly #built = new Map<Schema, Json | undefined>();
  readonly #scalars = new Map<string, Json | undefined>();

  constructor(
    flatSchemas: FlatSchemaCache,
    half: HalfOfExchange,
    tools: { readonly scalarOf: ScalarOf; readonly allows: (schema: Schema, value: Json) => boolean },
  ) {
    this.#flatSchemas = flatSchemas;
    this.#half = half;
    this.#scalarOf = tools.scalarOf;
    this.#allows = tools.allows;
  }

  /** A simple instance of all schemas; `undefined` if none was built. */
  instanceOf(schemas: readonly Schema[], depth = 0): Json | undefined {
    const joined = this.#flatSchemas.combine([...new Set(schemas)]);
    if (this.#built.has(joined)) return this.#built.get(joined);
    // A schema that requires itself has no finite instance.
    this.#built.set(joined, undefined);
    const value = this.#build([joined], undefined, depth);
    this.#built.set(joined, value);
    return value;
  }

  /** An instance whose value at the end of a path is the target's. */
  instanceWith(schemas: readonly Schema[], target: InstanceTarget): Json | undefined {
    return this.#build(schemas, target, 0);
  }

  /** An object with changed members; `undefined` if the schemas describe no objects. */
  objectWith(schemas: readonly Schema[], changes: MemberChanges): Json | undefined {
    const flat = this.#flatten(schemas);
    const [branches = []] = this.#choicesOf(flat, schemas);
    const chosen = this.#flatten([...schemas, ...branches]);
    return simplestType(chosen) === 'object' ? this.#object(chosen, undefined, 0, changes) : undefined;
  }

  /** True if a simple object can have a member that all schemas allow. */
  canHaveMember(schemas: readonly Schema[], name: string): boolean {
    const flat = this.#flatten(schemas);
    const declared = this.#schemasOfMember(flat, keywordMap(flat, 'properties'), name, undefined);
    if (this.#isOfOtherHalf(declared)) return false;
    const value = this.instanceOf(declared, 1);
    return value !== undefined && declared.every((schema) => this.#allows(schema, value));
  }

  #flatten(schemas: readonly Schema[]): FlatSchema {
    return this.#flatSchemas.of(this.#flatSchemas.combine([...new Set(schemas)]), nowhere);
  }

  #build(schemas: readonly Schema[], target: InstanceTarget | undefined, depth: number): Json | undefined {
    if (depth > depthMax || schemas.includes(false)) return undefined;
    if (target?.path.length === 0) return target.make(schemas);
    const [step] = target?.path ?? [];
    if (step?.kind === 'same') {
      const branches = [step.old, step.new].filter((branch) => branch !== undefined);
      return this.#build([...schemas, ...branches], target && { ...target, path: target.path.slice(1) }, depth);
    }
    const flat = this.#flatten(schemas);
    for (const branches of this.#choicesOf(flat, schemas)) {
      if (branches.length === 0) return this.#buildPlain(flat, target, depth);
      const chosen = this.#flatten([...schemas, ...branches]);
      const value = target === undefined ? this.#buildAllowed(flat, chosen, depth) : this.#buildPlain(chosen, target, depth);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** An instance of the chosen branches that the schema allows. Without its optional members, an object may fit several branches. */
  #buildAllowed(flat: FlatSchema, chosen: FlatSchema, depth: number): Json | undefined {
    const value = this.#buildPlain(chosen, undefined, depth);
    if (value !== undefined && this.#allows(flat.schema, value)) return value;
    const full = isObject(value) ? this.#object(chosen, undefined, depth, { declared: true }) : undefined;
    return full !== undefined && this.#allows(flat.schema, full) ? full : undefined;
  }

  /** Branches to try, one of each choice that is not made yet. */
  *#choicesOf(flat: FlatSchema, schemas: readonly Schema[]): Generator<readonly Schema[]> {
    const choices = ['oneOf', 'anyOf'].flatMap((keyword) =>
      keywordValues(flat, keyword).flatMap((value) => (Array.isArray(value) ? [(value as readonly Json[]).filter(isSchema)] : [])),
    );
    const openChoices = choices.filter((branches) => !branches.some((branch) => schemas.includes(branch)));
    let tried = 0;
    for (const chosen of this.#combine(flat, openChoices)) {
      yield chosen;
      tried += 1;
      if (tried === branchesTried) return;
    }
  }

  /** Lists of one branch for each choice. Branches that name different constants do not go together. */
  *#combine(flat: FlatSchema, [choice, ...others]: readonly (readonly Schema[])[]): Generator<readonly Schema[]> {
    if (choice === undefined) {
      yield [];
      return;
    }
    for (const branch of choice) {
      const joined = this.#flatten([flat.schema, branch]);
      if (!isPossible(joined, this.#flatSchemas)) continue;
      for (const rest of this.#combine(joined, others)) yield [branch, ...rest];
    }
  }

  #buildPlain(flat: FlatSchema, target: InstanceTarget | undefined, depth: number): Json | undefined {
    const type = typeForStep(target?.path[0]) ?? simplestType(flat);
    if (type === 'object') return this.#object(flat, target, depth);
    if (type === 'array') return this.#array(flat, target, depth);
    return target === undefined ? this.#scalar(flat) : undefined;
  }

  /** A simple value. Schemas that differ in their metadata alone share it. */
  #scalar(flat: FlatSchema): Json | undefined {
    const stated = [...flat.keywords.keys()].filter((keyword) => !isMetadata(keyword));
    if (!stated.every((keyword) => scalarKeywords.has(keyword))) return this.#scalarOf(flat.schema);
    const text = printJson(stated.map((keyword) => [keyword, ...keywordValues(flat, keyword)]));
    return getOrCompute(this.#scalars, text, () => this.#scalarOf(flat.schema));
  }

  #object(flat: FlatSchema, target: InstanceTarget | undefined, depth: number, changes: MemberChanges = {}): Json | undefined {
    const properties = keywordMap(flat, 'properties');
    const members = new Map<string, Json>();
    const step = target?.path[0];
    const nameOnPath = this.#nameOf(step, properties);
    const declared = changes.declared === true ? properties.keys() : [];
    for (const name of new Set([...requiredNames(flat), ...declared, ...(nameOnPath === undefined ? [] : [nameOnPath])])) {
      const schemas = this.#schemasOfMember(flat, properties, name, step);
      if (changes.omitted?.includes(name) === true || name === changes.added?.[0] || this.#isOfOtherHalf(schemas)) continue;
      const below = name === nameOnPath && target !== undefined ? { ...target, path: target.path.slice(1) } : undefined;
      const value = below === undefined ? this.instanceOf(schemas, depth + 1) : this.#build(schemas, below, depth + 1);
      if (value === undefined) return undefined;
      members.set(name, value);
    }
    if (changes.added !== undefined) members.set(...changes.added);
    return Object.fromEntries(members);
  }

  /** Name of the member that a step leads to. */
  #nameOf(step: SchemaStep | undefined, properties: ReadonlyMap<string, unknown>): string | undefined {
    switch (step?.kind) {
      case 'property':
        return step.name;
      case 'others':
        return undeclaredName(properties);
      case 'matching':
        return String(this.#scalarOf({ type: 'string', pattern: step.pattern }) ?? '');
      default:
        return undefined;
    }
  }

  #schemasOfMember(
    flat: FlatSchema,
    properties: ReadonlyMap<string, readonly Schema[]>,
    name: string,
    step: SchemaStep | undefined,
  ): readonly Schema[] {
    const declared = properties.get(name) ?? [];
    if (step?.kind === 'matching') return [...declared, ...(keywordMap(flat, 'patternProperties').get(step.pattern) ?? [])];
    const others = ['additionalProperties', 'unevaluatedProperties'].flatMap((keyword) => keywordSchemas(flat, keyword));
    return declared.length > 0 || others.length === 0 ? [...declared, true] : others;
  }

  #isOfOtherHalf(schemas: readonly Schema[]): boolean {
    return keywordValues(this.#flatten(schemas), this.#half === 'request' ? 'readOnly' : 'writeOnly').includes(true);
  }

  #array(flat: FlatSchema, target: InstanceTarget | undefined, depth: number): Json | undefined {
    const step = target?.path[0];
    const positionOnPath = step?.kind === 'element' ? step.index : 0;
    const least = Math.max(0, ...['minItems', 'minContains'].flatMap((keyword) => keywordValues(flat, keyword).map(Number)));
    const length = Math.max(least, step === undefined ? 0 : positionOnPath + 1);
    const prefix = keywordValues(flat, 'prefixItems').flatMap((list) => (Array.isArray(list) ? [list as readonly Json[]] : []));
    const items: Json[] = [];
    for (let index = 0; index < length; index += 1) {
      const fixed = prefix.flatMap((list) => list[index] ?? []).filter(isSchema);
      const contained = step?.kind === 'contains' && index === 0 ? keywordSchemas(flat, 'contains') : [];
      const schemas = [...(fixed.length > 0 ? fixed : keywordSchemas(flat, 'items')), ...contained, true];
      const isOnPath = target !== undefined && step !== undefined && index === positionOnPath;
      const value = isOnPath
        ? this.#build(schemas, { ...target, path: target.path.slice(1) }, depth + 1)
        : this.instanceOf(schemas, depth + 1);
      if (value === undefined) return undefined;
      items.push(value);
    }
    return items;
  }
}

/** A name that a schema does not declare. */
export function undeclaredName(properties: ReadonlyMap<string, unknown>): string {
  let name = 'other';
  while (properties.has(name)) name += '_';
  return name;
}

/** Keys to the value at the end of a path in an instance that was built for it. */
export function keysOfTarget(path: readonly SchemaStep[], instance: Json): readonly string[] {
  const keys: string[] = [];
  let value: Json | undefined = instance;
  for (const step of path) {
    if (step.kind === 'same') continue;
    const key = keyOfStep(step, value);
    keys.push(key);
    value = valueAt(value, toPointer([key]));
  }
  return keys;
}

function keyOfStep(step: SchemaStep, holder: Json | undefined): string {
  if (step.kind === 'property') return step.name;
  if (step.kind === 'element') return String(step.index);
  if (step.kind === 'items' || step.kind === 'contains') return '0';
  // The member on the path is the last one.
  return isObject(holder) ? (Object.keys(holder).at(-1) ?? '') : '';
}

/** Whether the value at a pointer is one that a path leads to, is inside such a value, or neither. */
export function leadsTo(path: readonly SchemaStep[], pointer: string): 'at' | 'inside' | 'elsewhere' {
  const keys = pointer.split('/').slice(1);
  // The names of an object are refused at the object.
  const steps = path.filter(({ kind }) => kind !== 'same' && kind !== 'names');
  if (keys.length < steps.length || !steps.every((step, index) => isKeyOfStep(step, keys[index] ?? ''))) return 'elsewhere';
  return keys.length === steps.length ? 'at' : 'inside';
}

function isKeyOfStep(step: SchemaStep, key: string): boolean {
  if (step.kind === 'property') return toPointer([step.name]) === `/${key}`;
  if (step.kind === 'element') return key === String(step.index);
  return true;
}

function requiredNames(flat: FlatSchema): readonly string[] {
  return keywordValues(flat, 'required').flatMap((value) => (Array.isArray(value) ? value.map(String) : []));
}

function typeForStep(step: SchemaStep | undefined): 'object' | 'array' | undefined {
  if (step === undefined) return undefined;
  return step.kind === 'items' || step.kind === 'element' || step.kind === 'contains' ? 'array' : 'object';
}

/** The type of a simple instance: what the keywords describe, if the schema names several types or none. */
function simplestType(flat: FlatSchema): 'object' | 'array' | 'scalar' {
  const types = allowedTypes(flat);
  const has = (...keywords: readonly string[]): boolean => keywords.some((keyword) => flat.keywords.has(keyword));
  if (has('const', 'enum')) return 'scalar';
  if ((types === undefined || types.has('object')) && has('properties', 'required', 'additionalProperties')) return 'object';
  if ((types === undefined || types.has('array')) && has('items', 'prefixItems', 'minItems')) return 'array';
  if (types === undefined || ['string', 'number', 'integer', 'boolean', 'null'].some((type) => types.has(type))) return 'scalar';
  return types.has('object') ? 'object' : 'array';
}

/** False if the types or constants of a value, or of one of its members, exclude each other. */
function isPossible(flat: FlatSchema, flatSchemas: FlatSchemaCache): boolean {
  const hasValue = (each: FlatSchema): boolean => allowedTypes(each)?.size !== 0 && haveCommonValue(constantsOf(each));
  if (!hasValue(flat)) return false;
  return [...keywordMap(flat, 'properties').values()].every(
    (schemas) => schemas.length < 2 || hasValue(flatSchemas.of(flatSchemas.combine(schemas), nowhere)),
  );
}

/** The values of each `const` and `enum`. */
function constantsOf(flat: FlatSchema): readonly (readonly Json[])[] {
  const lists = keywordValues(flat, 'enum').map((list) => (Array.isArray(list) ? (list as readonly Json[]) : []));
  return [...lists, ...keywordValues(flat, 'const').map((value) => [value])];
}

function haveCommonValue([first, ...others]: readonly (readonly Json[])[]): boolean {
  if (first === undefined) return true;
  const texts = others.map((list) => new Set(list.map((value) => printJson(value))));
  return first.some((value) => texts.every((list) => list.has(printJson(value))));
}

/** Compiled validators of the schemas of a contract. The only door for ajv. */

import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { copyOrigin, type Document, referred } from './document.ts';
import { type Place, SpecError } from './errors.ts';
import { addFormats } from './format.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import { valueAt } from './pointer.ts';
import type { Schema } from './schema.ts';

/** One thing that is wrong with an instance, and the line of the contract that says so. */
export interface Violation {
  /** JSON Pointer of the place in the instance. */
  readonly path: string;
  /** The keyword that refuses, such as `type` or `required`. */
  readonly keyword: string;
  /** What is expected, in ajv's words. */
  readonly message: string;
  /** The value that was found at `path`. */
  readonly found: Json | undefined;
  /** The member that must not be there, when that is what is wrong. */
  readonly unknownKey: string | undefined;
  /** Where the contract states the keyword. */
  readonly place: Place;
}

/** Judges an instance: an empty answer means that it is valid. */
export type Validator = (instance: Json) => readonly Violation[];

/** Compiles schemas of one document, each once. */
export interface Validators {
  /**
   * The validator of a schema that stands in the document.
   * @throws {SpecError} when the schema cannot be compiled: such a schema would let everything pass.
   */
  readonly compile: (schema: Schema) => Validator;
  /**
   * Compiles every schema that was asked for so far.
   * @throws {SpecError} for the first that cannot be compiled.
   */
  readonly prepare: () => void;
}

/** Validators of a document's schemas. Compilation waits for the first use; schemas that are referred to are compiled once for all. */
export function createValidators(document: Document): Validators {
  const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true, logger: false, ownProperties: true, validateSchema: false });
  addFormats(ajv);
  const registry = new Registry(document, ajv);
  const known = new Map<Schema, { readonly prepared: () => ValidateFunction; readonly validator: Validator }>();
  return {
    compile: (schema) => {
      const entry = known.get(schema) ?? createEntry(document, registry, schema);
      known.set(schema, entry);
      return entry.validator;
    },
    prepare: () => {
      for (const entry of known.values()) entry.prepared();
    },
  };
}

function createEntry(
  document: Document,
  registry: Registry,
  schema: Schema,
): { readonly prepared: () => ValidateFunction; readonly validator: Validator } {
  let validate: ValidateFunction | undefined;
  const prepared = (): ValidateFunction => {
    validate ??= compileOrExplain(document, registry, schema);
    return validate;
  };
  const validator: Validator = (instance) => {
    const judge = prepared();
    return judge(instance) ? [] : tidy(judge.errors ?? []).map((error) => toViolation(document, error, instance));
  };
  return { prepared, validator };
}

function compileOrExplain(document: Document, registry: Registry, schema: Schema): ValidateFunction {
  try {
    return registry.compile(schema);
  } catch (cause) {
    if (cause instanceof SpecError) throw cause;
    const place = isObject(schema) ? document.place(schema) : { file: document.file, line: 1, column: 1 };
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SpecError(place, `this schema cannot be compiled, so nothing could be judged by it: ${reason}`, { cause });
  }
}

/** Gives every schema that a `$ref` names an identifier of its own, so that ajv needs neither files nor pointers. */
class Registry {
  private readonly document: Document;
  private readonly ajv: Ajv2020;
  private readonly identifiers = new Map<Json, string>();

  constructor(document: Document, ajv: Ajv2020) {
    this.document = document;
    this.ajv = ajv;
  }

  compile(schema: Schema): ValidateFunction {
    const known = this.identifiers.get(schema);
    return this.ajv.compile(known === undefined ? this.copy(schema) : { $ref: known });
  }

  private copy(schema: Schema): Schema {
    return isObject(schema) ? (this.copyValue(schema, false) as JsonObject) : schema;
  }

  /** Copies a value and rewrites its references; members of a name map are schemas whatever they are called. */
  private copyValue(value: Json, keysAreNames: boolean): Json {
    if (Array.isArray(value)) return (value as readonly Json[]).map((member) => this.copyValue(member, false));
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([key, member]) => [key, this.copyMember(value, key, member, keysAreNames)] as const);
    const copy = Object.fromEntries(entries);
    copyOrigin(value, copy);
    return copy;
  }

  private copyMember(holder: JsonObject, key: string, member: Json, keysAreNames: boolean): Json {
    if (keysAreNames) return this.copyValue(member, false);
    if (key === '$ref' && typeof member === 'string') return this.identify(referred(this.document, holder) as Json);
    return literal.has(key) ? member : this.copyValue(member, nameMaps.has(key));
  }

  private identify(schema: Json): string {
    const known = this.identifiers.get(schema);
    if (known !== undefined) return known;
    const identifier = `schema:${this.identifiers.size}`;
    this.identifiers.set(schema, identifier);
    this.ajv.addSchema(this.copy(schema as Schema), identifier);
    return identifier;
  }
}

const literal: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'example', 'examples']);
const nameMaps: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

/**
 * Keeps what a reader needs of ajv's errors. A failed `anyOf` or `oneOf` reports every branch; that a value is not of the type of some other
 * branch, such as `null` of a nullable object, says nothing where one branch got further.
 */
function tidy(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const dropped = new Set<ErrorObject>();
  for (const [index, choice] of errors.entries()) {
    if (choice.keyword !== 'anyOf' && choice.keyword !== 'oneOf') continue;
    const inside = errors.slice(0, index).filter((error) => error.instancePath.startsWith(choice.instancePath));
    const ofOtherBranches = inside.filter((error) => error.keyword === 'type' && error.instancePath === choice.instancePath);
    for (const error of ofOtherBranches) dropped.add(error);
    if (inside.length > ofOtherBranches.length) dropped.add(choice);
  }
  return errors.filter((error) => !dropped.has(error) && error.keyword !== 'if');
}

function toViolation(document: Document, error: ErrorObject, instance: Json): Violation {
  const holder = error.parentSchema;
  const place = holder === undefined ? { file: document.file, line: 1, column: 1 } : document.place(holder, error.keyword);
  return {
    path: error.instancePath,
    keyword: error.keyword === 'false schema' ? 'false' : error.keyword,
    message: error.message ?? error.keyword,
    found: valueAt(instance, error.instancePath),
    unknownKey: unknownKeyOf(error),
    place,
  };
}

function unknownKeyOf(error: ErrorObject): string | undefined {
  const parameters: Readonly<Record<string, unknown>> = error.params;
  const key = parameters['additionalProperty'] ?? parameters['unevaluatedProperty'] ?? parameters['propertyName'];
  return typeof key === 'string' ? key : undefined;
}

/**
 * Compiles the schemas of a contract to validators, with ajv: each on its first use, or all of them when a contract is checked. A schema that cannot be
 * compiled is an error with its line.
 */

import type { ValidateFunction } from 'ajv/dist/2020.js';
import { type SourceLocation, SpecError } from '../errors.ts';
import { isObject, type Json } from '../json.ts';
import { getOrCompute, lazy } from '../memo.ts';
import { SlowExpression } from '../safe-regexp.ts';
import { createAjv } from './ajv/configure-ajv.ts';
import { toViolations } from './ajv/convert-ajv-errors.ts';
import { contentOf, SchemaRegistry } from './ajv/schema-registry.ts';
import type { Document } from './document.ts';
import { messageOf, type Remark } from './mending/set-aside.ts';
import { followOnce, rawOf } from './raw-document.ts';
import type { Schema } from './schema-facts.ts';
import type { SchemaViolation } from './schema-violation.ts';

/** Validates an instance; the result is empty if it is valid. */
export type Validator = (instance: Json) => readonly SchemaViolation[];

/** Compiles schemas of one document, each once. */
export interface Validators {
  /** Returns the validator of a schema in the document. The schema is compiled on the first use of the validator. */
  readonly compile: (schema: Schema) => Validator;
  /** Returns a validator that stops at the first violation, for values of unknown clients: a large invalid value costs no more than a small one. */
  readonly compileFirst: (schema: Schema) => Validator;
  /**
   * Returns a validator that reports only the members of the other direction, such as a `writeOnly` member in a response. `schema` is one of `schemaFor`.
   */
  readonly compileMisdirected: (schema: Schema) => Validator;
  /** Compiles the schemas of all validators so far. Returns the mistakes of those that cannot be. */
  readonly prepare: () => readonly Remark[];
  /** Calls a function with the mistake of each schema that cannot be compiled, now or when it is first used: its validator finds nothing. */
  readonly onMistake: (listener: (mistake: Remark) => void) => void;
}

interface ValidatorOptions {
  /** True if the validator of a schema that cannot be compiled finds nothing; otherwise it throws. */
  readonly isTolerant?: boolean;
  /** The only value that is validated. Properties that it does not have and cases of unions that it does not name are not compiled: most of a large schema. */
  readonly only?: Json;
}

/** Creates the validators of a document. Schemas are compiled on first use; referenced schemas are compiled once for all. */
export function createValidators(document: Document, { isTolerant = false, only }: ValidatorOptions = {}): Validators {
  const content = only === undefined ? undefined : contentOf(only);
  const allEntries: Map<Schema, SchemaEntry>[] = [];
  const mistakes = new Map<string, Remark>();
  const listeners: ((mistake: Remark) => void)[] = [];
  const tell = (error: SpecError): void => {
    if (mistakes.has(error.message)) return;
    const mistake = { place: error.place, message: messageOf(error) };
    mistakes.set(error.message, mistake);
    for (const listener of listeners) listener(mistake);
  };
  const compileWith = (openRegistry: () => SchemaRegistry, entries: Map<Schema, SchemaEntry>): ((schema: Schema) => Validator) => {
    return (schema) =>
      getOrCompute(entries, schema, () => createSchemaEntry(document, openRegistry(), schema, { isTolerant, tell })).validator;
  };
  const compileAndPrepareWith = (allErrors: boolean): ((schema: Schema) => Validator) => {
    const entries = new Map<Schema, SchemaEntry>();
    allEntries.push(entries);
    return compileWith(
      lazy(() => new SchemaRegistry(document, createAjv(allErrors), { content })),
      entries,
    );
  };
  // These are not prepared: each repeats a schema that is, and few requests need them.
  const compileStrict = compileWith(
    lazy(() => new SchemaRegistry(document, createAjv(true), { forbidsOtherDirection: true })),
    new Map(),
  );
  return {
    compile: compileAndPrepareWith(true),
    compileFirst: compileAndPrepareWith(false),
    compileMisdirected: (schema) => {
      const validate = compileStrict(schema);
      return (instance) => validate(instance).filter(({ keyword }) => keyword === 'readOnly' || keyword === 'writeOnly');
    },
    prepare: () => {
      for (const entries of allEntries) for (const { prepare } of entries.values()) prepare();
      return [...mistakes.values()];
    },
    onMistake: (listener) => {
      listeners.push(listener);
      for (const mistake of mistakes.values()) listener(mistake);
    },
  };
}

/** A schema with its validator. */
interface SchemaEntry {
  readonly prepare: () => void;
  readonly validator: Validator;
}

function createSchemaEntry(
  document: Document,
  registry: SchemaRegistry,
  schema: Schema,
  { isTolerant, tell }: { readonly isTolerant: boolean; readonly tell: (mistake: SpecError) => void },
): SchemaEntry {
  const compile = lazy(() => {
    const compiled = compileOrExplain(document, registry, schema);
    if (compiled instanceof SpecError) tell(compiled);
    return compiled;
  });
  const validator: Validator = (instance) => {
    const validate = compile();
    if (validate instanceof SpecError) {
      if (isTolerant) return [];
      throw validate;
    }
    return isValid(document, schema, validate, instance) ? [] : toViolations(document, validate.errors ?? [], instance, registry);
  };
  return { prepare: compile, validator };
}

/** True for the error of a pattern that takes too long: the validity of the instance is then unknown. */
export function isSlowPattern(error: unknown): error is SpecError {
  return error instanceof SpecError && error.cause instanceof SlowExpression;
}

/** @throws {SpecError} for a pattern that takes too long. */
function isValid(document: Document, schema: Schema, validateFunction: ValidateFunction, instance: Json): boolean {
  try {
    return validateFunction(instance);
  } catch (error) {
    if (!(error instanceof SlowExpression)) throw error;
    throw new SpecError(placeOf(document, schema), error.message, { cause: error });
  }
}

function compileOrExplain(document: Document, registry: SchemaRegistry, schema: Schema): ValidateFunction | SpecError {
  try {
    const validate = registry.compile(schema);
    // A schema that refers to itself for the same value, such as through `allOf`, only fails when it is used.
    validate({});
    return validate;
  } catch (cause) {
    if (cause instanceof SpecError) return cause;
    // ajv does not name the value that it fails on, such as null instead of an object.
    const reason =
      cause instanceof TypeError
        ? 'a keyword has a value of another type'
        : cause instanceof RangeError
          ? 'its schemas refer to each other for the same value in a cycle, or too many times'
          : String(cause instanceof Error ? cause.message : cause);
    const target = isObject(schema) ? (followOnce(document, schema) ?? schema) : schema;
    return new SpecError(placeOf(document, target as Schema), `this schema cannot be compiled, so it cannot validate anything: ${reason}`, {
      cause,
    });
  }
}

function placeOf(document: Document, schema: Schema): SourceLocation {
  return document.place(isObject(schema) ? schema : rawOf(document).root);
}

/**
 * Compiles the schemas of a contract to validators, with ajv: each on its first use, or all of them when a contract is checked. A schema that cannot be
 * compiled is an error with its line.
 */

import { _, Ajv2020, type CodeKeywordDefinition, type KeywordCxt, str, type ValidateFunction } from 'ajv/dist/2020.js';
import { isMultiple } from '../decimal.ts';
import { type SourceLocation, SpecError } from '../errors.ts';
import { arrayOrEmpty, isObject, type Json, type JsonObject, objectOrEmpty } from '../json.ts';
import { canonicalText, equal } from '../json-equality.ts';
import { getOrCompute, lazy } from '../memo.ts';
import { compileExpression, SlowExpression } from '../safe-regexp.ts';
import { type RefusalKeyword, toViolations } from './convert-ajv-errors.ts';
import type { Document } from './document.ts';
import { type Member, type MemberMeaning, mapMembers } from './document-members.ts';
import { addFormats } from './formats.ts';
import { mistakesOfSchema } from './mending/schema-mistakes.ts';
import { messageOf, type Remark } from './mending/set-aside.ts';
import { follow, followOnce, rawOf } from './raw-document.ts';
import { markOfOtherDirection } from './schema-direction.ts';
import { certainSchemas, type Schema, schemasAt, typesOf } from './schema-facts.ts';
import type { SchemaViolation } from './schema-violation.ts';
import { copyOrigin, setPlace } from './source-positions.ts';
import { taggedUnionOf, tagSchema } from './tagged-union.ts';
import { contentOf, type ValueContent } from './value-content.ts';

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
  /** The mistakes of the schemas that were tried so far and cannot be compiled: their validators find nothing. */
  readonly mistakes: () => readonly Remark[];
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
  const compileWith = (openRegistry: () => Registry, entries: Map<Schema, SchemaEntry>): ((schema: Schema) => Validator) => {
    return (schema) => getOrCompute(entries, schema, () => createSchemaEntry(document, openRegistry(), schema, isTolerant)).validator;
  };
  const compileAndPrepareWith = (allErrors: boolean): ((schema: Schema) => Validator) => {
    const entries = new Map<Schema, SchemaEntry>();
    allEntries.push(entries);
    return compileWith(
      lazy(() => new Registry(document, createAjv(allErrors), { content })),
      entries,
    );
  };
  // These are not prepared: each repeats a schema that is, and few requests need them.
  const compileStrict = compileWith(
    lazy(() => new Registry(document, createAjv(true), { forbidsOtherDirection: true })),
    new Map(),
  );
  const mistakes = (): readonly Remark[] =>
    allEntries.flatMap((entries) => [...entries.values()].flatMap(({ mistake }) => mistake() ?? []));
  return {
    compile: compileAndPrepareWith(true),
    compileFirst: compileAndPrepareWith(false),
    compileMisdirected: (schema) => {
      const validate = compileStrict(schema);
      return (instance) => validate(instance).filter(({ keyword }) => keyword === 'readOnly' || keyword === 'writeOnly');
    },
    prepare: () => {
      for (const entries of allEntries) for (const { prepare } of entries.values()) prepare();
      return mistakes();
    },
    mistakes,
  };
}

function createAjv(allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    allErrors,
    verbose: true,
    logger: false,
    ownProperties: true,
    validateSchema: false,
    meta: false,
    // Optimizing would take a third of the time of compiling. ajv needs `code` only to generate modules, which does not happen here.
    code: {
      optimize: false,
      regExp: Object.assign(compileExpression, { code: 'compileExpression' }),
      process: (code) => readExactly(appendErrors(code)),
    },
  });
  addFormats(ajv);
  // They are none of JSON Schema, and ajv refuses schemas for them.
  for (const keyword of ['formatMinimum', 'formatMaximum', 'formatExclusiveMinimum', 'formatExclusiveMaximum']) ajv.removeKeyword(keyword);
  ajv.removeKeyword('uniqueItems').addKeyword(uniqueItems);
  ajv.removeKeyword('multipleOf').addKeyword(multipleOf);
  redefine(ajv, 'contains', judgeContained);
  for (const keyword of ['enum', 'const']) redefine(ajv, keyword, judgeListed);
  for (const keyword of ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']) redefine(ajv, keyword);
  return ajv;
}

/** Makes ajv append the errors of referenced schemas. By default it copies all errors each time, which takes minutes for a list of 100,000 items. */
function appendErrors(code: string): string {
  return code.replaceAll(
    /vErrors === null \? ([\w.]+\.errors) : vErrors\.concat\(\1\)/g,
    (_all, errors: string) => `vErrors === null ? ${errors} : ${errors}.reduce((all, each) => (all.push(each), all), vErrors)`,
  );
}

/** Makes ajv take a bigint for an integer. JavaScript compares it with a number exactly. */
function readExactly(code: string): string {
  return code
    .replaceAll(/!\((\w+) % 1\) && !isNaN\(\1\)/g, '(typeof $1 == "bigint" || !($1 % 1))')
    .replaceAll(/typeof (\w+) == "number"/g, '(typeof $1 == "number" || typeof $1 == "bigint")')
    .replaceAll(/ \|\| isNaN\(\w+\)/g, '');
}

/** Redefines a keyword of ajv, so that its value may be a bigint, and with other code. */
function redefine(ajv: Ajv2020, keyword: string, code?: (context: KeywordCxt, usual: CodeKeywordDefinition['code']) => void): void {
  const { code: usual, schemaType, ...definition } = ajv.getKeyword(keyword) as CodeKeywordDefinition;
  const types = [schemaType ?? []].flat().filter((type) => type !== 'number');
  ajv.removeKeyword(keyword).addKeyword({
    ...definition,
    keyword,
    schemaType: types,
    code: (context) => (code === undefined ? usual(context) : code(context, usual)),
  });
}

/** ajv prints scalar values into its code, and a bigint has no JSON text. */
function judgeListed(context: KeywordCxt, usual: CodeKeywordDefinition['code']): void {
  const { keyword, schema, data, gen, schemaCode } = context;
  const values = keyword === 'enum' ? (schema as readonly unknown[]) : [schema];
  if (!values.some((value) => typeof value === 'bigint')) usual(context);
  else context.fail(_`!${gen.scopeValue('func', { ref: isListed })}(${schemaCode}, ${data})`);
}

function isListed(stated: Json, value: Json): boolean {
  return [stated].flat().some((each) => equal(each as Json, value));
}

/** Replaces ajv's `uniqueItems`, which compares all pairs of items. */
const uniqueItems: CodeKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  error: {
    message: ({ params: { pair } }) => str`must not have duplicate items (items ${_`${pair}[0]`} and ${_`${pair}[1]`} are equal)`,
    params: ({ params: { pair } }) => _`{ i: ${pair}[0], j: ${pair}[1] }`,
  },
  code: (context) => {
    if (context.schema !== true) return;
    const { gen, data } = context;
    const pair = gen.const('pair', _`${gen.scopeValue('func', { ref: findRepeated })}(${data})`);
    context.setParams({ pair });
    context.fail(_`${pair} !== undefined`);
  },
};

/** ajv takes all items for evaluated, not only those that `contains` accepts. */
function judgeContained(context: KeywordCxt, usual: CodeKeywordDefinition['code']): void {
  const { items } = context.it;
  usual(context);
  Object.assign(context.it, { items });
}

/** Replaces ajv's `multipleOf`, which divides doubles. */
const multipleOf: CodeKeywordDefinition = {
  keyword: 'multipleOf',
  type: 'number',
  error: {
    message: ({ schemaCode }) => str`must be multiple of ${schemaCode}`,
    params: ({ schemaCode }) => _`{ multipleOf: ${schemaCode} }`,
  },
  code: (context) => {
    const { gen, data, schemaCode } = context;
    context.fail(_`!${gen.scopeValue('func', { ref: isMultiple })}(${data}, ${schemaCode})`);
  },
};

/** A schema with its validator. */
interface SchemaEntry {
  readonly prepare: () => void;
  /** The mistake that kept the schema from being compiled; `undefined` as long as it was not tried. */
  readonly mistake: () => Remark | undefined;
  readonly validator: Validator;
}

function createSchemaEntry(document: Document, registry: Registry, schema: Schema, isTolerant: boolean): SchemaEntry {
  let compiled: ValidateFunction | SpecError | undefined;
  const compile = (): ValidateFunction | SpecError => {
    compiled ??= compileOrExplain(document, registry, schema);
    return compiled;
  };
  const validator: Validator = (instance) => {
    const validate = compile();
    if (validate instanceof SpecError) {
      if (isTolerant) return [];
      throw validate;
    }
    return isValid(document, schema, validate, instance) ? [] : toViolations(document, validate.errors ?? [], instance, registry);
  };
  const mistake = (): Remark | undefined =>
    compiled instanceof SpecError ? { place: compiled.place, message: messageOf(compiled) } : undefined;
  return { prepare: compile, mistake, validator };
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

function compileOrExplain(document: Document, registry: Registry, schema: Schema): ValidateFunction | SpecError {
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
          ? 'it refers to itself for the same value'
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

/** Gives every target of a `$ref` an identifier, so that ajv needs neither files nor pointers. */
class Registry {
  private readonly document: Document;
  private readonly ajv: Ajv2020;
  private readonly forbidsOtherDirection: boolean;
  private readonly content: ValueContent | undefined;
  private readonly identifiers = new Map<Json, string>();
  /** Schemas that accept nothing, with the keyword of their violations. */
  private readonly refusals = new Map<object, RefusalKeyword>();

  constructor(
    document: Document,
    ajv: Ajv2020,
    { forbidsOtherDirection = false, content }: { readonly forbidsOtherDirection?: boolean; readonly content?: ValueContent | undefined },
  ) {
    this.document = document;
    this.ajv = ajv;
    this.forbidsOtherDirection = forbidsOtherDirection;
    this.content = content;
  }

  compile(schema: Schema): ValidateFunction {
    const identifier = this.identifiers.get(schema);
    return this.ajv.compile(identifier === undefined ? this.copy(schema) : { $ref: identifier });
  }

  /** Returns the copy of a schema that a rewritten `$ref` names. */
  readonly resolve = (identifier: string): unknown => this.ajv.getSchema(identifier)?.schema;

  readonly refusalOf = (schema: object): RefusalKeyword | undefined => this.refusals.get(schema);

  private copy(schema: Schema): Schema {
    return this.copyValue(schema, 'keywords') as Schema;
  }

  /** Replaces a union whose branches a member tells apart, so that only the branch of the value is validated, and its violations are reported. */
  private withCases(schema: JsonObject): JsonObject {
    const union = taggedUnionOf(this.document, schema);
    if (union === undefined) return schema;
    const { member, cases, other } = union;
    const { [union.keyword]: _branches, allOf = [], ...keywords } = schema as Record<string, Json>;
    const tag = tagSchema(
      member,
      cases.flatMap(({ values }) => values),
    );
    const place = this.document.place(schema, union.keyword);
    // An object with a member `then` looks like a promise to linters.
    const conditional = (condition: Schema, consequence: Schema): JsonObject =>
      Object.fromEntries([['if', condition] as const, ['then', consequence] as const]);
    const otherTypes = other === undefined ? [] : certainSchemas(this.document, other).flatMap((part) => typesOf(objectOrEmpty(part)));
    const parts = [
      ...(other === undefined
        ? [tag]
        : [{ type: ['object', ...otherTypes] }, conditional({ type: 'object' }, tag), conditional({ type: otherTypes }, other)]),
      ...cases
        .filter(({ values }) => values.some((value) => this.content?.mayHold(value) !== false))
        .map(({ branch, values }) => conditional(tagSchema(member, values), branch)),
    ];
    for (const part of [tag, tag['properties'], ...parts]) setPlace(part as JsonObject, place);
    for (const each of Object.values(tag['properties'] as JsonObject)) setPlace(each as JsonObject, place);
    return { ...keywords, allOf: [...arrayOrEmpty(allOf), ...parts] };
  }

  /** Moves the property `__proto__`, which ajv does not find among the properties, to the patterns. */
  private withPrototype(schema: JsonObject): JsonObject {
    const properties = objectOrEmpty(schema['properties']);
    if (!Object.hasOwn(properties, '__proto__')) return schema;
    const { ['__proto__']: property = true, ...others } = properties;
    const patterns = copyOrigin(
      properties,
      { ...objectOrEmpty(schema['patternProperties']), '^__proto__$': property },
      new Map([['^__proto__$', '__proto__']]),
    );
    return { ...schema, properties: copyOrigin(properties, others), patternProperties: patterns };
  }

  /** Counts the items that `contains` accepts as evaluated (JSON Schema 2020-12 core §11.2), which ajv does not. */
  private withContained(schema: JsonObject): JsonObject {
    const { unevaluatedItems } = schema;
    if (unevaluatedItems === undefined) return schema;
    const contained = schemasAt(this.document, schema, '').flatMap((part) => objectOrEmpty(part)['contains'] ?? []);
    return contained.length === 0 ? schema : { ...schema, unevaluatedItems: { anyOf: [...contained, unevaluatedItems] } };
  }

  /** Copies a value and rewrites its references. */
  private copyValue(value: Json, meaning: MemberMeaning): Json {
    const isSchema = meaning === 'keywords' && isObject(value);
    if (isSchema) refuseImpossible(this.document, value);
    const keptMembers = isSchema
      ? Object.fromEntries(
          Object.entries(this.withPrototype(this.withContained(this.withCases(value)))).filter(
            ([key]) => !removedKeywords.has(key) && !isStrayNullable(value, key),
          ),
        )
      : value;
    return copyOrigin(
      value,
      mapMembers(keptMembers, meaning, (member) => this.copyMember(value as JsonObject, meaning, member)),
    );
  }

  private copyMember(holder: JsonObject, holderMeaning: MemberMeaning, { key, member, meaning }: Member): Json {
    if (key === '$ref' && typeof member === 'string' && holderMeaning === 'keywords') return this.identify(holder);
    if (member === false && (holderMeaning === 'names' || keywordsWithFalse.has(String(key)) || typeof key === 'number'))
      return this.forbid(this.document.place(holder, key), 'false');
    // ajv takes a count only as a number.
    if (typeof member === 'bigint' && countKeyword.test(String(key))) return Number(member);
    const mark = markOfOtherDirection(member);
    if (mark === undefined)
      return key === 'properties' && meaning === 'names' ? this.copyProperties(member) : this.copyValue(member, meaning);
    return this.forbidsOtherDirection ? this.forbid(this.document.place(member as JsonObject, mark), mark) : true;
  }

  /** Copies properties. Those that the only value does not have keep their names: `additionalProperties` needs them. */
  private copyProperties(properties: Json): Json {
    const { content } = this;
    if (content === undefined || !isObject(properties)) return this.copyValue(properties, 'names');
    const kept = Object.entries(properties).map(([name, schema]) => [name, content.names.has(name) ? schema : true]);
    return this.copyValue(copyOrigin(properties, Object.fromEntries(kept)), 'names');
  }

  /** A schema that accepts nothing. Unlike the schema `false`, it has a place. */
  private forbid(place: SourceLocation, keyword: RefusalKeyword): JsonObject {
    const refusal: JsonObject = { not: {} };
    setPlace(refusal, place);
    this.refusals.set(refusal, keyword);
    return refusal;
  }

  private identify(holder: JsonObject): string {
    // A circle of references has no target; `follow` throws at its place.
    follow(this.document, holder);
    const schema = followOnce(this.document, holder) as Schema;
    const earlierIdentifier = this.identifiers.get(schema);
    if (earlierIdentifier !== undefined) return earlierIdentifier;
    const identifier = `schema:${this.identifiers.size}`;
    this.identifiers.set(schema, identifier);
    this.ajv.addSchema(this.copy(schema), identifier);
    return identifier;
  }
}

const countKeyword = /^(min|max)(Length|Items|Properties|Contains)$/;

/** True for `nullable` (OpenAPI 3.0) without a `type`. It has no effect there, and ajv would refuse to compile it. */
function isStrayNullable(schema: JsonObject, key: string): boolean {
  return key === 'nullable' && schema['type'] === undefined;
}

/** Keywords whose schema `false` is replaced. `additionalProperties` is not among them, since ajv reports the name of the additional member. */
const keywordsWithFalse: ReadonlySet<string> = new Set(['items', 'contains', 'then', 'else', 'not', 'if']);

/**
 * Keywords that identify a schema are removed, since references use other identifiers and ajv refuses duplicates. Examples are removed too, since ajv takes an
 * `$id` in them for an identifier, and so are keywords of older drafts, which have no meaning any more and which ajv refuses or still reads.
 */
const removedKeywords: ReadonlySet<string> = new Set(['$id', '$anchor', 'example', 'examples', 'id', '$recursiveRef', '$recursiveAnchor']);

/**
 * Refuses unknown types, broken patterns and meaningless bounds.
 * @throws {SpecError} at the keyword.
 */
function refuseImpossible(document: Document, schema: JsonObject): void {
  const [mistake] = mistakesOfSchema(schema);
  if (mistake !== undefined) throw new SpecError(document.place(schema, mistake.keyword), mistake.message);
}

/** Returns the indexes of the first two equal items of a list; `undefined` if all differ. The order of an object's members does not matter. */
function findRepeated(list: readonly Json[]): readonly [earlier: number, later: number] | undefined {
  const indexByKey = new Map<string, number>();
  for (const [index, item] of list.entries()) {
    // Other keys do not begin with a quote.
    const key = typeof item === 'string' ? `"${item}` : canonicalText(item);
    const earlier = indexByKey.get(key);
    if (earlier !== undefined) return [earlier, index];
    indexByKey.set(key, index);
  }
  return undefined;
}

let metaSchemas: Ajv2020 | undefined;

/** Returns the meta-schema with a URI such as `https://json-schema.org/draft/2020-12/schema`; `undefined` for other URIs. */
export function metaSchema(uri: string): Schema | undefined {
  metaSchemas ??= new Ajv2020({ logger: false });
  const schema: unknown = metaSchemas.getSchema(uri)?.schema;
  return isObject(schema) ? schema : undefined;
}

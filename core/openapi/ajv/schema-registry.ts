/** Hands a contract's schemas to ajv when a validator is first used, rewritten where ajv reads them otherwise than the standards do. */

import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import { type SourceLocation, SpecError } from '../../errors.ts';
import { arrayOrEmpty, isObject, type Json, type JsonObject, objectOrEmpty } from '../../json.ts';
import { canonicalText } from '../../json-equality.ts';
import type { Document } from '../document.ts';
import { type Member, type MemberMeaning, mapMembers } from '../member-meanings.ts';
import { mistakesOfSchema } from '../mending/schema-mistakes.ts';
import { follow, followOnce } from '../raw-document.ts';
import { markOfOtherDirection } from '../schema-direction.ts';
import { certainSchemas, type Schema, schemasAt, typesOf } from '../schema-facts.ts';
import { copyOrigin, setPlace } from '../source-positions.ts';
import { taggedUnionOf, tagSchema } from '../tagged-union.ts';
import type { RefusalKeyword } from './convert-ajv-errors.ts';

/** What a value consists of: the members and the scalars at any depth. */
export interface ValueContent {
  /** The names of all members. */
  readonly names: ReadonlySet<string>;
  /** False if the value, and every value in it, differs from a given one. */
  readonly mayHold: (value: Json) => boolean;
}

/** Lists the content of a value. */
export function contentOf(value: Json): ValueContent {
  const names = new Set<string>();
  const scalars = new Set<string>();
  const visit = (part: Json): void => {
    if (typeof part !== 'object' || part === null) scalars.add(canonicalText(part));
    else for (const member of Object.values(part)) visit(member as Json);
    if (isObject(part)) for (const name of Object.keys(part)) names.add(name);
  };
  visit(value);
  return { names, mayHold: (each) => (typeof each === 'object' && each !== null) || scalars.has(canonicalText(each)) };
}

/** Gives every target of a `$ref` an identifier, so that ajv needs neither files nor pointers. */
export class SchemaRegistry {
  private readonly document: Document;
  private readonly ajv: Ajv2020;
  /** True to refuse members of the other direction, such as one that is writeOnly in a response; false to accept any value of theirs. */
  private readonly forbidsOtherDirection: boolean;
  /** The content of the only value that the schemas are compiled for: what it cannot reach is left out. For any value if undefined. */
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

/**
 * The schemas of a document as requests or as responses have them: without `readOnly` or `writeOnly` members (OpenAPI 3.0 §4.7.24.2, JSON Schema validation
 * §9.4), and with the heirs of a `discriminator` as branches (OpenAPI 3.1 §4.8.25).
 */

import type { SourceLocation } from '../errors.ts';
import { isArray, isObject, type Json, type JsonObject, objectOrEmpty } from '../json.ts';
import { getOrCompute } from '../memo.ts';
import { toPointer } from '../pointer.ts';
import type { Document } from './document.ts';
import { follow, followOnce, rawOf } from './raw-document.ts';
import { certainSchemas, isSchema, mergedKeywords, propertiesOf, type Schema, schemasAt, schemasWithin } from './schema-facts.ts';
import { copyOrigin, setPlace, setTargetView } from './source-positions.ts';

/** The direction of a body. */
export type Direction = 'request' | 'response';

/** The annotation of the members that a direction lacks. */
type Mark = 'readOnly' | 'writeOnly';

const markOf: Readonly<Record<Direction, Mark>> = { request: 'readOnly', response: 'writeOnly' };

/** Schemas that stand for a member of the other direction, with the annotation of that member. */
const otherDirection = new WeakMap<object, Mark>();

/** The annotation of a member that the direction of its schema lacks; `undefined` for any other schema. */
export function markOfOtherDirection(schema: Json): Mark | undefined {
  return typeof schema === 'object' && schema !== null ? otherDirection.get(schema) : undefined;
}

/**
 * Returns a schema as it applies in one direction. Everything that it refers to is read in this direction too. Unchanged values are shared, and the copies
 * keep their positions.
 */
export function schemaFor(document: Document, schema: Schema, direction: Direction): Schema {
  if (!hasDirection(document, direction) && heirsOf(document).size === 0) return schema;
  const mark = markOf[direction];
  const views = getOrCompute(viewsByDocument, document, () => new Map<Mark, DirectedSchemas>());
  return getOrCompute(views, mark, () => new DirectedSchemas(document, mark)).view(schema);
}

/** True if a document has members that a direction lacks. */
export function hasDirection(document: Document, direction: Direction): boolean {
  return [...rawOf(document).files.values()].some((root) => containsMark(root, markOf[direction]));
}

/** The first place below a schema of `schemaFor` where a member of the other direction is marked; `undefined` if there is none. */
export function placeOfOtherDirection(document: Document, schema: Schema): SourceLocation | undefined {
  if (!isObject(schema) || !viewsByDocument.has(document)) return undefined;
  const { member } = getOrCompute(firstMembers, schema, () => ({
    member: [...schemasWithin(document, schema)].find((each) => otherDirection.has(each)),
  }));
  return member === undefined ? undefined : document.place(member, otherDirection.get(member));
}

/** The first member of the other direction below a schema. */
const firstMembers = new WeakMap<object, { readonly member: JsonObject | undefined }>();

const viewsByDocument = new WeakMap<Document, Map<Mark, DirectedSchemas>>();

/** The annotations that each file contains. */
const marksByRoot = new WeakMap<object, ReadonlySet<Mark>>();

function containsMark(root: JsonObject, mark: Mark): boolean {
  return getOrCompute(marksByRoot, root, () => {
    const found = new Set<Mark>();
    collectMarks(root, found);
    return found;
  }).has(mark);
}

function collectMarks(value: Json, found: Set<Mark>): void {
  if (typeof value !== 'object' || value === null || found.size === 2) return;
  if (isObject(value)) for (const mark of Object.values(markOf)) if (value[mark] === true) found.add(mark);
  for (const member of Object.values(value)) collectMarks(member as Json, found);
}

/** Keywords with schemas of the same value. A condition (`if`, `not`) is about the value as it is, so it stays. */
const sameValueKeywords: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'then', 'else', 'dependentSchemas']);
/** Keywords with schemas of members or elements, beside `properties`. */
const childKeywords: ReadonlySet<string> = new Set([
  ...['patternProperties', 'additionalProperties', 'unevaluatedProperties'],
  ...['items', 'prefixItems', 'contains', 'unevaluatedItems'],
]);

/** The schemas that inherit from each schema with a discriminator, as references. */
type Heirs = ReadonlyMap<object, readonly JsonObject[]>;

const heirsByDocument = new WeakMap<Document, Heirs>();

/** The heirs of a document's component schemas with a discriminator. The schema itself is the last of them where no list of values excludes its name. */
export function heirsOf(document: Document): Heirs {
  return getOrCompute(heirsByDocument, document, () => {
    const components = listComponents(document);
    const heirs = new Map<object, readonly JsonObject[]>();
    const bases = components.filter(({ schema }) => isBase(schema));
    if (bases.length === 0) return heirs;
    const parts = components.map(({ schema }) => new Set(certainSchemas(document, schema)));
    for (const { reference, schema } of bases) {
      const inheriting = components.filter((each, index) => each.schema !== schema && parts[index]?.has(schema) === true);
      const own = isOpenTag(document, schema) ? [reference] : [];
      if (inheriting.length > 0) heirs.set(schema, [...inheriting.map((each) => each.reference), ...own]);
    }
    return heirs;
  });
}

/** The component schemas in all files of a document that are objects, each with a reference to it. */
function listComponents(document: Document): readonly { readonly reference: JsonObject; readonly schema: JsonObject }[] {
  return [...rawOf(document).files.values()].flatMap((root) => {
    const schemas: JsonObject = objectOrEmpty(objectOrEmpty(root['components'])['schemas']);
    return Object.keys(schemas).flatMap((name) => {
      const reference: JsonObject = { $ref: `#${toPointer(['components', 'schemas', name])}` };
      setPlace(reference, document.place(root));
      const schema = follow(document, schemas[name]);
      return isObject(schema) ? [{ reference, schema }] : [];
    });
  });
}

function isBase(schema: JsonObject): boolean {
  return isObject(schema['discriminator']) && schema['oneOf'] === undefined && schema['anyOf'] === undefined;
}

/** True if the member of a discriminator may have any value. */
function isOpenTag(document: Document, schema: JsonObject): boolean {
  const name = String(objectOrEmpty(schema['discriminator'])['propertyName']);
  const members = propertiesOf(certainSchemas(document, schema).filter(isObject)).get(name) ?? [];
  return members.every((member) => mergedKeywords(document, member)['enum'] === undefined);
}

/** Copies the schemas of one document for one direction, each once for each set of names that the schemas around it mark. */
class DirectedSchemas {
  readonly #document: Document;
  readonly #mark: Mark;
  readonly #copies = new Map<string, WeakMap<object, JsonObject>>();
  readonly #heirs: Heirs;
  readonly #inheriting: ReadonlySet<Json | undefined>;

  constructor(document: Document, mark: Mark) {
    this.#document = document;
    this.#mark = mark;
    this.#heirs = heirsOf(document);
    this.#inheriting = new Set([...this.#heirs.values()].flat().map((reference) => followOnce(document, reference)));
  }

  /** `outerNames`: the marked members of the same value. A schema may require a member that only another schema of the value marks. */
  view(schema: Schema, outerNames: readonly string[] = [], isInherited = false): Schema {
    if (!isObject(schema)) return schema;
    const copies = getOrCompute(this.#copies, [isInherited, ...outerNames].join('\n'), () => new WeakMap<object, JsonObject>());
    return getOrCompute(copies, schema, () => this.#copy(schema, outerNames, isInherited));
  }

  #copy(schema: JsonObject, outerNames: readonly string[], isInherited: boolean): JsonObject {
    const certainNames = [...new Set([...outerNames, ...this.#markedNames(certainSchemas(this.#document, schema))])].sort();
    // Any branch may mark a member that the schema itself requires.
    const optionalNames = new Set([...certainNames, ...this.#markedNames(schemasAt(this.#document, schema, ''))]);
    const entries = Object.entries(schema).map(
      ([keyword, value]) => [keyword, this.#keyword(schema, keyword, value, certainNames, optionalNames)] as const,
    );
    const heirs = isInherited ? undefined : this.#heirs.get(schema);
    if (heirs !== undefined) entries.push(['oneOf', heirs.map((heir) => this.#heir(heir, schema))]);
    const isReference = typeof schema['$ref'] === 'string';
    if (!isReference && entries.every(([keyword, value]) => value === schema[keyword])) return schema;
    const copy = copyOrigin(schema, Object.fromEntries(entries) as JsonObject);
    if (isReference) setTargetView(copy, (target) => (isSchema(target) ? this.view(target, certainNames, isInherited) : target));
    return copy;
  }

  /** A branch of a schema with heirs: a reference to one of them, or to the schema without its heirs. */
  #heir(reference: JsonObject, base: JsonObject): JsonObject {
    const copy = copyOrigin(reference, { ...reference });
    setTargetView(copy, (target) => this.view(target as Schema, [], target === base));
    return copy;
  }

  #keyword(schema: JsonObject, keyword: string, value: Json, certainNames: readonly string[], optionalNames: ReadonlySet<string>): Json {
    if (optionalNames.size > 0 && keyword === 'required') return withoutNames(value, optionalNames);
    if (optionalNames.size > 0 && keyword === 'dependentRequired') return mapChanged(value, (names) => withoutNames(names, optionalNames));
    if (keyword === 'properties')
      return mapChanged(value, (member) => (this.#isMarked(member) ? this.#standIn(member) : this.#viewOf(member, [])));
    if (keyword === 'allOf' && this.#inheriting.has(schema))
      return mapChanged(value, (each) => (isSchema(each) ? this.view(each, certainNames, true) : each));
    if (sameValueKeywords.has(keyword)) return this.#viewAll(keyword, value, certainNames);
    return childKeywords.has(keyword) ? this.#viewAll(keyword, value, []) : value;
  }

  /** Views the schema, the list of schemas or the map of schemas that a keyword has. */
  #viewAll(keyword: string, value: Json, names: readonly string[]): Json {
    const isMap = keyword === 'patternProperties' || keyword === 'dependentSchemas';
    return isMap || isArray(value) ? mapChanged(value, (each) => this.#viewOf(each, names)) : this.#viewOf(value, names);
  }

  #viewOf(value: Json, names: readonly string[]): Json {
    return isSchema(value) ? this.view(value, names) : value;
  }

  /** Accepts everything, since servers ignore such members. The original stays readable, for example for its other annotations. */
  #standIn(member: Json): JsonObject {
    const copies = getOrCompute(this.#copies, 'stand-ins', () => new WeakMap<object, JsonObject>());
    return getOrCompute(copies, member as JsonObject, () => {
      const standIn = copyOrigin(member, { anyOf: [true, member] });
      otherDirection.set(standIn, this.#mark);
      return standIn;
    });
  }

  #markedNames(parts: readonly Schema[]): readonly string[] {
    const members = [...propertiesOf(parts.filter(isObject))];
    return members.filter(([, schemas]) => schemas.some((schema) => this.#isMarked(schema))).map(([name]) => name);
  }

  #isMarked(member: Json): boolean {
    return isObject(member) && certainSchemas(this.#document, member).some((part) => isObject(part) && part[this.#mark] === true);
  }
}

function withoutNames(names: Json, removed: ReadonlySet<string>): Json {
  if (!isArray(names) || !names.some((name) => removed.has(String(name)))) return names;
  return copyOrigin(
    names,
    names.filter((name) => !removed.has(String(name))),
  );
}

/** Maps the members of an object or array. Returns the same value if nothing changes. */
function mapChanged(value: Json, change: (member: Json) => Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, change(member as Json)] as const);
  if (entries.every(([key, member]) => member === (value as JsonObject)[key])) return value;
  return copyOrigin(value, isArray(value) ? entries.map(([, member]) => member) : Object.fromEntries(entries));
}

/**
 * Converts schemas in older dialects of JSON Schema (OpenAPI 3.0, drafts 4 to 2019-09) to draft 2020-12 when a file is opened. The rest of the code knows only
 * that draft.
 */

import { isArray, isObject, type Json, type JsonObject } from '../json.ts';
import { getOrCompute } from '../memo.ts';
import { fromPointer, toPointer } from '../pointer.ts';
import type { Document } from './document.ts';
import { type DialectScope, dialectScopeOfFile, dialectScopeOfSchema, draft202012, draft202012Uri } from './find-schema-dialect.ts';
import { type MemberMeaning, membersOf } from './member-meanings.ts';
import type { Remark } from './mending/set-aside.ts';
import { createDocument, type RawDocument, rawOf, splitReference } from './raw-document.ts';
import { copyOrigin } from './source-positions.ts';

/**
 * Returns a copy of a document with all schemas in draft 2020-12, or the document itself if nothing changes. Values keep their positions in the file.
 */
export function upgradeSchemas(document: Document): RawDocument {
  const raw = rawOf(document);
  const remarks: UpgradeRemark[] = [];
  const rewriter = new SchemaRewriter(document, remarks);
  const files = new Map(
    [...raw.files].map(([file, root]) => [file, rewriter.rewrite(root, 'keywords', dialectScopeOfFile(document, file)) as JsonObject]),
  );
  const isSame = [...raw.files].every(([file, root]) => files.get(file) === root);
  return isSame ? raw : { ...createDocument(document.file, files, document.texts), remarks: summarize(remarks) };
}

/** Many schemas of a file are written in the same way, so one remark stands for all of its kind. */
function summarize(remarks: readonly UpgradeRemark[]): readonly Remark[] {
  return (['nullable', 'ignored'] as const).flatMap((kind) => {
    const [first, ...others] = remarks.filter((remark) => remark.kind === kind);
    if (first === undefined) return [];
    const { place, message } = first;
    return [{ place, message: others.length === 0 ? message : `${message} (and in ${others.length} more places)` }];
  });
}

/** A remark on a schema: `nullable` that adds an alternative, or keywords that are ignored. */
interface UpgradeRemark extends Remark {
  readonly kind: 'nullable' | 'ignored';
}

/** Copies the changed values and shares the rest. A value that YAML aliases share is rewritten once for each meaning. */
class SchemaRewriter {
  private readonly document: Document;
  private readonly remarks: UpgradeRemark[];
  private readonly roots: ReadonlySet<Json>;
  private readonly copiesByMeaning = new Map<MemberMeaning, Map<object, Json>>();

  constructor(document: Document, remarks: UpgradeRemark[]) {
    this.document = document;
    this.remarks = remarks;
    this.roots = new Set(rawOf(document).files.values());
  }

  rewrite(value: Json, meaning: MemberMeaning, enclosing: DialectScope): Json {
    if (typeof value !== 'object' || value === null || meaning === 'data' || meaning === 'extension') return value;
    const copies = getOrCompute(this.copiesByMeaning, meaning, () => new Map<object, Json>());
    return getOrCompute(copies, value as object, () => this.rewriteNew(value, meaning, enclosing));
  }

  private rewriteNew(value: readonly Json[] | JsonObject, meaning: MemberMeaning, enclosing: DialectScope): Json {
    const isSchema = meaning === 'keywords' && isObject(value);
    const scope = isSchema ? dialectScopeOfSchema(enclosing, value) : enclosing;
    const members = membersOf(value, meaning).map(({ key, member, meaning: memberMeaning }) => {
      if (isSchema && key === '$ref' && typeof member === 'string') return [key, rewriteReference(this.document, value, member)] as const;
      // Authors also keep shared schemas in an extension of the file, such as `x-models`.
      const isShared = memberMeaning === 'extension' && this.roots.has(value);
      return [
        key,
        this.rewrite(member, isShared ? 'keywords' : isSchema && key === 'dependencies' ? 'names' : memberMeaning, scope),
      ] as const;
    });
    const isSame = members.every(([key, member]) => member === (value as JsonObject)[key]);
    const copy = isObject(value) ? Object.fromEntries(members) : members.map(([, member]) => member);
    const upgraded = isSame ? value : copyOrigin(value, copy);
    if (!isSchema) return upgraded;
    this.remarkOnIgnored(value, scope);
    return this.readNullable(rewriteKeywords(upgraded as JsonObject, scope));
  }

  private remarkOnIgnored(schema: JsonObject, { dialect }: DialectScope): void {
    if (!dialect.isReferenceAlone || typeof schema['$ref'] !== 'string') return;
    const ignored = Object.keys(schema).filter((key) => !besideReference.has(key) && !isDescriptive(key));
    if (ignored.length === 0) return;
    const message = `${ignored.join(', ')} beside $ref ${ignored.length === 1 ? 'has' : 'have'} no effect in this version of OpenAPI; put the reference into allOf`;
    this.remarks.push({ kind: 'ignored', place: this.document.place(schema, ignored[0]), message });
  }

  /** Adds null to a schema that is `nullable` beside a reference or branches. OpenAPI 3.0 says that it has no effect there, but authors and tools mean it. */
  private readNullable(schema: JsonObject): JsonObject {
    if (!isNullableCombination(schema)) return schema;
    const { nullable: _nullable, ...others } = schema as Record<string, Json>;
    const moved = [...combinations, 'discriminator'].filter((key) => schema[key] !== undefined);
    const place = this.document.place(schema, 'nullable');
    this.remarks.push({ kind: 'nullable', place, message: `nullable beside ${moved[0]} is read as: null is allowed` });
    const inner = copyOrigin(schema, Object.fromEntries(moved.map((key) => [key, schema[key] ?? null])));
    const rest = Object.entries(others).filter(([key]) => !moved.includes(key));
    return copyOrigin(schema, { ...Object.fromEntries(rest), anyOf: [inner, copyOrigin(schema, { type: 'null' })] });
  }
}

/** Converts the keywords of one schema, without its subschemas. Returns the schema itself if nothing changes. Renamed keywords keep their positions. */
function rewriteKeywords(schema: JsonObject, scope: DialectScope): JsonObject {
  const isAlone = scope.dialect.isReferenceAlone && typeof schema['$ref'] === 'string';
  const changes: (readonly [string, readonly Keyword[]])[] = [];
  for (const key of Object.keys(schema)) {
    const value = schema[key] ?? null;
    const keywords = isAlone && !besideReference.has(key) ? [] : translations.get(key)?.(value, schema, scope);
    if (keywords !== undefined) changes.push([key, keywords]);
  }
  if (changes.length === 0) return schema;
  const changesByKey = new Map(changes);
  const keywords = Object.entries(schema).flatMap(([from, value]) =>
    (changesByKey.get(from) ?? [{ key: from, value }]).map((keyword) => ({ ...keyword, from })),
  );
  const renamed = new Map(keywords.filter(({ key, from }) => key !== from).map(({ key, from }) => [key, from]));
  return copyOrigin(schema, Object.fromEntries(keywords.map(({ key, value }) => [key, value])), renamed);
}

/** Keywords that stay beside a `$ref` in dialects that ignore its siblings. References may lead into definitions, so those stay. */
const besideReference: ReadonlySet<string> = new Set(['$ref', '$schema', 'definitions', '$defs', 'nullable']);

/** True for keywords without an effect on values. */
function isDescriptive(key: string): boolean {
  return key.startsWith('x-') || ['summary', 'description', 'title', 'example', 'examples', 'deprecated', 'externalDocs'].includes(key);
}

/** A keyword of draft 2020-12. */
interface Keyword {
  readonly key: string;
  readonly value: Json;
}

/** Converts a keyword of a schema; `undefined` if the keyword stays unchanged. */
type Translation = (value: Json, schema: JsonObject, scope: DialectScope) => readonly Keyword[] | undefined;

const translations: ReadonlyMap<string, Translation> = new Map([
  ['$schema', (_, _schema, { dialect }) => (dialect === draft202012 ? undefined : [{ key: '$schema', value: draft202012Uri }])],
  ['nullable', (value, schema) => (typeof value === 'boolean' && !isNullableCombination(schema) ? [] : undefined)],
  ['type', withNullType],
  ['enum', withNullValue],
  ['minimum', boundBy('exclusiveMinimum')],
  ['maximum', boundBy('exclusiveMaximum')],
  ['exclusiveMinimum', exclusive('minimum')],
  ['exclusiveMaximum', exclusive('maximum')],
  ['items', listItems],
  ['additionalItems', furtherItems],
  ['dependencies', splitDependencies],
  ['$recursiveAnchor', recursiveAnchor],
  ['$recursiveRef', recursiveReference],
  ['id', identify('id')],
  ['$id', identify('$id')],
]);

/** Keywords of which `nullable` adds another alternative, null. */
const combinations = ['$ref', 'allOf', 'oneOf', 'anyOf', 'enum', 'const'] as const;

/** True if a schema without a `type` is `nullable` beside a reference or branches. */
function isNullableCombination(schema: JsonObject): boolean {
  return schema['nullable'] === true && schema['type'] === undefined && combinations.some((key) => schema[key] !== undefined);
}

/** True if `nullable` (OpenAPI 3.0) adds null to a `type`. Without a type it has no effect. Many files of 3.1 still contain it. */
function isNullable(schema: JsonObject): boolean {
  return schema['nullable'] === true && schema['type'] !== undefined;
}

function withNullType(type: Json, schema: JsonObject): readonly Keyword[] | undefined {
  const types = [type].flat() as readonly Json[];
  return isNullable(schema) && !types.includes('null') ? [{ key: 'type', value: [...types, 'null'] }] : undefined;
}

/** Adds null to the `enum` of a nullable schema. Strictly, such an enum excludes null, but authors and tools mean that null is allowed. */
function withNullValue(enumValues: Json, schema: JsonObject): readonly Keyword[] | undefined {
  if (!isNullable(schema) || !isArray(enumValues) || enumValues.includes(null)) return undefined;
  return [{ key: 'enum', value: copyOrigin(enumValues, [...enumValues, null]) }];
}

/** Removes a bound that becomes `exclusiveMinimum` or `exclusiveMaximum`. */
function boundBy(exclusiveKey: string): Translation {
  return (_, schema, { dialect }) => (dialect.hasBooleanBounds && schema[exclusiveKey] === true ? [] : undefined);
}

function exclusive(boundKey: 'minimum' | 'maximum'): Translation {
  const key = boundKey === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
  return (isExclusive, schema, { dialect }) => {
    if (!dialect.hasBooleanBounds || typeof isExclusive !== 'boolean') return undefined;
    const bound = schema[boundKey];
    return isExclusive && bound !== undefined ? [{ key, value: bound }] : [];
  };
}

function listItems(items: Json, _schema: JsonObject, { dialect }: DialectScope): readonly Keyword[] | undefined {
  if (!dialect.hasItemLists || !isArray(items)) return undefined;
  return items.length === 0 ? [] : [{ key: 'prefixItems', value: items }];
}

function furtherItems(value: Json, schema: JsonObject, { dialect }: DialectScope): readonly Keyword[] | undefined {
  if (!dialect.hasItemLists) return undefined;
  return isArray(schema['items']) ? [{ key: 'items', value }] : [];
}

/** Splits `dependencies` into lists of names and schemas. */
function splitDependencies(value: Json, _schema: JsonObject, { dialect }: DialectScope): readonly Keyword[] | undefined {
  if (!dialect.hasDependencies || !isObject(value)) return undefined;
  const entries = Object.entries(value);
  const parts = [
    { key: 'dependentRequired', members: entries.filter(([, member]) => isArray(member)) },
    { key: 'dependentSchemas', members: entries.filter(([, member]) => !isArray(member)) },
  ];
  return parts
    .filter(({ members }) => members.length > 0)
    .map(({ key, members }) => ({ key, value: copyOrigin(value, Object.fromEntries(members)) }));
}

/** Name of the dynamic anchor that replaces the nameless `$recursiveAnchor` of draft 2019-09. */
const dynamicAnchorName = 'recursive';

function recursiveAnchor(value: Json, _schema: JsonObject, { dialect }: DialectScope): readonly Keyword[] | undefined {
  if (!dialect.hasRecursiveReferences) return undefined;
  return value === true ? [{ key: '$dynamicAnchor', value: dynamicAnchorName }] : [];
}

/** Converts `$recursiveRef`. Without an enclosing anchor, it refers to the root, like `#`. */
function recursiveReference(_: Json, _schema: JsonObject, { dialect, isAnchored }: DialectScope): readonly Keyword[] | undefined {
  return dialect.hasRecursiveReferences ? [{ key: '$dynamicRef', value: isAnchored ? `#${dynamicAnchorName}` : '#' }] : undefined;
}

/** Converts an identifier. In older drafts its fragment is an anchor. */
function identify(key: 'id' | '$id'): Translation {
  return (value, _, { dialect }) => {
    if (typeof value !== 'string' || dialect.identifier !== key) return undefined;
    const [uri = '', fragment] = value.split('#', 2);
    if (key === '$id' && fragment === undefined) return undefined;
    const parts = [
      { key: '$id', value: uri },
      { key: '$anchor', value: fragment ?? '' },
    ];
    return parts.filter((part) => part.value !== '');
  };
}

/** Converts a `$ref` that leads through a renamed keyword; other references stay. */
function rewriteReference(document: Document, holder: JsonObject, reference: string): string {
  if (!movable.test(reference) || /^[a-z][a-z+.-]+:|#(?!\/)/i.test(reference)) return reference;
  const place = document.place(holder, '$ref');
  const { file, pointer } = splitReference(holder, '$ref', place);
  const keys = fromPointer(pointer);
  let value: Json = rawOf(document).files.get(file) ?? null;
  let scope = dialectScopeOfFile(document, file);
  let meaning: MemberMeaning = 'keywords';
  const movedKeys = keys.map((key) => {
    const isSchema = meaning === 'keywords' && isObject(value);
    if (isSchema) scope = dialectScopeOfSchema(scope, value as JsonObject);
    const newKey = isSchema ? renamedKey(value as JsonObject, scope, key) : key;
    const entry = membersOf(value, meaning).find((member) => String(member.key) === key);
    meaning = isSchema && key === 'dependencies' ? 'names' : (entry?.meaning ?? meaning);
    value = entry?.member ?? null;
    return newKey;
  });
  if (movedKeys.every((key, index) => key === keys[index])) return reference;
  const fragment = toPointer(movedKeys).split('/').map(encodeURIComponent).join('/');
  return `${reference.slice(0, reference.indexOf('#'))}#${fragment}`;
}

/** References that may lead through a renamed keyword. */
const movable = /\/(items|additionalItems|dependencies)(\/|$)/;

function renamedKey(schema: JsonObject, { dialect }: DialectScope, key: string): string {
  if (dialect.hasDependencies && key === 'dependencies') return 'dependentSchemas';
  if (!dialect.hasItemLists || !isArray(schema['items'])) return key;
  return key === 'items' ? 'prefixItems' : key === 'additionalItems' ? 'items' : key;
}

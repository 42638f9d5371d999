/** Saying in the words of draft 2020-12 what a schema says in those of an older dialect. */

import { modern, modernUri } from './dialect-table.ts';
import type { Reading } from './dialect-walk.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import { copyOrigin } from './origin.ts';

/**
 * A schema in the words of draft 2020-12, its subschemas as they are; the schema itself where nothing changes.
 * A copy stands where the schema stands, and so do keywords that have another name now.
 */
export function rewriteKeywords(schema: JsonObject, reading: Reading): JsonObject {
  const isAlone = reading.dialect.isReferenceAlone && typeof schema['$ref'] === 'string';
  const changes: (readonly [string, readonly Keyword[]])[] = [];
  for (const key of Object.keys(schema)) {
    const value = schema[key] ?? null;
    const now = isAlone && !besideReference.has(key) ? [] : translations.get(key)?.(value, schema, reading);
    if (now !== undefined) changes.push([key, now]);
  }
  if (changes.length === 0) return schema;
  const changed = new Map(changes);
  const said = Object.entries(schema).flatMap(([from, value]) =>
    (changed.get(from) ?? [{ key: from, value }]).map((keyword) => ({ ...keyword, from })),
  );
  const copy = Object.fromEntries(said.map(({ key, value }) => [key, value]));
  copyOrigin(schema, copy, new Map(said.filter(({ key, from }) => key !== from).map(({ key, from }) => [key, from])));
  return copy;
}

/** What is left beside a `$ref` that stands alone: nothing that says anything of instances, but references may lead into definitions. */
const besideReference: ReadonlySet<string> = new Set(['$ref', '$schema', 'definitions', '$defs']);

/** A keyword of draft 2020-12. */
interface Keyword {
  readonly key: string;
  readonly value: Json;
}

/** What a keyword becomes, by the schema that holds it; no answer when it stays as it is. */
type Translation = (value: Json, schema: JsonObject, reading: Reading) => readonly Keyword[] | undefined;

const translations: ReadonlyMap<string, Translation> = new Map([
  ['$schema', (_, _schema, { dialect }) => (dialect === modern ? undefined : [{ key: '$schema', value: modernUri }])],
  ['nullable', (value) => (typeof value === 'boolean' ? [] : undefined)],
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

/** `nullable` is of OpenAPI 3.0, and widens the type that stands beside it; without one it does nothing. Files of 3.1 that grew out of 3.0 still hold it. */
function isNullable(schema: JsonObject): boolean {
  return schema['nullable'] === true && schema['type'] !== undefined;
}

function withNullType(type: Json, schema: JsonObject): readonly Keyword[] | undefined {
  const types = [type].flat() as readonly Json[];
  return isNullable(schema) && !types.includes('null') ? [{ key: 'type', value: [...types, 'null'] }] : undefined;
}

/** Read strictly, `nullable` beside a list without null would allow no null. Whoever writes it means that null is one of the values, and tools read it so. */
function withNullValue(listed: Json, schema: JsonObject): readonly Keyword[] | undefined {
  if (!isNullable(schema) || !Array.isArray(listed) || listed.includes(null)) return undefined;
  const value = [...(listed as readonly Json[]), null];
  copyOrigin(listed, value);
  return [{ key: 'enum', value }];
}

/** A bound that is exclusive is said by the other keyword alone. */
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

function listItems(items: Json, _schema: JsonObject, { dialect }: Reading): readonly Keyword[] | undefined {
  if (!dialect.hasItemLists || !Array.isArray(items)) return undefined;
  return items.length === 0 ? [] : [{ key: 'prefixItems', value: items }];
}

function furtherItems(value: Json, schema: JsonObject, { dialect }: Reading): readonly Keyword[] | undefined {
  if (!dialect.hasItemLists) return undefined;
  return Array.isArray(schema['items']) ? [{ key: 'items', value }] : [];
}

/** Lists of names are one keyword now, and schemas another. */
function splitDependencies(value: Json, _schema: JsonObject, { dialect }: Reading): readonly Keyword[] | undefined {
  if (!dialect.hasDependencies || !isObject(value)) return undefined;
  const entries = Object.entries(value);
  const parts = [
    { key: 'dependentRequired', members: entries.filter(([, each]) => Array.isArray(each)) },
    { key: 'dependentSchemas', members: entries.filter(([, each]) => !Array.isArray(each)) },
  ];
  return parts
    .filter(({ members }) => members.length > 0)
    .map(({ key, members }) => {
      const part = Object.fromEntries(members);
      copyOrigin(value, part);
      return { key, value: part };
    });
}

/** Draft 2019-09 has one anchor of this kind and needs no name for it. */
const anchor = 'recursive';

function recursiveAnchor(value: Json, _schema: JsonObject, { dialect }: Reading): readonly Keyword[] | undefined {
  if (!dialect.hasRecursiveReferences) return undefined;
  return value === true ? [{ key: '$dynamicAnchor', value: anchor }] : [];
}

/** Without an anchor around it, it leads to the root like any other `#`. */
function recursiveReference(_: Json, _schema: JsonObject, { dialect, isAnchored }: Reading): readonly Keyword[] | undefined {
  return dialect.hasRecursiveReferences ? [{ key: '$dynamicRef', value: isAnchored ? `#${anchor}` : '#' }] : undefined;
}

/** Older identifiers may end in a fragment, which names an anchor. */
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

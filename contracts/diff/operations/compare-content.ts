/** Compares what request bodies, responses and headers have in common: media types, descriptions and the schema. */

import { matchesType, mediaTypeOf } from '../../../core/http/media-type.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { canonicalText, isSameValue } from '../../../core/json-equality.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import { type exchangePart, type ObjectPair, objectSide, reportChangedMembers, reportDifference } from '../comparison-context.ts';
import type { EditedSide } from '../component-places.ts';
import { describeJsonChange, toKebab } from '../describe-value-change.ts';
import { printPart } from '../exchange-place.ts';
import { pairEntries } from '../pair-renamed-entries.ts';
import { compareSchemas } from '../schemas/compare-schemas.ts';
import { allowedTypes, type FlatSchema, keywordMap, keywordSchemas, keywordValues, schemaMember } from '../schemas/flat-schema.ts';
import type { ExchangeBuilder } from '../witnesses/build-witness-exchange.ts';

/** The request or the response of an operation that both contracts have. */
export type ExchangePart = ReturnType<typeof exchangePart>;

/** Compares members without effect on requests and responses: descriptions, links, deprecation. */
export function compareDescriptions(part: ExchangePart, idPrefix: string, sides: ObjectPair): void {
  const { part: where } = part.at;
  const name = where.kind === 'response' && where.header !== undefined ? `header \`${where.header}\`` : printPart(where);
  const textOf = (keyword: string, happened: string): string => {
    if (keyword === 'links') return `the links ${happened.replace('was', 'were')}`;
    if (keyword === 'description') return `description ${happened}`;
    return `the ${name} is ${sides.new['deprecated'] === true ? 'now' : 'no longer'} deprecated`;
  };
  reportChangedMembers({ ...part, direction: undefined }, sides, ['description', 'links', 'deprecated'], (keyword, happened) => ({
    id: `${idPrefix}/${keyword}-changed`,
    level: keyword === 'description' ? 'documentation' : 'compatible',
    text: textOf(keyword, happened),
  }));
}

/** The object under a key of another one; an empty object if absent. */
export function objectUnder(holder: JsonObject, key: string): JsonObject {
  const members = holder[key];
  return isObject(members) ? members : {};
}

/** Compares the content, media type by media type. `status` is undefined for request bodies. */
export function compareContent(part: ExchangePart, idPrefix: string, sides: ObjectPair, status?: string): void {
  const [before, after] = [mediaOf(sides.old), mediaOf(sides.new)];
  const schemaText = ({ schema }: JsonObject): string | undefined => (schema === undefined ? undefined : canonicalText(schema));
  for (const { key: type, newKey: newType, old, new: next } of pairEntries(before, after, schemaText)) {
    if (old === undefined || next === undefined || newType !== type)
      reportMedia(part, idPrefix, [type, newType], objectSide(part.context, old, sides.old), objectSide(part.context, next, sides.new));
    if (old === undefined || next === undefined) continue;
    const isNamed = before.size + after.size > 2 || !type.includes('json');
    const content = isNamed ? { ...part, at: { part: { ...part.at.part, mediaType: type } } } : part;
    compareEncoding(content, idPrefix, { old, new: next });
    compareSchemasOf(
      content,
      idPrefix,
      { old, new: next },
      part.context.exchanges.withBody(part.old, type, status),
      !type.includes('json'),
    );
  }
}

/** Compares how forms write each of their parts (OpenAPI 3.1 §4.8.15). What a side leaves out has the default of the standard. */
function compareEncoding(part: ExchangePart, idPrefix: string, media: ObjectPair): void {
  const stated = { old: objectUnder(media.old, 'encoding'), new: objectUnder(media.new, 'encoding') };
  const [old, next] = [propertiesOf(part, media.old), propertiesOf(part, media.new)];
  for (const name of new Set([...Object.keys(stated.old), ...Object.keys(stated.new)])) {
    const [before, after] = [old.get(name), next.get(name)];
    // An added or removed property brings or takes its encoding.
    if ((before === undefined) !== (after === undefined)) continue;
    const holders = { old: objectUnder(stated.old, name), new: objectUnder(stated.new, name) };
    const full = { old: withDefaults(part, holders.old, before), new: withDefaults(part, holders.new, after) };
    const changedKeys = encodingKeys.filter((key) => !isSameValue(full.old[key], full.new[key]));
    reportChangedMembers(part, holders, changedKeys, (key) => {
      const isRead = key === 'contentType' && readsAll(part, full);
      return {
        id: `${idPrefix}/encoding-${toKebab(key)}-changed`,
        level: isRead ? 'compatible' : 'breaking',
        changedItem: `${name} ${key}`,
        text: describeJsonChange(`${key} in the encoding of \`${name}\``, full.old[key], full.new[key]),
        ...(isRead ? {} : { reason: 'The other side reads a different value from what is written in the old way.' }),
      };
    });
  }
}

const encodingKeys = ['contentType', 'style', 'explode', 'allowReserved', 'headers'];

function propertiesOf({ context, old }: ExchangePart, media: JsonObject): ReadonlyMap<string, readonly Schema[]> {
  return keywordMap(context.search.flatSchemas.of(schemaMember(media), old), 'properties');
}

/** An encoding with the members that it leaves out. */
function withDefaults(part: ExchangePart, encoding: JsonObject, schemas: readonly Schema[] = []): JsonObject {
  const style = encoding['style'] ?? 'form';
  const { flatSchemas } = part.context.search;
  const contentType = defaultType(part, flatSchemas.of(flatSchemas.combine(schemas), part.old));
  return { contentType, explode: style === 'form', allowReserved: false, ...encoding, style };
}

/** The media type in which a form writes a value of a schema. */
function defaultType(part: ExchangePart, flat: FlatSchema): string {
  const types = allowedTypes(flat);
  const { flatSchemas } = part.context.search;
  if (types?.has('array') === true) return defaultType(part, flatSchemas.of(flatSchemas.combine(keywordSchemas(flat, 'items')), flat));
  if (types?.has('object') === true) return 'application/json';
  const isBinary =
    keywordValues(flat, 'contentEncoding').length > 0 || keywordValues(flat, 'format').some((format) => binaryFormats.has(format));
  return isBinary || types === undefined ? 'application/octet-stream' : 'text/plain';
}

const binaryFormats: ReadonlySet<Json> = new Set(['binary', 'base64', 'byte']);

/** True if every media type that could be written before can be read now. */
function readsAll({ direction }: ExchangePart, { old, new: next }: ObjectPair): boolean {
  const typesOf = ({ contentType }: JsonObject): readonly string[] =>
    String(contentType)
      .split(',')
      .map((type) => plainType(type.trim()));
  const [written, read] = direction === 'request' ? [typesOf(old), typesOf(next)] : [typesOf(next), typesOf(old)];
  return written.every((type) => read.some((each) => each === type || matchesType(each, type)));
}

/** Compares the members named `schema` of both sides. */
export function compareSchemasOf(
  part: ExchangePart,
  idPrefix: string,
  sides: ObjectPair,
  toExchange: ExchangeBuilder,
  isText = false,
): void {
  const { place } = part.context.document;
  const around = { old: { place: place(sides.old) }, new: { place: place(sides.new) } };
  compareSchemas(part, {
    idPrefix,
    old: schemaMember(sides.old),
    new: schemaMember(sides.new),
    around,
    isText,
    toExchange,
  });
}

function reportMedia(
  part: ExchangePart,
  idPrefix: string,
  [type, newType]: readonly [string, string],
  before: EditedSide,
  after: EditedSide,
): void {
  const isRenamed = newType !== type;
  // A range such as `*/*` includes the type that takes its place, or the other way round.
  const isIncluded =
    mediaTypeOf(newType) !== mediaTypeOf(type) && (part.direction === 'request' ? matchesType(newType, type) : matchesType(type, newType));
  const isGone = after.value === undefined;
  // Whoever sends a request chooses its media type. Of a response, the receiver does (RFC 9110 §12.1).
  const isChosenByServer = part.direction === 'response' && part.at.part.kind === 'request body';
  const isLost = isRenamed ? !isIncluded : isGone !== isChosenByServer;
  const reason =
    part.direction === 'request'
      ? 'The server no longer reads what deployed clients send.'
      : 'A client that expects this media type receives a different one.';
  reportDifference(part, {
    id: `${idPrefix}/media-type-${isRenamed ? 'changed' : isGone ? 'removed' : 'added'}`,
    level: isLost ? 'breaking' : 'compatible',
    before: isRenamed ? { ...before, value: type } : before,
    after: isRenamed ? { ...after, value: newType } : after,
    changedItem: type,
    text: isRenamed
      ? `the media type changed from \`${type}\` to \`${newType}\``
      : `the media type \`${type}\` was ${isGone ? 'removed' : 'added'}`,
    ...(isLost ? { reason } : {}),
  });
}

/** A media type without spaces, in lower case. UTF-8 is what readers expect in any case. */
function plainType(type: string): string {
  return type
    .toLowerCase()
    .replaceAll(' ', '')
    .replace(/;charset="?utf-?8"?$/, '');
}

function mediaOf(holder: JsonObject): ReadonlyMap<string, JsonObject> {
  const content = Object.entries(objectUnder(holder, 'content'));
  return new Map(content.flatMap(([type, media]) => (isObject(media) ? [[plainType(type), media] as const] : [])));
}

/** Marks in schemas: which values are about a person, and which questions stand beside a schema, by the place of the value in the exchange. */

import type { HalfOfExchange } from '../../../core/change.ts';
import { type Document, follow, referred } from '../../../core/document.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { Schema } from '../../../core/schema.ts';
import { objectAt } from './list-words.ts';
import { type Half, writtenParameters } from './pair.ts';

/** A word that stands in a schema. */
export interface Mark {
  readonly word: 'x-personal' | 'x-unspecified';
  readonly value: Json;
  /** The schema that it stands in, as it is written. */
  readonly holder: JsonObject;
  /** The keys that lead to the value that it is about; `[]` for the elements of an array, `*` for members of any name. */
  readonly path: readonly string[];
}

/** A place of an exchange that has a schema. */
export interface Site {
  readonly direction: HalfOfExchange;
  /** In the reader's words: `response 200`, `query parameter limit`. */
  readonly name: string;
  readonly schema: Json;
  readonly marks: readonly Mark[];
}

const known = new WeakMap<Half, readonly Site[]>();

/** Every place of an operation's exchanges that has a schema, with the marks below it. */
export function listSites(half: Half): readonly Site[] {
  const sites = known.get(half) ?? collectSites(half);
  known.set(half, sites);
  return sites;
}

/** All marks of an operation. */
export function listMarks(half: Half): readonly Mark[] {
  return listSites(half).flatMap(({ marks }) => marks);
}

function collectSites(half: Half): readonly Site[] {
  const { document } = half.contract;
  const memo: Memo = new Map();
  const toSite = (direction: HalfOfExchange, name: string, schema: Json | undefined): readonly Site[] =>
    schema === undefined ? [] : [{ direction, name, schema, marks: withoutRepetition(marksBelow(document, schema, memo)) }];
  const inContent = (direction: HalfOfExchange, name: string, holder: JsonObject): readonly Site[] =>
    Object.values(objectAt(holder, ['content'])).flatMap((media) => toSite(direction, name, isObject(media) ? media['schema'] : undefined));
  const parameters = [...writtenParameters(half).values()].flatMap((parameter) => {
    const name = `${String(parameter['in'])} parameter ${String(parameter['name'])}`;
    return [...toSite('request', name, parameter['schema']), ...inContent('request', name, parameter)];
  });
  const body = follow(document, half.written['requestBody']);
  const responses = Object.entries(objectAt(half.written, ['responses'])).flatMap(([status, entry]) => {
    const response = follow(document, entry);
    if (!isObject(response)) return [];
    const headers = Object.entries(objectAt(response, ['headers'])).flatMap(([name, header]) => {
      const value = follow(document, header);
      return isObject(value) ? toSite('response', `response ${status}, header ${name}`, value['schema']) : [];
    });
    return [...headers, ...inContent('response', `response ${status}`, response)];
  });
  return [...parameters, ...(isObject(body) ? inContent('request', 'request body', body) : []), ...responses];
}

/** The marks of each schema that was walked; while one is walked it has none yet, which is how schemas that contain themselves end. */
type Memo = Map<Json, readonly Mark[]>;

function marksBelow(document: Document, schema: Json, memo: Memo): readonly Mark[] {
  const found = memo.get(schema);
  if (found !== undefined || !isObject(schema)) return found ?? [];
  memo.set(schema, []);
  const own = (['x-personal', 'x-unspecified'] as const).flatMap((word): readonly Mark[] => {
    const value = schema[word];
    return value === undefined ? [] : [{ word, value, holder: schema, path: [] }];
  });
  const below = partsOf(document, schema).flatMap(([path, part]) =>
    marksBelow(document, part, memo).map((mark) => ({ ...mark, path: [...path, ...mark.path] })),
  );
  const marks = [...own, ...below];
  memo.set(schema, marks);
  return marks;
}

/** The schemas inside a schema, each with the keys that lead from its value to theirs. */
function partsOf(document: Document, schema: JsonObject): readonly (readonly [readonly string[], Schema])[] {
  const same = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'not'].flatMap((keyword) => [schema[keyword]].flat());
  const dependent = Object.values(objectAt(schema, ['dependentSchemas']));
  const prefix = [schema['prefixItems']].flat().map((part, index) => [[String(index)], part] as const);
  const named = Object.entries(objectAt(schema, ['properties'])).map(([name, part]) => [[name], part] as const);
  const parts: readonly (readonly [readonly string[], Json | undefined])[] = [
    ...[referred(document, schema), ...same, ...dependent].map((part) => [[], part as Json | undefined] as const),
    ...['items', 'contains', 'unevaluatedItems'].map((keyword) => [['[]'], schema[keyword]] as const),
    ...prefix.map(([path, part]) => [path, part as Json | undefined] as const),
    ...named,
    ...Object.values(objectAt(schema, ['patternProperties'])).map((part) => [['*'], part] as const),
    ...['additionalProperties', 'unevaluatedProperties'].map((keyword) => [['*'], schema[keyword]] as const),
  ];
  return parts.flatMap(([path, part]) => (isObject(part) ? [[path, part] as const] : []));
}

function withoutRepetition(marks: readonly Mark[]): readonly Mark[] {
  return [...new Map(marks.map((mark) => [JSON.stringify([mark.word, mark.path, mark.value]), mark])).values()];
}

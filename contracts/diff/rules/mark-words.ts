/** Marks in schemas, which values are about a person and which questions stand beside a schema: where they are, and what it means that they change. */

import type { HalfOfExchange } from '../../../core/change.ts';
import { type Document, follow, referred } from '../../../core/document.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { toPointer } from '../../../core/pointer.ts';
import { type Schema, schemasAt } from '../../../core/schema.ts';
import { type Half, type Pair, writtenParameters } from './pair.ts';
import type { Spot } from './spot.ts';
import { compareSpots, type Finding, objectAt, type Verdicts, type Word } from './word.ts';

/** Compares the marks of the schemas of an operation. What stands in a schema that comes or goes comes and goes with it, and is told there. */
export function compareMarks(pair: Pair): readonly Finding[] {
  const after = listSites(pair.next);
  return listSites(pair.old).flatMap((old) => {
    const next = after.find((each) => each.name === old.name);
    return next === undefined ? [] : compareSites(pair, old, next);
  });
}

function compareSites(pair: Pair, old: Site, next: Site): readonly Finding[] {
  const [before, after] = [index(old.marks), index(next.marks)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [was, is] = [before.get(key), after.get(key)];
    const mark = was ?? is;
    if (mark === undefined) return [];
    const [oldSpot, nextSpot] = [spotOf(pair.old, old, mark, was), spotOf(pair.next, next, mark, is)];
    if (oldSpot === undefined || nextSpot === undefined) return [];
    const location = [old.name, print(mark.path)].filter((part) => part !== '').join(', ');
    return compareSpots({ ...pair, location }, wordOf(mark, old), oldSpot, nextSpot);
  });
}

/** By word and path: at one place there is one of each word. */
function index(marks: readonly Mark[]): ReadonlyMap<string, Mark> {
  return new Map(marks.map((mark) => [JSON.stringify([mark.word, mark.path]), mark]));
}

/** The mark, or the schema that lacks it; `undefined` where nothing is said about such a value at all. */
function spotOf({ contract }: Half, site: Site, mark: Mark, own: Mark | undefined): Spot | undefined {
  const { document } = contract;
  if (own !== undefined) {
    return { value: own.value, place: document.place(own.holder, own.word), questions: [], readings: [own.value] };
  }
  const holder = schemasAt(document, site.schema as Schema, toPointer(mark.path.map((key) => (key === '[]' ? '0' : key)))).find(isObject);
  return holder === undefined ? undefined : { value: undefined, place: document.place(holder), questions: [], readings: [] };
}

/** A path as people write it: `items[].state`. */
function print(path: readonly string[]): string {
  return path.map((key, at) => (key === '[]' || at === 0 ? key : `.${key}`)).join('');
}

function wordOf({ word, path }: Mark, { direction }: Site): Word {
  // A shared schema is reached on many paths, and what changes in it is one change: only the last name is the same on all of them.
  const what = path.findLast((key) => key !== '[]') ?? 'the value';
  const isPersonal = word === 'x-personal';
  return {
    group: 'schema',
    key: isPersonal ? 'personal' : 'question',
    keys: [word],
    noun: isPersonal ? `the mark of ${what} as personal` : `the question beside ${what}`,
    direction,
    judge: isPersonal ? personal : question,
  };
}

const personal: Verdicts = {
  gone: ['risky', 'Reports and journals show the value, whoever it is about.'],
  added: ['documentation', 'Reports and journals hide the value unless they are asked for it.'],
  changed: ['documentation', 'Reports and journals treat it as before.'],
};

const question: Verdicts = {
  gone: ['compatible', 'It is not open any more; what the schema beside it allows is told there.'],
  added: ['risky', 'The schema may say more than servers keep to: which of the answers holds is left open.'],
  changed: ['documentation', 'Another question is asked about the same value; what the schema allows is told there.'],
};

/** A word that stands in a schema. */
interface Mark {
  readonly word: 'x-personal' | 'x-unspecified';
  readonly value: Json;
  /** The schema that it stands in, as it is written. */
  readonly holder: JsonObject;
  /** The keys that lead to the value that it is about; `[]` for the elements of an array, `*` for members of any name. */
  readonly path: readonly string[];
}

/** A place of an exchange that has a schema. */
interface Site {
  readonly direction: HalfOfExchange;
  /** In the reader's words: `response 200`, `query parameter limit`. */
  readonly name: string;
  readonly schema: Json;
  readonly marks: readonly Mark[];
}

const known = new WeakMap<Half, readonly Site[]>();

/** Every place of an operation's exchanges that has a schema, with the marks below it. */
function listSites(half: Half): readonly Site[] {
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
  const body = follow(document, half.holder['requestBody']);
  const responses = Object.entries(objectAt(half.holder, ['responses'])).flatMap(([status, entry]) => {
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

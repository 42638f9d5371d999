/**
 * Compares the annotations inside schemas, called marks: personal data (`x-personal`) and unspecified points (`x-unspecified`). `compareAnnotations`
 * calls it for each operation, and `compare-api-keywords.ts` lists marks by it. The keywords of schemas are compared elsewhere.
 */

import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { getOrCompute } from '../../../core/memo.ts';
import { type Document, follow, referred } from '../../../core/openapi/document.ts';
import { type Schema, schemasAt } from '../../../core/openapi/schema.ts';
import { toPointer } from '../../../core/pointer.ts';
import type { HalfOfExchange } from '../../../core/results/contract-change.ts';
import { type AnnotatedOperation, type AnnotatedOperationPair, objectAt, writtenParameters } from './annotated-operation.ts';
import { type AnnotationDifference, type AnnotationKeyword, compareLocated, type ValueRatings } from './compare-annotation-keyword.ts';
import type { LocatedValue } from './located-value.ts';

/** Compares the marks in the schemas of an operation. Marks of added or removed schemas are not reported. */
export function compareMarks(pair: AnnotatedOperationPair): readonly AnnotationDifference[] {
  const after = listAnnotatedSchemas(pair.new);
  return listAnnotatedSchemas(pair.old).flatMap((old) => {
    const next = after.find((each) => each.name === old.name);
    return next === undefined ? [] : compareAnnotatedSchemas(pair, old, next);
  });
}

function compareAnnotatedSchemas(
  pair: AnnotatedOperationPair,
  old: AnnotatedSchema,
  next: AnnotatedSchema,
): readonly AnnotationDifference[] {
  const [before, after] = [indexMarks(old.marks), indexMarks(next.marks)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [oldMark, newMark] = [before.get(key), after.get(key)];
    const mark = oldMark ?? newMark;
    if (mark === undefined) return [];
    const [oldValue, newValue] = [locateMark(pair.old, old, mark, oldMark), locateMark(pair.new, next, mark, newMark)];
    if (oldValue === undefined || newValue === undefined) return [];
    const location = [old.name, printMarkPath(mark.path)].filter((part) => part !== '').join(', ');
    return compareLocated({ ...pair, location }, keywordOf(mark, old), oldValue, newValue);
  });
}

/** Marks by keyword and path. */
function indexMarks(marks: readonly SchemaMark[]): ReadonlyMap<string, SchemaMark> {
  return new Map(marks.map((mark) => [JSON.stringify([mark.keyword, mark.path]), mark]));
}

/** Value and place of a mark on one side; without the mark, the place of the schema. `undefined` if no schema describes the value. */
function locateMark(
  { contract }: AnnotatedOperation,
  annotated: AnnotatedSchema,
  mark: SchemaMark,
  ownMark: SchemaMark | undefined,
): LocatedValue | undefined {
  const { document } = contract;
  if (ownMark !== undefined) {
    const { value, holder, keyword } = ownMark;
    return { value, place: document.place(holder, keyword), questions: [], possibleValues: [value] };
  }
  const holder = schemasAt(document, annotated.schema as Schema, toPointer(mark.path.map((key) => (key === '[]' ? '0' : key)))).find(
    isObject,
  );
  return holder === undefined ? undefined : { value: undefined, place: document.place(holder), questions: [], possibleValues: [] };
}

/** A path in a sentence: `items[].state`. */
function printMarkPath(path: readonly string[]): string {
  return path.map((key, at) => (key === '[]' || at === 0 ? key : `.${key}`)).join('');
}

function keywordOf({ keyword: markKeyword, path }: SchemaMark, { direction }: AnnotatedSchema): AnnotationKeyword {
  // A shared schema is reached by several paths with the same last name.
  const what = path.findLast((key) => key !== '[]') ?? 'the value';
  const isPersonal = markKeyword === 'x-personal';
  return {
    group: 'schema',
    key: isPersonal ? 'personal' : 'question',
    keys: [markKeyword],
    noun: isPersonal ? `the mark of ${what} as personal data` : `the unspecified point at ${what}`,
    direction,
    rate: isPersonal ? personalRatings : questionRatings,
  };
}

const personalRatings: ValueRatings = {
  removed: ['risky', 'Reports and journals show the value, although it may be personal data.'],
  added: ['documentation', 'Reports and journals hide the value by default.'],
  changed: ['documentation', 'Reports and journals treat it as before.'],
};

const questionRatings: ValueRatings = {
  removed: ['compatible', 'The point is now specified; the change of the schema itself is reported there.'],
  added: ['risky', 'Servers may deviate from the schema: the point is now unspecified.'],
  changed: ['documentation', 'Another unspecified point concerns the same value; the change of the schema itself is reported there.'],
};

/** An annotation in a schema. */
interface SchemaMark {
  readonly keyword: 'x-personal' | 'x-unspecified';
  readonly value: Json;
  /** The schema as written. */
  readonly holder: JsonObject;
  /** Keys from the root value to the marked value; `[]` for array items, `*` for properties of any name. */
  readonly path: readonly string[];
}

/** A schema in an exchange. */
interface AnnotatedSchema {
  readonly direction: HalfOfExchange;
  /** Location as reports show it: `response 200`, `query parameter limit`. */
  readonly name: string;
  readonly schema: Json;
  readonly marks: readonly SchemaMark[];
}

const annotatedSchemas = new WeakMap<AnnotatedOperation, readonly AnnotatedSchema[]>();

/** All schemas of an operation with their marks. */
function listAnnotatedSchemas(side: AnnotatedOperation): readonly AnnotatedSchema[] {
  return getOrCompute(annotatedSchemas, side, () => collectAnnotatedSchemas(side));
}

/** All marks of an operation. */
export function listMarks(side: AnnotatedOperation): readonly SchemaMark[] {
  return listAnnotatedSchemas(side).flatMap(({ marks }) => marks);
}

function collectAnnotatedSchemas(side: AnnotatedOperation): readonly AnnotatedSchema[] {
  const { document } = side.contract;
  const memo: VisitedSchemas = new Map();
  const toAnnotated = (direction: HalfOfExchange, name: string, schema: Json | undefined): readonly AnnotatedSchema[] =>
    schema === undefined ? [] : [{ direction, name, schema, marks: withoutRepetition(marksBelow(document, schema, memo)) }];
  const inContent = (direction: HalfOfExchange, name: string, holder: JsonObject): readonly AnnotatedSchema[] =>
    Object.values(objectAt(holder, ['content'])).flatMap((media) =>
      toAnnotated(direction, name, isObject(media) ? media['schema'] : undefined),
    );
  const parameters = [...writtenParameters(side).values()].flatMap((parameter) => {
    const name = `${String(parameter['in'])} parameter ${String(parameter['name'])}`;
    return [...toAnnotated('request', name, parameter['schema']), ...inContent('request', name, parameter)];
  });
  const body = follow(document, side.holder['requestBody']);
  const responses = Object.entries(objectAt(side.holder, ['responses'])).flatMap(([status, entry]) => {
    const response = follow(document, entry);
    if (!isObject(response)) return [];
    const headers = Object.entries(objectAt(response, ['headers'])).flatMap(([name, header]) => {
      const value = follow(document, header);
      return isObject(value) ? toAnnotated('response', `response ${status}, header ${name}`, value['schema']) : [];
    });
    return [...headers, ...inContent('response', `response ${status}`, response)];
  });
  return [...parameters, ...(isObject(body) ? inContent('request', 'request body', body) : []), ...responses];
}

/** Marks of visited schemas. A schema has none while it is being visited, so recursion ends. */
type VisitedSchemas = Map<Json, readonly SchemaMark[]>;

function marksBelow(document: Document, schema: Json, memo: VisitedSchemas): readonly SchemaMark[] {
  const found = memo.get(schema);
  if (found !== undefined || !isObject(schema)) return found ?? [];
  memo.set(schema, []);
  const ownMarks = (['x-personal', 'x-unspecified'] as const).flatMap((markKeyword): readonly SchemaMark[] => {
    const value = schema[markKeyword];
    return value === undefined ? [] : [{ keyword: markKeyword, value, holder: schema, path: [] }];
  });
  const below = subschemasOf(document, schema).flatMap(([path, part]) =>
    marksBelow(document, part, memo).map((mark) => ({ ...mark, path: [...path, ...mark.path] })),
  );
  const marks = [...ownMarks, ...below];
  memo.set(schema, marks);
  return marks;
}

/** Schemas inside a schema, with the keys from its value to theirs. */
function subschemasOf(document: Document, schema: JsonObject): readonly (readonly [readonly string[], Schema])[] {
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

function withoutRepetition(marks: readonly SchemaMark[]): readonly SchemaMark[] {
  return [...new Map(marks.map((mark) => [JSON.stringify([mark.keyword, mark.path, mark.value]), mark])).values()];
}

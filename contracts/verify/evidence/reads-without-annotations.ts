/**
 * Reads of operations without annotations, for rules, for the explorer and for the notes at the end: what their bodies list, and whether their responses depend
 * on the request. Judges nothing.
 */

import type { Filter } from '../../../core/annotations/annotations.ts';
import { type Guess, isSure, type Paging } from '../../../core/inference/guess.ts';
import { inferFilters } from '../../../core/inference/infer-filters.ts';
import { inferItems } from '../../../core/inference/infer-items.ts';
import { inferPaging } from '../../../core/inference/infer-paging.ts';
import { shapeOfSuccess } from '../../../core/inference/shape.ts';
import { isArray, isObject, type Json, type JsonObject, printJson } from '../../../core/json.ts';
import { memoize } from '../../../core/memo.ts';
import { isPlain, type Operation } from '../../../core/openapi/operation.ts';
import type { Parameter } from '../../../core/parameters/parse-parameter.ts';
import { valueAt } from '../../../core/pointer.ts';
import { isReplyTo, isSuccess, type Reply } from './call.ts';
import { furtherValues, plainName } from './find-values.ts';
import type { ParameterValues } from './record-keys-and-filters.ts';
import type { RoundContext } from './round-context.ts';
import { absentIdentity } from './single-record-calls.ts';

/** A text that no parameter takes but one for any text. */
export const malformedText = 'not-what-is-asked';

/** The last path parameter of an operation, unless the contract lists its values. */
export function identifyingParameter({ path, parameters }: Operation): Parameter | undefined {
  const inPath = parameters.filter((parameter) => parameter.in === 'path' && parameter.allowed.length === 0);
  return inPath.toSorted((left, right) => path.indexOf(`{${right.name}}`) - path.indexOf(`{${left.name}}`))[0];
}

/** The parameter at the end of a plain operation's path, which names the record that it returns. */
export function namingParameter(operation: Operation): Parameter | undefined {
  const parameter = isPlain(operation) ? identifyingParameter(operation) : undefined;
  return parameter !== undefined && operation.path.endsWith(`{${parameter.name}}`) ? parameter : undefined;
}

/** Successful reads by up to two values of a path parameter. The second is one that a list has shown. */
export async function readKnown(context: RoundContext, operation: Operation, parameter: Parameter): Promise<readonly Reply[]> {
  const first = await context.ask({ operation });
  const values = first.call.values ?? {};
  const [second] = furtherValues(
    { replies: context.session.replies, operations: context.contract.operations },
    operation,
    parameter,
    values,
  );
  if (second === undefined || !isSuccess(first)) return [first].filter(isSuccess);
  return [first, await context.ask({ operation, values: { ...values, [parameter.key]: second } })].filter(isSuccess);
}

/**
 * True if different requests to an operation got different bodies. Otherwise it may be a mock that always shows the same example, of which nothing can be said
 * that depends on parameters.
 */
export function dependsOnRequest({ replies }: Pick<RoundContext, 'replies'>, operation: Operation): boolean {
  const own = replies.filter((reply) => isReplyTo(reply, operation) && isSuccess(reply) && reply.body !== undefined);
  const [first] = own;
  return own.some(({ request, response }) => request.target !== first?.request.target && response.body !== first?.response.body);
}

/** The only list of objects in a body, at most two levels deep; none if there are several. */
export function listIn(body: Json | undefined): readonly JsonObject[] | undefined {
  const lists = listsWithin(body, 2).filter((list) => list.every(isObject));
  const filled = lists.filter((list) => list.length > 0);
  return (filled.length > 1 ? undefined : (filled[0] ?? lists[0])) as readonly JsonObject[] | undefined;
}

function listsWithin(value: Json | undefined, depth: number): readonly (readonly Json[])[] {
  if (isArray(value)) return [value];
  return depth === 0 || !isObject(value) ? [] : Object.values(value).flatMap((member) => listsWithin(member, depth - 1));
}

/** A text or flag that, as a guess, chooses records by a field or a search. */
export interface GuessedFilter {
  readonly parameter: Parameter;
  /** Pointer of the field in a record that must equal the value; absent for a search. */
  readonly field?: string;
  /** A value that most likely no record has; none for a flag. */
  readonly absent?: Json;
}

/** The guessed filters of an operation. */
export const guessedFilters: (operation: Operation) => readonly GuessedFilter[] = memoize((operation: Operation) => {
  const success = shapeOfSuccess(operation);
  const record = success.at(inferItems(operation, success, true)?.value ?? '')?.element;
  const filters = record === undefined ? new Map<string, Guess<Filter>>() : inferFilters(operation, record, new Set());
  return operation.parameters.flatMap((parameter): readonly GuessedFilter[] => {
    const { name, allowed, kinds, key } = parameter;
    const guess = filters.get(name);
    const isText = kinds.includes('string');
    if (!isSure(guess) || allowed.length > 0 || !(isText || kinds.includes('boolean')) || key === cursorOf(operation)?.key) return [];
    const absent = isText ? { absent: absentIdentity(operation, key) } : {};
    const { value: filter } = guess;
    if (filter.operator === 'matches') return [{ parameter, ...absent }];
    return filter.operator === 'equals' || filter.operator === 'any-of' ? [{ parameter, ...absent, field: filter.field }] : [];
  });
});

/** A value of each guessed filter that one of these records has. Of several, one with rare characters is taken, which a server may fail to escape. */
export function shownFilterValues(operation: Operation, records: readonly JsonObject[]): readonly ParameterValues[] {
  return guessedFilters(operation).flatMap(({ parameter, field }) => {
    if (field === undefined) return [];
    const texts = records.map((record) => valueAt(record, field)).filter((each) => typeof each === 'string' && each !== '');
    const text = texts.find((each) => /[^\w .:@-]/.test(String(each))) ?? texts[0];
    const value = parameter.style.shape === 'list' && text !== undefined ? [text] : text;
    return value !== undefined && parameter.validate(value).length === 0 ? [{ [parameter.key]: value }] : [];
  });
}

const pagingOf: (operation: Operation) => Paging | undefined = memoize((operation: Operation) => {
  const success = shapeOfSuccess(operation);
  const items = inferItems(operation, success, true)?.value;
  const paging = items === undefined ? undefined : inferPaging(operation, success, items);
  return isSure(paging) ? paging.value : undefined;
});

function queryParameter({ parameters }: Operation, isWanted: (parameter: Parameter) => boolean): Parameter | undefined {
  return parameters.find((parameter) => parameter.in === 'query' && isWanted(parameter));
}

/** A number as the parameter takes it, which may be a text; `undefined` if it takes no such number. */
export function numberFor(parameter: Parameter | undefined, number: number): Json | undefined {
  return parameter && [number, String(number)].find((value) => parameter.validate(value).length === 0);
}

const limitName = /^(?:limit|perpage|pagesize|maxresults)$/;
const positionNames: readonly (readonly [name: RegExp, first: number])[] = [
  [/^page(?:number)?$/, 1],
  [/^(?:offset|skip)$/, 0],
];

/** The parameter that limits the number of records. */
export function limitOf(operation: Operation): Parameter | undefined {
  const limit = pagingOf(operation)?.limit;
  return queryParameter(operation, ({ name, kinds }) => name === limit || (limitName.test(plainName(name)) && kinds.includes('integer')));
}

/** The parameter with the number of a page or of its first record, and the number of the first. */
interface PagePosition {
  readonly parameter: Parameter;
  readonly first: number;
  readonly countsPages: boolean;
}

function positionOf(operation: Operation): PagePosition | undefined {
  const { style, start, firstPage } = pagingOf(operation) ?? {};
  const guessed = style === 'page' || style === 'offset' ? queryParameter(operation, ({ name }) => name === start) : undefined;
  if (guessed !== undefined && firstPage !== undefined) return { parameter: guessed, first: firstPage, countsPages: style === 'page' };
  return positionNames.flatMap(([pattern, first]) => {
    const parameter = queryParameter(operation, ({ name, kinds }) => pattern.test(plainName(name)) && kinds.includes('integer'));
    return parameter === undefined ? [] : [{ parameter, first, countsPages: first === 1 }];
  })[0];
}

/** The parameter with the number of a page or of its first record. */
export function positionParameter(operation: Operation): Parameter | undefined {
  return positionOf(operation)?.parameter;
}

/** The first two pages with the smallest size, and a page of this size alone. */
export function pagesOf(operation: Operation): readonly ParameterValues[] {
  const limit = limitOf(operation);
  const size = [1, 2, 5, 10].find((each) => numberFor(limit, each) !== undefined);
  if (limit === undefined || size === undefined) return [];
  const position = positionOf(operation);
  const one = withNumber({}, limit, size);
  if (position === undefined) return [one];
  const { parameter, first, countsPages } = position;
  return [one, withNumber(one, parameter, first), withNumber(one, parameter, first + (countsPages ? 1 : size))];
}

function withNumber(values: ParameterValues, parameter: Parameter, number: number): ParameterValues {
  return { ...values, [parameter.key]: numberFor(parameter, number) ?? number };
}

const cursorName = /^(?:cursor|after|startingafter|pagetoken|nextpagetoken|continuationtoken)$/;

/** The parameter that takes the cursor of a page. */
export function cursorOf(operation: Operation): Parameter | undefined {
  const { style, start } = pagingOf(operation) ?? {};
  return queryParameter(operation, ({ name }) => cursorName.test(plainName(name)) || (style === 'cursor' && name === start));
}

/** The cursor, or the number of a page, that a body shows for the next page, as it is or in a link. */
export function nextShownBy({ call: { operation }, body }: Reply): ParameterValues | undefined {
  const cursor = cursorOf(operation);
  if (cursor === undefined) {
    const position = positionParameter(operation);
    const link = valueAt(body, pagingOf(operation)?.members.nextLink ?? '/');
    const number = position && parameterInLink(isObject(link) ? (link['href'] ?? link['url']) : link, position);
    return position && number !== undefined && /^\d+$/.test(number) ? withNumber({}, position, Number(number)) : undefined;
  }
  const members = isObject(body) ? [body, ...Object.values(body).filter(isObject)].flatMap((each) => Object.entries(each)) : [];
  const [, text] = members.find(([name, member]) => /next/i.test(name) && typeof member === 'string' && member !== '') ?? [];
  const value = typeof text === 'string' && !text.includes('?') ? text : parameterInLink(text, cursor);
  return value === undefined ? undefined : { [cursor.key]: value };
}

function parameterInLink(link: Json | undefined, { name }: Parameter): string | undefined {
  const query = typeof link === 'string' ? link.split('?')[1] : undefined;
  return query === undefined ? undefined : (new URLSearchParams(query).get(name) ?? undefined);
}

/** True for the first page of a list that is read page by page. */
export function isFirstPage({ call: { operation, values = {} } }: Reply): boolean {
  const [position, cursor] = [positionOf(operation), cursorOf(operation)];
  if (position === undefined) return cursor !== undefined && values[cursor.key] === undefined;
  const { parameter, first } = position;
  return String(values[parameter.key] ?? first) === String(first) && values[cursor?.key ?? ''] === undefined;
}

/** The page after that of a reply, by its cursor or its number; `undefined` after an empty page. */
export function pageAfter(reply: Reply): ParameterValues | undefined {
  const { operation, values = {} } = reply.call;
  const position = positionOf(operation);
  const count = listIn(reply.body)?.length ?? 0;
  if (count === 0 || position === undefined) return count === 0 ? undefined : nextShownBy(reply);
  const { parameter, first, countsPages } = position;
  return withNumber({}, parameter, Number(values[parameter.key] ?? first) + (countsPages ? 1 : count));
}

/** All pages from the first to the last, as they were read one after the other; none if one is lacking. */
export function pagesFrom(first: Reply, own: readonly Reply[]): readonly Reply[] {
  const pages = [first];
  for (let last: Reply | undefined = first; last !== undefined; ) {
    const next = pageAfter(last);
    if (next === undefined) return pages;
    const values = printJson({ ...last.call.values, ...next });
    const after: number = last.number;
    last = own.find((reply) => reply.number > after && printJson(reply.call.values ?? {}) === values);
    if (last !== undefined) pages.push(last);
  }
  return [];
}

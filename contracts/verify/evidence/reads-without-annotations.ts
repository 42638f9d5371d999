/**
 * Reads of operations without annotations, for rules, for the explorer and for the notes at the end: what their bodies list, and whether their responses depend
 * on the request. Judges nothing.
 */

import { isSure } from '../../../core/inference/guess.ts';
import { inferFilters } from '../../../core/inference/infer-filters.ts';
import { inferItems } from '../../../core/inference/infer-items.ts';
import { shapeOfSuccess } from '../../../core/inference/shape.ts';
import { isArray, isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { memoize } from '../../../core/memo.ts';
import { isPlain, type Operation } from '../../../core/openapi/operation.ts';
import type { Parameter } from '../../../core/parameters/parse-parameter.ts';
import { isReplyTo, isSuccess, type Reply } from './call.ts';
import { furtherValues, plainName } from './find-values.ts';
import type { ParameterValues } from './record-keys-and-filters.ts';
import type { RoundContext } from './round-context.ts';
import { absentIdentity } from './single-record-calls.ts';

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

/** Text parameters that, as a guess, choose records by a field or a search, with a value that most likely none has. */
export const guessedFilters: (operation: Operation) => readonly { readonly parameter: Parameter; readonly absent: Json }[] = memoize(
  (operation: Operation) => {
    const success = shapeOfSuccess(operation);
    const record = success.at(inferItems(operation, success, true)?.value ?? '')?.element;
    const filters = record === undefined ? new Map() : inferFilters(operation, record, new Set());
    return operation.parameters
      .filter(({ name, allowed, kinds, key }) => {
        const guess = filters.get(name);
        const isValue = ['equals', 'any-of', 'matches'].includes(guess?.value.operator ?? '');
        return isSure(guess) && isValue && allowed.length === 0 && kinds.includes('string') && key !== cursorOf(operation)?.key;
      })
      .map((parameter) => ({ parameter, absent: absentIdentity(operation, parameter.key) }));
  },
);

const limitName = /^(?:limit|perpage|pagesize|maxresults)$/;
const positionNames: readonly (readonly [name: RegExp, first: number])[] = [
  [/^page(?:number)?$/, 1],
  [/^(?:offset|skip)$/, 0],
];

/** The parameter that limits the number of records. */
export function limitOf({ parameters }: Operation): Parameter | undefined {
  return parameters.find(({ in: place, name, kinds }) => place === 'query' && limitName.test(plainName(name)) && kinds.includes('integer'));
}

/** The parameter with the number of a page or of its first record, and the number of the first. */
interface PagePosition {
  readonly key: string;
  readonly first: number;
  readonly countsPages: boolean;
}

function positionOf({ parameters }: Operation): PagePosition | undefined {
  const [position] = positionNames.flatMap(([name, first]) => {
    const own = parameters.find((each) => each.in === 'query' && name.test(plainName(each.name)) && each.kinds.includes('integer'));
    return own === undefined ? [] : [{ key: own.key, first, countsPages: first === 1 }];
  });
  return position;
}

/** The first two pages with the smallest size, and a page of this size alone. */
export function pagesOf(operation: Operation): readonly ParameterValues[] {
  const limit = limitOf(operation);
  const size = [1, 2, 5, 10].find((each) => limit?.validate(each).length === 0);
  if (limit === undefined || size === undefined) return [];
  const position = positionOf(operation);
  const one = { [limit.key]: size };
  if (position === undefined) return [one];
  const { key, first, countsPages } = position;
  return [one, { ...one, [key]: first }, { ...one, [key]: first + (countsPages ? 1 : size) }];
}

const cursorName = /^(?:cursor|after|startingafter|pagetoken|nextpagetoken|continuationtoken)$/;

/** The parameter that takes the cursor of a page. */
export function cursorOf({ parameters }: Operation): Parameter | undefined {
  return parameters.find(({ in: place, name }) => place === 'query' && cursorName.test(plainName(name)));
}

/** The cursor that a body shows for the next page, as it is or in a link. */
export function nextCursorOf({ call: { operation }, body }: Reply): ParameterValues | undefined {
  const cursor = cursorOf(operation);
  const members = isObject(body) ? [body, ...Object.values(body).filter(isObject)].flatMap((each) => Object.entries(each)) : [];
  const [, text] = members.find(([name, member]) => /next/i.test(name) && typeof member === 'string' && member !== '') ?? [];
  if (cursor === undefined || typeof text !== 'string') return undefined;
  const value = text.includes('?') ? new URLSearchParams(text.split('?')[1]).get(cursor.name) : text;
  return value === null ? undefined : { [cursor.key]: value };
}

/** True for the first page of a list that is read page by page. */
export function isFirstPage({ call: { operation, values = {} } }: Reply): boolean {
  const [position, cursor] = [positionOf(operation), cursorOf(operation)];
  if (position === undefined && cursor === undefined) return false;
  return (values[position?.key ?? ''] ?? position?.first) === position?.first && values[cursor?.key ?? ''] === undefined;
}

/** The page after that of a reply, by its cursor or its number; `undefined` after an empty page. */
export function pageAfter(reply: Reply): ParameterValues | undefined {
  const { operation, values = {} } = reply.call;
  const position = positionOf(operation);
  const count = listIn(reply.body)?.length ?? 0;
  if (count === 0 || position === undefined) return count === 0 ? undefined : nextCursorOf(reply);
  const { key, first, countsPages } = position;
  return { [key]: Number(values[key] ?? first) + (countsPages ? 1 : count) };
}

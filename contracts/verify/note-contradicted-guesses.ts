/**
 * At the end of a run, notes where replies of an operation without annotations contradict a usual meaning, such as that of a total or of a filter. The file
 * does not state these meanings, so a note fails nothing.
 */

import { definedOf } from '../../core/drop-undefined.ts';
import { inferItems } from '../../core/inference/infer-items.ts';
import { findPageMembers } from '../../core/inference/infer-paging.ts';
import { shapeOfSuccess } from '../../core/inference/shape.ts';
import { isArray, isObject, type Json, printJson } from '../../core/json.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { documentsCondition, isPlain, type Operation, schemaOfSuccess } from '../../core/openapi/operation.ts';
import { schemasAt } from '../../core/openapi/schema-facts.ts';
import { showPointer, toPointer, valueAt } from '../../core/pointer.ts';
import { isReplyTo, isSuccess, type Reply } from './evidence/call.ts';
import { usableTag } from './evidence/entity-tag.ts';
import {
  cursorOf,
  dependsOnRequest,
  guessedFilters,
  isFirstPage,
  limitOf,
  listIn,
  malformedText,
  pagesFrom,
  positionParameter,
} from './evidence/reads-without-annotations.ts';

/** The notes, at most one of each kind for an operation. */
export function noteGuesses({ operations }: Contract, replies: readonly Reply[]): readonly string[] {
  const answered = operations.filter((operation) => isPlain(operation) && dependsOnRequest({ replies }, operation));
  // A mock of the file shows the same examples to every request.
  if (answered.length === 0) return [];
  const notes = operations.filter(isPlain).flatMap((operation) => {
    const own = replies.filter((reply) => isReplyTo(reply, operation) && isSuccess(reply));
    const ofRequests = answered.includes(operation) ? [...noteIgnored(operation, own), ...noteSharedTag(operation, own)] : [];
    return [...noteTotal(operation, own), ...ofRequests, ...noteDates(operation, own)];
  });
  return [...notes, ...noteAccepted(answered, replies)];
}

/** Names the malformed values that get a success where the file documents a refusal. It does not say which requests get that. */
function noteAccepted(operations: readonly Operation[], replies: readonly Reply[]): readonly string[] {
  const accepted = operations.flatMap((operation) => {
    const own = replies.filter((reply) => isReplyTo(reply, operation) && isSuccess(reply));
    const calls = documentsCondition(operation, 'invalid') ? own.map(({ call }) => call) : [];
    const values = calls.flatMap(({ raw = [] }) => raw.filter((piece) => piece.endsWith(`=${malformedText}`)));
    return [...new Set(values)].map((value) => `${value} at ${operation.id}`);
  });
  if (accepted.length === 0) return [];
  const more = accepted.length > 3 ? ` and ${accepted.length - 3} more` : '';
  return [`Values that the file does not allow get a success, where it documents a refusal: ${accepted.slice(0, 3).join(', ')}${more}`];
}

/** Finds dates that are written otherwise than the description of their member says. */
function noteDates({ id, document, responses }: Operation, own: readonly Reply[]): readonly string[] {
  const schema = schemaOfSuccess(responses);
  if (schema === undefined) return [];
  const places = new Set(own.flatMap(({ body }) => datesIn(body ?? null, '')).map((place) => place.replaceAll(/\/\d+(?=\/|$)/g, '/0')));
  const wrong = [...places].find((place) =>
    schemasAt(document, schema, place).some((each) => isObject(each) && String(each['description']).includes('YYYY-MM-DD')),
  );
  return wrong === undefined
    ? []
    : [`${id} shows a date at ${showPointer(wrong)} that is not written as YYYY-MM-DD, as its description says`];
}

/** Pointers to texts that look like a date of another form than YYYY-MM-DD. */
function datesIn(value: Json, pointer: string): readonly string[] {
  if (typeof value === 'string') return /^\d{1,2}([./-])\d{1,2}\1\d{2,4}\b|^\d{4}[./]\d{1,2}[./]\d/.test(value) ? [pointer] : [];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, member]) => datesIn(member as Json, `${pointer}${toPointer([name])}`));
}

/** Compares a total with the number of records on all pages together. */
function noteTotal(operation: Operation, own: readonly Reply[]): readonly string[] {
  const isPaged = [limitOf, positionParameter, cursorOf].some((find) => find(operation) !== undefined);
  const firstPages = isPaged ? own.filter(isFirstPage) : own;
  if (firstPages.length === 0) return [];
  const success = shapeOfSuccess(operation);
  const items = inferItems(operation, success, true)?.value;
  const total = items === undefined ? undefined : findPageMembers(success, items).total;
  if (items === undefined || total === undefined) return [];
  const [wrong] = firstPages
    .map((first) => (!isPaged || isWhole(first, own) ? [first] : pagesFrom(first, own)))
    .filter((pages) => pages.length > 0 && isOtherTotal(pages, items, total))
    .toSorted((left, right) => recordsOf(right, items).length - recordsOf(left, items).length);
  if (wrong === undefined) return [];
  const count = new Set(recordsOf(wrong, items).map((each) => printJson(each))).size;
  const ofPages = definedOf(limitOf(operation), positionParameter(operation), cursorOf(operation)).map(({ key }) => key);
  const filters = Object.entries(wrong[0]?.call.values ?? {}).filter(([key]) => !ofPages.includes(key));
  const sent = filters.map(([key, value]) => `${key}=${String(value)}`);
  return [
    `${operation.id}${sent.length === 0 ? '' : ` with ${sent.join(' and ')}`} returns ${showPointer(total)}=${printJson(valueAt(wrong[0]?.body, total) ?? null)}, but all its pages together have ${count} records: if this member is meant to be their total, it is wrong`,
  ];
}

/** True for a first page that has fewer records than another page of the same size. */
function isWhole(first: Reply, own: readonly Reply[]): boolean {
  const limit = limitOf(first.call.operation);
  const sizeOf = ({ call }: Reply): string => printJson(call.values?.[limit?.key ?? ''] ?? null);
  const count = listIn(first.body)?.length;
  return count !== undefined && own.some((reply) => sizeOf(reply) === sizeOf(first) && (listIn(reply.body)?.length ?? 0) > count);
}

function recordsOf(pages: readonly Reply[], items: string): readonly Json[] {
  return pages.flatMap(({ body }) => {
    const records = valueAt(body, items);
    return isArray(records) ? records : [];
  });
}

/** True for a number that is the same on all pages, and counts neither their records nor those of a page. */
function isOtherTotal(pages: readonly Reply[], items: string, total: string): boolean {
  const [shown, ...others] = pages.map(({ body }) => valueAt(body, total));
  const records = recordsOf(pages, items);
  const ofPage = recordsOf(pages.slice(0, 1), items).length;
  const distinct = new Set(records.map((each) => printJson(each))).size;
  return typeof shown === 'number' && others.every((each) => each === shown) && ![records.length, distinct, ofPage].includes(shown);
}

/** Compares a list with what a value that no record has selects of it. */
function noteIgnored(operation: Operation, own: readonly Reply[]): readonly string[] {
  const ignored = guessedFilters(operation).filter(({ parameter: { key }, absent }) => {
    if (absent === undefined) return false;
    const selected = own.find(({ call }) => call.values?.[key] === absent);
    const { [key]: _, ...others } = selected?.call.values ?? {};
    const whole = own.find(({ call }) => printJson(call.values ?? {}) === printJson(others));
    const [records, all] = [selected, whole].map((reply) => listIn(reply?.body));
    return records !== undefined && records.length > 0 && printJson(records) === printJson(all);
  });
  const names = ignored.map(({ parameter, absent }) => `${parameter.name}=${String(absent)}`);
  if (names.length === 0) return noteUnselected(operation, own);
  return [
    `${operation.id} returns the same records with ${names.join(' or ')} as without: ${names.length === 1 ? 'if this is meant to be a filter, the server ignores it' : 'if these are meant to be filters, the server ignores them'}`,
  ];
}

/** Compares what a value that some record has selects of a list with that value. */
function noteUnselected(operation: Operation, own: readonly Reply[]): readonly string[] {
  const wrong = guessedFilters(operation).flatMap(({ parameter: { key, name }, field }) => {
    const contradicted = own.flatMap((reply) => {
      const [value] = [reply.call.values?.[key]].flat();
      const records = field === undefined || value === undefined ? [] : (listIn(reply.body) ?? []);
      const shown = records.map((record) => String(valueAt(record, field ?? '') ?? '').toLowerCase());
      // A server may also select by a part of a text.
      const isOther = shown.length > 0 && shown.some((text) => !text.includes(String(value).toLowerCase()));
      return isOther ? [`${name}=${String(value)}`] : [];
    });
    return contradicted.slice(0, 1).map((sent) => ({ sent, field }));
  });
  return wrong.map(
    ({ sent, field }) =>
      `${operation.id} with ${sent} returns records with a different ${showPointer(field ?? '')}: if this parameter is meant to select records by that field, it is ignored`,
  );
}

/** Contents with one tag that are needed before it looks constant. */
const contentsMin = 3;

/** Different addresses may share a tag (RFC 9110 §8.8.3), such as that of a revision of all data. */
function noteSharedTag({ id }: Operation, own: readonly Reply[]): readonly string[] {
  const tagged = own.flatMap((reply) => usableTag(reply) ?? []);
  const contents = new Set(own.filter((reply) => usableTag(reply) !== undefined).map(({ response }) => response.body));
  if (contents.size < contentsMin || new Set(tagged).size > 1) return [];
  return [`${contents.size} different responses of ${id} have the same ETag ${tagged[0]}: it must change whenever one of them does`];
}

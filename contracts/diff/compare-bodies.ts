/** Comparing bodies and answers (OpenAPI 3.1 §4.8.13 to §4.8.17). */

import type { HalfOfExchange, Side } from '../../core/change.ts';
import { isObject, type JsonObject } from '../../core/json.ts';
import type { Schema } from '../../core/schema.ts';
import { compareHeaders } from './compare-headers.ts';
import { compareUse } from './compare-schemas.ts';
import { compareWords } from './compare-words.ts';
import { type Comparing, member, nothing, reportAt, something } from './comparing.ts';
import { entriesOf, type OperationPair, resolved } from './description.ts';
import { schemaIn } from './schema-view.ts';
import { exposeBody } from './witness.ts';

/** Compares the request body. */
export function compareRequestBody(comparing: Comparing, pair: OperationPair): void {
  const [old, next] = [
    resolved(comparing.document, pair.old.value['requestBody']),
    resolved(comparing.document, pair.new.value['requestBody']),
  ];
  const use: BodyUse = {
    subject: 'request-body',
    location: 'request body',
    direction: pair.old.isSentByServer ? 'response' : 'request',
    status: undefined,
  };
  if (old === undefined || next === undefined) reportBody(comparing, pair, use, old, next);
  else {
    compareRequired(comparing, pair, use, old, next);
    compareWords(comparing, pair, use.subject, use.location, old, next);
    compareContent(comparing, pair, use, old, next);
  }
}

function reportBody(
  comparing: Comparing,
  pair: OperationPair,
  use: BodyUse,
  old: JsonObject | undefined,
  next: JsonObject | undefined,
): void {
  if (old === undefined && next === undefined) return;
  const isRequired = next?.['required'] === true;
  reportAt(comparing, pair.new.name, {
    direction: use.direction,
    location: use.location,
    subject: 'requestBody',
    id: `request-body/${next === undefined ? 'removed' : isRequired ? 'required-added' : 'added'}`,
    level: next === undefined || isRequired ? 'breaking' : 'compatible',
    before: old === undefined ? nothing(pair.old.place) : something(comparing, old, old),
    after: next === undefined ? nothing(pair.new.place) : something(comparing, next, next),
    text:
      next === undefined ? 'there is no request body any more' : `there is ${isRequired ? 'a required' : 'an optional'} request body now`,
  });
}

function compareRequired(comparing: Comparing, pair: OperationPair, use: BodyUse, old: JsonObject, next: JsonObject): void {
  const [was, is] = [old['required'] === true, next['required'] === true];
  if (was === is) return;
  reportAt(comparing, pair.new.name, {
    direction: use.direction,
    location: use.location,
    subject: 'requestBody',
    id: `request-body/became-${is ? 'required' : 'optional'}`,
    level: is ? 'breaking' : 'compatible',
    before: member(comparing, old, 'required'),
    after: member(comparing, next, 'required'),
    text: `the request body is ${is ? 'required now' : 'no longer required'}`,
    ...(is ? { reason: 'A deployed client that sends none is refused.' } : {}),
  });
}

/** Compares the answers, status by status. */
export function compareResponses(comparing: Comparing, pair: OperationPair): void {
  const [old, next] = [responsesOf(pair.old), responsesOf(pair.new)];
  const [before, after] = [entriesOf(comparing.document, old), entriesOf(comparing.document, next)];
  for (const [status, response] of before) {
    const found = after.get(status);
    if (found === undefined)
      reportStatus(comparing, pair, status, something(comparing, response, old, status), nothing(comparing.document.place(next)));
    else compareResponse(comparing, pair, status, response, found);
  }
  for (const [status, response] of after)
    if (!before.has(status))
      reportStatus(comparing, pair, status, nothing(comparing.document.place(old)), something(comparing, response, next, status));
}

/** The answers of an operation, by status. */
function responsesOf({ value }: OperationPair['old']): JsonObject {
  return isObject(value['responses']) ? value['responses'] : {};
}

function reportStatus(comparing: Comparing, pair: OperationPair, status: string, before: Side, after: Side): void {
  const isGone = after.value === undefined;
  const isSuccess = /^2/.test(status);
  reportAt(comparing, pair.new.name, {
    id: `response/${isSuccess ? 'success-' : ''}status-${isGone ? 'removed' : 'added'}`,
    level: isSuccess ? (isGone ? 'breaking' : 'risky') : isGone ? 'risky' : 'compatible',
    direction: pair.old.isSentByServer ? 'request' : 'response',
    location: `response ${status}`,
    before,
    after,
    subject: status,
    text: `the answer ${status} is ${isGone ? 'gone' : 'new'}`,
    reason: isGone
      ? isSuccess
        ? 'A client that waits for it waits in vain.'
        : 'A client that handles it handles what does not come, and what comes in its place is not told.'
      : 'A client that decides by the status meets one that it may not know.',
  });
}

function compareResponse(comparing: Comparing, pair: OperationPair, status: string, old: JsonObject, next: JsonObject): void {
  const location = `response ${status}`;
  const direction: HalfOfExchange = pair.old.isSentByServer ? 'request' : 'response';
  compareWords(comparing, pair, 'response', location, old, next);
  compareHeaders(comparing, pair, status, old, next);
  compareContent(comparing, pair, { subject: 'response-body', location, direction, status }, old, next);
}

/** Where a body is: which half, and which status. */
interface BodyUse {
  readonly subject: string;
  readonly location: string;
  readonly direction: HalfOfExchange;
  readonly status: string | undefined;
}

function compareContent(comparing: Comparing, pair: OperationPair, use: BodyUse, old: JsonObject, next: JsonObject): void {
  const [before, after] = [mediaOf(old), mediaOf(next)];
  for (const [type, media] of before) {
    const found = after.get(type);
    if (found === undefined) {
      reportMedia(comparing, pair, use, type, something(comparing, media, media), nothing(comparing.document.place(next)));
      continue;
    }
    const schemas: readonly [Schema, Schema] = [schemaIn(media), schemaIn(found)];
    const schemaPair = comparing.pairs.of(...schemas, { old: comparing.document.place(media), new: comparing.document.place(found) });
    const location = before.size + after.size > 2 || !type.includes('json') ? `${use.location} (${type})` : use.location;
    compareUse(
      comparing,
      {
        operation: pair.new.name,
        subject: use.subject,
        direction: use.direction,
        location,
        old: schemas[0],
        new: schemas[1],
        isText: !/json/.test(type),
        expose: exposeBody(pair, type, use.status),
      },
      schemaPair,
    );
  }
  for (const [type, media] of after)
    if (!before.has(type))
      reportMedia(comparing, pair, use, type, nothing(comparing.document.place(old)), something(comparing, media, media));
}

function reportMedia(comparing: Comparing, pair: OperationPair, use: BodyUse, type: string, before: Side, after: Side): void {
  const isGone = after.value === undefined;
  reportAt(comparing, pair.new.name, {
    id: `${use.subject}/media-type-${isGone ? 'removed' : 'added'}`,
    level: isGone ? 'breaking' : 'compatible',
    direction: use.direction,
    location: use.location,
    before,
    after,
    subject: type,
    text: `the media type ${type} is ${isGone ? 'gone' : 'new'}`,
    ...(isGone
      ? {
          reason:
            use.direction === 'request'
              ? 'What deployed clients send is not read any more.'
              : 'A client that reads it gets something else.',
        }
      : {}),
  });
}

function mediaOf(holder: JsonObject): ReadonlyMap<string, JsonObject> {
  const content = Object.entries(isObject(holder['content']) ? holder['content'] : {});
  return new Map(content.flatMap(([type, media]) => (isObject(media) ? [[type.toLowerCase().replaceAll(' ', ''), media] as const] : [])));
}

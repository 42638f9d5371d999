/** Comparing bodies, answers and their headers (OpenAPI 3.1 §4.8.13 to §4.8.17 and §4.8.21). */

import type { Side } from '../../core/change.ts';
import { isObject, type JsonObject } from '../../core/json.ts';
import { compareUse } from './compare-schemas.ts';
import { alongside, memberOf, type OperationPair, partOf, report, reportMember, reportMembers, type Sides, sideOf } from './comparing.ts';
import { entriesOf, exposeBody, exposeHeader, resolved } from './description.ts';
import { schemaIn } from './schema-edit.ts';

type ExchangePart = ReturnType<typeof partOf>;

/** Compares the request body. */
export function compareRequestBody(pair: OperationPair): void {
  const [old, next] = [pair.old, pair.new].map(({ value }) => resolved(pair.comparing.document, value['requestBody']));
  const part = partOf(pair, 'request', 'request body');
  if (old === undefined || next === undefined) reportBody(part, old, next);
  else {
    const sides = { old, new: next };
    compareRequired(part, sides);
    compareWords(part, 'request-body', sides);
    compareContent(part, 'request-body', sides);
  }
}

function reportBody(part: ExchangePart, old: JsonObject | undefined, next: JsonObject | undefined): void {
  if (old === undefined && next === undefined) return;
  const isGone = next === undefined;
  const isRequired = next?.['required'] === true;
  report(part, {
    id: `request-body/${isGone ? 'removed' : isRequired ? 'required-added' : 'added'}`,
    level: isGone || isRequired ? 'breaking' : 'compatible',
    before: { value: old, place: old === undefined ? part.old.place : part.comparing.document.place(old) },
    after: { value: next, place: isGone ? part.new.place : part.comparing.document.place(next) },
    subject: 'requestBody',
    text: isGone ? 'there is no request body any more' : `there is ${isRequired ? 'a required' : 'an optional'} request body now`,
  });
}

function compareRequired(part: ExchangePart, sides: Sides): void {
  const is = sides.new['required'] === true;
  if ((sides.old['required'] === true) === is) return;
  reportMember(part, sides, 'required', {
    id: `request-body/became-${is ? 'required' : 'optional'}`,
    level: is ? 'breaking' : 'compatible',
    subject: 'requestBody',
    text: `the request body is ${is ? 'required now' : 'no longer required'}`,
    ...(is ? { reason: 'A deployed client that sends none is refused.' } : {}),
  });
}

/** Descriptions, links and marks change no exchange, so they belong to neither half of it. */
function compareWords(part: ExchangePart, subject: string, sides: Sides): void {
  reportMembers({ ...part, direction: undefined }, sides, ['description', 'links', 'deprecated'], (keyword) => ({
    id: `${subject}/${keyword}-changed`,
    level: keyword === 'description' ? 'documentation' : 'compatible',
  }));
}

/** Compares the answers, status by status. */
export function compareResponses(pair: OperationPair): void {
  const { comparing } = pair;
  const [old, next] = [membersOf(pair.old.value, 'responses'), membersOf(pair.new.value, 'responses')];
  for (const [status, before, after] of alongside(entriesOf(comparing.document, old), entriesOf(comparing.document, next))) {
    const part = partOf(pair, 'response', `response ${status}`);
    if (before === undefined || after === undefined)
      reportStatus(part, status, memberOf(comparing, before, old, status), memberOf(comparing, after, next, status));
    else {
      const sides = { old: before, new: after };
      compareWords(part, 'response', sides);
      compareHeaders(part, status, sides);
      compareContent(part, 'response-body', sides, status);
    }
  }
}

function membersOf(holder: JsonObject, key: string): JsonObject {
  const members = holder[key];
  return isObject(members) ? members : {};
}

function reportStatus(part: ExchangePart, status: string, before: Side, after: Side): void {
  const isGone = after.value === undefined;
  const isSuccess = /^2/.test(status);
  report(part, {
    id: `response/${isSuccess ? 'success-' : ''}status-${isGone ? 'removed' : 'added'}`,
    level: isSuccess ? (isGone ? 'breaking' : 'risky') : isGone ? 'risky' : 'compatible',
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

/** Compares the headers of one answer; their names have no case (RFC 9110 §5.1). */
function compareHeaders(response: ExchangePart, status: string, sides: Sides): void {
  const { comparing } = response;
  const headersOf = (holder: JsonObject): ReadonlyMap<string, Header> => {
    const headers = membersOf(holder, 'headers');
    const entries = [...entriesOf(comparing.document, headers)];
    return new Map(entries.map(([name, value]) => [name.toLowerCase(), { name, value, side: memberOf(comparing, value, headers, name) }]));
  };
  for (const [, before, after] of alongside(headersOf(sides.old), headersOf(sides.new))) {
    const { name } = before ?? after ?? { name: '' };
    const part = { ...response, location: `response ${status}, header ${name}` };
    if (before !== undefined && after !== undefined) compareHeader(part, status, name, { old: before.value, new: after.value });
    else {
      const sideIn = (own: Header | undefined, holder: JsonObject): Side => own?.side ?? sideOf(comparing, undefined, holder);
      reportHeader(part, name, sideIn(before, sides.old), sideIn(after, sides.new));
    }
  }
}

interface Header {
  readonly name: string;
  readonly value: JsonObject;
  /** The header where the answer names it, which may be a reference. */
  readonly side: Side;
}

function reportHeader(part: ExchangePart, name: string, before: Side, after: Side): void {
  const isGone = after.value === undefined;
  const isLost = isGone && isObject(before.value) && before.value['required'] === true;
  report(part, {
    id: `response-header/${isLost ? 'required-removed' : isGone ? 'removed' : 'added'}`,
    level: isLost ? 'breaking' : isGone ? 'risky' : 'compatible',
    before,
    after,
    subject: name.toLowerCase(),
    text: `the ${isLost ? 'required ' : ''}header ${name} is ${isGone ? 'gone' : 'new'}`,
    ...(isGone ? { reason: 'A client that reads it finds nothing there.' } : {}),
  });
}

function compareHeader(part: ExchangePart, status: string, name: string, sides: Sides): void {
  const is = sides.new['required'] === true;
  if ((sides.old['required'] === true) !== is)
    reportMember(part, sides, 'required', {
      id: `response-header/became-${is ? 'required' : 'optional'}`,
      level: is ? 'compatible' : 'breaking',
      subject: name.toLowerCase(),
      text: `the header ${name} is ${is ? 'always there now' : 'no longer always there'}`,
      ...(is ? {} : { reason: 'A client that reads it without looking finds nothing there at times.' }),
    });
  compareWords(part, 'response-header', sides);
  compareSchemas(part, 'response-header', sides, exposeHeader(part.old, status, name));
}

/** Compares a body, media type by media type; those of answers belong to a status. */
function compareContent(part: ExchangePart, subject: string, sides: Sides, status?: string): void {
  const [before, after] = [mediaOf(sides.old), mediaOf(sides.new)];
  for (const [type, old, next] of alongside(before, after)) {
    if (old === undefined || next === undefined) {
      reportMedia(part, subject, type, sideOf(part.comparing, old, sides.old), sideOf(part.comparing, next, sides.new));
      continue;
    }
    const isNamed = before.size + after.size > 2 || !type.includes('json');
    const content = { ...part, location: isNamed ? `${part.location} (${type})` : part.location };
    compareSchemas(content, subject, { old, new: next }, exposeBody(part.old, type, status), !type.includes('json'));
  }
}

/** Compares the schemas that both sides have under `schema`. */
function compareSchemas(part: ExchangePart, subject: string, sides: Sides, expose: ReturnType<typeof exposeBody>, isText = false): void {
  const { place } = part.comparing.document;
  const around = { old: place(sides.old), new: place(sides.new) };
  compareUse(part, { subject, old: schemaIn(sides.old), new: schemaIn(sides.new), around, isText, expose });
}

function reportMedia(part: ExchangePart, subject: string, type: string, before: Side, after: Side): void {
  const isGone = after.value === undefined;
  const reason =
    part.direction === 'request' ? 'What deployed clients send is not read any more.' : 'A client that reads it gets something else.';
  report(part, {
    id: `${subject}/media-type-${isGone ? 'removed' : 'added'}`,
    level: isGone ? 'breaking' : 'compatible',
    before,
    after,
    subject: type,
    text: `the media type ${type} is ${isGone ? 'gone' : 'new'}`,
    ...(isGone ? { reason } : {}),
  });
}

function mediaOf(holder: JsonObject): ReadonlyMap<string, JsonObject> {
  const content = Object.entries(membersOf(holder, 'content'));
  return new Map(content.flatMap(([type, media]) => (isObject(media) ? [[type.toLowerCase().replaceAll(' ', ''), media] as const] : [])));
}

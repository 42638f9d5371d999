import { isObject, type JsonObject, printJson } from '../../../core/json.ts';
import { withoutExtensions } from '../../../core/openapi/member-meanings.ts';
import {
  exchangePart,
  memberSide,
  type ObjectPair,
  type OperationPair,
  objectSide,
  reportDifference,
  reportMemberChange,
} from '../comparison-context.ts';
import type { EditedSide } from '../component-places.ts';
import { digestOf } from '../difference.ts';
import { pairEntries } from '../pair-renamed-entries.ts';
import { compareContent, compareDescriptions, compareSchemasOf, type ExchangePart, objectUnder } from './compare-content.ts';
import { resolveEntries } from './documented-operations.ts';

/** Compares the responses of an operation and their headers, status by status (OpenAPI 3.1 §4.8.16, §4.8.17 and §4.8.21). */
export function compareResponses(pair: OperationPair): void {
  const { context } = pair;
  const [old, next] = [objectUnder(pair.old.value, 'responses'), objectUnder(pair.new.value, 'responses')];
  const statusesOf = (responses: JsonObject | undefined): ReadonlyMap<string, JsonObject> =>
    resolveEntries(context.document, withoutExtensions(responses));
  for (const { key: status, newKey: newStatus, old: before, new: after } of pairEntries(
    statusesOf(old),
    statusesOf(next),
    textOfError,
    anyError,
  )) {
    const part = exchangePart(pair, 'response', { kind: 'response', status: newStatus });
    if (newStatus !== status)
      reportReplacedError(part, [status, newStatus], memberSide(context, before, old, status), memberSide(context, after, next, newStatus));
    if (before === undefined || after === undefined)
      reportStatus(part, status, memberSide(context, before, old, status), memberSide(context, after, next, status));
    else {
      const sides = { old: before, new: after };
      compareDescriptions(part, 'response', sides);
      compareHeaders(part, status, sides);
      compareContent(part, 'response-body', sides, status);
    }
  }
}

const isError = (status: string): boolean => /^[45]\d\d$/.test(status);

/** Content of an error for renames. */
function textOfError(response: JsonObject, status: string): string | undefined {
  return isError(status) ? printJson(response) : undefined;
}

/** Equal for all errors, so that the only removed and the only added one belong together. */
function anyError(_: JsonObject, status: string): string | undefined {
  return isError(status) ? 'error' : undefined;
}

function reportReplacedError(part: ExchangePart, [from, to]: readonly [string, string], before: EditedSide, after: EditedSide): void {
  reportDifference(part, {
    id: 'response/error-status-changed',
    level: 'breaking',
    before: { ...before, value: from },
    after: { ...after, value: to },
    changedItem: `${from} ${to}`,
    edit: `${from} ${to}`,
    names: [from, to],
    text: `errors with the status ${from} now have ${to}`,
    reason: `A client that handles ${from} does not recognise the error.`,
  });
}

function reportStatus(part: ExchangePart, status: string, before: EditedSide, after: EditedSide): void {
  const isGone = after.value === undefined;
  const isSuccess = /^2/.test(status);
  reportDifference(part, {
    id: `response/${isSuccess ? 'success-' : ''}status-${isGone ? 'removed' : 'added'}`,
    level: isSuccess ? (isGone ? 'breaking' : 'risky') : isGone ? 'risky' : 'compatible',
    before,
    after,
    changedItem: status,
    edit: `${status} ${digestOf(before.value ?? after.value)}`,
    text: `the response ${status} was ${isGone ? 'removed' : 'added'}`,
    reason: isGone
      ? isSuccess
        ? 'A client that waits for this status never receives it.'
        : 'A client that handles this status no longer receives it, and the contract does not say which status replaces it.'
      : 'A client that branches on the status may not know this one.',
  });
}

/** Compares the headers of one response by lower-case name (RFC 9110 §5.1). */
function compareHeaders(response: ExchangePart, status: string, sides: ObjectPair): void {
  const { context } = response;
  const headersOf = (holder: JsonObject): ReadonlyMap<string, DocumentedHeader> => {
    const headers = objectUnder(holder, 'headers');
    const entries = [...resolveEntries(context.document, headers)];
    return new Map(entries.map(([name, value]) => [name.toLowerCase(), { name, value, side: memberSide(context, value, headers, name) }]));
  };
  for (const { old: before, new: after } of pairEntries(headersOf(sides.old), headersOf(sides.new))) {
    const { name } = before ?? after ?? { name: '' };
    const part = { ...response, at: { part: { kind: 'response', status, header: name } } as const };
    if (before !== undefined && after !== undefined) compareHeader(part, status, name, { old: before.value, new: after.value });
    else {
      const sideIn = (header: DocumentedHeader | undefined, holder: JsonObject): EditedSide =>
        header?.side ?? objectSide(context, undefined, holder);
      reportHeader(part, name, sideIn(before, sides.old), sideIn(after, sides.new));
    }
  }
}

interface DocumentedHeader {
  readonly name: string;
  readonly value: JsonObject;
  /** The header with the place of its entry in the response, even if the entry is a reference. */
  readonly side: EditedSide;
}

function reportHeader(part: ExchangePart, name: string, before: EditedSide, after: EditedSide): void {
  const isGone = after.value === undefined;
  const isLost = isGone && isObject(before.value) && before.value['required'] === true;
  reportDifference(part, {
    id: `response-header/${isLost ? 'required-removed' : isGone ? 'removed' : 'added'}`,
    level: isLost ? 'breaking' : isGone ? 'risky' : 'compatible',
    before,
    after,
    changedItem: name.toLowerCase(),
    text: `the ${isLost ? 'required ' : ''}header \`${name}\` was ${isGone ? 'removed' : 'added'}`,
    ...(isGone ? { reason: 'A client that reads the header no longer finds it.' } : {}),
  });
}

function compareHeader(part: ExchangePart, status: string, name: string, sides: ObjectPair): void {
  const isRequired = sides.new['required'] === true;
  if ((sides.old['required'] === true) !== isRequired)
    reportMemberChange(part, sides, 'required', {
      id: `response-header/became-${isRequired ? 'required' : 'optional'}`,
      level: isRequired ? 'compatible' : 'breaking',
      changedItem: name.toLowerCase(),
      text: `the header \`${name}\` became ${isRequired ? 'required' : 'optional'}`,
      ...(isRequired ? {} : { reason: 'A client that relies on the header may not find it.' }),
    });
  compareDescriptions(part, 'response-header', sides);
  compareSchemasOf(part, 'response-header', sides, part.context.exchanges.withHeader(part.old, status, name), true);
}

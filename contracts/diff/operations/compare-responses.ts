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
import { type Difference, digestOf } from '../difference.ts';
import { pairEntries } from '../pair-renamed-entries.ts';
import { compareContent, compareDescriptions, compareSchemasOf, type ExchangePart, objectUnder } from './compare-content.ts';
import { resolveEntries } from './documented-operations.ts';
import { type Presence, presenceOf, ratePresence } from './rate-presence.ts';

/** Compares the responses of an operation and their headers, status by status (OpenAPI 3.1 §4.8.16, §4.8.17 and §4.8.21). */
export function compareResponses(pair: OperationPair): void {
  const { context } = pair;
  const [old, next] = [objectUnder(pair.old.value, 'responses'), objectUnder(pair.new.value, 'responses')];
  const statusesOf = (responses: JsonObject | undefined): ReadonlyMap<string, JsonObject> =>
    resolveEntries(context.document, withoutExtensions(responses));
  for (const { from, to, before, after } of pairStatuses(statusesOf(old), statusesOf(next))) {
    const part = exchangePart(pair, 'response', { kind: 'response', status: to });
    if (from !== to || before === undefined || after === undefined)
      reportStatus(part, [from, to], memberSide(context, before, old, from), memberSide(context, after, next, to));
    if (before !== undefined && after !== undefined) {
      const sides = { old: before, new: after };
      compareDescriptions(part, 'response', sides);
      compareHeaders(part, to, sides);
      compareContent(part, 'response-body', sides, from);
    }
  }
}

/** A response of both documents, or of one only, with its status in each. */
interface StatusPair {
  readonly from: string;
  readonly to: string;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
}

/** Pairs responses by status, and a status with a range that takes its place, or the other way round. What is left is paired by content. */
function pairStatuses(old: ReadonlyMap<string, JsonObject>, next: ReadonlyMap<string, JsonObject>): readonly StatusPair[] {
  const [gone, added] = [withoutKeys(old, next.keys()), withoutKeys(next, old.keys())];
  const covered = [...gone].flatMap(([from, before]) =>
    [...added].flatMap(([to, after]) => (covers(from, to) || covers(to, from) ? [{ from, to, before, after }] : [])),
  );
  const rest = pairEntries(
    withoutKeys(
      old,
      covered.map(({ from }) => from),
    ),
    withoutKeys(
      next,
      covered.map(({ to }) => to),
    ),
    (response, status) => kindOf(status) && `${kindOf(status) ?? ''} ${printJson(response)}`,
    // The only removed and the only added status of a kind belong together.
    (_, status) => kindOf(status),
  );
  return [...covered, ...[...rest].map(({ key: from, newKey: to, old: before, new: after }) => ({ from, to, before, after }))];
}

function withoutKeys(responses: ReadonlyMap<string, JsonObject>, keys: Iterable<string>): ReadonlyMap<string, JsonObject> {
  const others = new Set(keys);
  return new Map([...responses].filter(([status]) => !others.has(status)));
}

/** True if a range, such as `4XX` or `default`, includes another status. */
function covers(range: string, status: string): boolean {
  if (range === 'default') return status !== 'default';
  return /^[1-5]XX$/.test(range) && /^\d\d\d$/.test(status) && range[0] === status[0];
}

/** Success or error, for a single status. */
function kindOf(status: string): 'success' | 'error' | undefined {
  if (!/^[245]\d\d$/.test(status)) return undefined;
  return status.startsWith('2') ? 'success' : 'error';
}

function reportStatus(part: ExchangePart, [from, to]: readonly [string, string], before: EditedSide, after: EditedSide): void {
  const sides = { before: before.value === undefined ? undefined : from, after: after.value === undefined ? undefined : to };
  const isAdded = sides.before === undefined;
  const replaced = {
    id: `response/${kindOf(from) ?? kindOf(to) ?? 'error'}-status-changed`,
    before: { ...before, value: from },
    after: { ...after, value: to },
    changedItem: `${from} ${to}`,
    edit: `${from} ${to}`,
    names: [from, to],
    text: `the status ${from} is now ${to}`,
  };
  const single = {
    id: `response/${/^2/.test(from) ? 'success-' : ''}status-${isAdded ? 'added' : 'removed'}`,
    before,
    after,
    changedItem: from,
    edit: `${from} ${digestOf(before.value ?? after.value)}`,
    text: `the response ${from} was ${isAdded ? 'added' : 'removed'}`,
  };
  reportDifference(part, { ...(from === to ? single : replaced), ...rateStatuses(part, sides) });
}

/** Rates a status that came, went, or took the place of another one. */
function rateStatuses(
  part: ExchangePart,
  { before, after }: { readonly before: string | undefined; readonly after: string | undefined },
): RatedStatus {
  if (before === undefined || after === undefined) {
    if (before !== undefined) return rateRemoved(part, before);
    return rateAdded(part, after ?? '');
  }
  if (covers(after, before)) return rateAdded(part, after);
  // In callbacks, clients send the statuses, and may still send what a range no longer covers.
  return covers(before, after) && part.direction === 'response' ? { level: 'compatible' } : rateRemoved(part, before);
}

type RatedStatus = Pick<Difference, 'level'> & Partial<Pick<Difference, 'reason'>>;

/** Rates a status that no longer comes. */
function rateRemoved({ direction }: ExchangePart, status: string): RatedStatus {
  const level = /^2/.test(status) ? 'breaking' : 'risky';
  if (direction === 'request') return { level, reason: 'The server no longer expects this status of deployed clients.' };
  return {
    level,
    reason:
      level === 'breaking'
        ? 'A client that waits for this status never receives it.'
        : 'A client that handles this status no longer receives it, and the contract does not say which status replaces it.',
  };
}

function rateAdded({ direction }: ExchangePart, status: string): RatedStatus {
  if (direction === 'request' || !/^2/.test(status)) return { level: 'compatible' };
  return { level: 'risky', reason: 'A client that branches on the status may not know this one.' };
}

/** Compares the headers of one response by lower-case name (RFC 9110 §5.1). */
function compareHeaders(response: ExchangePart, status: string, sides: ObjectPair): void {
  const { context } = response;
  const headersOf = (holder: JsonObject): ReadonlyMap<string, DocumentedHeader> => {
    const headers = objectUnder(holder, 'headers');
    // OpenAPI ignores a header of this name: the media types of the content say it (OpenAPI 3.1 §4.8.17).
    const entries = [...resolveEntries(context.document, headers)].filter(([name]) => name.toLowerCase() !== 'content-type');
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
  // Nobody refuses a header of a response that it does not know.
  const isUnread = isGone && part.direction === 'request';
  const [was, is] = [before.value, after.value].map((value) => presenceOf(isObject(value) ? value : undefined)) as [Presence, Presence];
  reportDifference(part, {
    id: `response-header/${isLost ? 'required-removed' : isGone ? 'removed' : 'added'}`,
    ...(isUnread ? { level: 'compatible' } : ratePresence(part.direction, was, is)),
    before,
    after,
    changedItem: name.toLowerCase(),
    text: `the ${isLost ? 'required ' : ''}header \`${name}\` was ${isGone ? 'removed' : 'added'}`,
  });
}

function compareHeader(part: ExchangePart, status: string, name: string, sides: ObjectPair): void {
  const [was, is] = [presenceOf(sides.old), presenceOf(sides.new)];
  if (was !== is)
    reportMemberChange(part, sides, 'required', {
      id: `response-header/became-${is}`,
      ...ratePresence(part.direction, was, is),
      changedItem: name.toLowerCase(),
      text: `the header \`${name}\` became ${is}`,
    });
  compareDescriptions(part, 'response-header', sides);
  compareSchemasOf(part, 'response-header', sides, part.context.exchanges.withHeader(part.old, status, name), true);
}

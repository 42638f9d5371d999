/**
 * Compares several responses of the target, such as a single read with its list, or a page with the one before it. Data may change meanwhile, so each failure
 * is confirmed by reading again.
 */

import type { CursorPage } from '../../../core/annotations/annotations.ts';
import { recordPlacesOf } from '../../../core/annotations/record-place.ts';
import { type Json, printJson } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import type { Pact } from '../../../core/pact/pact.ts';
import { decodeOrKeep } from '../../../core/parameters/query-string.ts';
import { readRequest } from '../../../core/parameters/read-request.ts';
import { valueAt } from '../../../core/pointer.ts';
import { createMask } from '../../../core/redaction/mask-personal-data.ts';
import type { PactFailure } from '../../../core/results/pact-verify-result.ts';
import { Blocked } from '../../verify/evidence/blocked-operations.ts';
import { type Call, isSuccess, type Reply, recordsIn } from '../../verify/evidence/call.ts';
import { findDisagreements, isDocumented } from '../../verify/evidence/find-record-disagreements.ts';
import { keysIn, recordKeyOf } from '../../verify/evidence/list-records.ts';
import { locateRecord } from '../../verify/evidence/locate-record-in-reply.ts';
import { BudgetSpent } from '../../verify/evidence/request-session.ts';
import { createIdentityFailure, printValue, toBodyPath } from './identity-failure.ts';
import { operationFor } from './operation-for-request.ts';
import type { InteractionTask, PreparedRequest } from './prepare-request.ts';
import type { FollowingPage, ListedStateRecord } from './state-result.ts';

/** Sends a call, even if it was sent before. */
type SendCall = (call: Call) => Promise<Reply>;

/** A failure that several responses show, before it is confirmed. */
export interface UnconfirmedFailure {
  readonly failure: PactFailure;
  /** Reads the responses again; true if they still show the failure. */
  readonly confirm: (ask: SendCall) => Promise<boolean>;
}

/** Runs every cross-check of a response; returns the confirmed failures. */
export async function compareWithRelatedReplies(
  task: InteractionTask,
  prepared: PreparedRequest,
  reply: Reply,
  ask: SendCall,
): Promise<readonly PactFailure[]> {
  const confirmed: PactFailure[] = [];
  for (const { failure, confirm } of listUnconfirmed(task, prepared, reply)) if (await isConfirmed(confirm, ask)) confirmed.push(failure);
  return confirmed;
}

/** Reads again. Without a response, the failure counts as not confirmed. */
async function isConfirmed(confirm: UnconfirmedFailure['confirm'], ask: SendCall): Promise<boolean> {
  try {
    return await confirm(ask);
  } catch (error) {
    if (error instanceof Blocked || error instanceof BudgetSpent) return false;
    throw error;
  }
}

function listUnconfirmed({ contract, pact }: InteractionTask, prepared: PreparedRequest, reply: Reply): readonly UnconfirmedFailure[] {
  const { operation } = reply.call;
  const { record } = prepared.states;
  if (!isSuccess(reply)) return [];
  const difference = record?.listed === undefined ? undefined : compareWithList(contract, pact, record.listed, reply);
  const failures = isList(operation) ? checkPages(prepared, reply, operation) : [difference];
  return failures.filter((each) => each !== undefined);
}

function checkPages({ states }: PreparedRequest, reply: Reply, operation: ListOperation): readonly (UnconfirmedFailure | undefined)[] {
  const { page } = operation.collection;
  const { values, sent } = readRequest(operation, reply.request, new Map());
  const ofShortPage = checkShortPage(operation, reply, values.get(page.limit));
  if (states.followingPage?.operation.id !== operation.id || page.style === 'offset') return ofShortPage;
  const isNext = page.style === 'cursor' ? values.get(page.cursor) === states.values.get('cursor') : sent.has(page.page);
  // A repeated page is a failure of its own.
  const isRepeated = keysIn(reply).some((key) => states.previousKeys?.includes(key) === true);
  return isNext && !isRepeated ? [checkContinuation(states.followingPage, reply), ...ofShortPage] : ofShortPage;
}

/** Compares a single read with the record as listed. */
export function compareWithList(contract: Contract, pact: Pact, listed: ListedStateRecord, reply: Reply): UnconfirmedFailure | undefined {
  const { operation: list } = listed.reply.call;
  if (!isList(list) || reply.call.operation.resource?.name !== list.collection.name) return undefined;
  const failure = findDifference(contract, pact, listed, list, reply);
  if (failure === undefined) return undefined;
  const confirm: UnconfirmedFailure['confirm'] = async (ask) => {
    const secondFailure = findDifference(contract, pact, listed, list, await ask(reply.call));
    if (secondFailure?.path !== failure.path) return false;
    const records = recordsIn(await ask(listed.reply.call)) ?? [];
    return records.some((record) => printJson(record) === printJson(listed.record));
  };
  return { failure, confirm };
}

function findDifference(
  contract: Contract,
  pact: Pact,
  { record }: ListedStateRecord,
  list: ListOperation,
  reply: Reply,
): PactFailure | undefined {
  const located = locateRecord(contract, reply);
  // Another record than the requested one is a failure of its own.
  if (located === undefined || recordKeyOf(list, located.record) !== recordKeyOf(list, record)) return undefined;
  const { name } = list.collection;
  // Pact itself reports a missing field that the consumer expects.
  const [first] = findDisagreements(record, located.record).filter(
    (difference) =>
      difference.actual !== undefined &&
      isDocumented(contract, list, difference.at) &&
      isExpectedAnywhere(contract, pact, name, difference.at),
  );
  if (first === undefined) return undefined;
  const { maskRecord } = createMask(contract);
  const diagnosis = `${first.at} differs from the list`;
  const [expected, actual] = [maskRecord(list, record), maskRecord(reply.call.operation, located.record)];
  return createIdentityFailure(
    toBodyPath(`${located.at}${first.at}`),
    describeValue(valueAt(expected, first.at)),
    describeValue(valueAt(actual, first.at)),
    diagnosis,
  );
}

/** True if the consumer expects the field anywhere, in a list or a single read. */
function isExpectedAnywhere(contract: Contract, { interactions }: Pact, name: string, at: string): boolean {
  return interactions.some(({ request, response }) => {
    const { operation } = operationFor(contract, request.method, request.path);
    const listed = operation.collection?.name === name ? [`${operation.collection.items}/0`] : [];
    const places = operation.resource?.name === name ? recordPlacesOf(contract, operation) : listed;
    return response.status < 300 && places.some((place) => valueAt(response.body, `${place}${at}`) !== undefined);
  });
}

function describeValue(value: Json | undefined): string {
  return typeof value === 'object' && value !== null
    ? `${Array.isArray(value) ? 'a list' : 'an object'} with other contents`
    : printValue(value);
}

/** Checks that a page continues with the record that follows the previous page. */
export function checkContinuation(followingPage: FollowingPage, page: Reply): UnconfirmedFailure | undefined {
  const gap = findGap(followingPage, page);
  if (gap === undefined) return undefined;
  const { largerPage, start } = followingPage;
  const recordsUpTo = (reply: Reply): string => printJson((recordsIn(reply) ?? []).slice(0, start + gap.index + 1));
  const confirm: UnconfirmedFailure['confirm'] = async (ask) => {
    const secondGap = findGap(followingPage, await ask(page.call));
    return secondGap?.failure.actual === gap.failure.actual && recordsUpTo(await ask(largerPage.call)) === recordsUpTo(largerPage);
  };
  return { failure: gap.failure, confirm };
}

function findGap(
  { operation, largerPage, start }: FollowingPage,
  page: Reply,
): { readonly index: number; readonly failure: PactFailure } | undefined {
  if (recordsIn(page) === undefined) return undefined;
  const [expectedKeys, actualKeys] = [keysIn(largerPage).slice(start), keysIn(page)];
  // On an empty page, the first record is missing.
  const index = expectedKeys.slice(0, Math.max(1, actualKeys.length)).findIndex((expectedKey, at) => expectedKey !== actualKeys[at]);
  const [expected, actual] = [expectedKeys[index], actualKeys[index]];
  if (expected === undefined) return undefined;
  const { items, key } = operation.collection;
  const path = toBodyPath(actual === undefined ? items : `${items}/${index}${key}`);
  return {
    index,
    failure: createIdentityFailure(path, expected, actual ?? 'no record', explainGap(expectedKeys.indexOf(actual ?? '') - index)),
  };
}

function explainGap(skipped: number): string {
  if (skipped < 1) return 'the page does not continue where the previous page ended';
  return skipped === 1
    ? 'the page omits a record that follows the previous page'
    : `the page omits ${skipped} records that follow the previous page`;
}

/** Number of empty pages in a row after which a list counts as endless. */
const maxEmptyPages = 3;

/** Smallest number of records on a page that is compared with two pages of half the size. */
const minSplit = 3;

/** Checks a page with fewer records than its limit that announces another page. */
export function checkShortPage(operation: ListOperation, reply: Reply, limit: Json | undefined): readonly UnconfirmedFailure[] {
  const { page } = operation.collection;
  const number = recordsIn(reply)?.length;
  if (page.style !== 'cursor' || number === undefined || typeof limit !== 'number' || number >= limit) return [];
  if (valueAt(reply.body, page.more) !== true) return [];
  return [checkListEnds(page, reply), ...(number < minSplit ? [] : [checkSmallerPages(operation, page, reply, number)])];
}

function checkListEnds(page: CursorPage, reply: Reply): UnconfirmedFailure {
  const diagnosis = 'the list never ends: the following pages are empty, and each announces another page';
  const confirm: UnconfirmedFailure['confirm'] = async (ask) => {
    let last = reply;
    for (let step = 0; step < maxEmptyPages; step += 1) {
      const cursor = valueAt(last.body, page.next);
      if (typeof cursor !== 'string') return false;
      last = await ask(withQuery(reply.call, { [page.cursor]: cursor }));
      const isEmpty = isSuccess(last) && recordsIn(last)?.length === 0 && valueAt(last.body, page.more) === true;
      if (!isEmpty) return false;
    }
    return true;
  };
  return { failure: createIdentityFailure(toBodyPath(page.more), 'false', 'true', diagnosis), confirm };
}

/** Compares the page with two pages of half the size, which may show omitted records. */
function checkSmallerPages(operation: ListOperation, page: CursorPage, reply: Reply, number: number): UnconfirmedFailure {
  const diagnosis = 'the page omits records in its middle that smaller pages have';
  const text = printJson(keysIn(reply));
  const half = Math.ceil(number / 2);
  const confirm: UnconfirmedFailure['confirm'] = async (ask) => {
    const first = await ask(withQuery(reply.call, { [page.limit]: String(half) }));
    const cursor = valueAt(first.body, page.next);
    // If the first half already differs, the order or the data have changed.
    if (typeof cursor !== 'string' || printJson(keysIn(first)) !== printJson(keysIn(reply).slice(0, half))) return false;
    const second = await ask(withQuery(reply.call, { [page.limit]: String(half), [page.cursor]: cursor }));
    const [whole, halves] = [keysIn(reply), [...keysIn(first), ...keysIn(second)]];
    const at = whole.findIndex((key, index) => key !== halves[index]);
    const omittedKey = halves[at];
    if (at < 0 || omittedKey === undefined || whole.includes(omittedKey)) return false;
    return printJson(keysIn(await ask(reply.call))) === text;
  };
  const { items } = operation.collection;
  return {
    failure: createIdentityFailure(toBodyPath(items), 'every record that smaller pages have', `${number} records`, diagnosis),
    confirm,
  };
}

/** Copies a call with other values of some query parameters. */
function withQuery(call: Call, changes: Readonly<Record<string, string>>): Call {
  const rest = (call.raw ?? []).filter((piece) => !Object.hasOwn(changes, decodeOrKeep(piece.split('=', 1)[0] ?? '')));
  const changed = Object.entries(changes).map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`);
  return { ...call, raw: [...rest, ...changed] };
}

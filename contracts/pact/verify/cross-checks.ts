/**
 * What is wrong with an answer beside other answers, if the data stood still: whatever looks wrong is read a second time before anything
 * is said of it.
 */

import type { Contract } from '../../../core/contract.ts';
import type { Json } from '../../../core/json.ts';
import type { Pact } from '../../../core/pact/pact.ts';
import type { PactFailure } from '../../../core/pact/verify-result.ts';
import { createMask } from '../../../core/personal.ts';
import { valueAt } from '../../../core/pointer.ts';
import { readRequest } from '../../../core/request.ts';
import type { CursorPage } from '../../../core/rules.ts';
import { disagreements, isDocumented } from '../../agreement.ts';
import type { Call } from '../../call.ts';
import { Blocked } from '../../losses.ts';
import { keysIn } from '../../numbered.ts';
import { locate, placesOf } from '../../place.ts';
import { isSuccess, type Reply, recordsIn } from '../../reply.ts';
import { BudgetSpent } from '../../session.ts';
import { isList, keyOf, type ListOperation } from '../../walk.ts';
import { toBodyPath, identityFailure, printValue } from './check-identity.ts';
import { type FollowingPage, type ListedRecord, operationFor, type PreparedRequest, type ReadyInteraction, withQuery } from './prepare-request.ts';

/** Asks the target, whether or not the same was asked before. */
type SendCall = (call: Call) => Promise<Reply>;

/** A failure that rests on several answers: what lies between them may have changed. */
export interface UnconfirmedFailure {
  readonly failure: PactFailure;
  /** Reads again what it rests on, and tells whether all of it is as it was. */
  readonly confirm: (ask: SendCall) => Promise<boolean>;
}

/** What is wrong with an answer beside other answers, once all of them were seen to stand. */
export async function crossCheck(asked: ReadyInteraction, reply: Reply, ask: SendCall): Promise<readonly PactFailure[]> {
  const confirmed: PactFailure[] = [];
  for (const { failure, confirm } of listUnconfirmed(asked, reply)) if (await isConfirmed(confirm, ask)) confirmed.push(failure);
  return confirmed;
}

/** What cannot be read again is not confirmed, and an answer that was judged stays judged. */
async function isConfirmed(confirm: UnconfirmedFailure['confirm'], ask: SendCall): Promise<boolean> {
  try {
    return await confirm(ask);
  } catch (error) {
    if (error instanceof Blocked || error instanceof BudgetSpent) return false;
    throw error;
  }
}

function listUnconfirmed({ item: { contract, pact }, prepared }: ReadyInteraction, reply: Reply): readonly UnconfirmedFailure[] {
  const { operation } = reply.call;
  const { record } = prepared.found;
  if (!isSuccess(reply)) return [];
  const detail = record?.listed === undefined ? undefined : compareWithList(contract, pact, record.listed, reply);
  const found = isList(operation) ? checkPages(prepared, reply, operation) : [detail];
  return found.filter((each) => each !== undefined);
}

function checkPages({ found }: PreparedRequest, reply: Reply, operation: ListOperation): readonly (UnconfirmedFailure | undefined)[] {
  const { page } = operation.collection;
  const { values, sent } = readRequest(operation, reply.request, new Map());
  const short = checkShortPage(operation, reply, values.get(page.limit));
  if (found.following?.operation.id !== operation.id || page.style === 'offset') return short;
  const isNext = page.style === 'cursor' ? values.get(page.cursor) === found.values.get('cursor') : sent.has(page.page);
  // A page that repeats the one before does not follow it either; that is told already.
  const isRepeated = keysIn(reply).some((key) => found.before?.includes(key) === true);
  return isNext && !isRepeated ? [checkContinuation(found.following, reply), ...short] : short;
}

/** Suspects an answer that shows the record that was listed with other values. */
export function compareWithList(contract: Contract, pact: Pact, listed: ListedRecord, reply: Reply): UnconfirmedFailure | undefined {
  const { operation: list } = listed.reply.call;
  if (!isList(list) || reply.call.operation.resource?.name !== list.collection.name) return undefined;
  const failure = findDifference(contract, pact, listed, list, reply);
  if (failure === undefined) return undefined;
  const confirm: UnconfirmedFailure['confirm'] = async (ask) => {
    const again = findDifference(contract, pact, listed, list, await ask(reply.call));
    if (again?.path !== failure.path) return false;
    const records = recordsIn(await ask(listed.reply.call)) ?? [];
    return records.some((record) => JSON.stringify(record) === JSON.stringify(listed.record));
  };
  return { failure, confirm };
}

function findDifference(contract: Contract, pact: Pact, { record }: ListedRecord, list: ListOperation, reply: Reply): PactFailure | undefined {
  const located = locate(contract, reply);
  // What is about another record altogether is told as that.
  if (located === undefined || keyOf(list, located.record) !== keyOf(list, record)) return undefined;
  const { name } = list.collection;
  // What a single read does not show at all, Pact tells where the consumer expects it there.
  const [first] = disagreements(record, located.record).filter(
    ({ at, right }) => right !== undefined && isDocumented(contract, list, at) && isExpectedAnywhere(contract, pact, name, at),
  );
  if (first === undefined) return undefined;
  const { maskRecord } = createMask(contract);
  const diagnosis = `${first.at} is another one here than in the list`;
  const [expected, actual] = [maskRecord(list, record), maskRecord(reply.call.operation, located.record)];
  return identityFailure(toBodyPath(`${located.at}${first.at}`), describeValue(valueAt(expected, first.at)), describeValue(valueAt(actual, first.at)), diagnosis);
}

/** Whether a consumer expects a member of such a record anywhere: in a list, or in one that is read alone. */
function isExpectedAnywhere(contract: Contract, { interactions }: Pact, name: string, at: string): boolean {
  return interactions.some(({ request, response }) => {
    const { operation } = operationFor(contract, request.method, request.path);
    const listed = operation.collection?.name === name ? [`${operation.collection.items}/0`] : [];
    const places = operation.resource?.name === name ? placesOf(contract, operation) : listed;
    return response.status < 300 && places.some((place) => valueAt(response.body, `${place}${at}`) !== undefined);
  });
}

function describeValue(value: Json | undefined): string {
  return typeof value === 'object' && value !== null ? `${Array.isArray(value) ? 'a list' : 'an object'} of other contents` : printValue(value);
}

/** Suspects a page that has another record in the place of the one that follows. */
export function checkContinuation(following: FollowingPage, page: Reply): UnconfirmedFailure | undefined {
  const gap = findGap(following, page);
  if (gap === undefined) return undefined;
  const { whole, start } = following;
  const held = (reply: Reply): string => JSON.stringify((recordsIn(reply) ?? []).slice(0, start + gap.index + 1));
  const confirm: UnconfirmedFailure['confirm'] = async (ask) => {
    const again = findGap(following, await ask(page.call));
    return again?.failure.actual === gap.failure.actual && held(await ask(whole.call)) === held(whole);
  };
  return { failure: gap.failure, confirm };
}

function findGap(
  { operation, whole, start }: FollowingPage,
  page: Reply,
): { readonly index: number; readonly failure: PactFailure } | undefined {
  if (recordsIn(page) === undefined) return undefined;
  const [wanted, given] = [keysIn(whole).slice(start), keysIn(page)];
  // Of a page without records the first is missing.
  const index = wanted.slice(0, Math.max(1, given.length)).findIndex((key, at) => key !== given[at]);
  const [expected, actual] = [wanted[index], given[index]];
  if (expected === undefined) return undefined;
  const { items, key } = operation.collection;
  const path = toBodyPath(actual === undefined ? items : `${items}/${index}${key}`);
  return { index, failure: identityFailure(path, expected, actual ?? 'no record', explainGap(wanted.indexOf(actual ?? '') - index)) };
}

function explainGap(skipped: number): string {
  if (skipped < 1) return 'the page does not go on where the page before ended';
  return skipped === 1
    ? 'the page leaves out a record that follows the page before'
    : `the page leaves out ${skipped} records that follow the page before`;
}

/** A page may be empty and promise another one; several of them in a row lead nowhere. */
const maxEmptyPages = 3;

/** Suspects a page that is not full, and promises another one. */
export function checkShortPage(operation: ListOperation, reply: Reply, limit: Json | undefined): readonly UnconfirmedFailure[] {
  const { page } = operation.collection;
  const number = recordsIn(reply)?.length;
  if (page.style !== 'cursor' || number === undefined || typeof limit !== 'number' || number >= limit) return [];
  if (valueAt(reply.body, page.more) !== true) return [];
  return [checkListEnds(page, reply), ...(number < 3 ? [] : [checkSmallerPages(operation, page, reply, number)])];
}

function checkListEnds(page: CursorPage, reply: Reply): UnconfirmedFailure {
  const diagnosis = 'the list has no end: the pages after this one are empty, and each of them promises another one';
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
  return { failure: identityFailure(toBodyPath(page.more), 'false', 'true', diagnosis), confirm };
}

/** The same stretch of the list in two pages of half the size shows whether anything is left out. */
function checkSmallerPages(operation: ListOperation, page: CursorPage, reply: Reply, number: number): UnconfirmedFailure {
  const diagnosis = 'the page leaves out records in its middle, which smaller pages show';
  const text = JSON.stringify(keysIn(reply));
  const half = Math.ceil(number / 2);
  const confirm: UnconfirmedFailure['confirm'] = async (ask) => {
    const first = await ask(withQuery(reply.call, { [page.limit]: String(half) }));
    const cursor = valueAt(first.body, page.next);
    // Where already the first half is another one, the order or the data are.
    if (typeof cursor !== 'string' || JSON.stringify(keysIn(first)) !== JSON.stringify(keysIn(reply).slice(0, half))) return false;
    const second = await ask(withQuery(reply.call, { [page.limit]: String(half), [page.cursor]: cursor }));
    const [whole, apart] = [keysIn(reply), [...keysIn(first), ...keysIn(second)]];
    const at = whole.findIndex((key, index) => key !== apart[index]);
    const between = apart[at];
    if (at < 0 || between === undefined || whole.includes(between)) return false;
    return JSON.stringify(keysIn(await ask(reply.call))) === text;
  };
  const { items } = operation.collection;
  return { failure: identityFailure(toBodyPath(items), 'each record that smaller pages show', `${number} records`, diagnosis), confirm };
}

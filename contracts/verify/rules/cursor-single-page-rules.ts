/** Rules of the group `paging` about single pages of lists with cursors: page size, cursor of the next page, and damaged cursors. */

import { countNoun } from '../../../core/count-noun.ts';
import { definedOf } from '../../../core/drop-undefined.ts';
import { describeJson } from '../../../core/json.ts';
import type { MutantIdentity } from '../../../core/mutants/mutant-catalogue.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { type CursorList, isCursorList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import { documentsCondition, statusOf } from '../../../core/openapi/operation.ts';
import { showPointer, valueAt } from '../../../core/pointer.ts';
import { type Call, isSuccess, type Reply, recordsIn } from '../evidence/call.ts';
import { collectionPlace, limitPlace, parameterPlace } from '../evidence/clause-places.ts';
import { isStated } from '../evidence/open-places.ts';
import {
  callFor,
  defaultLimit,
  largestLimit,
  limitOf,
  limitRange,
  type Pagination,
  paginationPlanOf,
} from '../evidence/pagination/pagination.ts';
import { readListInPages } from '../evidence/pagination/read-list-in-small-pages.ts';
import { keysOf, recordKeyOf } from '../evidence/record-keys-and-filters.ts';
import type { RoundContext } from '../evidence/round-context.ts';
import type { Snapshot } from '../evidence/snapshot.ts';
import { examineRequests, mustSucceed, type RequestExpectation } from './examinations/examine-requests.ts';
import { refusedTexts } from './examinations/invalid-parameter-texts.ts';
import { agrees, candidate, contradicts, examineInTurn, type Judgement, type Rule, reportedBy, ruleAbout } from './rule.ts';

const pageTooLarge = candidate('page-too-large', 'enough records to fill a page');

const limitSize = ruleAbout(isCursorList, {
  id: 'paging/limit-size',
  title: 'A page holds at most as many records as its limit',
  why: 'Clients allocate room for a page by its limit.',
  strength: 'stated',
  place: limitPlace,
  examine: async (context, list) => {
    await readListInPages(context, await context.snapshot(list));
    return { mutants: [pageTooLarge], judge: () => undefined };
  },
  judgeReplies: ({ replies }, list) =>
    repliesTo(list, replies).map((reply) => {
      const [limit, records] = [limitOf(list, reply), recordsIn(reply)];
      if (limit === undefined || records === undefined || records.length < limit) return undefined;
      if (records.length === limit) return agrees(pageTooLarge);
      return contradicts({
        replies: [reply],
        expected: `a page of ${list.id} with limit ${limit} must contain at most ${countNoun(limit, 'record')}`,
        actual: `the page contains ${records.length}`,
        mutant: pageTooLarge,
      });
    }),
});

function repliesTo({ id }: ListOperation, replies: readonly Reply[]): readonly Reply[] {
  return replies.filter(({ call }) => call.operation.id === id);
}

const otherDefaultLimit = candidate('default-limit-other', 'a list with more records than the default page size', {
  parameter: 'a limit',
});

const limitDefault = ruleAbout(isCursorList, {
  id: 'paging/limit-default',
  title: 'A page without a limit has the documented default size',
  why: 'Clients that never send a limit rely on the default. A smaller page doubles their requests.',
  strength: 'stated',
  slow: true,
  place: (list) => (defaultLimit(list) === undefined ? undefined : limitPlace(list)),
  examine: async (context, list) => {
    const snapshot = await context.snapshot(list);
    const documentedLimit = defaultLimit(list) ?? 0;
    const pageWithoutLimit = await context.ask({ operation: list });
    // A page of exactly the documented size needs no second page for comparison.
    const hasDocumentedSize = recordsIn(pageWithoutLimit)?.length === documentedLimit;
    const pageWithLimit = hasDocumentedSize
      ? pageWithoutLimit
      : await context.ask({ operation: list, values: { [list.collection.page.limit]: documentedLimit } });
    return { mutants: [otherDefaultLimit], judge: () => judgeDefault(snapshot, pageWithoutLimit, pageWithLimit, documentedLimit) };
  },
});

/** Compares the page without a limit with the page of the documented limit. Both may be short, but then equally short. */
function judgeDefault(
  { operation, minimumSize }: Snapshot,
  pageWithoutLimit: Reply,
  pageWithLimit: Reply,
  documentedLimit: number,
): Judgement | undefined {
  const [first, second] = [recordsIn(pageWithoutLimit)?.length, recordsIn(pageWithLimit)?.length];
  if (first === undefined || second === undefined) return reportedBy('response/status');
  const isEnough = minimumSize > documentedLimit + 5;
  if (first <= documentedLimit && (!isEnough || first === second)) return isEnough ? agrees(otherDefaultLimit) : undefined;
  return contradicts({
    replies: [pageWithLimit, pageWithoutLimit],
    expected: `a page of ${operation.id} without a limit must contain ${countNoun(second, 'record')}, as with limit=${documentedLimit}`,
    actual: `the page contains ${first}`,
    mutant: otherDefaultLimit,
  });
}

const severalPages = 'a list of more than one page';
const nextCursorMissing = candidate('next-cursor-missing', severalPages);
const nextCursorRefused = candidate('next-cursor-refused', severalPages);
const moreMissing = candidate('more-unsaid', 'a list that can be read with the full key');

const nextCursor = ruleAbout(isCursorList, {
  id: 'paging/next-cursor',
  title: 'A page says whether another one follows, and gives its cursor',
  why: 'A client cannot finish its copy without the cursor of a promised page.',
  strength: 'stated',
  place: (list) => collectionPlace(list, 'page'),
  examine: async (context, list) => {
    await readListInPages(context, await context.snapshot(list));
    return { mutants: [nextCursorMissing, moreMissing, nextCursorRefused], judge: () => undefined };
  },
  judgeReplies: ({ replies, paginations }, list) => [
    repliesTo(list, replies).map((reply) => (recordsIn(reply) === undefined ? undefined : judgeNextPageInformation(list, reply))),
    paginations.map((pagination) => judgeFollowing(list, pagination)),
  ],
});

function judgeNextPageInformation({ id, collection: { page } }: CursorList, reply: Reply): Judgement {
  const [more, next] = [valueAt(reply.body, page.more), valueAt(reply.body, page.next)];
  if (more === false) return agrees(moreMissing);
  if (more === true && typeof next === 'string' && next !== '') return agrees(nextCursorMissing, moreMissing);
  const isMoreMissing = more !== true;
  return contradicts({
    replies: [reply],
    expected: isMoreMissing
      ? `${showPointer(page.more)} of ${id} must be true or false`
      : `${showPointer(page.next)} of ${id} must be a cursor, because ${showPointer(page.more)} is true`,
    actual: isMoreMissing ? `${showPointer(page.more)} is ${describeJson(more)}` : `${showPointer(page.next)} is ${describeJson(next)}`,
    // A missing member has no place of its own, so the object that lacks it is wrong.
    part: isMoreMissing ? 'answer' : `body ${page.next.slice(0, page.next.lastIndexOf('/'))}`,
    mutant: isMoreMissing ? moreMissing : nextCursorMissing,
  });
}

/** Judges the last step of a pagination. It uses each cursor once, at once and with the same parameters, so the server must accept it. */
function judgeFollowing(list: ListOperation, pagination: Pagination): Judgement | undefined {
  const [before, last] = pagination.replies.slice(-2);
  if (pagination.operation !== list || before === undefined || last === undefined) return undefined;
  if (isSuccess(last)) return agrees(nextCursorRefused);
  if (last.response.status >= 500) return reportedBy('response/no-server-error');
  return contradicts({
    replies: [before, last],
    expected: `${list.id} must accept the cursor of its previous page`,
    actual: `the status is ${last.response.status}`,
    mutant: nextCursorRefused,
    paginationPlan: paginationPlanOf(pagination),
  });
}

const limitBounds = ruleAbout(isCursorList, {
  id: 'paging/limit-bounds',
  title: 'Limits inside the bounds are accepted, and those outside are rejected',
  why: 'If a limit is silently reduced, a client that stops at the first short page stops too early. An unbounded limit overloads the service.',
  strength: 'stated',
  place: (list, contract) =>
    documentsCondition(list, 'invalid') && refusedLimits(contract, list).length > 0 ? limitPlace(list) : undefined,
  examine: async (context, list) => {
    const { limit } = list.collection.page;
    const { least, most } = limitRange(list);
    const bounds = [least, most]
      .filter((value) => value !== undefined)
      .map((value) => {
        const call = earlierCall(context, list, value) ?? { operation: list, values: { [limit]: value } };
        return mustSucceed({ call, what: `${limit}=${value}` });
      });
    const attempts = refusedLimits(context.contract, list);
    return examineRequests(context, context.quick ? [...attempts.slice(0, 1), ...bounds.slice(1)] : [...attempts, ...bounds]);
  },
});

/** The earlier request with this limit and the fewest filters. Repeating it costs nothing. */
function earlierCall({ replies }: RoundContext, { id, collection }: ListOperation, value: number): Call | undefined {
  const parametersOf = ({ values = {} }: Call): number => Object.keys(values).length;
  return replies
    .map(({ call }) => call)
    .filter(({ operation, values }) => operation.id === id && values?.[collection.page.limit] === value)
    .toSorted((left, right) => parametersOf(left) - parametersOf(right))[0];
}

function refusedLimits(contract: Contract, list: ListOperation): readonly RequestExpectation[] {
  return refusedTexts(contract, list, list.collection.page.limit, ['out-of-range', 'malformed']);
}

const madeUpCursor = candidate('damaged-cursor-restarts', 'a record', { cursor: 'a made-up cursor' }, 'made-up');
const halfCursor = candidate('damaged-cursor-restarts', severalPages, { cursor: 'half a cursor' }, 'cut');

const damagedCursor = ruleAbout(isCursorList, {
  id: 'paging/damaged-cursor',
  title: 'A damaged cursor is rejected',
  why: 'A client with a truncated cursor must not receive the first page again. It would skip the rest of the list.',
  strength: 'implied',
  place: (list, contract) => {
    const isAsserted = list.invalid['damaged-cursor'] === 'refused' && isStated(contract, 'damaged-cursor');
    return isAsserted && documentsCondition(list, 'invalid') ? parameterPlace(list, list.collection.page.cursor) : undefined;
  },
  examine: async (context, list) => {
    const { page } = list.collection;
    const [first] = (await context.snapshot(list)).pagination.replies;
    const cursor = valueAt(first?.body, page.next);
    const halfCursors = typeof cursor === 'string' && cursor.length >= 4 ? [cursor.slice(0, Math.floor(cursor.length / 2))] : [];
    return examineInTurn(context, [madeUpCursor, halfCursor], ['touchstone-no-such-cursor', ...halfCursors], async (text) => {
      const reply = await context.ask({
        ...callFor({ operation: list, values: {}, limit: largestLimit(list) }, { [page.cursor]: text }),
        mayBeRefused: true,
      });
      return () => judgeDamaged(list, first, halfCursors.includes(text) ? halfCursor : madeUpCursor, reply);
    });
  },
});

/**
 * Judges the response to a damaged cursor. Any refusal is accepted, not only the documented one. A success is a violation. Half a cursor may happen to
 * be valid, so its success counts only with the first page.
 */
function judgeDamaged(list: ListOperation, first: Reply | undefined, mutant: MutantIdentity, reply: Reply): Judgement | undefined {
  const { status } = reply.response;
  if (status >= 500) return reportedBy('response/no-server-error');
  if (!isSuccess(reply)) return agrees(mutant);
  const [records = [], firstRecords = []] = [recordsIn(reply), first === undefined ? [] : recordsIn(first)];
  const firstPageKeys = new Set(keysOf(list, firstRecords));
  const sharedCount = records.filter((record) => firstPageKeys.has(recordKeyOf(list, record))).length;
  const isRestart = records.length > 0 && sharedCount * 2 > Math.min(records.length, firstPageKeys.size);
  if (!isRestart && mutant !== madeUpCursor) return undefined;
  return contradicts({
    replies: definedOf(first, reply),
    expected: `${list.id} with a damaged cursor must respond with ${statusOf(list, 'invalid')}`,
    actual: `the status is ${status}, with ${isRestart ? 'the first page' : countNoun(records.length, 'record')}`,
    mutant,
  });
}

/** The rules, in the order of a run. */
export const cursorSinglePageRules: readonly Rule[] = [limitSize, limitDefault, nextCursor, limitBounds, damagedCursor];

/** Rules of the group `visible`: hidden records appear in no list, total, error or search result. Most need `--hidden KEY`. */

import type { Visibility } from '../../../core/annotations/annotations.ts';
import { countNoun } from '../../../core/count-noun.ts';
import { isObject, type Json, printJson } from '../../../core/json.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { showPointer, valueAt } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { foldText } from '../../../core/query/query.ts';
import { encodeAnyText, isSuccess, type Reply, recordsIn } from '../evidence/call.ts';
import { collectionPlace } from '../evidence/clause-places.ts';
import { takeEvenly } from '../evidence/filter-values.ts';
import { locateRecord } from '../evidence/locate-record-in-reply.ts';
import {
  isNumbered,
  isPage,
  losesRecords,
  reportedTotals,
  requestedPageOf,
  servedLimit,
  totalPart,
} from '../evidence/pagination/numbered-pages.ts';
import { totalIn } from '../evidence/pagination/pagination.ts';
import { readFirstPageOfParts } from '../evidence/read-filtered-lists.ts';
import { keysIn, keysOf, recordKeyOf } from '../evidence/record-keys-and-filters.ts';
import { isUnchangedList } from '../evidence/record-readings.ts';
import type { RoundContext } from '../evidence/round-context.ts';
import { searchCall, searchParameter, searchWords } from '../evidence/search-requests.ts';
import { findRecordList, isRecordRead, recordListOf, unknownIdentity } from '../evidence/single-record-calls.ts';
import type { Snapshot } from '../evidence/snapshot.ts';
import { describeRecords, showField } from './describe-values.ts';
import {
  agrees,
  type Candidate,
  type Contradiction,
  candidate,
  contradicts,
  dataMoved,
  examineInTurn,
  type Judgement,
  type Judgements,
  type Rule,
  reportedBy,
  ruleAbout,
  type Untestable,
} from './rule.ts';

/** A list with hidden records. */
type VisibleList = ListOperation & { readonly collection: { readonly visible: Visibility } };

/** True for a list with hidden records. */
function hidesRecords(operation: Operation): operation is VisibleList {
  return isList(operation) && operation.collection.visible !== undefined;
}

/** The setting that a rule needs to know a hidden record. */
const hiddenKeyMissing = 'the key of a record that is known to be hidden: --hidden KEY';
const withoutHiddenKey: Untestable = { untestable: hiddenKeyMissing, option: { name: 'hidden' } };

/** The hidden keys to try; fewer in a quick run. */
function hiddenKeys(context: RoundContext): readonly string[] {
  return context.hidden.slice(0, context.quick ? 1 : 3);
}

/** True for a record that is hidden by its own fields. */
function isHidden({ collection: { visible } }: VisibleList, record: DataRecord): boolean {
  const level = valueAt(record, visible.field);
  return level !== undefined && !visible.shown.includes(String(level));
}

/** True for a record with one of the hidden keys. */
function hasKey(operation: ListOperation, record: DataRecord, keys: readonly string[]): boolean {
  const key = recordKeyOf(operation, record);
  return keys.some((each) => printJson(each) === key || each === key);
}

/** The names of all members of a value, at any depth. */
function memberNames(value: Json | undefined): ReadonlySet<string> {
  if (Array.isArray(value)) return new Set((value as readonly Json[]).flatMap((each) => [...memberNames(each)]));
  if (!isObject(value)) return new Set();
  return new Set(Object.entries(value).flatMap(([name, member]) => [name, ...memberNames(member)]));
}

/** The words of a text: runs of letters and digits, without accents, in lower case. */
function foldedWords(text: string): readonly string[] {
  return [...new Set(foldText(text).match(/[\p{L}\p{N}]+/gu) ?? [])];
}

/** True for a list request without filters. */
function isUnfiltered({ collection }: VisibleList, { call }: Reply): boolean {
  return Object.keys(call.values ?? {}).every((name) => !collection.filters.has(name));
}

const hiddenListed = candidate('hidden-listed', 'a record that is known to be hidden (--hidden KEY)');

const hiddenNotListed = ruleAbout(hidesRecords, {
  id: 'visible/lists',
  title: 'Hidden records are not listed',
  why: 'Otherwise, everybody can read unpublished and restricted records.',
  strength: 'stated',
  place: (list) => collectionPlace(list, 'visible'),
  examine: async (context, list) => {
    await context.snapshot(list);
    await readFirstPageOfParts(context, list);
    const judge = (reply: Reply): Judgements => (reply.call.operation.id === list.id ? judgeListed(context, list, reply) : undefined);
    return { mutants: [hiddenListed], judge: () => context.replies.map(judge) };
  },
});

function judgeListed(context: RoundContext, list: VisibleList, reply: Reply): Judgement | undefined {
  const records = recordsIn(reply);
  if (records === undefined) return undefined;
  const hiddenRecords = records.filter((record) => isHidden(list, record));
  // A record from `--hidden` may be public by now, so its own fields decide.
  const hasEvidence = context.hidden.length > 0 && !records.some((record) => hasKey(list, record, context.hidden));
  if (hiddenRecords.length === 0) return hasEvidence ? agrees(hiddenListed) : agrees();
  const { field, shown } = list.collection.visible;
  const recordKeys = keysOf(list, hiddenRecords);
  return contradicts({
    replies: [reply],
    expected: `${list.id} must contain only records whose ${showPointer(field)} is ${shown.join(' or ')}`,
    actual: `the response contains ${describeRecords(list, recordKeys)}; ${showField(context.contract, list, hiddenRecords[0] ?? {}, field)}`,
    records: hiddenRecords.slice(0, 3),
    mutant: hiddenListed,
    recordKeys,
  });
}

const hiddenCounted = candidate('hidden-counted', hiddenKeyMissing);

const hiddenNotCounted = ruleAbout(hidesRecords, {
  id: 'visible/count',
  title: 'Hidden records are not counted',
  why: 'A growing total shows everybody that something is in preparation, and how much.',
  strength: 'stated',
  place: (list) => (isNumbered(list) && list.collection.page.total !== undefined ? collectionPlace(list, 'visible') : undefined),
  examine: async (context, list) => {
    const snapshot = await context.snapshot(list);
    return { mutants: [hiddenCounted], judge: () => judgeCount(context, list, snapshot) };
  },
});

function judgeCount(context: RoundContext, list: VisibleList, snapshot: Snapshot): Judgements {
  if (!snapshot.isComplete) return undefined;
  if (!isUnchangedList(snapshot)) return dataMoved(`${list.id} changed while it was read`);
  const visibleCount = snapshot.records.filter((record) => !isHidden(list, record)).length;
  const isWhole = Object.keys(snapshot.base).length === 0;
  const totals = reportedTotals(context, snapshot).filter(
    ({ reply }) => isWhole && isUnfiltered(list, reply) && reply.call.raw === undefined,
  );
  const largerTotal = totals.find(({ total }) => total > visibleCount);
  if (largerTotal !== undefined) {
    // A total that counts hidden records counts all that are known to be hidden, and does so every time.
    const surplus = largerTotal.total - visibleCount;
    const isSteady = totals.every(({ total }) => total === largerTotal.total);
    const countsHidden = isSteady && context.hidden.length > 0 && surplus >= context.hidden.length;
    const contradiction = contradicts({
      replies: [largerTotal.reply],
      expected: `the total of ${list.id} must be ${visibleCount}, the number of records in the whole list`,
      actual: `the total is ${largerTotal.total}, which is ${countNoun(surplus, 'record')} more`,
      ...totalPart(list.collection),
      mutant: countsHidden ? hiddenCounted : undefined,
    });
    return losesRecords(context, snapshot) ? reportedBy('pages/partition', contradiction) : contradiction;
  }
  if (totals.some(({ total }) => total < visibleCount)) return reportedBy('pages/total');
  return totals.map(() => (context.hidden.length > 0 ? agrees(hiddenCounted) : agrees()));
}

const hiddenRead = candidate('hidden-read', hiddenKeyMissing);
const hiddenInError = candidate('hidden-in-failure', hiddenKeyMissing);

const hiddenNotRead = ruleAbout(isRecordRead, {
  id: 'visible/single',
  title: 'No response shows a hidden record, not even an error',
  why: 'Anybody who guesses the name of a hidden record can read it.',
  strength: 'stated',
  place: (operation, contract) => {
    const list = findRecordList(operation, contract);
    return list !== undefined && hidesRecords(list) ? collectionPlace(list, 'visible') : undefined;
  },
  examine: async (context, operation) => {
    const list = recordListOf(context, operation);
    // The parameter that takes the key of the list.
    const [parameter] = [...operation.resource.by].find(([, field]) => field === list.collection.key) ?? [];
    if (!hidesRecords(list) || parameter === undefined || context.hidden.length === 0) return withoutHiddenKey;
    const snapshot = await context.snapshot(list);
    const unknownReply = await context.ask({ operation, values: unknownIdentity(operation) });
    const replies: Reply[] = [];
    for (const key of hiddenKeys(context)) replies.push(await context.ask({ operation, values: { [parameter]: key } }));
    const hiddenReplies = replies.filter((reply) => !isPublic(context, list, reply));
    if (replies.length > 0 && hiddenReplies.length === 0)
      return {
        untestable: `${hiddenKeys(context).join(' and ')} is not hidden: ${operation.id} shows it as ${list.collection.visible.shown.join(' or ')}`,
      };
    const fields = new Set(snapshot.records.slice(0, 20).flatMap((record) => [...memberNames(record)]));
    return {
      mutants: [hiddenRead, hiddenInError],
      judge: () => hiddenReplies.map((reply) => judgeHidden(context, list, reply, unknownReply, fields)),
    };
  },
});

/** True if a reply shows a record that is public by its own fields. */
function isPublic(context: RoundContext, list: VisibleList, reply: Reply): boolean {
  const record = locateRecord(context.contract, reply)?.record;
  return record !== undefined && !isHidden(list, record);
}

/** The identifier in the request of a reply. */
function requestedIdentifier({ call }: Reply): string {
  return String(Object.values(call.values ?? {})[0] ?? '');
}

function judgeHidden(context: RoundContext, list: VisibleList, reply: Reply, unknownReply: Reply, fields: ReadonlySet<string>): Judgement {
  const key = requestedIdentifier(reply);
  const { status } = reply.response;
  const contradiction = (actual: string, mutant: Candidate): Contradiction =>
    contradicts({ replies: [reply], expected: `${reply.call.operation.id} must show nothing of the hidden record ${key}`, actual, mutant });
  if (isSuccess(reply)) {
    const record = locateRecord(context.contract, reply)?.record;
    if (record === undefined && isSuccess(unknownReply)) return reportedBy('details/absent');
    const withRecord = record === undefined ? '' : `, with ${describeRecords(list, [recordKeyOf(list, record)])}`;
    return { ...contradiction(`the status is ${status}${withRecord}`, hiddenRead), records: record === undefined ? [] : [record] };
  }
  if (status >= 500) return reportedBy('response/no-server-error');
  const [names, usualNames] = [memberNames(reply.body), memberNames(unknownReply.body)];
  const revealedNames = [...names].filter((name) => fields.has(name) && !usualNames.has(name));
  if (revealedNames.length >= 2) return contradiction(`the error contains the members ${revealedNames.join(', ')}`, hiddenInError);
  // A message that an unknown identifier gets too reveals nothing.
  const isUsual = containsWordsOf(unknownReply, key) || containsWordsOf(unknownReply, requestedIdentifier(unknownReply));
  return containsWordsOf(reply, key) && !isUsual
    ? contradiction('the error contains the words of its name', hiddenInError)
    : agrees(hiddenRead, hiddenInError);
}

/** True if an error contains all words of an identifier, apart from the identifier itself. */
function containsWordsOf({ response }: Reply, key: string): boolean {
  const keyWords = foldedWords(key).filter((word) => word.length > 2);
  const words = new Set(foldedWords(response.body.replaceAll(key, ' ').replaceAll(encodeAnyText(key), ' ')));
  return keyWords.length >= 2 && keyWords.every((word) => words.has(word));
}

const searchableRecord = 'a listed record that a search for a word of its key finds';
const hiddenFound = candidate('hidden-found', searchableRecord);
const hiddenFoundCount = candidate('hidden-found-count', searchableRecord);

const hiddenNotFound = ruleAbout(hidesRecords, {
  id: 'visible/search',
  title: 'Searching neither finds nor counts hidden records',
  why: 'A search shows that a hidden record contains a word, and often more.',
  strength: 'stated',
  place: (list) => (searchParameter(list) === undefined ? undefined : collectionPlace(list, 'visible')),
  examine: async (context, list) => {
    if (context.hidden.length === 0) return withoutHiddenKey;
    const snapshot = await context.snapshot(list);
    const isSearchable = await findsByKey(context, snapshot);
    const words = hiddenKeys(context).flatMap((key) => searchWords(key).slice(0, context.quick ? 1 : 2));
    return examineInTurn(context, [hiddenFound, hiddenFoundCount], words, async (word) => {
      const reply = await context.ask(searchCall(context, list, word));
      return () => judgeSearchForHidden(context, list, snapshot, reply, isSearchable);
    });
  },
});

/** True if a search for a word of a key finds its record. Only then can it find a hidden record. */
async function findsByKey(context: RoundContext, snapshot: Snapshot): Promise<boolean> {
  const { operation } = snapshot;
  for (const record of takeEvenly(snapshot.records, 2)) {
    const [word] = searchWords(String(valueAt(record, operation.collection.key) ?? ''));
    const keys = word === undefined ? [] : keysIn(await context.ask(searchCall(context, operation, word)));
    if (keys.includes(recordKeyOf(operation, record))) return true;
  }
  return false;
}

function judgeSearchForHidden(
  context: RoundContext,
  list: VisibleList,
  snapshot: Snapshot,
  reply: Reply,
  isSearchable: boolean,
): Judgement {
  const records = recordsIn(reply);
  if (!isPage(reply) || records === undefined) return reportedBy('response/status');
  const visibleKeys = new Set(snapshot.records.filter((record) => !isHidden(list, record)).map((record) => recordKeyOf(list, record)));
  const hiddenRecords = records.filter(
    (record) => isHidden(list, record) || (hasKey(list, record, context.hidden) && !visibleKeys.has(recordKeyOf(list, record))),
  );
  const subject = `searching ${list.id} for ${String(requestedPageOf(reply)?.values[searchParameter(list) ?? ''] ?? '')}`;
  const recordKeys = keysOf(list, hiddenRecords);
  if (hiddenRecords.length > 0)
    return contradicts({
      replies: [reply],
      expected: `${subject} must find no hidden record`,
      actual: `the response contains ${describeRecords(list, recordKeys)}`,
      records: hiddenRecords.slice(0, 3),
      mutant: hiddenFound,
      recordKeys,
    });
  const isTotalCorrect = hasCorrectTotal(context, list, reply, records.length);
  if (isTotalCorrect === undefined) return isSearchable ? agrees(hiddenFound) : agrees();
  if (isTotalCorrect) return isSearchable ? agrees(hiddenFound, hiddenFoundCount) : agrees();
  // A changed total of the whole list looks like a total with hidden records.
  if (!isUnchangedList(snapshot)) return dataMoved(`records of ${list.id} were added or deleted during the search`);
  return contradicts({
    replies: [reply],
    expected: `${subject} must return the total ${records.length}, the number of records that it finds`,
    actual: `the total is ${totalIn(list.collection.page, reply)}`,
    ...totalPart(list.collection),
    mutant: hiddenFoundCount,
  });
}

/** True if the total of a complete page counts only its records; `undefined` if it may count the whole list. */
function hasCorrectTotal(context: RoundContext, list: VisibleList, reply: Reply, records: number): boolean | undefined {
  const { page } = list.collection;
  const total = totalIn(page, reply);
  if (total === undefined || records >= (servedLimit(reply) ?? 0) || total < records) return undefined;
  const isOverall = (each: Reply): boolean =>
    each.call.operation.id === list.id && isUnfiltered(list, each) && totalIn(page, each) === total;
  return total === records || (context.replies.some(isOverall) ? undefined : false);
}

/** The rules, in the order of a run. */
export const hiddenRecordRules: readonly Rule[] = [hiddenNotListed, hiddenNotCounted, hiddenNotRead, hiddenNotFound];

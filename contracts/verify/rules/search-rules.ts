/** Rules of the group `search`: a text search of a list finds something, and not everything. They do not predict which records match. */

import { countNoun } from '../../../core/count-noun.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { createMask, personalPlaceholder } from '../../../core/redaction/mask-personal-data.ts';
import { isSuccess, type Reply, recordsIn } from '../evidence/call.ts';
import { filterPlace } from '../evidence/clause-places.ts';
import { takeEvenly } from '../evidence/filter-values.ts';
import { locateRecord } from '../evidence/locate-record-in-reply.ts';
import { keysOf, recordKeyOf } from '../evidence/record-keys-and-filters.ts';
import type { RoundContext } from '../evidence/round-context.ts';
import { meaninglessTexts, searchCall, searchParameter, searchWords, textsOf } from '../evidence/search-requests.ts';
import { callForRecord, findRecordRead } from '../evidence/single-record-calls.ts';
import type { Snapshot } from '../evidence/snapshot.ts';
import { describeRecords } from './describe-values.ts';
import { agrees, candidate, contradicts, dataMoved, examineInTurn, type Judgement, type Rule, reportedBy, ruleAbout } from './rule.ts';

/** The place of the search of a list; `undefined` for a list without one. */
function searchPlace(list: ListOperation): ReturnType<Rule['clause']> {
  const parameter = searchParameter(list);
  return parameter === undefined ? undefined : filterPlace(list, parameter);
}

const searchFallsBack = candidate('search-falls-back', 'a list with at least three records');

const narrowsRule = ruleAbout(isList, {
  id: 'search/narrows',
  title: 'A search without a match does not return everything',
  why: 'An ignored search looks like one with many results.',
  strength: 'stated',
  place: searchPlace,
  examine: async (context, list) => {
    const snapshot = await context.snapshot(list);
    return examineInTurn(context, [searchFallsBack], absentTexts(context, snapshot), async (text) => {
      const reply = await context.ask(searchCall(context, list, text));
      return () => judgeNarrowed(snapshot, reply, text);
    });
  },
});

/** Texts that no record contains. One has a quote, at which careless servers fail; the `response` rules judge such a failure. */
function absentTexts(context: RoundContext, snapshot: Snapshot): readonly string[] {
  const texts = meaninglessTexts(context, snapshot);
  return [...texts, ...(context.quick ? [] : texts.slice(-1).map((text) => `${text}'s`))];
}

/** Judges the reply to a search for an absent text. It is wrong if it has every record of the first page of the whole list. */
function judgeNarrowed({ operation, pagination }: Snapshot, reply: Reply, text: string): Judgement | undefined {
  const records = recordsIn(reply);
  const firstPage = pagination.pages[0] ?? [];
  if (!isSuccess(reply) || records === undefined) return reportedBy('filters/no-match');
  if (firstPage.length < 3) return undefined;
  const returnedKeys = new Set(keysOf(operation, records));
  if (!firstPage.every((record) => returnedKeys.has(recordKeyOf(operation, record)))) return agrees(searchFallsBack);
  return contradicts({
    replies: [...pagination.replies.slice(0, 1), reply],
    expected: `searching ${operation.id} for ${text} must not return every record`,
    actual: `the response contains ${countNoun(records.length, 'record')}, as without a search`,
    mutant: searchFallsBack,
  });
}

const findsNothing = candidate(
  'search-finds-nothing',
  'a record with a text of several words that does not change while they are searched for',
);

const findsRule = ruleAbout(isList, {
  id: 'search/finds',
  title: 'A search for a word of a record finds something',
  why: 'A search that never finds anything looks like an empty list.',
  strength: 'stated',
  place: searchPlace,
  examine: async (context, list) => {
    const snapshot = await context.snapshot(list);
    const wholeTexts = new Set(snapshot.records.flatMap((record) => textsOf(record).map((text) => text.toLowerCase())));
    const attempts: SearchAttempt[] = [];
    const isFoundYet = (): boolean => attempts.some(({ reply }) => isFound(reply));
    for (const record of takeEvenly(snapshot.records, context.quick ? 1 : 2)) {
      if (isFoundYet()) break;
      const { words, areEnough } = await wordsIn(context, list, record, wholeTexts);
      for (const text of words)
        if (!isFoundYet()) attempts.push({ record, text, areEnough, reply: await context.ask(searchCall(context, list, text)) });
    }
    return { mutants: [findsNothing], judge: () => judgeFound(context, list, attempts) };
  },
});

interface SearchAttempt {
  readonly record: DataRecord;
  readonly text: string;
  /** True if the words of the record are from every field that a server may search. */
  readonly areEnough: boolean;
  readonly reply: Reply;
}

function isFound(reply: Reply): boolean {
  return isSuccess(reply) && (recordsIn(reply)?.length ?? 0) > 0;
}

/** Maximum number of words of one record to search for. */
const maxWordsPerRecord = 5;

/**
 * Words to search for: from the listed fields of a record, from its single read, and from its key. Words that are a whole text of a listed record are left
 * out, and so is personal data. Servers may search some fields only: the words are enough if a listed text of several words gives one, and the texts that only
 * the single read has give one too.
 */
async function wordsIn(
  context: RoundContext,
  list: ListOperation,
  record: DataRecord,
  wholeTexts: ReadonlySet<string>,
): Promise<{ readonly words: readonly string[]; readonly areEnough: boolean }> {
  const { maskRecord } = createMask(context.contract);
  const longestWords = (text: string): readonly string[] => searchWords(text).slice(0, 2);
  const listedWords = textsOf(maskRecord(list, record)).slice(0, 2).flatMap(longestWords);
  const keyWords = searchWords(String(valueAt(record, list.collection.key) ?? '')).slice(0, 1);
  const readOperation = findRecordRead(list, context.contract);
  const call = readOperation && callForRecord(readOperation, record);
  const detail = call && locateRecord(context.contract, await context.ask(call))?.record;
  const detailWords = detail === undefined ? [] : textsOf(detail).slice(0, 1).flatMap(longestWords);
  const words = [...new Set([...listedWords, ...detailWords, ...keyWords])]
    .filter((text) => !wholeTexts.has(text.toLowerCase()) && !personalPlaceholder.includes(text))
    .slice(0, maxWordsPerRecord);
  const hasWordOf = (texts: readonly string[]): boolean => texts.flatMap(searchWords).some((word) => words.includes(word));
  const onlyInDetail = Object.fromEntries(Object.entries(detail ?? {}).filter(([name]) => !(name in record)));
  const needsDetail = Object.values(onlyInDetail).some((value) => typeof value === 'string');
  const areEnough = hasWordOf(textsOf(record).filter((text) => /\s/.test(text))) && (!needsDetail || hasWordOf(textsOf(onlyInDetail)));
  return { words, areEnough };
}

function judgeFound(context: RoundContext, list: ListOperation, attempts: readonly SearchAttempt[]): Judgement | undefined {
  if (attempts.some(({ reply }) => isFound(reply))) return agrees(findsNothing);
  const [first, last] = [attempts[0], attempts.at(-1)];
  if (first === undefined || last === undefined || !attempts.some(({ areEnough }) => areEnough)) return undefined;
  if (!attempts.every(({ reply }) => isSuccess(reply))) return reportedBy('filters/no-match');
  const keys = [...new Set(attempts.map(({ record }) => recordKeyOf(list, record)))];
  const readings = context.readings(list);
  const recordKeys = keys.filter((key) => readings.unchangedDuring(key, first.reply.startedMs, last.reply.endedMs) !== undefined);
  if (recordKeys.length === 0) return dataMoved(`${describeRecords(list, keys)} did not stay unchanged`);
  return contradicts({
    replies: attempts.map(({ reply }) => reply).slice(0, 3),
    expected: `searching ${list.id} for one of ${attempts.map(({ text }) => text).join(', ')}, words of ${describeRecords(list, recordKeys)}, must find a record`,
    actual: 'no search finds a record',
    records: [first.record],
    mutant: findsNothing,
    recordKeys,
  });
}

/** The rules, in the order of a run. */
export const searchRules: readonly Rule[] = [narrowsRule, findsRule];

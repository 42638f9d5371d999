/**
 * Sends a search and a filter in one request, and judges whether one of them is ignored. One that is ignored alone is left to `filters/sound` and
 * `search/narrows`.
 */

import { countNoun } from '../../../../core/count-noun.ts';
import type { Json } from '../../../../core/json.ts';
import type { ListOperation } from '../../../../core/openapi/list-operation.ts';
import { valueAt } from '../../../../core/pointer.ts';
import type { DataRecord } from '../../../../core/query/query.ts';
import { createMask, personalPlaceholder } from '../../../../core/redaction/mask-personal-data.ts';
import { isSuccess, type Reply, recordsIn } from '../../evidence/call.ts';
import { predictableFilters } from '../../evidence/filter-values.ts';
import { firstPageCall } from '../../evidence/pagination/pagination.ts';
import { checkpointOf, keysOf, matchingRecords, recordKeyOf } from '../../evidence/record-keys-and-filters.ts';
import type { RoundContext } from '../../evidence/round-context.ts';
import { meaninglessTexts, searchCall, searchParameter, searchWords, textsOf } from '../../evidence/search-requests.ts';
import type { Snapshot } from '../../evidence/snapshot.ts';
import { describeValues } from '../describe-values.ts';
import { agrees, type Candidate, candidate, contradicts, type Examination, type Judgement, reportedBy } from '../rule.ts';
import { judgeUnmatched } from './examine-filters.ts';

/** The filter that a search is combined with, which is no checkpoint; `undefined` for a list without such a filter or without a search. */
export function filterBesideSearch({ contract }: Pick<RoundContext, 'contract'>, operation: ListOperation): string | undefined {
  if (searchParameter(operation) === undefined) return undefined;
  return predictableFilters(contract, operation).find(
    (name) => name !== checkpointOf(operation) && operation.collection.filters.get(name)?.operator !== 'matches',
  );
}

/** The mutants that ignore one of the two parameters when both are sent. */
const ignoringMutants = {
  filter: candidate('filter-beside-search-ignored', 'a word that finds records with two values of a filter'),
  search: candidate('search-beside-filter-ignored', 'three records with the same value of a filter'),
} satisfies Readonly<Record<string, Candidate>>;

/** Maximum number of words to search for until one finds records with different values of the filter. */
const maxWords = 4;

/** Sends a search with a filter for a word that finds records, and for a text that no record contains. */
export async function examineSearchWithFilter(context: RoundContext, operation: ListOperation, name: string): Promise<Examination> {
  const snapshot = await context.snapshot(operation);
  const judges: (() => Judgement)[] = [];
  const searchWithin = (text: string, value: Json): Promise<Reply> => {
    const call = searchCall(context, operation, text);
    return context.ask({ ...call, values: { ...call.values, [name]: value } });
  };
  const wordWithValue = await findWordOfSeveralValues(context, snapshot, name);
  if (wordWithValue !== undefined) {
    const { text, value } = wordWithValue;
    const reply = await searchWithin(text, value);
    const filterReply = await context.ask(firstPageCall(operation, { [name]: value }));
    judges.push(() => judgeIgnoredFilter(context, operation, name, reply, filterReply));
  }
  const [absentText] = meaninglessTexts(context, snapshot).slice(-1);
  const commonValue = valuesOf(operation, name, snapshot.records).find((value) => recordsWith(snapshot, name, value).length >= 3);
  if (commonValue !== undefined && absentText !== undefined) {
    const reply = await searchWithin(absentText, commonValue);
    const searchReply = await context.ask(searchCall(context, operation, absentText));
    judges.push(() => judgeIgnoredSearch(snapshot, name, recordsWith(snapshot, name, commonValue), reply, searchReply));
  }
  return { mutants: Object.values(ignoringMutants), judge: () => judges.map((judge) => judge()) };
}

/** Finds a word that records with different filter values contain, with one of these values. */
async function findWordOfSeveralValues(
  context: RoundContext,
  snapshot: Snapshot,
  name: string,
): Promise<{ readonly text: string; readonly value: Json } | undefined> {
  const { operation } = snapshot;
  for (const text of frequentWords(context, snapshot)) {
    const reply = await context.ask(searchCall(context, operation, text));
    const [value, ...otherValues] = valuesOf(operation, name, recordsIn(reply) ?? []);
    if (isSuccess(reply) && value !== undefined && otherValues.length > 0) return { text, value };
  }
  return undefined;
}

/** The most frequent words of the records, without personal data. */
function frequentWords(context: RoundContext, { operation, records }: Snapshot): readonly string[] {
  const { maskRecord } = createMask(context.contract);
  const counts = new Map<string, number>();
  for (const record of records) {
    // Only texts of several words are titles or descriptions. A single word may be a code or a path.
    const texts = textsOf(maskRecord(operation, record)).filter((text) => /\s/.test(text));
    const words = new Set(texts.flatMap((text) => searchWords(text).map((word) => word.toLowerCase())));
    for (const word of words) if (!personalPlaceholder.includes(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const sorted = [...counts].toSorted(([left, leftCount], [right, rightCount]) => rightCount - leftCount || (left < right ? -1 : 1));
  return sorted.slice(0, maxWords).map(([word]) => word);
}

function valuesOf(operation: ListOperation, name: string, records: readonly DataRecord[]): readonly Json[] {
  const filter = operation.collection.filters.get(name);
  if (filter === undefined || filter.operator === 'matches') return [];
  const values = records.map((record) => valueAt(record, filter.field)).filter((value) => value !== undefined && value !== null);
  return [...new Set(values)].map((value): Json => (filter.operator === 'any-of' ? [value] : value));
}

function recordsWith({ operation, records }: Snapshot, name: string, value: Json): readonly DataRecord[] {
  return matchingRecords(operation, records, { [name]: value });
}

/** Judges a search beside a filter by the filter. If the filter is ignored without a search too, another rule reports that. */
function judgeIgnoredFilter(context: RoundContext, operation: ListOperation, name: string, reply: Reply, filterReply: Reply): Judgement {
  if (!isSuccess(reply) || recordsIn(reply) === undefined) return reportedBy('filters/no-match');
  const finding = judgeUnmatched(context, operation, reply, [name]);
  if (finding === undefined) return agrees(ignoringMutants.filter);
  const isIgnoredAlone = judgeUnmatched(context, operation, filterReply, [name]) !== undefined;
  if (isIgnoredAlone) return reportedBy('filters/sound');
  return { ...finding, expected: describeExpectation(operation, name, reply), mutant: ignoringMutants.filter };
}

/** Judges a search without matches beside a filter: it is ignored if all records that pass the filter are returned, unless it is ignored alone too. */
function judgeIgnoredSearch(
  { operation, pagination }: Snapshot,
  name: string,
  passingRecords: readonly DataRecord[],
  reply: Reply,
  searchReply: Reply,
): Judgement {
  const records = recordsIn(reply);
  if (!isSuccess(reply) || records === undefined) return reportedBy('filters/no-match');
  const returnedKeys = new Set(keysOf(operation, records));
  if (!passingRecords.every((record) => returnedKeys.has(recordKeyOf(operation, record)))) return agrees(ignoringMutants.search);
  if ((recordsIn(searchReply)?.length ?? 0) > 0) return reportedBy('search/narrows');
  return contradicts({
    replies: [...pagination.replies.slice(0, 1), reply],
    expected: describeExpectation(operation, name, reply),
    actual: `the response contains ${countNoun(records.length, 'record')}, as without the search`,
    mutant: ignoringMutants.search,
  });
}

/** Says what a search with a filter must return. Other parameters of the request, such as its page size, do not matter. */
function describeExpectation(operation: ListOperation, name: string, { call: { values = {} } }: Reply): string {
  const combinedNames = [searchParameter(operation), name];
  const combined = Object.fromEntries(Object.entries(values).filter(([each]) => combinedNames.includes(each)));
  return `${operation.id} with ${describeValues(combined)} must return only records that match both`;
}

/**
 * Sends a search and a filter in one request, and judges if one of them is ignored. `filter-rules.ts` calls it for `filters/conjunction` at lists with a single
 * filter beside the search, to choose operations and when a round examines the rule. A parameter that is ignored alone is left to `filters/sound` and
 * `search/narrows`.
 */

import { countNoun } from '../../../../core/count-noun.ts';
import type { Json } from '../../../../core/json.ts';
import type { ListOperation } from '../../../../core/openapi/list-operation.ts';
import { valueAt } from '../../../../core/pointer.ts';
import type { DataRecord } from '../../../../core/query/query.ts';
import { createMask, personalPlaceholder } from '../../../../core/redaction/mask-personal-data.ts';
import { isSuccess, type Reply, recordsIn } from '../../evidence/call-and-reply.ts';
import { predictableFilters } from '../../evidence/filter-values.ts';
import { callFor, largestLimit } from '../../evidence/pagination/pagination-and-page-sizes.ts';
import { checkpointOf, keyOf, keysOf, matchingRecords, nonMatchingRecords } from '../../evidence/record-keys-and-filters.ts';
import type { RoundContext } from '../../evidence/round-context.ts';
import { meaninglessTexts, searchCall, searchParameter, searchWords, textsOf } from '../../evidence/search-calls-and-texts.ts';
import type { Snapshot } from '../../evidence/snapshot.ts';
import {
  agrees,
  type Candidate,
  type Contradiction,
  candidate,
  contradicts,
  type Examination,
  type Judgement,
  reportedBy,
} from '../rule-and-findings.ts';

/** The filter that a search is combined with; `undefined` for a list without a search or a filter. */
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

/** Number of words to search for until one finds records with different values of the filter. */
const maxWords = 4;

/** Sends a search with a filter for a word that finds records, and for a text that no record contains. Called by the rule `filters/conjunction`. */
export async function examineSearchWithFilter(context: RoundContext, operation: ListOperation, name: string): Promise<Examination> {
  const snapshot = await context.snapshot(operation);
  const searchWithin = (searchText: string, value: Json): Promise<Reply> => {
    const call = searchCall(context, operation, searchText);
    return context.ask({ ...call, values: { ...call.values, [name]: value } });
  };
  const filterOnly = (value: Json): Promise<Reply> =>
    context.ask(callFor({ operation, values: { [name]: value }, limit: largestLimit(operation) }, {}));
  const wordOfSeveralValues = await findWordOfSeveralValues(context, snapshot, name);
  const valueOfSeveralRecords = commonValue(snapshot, name);
  const searches: CombinedSearch[] = [];
  if (wordOfSeveralValues !== undefined)
    searches.push({
      ...wordOfSeveralValues,
      name,
      reply: await searchWithin(wordOfSeveralValues.text, wordOfSeveralValues.value),
      testedAlone: await filterOnly(wordOfSeveralValues.value),
    });
  const [text] = meaninglessTexts(context, snapshot).slice(-1);
  if (valueOfSeveralRecords !== undefined && text !== undefined) {
    const testedAlone = await context.ask(searchCall(context, operation, text));
    searches.push({ ...valueOfSeveralRecords, text, name, reply: await searchWithin(text, valueOfSeveralRecords.value), testedAlone });
  }
  return {
    mutants: [ignoringMutants.filter, ignoringMutants.search],
    judge: () => searches.flatMap((search) => judgeCombinedSearch(snapshot, search)),
  };
}

/** A search and a filter in one request. */
interface CombinedSearch extends FilterValue {
  readonly text: string;
  readonly name: string;
  readonly reply: Reply;
  /** The reply to the tested parameter alone. If it is ignored there too, another rule reports that. */
  readonly testedAlone: Reply;
}

/** A value of the filter. */
interface FilterValue {
  readonly value: Json;
  /** The reply without the tested parameter. */
  readonly withoutTested: Reply | undefined;
  /** All records with the value; only for a text that no record contains. */
  readonly all?: readonly DataRecord[];
}

/** Finds a word that several records with different filter values contain, and returns one of the values. */
async function findWordOfSeveralValues(
  context: RoundContext,
  snapshot: Snapshot,
  name: string,
): Promise<(FilterValue & { readonly text: string }) | undefined> {
  const { operation } = snapshot;
  for (const text of frequentWords(context, snapshot)) {
    const searchReply = await context.ask(searchCall(context, operation, text));
    const values = valuesOf(operation, name, recordsIn(searchReply) ?? []);
    const [value] = values;
    if (isSuccess(searchReply) && value !== undefined && values.length > 1) return { text, value, withoutTested: searchReply };
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

/** The first value of the filter that at least three records have. */
function commonValue({ operation, records, pagination }: Snapshot, name: string): FilterValue | undefined {
  for (const value of valuesOf(operation, name, records)) {
    const all = matchingRecords(operation, records, { [name]: value });
    if (all.length >= 3) return { value, withoutTested: pagination.replies[0], all };
  }
  return undefined;
}

function judgeCombinedSearch({ operation }: Snapshot, search: CombinedSearch): readonly Judgement[] {
  const { reply, all } = search;
  if (!isSuccess(reply) || recordsIn(reply) === undefined) return [reportedBy('filters/no-match')];
  return [all === undefined ? judgeIgnoredFilter(operation, search) : judgeIgnoredSearch(operation, search, all)];
}

function judgeIgnoredFilter(operation: ListOperation, search: CombinedSearch): Judgement {
  const { reply, value, name, testedAlone } = search;
  const wrongRecordsIn = (each: Reply): readonly DataRecord[] => nonMatchingRecords(operation, recordsIn(each) ?? [], { [name]: value });
  const wrongRecords = wrongRecordsIn(reply);
  if (wrongRecords.length === 0) return agrees(ignoringMutants.filter);
  if (wrongRecordsIn(testedAlone).length > 0) return reportedBy('filters/sound');
  return contradict(
    operation,
    search,
    wrongRecords,
    `the response also contains ${countNoun(wrongRecords.length, 'record')} with another ${name}`,
    ignoringMutants.filter,
  );
}

function judgeIgnoredSearch(operation: ListOperation, search: CombinedSearch, all: readonly DataRecord[]): Judgement {
  const { reply, testedAlone } = search;
  const returnedKeys = new Set(keysOf(operation, recordsIn(reply) ?? []));
  if (!all.every((record) => returnedKeys.has(keyOf(operation, record)))) return agrees(ignoringMutants.search);
  if ((recordsIn(testedAlone)?.length ?? 0) > 0) return reportedBy('search/narrows');
  return contradict(
    operation,
    search,
    [],
    `the response contains ${countNoun(recordsIn(reply)?.length ?? 0, 'record')}, as without the search`,
    ignoringMutants.search,
  );
}

function contradict(
  operation: ListOperation,
  { name, value, text, withoutTested, reply }: CombinedSearch,
  records: readonly DataRecord[],
  actual: string,
  { id, title }: Candidate,
): Contradiction {
  const replies = withoutTested === undefined ? [reply] : [withoutTested, reply];
  const parametersText = `${name}=${[value].flat().join(',')} and ${searchParameter(operation)}=${text}`;
  const expected = `${operation.id} with ${parametersText} must return only records that match both`;
  return contradicts({ replies, expected, actual, records: records.slice(0, 3), mutant: { id, title } });
}

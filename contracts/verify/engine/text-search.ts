/** Searching a list by text: the parameter for it, texts worth searching for, and searching within what a filter selects. */

import { isObject, type Json } from '../../../core/json.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { personal } from '../../../core/redaction/mask-text.ts';
import { createMask } from '../../../core/redaction/personal-data.ts';
import {
  agrees,
  type Candidate,
  type Contradiction,
  candidate,
  contradicts,
  count,
  type Examination,
  explainedBy,
  type Judgement,
} from '../rules/rule.ts';
import { type Call, isSuccess, type Reply, recordsIn } from './call.ts';
import { predictableFilters } from './filter-values.ts';
import { callFor, keyOf, toFilterArguments } from './paginate.ts';
import { drawMeaningless } from './random-requests.ts';
import type { RunContext } from './run-context.ts';
import { checkpointOf, largestPage, type Snapshot } from './snapshot.ts';

/** The parameter by which an operation searches for text. */
export function searchParameter(operation: Operation): string | undefined {
  return isList(operation) ? [...operation.collection.filters].find(([, filter]) => filter.operator === 'matches')?.[0] : undefined;
}

/** The call that searches a list. */
export function searchCall(context: RunContext, operation: ListOperation, text: string): Call {
  const name = searchParameter(operation);
  if (name === undefined) throw new TypeError(`${operation.id} of ${context.contract.name} cannot be searched`);
  return callFor({ operation, values: { [name]: text }, limit: largestPage(operation) }, {});
}

/** Texts without meaning: one that begins like most records, in case only the beginning is looked at, and one that begins like nothing. */
export function meaninglessTexts({ seed, quick }: RunContext, { records }: Snapshot): readonly string[] {
  const all = records.slice(0, 50).flatMap(textsOf).join('').toLowerCase();
  const often = [...'aeiourstn'].toSorted((left, right) => all.split(right).length - all.split(left).length)[0] ?? 'a';
  return drawMeaningless(seed, quick ? [often] : [often, 'q']);
}

/** Words shorter than this are left out by many searches. */
const shortest = 4;

/** The words of a text as they stand there, markup left out, the longest first. */
export function searchWords(text: string): readonly string[] {
  const plain = text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/&[a-z0-9#]+;/gi, ' ');
  const words = plain.match(/\p{L}+/gu) ?? [];
  return [...new Set(words)].filter((word) => [...word].length >= shortest).toSorted((left, right) => right.length - left.length);
}

/** The texts of a record, those of many words first: titles and descriptions before levels and kinds. */
export function textsOf(record: Json): readonly string[] {
  const spaces = (text: string): number => text.split(/\s+/).length;
  return gatherTexts(record)
    .filter((text) => /\p{L}{4}/u.test(text))
    .toSorted((left, right) => spaces(right) - spaces(left));
}

function gatherTexts(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  return isObject(value) ? Object.values(value).flatMap(gatherTexts) : [];
}

/** The filter with listed values that a search is combined with; `undefined` where nothing can be combined. */
export function filterBesideSearch({ contract }: Pick<RunContext, 'contract'>, operation: ListOperation): string | undefined {
  if (searchParameter(operation) === undefined) return undefined;
  return predictableFilters(contract, operation).find(
    (name) => name !== checkpointOf(operation) && operation.collection.filters.get(name)?.operator !== 'matches',
  );
}

const mutants = {
  filter: candidate('filters/conjunction', 'filter-beside-search-ignored', 'a word that finds records of two kinds'),
  search: candidate('filters/conjunction', 'search-beside-filter-ignored', 'three records of one kind'),
} satisfies Readonly<Record<string, Candidate>>;

/** Number of words tried until one finds records that a filter tells apart. */
const tried = 4;

/** Searches with a filter beside it, for a word that finds something and for a text that nothing contains. */
export async function examineSearchWithin(context: RunContext, operation: ListOperation, name: string): Promise<Examination> {
  const snapshot = await context.snapshot(operation);
  const within = (text: string, value: Json): Promise<Reply> => {
    const call = searchCall(context, operation, text);
    return context.ask({ ...call, values: { ...call.values, [name]: value } });
  };
  const filtered = (value: Json): Promise<Reply> =>
    context.ask(callFor({ operation, values: { [name]: value }, limit: largestPage(operation) }, {}));
  const mixed = await findMixed(context, snapshot, name);
  const common = commonValue(snapshot, name);
  const made: Searched[] = [];
  if (mixed !== undefined) made.push({ ...mixed, name, reply: await within(mixed.text, mixed.value), single: await filtered(mixed.value) });
  const [text] = meaninglessTexts(context, snapshot).slice(-1);
  if (common !== undefined && text !== undefined) {
    const single = await context.ask(searchCall(context, operation, text));
    made.push({ ...common, text, name, reply: await within(text, common.value), single });
  }
  return { mutants: [mutants.filter, mutants.search], judge: () => made.flatMap((searched) => judge(snapshot, searched)) };
}

/** A search with a filter beside it. */
interface Searched extends Combined {
  readonly text: string;
  readonly name: string;
  readonly reply: Reply;
  /** The answer to that of the two by itself which must count beside the other: where it never counts, another rule says so. */
  readonly single: Reply;
}

interface Combined {
  readonly value: Json;
  /** The answer without the filter, or without the search. */
  readonly alone: Reply | undefined;
  /** The records of the value, where the search is for nothing. */
  readonly all?: readonly DataRecord[];
}

/** A word that finds records of several values, and one of the values. */
async function findMixed(
  context: RunContext,
  snapshot: Snapshot,
  name: string,
): Promise<(Combined & { readonly text: string }) | undefined> {
  const { operation } = snapshot;
  for (const text of frequentWords(context, snapshot)) {
    const alone = await context.ask(searchCall(context, operation, text));
    const values = valuesOf(operation, name, recordsIn(alone) ?? []);
    const [value] = values;
    if (isSuccess(alone) && value !== undefined && values.length > 1) return { text, value, alone };
  }
  return undefined;
}

/** The words that most records have, as long as none of them is about people. */
function frequentWords(context: RunContext, { operation, records }: Snapshot): readonly string[] {
  const { maskRecord } = createMask(context.contract);
  const counts = new Map<string, number>();
  for (const record of records) {
    // Texts of several words are titles and descriptions; a single word is a level, a kind or a path.
    const texts = textsOf(maskRecord(operation, record)).filter((text) => /\s/.test(text));
    const words = new Set(texts.flatMap((text) => searchWords(text).map((word) => word.toLowerCase())));
    for (const word of words) if (!personal.includes(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const sorted = [...counts].toSorted(([left, few], [right, many]) => many - few || (left < right ? -1 : 1));
  return sorted.slice(0, tried).map(([word]) => word);
}

function valuesOf(operation: ListOperation, name: string, records: readonly DataRecord[]): readonly Json[] {
  const filter = operation.collection.filters.get(name);
  if (filter === undefined || filter.operator === 'matches') return [];
  const values = records.map((record) => valueAt(record, filter.field)).filter((value) => value !== undefined && value !== null);
  return [...new Set(values)].map((value): Json => (filter.operator === 'any-of' ? [value] : value));
}

/** The first value that three records have. */
function commonValue({ operation, records, pagination }: Snapshot, name: string): Combined | undefined {
  for (const value of valuesOf(operation, name, records)) {
    const all = records.filter((record) => operation.collection.query.matches(record, toFilterArguments({ [name]: value })));
    if (all.length >= 3) return { value, alone: pagination.replies[0], all };
  }
  return undefined;
}

function judge({ operation }: Snapshot, searched: Searched): readonly Judgement[] {
  const { reply, all } = searched;
  if (!isSuccess(reply) || recordsIn(reply) === undefined) return [explainedBy('filters/no-match')];
  return [all === undefined ? judgeFilter(operation, searched) : judgeSearch(operation, searched, all)];
}

function judgeFilter(operation: ListOperation, searched: Searched): Judgement {
  const { reply, value, name, single } = searched;
  const strangersIn = (answer: Reply): readonly DataRecord[] =>
    (recordsIn(answer) ?? []).filter((record) => !operation.collection.query.matches(record, toFilterArguments({ [name]: value })));
  const strangers = strangersIn(reply);
  if (strangers.length === 0) return agrees(mutants.filter);
  if (strangersIn(single).length > 0) return explainedBy('filters/sound');
  return contradict(
    operation,
    searched,
    strangers,
    `the response also contains ${count(strangers.length, 'record')} with another ${name}`,
    mutants.filter,
  );
}

function judgeSearch(operation: ListOperation, searched: Searched, all: readonly DataRecord[]): Judgement {
  const { reply, single } = searched;
  const found = new Set((recordsIn(reply) ?? []).map((record) => keyOf(operation, record)));
  if (!all.every((record) => found.has(keyOf(operation, record)))) return agrees(mutants.search);
  if ((recordsIn(single)?.length ?? 0) > 0) return explainedBy('search/narrows');
  return contradict(
    operation,
    searched,
    [],
    `the response contains ${count(recordsIn(reply)?.length ?? 0, 'record')}, as without the search`,
    mutants.search,
  );
}

function contradict(
  operation: ListOperation,
  { name, value, text, alone, reply }: Searched,
  records: readonly DataRecord[],
  actual: string,
  { id, title }: Candidate,
): Contradiction {
  const replies = alone === undefined ? [reply] : [alone, reply];
  const asked = `${name}=${[value].flat().join(',')} and ${searchParameter(operation)}=${text}`;
  const expected = `${operation.id} with ${asked} must return only records that match both`;
  return contradicts({ replies, expected, actual, records: records.slice(0, 3), mutant: { id, title } });
}

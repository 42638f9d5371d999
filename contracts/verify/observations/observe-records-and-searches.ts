/**
 * After the rules of a run, observes open questions about records: their place in responses, the response to hidden ones, and the fields that a search covers.
 */

import type { Question } from '../../../core/annotations/open-questions.ts';
import { isObject, type Json, printJson, readNumber } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import { type Operation, schemaOfSuccess } from '../../../core/openapi/operation.ts';
import { schemasAt } from '../../../core/openapi/schema-facts.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { type Call, isSuccess, type Reply, recordsIn } from '../evidence/call.ts';
import { takeEvenly } from '../evidence/filter-values.ts';
import { firstPageCall, largestLimit } from '../evidence/pagination/pagination.ts';
import { recordKeyOf, toFilterArguments } from '../evidence/record-keys-and-filters.ts';
import { callForRecord, findRecordList, findRecordRead } from '../evidence/single-record-calls.ts';
import { answerByChoice, sameList, sameOperation } from './assume-choice.ts';
import { type ObserverContext, observeOpenLists, openLists, openReads } from './observer-context.ts';
import { choicesWhere, evidenceForValue, type QuestionEvidence } from './question-evidence.ts';

/** Looks for the requested record at each possible place, by its identifier. */
export async function observeRecordPlaces(context: ObserverContext): Promise<readonly QuestionEvidence[]> {
  const { round } = context;
  const evidence: QuestionEvidence[] = [];
  for (const { question, operation } of openReads(round.contract, 'x-resource/at')) {
    const list = findRecordList(operation, round.contract);
    if (list !== undefined && !round.replies.some((reply) => isRead(reply, operation.id))) await readOneRecord(context, list, operation);
    for (const reply of round.replies.filter((each) => isRead(each, operation.id))) {
      const places = choicesWhere(question, (choice) => {
        const resource = sameOperation(answerByChoice(round.contract, question, choice), operation).resource;
        return resource !== undefined && resource.by.size > 0 && isAtPlace(reply, resource.at, resource.by);
      });
      const what = places.length === 0 ? 'was at none of these places' : `was at ${places.join(' and ')}`;
      evidence.push({ question, fittingChoices: places, what: `the record of ${operation.id} ${what}` });
    }
  }
  return evidence;
}

function isRead(reply: Reply, id: string): boolean {
  return reply.call.operation.id === id && isSuccess(reply) && isObject(reply.body) && Object.keys(reply.call.values ?? {}).length > 0;
}

async function readOneRecord(context: ObserverContext, list: ListOperation, operation: Reply['call']['operation']): Promise<void> {
  const page = await context.longestPage(list);
  const [record] = page === undefined ? [] : (recordsIn(page) ?? []);
  const call = record === undefined ? undefined : callForRecord(operation, record);
  if (call !== undefined) await context.ask(call);
}

function isAtPlace({ call, body }: Reply, at: string, by: ReadonlyMap<string, string>): boolean {
  const sentIdentifiers = [...by].filter(([parameter]) => call.values?.[parameter] !== undefined);
  return (
    sentIdentifiers.length > 0 && sentIdentifiers.every(([parameter, field]) => valueAt(body, `${at}${field}`) === call.values?.[parameter])
  );
}

/** Looks for the envelope members of a list, such as totals, at each possible place. */
export function observeEnvelopes(context: ObserverContext): Promise<readonly QuestionEvidence[]> {
  const { contract } = context.round;
  return observeOpenLists(context, 'x-collection/head', async ({ question, operation }) => {
    await context.longestPage(operation);
    const placeOf = (choice: string): string => sameList(answerByChoice(contract, question, choice), operation).collection.head ?? '';
    const names = sharedMembers(contract, operation, [...question.choices.keys()].map(placeOf));
    return context.round.replies.flatMap((reply) => {
      if (reply.call.operation.id !== operation.id || recordsIn(reply) === undefined) return [];
      const membersAt = (choice: string): readonly string[] =>
        names.filter((name) => valueAt(reply.body, `${placeOf(choice)}/${name}`) !== undefined);
      const usedChoices = choicesWhere(question, (choice) => membersAt(choice).length > 0);
      const fittingChoices = usedChoices.filter((choice) => membersAt(choice).length === names.length);
      const shown = usedChoices.map(
        (choice) => `${membersAt(choice).join(' and ')} at ${placeOf(choice) === '' ? 'the top' : placeOf(choice)}`,
      );
      return usedChoices.length === 0 ? [] : [{ question, fittingChoices, what: `${operation.id} had ${shown.join(', ')}` }];
    });
  });
}

/** The members that the schema of a list has at each of several places. */
function sharedMembers({ closed }: Contract, operation: ListOperation, places: readonly string[]): readonly string[] {
  const schema = schemaOfSuccess(operation.responses) ?? true;
  const [first = [], ...others] = places.map((place) =>
    schemasAt(closed, schema, place).flatMap((each) =>
      isObject(each) && isObject(each['properties']) ? Object.keys(each['properties']) : [],
    ),
  );
  return [...new Set(first)].filter((name) => others.every((each) => each.includes(name)));
}

/** Maximum number of hidden records to read. They may be hidden for different reasons. */
const maxHiddenReads = { full: 3, quick: 1 } as const;

/** The condition that each status of a hidden record stands for. */
const conditionOfStatus: ReadonlyMap<number, string> = new Map([
  [401, 'unauthenticated'],
  [403, 'forbidden'],
  [404, 'absent'],
]);

/** Reads hidden records by their keys. */
export function observeHidden(context: ObserverContext): Promise<readonly QuestionEvidence[]> {
  const { contract, hidden, quick } = context.round;
  return observeOpenLists(context, 'x-collection/visible/hidden', async ({ question, operation }) => {
    const readOperation = findRecordRead(operation, contract);
    const keys = takeEvenly(hidden, quick ? maxHiddenReads.quick : maxHiddenReads.full);
    const evidence: QuestionEvidence[] = [];
    for (const call of readOperation === undefined ? [] : keys.flatMap((key) => callForKey(operation, readOperation, key))) {
      const status = (await context.ask(call))?.response.status;
      const what = `${call.operation.id} of a hidden record returned ${status}`;
      if (status !== undefined) evidence.push(evidenceForValue(question, conditionOfStatus.get(status), what));
    }
    return evidence;
  });
}

function callForKey({ collection }: ListOperation, operation: Operation, key: string): readonly Call[] {
  const [name] = [...(operation.resource?.by ?? [])].find(([, field]) => field === collection.key) ?? [];
  const parameter = operation.parameters.find((each) => each.key === name);
  if (name === undefined || parameter === undefined) return [];
  const value: Json = parameter.kinds.includes('integer') || parameter.kinds.includes('number') ? readNumber(key) : key;
  return [{ operation, values: { [name]: value } }];
}

/** Maximum number of searches. */
const maxSearches = { full: 3, quick: 2 } as const;

/** Searches for words of one record that distinguish the choices. */
export function observeSearches(context: ObserverContext): Promise<readonly QuestionEvidence[]> {
  const { contract } = context.round;
  return observeOpenLists(context, 'x-collection/filters', async ({ question, operation }) => {
    const isAbout = (parameter: string): boolean =>
      openLists(contract, `x-collection/filters/${parameter}`).some(
        (openRule) => openRule.operation === operation && openRule.question === question,
      );
    const parameters = [...operation.collection.filters].flatMap(([name, filter]) => (filter.operator === 'matches' ? [name] : []));
    const readOperation = findRecordRead(operation, contract);
    const evidence: QuestionEvidence[] = [];
    for (const parameter of parameters.filter(isAbout))
      evidence.push(...(await observeSearch(context, { question, operation, parameter, readOperation })));
    return evidence;
  });
}

interface SearchQuestion {
  readonly question: Question;
  readonly operation: ListOperation;
  readonly parameter: string;
  readonly readOperation: Operation | undefined;
}

async function observeSearch(context: ObserverContext, searchQuestion: SearchQuestion): Promise<readonly QuestionEvidence[]> {
  const record = await wholeRecord(context, searchQuestion);
  const evidence: QuestionEvidence[] = [];
  const texts = record === undefined ? [] : chooseTexts(context, searchQuestion, record);
  for (const text of texts.slice(0, context.round.quick ? maxSearches.quick : maxSearches.full)) {
    const evidenceOfText = await observeOneSearch(context, searchQuestion, record ?? {}, text);
    if (evidenceOfText !== undefined) evidence.push(evidenceOfText);
  }
  return evidence;
}

/** A record with all its fields, from its single read, because lists may omit long ones. */
async function wholeRecord(context: ObserverContext, { operation, readOperation }: SearchQuestion): Promise<DataRecord | undefined> {
  const page = await context.longestPage(operation);
  const [listedRecord] = page === undefined ? [] : (recordsIn(page) ?? []);
  const call = readOperation === undefined || listedRecord === undefined ? undefined : callForRecord(readOperation, listedRecord);
  if (listedRecord === undefined || call === undefined) return listedRecord;
  const reply = await context.ask(call);
  return (reply === undefined ? undefined : recordOf(reply)) ?? listedRecord;
}

function recordOf(reply: Reply): DataRecord | undefined {
  const record = isSuccess(reply) ? valueAt(reply.body, reply.call.operation.resource?.at ?? '') : undefined;
  return isObject(record) ? record : undefined;
}

/** Chooses texts of a record: one that every choice finds, then one for each other group of choices that finds it. */
function chooseTexts({ round }: ObserverContext, searchQuestion: SearchQuestion, record: DataRecord): readonly string[] {
  const { question, parameter, operation } = searchQuestion;
  const fields = [...question.choices.values()].flatMap((choice) =>
    isObject(choice) && Array.isArray(choice['fields']) ? choice['fields'] : [],
  );
  const values = [...new Set(fields.map(String))].map((field) => valueAt(record, field)).filter((value) => typeof value === 'string');
  const phrases = values.flatMap((value) => phrasesOf(value));
  const findingChoices = (text: string): string =>
    choicesWhere(question, (name) =>
      searchMatches(sameList(answerByChoice(round.contract, question, name), operation), record, parameter, text),
    ).join();
  const allChoices = choicesWhere(question, () => true).join();
  // Without a text that every choice finds, a missing record would be no evidence.
  const textByChoices = new Map<string, string>();
  for (const text of phrases) if (!textByChoices.has(findingChoices(text))) textByChoices.set(findingChoices(text), text);
  const controlText = textByChoices.get(allChoices);
  return controlText === undefined
    ? []
    : [controlText, ...[...textByChoices].filter(([choices]) => choices !== '' && choices !== allChoices).map(([, text]) => text)];
}

/** Whole words of a text, as written and in capitals. Markup is left out, because searches may ignore it. */
function phrasesOf(text: string): readonly string[] {
  const plain = text.replaceAll(/<[^>]*>|&#?\w+;/g, '\n');
  const phrases = plain.match(/(?<![\p{L}\p{N}])(\p{L}{3,} \p{L}{2,}|\p{L}{4,})(?![\p{L}\p{N}])/gu) ?? [];
  return phrases.slice(0, 8).flatMap((phrase) => [phrase, phrase.toUpperCase()]);
}

function searchMatches({ collection }: ListOperation, record: DataRecord, parameter: string, text: string): boolean {
  return collection.query.matching(toFilterArguments({ [parameter]: text }))(record);
}

async function observeOneSearch(
  context: ObserverContext,
  searchQuestion: SearchQuestion,
  record: DataRecord,
  text: string,
): Promise<QuestionEvidence | undefined> {
  const { question, operation, parameter, readOperation } = searchQuestion;
  const { round } = context;
  const reply = await context.ask(firstPageCall(operation, { [parameter]: text }));
  const foundRecords = reply === undefined ? undefined : recordsIn(reply);
  if (foundRecords === undefined) return undefined;
  const isFound = foundRecords.some((each) => recordKeyOf(operation, each) === recordKeyOf(operation, record));
  // A missing record is no evidence if the page may be full or the record changed.
  if (!isFound && (foundRecords.length >= Math.min(largestLimit(operation), 10) || !(await isUnchanged(context, readOperation, record))))
    return undefined;
  const fittingChoices = choicesWhere(
    question,
    (name) => searchMatches(sameList(answerByChoice(round.contract, question, name), operation), record, parameter, text) === isFound,
  );
  const fields = [...question.choices.values()].flatMap((choice) =>
    isObject(choice) && Array.isArray(choice['fields']) ? choice['fields'].map(String) : [],
  );
  const matchingFields = [...new Set(fields)].filter((field) => String(valueAt(record, field)).toLowerCase().includes(text.toLowerCase()));
  const what = `a text of ${matchingFields.join(' and ')}${text === text.toUpperCase() ? ' in capitals' : ''} ${isFound ? 'found' : 'did not find'} its record`;
  return { question, fittingChoices, what };
}

async function isUnchanged(context: ObserverContext, readOperation: Operation | undefined, record: DataRecord): Promise<boolean> {
  const call = readOperation === undefined ? undefined : callForRecord(readOperation, record);
  const reply = call === undefined ? undefined : await context.askAgain(call);
  return reply !== undefined && printJson(recordOf(reply)) === printJson(record);
}

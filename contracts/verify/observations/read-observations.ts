/** Open questions about records: where they stand in answers, what hidden ones answer, and what a search looks at. */

import { isObject, type Json } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { schemaOfSuccess } from '../../../core/openapi/read-operations.ts';
import { schemasAt } from '../../../core/openapi/schema.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import { type Call, isSuccess, type Reply, recordsIn } from '../engine/call.ts';
import { callFor, keyOf, toFilterArguments } from '../engine/paginate.ts';
import { callForRecord } from '../engine/single-read.ts';
import { largestPage } from '../engine/snapshot.ts';
import {
  choicesWhere,
  closeBy,
  evidenceOf,
  type Inquiry,
  listIn,
  observeLists,
  openLists,
  openReads,
  operationIn,
  type QuestionEvidence,
} from './inquiry.ts';

/** Looks for the record that was asked for, by the values that it was asked by, at each place where it could stand. */
export async function observeRecordPlaces(inquiry: Inquiry): Promise<readonly QuestionEvidence[]> {
  const { context } = inquiry;
  const evidence: QuestionEvidence[] = [];
  for (const { question, operation } of openReads(context.contract, 'x-resource/at')) {
    const list = context.listOf(operation);
    if (list !== undefined && !context.replies.some((reply) => isRead(reply, operation.id))) await askForSome(inquiry, list, operation);
    for (const reply of context.replies.filter((each) => isRead(each, operation.id))) {
      const places = choicesWhere(question, (choice) => {
        const resource = operationIn(closeBy(context.contract, question, choice), operation).resource;
        return resource !== undefined && resource.by.size > 0 && standsAt(reply, resource.at, resource.by);
      });
      const what = places.length === 0 ? 'stood at none of these places' : `stood at ${places.join(' and ')}`;
      evidence.push({ question, suits: places, what: `the record of ${operation.id} ${what}` });
    }
  }
  return evidence;
}

function isRead(reply: Reply, id: string): boolean {
  return reply.call.operation.id === id && isSuccess(reply) && isObject(reply.body) && Object.keys(reply.call.values ?? {}).length > 0;
}

async function askForSome(inquiry: Inquiry, list: ListOperation, operation: Reply['call']['operation']): Promise<void> {
  const page = await inquiry.fullest(list);
  const [record] = page === undefined ? [] : (recordsIn(page) ?? []);
  const call = record === undefined ? undefined : callForRecord(operation, record);
  if (call !== undefined) await inquiry.ask(call);
}

function standsAt({ call, body }: Reply, at: string, by: ReadonlyMap<string, string>): boolean {
  const asked = [...by].filter(([parameter]) => call.values?.[parameter] !== undefined);
  return asked.length > 0 && asked.every(([parameter, field]) => valueAt(body, `${at}${field}`) === call.values?.[parameter]);
}

/** Looks for the members that a list may have at each of several places. */
export function observeHeads(inquiry: Inquiry): Promise<readonly QuestionEvidence[]> {
  const { contract } = inquiry.context;
  return observeLists(inquiry, 'x-collection/head', async ({ question, operation }) => {
    await inquiry.fullest(operation);
    const headOf = (choice: string): string => listIn(closeBy(contract, question, choice), operation).collection.head ?? '';
    const places = [...question.choices.keys()].map((choice) => ({ choice, at: headOf(choice) }));
    const names = sharedMembers(
      contract,
      operation,
      places.map(({ at }) => at),
    );
    return inquiry.context.replies.flatMap((reply) => {
      if (reply.call.operation.id !== operation.id || recordsIn(reply) === undefined) return [];
      const membersAt = (at: string): readonly string[] => names.filter((name) => valueAt(reply.body, `${at}/${name}`) !== undefined);
      const inUse = places.map((place) => ({ ...place, members: membersAt(place.at) })).filter(({ members }) => members.length > 0);
      const isWhole = (choice: string): boolean => inUse.some((each) => each.choice === choice && each.members.length === names.length);
      const what = inUse.map(({ at, members }) => `${members.join(' and ')} stood ${at === '' ? 'at the top' : `under ${at}`}`);
      return inUse.length === 0 ? [] : [{ question, suits: choicesWhere(question, isWhole), what: what.join(', ') }];
    });
  });
}

/** The members that the schema of a list knows at every one of several places. */
function sharedMembers({ closed }: Contract, operation: ListOperation, places: readonly string[]): readonly string[] {
  const schema = schemaOfSuccess(operation.responses) ?? true;
  const [first = [], ...others] = places.map((place) =>
    schemasAt(closed, schema, place).flatMap((each) =>
      isObject(each) && isObject(each['properties']) ? Object.keys(each['properties']) : [],
    ),
  );
  return [...new Set(first)].filter((name) => others.every((each) => each.includes(name)));
}

/** Number of hidden records that are requested: they may be hidden for different reasons. */
const asked = { full: 3, quick: 1 } as const;

/** By status, what is said of a hidden record. */
const answers: ReadonlyMap<number, string> = new Map([
  [401, 'unauthenticated'],
  [403, 'forbidden'],
  [404, 'absent'],
]);

/** Reads hidden records by their keys. */
export function observeHidden(inquiry: Inquiry): Promise<readonly QuestionEvidence[]> {
  const { contract, hidden, quick } = inquiry.context;
  return observeLists(inquiry, 'x-collection/visible/hidden', async ({ question, operation }) => {
    const read = contract.operations.find((each) => each.resource?.name === operation.collection.name && each.resource.by.size > 0);
    const keys = spread(hidden, quick ? asked.quick : asked.full);
    const evidence: QuestionEvidence[] = [];
    for (const call of read === undefined ? [] : keys.flatMap((key) => callForKey(operation, read, key))) {
      const status = (await inquiry.ask(call))?.response.status;
      const what = `${call.operation.id} of a hidden record was answered with ${status}`;
      if (status !== undefined) evidence.push(evidenceOf(question, answers.get(status), what));
    }
    return evidence;
  });
}

/** Some of a list, from its beginning to its end. */
function spread<T>(list: readonly T[], most: number): readonly T[] {
  const step = Math.max(1, Math.ceil(list.length / most));
  return list.filter((_, index) => index % step === 0);
}

function callForKey({ collection }: ListOperation, operation: Operation, key: string): readonly Call[] {
  const [name] = [...(operation.resource?.by ?? [])].find(([, field]) => field === collection.key) ?? [];
  const parameter = operation.parameters.find((each) => each.key === name);
  if (name === undefined || parameter === undefined) return [];
  const value: Json = parameter.kinds.includes('integer') || parameter.kinds.includes('number') ? Number(key) : key;
  return [{ operation, values: { [name]: value } }];
}

type Question = QuestionEvidence['question'];

/** Most searches. */
const searches = { full: 3, quick: 2 } as const;

/** Searches for words of one record that tell the choices apart. */
export function observeSearches(inquiry: Inquiry): Promise<readonly QuestionEvidence[]> {
  const { contract } = inquiry.context;
  return observeLists(inquiry, 'x-collection/filters', async ({ question, operation }) => {
    const isAbout = (parameter: string): boolean =>
      openLists(contract, `x-collection/filters/${parameter}`).some((open) => open.operation === operation && open.question === question);
    const parameters = [...operation.collection.filters].flatMap(([name, filter]) => (filter.operator === 'matches' ? [name] : []));
    const detail = contract.operations.find((each) => each.resource?.name === operation.collection.name && each.resource.by.size > 0);
    const evidence: QuestionEvidence[] = [];
    for (const parameter of parameters.filter(isAbout))
      evidence.push(...(await observeOne(inquiry, { question, operation, parameter, detail })));
    return evidence;
  });
}

interface Subject {
  readonly question: Question;
  readonly operation: ListOperation;
  readonly parameter: string;
  readonly detail: Operation | undefined;
}

async function observeOne(inquiry: Inquiry, subject: Subject): Promise<readonly QuestionEvidence[]> {
  const record = await wholeRecord(inquiry, subject);
  const evidence: QuestionEvidence[] = [];
  const texts = record === undefined ? [] : chooseTexts(inquiry, subject, record);
  for (const text of texts.slice(0, inquiry.context.quick ? searches.quick : searches.full)) {
    const seen = await search(inquiry, subject, record ?? {}, text);
    if (seen !== undefined) evidence.push(seen);
  }
  return evidence;
}

/** A record with all its fields: as a single read shows it, since lists may leave out the longer ones. */
async function wholeRecord(inquiry: Inquiry, { operation, detail }: Subject): Promise<DataRecord | undefined> {
  const page = await inquiry.fullest(operation);
  const [listed] = page === undefined ? [] : (recordsIn(page) ?? []);
  const call = detail === undefined || listed === undefined ? undefined : callForRecord(detail, listed);
  if (listed === undefined || call === undefined) return listed;
  const reply = await inquiry.ask(call);
  return (reply === undefined ? undefined : recordOf(reply)) ?? listed;
}

function recordOf(reply: Reply): DataRecord | undefined {
  const found = isSuccess(reply) ? valueAt(reply.body, reply.call.operation.resource?.at ?? '') : undefined;
  return isObject(found) ? found : undefined;
}

/** Texts of a record, those first that tell most choices apart. */
function chooseTexts({ context }: Inquiry, subject: Subject, record: DataRecord): readonly string[] {
  const { question, parameter, operation } = subject;
  const fields = [...question.choices.values()].flatMap((choice) =>
    isObject(choice) && Array.isArray(choice['fields']) ? choice['fields'] : [],
  );
  const values = [...new Set(fields.map(String))].map((field) => valueAt(record, field)).filter((value) => typeof value === 'string');
  const phrases = values.flatMap((value) => phrasesOf(value));
  const finders = (text: string): string =>
    choicesWhere(question, (name) => finds(listIn(closeBy(context.contract, question, name), operation), record, parameter, text)).join();
  const all = choicesWhere(question, () => true).join();
  // One text for each way in which the choices part, after one that all of them find: without that, nothing that is missing would say anything.
  const parting = new Map<string, string>();
  for (const text of phrases) if (!parting.has(finders(text))) parting.set(finders(text), text);
  const control = parting.get(all);
  return control === undefined ? [] : [control, ...[...parting].filter(([found]) => found !== '' && found !== all).map(([, text]) => text)];
}

/** Whole words of a text as they stand there, and again in capitals. Markup is left out, since a search may look at it or not. */
function phrasesOf(text: string): readonly string[] {
  const plain = text.replaceAll(/<[^>]*>|&#?\w+;/g, '\n');
  const phrases = plain.match(/(?<![\p{L}\p{N}])(\p{L}{3,} \p{L}{2,}|\p{L}{4,})(?![\p{L}\p{N}])/gu) ?? [];
  return phrases.slice(0, 8).flatMap((phrase) => [phrase, phrase.toUpperCase()]);
}

function finds({ collection }: ListOperation, record: DataRecord, parameter: string, text: string): boolean {
  return collection.query.matches(record, toFilterArguments({ [parameter]: text }));
}

async function search(inquiry: Inquiry, subject: Subject, record: DataRecord, text: string): Promise<QuestionEvidence | undefined> {
  const { question, operation, parameter, detail } = subject;
  const { context } = inquiry;
  const limit = largestPage(operation);
  const reply = await inquiry.ask(callFor({ operation, values: { [parameter]: text }, limit }, {}));
  const found = reply === undefined ? undefined : recordsIn(reply);
  if (found === undefined) return undefined;
  const isFound = found.some((each) => keyOf(operation, each) === keyOf(operation, record));
  // On a page that may be full, or when the record changed meanwhile, that it is missing says nothing.
  if (!isFound && (found.length >= Math.min(limit, 10) || !(await isUnchanged(inquiry, detail, record)))) return undefined;
  const suits = choicesWhere(
    question,
    (name) => finds(listIn(closeBy(context.contract, question, name), operation), record, parameter, text) === isFound,
  );
  const fields = [...question.choices.values()].flatMap((choice) =>
    isObject(choice) && Array.isArray(choice['fields']) ? choice['fields'].map(String) : [],
  );
  const where = [...new Set(fields)].filter((field) => String(valueAt(record, field)).toLowerCase().includes(text.toLowerCase()));
  const what = `a text of ${where.join(' and ')}${text === text.toUpperCase() ? ' in capitals' : ''} ${isFound ? 'found' : 'did not find'} its record`;
  return { question, suits, what };
}

async function isUnchanged(inquiry: Inquiry, detail: Operation | undefined, record: DataRecord): Promise<boolean> {
  const call = detail === undefined ? undefined : callForRecord(detail, record);
  const reply = call === undefined ? undefined : await inquiry.again(call);
  return reply !== undefined && JSON.stringify(recordOf(reply)) === JSON.stringify(record);
}

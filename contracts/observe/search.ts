/** What a search in free text looks at: texts of records that are known, asked for in spellings that one choice finds and another does not. */

import { isObject } from '../../core/json.ts';
import type { Operation } from '../../core/operation.ts';
import { valueAt } from '../../core/pointer.ts';
import type { Entry } from '../../core/query.ts';
import { isSuccess, type Reply, recordsIn } from '../reply.ts';
import { callForRecord } from '../sample.ts';

import { largestPage } from '../universe.ts';
import { callFor, keyOf, type ListOperation, toArguments } from '../walk.ts';
import type { Inquiry } from './inquiry.ts';
import { closeBy, listIn, openLists } from './open-rule.ts';
import { choicesWhere, type Sight } from './sight.ts';

type Question = Sight['question'];

/** How many searches are made at most. */
const searches = { full: 3, quick: 2 } as const;

/** Searches for words of one record that tell the choices apart. */
export async function observeSearches(inquiry: Inquiry): Promise<readonly Sight[]> {
  const { lab } = inquiry;
  const sights: Sight[] = [];
  for (const { question, operation } of openLists(lab.contract, 'x-collection/filters')) {
    const parameters = [...operation.collection.filters].flatMap(([name, filter]) => (filter.operator === 'matches' ? [name] : []));
    const detail = lab.contract.operations.find((each) => each.resource?.name === operation.collection.name && each.resource.by.size > 0);
    for (const parameter of parameters.filter((name) => isAbout(inquiry, operation, name, question)))
      sights.push(...(await observeOne(inquiry, { question, operation, parameter, detail })));
  }
  return sights;
}

function isAbout({ lab }: Inquiry, operation: ListOperation, parameter: string, question: Question): boolean {
  return openLists(lab.contract, `x-collection/filters/${parameter}`).some(
    (rule) => rule.operation === operation && rule.question === question,
  );
}

interface Subject {
  readonly question: Question;
  readonly operation: ListOperation;
  readonly parameter: string;
  readonly detail: Operation | undefined;
}

async function observeOne(inquiry: Inquiry, subject: Subject): Promise<readonly Sight[]> {
  const record = await wholeRecord(inquiry, subject);
  const sights: Sight[] = [];
  const texts = record === undefined ? [] : chooseTexts(inquiry, subject, record);
  for (const text of texts.slice(0, inquiry.lab.quick ? searches.quick : searches.full)) {
    const sight = await search(inquiry, subject, record ?? {}, text);
    if (sight !== undefined) sights.push(sight);
  }
  return sights;
}

/** A record with all its fields: as a single read shows it, since lists may leave out the longer ones. */
async function wholeRecord(inquiry: Inquiry, { operation, detail }: Subject): Promise<Entry | undefined> {
  const page = await inquiry.fullest(operation);
  const [listed] = page === undefined ? [] : (recordsIn(page) ?? []);
  const call = detail === undefined || listed === undefined ? undefined : callForRecord(detail, listed);
  if (listed === undefined || call === undefined) return listed;
  const reply = await inquiry.ask(call);
  return (reply === undefined ? undefined : recordOf(reply)) ?? listed;
}

function recordOf(reply: Reply): Entry | undefined {
  const found = isSuccess(reply) ? valueAt(reply.body, reply.call.operation.resource?.at ?? '') : undefined;
  return isObject(found) ? found : undefined;
}

/** Texts of a record, those first that tell most choices apart. */
function chooseTexts({ lab }: Inquiry, subject: Subject, record: Entry): readonly string[] {
  const { question, parameter, operation } = subject;
  const fields = [...question.choices.values()].flatMap((choice) =>
    isObject(choice) && Array.isArray(choice['fields']) ? choice['fields'] : [],
  );
  const values = [...new Set(fields.map(String))].map((field) => valueAt(record, field)).filter((value) => typeof value === 'string');
  const phrases = values.flatMap((value) => phrasesOf(value));
  const finders = (text: string): string =>
    choicesWhere(question, (name) => finds(listIn(closeBy(lab.contract, question, name), operation), record, parameter, text)).join();
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

function finds({ collection }: ListOperation, record: Entry, parameter: string, text: string): boolean {
  return collection.query.matches(record, toArguments({ [parameter]: text }));
}

async function search(inquiry: Inquiry, subject: Subject, record: Entry, text: string): Promise<Sight | undefined> {
  const { question, operation, parameter, detail } = subject;
  const { lab } = inquiry;
  const limit = largestPage(operation);
  const reply = await inquiry.ask(callFor({ operation, values: { [parameter]: text }, limit }, {}));
  const found = reply === undefined ? undefined : recordsIn(reply);
  if (found === undefined) return undefined;
  const isFound = found.some((each) => keyOf(operation, each) === keyOf(operation, record));
  // On a page that may be full, or when the record changed meanwhile, that it is missing says nothing.
  if (!isFound && (found.length >= Math.min(limit, 10) || !(await isUnchanged(inquiry, detail, record)))) return undefined;
  const suits = choicesWhere(
    question,
    (name) => finds(listIn(closeBy(lab.contract, question, name), operation), record, parameter, text) === isFound,
  );
  const fields = [...question.choices.values()].flatMap((choice) =>
    isObject(choice) && Array.isArray(choice['fields']) ? choice['fields'].map(String) : [],
  );
  const where = [...new Set(fields)].filter((field) => String(valueAt(record, field)).toLowerCase().includes(text.toLowerCase()));
  const what = `a text of ${where.join(' and ')}${text === text.toUpperCase() ? ' in capitals' : ''} ${isFound ? 'found' : 'did not find'} its record`;
  return { question, suits, what };
}

async function isUnchanged(inquiry: Inquiry, detail: Operation | undefined, record: Entry): Promise<boolean> {
  const call = detail === undefined ? undefined : callForRecord(detail, record);
  const reply = call === undefined ? undefined : await inquiry.again(call);
  return reply !== undefined && JSON.stringify(recordOf(reply)) === JSON.stringify(record);
}

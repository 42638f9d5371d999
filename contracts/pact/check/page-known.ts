/** How many records a page holds at least, by what the states say, and what follows for the rest of the page. */

import { parseInstant } from '../../../core/instant.ts';
import type { Json } from '../../../core/json.ts';
import type { Fact, Where } from '../../../core/pact-fact.ts';
import { fromPointer } from '../../../core/pointer.ts';
import type { Collection, Filter, Page } from '../../../core/rules.ts';
import type { Schema } from '../../../core/schema.ts';
import { whereThere } from './demand.ts';
import { isInjected } from './injected.ts';
import type { Subject } from './subject.ts';

/** What is known of a page. */
export interface PageKnown {
  readonly records: number;
  /** Schemas of what stands beside the records. */
  readonly page: readonly Schema[];
}

/** The most records that the page holds, by what was asked for or by the default. */
export function pageSize({ operation, reading }: Subject): number | undefined {
  const { collection } = operation;
  const limit = collection === undefined ? undefined : reading.values.get(collection.page.limit);
  return typeof limit === 'number' && limit >= 0 ? limit : undefined;
}

/** What the states say of the page that is asked for. */
export function leastRecords(subject: Subject): PageKnown {
  const { collection } = subject.operation;
  if (collection === undefined) return { records: 0, page: [] };
  const { page } = collection;
  const facts = subject.facts.filter((fact) => 'collection' in fact && fact.collection === collection.name);
  const counts = facts.map((fact) => countOf(subject, collection, fact));
  // A state that is not known here is at least about data that is there.
  const least = Math.max(subject.isKnown ? 0 : 1, ...counts);
  const size = pageSize(subject) ?? Number.MAX_SAFE_INTEGER;
  const skipped = skippedBefore(subject, page, size);
  const records = Math.max(0, Math.min(size, least - skipped));
  return { records, page: pageFacts(subject, page, least, size) };
}

/** How many records the whole list has at least. */
function countOf(subject: Subject, { filters }: Collection, fact: Fact): number {
  // What says how many there are speaks of the list as it is asked for.
  if (fact.kind === 'records') return fact.more + 1;
  if (fact.kind !== 'record') return 0;
  const sent = [...filters].filter(([parameter]) => subject.reading.sent.has(parameter));
  const passes = sent.every(([parameter, filter]) => {
    return isInjected(subject, 'query', parameter) || lets(filter, subject.reading.values.get(parameter), fact.where);
  });
  return passes ? 1 : 0;
}

/** Whether a filter lets a record through of which only some fields are known. */
function lets(filter: Filter, wanted: Json | undefined, where: Where): boolean {
  if (filter.operator === 'matches') return filter.fields.some((field) => contains(where[field], wanted));
  const value = where[filter.field];
  if (value === undefined || value === null || wanted === undefined) return false;
  if (filter.operator === 'equals') return String(value) === String(wanted);
  if (filter.operator === 'any-of') return [wanted].flat().some((each) => String(each) === String(value));
  const order = compare(value, wanted);
  return { from: order >= 0, to: order <= 0, after: order > 0, before: order < 0 }[filter.operator];
}

function contains(value: Json | undefined, text: Json | undefined): boolean {
  return typeof value === 'string' && typeof text === 'string' && value.toLowerCase().includes(text.toLowerCase());
}

function compare(left: Json, right: Json): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  const [first, second] = [parseInstant(String(left)), parseInstant(String(right))];
  if (first !== undefined && second !== undefined) return first < second ? -1 : first > second ? 1 : 0;
  return String(left) < String(right) ? -1 : String(left) > String(right) ? 1 : 0;
}

/** How many records come on pages before this one. A cursor that is followed leads to the second page. */
function skippedBefore({ reading }: Subject, page: Page, size: number): number {
  if (page.style === 'cursor') return reading.sent.has(page.cursor) ? size : 0;
  const at = reading.values.get(page.style === 'page' ? page.page : page.offset);
  if (typeof at !== 'number') return 0;
  return page.style === 'page' ? Math.max(0, at - 1) * size : Math.max(0, at);
}

function pageFacts(subject: Subject, page: Page, least: number, size: number): readonly Schema[] {
  const { reading } = subject;
  const at = (pointer: string | undefined, schema: Schema): readonly Schema[] =>
    pointer === undefined ? [] : [whereThere(fromPointer(pointer), schema)];
  if (page.style === 'cursor') {
    const hasMore = !reading.sent.has(page.cursor) && least > size;
    return hasMore ? [...at(page.more, { const: true }), ...thereAt(page.next, { type: 'string' })] : [];
  }
  if (page.style === 'offset') return at(page.total, { minimum: least });
  const { echo = {}, cap } = page;
  const number = reading.values.get(page.page);
  const isServed = typeof cap !== 'number' || size <= cap;
  return [
    ...(typeof number === 'number' ? at(echo.page, { const: number }) : []),
    ...(isServed && reading.values.has(page.limit) ? at(echo.limit, { const: size }) : []),
    ...at(page.total, { minimum: least }),
  ];
}

/** A member that is there and satisfies a schema, wherever its object is. */
function thereAt(pointer: string, schema: Schema): readonly Schema[] {
  const keys = fromPointer(pointer);
  const name = keys.at(-1);
  if (name === undefined) return [];
  return [whereThere(keys.slice(0, -1), { required: [name], properties: { [name]: schema } })];
}

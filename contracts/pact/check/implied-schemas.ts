/**
 * What a contract promises of one answer beyond its schema: what was asked for, what the states say, how many records a page has, how
 * dates are written.
 */

import { parseInstant } from '../../../core/instant.ts';
import { isObject, type Json } from '../../../core/json.ts';
import type { Operation } from '../../../core/operation.ts';
import type { StateCondition, FieldConditions } from '../../../core/pact/provider-state.ts';
import { fromPointer } from '../../../core/pointer.ts';
import type { Collection, Filter, Page } from '../../../core/rules.ts';
import { type Schema, schemasAt } from '../../../core/schema.ts';
import { placesOf } from '../../place.ts';
import { isQueryGenerated } from '../../../core/pact/injection.ts';
import { type BodyExpectation, schemaIfPresent } from './body-expectations.ts';
import type { CheckContext } from './check-context.ts';

/** Schemas that a success satisfies beside the one that is documented for it. */
export function impliedSchemas(subject: CheckContext): readonly Schema[] {
  return [...collectionSchemas(subject), ...resourceSchemas(subject)];
}

/**
 * RFC 3339 lets `t` and `z` be small and a minute have 61 seconds; no consumer expects that, and it would spoil every expression.
 */
export function dateTimeSchemas(document: Operation['document'], schema: Schema, demands: readonly BodyExpectation[]): readonly Schema[] {
  const values = demands.filter(({ member }) => member === undefined);
  return values.flatMap(({ at }) => {
    const here = schemasAt(document, schema, pointerOf(at));
    const isInstant = here.some((each) => isObject(each) && each['format'] === 'date-time');
    return isInstant ? [schemaIfPresent(at, { pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:[0-5]\\d(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$' })] : [];
  });
}

/** The pointer of a place, where the first element stands for each. */
export function pointerOf(at: BodyExpectation['at']): string {
  return at
    .map(
      (step) =>
        `/${String(step ?? 0)
          .replaceAll('~', '~0')
          .replaceAll('/', '~1')}`,
    )
    .join('');
}

function collectionSchemas(subject: CheckContext): readonly Schema[] {
  const { collection } = subject.operation;
  if (collection === undefined) return [];
  const { reading } = subject;
  const items = fromPointer(collection.items);
  const field = (pointer: string, schema: Schema): Schema => schemaIfPresent([...items, null, ...fromPointer(pointer)], schema);
  const filtered = [...collection.filters].flatMap(([parameter, filter]) => {
    const values = reading.sent.has(parameter) ? valuesAllowedBy(filter, reading.values.get(parameter)) : undefined;
    return values === undefined || !('field' in filter) ? [] : [field(filter.field, { enum: values })];
  });
  const { visible } = collection;
  const most = pageSize(subject);
  const least = minimumOnPage(subject);
  return [
    ...filtered,
    ...(visible === undefined ? [] : [field(visible.field, { enum: visible.shown })]),
    ...(most === undefined ? [] : [schemaIfPresent(items, { maxItems: most })]),
    ...(least.records === 0 ? [] : [schemaIfPresent(items, { minItems: least.records })]),
    ...least.page,
  ];
}

/** The values that a filter lets through, when it lists them; instants have many spellings, so they are none. */
function valuesAllowedBy(filter: Filter, value: Json | undefined): readonly Json[] | undefined {
  if (value === undefined || !('field' in filter) || filter.as === 'instant') return undefined;
  if (filter.operator === 'equals') return [value];
  if (filter.operator === 'any-of') return Array.isArray(value) ? (value as readonly Json[]) : [value];
  return undefined;
}

/** A single read gives the record that was asked for, with what the state says of it. */
function resourceSchemas({ contract, operation, reading, facts }: CheckContext): readonly Schema[] {
  const { resource } = operation;
  if (resource === undefined) return [];
  const echoed = [...resource.by].flatMap(([parameter, field]) => {
    const value = reading.values.get(parameter);
    return value === undefined ? [] : [[field, value] as const];
  });
  const described = facts.filter((fact) => isRecordOf(fact, resource.name));
  const [only] = described;
  const where = described.length === 1 && only !== undefined ? Object.entries(fieldConditionsOf(only)) : [];
  return placesOf(contract, operation).flatMap((place) =>
    [...echoed, ...where].map(([field, value]) => schemaIfPresent([...fromPointer(place), ...fromPointer(field)], schemaOfStateValue(value))),
  );
}

function isRecordOf(fact: StateCondition, name: string): boolean {
  return fact.kind === 'record' && fact.collection === name;
}

function fieldConditionsOf(fact: StateCondition): FieldConditions {
  return 'where' in fact ? fact.where : {};
}

/** States compare by text, so a number may be written as one; `null` is a field that is null or absent. */
function schemaOfStateValue(value: Json): Schema {
  if (value === null) return { type: 'null' };
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
  return { enum: Number.isFinite(number) ? [value, number] : [value] };
}

/** What is known of a page. */
interface PageMinimum {
  readonly records: number;
  /** Schemas of what stands beside the records. */
  readonly page: readonly Schema[];
}

/** The most records that the page holds, by what was asked for or by the default. */
function pageSize({ operation, reading }: CheckContext): number | undefined {
  const { collection } = operation;
  const limit = collection === undefined ? undefined : reading.values.get(collection.page.limit);
  return typeof limit === 'number' && limit >= 0 ? limit : undefined;
}

/** What the states say of the page that is asked for. */
function minimumOnPage(subject: CheckContext): PageMinimum {
  const { collection } = subject.operation;
  if (collection === undefined) return { records: 0, page: [] };
  const { page } = collection;
  const facts = subject.facts.filter((fact) => 'collection' in fact && fact.collection === collection.name);
  const counts = facts.map((fact) => minimumInList(subject, collection, fact));
  // A state that is not known here is at least about data that is there.
  const least = Math.max(subject.isKnown ? 0 : 1, ...counts);
  const size = pageSize(subject) ?? Number.MAX_SAFE_INTEGER;
  const skipped = skippedBefore(subject, page, size);
  const records = Math.max(0, Math.min(size, least - skipped));
  return { records, page: pageSchemas(subject, page, least, size) };
}

/** How many records the whole list has at least. */
function minimumInList(subject: CheckContext, { filters }: Collection, fact: StateCondition): number {
  // What says how many there are speaks of the list as it is asked for.
  if (fact.kind === 'records') return fact.more + 1;
  if (fact.kind !== 'record') return 0;
  const sent = [...filters].filter(([parameter]) => subject.reading.sent.has(parameter));
  const passes = sent.every(([parameter, filter]) => {
    return isQueryGenerated(subject.interaction, parameter) || filterAccepts(filter, subject.reading.values.get(parameter), fact.where);
  });
  return passes ? 1 : 0;
}

/** Whether a filter lets a record through of which only some fields are known. */
function filterAccepts(filter: Filter, wanted: Json | undefined, where: FieldConditions): boolean {
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
function skippedBefore({ reading }: CheckContext, page: Page, size: number): number {
  if (page.style === 'cursor') return reading.sent.has(page.cursor) ? size : 0;
  const at = reading.values.get(page.style === 'page' ? page.page : page.offset);
  if (typeof at !== 'number') return 0;
  return page.style === 'page' ? Math.max(0, at - 1) * size : Math.max(0, at);
}

function pageSchemas(subject: CheckContext, page: Page, least: number, size: number): readonly Schema[] {
  const { reading } = subject;
  const at = (pointer: string | undefined, schema: Schema): readonly Schema[] =>
    pointer === undefined ? [] : [schemaIfPresent(fromPointer(pointer), schema)];
  if (page.style === 'cursor') {
    const hasMore = !reading.sent.has(page.cursor) && least > size;
    return hasMore ? [...at(page.more, { const: true }), ...requiredAt(page.next, { type: 'string' })] : [];
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
function requiredAt(pointer: string, schema: Schema): readonly Schema[] {
  const keys = fromPointer(pointer);
  const name = keys.at(-1);
  if (name === undefined) return [];
  return [schemaIfPresent(keys.slice(0, -1), { required: [name], properties: { [name]: schema } })];
}

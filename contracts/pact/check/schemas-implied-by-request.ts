/**
 * Schemas that a response meets besides its documented one, because of the request, the provider states, the page size, or the usual form of date-times:
 * `?state=open` implies this state for every record.
 */

import type { Filter, Page } from '../../../core/annotations/annotations.ts';
import { recordPlacesOf } from '../../../core/annotations/record-place.ts';
import { isObject, type Json, objectOrEmpty } from '../../../core/json.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { type Schema, schemasAt } from '../../../core/openapi/schema-facts.ts';
import type { FieldConditions, StateCondition } from '../../../core/pact/state-condition.ts';
import { isQueryGenerated } from '../../../core/pact/state-generators.ts';
import { fromPointer, withValueAt } from '../../../core/pointer.ts';
import { type BodyExpectation, everyElement, pointerOf, schemaIfPresent } from './body-expectations.ts';
import { readDateFormat } from './date-format.ts';
import type { CheckContext } from './interaction-context.ts';

/** Returns the implied schemas of a successful response. */
export function schemasImpliedByRequest(context: CheckContext): readonly Schema[] {
  return [...collectionSchemas(context), ...resourceSchemas(context)];
}

/**
 * Forms of dates as patterns, about which inclusion can be proved. RFC 3339 also allows `t`, `z` and leap seconds in date-times, which no consumer's pattern
 * accepts.
 */
const usualForms: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:[0-5]\\d(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$'],
  date: ['^\\d{4}-\\d{2}-\\d{2}$', readDateFormat('yyyy-MM-dd')?.pattern ?? ''],
};

/** Restricts dates and date-times to their usual forms. */
export function dateTimeSchemas(
  document: Operation['document'],
  schema: Schema,
  expectations: readonly BodyExpectation[],
): readonly Schema[] {
  const values = expectations.filter(({ requiredProperty }) => requiredProperty === undefined);
  return values.flatMap(({ path }) => {
    const here = schemasAt(document, schema, pointerOf(path));
    const patterns = here.filter(isObject).flatMap(({ format }) => usualForms[String(format)] ?? []);
    return [...new Set(patterns)].map((pattern) => schemaIfPresent(path, { pattern }));
  });
}

function collectionSchemas(context: CheckContext): readonly Schema[] {
  const { collection } = context.operation;
  if (collection === undefined) return [];
  const { reading } = context;
  const items = fromPointer(collection.items);
  const field = (pointer: string, schema: Schema): Schema => schemaIfPresent([...items, everyElement, ...fromPointer(pointer)], schema);
  const filtered = [...collection.filters].flatMap(([parameter, filter]) => {
    const values = reading.sent.has(parameter) ? valuesAllowedBy(filter, reading.values.get(parameter)) : undefined;
    return values === undefined || !('field' in filter) ? [] : [field(filter.field, { enum: values })];
  });
  const { visible } = collection;
  const maximum = maxRecordsOnPage(context);
  const minimum = minimumOnPage(context);
  return [
    ...filtered,
    ...(visible === undefined ? [] : [field(visible.field, { enum: visible.shown })]),
    ...(maximum === undefined ? [] : [schemaIfPresent(items, { maxItems: maximum })]),
    ...(minimum.records === 0 ? [] : [schemaIfPresent(items, { minItems: minimum.records })]),
    ...minimum.page,
  ];
}

/** Returns the values that a filter accepts, if it lists them. An instant has many spellings, so it has no such list. */
function valuesAllowedBy(filter: Filter, value: Json | undefined): readonly Json[] | undefined {
  if (value === undefined || !('field' in filter) || filter.as === 'instant') return undefined;
  if (filter.operator === 'equals') return [value];
  if (filter.operator === 'any-of') return Array.isArray(value) ? (value as readonly Json[]) : [value];
  return undefined;
}

/** Returns the schemas of a single read: the record has the requested identifiers, and the values from the states. */
function resourceSchemas({ contract, operation, reading, conditions }: CheckContext): readonly Schema[] {
  const { resource } = operation;
  if (resource === undefined) return [];
  const echoed = [...resource.by].flatMap(([parameter, field]) => {
    const value = reading.values.get(parameter);
    return value === undefined ? [] : [[field, value] as const];
  });
  const described = conditions.filter((condition) => isRecordOf(condition, resource.name));
  const [only] = described;
  const where = described.length === 1 && only !== undefined ? Object.entries(fieldConditionsOf(only)) : [];
  return recordPlacesOf(contract, operation).flatMap((place) =>
    [...echoed, ...where].map(([field, value]) =>
      schemaIfPresent([...fromPointer(place), ...fromPointer(field)], schemaOfStateValue(value)),
    ),
  );
}

function isRecordOf(condition: StateCondition, name: string): boolean {
  return condition.kind === 'record' && condition.collection === name;
}

function fieldConditionsOf(condition: StateCondition): FieldConditions {
  return 'where' in condition ? condition.where : {};
}

/** Returns the schema of a value from a state. A state may write a number as text. */
function schemaOfStateValue(value: Json): Schema {
  if (value === null) return { type: 'null' };
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
  return { enum: Number.isFinite(number) ? [value, number] : [value] };
}

/** Guarantees for a page that follow from the provider states. */
interface PageMinimum {
  readonly records: number;
  /** Schemas of the page members beside the records. */
  readonly page: readonly Schema[];
}

/** Returns the largest number of records on the page, from the request or the default. */
function maxRecordsOnPage({ operation, reading }: CheckContext): number | undefined {
  const { collection } = operation;
  const limit = collection === undefined ? undefined : reading.values.get(collection.page.limit);
  return typeof limit === 'number' && limit >= 0 ? limit : undefined;
}

/** Returns the guarantees of the states for the requested page. */
function minimumOnPage(context: CheckContext): PageMinimum {
  const { collection } = context.operation;
  if (collection === undefined) return { records: 0, page: [] };
  const { page } = collection;
  const conditions = context.conditions.filter((condition) => 'collection' in condition && condition.collection === collection.name);
  const counts = conditions.map((condition) => minimumInList(context, collection, condition));
  // An unknown state may fill the list, so one record is assumed.
  const minimum = Math.max(context.allStatesKnown ? 0 : 1, ...counts);
  const size = maxRecordsOnPage(context) ?? Number.MAX_SAFE_INTEGER;
  const skipped = skippedBefore(context, page, size);
  const records = Math.max(0, Math.min(size, minimum - skipped));
  return { records, page: pageSchemas(context, page, minimum, size) };
}

/** Returns the smallest possible number of records in the whole list. */
function minimumInList(context: CheckContext, { filters, query }: ListOperation['collection'], condition: StateCondition): number {
  // A state with a number of records counts those of the list as requested.
  if (condition.kind === 'records') return condition.more + 1;
  if (condition.kind !== 'record') return 0;
  const { sent, values } = context.reading;
  const compared = [...filters.keys()].filter((parameter) => sent.has(parameter) && !isQueryGenerated(context.interaction, parameter));
  const filterValues = new Map([...values].filter(([parameter]) => compared.includes(parameter)));
  // Only the fields of the state are known, so a filter of another field may exclude the record.
  const record = Object.entries(condition.where).reduce<Json>((known, [field, value]) => withValueAt(known, field, value), {});
  return filterValues.size === compared.length && query.matching(filterValues)(objectOrEmpty(record)) ? 1 : 0;
}

/** Returns the number of records on earlier pages. A cursor is taken to lead to the second page. */
function skippedBefore({ reading }: CheckContext, page: Page, size: number): number {
  if (page.style === 'cursor') return reading.sent.has(page.cursor) ? size : 0;
  const at = reading.values.get(page.style === 'page' ? page.page : page.offset);
  if (typeof at !== 'number') return 0;
  return page.style === 'page' ? Math.max(0, at - 1) * size : Math.max(0, at);
}

function pageSchemas(context: CheckContext, page: Page, minimum: number, size: number): readonly Schema[] {
  const { reading } = context;
  const at = (pointer: string | undefined, schema: Schema): readonly Schema[] =>
    pointer === undefined ? [] : [schemaIfPresent(fromPointer(pointer), schema)];
  if (page.style === 'cursor') {
    const hasMore = !reading.sent.has(page.cursor) && minimum > size;
    return hasMore ? [...at(page.more, { const: true }), ...requiredAt(page.next, { type: 'string' })] : [];
  }
  if (page.style === 'offset') return at(page.total, { minimum: minimum });
  const { echo = {}, cap } = page;
  const number = reading.values.get(page.page);
  const isWithinCap = typeof cap !== 'number' || size <= cap;
  return [
    ...(typeof number === 'number' ? at(echo.page, { const: number }) : []),
    ...(isWithinCap && reading.values.has(page.limit) ? at(echo.limit, { const: size }) : []),
    ...at(page.total, { minimum: minimum }),
  ];
}

/** Requires a property that satisfies a schema, wherever its object is present. */
function requiredAt(pointer: string, schema: Schema): readonly Schema[] {
  const keys = fromPointer(pointer);
  const name = keys.at(-1);
  if (name === undefined) return [];
  return [schemaIfPresent(keys.slice(0, -1), { required: [name], properties: { [name]: schema } })];
}

/** What a contract promises of one answer beyond its schema: what was asked for, what the states say, and how dates are written. */

import type { Contract } from '../../../core/contract.ts';
import { isObject, type Json } from '../../../core/json.ts';
import type { Operation } from '../../../core/operation.ts';
import type { Fact, Where } from '../../../core/pact-fact.ts';
import { fromPointer, valueAt } from '../../../core/pointer.ts';
import type { Filter } from '../../../core/rules.ts';
import { type Schema, schemasAt } from '../../../core/schema.ts';
import { type Demand, whereThere } from './demand.ts';
import { leastRecords, pageSize } from './page-known.ts';
import type { Subject } from './subject.ts';

/** Schemas that a success satisfies beside the one that is documented for it. */
export function listKnown(subject: Subject): readonly Schema[] {
  return [...listFacts(subject), ...singleFacts(subject)];
}

/**
 * RFC 3339 lets `t` and `z` be small and a minute have 61 seconds; no consumer expects that, and it would spoil every expression.
 */
export function usualDates(document: Operation['document'], schema: Schema, demands: readonly Demand[]): readonly Schema[] {
  const values = demands.filter(({ member }) => member === undefined);
  return values.flatMap(({ at }) => {
    const here = schemasAt(document, schema, pointerOf(at));
    const isInstant = here.some((each) => isObject(each) && each['format'] === 'date-time');
    return isInstant ? [whereThere(at, { pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:[0-5]\\d(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$' })] : [];
  });
}

/** The pointer of a place, where the first element stands for each. */
export function pointerOf(at: Demand['at']): string {
  return at
    .map(
      (step) =>
        `/${String(step ?? 0)
          .replaceAll('~', '~0')
          .replaceAll('/', '~1')}`,
    )
    .join('');
}

function listFacts(subject: Subject): readonly Schema[] {
  const { collection } = subject.operation;
  if (collection === undefined) return [];
  const { reading } = subject;
  const items = fromPointer(collection.items);
  const field = (pointer: string, schema: Schema): Schema => whereThere([...items, null, ...fromPointer(pointer)], schema);
  const filtered = [...collection.filters].flatMap(([parameter, filter]) => {
    const values = reading.sent.has(parameter) ? listedBy(filter, reading.values.get(parameter)) : undefined;
    return values === undefined || !('field' in filter) ? [] : [field(filter.field, { enum: values })];
  });
  const { visible } = collection;
  const most = pageSize(subject);
  const least = leastRecords(subject);
  return [
    ...filtered,
    ...(visible === undefined ? [] : [field(visible.field, { enum: visible.shown })]),
    ...(most === undefined ? [] : [whereThere(items, { maxItems: most })]),
    ...(least.records === 0 ? [] : [whereThere(items, { minItems: least.records })]),
    ...least.page,
  ];
}

/** The values that a filter lets through, when it lists them; instants have many spellings, so they are none. */
function listedBy(filter: Filter, value: Json | undefined): readonly Json[] | undefined {
  if (value === undefined || !('field' in filter) || filter.as === 'instant') return undefined;
  if (filter.operator === 'equals') return [value];
  if (filter.operator === 'any-of') return Array.isArray(value) ? (value as readonly Json[]) : [value];
  return undefined;
}

/** A single read gives the record that was asked for, with what the state says of it. */
function singleFacts({ contract, operation, reading, facts }: Subject): readonly Schema[] {
  const { resource } = operation;
  if (resource === undefined) return [];
  const echoed = [...resource.by].flatMap(([parameter, field]) => {
    const value = reading.values.get(parameter);
    return value === undefined ? [] : [[field, value] as const];
  });
  const described = facts.filter((fact) => isAbout(fact, resource.name));
  const [only] = described;
  const where = described.length === 1 && only !== undefined ? Object.entries(whereOf(only)) : [];
  return placesOf(contract, operation).flatMap((place) =>
    [...echoed, ...where].map(([field, value]) => whereThere([...fromPointer(place), ...fromPointer(field)], asStated(value))),
  );
}

function isAbout(fact: Fact, name: string): boolean {
  return fact.kind === 'record' && fact.collection === name;
}

function whereOf(fact: Fact): Where {
  return 'where' in fact ? fact.where : {};
}

/** States compare by text, so a number may be written as one; `null` is a field that is null or absent. */
function asStated(value: Json): Schema {
  if (value === null) return { type: 'null' };
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
  return { enum: Number.isFinite(number) ? [value, number] : [value] };
}

/** Every place at which a single read may hold its record; an open question names several. */
export function placesOf(contract: Contract, operation: Operation): readonly string[] {
  const { resource } = operation;
  if (resource === undefined) return [];
  const question = openPlace(contract, operation, '/x-resource/at');
  const choices = question === undefined ? [] : [...question.choices.values()].filter((each) => typeof each === 'string');
  return [...new Set([resource.at, ...choices])];
}

/** The question that stands at a place of an operation as it is written. */
export function openPlace(contract: Contract, operation: Operation, pointer: string): ReturnType<Contract['questions']['get']> {
  const open = valueAt(contract.document.root, `${operation.pointer}${pointer}`);
  const id = isObject(open) ? open['unspecified'] : undefined;
  return typeof id === 'string' ? contract.questions.get(id) : undefined;
}

/** Faults of ranges: filters with a lower and an upper bound that are not the instant of the last change. */

import type { Contract } from '../../core/contract.ts';
import type { Edit } from '../../core/edit.ts';
import { isObject, type Json } from '../../core/json.ts';
import { fromPointer, toPointer, valueAt, withValueAt } from '../../core/pointer.ts';
import type { Entry } from '../../core/query.ts';
import { schemaOfSuccess } from '../../core/read-operation.ts';
import type { Filter } from '../../core/rules.ts';
import { gather, schemasAt } from '../../core/schema.ts';
import { type FaultDraft, type ListOperation, listsOf } from './fault.ts';
import { isStated, parameterPointer } from './place.ts';
import { type Bound, pairFaults } from './range-pairs.ts';
import { at, queryValue, withQueryValue } from './request-edit.ts';
import { withArguments, without, withSelection } from './rival.ts';

/** Faults of each bound, and of both together. */
export function rangeFaults(contract: Contract): readonly FaultDraft[] {
  return listsOf(contract).flatMap((list) => {
    const bounds = boundsOf(list);
    return [
      ...bounds.flatMap((bound) => [
        ...boundFaults(list, bound, bounds),
        ...fieldFaults(contract, list, bound),
        ...valueFaults(contract, list, bound),
      ]),
      ...pairFaults(list, bounds),
    ];
  });
}

function boundsOf(list: ListOperation): readonly Bound[] {
  const { filters, version } = list.collection;
  return [...filters].flatMap(([name, filter]) =>
    isBound(filter) && filter.field !== version ? [{ name, field: filter.field, isLower: filter.operator === 'from' }] : [],
  );
}

function isBound(filter: Filter): filter is Filter & { readonly operator: 'from' | 'to'; readonly field: string } {
  return filter.operator === 'from' || filter.operator === 'to';
}

function boundFaults(list: ListOperation, { name, field, isLower }: Bound, bounds: readonly Bound[]): readonly FaultDraft[] {
  const place = `${list.id}.${name}`;
  const filter = `${list.pointer}${toPointer(['x-collection', 'filters', name])}`;
  const others = bounds.filter((other) => other.name !== name);
  return [
    {
      kind: isLower ? 'exclusive-lower' : 'exclusive-upper',
      place,
      law: 'ranges/inclusive',
      title: `${name} leaves out the ${isLower ? 'first' : 'last'} day of the range.`,
      edits: [{ op: 'replace', at: filter, value: isLower ? { after: field } : { before: field } }],
    },
    {
      kind: 'bound-ignored',
      place,
      law: 'ranges/one-sided',
      title: `${name} is ignored.`,
      edits: [{ op: 'remove', at: filter }],
    },
    ...(others.length === 0
      ? []
      : [
          {
            kind: 'bound-ignored-alone',
            place,
            law: 'ranges/one-sided',
            title: `${name} counts only together with ${others.map((other) => other.name).join(' and ')}.`,
            serve: (api) =>
              withArguments(api, list.id, (values) => (others.every((other) => values.has(other.name)) ? values : without(values, name))),
          } satisfies FaultDraft,
        ]),
  ];
}

/** A bound that compares something else than the field as it is written. */
function fieldFaults(contract: Contract, list: ListOperation, { name, field, isLower }: Bound): readonly FaultDraft[] {
  const common = { place: `${list.id}.${name}`, law: 'ranges/own-field' };
  const { version } = list.collection;
  const time = timeBeside(contract, list, field);
  return [
    ...(version === undefined
      ? []
      : [
          {
            ...common,
            kind: 'bound-on-version',
            title: `${name} compares the day of the last change instead of ${field}.`,
            edits: [
              {
                op: 'replace',
                at: `${list.pointer}${toPointer(['x-collection', 'filters', name])}`,
                value: { [isLower ? 'from' : 'to']: version, as: 'date' },
              },
            ] satisfies readonly Edit[],
          },
        ]),
    ...(time === undefined
      ? []
      : [
          {
            ...common,
            kind: 'bound-in-utc',
            title: `${name} compares days in UTC, so that what happens shortly after midnight belongs to the day before.`,
            serve: (api) =>
              withSelection(api, list.id, (values, query) => (record) => {
                const asked = values.get(name);
                return (
                  query.matches(record, without(values, name)) &&
                  (asked === undefined || query.matches(toUtcDay(record, field, time), new Map([[name, asked]])))
                );
              }),
          } satisfies FaultDraft,
        ]),
  ];
}

/** The field beside a date that has its time of day, by its pattern. */
function timeBeside({ closed }: Contract, list: ListOperation, field: string): string | undefined {
  const schema = schemaOfSuccess(list.responses);
  if (schema === undefined) return undefined;
  const holder = fromPointer(field).slice(0, -1);
  const properties = schemasAt(closed, schema, `${list.collection.items}/0${toPointer(holder)}`).map(
    (each) => gather(closed, each)['properties'],
  );
  const entries = properties.filter(isObject).flatMap((each) => Object.entries(each));
  const isTime = (each: Json): boolean =>
    isObject(each) &&
    typeof each['pattern'] === 'string' &&
    new RegExp(each['pattern'], 'u').test('23:59') &&
    !new RegExp(each['pattern'], 'u').test('24:00');
  const found = entries.find(([, each]) => isTime(each));
  return found === undefined ? undefined : toPointer([...holder, found[0]]);
}

/** East of Greenwich in summer, the first two hours of a day are still the day before in UTC. */
function toUtcDay(record: Entry, field: string, time: string): Entry {
  const day = valueAt(record, field);
  if (typeof day !== 'string' || String(valueAt(record, time)) >= '02:00') return record;
  return withValueAt(record, field, new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)) as Entry;
}

/** Days that do not exist. */
function valueFaults(contract: Contract, list: ListOperation, { name }: Bound): readonly FaultDraft[] {
  if (!isStated(contract, list, name, 'malformed')) return [];
  const common = { place: `${list.id}.${name}`, law: 'ranges/impossible' };
  return [
    {
      ...common,
      kind: 'impossible-ignored',
      title: `An impossible value of ${name} is ignored, and every record comes.`,
      edits: [{ op: 'add', at: `${parameterPointer(list, name)}/x-invalid`, value: { malformed: 'ignored' } }],
    },
    {
      ...common,
      kind: 'impossible-rolled-over',
      title: `An impossible day in ${name}, such as 30 February, is read as a day of the next month.`,
      around: (api) =>
        at(api, list.id, (request, next) => {
          const [, month, day] = /^(\d{4}-\d\d)-(29|30|31)$/.exec(queryValue(request, name) ?? '') ?? [];
          if (month === undefined || Number.isNaN(Date.parse(`${month}-01`))) return next(request);
          const rolled = new Date(Date.parse(`${month}-01T00:00:00Z`) + (Number(day) - 1) * 86_400_000).toISOString().slice(0, 10);
          return next(withQueryValue(request, name, rolled));
        }),
    },
  ];
}

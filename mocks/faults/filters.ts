/** Faults of filters that compare with listed values. */

import type { Contract } from '../../core/contract.ts';
import type { Edit } from '../../core/edit.ts';
import { headerOf } from '../../core/exchange.ts';
import type { Json } from '../../core/json.ts';
import type { Parameter } from '../../core/parameter.ts';
import { toPointer, valueAt } from '../../core/pointer.ts';
import type { Arguments } from '../../core/query.ts';
import type { Filter } from '../../core/rules.ts';
import { type FaultDraft, type ListOperation, listsOf } from './fault.ts';
import { hasPlace, isStated, parameterPointer } from './place.ts';
import { at, bodyOf, failure, queryValue } from './request-edit.ts';
import { put, withArguments, without, withSelection } from './rival.ts';

/** Faults of each filter, and of filters together. */
export function filterFaults(contract: Contract): readonly FaultDraft[] {
  return listsOf(contract).flatMap((list) => [
    ...listedFilters(list).flatMap((filter) => [
      ...oneFilter(list, filter),
      ...listFilter(list, filter),
      ...unknownValues(contract, list, filter),
    ]),
    ...togetherFaults(list),
  ]);
}

/** A filter that compares a field with listed values. */
interface ListedFilter {
  readonly name: string;
  readonly field: string;
  readonly parameter: Parameter;
  readonly isList: boolean;
}

function listedFilters(list: ListOperation): readonly ListedFilter[] {
  return [...list.collection.filters].flatMap(([name, filter]) => {
    const parameter = list.parameters.find((each) => each.key === name);
    if (parameter === undefined || parameter.allowed.length < 2 || !isEquality(filter)) return [];
    return [{ name, field: filter.field, parameter, isList: filter.operator === 'any-of' }];
  });
}

function isEquality(filter: Filter): filter is Filter & { readonly field: string } {
  return filter.operator === 'equals' || filter.operator === 'any-of';
}

function oneFilter(list: ListOperation, { name, field, parameter, isList }: ListedFilter): readonly FaultDraft[] {
  const place = `${list.id}.${name}`;
  const [first = null, second = null] = parameter.allowed;
  const last = parameter.allowed.at(-1) ?? null;
  const schema = `${parameterPointer(list, name)}/schema`;
  const allowed = isList ? `${schema}/items/enum` : `${schema}/enum`;
  const refused: FaultDraft = {
    kind: 'filter-value-refused',
    place,
    law: 'filters/values',
    title: `${name}=${String(last)} is refused, although it is a listed value.`,
    edits: [{ op: 'replace', at: allowed, value: parameter.allowed.slice(0, -1) }],
  };
  return [
    {
      kind: 'filter-ignored',
      place,
      law: 'filters/sound',
      title: `${name} is ignored, and every record comes.`,
      edits: [{ op: 'remove', at: `${list.pointer}${toPointer(['x-collection', 'filters', name])}` }],
    },
    {
      kind: 'filter-value-mixed',
      place,
      law: 'filters/sound',
      title: `${name}=${String(first)} gives the records of ${String(second)} too.`,
      serve: (api) =>
        withSelection(api, list.id, (values, query) => (record) => {
          const asked = values.get(name);
          const mixes = asked !== undefined && [asked].flat().includes(first) && valueAt(record, field) === second;
          return query.matches(record, mixes ? without(values, name) : values);
        }),
    },
    {
      kind: 'filter-value-hidden',
      place,
      law: 'filters/partition',
      title: `Without ${name} the list hides the records of ${String(first)}.`,
      serve: (api) =>
        withSelection(
          api,
          list.id,
          (values, query) => (record) => query.matches(record, values) && (values.has(name) || valueAt(record, field) !== first),
        ),
    },
    {
      kind: 'filter-value-lost',
      place,
      law: 'filters/complete',
      title: `${name}=${String(first)} finds nothing, although there are such records.`,
      serve: (api) =>
        withSelection(
          api,
          list.id,
          (values, query) => (record) => query.matches(record, values) && !(values.has(name) && valueAt(record, field) === first),
        ),
    },
    ...(hasPlace(list.document, allowed) ? [refused] : []),
  ];
}

/** Filters that take several values. */
function listFilter(list: ListOperation, { name, isList, parameter }: ListedFilter): readonly FaultDraft[] {
  if (!isList) return [];
  const draft = (kind: string, law: string, title: string, keep: (members: readonly Json[]) => readonly Json[]): FaultDraft => ({
    kind,
    place: `${list.id}.${name}`,
    law,
    title,
    serve: (api) =>
      withArguments(api, list.id, (values) => {
        const members = values.get(name);
        return members === undefined ? values : put(values, name, keep([members].flat() as readonly Json[]));
      }),
  });
  return [
    draft('filter-first-only', 'filters/union', `Of several values of ${name} only the first counts.`, (members) => members.slice(0, 1)),
    draft('filter-last-only', 'filters/union', `Of several values of ${name} only the last counts.`, (members) => members.slice(-1)),
    ...(parameter.allowed.length < 4
      ? []
      : [
          draft('filter-members-capped', 'filters/explored', `Of many values of ${name} only the first three count.`, (members) =>
            members.slice(0, 3),
          ),
        ]),
  ];
}

function unknownValues(contract: Contract, list: ListOperation, { name }: ListedFilter): readonly FaultDraft[] {
  if (!isStated(contract, list, name, 'unknown-value')) return [];
  const answer = (value: string): readonly Edit[] => [
    { op: 'add', at: `${parameterPointer(list, name)}/x-invalid`, value: { 'unknown-value': value } },
  ];
  const common = { place: `${list.id}.${name}`, law: 'filters/unknown-value' };
  return [
    {
      ...common,
      kind: 'filter-unknown-ignored',
      title: `An unknown value of ${name} is ignored, and every record comes.`,
      edits: answer('ignored'),
    },
    {
      ...common,
      kind: 'filter-unknown-empty',
      title: `An unknown value of ${name} gives an empty list instead of a refusal.`,
      edits: answer('empty'),
    },
  ];
}

/** What goes wrong when several filters meet, or when they find nothing. */
function togetherFaults(list: ListOperation): readonly FaultDraft[] {
  const names = [...list.collection.filters.keys()];
  const given = (values: Arguments): readonly string[] => names.filter((name) => values.has(name));
  const common = { place: list.id, law: 'filters/conjunction' };
  const several: readonly FaultDraft[] = [
    {
      ...common,
      kind: 'filters-either',
      title: 'Of several filters it is enough that one is satisfied.',
      serve: (api) =>
        withSelection(api, list.id, (values, query) => (record) => {
          const present = given(values);
          if (present.length < 2) return query.matches(record, values);
          return present.some((name) => query.matches(record, new Map([[name, values.get(name) ?? null]])));
        }),
    },
    ...names.slice(0, 2).map(
      (name): FaultDraft => ({
        ...common,
        kind: 'filter-ignored-beside-others',
        place: `${list.id}.${name}`,
        title: `${name} is ignored as soon as another filter is given.`,
        serve: (api) => withArguments(api, list.id, (values) => (given(values).length > 1 ? without(values, name) : values)),
      }),
    ),
  ];
  const third: FaultDraft = {
    kind: 'filter-third-ignored',
    place: list.id,
    law: 'filters/explored',
    title: 'Of three filters the last is ignored.',
    serve: (api) =>
      withArguments(api, list.id, (values) => (given(values).length < 3 ? values : without(values, given(values).at(-1) ?? ''))),
  };
  return [...(names.length > 1 ? several : []), ...(names.length > 2 ? [third] : []), noMatch(list, names)];
}

function noMatch(list: ListOperation, names: readonly string[]): FaultDraft {
  return {
    kind: 'no-match-absent',
    place: list.id,
    law: 'filters/no-match',
    title: 'Filters that match nothing lead to a 404 instead of an empty list.',
    around: (api) =>
      at(api, list.id, async (request, next) => {
        const response = await next(request);
        const items =
          response.status === 200 && headerOf(response.headers, 'content-type') !== undefined
            ? valueAt(bodyOf(response), list.collection.items)
            : undefined;
        const isEmpty = Array.isArray(items) && items.length === 0;
        return isEmpty && names.some((name) => queryValue(request, name) !== undefined)
          ? failure(api, request, 404, 'Nothing was found.')
          : response;
      }),
  };
}

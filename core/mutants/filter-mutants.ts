/**
 * Makes the mutants of a list's filters, which a mock serves and `verify` predicts: predicates that choose other records than the contract says. A mutant
 * changes nothing else, such as order or pages.
 */

import type { Filter } from '../annotations/annotations.ts';
import type { Json } from '../json.ts';
import type { ListOperation } from '../openapi/list-operation.ts';
import type { Parameter } from '../parameters/parse-parameter.ts';
import { valueAt } from '../pointer.ts';
import type { FilterArguments } from '../query/query.ts';
import {
  contractMutant,
  type FilterMutant,
  type Selection,
  selectByArguments,
  selectByFilters,
  withArgument,
  withoutArguments,
} from './mutant.ts';
import type { MutantKind, TitleWords } from './mutant-catalogue.ts';
import { boundMutants, isBound, rangeMutants } from './range-filter-mutants.ts';

/** Every mutant of the filters of a list, bounds included. */
export function filterMutants(list: ListOperation): readonly FilterMutant[] {
  const filters = [...list.collection.filters];
  const names = filters.map(([name]) => name);
  return [
    ...filters.flatMap(([name, filter]) => singleMutants(list, name, filter)),
    ...rangeMutants(list),
    ...names.flatMap((first, index) => names.slice(index + 1).flatMap((second) => pairMutants(list, first, second))),
    ...(names.length < 3 ? [] : names.map((name) => ignoredThirdMutant(list, name))),
  ];
}

function singleMutants(list: ListOperation, name: string, filter: Filter): readonly FilterMutant[] {
  if (filter.operator === 'matches') return searchMutants(list, name, filter.fields);
  if (isBound(filter)) return boundMutants(list, name, filter);
  const ignoredMutant = mutantOfFilter(list, name, 'filter-ignored', {
    missing: `a value of ${name} that not every record has`,
    selects: selectByFilters(list, new Map([[name, undefined]])),
  });
  const parameter = list.parameters.find((each) => each.key === name);
  return [
    ignoredMutant,
    ...(filter.operator === 'any-of' ? memberMutants(list, name, parameter) : []),
    ...(parameter === undefined || parameter.allowed.length < 2 ? [] : valueMutants(list, name, filter.field, parameter.allowed)),
  ];
}

/** Makes the mutant of one filter. */
function mutantOfFilter(
  list: ListOperation,
  name: string,
  kind: MutantKind,
  { words, ...changes }: Pick<FilterMutant, 'missing' | 'selects'> & { readonly words?: TitleWords },
): FilterMutant {
  const place = { operation: list.id, part: name, words: { parameter: name, ...words } };
  return contractMutant(kind, place, { parameters: [name], ...changes });
}

/** Mutants of a filter with several values, such as `status=open,closed`, that use only some of them. */
function memberMutants(list: ListOperation, name: string, parameter: Parameter | undefined): readonly FilterMutant[] {
  const changeMembers = (change: (members: readonly Json[]) => readonly Json[]): Selection =>
    selectByArguments((values) => {
      const members = values.get(name);
      return members === undefined ? values : withArgument(values, name, change([members].flat() as readonly Json[]));
    });
  const missing = `records with two different values of ${name}`;
  const firstThree = changeMembers((members) => members.slice(0, 3));
  return [
    mutantOfFilter(list, name, 'filter-first-only', {
      missing,
      selects: changeMembers((members) => members.slice(0, 1)),
    }),
    mutantOfFilter(list, name, 'filter-last-only', { missing, selects: changeMembers((members) => members.slice(-1)) }),
    mutantOfFilter(list, name, 'filter-whole-text', {
      missing,
      selects: changeMembers((members) => (members.length > 1 ? [members.join(',')] : members)),
    }),
    ...((parameter?.allowed.length ?? 0) < 4
      ? []
      : [
          mutantOfFilter(list, name, 'filter-members-capped', {
            missing: `records with four values of ${name}`,
            selects: firstThree,
          }),
        ]),
  ];
}

/** Mutants that mix up, lose or hide the records of a listed value. */
function valueMutants(
  list: ListOperation,
  name: string,
  field: string,
  [first = null, second = null]: readonly Json[],
): readonly FilterMutant[] {
  const [value, other] = [String(first), String(second)];
  const missing = `records of ${value}`;
  const hasMember = (values: FilterArguments, member: Json): boolean => [values.get(name) ?? []].flat().includes(member);
  return [
    mutantOfFilter(list, name, 'filter-value-mixed', {
      missing,
      words: { value, other },
      selects: (values, query) => {
        const [matches, matchesOthers] = [query.matching(values), query.matching(withoutArguments(values, name))];
        return (record) => (hasMember(values, first) && valueAt(record, field) === second ? matchesOthers(record) : matches(record));
      },
    }),
    mutantOfFilter(list, name, 'filter-value-hidden', {
      missing,
      words: { value },
      selects: (values, query) => {
        const matches = query.matching(values);
        return (record) => matches(record) && (values.has(name) || valueAt(record, field) !== first);
      },
    }),
    mutantOfFilter(list, name, 'filter-value-lost', {
      missing,
      words: { filter: `${name}=${value}` },
      selects: (values, query) => {
        const matches = query.matching(values);
        return (record) => matches(record) && !(values.has(name) && valueAt(record, field) === first);
      },
    }),
  ];
}

/** Mutants of a text search. */
function searchMutants(list: ListOperation, name: string, fields: readonly string[]): readonly FilterMutant[] {
  const [field = list.collection.key] = fields;
  const missing = `a value of ${name} that not every record has`;
  return [
    mutantOfFilter(list, name, 'search-ignored', { missing, selects: selectByFilters(list, new Map([[name, undefined]])) }),
    mutantOfFilter(list, name, 'search-falls-back', {
      missing,
      selects: (values, query, all) => {
        const isFound = query.matching(new Map([[name, values.get(name) ?? null]]));
        const hasResult = !values.has(name) || all.some((record) => query.isVisible(record) && isFound(record));
        return query.matching(hasResult ? values : withoutArguments(values, name));
      },
    }),
    mutantOfFilter(list, name, 'search-one-letter', {
      missing,
      selects: selectByArguments((values) =>
        values.has(name) ? withArgument(values, name, String(values.get(name)).slice(0, 1)) : values,
      ),
    }),
    mutantOfFilter(list, name, 'search-finds-nothing', {
      missing,
      selects: (values, query) => (values.has(name) ? () => false : query.matching(values)),
    }),
    mutantOfFilter(list, name, 'search-whole-text-only', {
      missing,
      words: { field: field.slice(1) },
      selects: selectByFilters(list, new Map([[name, { operator: 'equals', field, as: 'text' }]])),
    }),
  ];
}

/** Mutants of two filters that must both apply. */
function pairMutants(list: ListOperation, first: string, second: string): readonly FilterMutant[] {
  const missing = `records that pass ${first} and not ${second}, and the other way round`;
  const isBoth = (values: FilterArguments): boolean => values.has(first) && values.has(second);
  const mutant = (kind: MutantKind, [parameter, other]: readonly [string, string], selects: Selection): FilterMutant =>
    contractMutant(
      kind,
      { operation: list.id, part: `${parameter}+${other}`, words: { parameter, other } },
      { parameters: [first, second], missing, selects },
    );
  const ignoredMutant = (parameter: string, other: string): FilterMutant =>
    mutant(
      'filter-ignored-beside-other',
      [parameter, other],
      selectByArguments((values) => (isBoth(values) ? withoutArguments(values, parameter) : values)),
    );
  return [
    mutant('filters-either', [first, second], (values, query) => {
      if (!isBoth(values)) return query.matching(values);
      const sentFilters = [...values].filter(([name]) => list.collection.filters.has(name));
      const singleTests = sentFilters.map((filter) => query.matching(new Map([filter])));
      return (record) => singleTests.some((matches) => matches(record));
    }),
    ignoredMutant(second, first),
    ignoredMutant(first, second),
  ];
}

/** The mutant that ignores a filter if two or more others are sent. */
function ignoredThirdMutant(list: ListOperation, name: string): FilterMutant {
  return mutantOfFilter(list, name, 'filter-third-ignored', {
    missing: 'records that three filters tell apart',
    selects: selectByArguments((values) => (countFilters(list, values) < 3 ? values : withoutArguments(values, name))),
  });
}

function countFilters({ collection }: ListOperation, values: FilterArguments): number {
  return [...values.keys()].filter((name) => collection.filters.has(name)).length;
}

/** Witnesses of changed filters: a record, and a value of the parameter, by which it passes one filter and not the other. */

import type { Json } from '../../../core/json.ts';
import type { Filter } from '../../../core/rules.ts';
import { valuesFor } from './asking.ts';
import { type ListRules, searchList, type Trial } from './list-trial.ts';
import type { ListPair } from './pair.ts';
import { type Pool, putAt } from './pool.ts';
import type { Search } from './rule-change.ts';

/** Looks for a record that passes one of two filters and not the other; without a second one, for a record that does not pass the first. */
export function searchFilter(pair: ListPair, name: string, before: Filter | undefined, after: Filter | undefined): Search {
  return searchList(pair, {
    trials: (pool) => filterTrials(pair, name, [...new Set([...fieldsOf(before), ...fieldsOf(after)])], pool),
    edit: (rules) => withFilter(rules, name, after),
    keyword: `filters.${name}`,
  });
}

/** The fields that a filter looks at. */
export function fieldsOf(filter: Filter | undefined): readonly string[] {
  if (filter === undefined) return [];
  return filter.operator === 'matches' ? filter.fields : [filter.field];
}

/** Every value that the parameter may have, with every value that one of the fields may have: the same value first. */
export function* filterTrials(pair: ListPair, name: string, fields: readonly string[], pool: Pool): Generator<Trial> {
  const parameter = pair.old.operation.parameters.find(({ key }) => key === name);
  if (parameter === undefined) return;
  const seen = fields.flatMap((field) => pool.valuesAt(field));
  for (const value of valuesFor(pair.old.operation, parameter, seen)) {
    for (const field of fields) {
      for (const record of nearFirst(value, pool.valuesAt(field)).map((each) => putAt(pool.base, field, each))) {
        yield { values: { [name]: value }, records: [record] };
      }
    }
  }
}

/** The boundary is what most filters differ at. */
function nearFirst(value: Json, values: readonly Json[]): readonly Json[] {
  const isEqual = (each: Json): boolean => [value].flat().includes(each);
  return [...values.filter(isEqual), ...values.filter((each) => !isEqual(each))];
}

function withFilter(rules: ListRules, name: string, filter: Filter | undefined): ListRules {
  const others = [...rules.filters].filter(([each]) => each !== name);
  return { ...rules, filters: new Map(filter === undefined ? others : [...others, [name, filter]]) };
}

/** Filters: which parameters filter, what they compare with which field, and how. */

import { isObject, type Json } from '../../../core/json.ts';
import type { KindOf } from '../../../core/query.ts';
import { readCollection } from '../../../core/read-rules.ts';
import type { Filter } from '../../../core/rules.ts';
import { searchFilter } from './filter-witness.ts';
import { rule, type Verdict } from './judge.ts';
import { groundOf, objectAt } from './list-words.ts';
import { isListPair, type ListPair, type Pair } from './pair.ts';
import { type Finding, graver } from './rule-change.ts';
import { show } from './spot.ts';
import { compareWord, type Ruling } from './word.ts';

/** Compares the filters of a list, each once. */
export function compareFilters(pair: Pair): readonly Finding[] {
  if (!isListPair(pair)) return [];
  const keys = ['x-collection', 'filters'];
  const names = new Set([...Object.keys(objectAt(pair.old.written, keys)), ...Object.keys(objectAt(pair.next.written, keys))]);
  return [...names].flatMap((name) => compareFilter(pair, name));
}

function compareFilter(pair: ListPair, name: string): readonly Finding[] {
  const before = (value: Json | undefined): Filter | undefined => toFilter(value, pair.old.operation.collection.kindOf);
  const after = (value: Json | undefined): Filter | undefined => toFilter(value, pair.next.operation.collection.kindOf);
  return compareWord(groundOf(pair), {
    group: 'filter',
    key: '',
    keys: ['x-collection', 'filters', name],
    noun: `the filter ${name}`,
    direction: 'request',
    isDerived: true,
    print: printFilter,
    judge: (old, next) => judgeFilter(name, before(old), after(next)),
    search: (old, next) => searchFilter(pair, name, before(old), after(next)),
  });
}

/** A filter as people write it: `/at >= value as date`. */
function printFilter(value: Json | undefined): string {
  if (!isObject(value) || value['unspecified'] !== undefined) return show(value);
  const { as, matches, ...operators } = value;
  if (matches !== undefined) return `text in ${printSearch(matches)}`;
  const [[operator, field] = ['', null]] = Object.entries(operators);
  return `${show(field)} ${signs[operator] ?? operator} value${as === undefined ? '' : ` as ${show(as)}`}`;
}

const signs: Readonly<Record<string, string>> = { equals: '=', 'any-of': 'in', from: '>=', to: '<=', after: '>', before: '<' };

function printSearch(value: Json): string {
  if (!isObject(value) || value['unspecified'] !== undefined) return show(value);
  return `${show(value['fields'])}${value['fold'] === true ? ', whatever the case and accents' : ', letter by letter'}`;
}

/** A closed filter, with the comparison that the schema of its field asks for where it does not say one. */
function toFilter(value: Json | undefined, kindOf: KindOf): Filter | undefined {
  if (value === undefined) return undefined;
  const filter = readCollection({ filters: { it: value } }).filters.get('it');
  return filter === undefined || filter.operator === 'matches' ? filter : { ...filter, as: filter.as ?? kindOf(filter.field) };
}

function judgeFilter(name: string, before: Filter | undefined, after: Filter | undefined): Ruling | undefined {
  if (after === undefined) return rule('gone', ['breaking', 'Clients that filter by it get records that they did not ask for.']);
  if (before === undefined) return rule('added', ['compatible', 'Nobody who kept to the old contract filters by it.']);
  if (before.operator === 'matches' && after.operator === 'matches') return judgeSearch(before, after);
  if (before.operator !== after.operator) return judgeOperator(before, after);
  if (before.operator === 'matches' || after.operator === 'matches') return undefined;
  if (before.field !== after.field)
    return rule('field-changed', ['breaking', `Clients get the records whose ${after.field} fits, not their ${before.field}.`]);
  if (before.as === after.as) return undefined;
  const [was, is] = [before.as ?? 'text', after.as ?? 'text'];
  return {
    ...rule('comparison-changed', ['breaking', `Values compare as ${is} instead of ${was}, so other records pass.`]),
    text: `the filter ${name} compares ${after.field} as ${is} instead of ${was}`,
  };
}

function judgeOperator(before: Filter, after: Filter): Ruling {
  const isWider = before.operator === 'equals' && after.operator === 'any-of' && before.field === after.field && before.as === after.as;
  const wider: Verdict = ['compatible', 'One value is a list of one value, and gives the same records.'];
  return rule('operator-changed', isWider ? wider : ['breaking', reasonOf(before, after)]);
}

function reasonOf(before: Filter, after: Filter): string {
  const narrower: Readonly<Record<string, string>> = { from: 'after', to: 'before' };
  if (narrower[before.operator] === after.operator) {
    return 'The value itself is not included any more: clients that ask from their checkpoint on miss the records at it.';
  }
  if (narrower[after.operator] === before.operator)
    return 'The value itself is included now: clients get records at it that they did not ask for.';
  if (before.operator === 'any-of') return 'Clients that send several values are refused, or get none of the records.';
  return `The same value means ${after.operator} and not ${before.operator} any more, so other records pass.`;
}

type Matches = Extract<Filter, { operator: 'matches' }>;

function judgeSearch(before: Matches, after: Matches): Ruling | undefined {
  const [lost, won] = [less(before.fields, after.fields), less(after.fields, before.fields)];
  const rulings: readonly Ruling[] = [
    ...(lost.length > 0
      ? [rule('fields-fewer', ['breaking', `Records are not found any more by what stands in ${lost.join(', ')} alone.`])]
      : []),
    ...(won.length > 0 ? [rule('fields-more', ['risky', `Records are found as well that have the text in ${won.join(', ')} alone.`])] : []),
    ...(before.fold && !after.fold
      ? [rule('folding-gone', ['breaking', 'Records are not found any more by another case, or without accents.'])]
      : []),
    ...(!before.fold && after.fold
      ? [rule('folding-added', ['risky', 'Records are found as well that are written in another case or with accents.'])]
      : []),
  ];
  const [first, ...others] = rulings;
  return first === undefined ? undefined : others.reduce(graver, first);
}

function less(left: readonly string[], right: readonly string[]): readonly string[] {
  return left.filter((field) => !right.includes(field));
}

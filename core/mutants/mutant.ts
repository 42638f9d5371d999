/**
 * Mutants of a contract, and the selections by which a mutant of a filter chooses other records. A mock serves such a selection, and a verification predicts
 * with it.
 */

import type { Filter } from '../annotations/annotations.ts';
import type { Json } from '../json.ts';
import type { ListOperation } from '../openapi/list-operation.ts';
import { createQuery, type DataRecord, type FilterArguments, type Query } from '../query/query.ts';
import type { RuleGroup, RuleId } from '../results/rule-id.ts';
import { type MutantIdentity, type MutantKind, mutantOf, ruleOfMutant, type TitleWords } from './mutant-catalogue.ts';

/** Makes the predicate that selects records for some arguments; `all` is the whole list, in its order. */
export type Selection = (values: FilterArguments, query: Query, all: readonly DataRecord[]) => (record: DataRecord) => boolean;

/** A mutant at a place of a contract. */
export interface ContractMutant extends MutantIdentity {
  readonly rule: RuleId;
  readonly kind: MutantKind;
  /** The id of its operation; the name of the contract for a mutant of all operations. */
  readonly operation: string;
}

/** A mutant of the filters of a list. */
export interface FilterMutant extends ContractMutant {
  /** Replacement for the predicate of the query. */
  readonly selects: Selection;
  /** The parameters of the filters that it changes. */
  readonly parameters: readonly string[];
  /** The data that a run needs to kill it, as a noun: `records with two values of status`. */
  readonly missing: string;
}

/** Place of a mutant, and the parts of its title. */
export interface MutantPlace {
  readonly operation: string;
  /** Part of the operation: a parameter or a field. */
  readonly part?: string;
  readonly words?: TitleWords;
  /** The group of its rule, for a kind that rules of two groups report. */
  readonly group?: RuleGroup;
}

/** A mutant of a contract, with the changes that it makes. Its id is `KIND:OPERATION`, or `KIND:OPERATION.PART`. */
export function contractMutant<Changes extends object>(
  kind: MutantKind,
  { operation, part, words, group }: MutantPlace,
  changes: Changes,
): ContractMutant & Changes {
  const place = part === undefined ? operation : `${operation}.${part}`;
  return { ...mutantOf(kind, words, place), rule: ruleOfMutant(kind, group), kind, operation, ...changes };
}

/** The query with the predicate of a mutant; `all` is the whole list. Its pages and counts stay those of the query. */
export function withSelection(query: Query, selects: Selection, all: readonly DataRecord[]): Query {
  return { ...query, plan: undefined, matching: (values) => selects(values, query, all) };
}

/** The selection by other arguments than those of the request. */
export function selectByArguments(change: (values: FilterArguments) => FilterArguments): Selection {
  return (values, query) => query.matching(change(values));
}

/** The selection by other filters for some parameters; `undefined` removes a filter. */
export function selectByFilters({ collection }: ListOperation, filters: ReadonlyMap<string, Filter | undefined>): Selection {
  const otherFilters = [...filters].filter((entry): entry is [string, Filter] => entry[1] !== undefined);
  const otherQuery = createQuery({ ...collection, filters: new Map(otherFilters) }, collection.kindOf);
  return (values, query) => {
    const [matchesKept, matchesOther] = [query.matching(withoutArguments(values, ...filters.keys())), otherQuery.matching(values)];
    return (record) => matchesKept(record) && matchesOther(record);
  };
}

/** The arguments with another value for a parameter. */
export function withArgument(values: FilterArguments, parameter: string, value: Json): FilterArguments {
  return new Map(values).set(parameter, value);
}

/** The arguments without some parameters. */
export function withoutArguments(values: FilterArguments, ...parameters: readonly string[]): FilterArguments {
  return new Map([...values].filter(([name]) => !parameters.includes(name)));
}

/**
 * Types of mutants, their constructor, and what a mutant can change: the contract, or the filters, arguments, predicate or pages of a query. Every file of
 * mutants, here and in `mocks/mutants/`, builds mutants with it when they are listed, some by `mock-mutant.ts`. `serve-mutants.ts` applies the changes when a
 * mock starts or reloads; `predict-filter-mutants.ts` of the verifier applies them when it predicts responses of a list. The lists of mutants are in
 * `filter-mutants.ts` and `find-mutants.ts`.
 */

import type { Filter } from '../annotations/annotations.ts';
import type { Json } from '../json.ts';
import type { Edit } from '../openapi/edit-document.ts';
import type { ListOperation } from '../openapi/list-operation.ts';
import { toPointer } from '../pointer.ts';
import type { DataRecord, FilterArguments, PageSlice, PageStart, Query } from '../query/query.ts';
import type { RuleGroup, RuleId } from '../results/rule-id.ts';
import { type MutantIdentity, type MutantKind, mutantOf, ruleOfMutant, type TitleWords } from './mutant-catalogue.ts';

/** Makes the predicate that selects records for some arguments; `all` is the whole list, in its order. */
export type Selection = (values: FilterArguments, query: Query, all: readonly DataRecord[]) => (record: DataRecord) => boolean;

/** A page of the sorted records. */
export type Paging = (query: Query, sorted: readonly DataRecord[], values: FilterArguments, start: PageStart, limit: number) => PageSlice;

/** Changes that a mutant makes; an absent member is unchanged. */
export interface MutantChange {
  /** Edits of the contract. */
  readonly edits?: readonly Edit[];
  /** Replacements for filters of the list; `undefined` removes the filter. */
  readonly filters?: ReadonlyMap<string, Filter | undefined>;
  /** Replacement for the arguments of a request, before the query is evaluated. */
  readonly arguments?: (values: FilterArguments) => FilterArguments;
  /** Replacement for the predicate of the query. */
  readonly selects?: Selection;
  /** Replacement for the pages of the query; called once for each server. */
  readonly pages?: () => Paging;
  /** Replacements for other functions of the query. */
  readonly replaces?: (query: Query) => Partial<Query>;
}

/** A mutant at a place of a contract. */
export interface ContractMutant extends MutantIdentity, MutantChange {
  readonly rule: RuleId;
  readonly kind: MutantKind;
  /** The id of its operation; the name of the contract for a mutant of all operations. */
  readonly operation: string;
}

/** A mutant of the filters of a list. */
export interface FilterMutant extends ContractMutant {
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

/** A mutant of a contract. Its id is `KIND:OPERATION`, or `KIND:OPERATION.PART`. */
export function contractMutant(kind: MutantKind, { operation, part, words, group }: MutantPlace, change: MutantChange): ContractMutant {
  const place = part === undefined ? operation : `${operation}.${part}`;
  return { ...mutantOf(kind, words, place), rule: ruleOfMutant(kind, group), kind, operation, ...change };
}

/** The edits of a contract that give a list other filters. */
export function filterEdits(list: ListOperation, filters: ReadonlyMap<string, Filter | undefined>): readonly Edit[] {
  return [...filters].map(([name, filter]): Edit => {
    const at = `${list.pointer}${toPointer(['x-collection', 'filters', name])}`;
    return filter === undefined ? { op: 'remove', at } : { op: 'replace', at, value: writeFilter(filter) };
  });
}

function writeFilter(filter: Filter): Json {
  if (filter.operator === 'matches') return { matches: { fields: filter.fields, fold: filter.fold } };
  return { [filter.operator]: filter.field, ...(filter.as === undefined ? {} : { as: filter.as }) };
}

/** The arguments with another value for a parameter. */
export function withArgument(values: FilterArguments, parameter: string, value: Json): FilterArguments {
  return new Map(values).set(parameter, value);
}

/** The arguments without some parameters. */
export function withoutArguments(values: FilterArguments, ...parameters: readonly string[]): FilterArguments {
  return new Map([...values].filter(([name]) => !parameters.includes(name)));
}

/**
 * Mutants of the query of a list: the same evaluator over other rules or other arguments, or with another predicate or page. The mock serves them, and the
 * verifier predicts by them what a server that has one would give.
 */

import type { Filter } from '../annotations/annotations.ts';
import type { Json } from '../json.ts';
import type { Edit } from '../openapi/contract-edit.ts';
import type { ListOperation } from '../openapi/list-operation.ts';
import { toPointer } from '../pointer.ts';
import type { DataRecord, FilterArguments, PageSlice, PageStart, Query } from '../query/query.ts';
import {
  type MutantIdentity,
  type MutantKind,
  type MutantKindOf,
  type MutatedRule,
  mutantOf,
  type TitleWords,
} from './mutant-catalogue.ts';

/** Decides which records are on a list that is asked for with some arguments; `all` is the whole list, in its order. */
export type Selection = (values: FilterArguments, query: Query, all: readonly DataRecord[]) => (record: DataRecord) => boolean;

/** A page of the sorted records. */
export type Paging = (query: Query, sorted: readonly DataRecord[], values: FilterArguments, start: PageStart, limit: number) => PageSlice;

/** Deviations of a mutant; absent members are correct. */
export interface MutantChange {
  /** Edits of the contract. */
  readonly edits?: readonly Edit[];
  /** Other filters than the list's own; `undefined` takes one away. */
  readonly filters?: ReadonlyMap<string, Filter | undefined>;
  /** Other arguments than were sent. */
  readonly arguments?: (values: FilterArguments) => FilterArguments;
  /** Another selection of records. */
  readonly selects?: Selection;
  /** Another way to cut pages, made anew for each server. */
  readonly pages?: () => Paging;
  /** Other parts of the evaluator. */
  readonly replaces?: (query: Query) => Partial<Query>;
}

/** A mutant at a place of a contract. */
export interface ContractMutant extends MutantIdentity, MutantChange {
  readonly rule: MutatedRule;
  readonly kind: MutantKind;
  /** The operation that it is at; the name of the contract for one that is everywhere. */
  readonly operation: string;
}

/** A mutant of the filters of a list. */
export interface FilterMutant extends ContractMutant {
  /** The filters that it reads wrong. */
  readonly parameters: readonly string[];
  /** Data that shows it, as a noun. */
  readonly missing: string;
}

/** Place of a mutant, and the parts of its title. */
export interface MutantPlace {
  readonly operation: string;
  /** Part of the operation: a parameter or a field. */
  readonly part?: string;
  readonly words?: TitleWords;
}

/** A mutant of a contract. Its id is `KIND:OPERATION`, or `KIND:OPERATION.PART`. */
export function contractMutant<Rule extends MutatedRule>(
  rule: Rule,
  kind: MutantKindOf<Rule>,
  { operation, part, words }: MutantPlace,
  change: MutantChange,
): ContractMutant {
  const place = part === undefined ? operation : `${operation}.${part}`;
  return { ...mutantOf(rule, kind, words, place), rule, kind, operation, ...change };
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
export function put(values: FilterArguments, parameter: string, value: Json): FilterArguments {
  return new Map(values).set(parameter, value);
}

/** The arguments without some parameters. */
export function without(values: FilterArguments, ...parameters: readonly string[]): FilterArguments {
  return new Map([...values].filter(([name]) => !parameters.includes(name)));
}

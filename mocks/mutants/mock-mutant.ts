/** The mutants of a mock: those of the contract and of its queries, and those that are code around its answers. */

import type { MutantKindOf, MutatedRule } from '../../core/mutants/mutant-catalogue.ts';
import { type ContractMutant, contractMutant, type MutantPlace } from '../../core/mutants/query-mutant.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { type CursorList, type ListOperation, listsOf, type NumberedList } from '../../core/openapi/list-operation.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import type { Middleware } from '../handler/middleware.ts';
import type { ServedApi } from '../handler/served-api.ts';

/** Deviation of a mock with a mutant, besides changes of the contract and its queries. */
export interface Deviation {
  /** Other parts of the served API. */
  readonly serve?: (api: ServedApi) => ServedApi;
  /** Something around its answers. */
  readonly around?: (api: ServedApi) => Middleware;
}

/** A mutant of a contract, as a mock serves it. */
export interface ServedMutant extends ContractMutant, Deviation {}

/** A mutant as users of a mock see it. */
export interface MockMutant {
  /** The name to start a mock with, such as `total-off-by-one:listEntries`. */
  readonly id: string;
  /** A clause that stands after "it behaves as if". */
  readonly title: string;
  /** The id of the rule that it breaks, such as `pages/total`. */
  readonly rule: string;
  /** The name of the contract that it deviates from. */
  readonly contract: string;
}

/** A mutant that a mock can be started with. */
export interface PlacedMutant extends ServedMutant {
  /** The name of the contract that it deviates from. */
  readonly contract: string;
}

/** A mutant that is code of the mock. */
export function mutant<Rule extends MutatedRule>(
  rule: Rule,
  kind: MutantKindOf<Rule>,
  place: MutantPlace,
  deviation: Deviation,
): ServedMutant {
  return { ...contractMutant(rule, kind, place, {}), ...deviation };
}

/** An operation that reads one thing. */
export type ReadOperation = Operation & { readonly resource: NonNullable<Operation['resource']> };

/** The operations that read one thing; of those with parameters, a record. */
export function readsOf({ operations }: Contract): readonly ReadOperation[] {
  return operations.filter((operation): operation is ReadOperation => operation.resource !== undefined);
}

/** The operations that read one record of a collection. */
export function recordReadsOf(contract: Contract): readonly ReadOperation[] {
  return readsOf(contract).filter((operation) => operation.resource.by.size > 0);
}

/** The list of the collection whose records an operation reads. */
export function listFor(contract: Contract, operation: ReadOperation): ListOperation | undefined {
  return listsOf(contract).find((list) => list.collection.name === operation.resource.name);
}

/** The lists whose pages lead to each other by a cursor. */
export function cursorListsOf(contract: Contract): readonly CursorList[] {
  return listsOf(contract).filter((list): list is CursorList => list.collection.page.style === 'cursor');
}

/** The lists that have numbered pages. */
export function numberedListsOf(contract: Contract): readonly NumberedList[] {
  return listsOf(contract).filter((list): list is NumberedList => list.collection.page.style === 'page');
}

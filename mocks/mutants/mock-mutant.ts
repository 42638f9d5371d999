/**
 * Types of the mock's mutants, their constructors, and the selections of operations that their families share. The other files of this
 * folder build their mutants with it; the verifier never loads it.
 */

import type { HttpRequest, HttpResponse } from '../../core/http/exchange.ts';
import { type ContractMutant, contractMutant, type MutantPlace } from '../../core/mutants/mutant.ts';
import type { MutantKindOf, MutatedRule } from '../../core/mutants/mutant-catalogue.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { type CursorList, type ListOperation, listsOf, type NumberedList } from '../../core/openapi/list-operation.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import type { Middleware, Respond } from '../handler/middleware.ts';
import type { ServedApi } from '../handler/served-api.ts';
import { atOperation } from './change-exchange.ts';

/** Code of a mutant, besides changes of the contract and its queries. */
interface Deviation {
  /** Replaces parts of the served API, such as its keys. */
  readonly serve?: (api: ServedApi) => ServedApi;
  /** Creates a middleware that changes requests or answers. */
  readonly around?: (api: ServedApi) => Middleware;
}

/** A mutant of a contract, as a mock serves it. */
export interface ServedMutant extends ContractMutant, Deviation {}

/** A mutant as users of a mock see it. */
export interface MockMutant {
  /** The id for the option `mutants`, such as `total-off-by-one:listEntries`. */
  readonly id: string;
  /** The wrong behaviour, as a clause after "it behaves as if". */
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

/** Creates a mutant that is code of the mock. */
export function createMutant<Rule extends MutatedRule>(
  rule: Rule,
  kind: MutantKindOf<Rule>,
  place: MutantPlace,
  deviation: Deviation,
): ServedMutant {
  return { ...contractMutant(rule, kind, place, {}), ...deviation };
}

/** Creates a mutant with a middleware for the operation of its place. */
export function aroundOperation<Rule extends MutatedRule>(
  rule: Rule,
  kind: MutantKindOf<Rule>,
  place: MutantPlace,
  middleware: (api: ServedApi) => Middleware,
): ServedMutant {
  return createMutant(rule, kind, place, { around: (api) => atOperation(api, place.operation, middleware(api)) });
}

/** Makes the wrong answer to a request from the correct one. */
type Answer = (parts: {
  readonly api: ServedApi;
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly next: Respond;
}) => HttpResponse | Promise<HttpResponse>;

/** Creates a mutant that changes answers of the operation of its place. */
export function answering<Rule extends MutatedRule>(
  rule: Rule,
  kind: MutantKindOf<Rule>,
  place: MutantPlace,
  answer: Answer,
): ServedMutant {
  return aroundOperation(
    rule,
    kind,
    place,
    (api) => async (request, next) => answer({ api, request, next, response: await next(request) }),
  );
}

/** An operation that reads a single resource or record. */
export type ReadOperation = Operation & { readonly resource: NonNullable<Operation['resource']> };

/** Lists the operations that read a single resource or record. */
export function readsOf({ operations }: Contract): readonly ReadOperation[] {
  return operations.filter((operation): operation is ReadOperation => operation.resource !== undefined);
}

/** Lists the operations that read one record of a collection. */
export function recordReadsOf(contract: Contract): readonly ReadOperation[] {
  return readsOf(contract).filter((operation) => operation.resource.by.size > 0);
}

/** Finds the list of the records that an operation reads. */
export function listFor(contract: Contract, operation: ReadOperation): ListOperation | undefined {
  return listsOf(contract).find((list) => list.collection.name === operation.resource.name);
}

/** Lists the list operations with cursors. */
export function cursorListsOf(contract: Contract): readonly CursorList[] {
  return listsOf(contract).filter((list): list is CursorList => list.collection.page.style === 'cursor');
}

/** Lists the list operations with numbered pages. */
export function numberedListsOf(contract: Contract): readonly NumberedList[] {
  return listsOf(contract).filter((list): list is NumberedList => list.collection.page.style === 'page');
}

/**
 * Types of the mock's mutants, and their constructors. When mutants are listed, every file of mutants in this folder calls the constructors. When a mock
 * starts or reloads, list-parameter mutants call `atOperation`; visibility mutants and `serve-mutants.ts` call `replaceQuery`. `find-mutants.ts`,
 * `build-mock-content.ts`, `start-mock.ts`, `mock-command.ts` and `touchstone/mock` take types. The list of mutants is in `find-mutants.ts`.
 */

import type { HttpRequest, HttpResponse } from '../../core/http/exchange.ts';
import { type ContractMutant, contractMutant, type MutantPlace, type Selection } from '../../core/mutants/mutant.ts';
import type { MutantKind } from '../../core/mutants/mutant-catalogue.ts';
import type { Edit } from '../../core/openapi/edit-document.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import type { Query } from '../../core/query/query.ts';
import type { MutantMiddleware, Respond } from '../handler/mutant-middleware.ts';
import type { ServedApi } from '../handler/served-api.ts';
import { operationOf } from './change-exchange.ts';

/** Changes that a mutant makes; an absent member is unchanged. */
interface Deviation {
  /** Edits of the contract. */
  readonly edits?: readonly Edit[];
  /** Replacement for the predicate of its list. */
  readonly selects?: Selection;
  /** Replacements for other functions of its list's query; called once for each server. */
  readonly replaces?: (query: Query, api: ServedApi) => Partial<Query>;
  /** Replaces parts of the served API, such as its keys. */
  readonly serve?: (api: ServedApi) => ServedApi;
  /** Creates a middleware that changes requests or responses. */
  readonly around?: (api: ServedApi) => MutantMiddleware;
}

/** A mutant of a contract, as the files of mutants build it for a mock. */
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

/** A mutant with its contract, as `find-mutants.ts` finds it and a mock serves it. */
export interface FoundMutant extends ServedMutant {
  /** The name of the contract that it deviates from. */
  readonly contract: string;
}

/** Creates a mutant with changes of any kind. */
export function createMutant(kind: MutantKind, place: MutantPlace, deviation: Deviation): ServedMutant {
  return contractMutant(kind, place, deviation);
}

/** Creates a mutant with a middleware for the operation of its place. */
export function createOperationMutant(
  kind: MutantKind,
  place: MutantPlace,
  middleware: (api: ServedApi) => MutantMiddleware,
): ServedMutant {
  return createMutant(kind, place, { around: (api) => atOperation(api, place.operation, middleware(api)) });
}

/** Makes the wrong response to a request from the correct one. */
type ChangeResponse = (exchange: {
  readonly api: ServedApi;
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly next: Respond;
}) => HttpResponse | Promise<HttpResponse>;

/** Creates a mutant that changes the responses of all operations. */
export function createApiMutant(kind: MutantKind, place: MutantPlace, change: ChangeResponse): ServedMutant {
  return createMutant(kind, place, { around: changingResponses(change) });
}

function changingResponses(change: ChangeResponse): (api: ServedApi) => MutantMiddleware {
  return (api) => async (request, next) => change({ api, request, next, response: await next(request) });
}

/** Creates a mutant that changes the responses of the operation of its place. */
export function createResponseMutant(kind: MutantKind, place: MutantPlace, change: ChangeResponse): ServedMutant {
  return createOperationMutant(kind, place, changingResponses(change));
}

/** Restricts a middleware to one operation. */
export function atOperation(api: ServedApi, operation: string, middleware: MutantMiddleware): MutantMiddleware {
  return (request, next) => (operationOf(api, request)?.id === operation ? middleware(request, next) : next(request));
}

/** Replaces functions of one list's query in a served API. */
export function replaceQuery(api: ServedApi, operation: string, change: (query: Query) => Partial<Query>): ServedApi {
  const operations = api.contract.operations.map((each): Operation => {
    const { collection } = each;
    if (each.id !== operation || collection === undefined) return each;
    const replacedFunctions = change(collection.query);
    if (Object.keys(replacedFunctions).length === 0) return each;
    return { ...each, collection: { ...collection, query: { ...collection.query, ...replacedFunctions } } };
  });
  const collections = operations.flatMap((each) => each.collection ?? []);
  return { ...api, contract: { ...api.contract, operations, collections } };
}

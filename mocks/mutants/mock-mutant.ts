/**
 * What a mutant of the mock is, how it is made, and the changes that several kinds share. Mutants are made when they are listed; their middlewares run at each
 * request.
 */

import type { HttpRequest, HttpResponse } from '../../core/http/exchange.ts';
import type { Json } from '../../core/json.ts';
import { type ContractMutant, contractMutant, type MutantPlace, type Selection } from '../../core/mutants/mutant.ts';
import type { MutantKind } from '../../core/mutants/mutant-catalogue.ts';
import type { Edit } from '../../core/openapi/copy-with-edits.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import type { Query } from '../../core/query/query.ts';
import type { MutantMiddleware, Respond } from '../handler/api-handler.ts';
import type { ServedApi } from '../handler/served-api.ts';
import { errorResponse, mapBody, operationOf, withKeyOf } from './change-exchange.ts';

/** Changes that a mutant makes; an absent member is unchanged. */
export interface Deviation {
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

/** A mutant of a contract with the changes that it makes. */
export interface ListedMutant extends ContractMutant, Deviation {}

/** A mutant as users of a mock see it. */
export interface MockMutant {
  /** The id for the option `mutants`, such as `total-off-by-one:listEntries`. */
  readonly id: string;
  /** The wrong behaviour, as a clause after "the server behaves as if". */
  readonly title: string;
  /** The id of the rule that it breaks, such as `pages/total`. */
  readonly rule: string;
  /** The name of the contract that it deviates from. */
  readonly contract: string;
}

/** A listed mutant with the name of its contract. */
export interface ServedMutant extends ListedMutant {
  /** The name of the contract that it deviates from. */
  readonly contract: string;
}

/** Wrong behaviours at one place, by kind; `false` or `undefined` for a kind that makes no sense there. */
export type Behaviours = Readonly<Partial<Record<MutantKind, Deviation | false | undefined>>>;

/** Creates the mutants of a whole API. The place names the contract. */
export function apiMutants(place: MutantPlace, behaviours: Behaviours): readonly ListedMutant[] {
  return Object.entries(behaviours).flatMap(([kind, deviation]) =>
    deviation ? [contractMutant(kind as MutantKind, place, deviation)] : [],
  );
}

/** Creates the mutants of one operation: they change requests and responses of this operation only. */
export function operationMutants(place: MutantPlace, behaviours: Behaviours): readonly ListedMutant[] {
  return apiMutants(place, behaviours).map((mutant) => {
    const { around } = mutant;
    return around === undefined ? mutant : { ...mutant, around: (api) => atOperation(api, place.operation, around(api)) };
  });
}

/** A request with its correct response; `next` answers another request. */
export interface MutantExchange {
  readonly api: ServedApi;
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly next: Respond;
}

/** Makes the wrong response to a request from the correct one. */
type ChangeResponse = (exchange: MutantExchange) => HttpResponse | Promise<HttpResponse>;

/** Changes the responses with a status, or those of exchanges that pass a test. */
export function onResponse(isMeant: number | ((exchange: MutantExchange) => boolean), change: ChangeResponse): Deviation {
  return {
    around: (api) => async (request, next) => {
      const response = await next(request);
      const exchange = { api, request, response, next };
      const applies = typeof isMeant === 'number' ? response.status === isMeant : isMeant(exchange);
      return applies ? change(exchange) : response;
    },
  };
}

/** Changes the JSON bodies of successes. */
export function onBody(change: (body: Json) => Json): Deviation {
  return onResponse(200, ({ response }) => mapBody(response, change));
}

/** Changes requests before they are answered. */
export function onRequest(change: (request: HttpRequest, api: ServedApi) => HttpRequest): Deviation {
  return { around: (api) => (request, next) => next(change(request, api)) };
}

/** Responds as to the first tenant. */
export function respondToFirstTenant({ api, request, next }: MutantExchange): Promise<HttpResponse> {
  return next(withKeyOf(api, request, api.dataset.tenants[0] ?? ''));
}

/** Responds with an error in place of the response. */
export function respondWith(status: number, message: string): (exchange: MutantExchange) => HttpResponse {
  return ({ api, request }) => errorResponse(api, request, status, message);
}

/** True for the response of a failure. */
export function isFailure({ response }: MutantExchange): boolean {
  return response.status >= 400;
}

/** Restricts a middleware to one operation. */
function atOperation(api: ServedApi, operation: string, middleware: MutantMiddleware): MutantMiddleware {
  return (request, next) => (operationOf(api, request)?.id === operation ? middleware(request, next) : next(request));
}

/** Replaces functions of one list's query in a served API. */
export function replaceQuery(api: ServedApi, operation: string, change: (query: Query) => Partial<Query>): ServedApi {
  const operations = api.contract.operations.map((each): Operation => {
    const { collection } = each;
    if (each.id !== operation || collection === undefined) return each;
    const replacedFunctions = change(collection.query);
    if (Object.keys(replacedFunctions).length === 0) return each;
    return { ...each, collection: { ...collection, query: { ...collection.query, plan: undefined, ...replacedFunctions } } };
  });
  const collections = operations.flatMap((each) => each.collection ?? []);
  return { ...api, contract: { ...api.contract, operations, collections } };
}

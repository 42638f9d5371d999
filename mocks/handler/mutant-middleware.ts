/**
 * Types of a middleware, by which mutants change the requests and responses of an API. `api-handler.ts` calls a middleware for each request of an API with such
 * mutants; `serve-mutants.ts` makes it at start and reload. `mock-mutant.ts` defines changes of mutants by these types. The file has types only.
 */

import type { HttpRequest, HttpResponse } from '../../core/http/exchange.ts';

/** Responds to a request. */
export type Respond = (request: HttpRequest) => Promise<HttpResponse>;

/** Changes the request or the response, or responds itself. It may call `next` any number of times. */
export type MutantMiddleware = (request: HttpRequest, next: Respond) => Promise<HttpResponse>;

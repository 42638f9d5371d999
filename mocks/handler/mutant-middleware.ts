/**
 * Types of a middleware, which stands around the responses of an API. `api-handler.ts` calls one for each request of an API with mutants; `serve-mutants.ts`
 * makes it. `mock-mutant.ts`, `single-read-mutants.ts` and `tenant-mutants.ts` define mutants by these types. It has types only.
 */

import type { HttpRequest, HttpResponse } from '../../core/http/exchange.ts';

/** Answers a request. */
export type Respond = (request: HttpRequest) => Promise<HttpResponse>;

/** Changes the request or the answer, or answers itself. It may call `next` any number of times. */
export type MutantMiddleware = (request: HttpRequest, next: Respond) => Promise<HttpResponse>;

/** The types of a middleware, which stands around the answers of an API. Mutants are middlewares; `api-handler.ts` calls them for each request. It has types only. */

import type { HttpRequest, HttpResponse } from '../../core/http/exchange.ts';

/** Answers a request. */
export type Respond = (request: HttpRequest) => Promise<HttpResponse>;

/** Changes the request or the answer, or answers itself. It may call `next` any number of times. */
export type Middleware = (request: HttpRequest, next: Respond) => Promise<HttpResponse>;

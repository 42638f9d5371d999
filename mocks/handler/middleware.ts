/** Middleware of a mock: it sees a request first and the answer last. */

import type { HttpRequest, HttpResponse } from '../../core/http/exchange.ts';

/** Answers a request. */
export type Respond = (request: HttpRequest) => Promise<HttpResponse>;

/** May change the request before, the answer after, or answer by itself. `next` may be asked any number of times. */
export type Middleware = (request: HttpRequest, next: Respond) => Promise<HttpResponse>;

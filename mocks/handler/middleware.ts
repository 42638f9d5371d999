/** What may stand around a mock's answers: it sees a request before, and an answer after everything else. */

import type { HttpRequest, HttpResponse } from '../../core/http/exchange.ts';

/** Answers a request. */
export type Respond = (request: HttpRequest) => Promise<HttpResponse>;

/** May change the request before, the answer after, or answer by itself. `next` may be asked any number of times. */
export type Middleware = (request: HttpRequest, next: Respond) => Promise<HttpResponse>;

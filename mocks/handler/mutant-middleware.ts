import type { HttpRequest, HttpResponse } from '../../core/http/exchange.ts';

/** Responds to a request. */
export type Respond = (request: HttpRequest) => Promise<HttpResponse>;

/** Changes the request or the response, or responds itself. It may call `next` any number of times. */
export type MutantMiddleware = (request: HttpRequest, next: Respond) => Promise<HttpResponse>;

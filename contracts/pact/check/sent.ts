/** The request of an interaction as it goes over the wire, its examples in the place of what is injected. */

import type { HttpRequest } from '../../../core/exchange.ts';
import type { Interaction } from '../../../core/pact.ts';

/** A request, and what of it tells who asks. */
export interface SentRequest {
  readonly request: HttpRequest;
}

/** The request that an interaction sends. */
export function sentRequest({ request }: Interaction): SentRequest {
  const query = [...request.query].flatMap(([name, values]) => values.map((value) => `${encode(name)}=${encode(value)}`)).join('&');
  const path = request.path.replaceAll(/[^\w\-.~!$&'()*+,;=:@/%]/gu, encodeURIComponent);
  const headers = Object.fromEntries([...request.headers].map(([name, values]) => [name, values.join(', ')]));
  return { request: { method: request.method, target: query === '' ? path : `${path}?${query}`, headers } };
}

/** Commas part the members of lists, and readers of lists know them both ways. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('%2C', ',');
}

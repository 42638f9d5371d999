/** A mock whose inside can be replaced between requests: each request is answered by the one that was there when it came. */

import type { HttpRequest } from '../core/exchange.ts';
import type { Mock } from './mock.ts';

/** A mock that stays while what it answers from is replaced. */
export interface Replaceable<Inside> {
  readonly mock: Mock;
  readonly current: () => Inside;
  /** Makes the inside anew and takes it when it is complete; when that fails, it says why and the old one stays. */
  readonly reload: () => Promise<void>;
}

/** A mock around its first inside; `make` makes the next ones. */
export function createReplaceable<Inside extends { readonly mock: Mock }>(first: Inside, make: () => Promise<Inside>): Replaceable<Inside> {
  let current = first;
  // Keys that one inside knew are hidden by that one, whatever has come after it.
  const asked = new WeakMap<HttpRequest, Mock>();
  let last: Promise<void> = Promise.resolve();
  const replace = async (): Promise<void> => {
    current = await make();
  };
  return {
    current: () => current,
    // One after another: the last one that is asked for reads the files last, and is what stays.
    reload: () => {
      const next = last.then(replace, replace);
      last = next;
      return next;
    },
    mock: {
      respond: (request) => {
        asked.set(request, current.mock);
        return current.mock.respond(request);
      },
      refuse: (status, message) => current.mock.refuse(status, message),
      methodsAt: (request) => current.mock.methodsAt(request),
      readsBody: (request) => current.mock.readsBody(request),
      redact: (request) => (asked.get(request) ?? current.mock).redact(request),
    },
  };
}

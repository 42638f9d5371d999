/**
 * Mock whose content can be replaced while requests are under way. `start-mock.ts` creates it once and reloads it on demand; `server.ts` calls it for each
 * request. It builds no content.
 */

import type { HttpRequest } from '../core/http/exchange.ts';
import type { Mock } from './handler/mock.ts';

/** A mock whose content can be replaced while it runs. */
export interface ReloadableMock<Content> {
  readonly mock: Mock;
  readonly current: () => Content;
  /** Rebuilds the content and replaces the old one. On an error it rejects, and the old content stays. */
  readonly reload: () => Promise<void>;
}

/** Creates a mock with its first content; `build` makes the content of each reload. `start-mock.ts` calls it once. */
export function createReloadable<Content extends { readonly mock: Mock }>(
  first: Content,
  build: () => Promise<Content>,
): ReloadableMock<Content> {
  let current = first;
  // A request stays with the content that received it, which knows the keys to hide.
  const receivedBy = new WeakMap<HttpRequest, Mock>();
  let lastReload: Promise<void> = Promise.resolve();
  const replace = async (): Promise<void> => {
    current = await build();
  };
  return {
    current: () => current,
    // Reloads run one after another, so that the last one reads the newest files and wins.
    reload: () => {
      lastReload = lastReload.then(replace, replace);
      return lastReload;
    },
    mock: {
      respond: (request) => {
        receivedBy.set(request, current.mock);
        return current.mock.respond(request);
      },
      refuse: (status, message) => current.mock.refuse(status, message),
      methodsAt: (request) => current.mock.methodsAt(request),
      readsBody: (request) => current.mock.readsBody(request),
      redact: (request) => (receivedBy.get(request) ?? current.mock).redact(request),
    },
  };
}

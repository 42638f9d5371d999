/** Connects the control endpoint to node:http: bodies, fixed headers and event streams. Decides no response. */

import type { ServerResponse } from 'node:http';
import { splitTarget } from '../../core/http/exchange.ts';
import { readBody } from '../server/read-request-body.ts';
import type { RequestInterceptor } from '../server/server.ts';
import { type ControlHandler, isControlPath, maxBodyBytes } from './control-handler.ts';
import type { ControlResponse } from './endpoint.ts';
import type { EventStreams } from './event-stream.ts';

/** Creates the part of the mock's server that responds to requests below `/__mock/`. */
export function createControlAdapter(
  handler: ControlHandler,
  events: EventStreams,
  isApiPath: (path: string) => boolean,
): RequestInterceptor {
  let isClosing = false;
  return {
    // A path of an API wins over the same path of the control endpoint, such as /openapi.json.
    owns: ({ url = '/', headers }) => {
      const { path } = splitTarget(url);
      return isControlPath(path, headers) && !isApiPath(path);
    },
    handle: async (incoming, outgoing) => {
      const { method = 'GET', url: target = '/' } = incoming;
      const body = await readBody(incoming, maxBodyBytes(target));
      if (body === undefined) return;
      // The unread rest of a body would be parsed as the next request.
      if (isClosing || typeof body !== 'string') outgoing.setHeader('connection', 'close');
      writeResponse(handler({ method, target, headers: incoming.headers, body }), method, outgoing);
    },
    endResponses: () => {
      isClosing = true;
      events.end();
    },
  };
}

/** Headers of every response. It is not stored, since it is soon out of date and may hold keys. A page loads nothing from outside and cannot be framed. */
const fixedHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

function writeResponse({ status, headers, body }: ControlResponse, method: string, outgoing: ServerResponse): void {
  if (typeof body === 'function') {
    // The connection ends with the stream, so that a mock can stop without waiting for an idle connection.
    outgoing.writeHead(status, { ...fixedHeaders, ...headers, connection: 'close' });
    if (method === 'HEAD') outgoing.end();
    else body(outgoing);
    return;
  }
  const lengthHeaders = status === 204 ? {} : { 'content-length': body.length };
  outgoing.writeHead(status, { ...fixedHeaders, ...headers, ...lengthHeaders }).end(body);
}

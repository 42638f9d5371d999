/**
 * A second implementation of both HTTP APIs, written from their documents alone, so that a misreading shared by the mock and the verifier shows. It imports
 * nothing of the project.
 */

import { createServer, type IncomingMessage } from 'node:http';
import { makeAdmission } from './access.ts';
import { makeBusiness } from './business-api.ts';
import type { Api } from './http-messages.ts';
import { ApiError, type OutgoingReply, type ReceivedRequest, send } from './http-messages.ts';
import type { LiveData } from './live-data.ts';
import { type Setup, type SetupOptions, setupFrom } from './server-setup.ts';
import { makeWiki } from './wiki-api.ts';

/** The answer to a request outside every operation; undefined for one that an operation answers. */
function outside(setup: Setup, known: boolean, request: ReceivedRequest): OutgoingReply | undefined {
  if (!known) return refusal(setup, 404, {});
  if (request.method === 'GET') return undefined;
  if (request.method === 'HEAD') {
    const choice = setup.choice('head-method');
    return choice === 'as-get' ? undefined : refusal(setup, Number(choice), { allow: 'GET' });
  }
  return refusal(setup, Number(setup.choice('other-methods')), { allow: 'GET' });
}

function refusal(setup: Setup, status: number, headers: Readonly<Record<string, string>>): OutgoingReply {
  const choice = setup.choice('outside');
  if (choice === 'html') return { status, headers, text: { type: 'text/html; charset=utf-8', content: `<h1>${status}</h1>` } };
  if (choice === 'empty') return { status, headers };
  const usual = status === 404 ? 'NOT_FOUND' : 'METHOD_NOT_ALLOWED';
  throw new ApiError(status, choice === 'other-code' ? `HTTP_${status}` : usual, 'This is not part of the API', headers);
}

/** The settings of a second server. */
export interface SecondOptions extends SetupOptions {
  /** Called before each request is answered, to change data as live users would. */
  readonly changes?: (moment: number, data: LiveData) => void;
  /** Every n-th request is answered 429. */
  readonly rateLimit?: number;
  /** Every n-th request is answered 503. */
  readonly notReady?: number;
  /** Called before each request: the reason to turn it away, if any. */
  readonly turnedAway?: () => 'throttled' | 'not-ready' | undefined;
}

/** A running server. */
export interface SecondServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** The keys by role; empty for the wiki API. */
  readonly keys: Readonly<Record<string, string>>;
  /** The slugs of hidden wiki entries; empty for the business API. */
  readonly hidden: readonly string[];
  /** The number of requests so far. */
  readonly requests: () => number;
  readonly close: () => Promise<void>;
}

/** Starts a server on a free port of this machine. */
export async function startSecondServer(options: SecondOptions): Promise<SecondServer> {
  const setup = setupFrom(options);
  const admit = makeAdmission(setup, {
    rateLimit: options.rateLimit,
    notReady: options.notReady,
    turnedAway: options.turnedAway,
  });
  const api = options.api === 'business' ? makeBusiness(setup, admit) : makeWiki(setup, admit);
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const received = receivedRequest(request, requests);
    options.changes?.(requests, api.data);
    send(setup, request, response, answered(setup, api, received));
  });
  server.listen(0, '127.0.0.1');
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', reject);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The second server listens on no port; it must listen on 127.0.0.1');
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    keys: api.keys,
    get hidden() {
      return api.hidden();
    },
    requests: () => requests,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function receivedRequest(request: IncomingMessage, moment: number): ReceivedRequest {
  const [path = '/', ...rest] = (request.url ?? '/').split('?');
  const rawQuery = rest.join('?');
  return { method: request.method ?? 'GET', path, rawQuery, query: new URLSearchParams(rawQuery), headers: request.headers, moment };
}

function answered(setup: Setup, api: Api, request: ReceivedRequest): OutgoingReply {
  try {
    return outside(setup, api.has(request.path), request) ?? api.answer(request);
  } catch (error) {
    if (error instanceof ApiError) return api.fail(error, request);
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    // An accidental mistake of this server must not pass for a defect: the message names its origin.
    return { status: 500, text: { type: 'text/plain', content: `The second server itself is broken: ${stack}` } };
  }
}

/** A second implementation of both HTTP APIs, written from their documents alone, so that a misreading shared by mock and judge shows. */

import { createServer, type IncomingMessage } from 'node:http';
import type { Api } from './api.ts';
import { makeBusiness } from './business.ts';
import type { CalendarId } from './calendar.ts';
import { outside } from './outside.ts';
import { type Asked, Failure, type Reply } from './reply.ts';
import { send } from './send.ts';
import { type DataSize, type Setup, setupFrom } from './setup.ts';
import { makeTrouble } from './trouble.ts';
import { makeWiki } from './wiki.ts';
import type { MutableWorld } from './world.ts';

/** How a second server is to be. */
export interface SecondOptions {
  readonly api: 'business' | 'wiki';
  /** How open questions are answered; choices.ts has the questions. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Deviations; faults.ts has their ids. */
  readonly faults?: readonly string[];
  readonly data?: DataSize;
  /** When the data came about; calendar.ts has the spans. */
  readonly calendar?: CalendarId;
  readonly seed?: number;
  /** Called before each request is answered, to change data as live users would. */
  readonly chaos?: (moment: number, world: MutableWorld) => void;
  /** Every n-th request is answered 429. */
  readonly rateLimit?: number;
  /** Every n-th request is answered 503. */
  readonly notReady?: number;
  /** Asked before each request: whether it is turned away, and why. */
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
  /** How many requests have come. */
  readonly requests: () => number;
  readonly close: () => Promise<void>;
}

/** Starts a server on a free port of this machine. */
export async function startSecondServer(options: SecondOptions): Promise<SecondServer> {
  const setup = setupFrom(options);
  const trouble = makeTrouble(setup, {
    rateLimit: options.rateLimit,
    notReady: options.notReady,
    turnedAway: options.turnedAway,
  });
  const api = options.api === 'business' ? makeBusiness(setup, trouble) : makeWiki(setup, trouble);
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const asked = askedFrom(request, requests);
    options.chaos?.(requests, api.world);
    send(setup, request, response, answered(setup, api, asked));
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

function askedFrom(request: IncomingMessage, moment: number): Asked {
  const [path = '/', ...rest] = (request.url ?? '/').split('?');
  const rawQuery = rest.join('?');
  return { method: request.method ?? 'GET', path, rawQuery, query: new URLSearchParams(rawQuery), headers: request.headers, moment };
}

function answered(setup: Setup, api: Api, asked: Asked): Reply {
  try {
    return outside(setup, api.has(asked.path), asked) ?? api.answer(asked);
  } catch (error) {
    if (error instanceof Failure) return api.fail(error, asked);
    const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
    // A mistake of this server must not pass for one of its deviations: the message says whose it is.
    return { status: 500, text: { type: 'text/plain', content: `The second server itself is broken: ${told}` } };
  }
}

/** One question to the service and its answer: the key, conditional reads, and patience when the service has a bad moment. */

import { KeyRefused, NotAllowed, QueryRefused, readFailure, type ServiceFailure, Unavailable, UnexpectedAnswer } from './failure.ts';

/** Settings of a connection. The caller provides the time. */
export interface ConnectionOptions {
  /** The address of the service, without a slash at the end. */
  readonly baseUrl: string;
  readonly key: string;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** The instant, in milliseconds since 1970: a `Retry-After` may be a date. */
  readonly now: () => number;
  /** Attempts before the till gives up for now. Default: 6. */
  readonly attempts?: number;
  readonly fetch?: typeof globalThis.fetch;
}

/** A JSON object of which nothing is known yet. */
export type Body = Readonly<Record<string, unknown>>;

/** Result of a request. */
export type Reading =
  | { readonly kind: 'found'; readonly body: Body; readonly etag: string | undefined }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'missing'; readonly code: string };

/** Parameters by their names. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** Asks the service. */
export interface Connection {
  /**
   * Reads what stands at a path; with the ETag of an earlier reading, only if it changed since.
   * @throws {ServiceFailure} for anything but a success, an unchanged copy, and a thing that is not there.
   */
  readonly read: (path: string, query?: Query, etag?: string) => Promise<Reading>;
}

const prefix = '/api/integrations/v1';
const longestPauseMs = 60_000;
/** Wait when the service asks for one and names no time. */
const usualPauseMs = 30_000;

/** A connection to the service at an address. */
export function openConnection({ baseUrl, key, sleep, now, attempts = 6, fetch = globalThis.fetch }: ConnectionOptions): Connection {
  const read = async (path: string, query: Query = {}, etag?: string): Promise<Reading> => {
    const headers = { 'X-SERVICE-API-Key': key, Accept: 'application/json', ...(etag === undefined ? {} : { 'If-None-Match': etag }) };
    let last = new Unavailable('the service was never asked');
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const outcome = await ask(fetch, `${baseUrl}${prefix}${path}${printQuery(query)}`, headers);
      if (!('chaos' in outcome)) return outcome;
      last = outcome.chaos;
      if (attempt < attempts) await sleep(pauseOf(outcome.retryAfter, attempt, now()));
    }
    throw last;
  };
  return { read };
}

/** A failure that goes away by itself: the same request may succeed later. */
interface Chaos {
  readonly chaos: Unavailable;
  readonly retryAfter: string | undefined;
}

async function ask(fetch: typeof globalThis.fetch, url: string, headers: Readonly<Record<string, string>>): Promise<Reading | Chaos> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, { headers });
    text = await response.text();
  } catch (error) {
    // fetch reports an unreachable service and a connection that breaks in the middle alike.
    if (error instanceof TypeError)
      return { chaos: new Unavailable(`the service cannot be reached: ${error.message}`), retryAfter: undefined };
    throw error;
  }
  return sort(response, text);
}

function sort({ status, headers }: Response, text: string): Reading | Chaos {
  if (status === 200) return { kind: 'found', body: readBody(text), etag: headers.get('etag') ?? undefined };
  if (status === 304) return { kind: 'unchanged' };
  const facts = readFailure(status, text);
  if (status === 404) return { kind: 'missing', code: facts.code };
  if (status === 429 || status === 503) {
    const chaos = new Unavailable(status === 429 ? 'the service allows no more requests' : 'the service is not ready', facts);
    return { chaos, retryAfter: headers.get('retry-after') ?? undefined };
  }
  throw failureOf(facts);
}

function failureOf(facts: ReturnType<typeof readFailure>): ServiceFailure {
  if (facts.status === 401) return new KeyRefused('the service refuses the key: give the till a valid one', facts);
  if (facts.status === 403) return new NotAllowed('the key may not do this: add the scope in the administration panel', facts);
  if (facts.status === 422) return new QueryRefused(`the service refuses the query with ${facts.code}`, facts);
  return new UnexpectedAnswer(`the service answered ${facts.status}, which its documentation does not name`, facts);
}

function readBody(text: string): Body {
  const body: unknown = parse(text);
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new UnexpectedAnswer('the body is no JSON object', { status: 200 });
  return body as Body;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new UnexpectedAnswer('the body is no JSON', { status: 200 });
    throw error;
  }
}

/** As long as the service says; otherwise a second, then twice as long each time. */
function pauseOf(retryAfter: string | undefined, attempt: number, nowMs: number): number {
  if (retryAfter === undefined) return Math.min(longestPauseMs, 1000 * 2 ** (attempt - 1));
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const until = Date.parse(retryAfter);
  return Number.isNaN(until) ? usualPauseMs : Math.max(0, until - nowMs);
}

/** Cursors are opaque and checkpoints hold a plus: everything is escaped. */
function printQuery(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  return parameters.size === 0 ? '' : `?${parameters}`;
}

/** The server that is judged: sends requests over the network as they are written, follows redirects within the origin, and reports how that went. */

import { UsageError } from '../../../core/errors.ts';
import { type HttpHeaders, type HttpRequest, type HttpResponse, verifierAgent } from '../../../core/http/exchange.ts';
import { chooseProxy, isLoopback, type ProxyEnvironment, prefixOf, printUrl, readTargetUrl } from './target-address.ts';
import { createConnections, deliver, type Fields, type OutgoingRequest } from './target-exchange.ts';
import { DeliveryError, type FailureCause } from './target-failure.ts';

/** Options of a connection to a target. */
export interface TargetOptions {
  /** Scheme and host, and perhaps a path that stands before each path of the API. */
  readonly url: string;
  /** Timeout of one request in milliseconds, redirects included. */
  readonly timeoutMs: number;
  /** Fields of a gateway, sent with each request that does not set them itself. */
  readonly headers: Readonly<Record<string, string>>;
  /** Holds the proxy variables. */
  readonly environment: ProxyEnvironment;
}

/** Outcome of a request, with times of a monotonic clock. */
export type Delivery =
  | {
      readonly kind: 'answer';
      /** The response. */
      readonly response: HttpResponse;
      /** Start of the request in milliseconds. */
      readonly startedMs: number;
      /** End of the response in milliseconds. */
      readonly endedMs: number;
      /** The number of redirects within the origin that were followed; each of them was a request. */
      readonly redirects?: number;
      /** Place of a redirect that was not followed, without credentials. */
      readonly redirectedTo?: string;
    }
  | {
      readonly kind: 'failure';
      /** Kind of the failure. */
      readonly cause: FailureCause;
      /** One sentence, with what to do. */
      readonly message: string;
      /** Start of the request in milliseconds. */
      readonly startedMs: number;
      /** Time of the failure in milliseconds. */
      readonly endedMs: number;
    };

/** A server to send requests to. */
export interface Target {
  /** Without a slash at the end, and without credentials. */
  readonly url: string;
  /** True for a target on this machine. */
  readonly isLocal: boolean;
  /**
   * Sends a request that only reads, its target byte for byte.
   * @throws {TypeError} when the method may change something, or when HTTP cannot carry the request.
   */
  readonly send: (request: HttpRequest) => Promise<Delivery>;
  /** Closes the connections; requests under way fail. */
  readonly close: () => Promise<void>;
}

/**
 * Opens a target; nothing is sent yet.
 * @throws {UsageError} for an address, a header field, a timeout or a proxy variable that cannot be used.
 */
export function openTarget(options: TargetOptions): Target {
  const url = readTargetUrl(options.url);
  const { timeoutMs, environment } = options;
  requireTimeout(timeoutMs);
  const gateway = readFields(options.headers);
  chooseProxy(url, environment);
  const connections = createConnections(timeoutMs);
  const send = async (request: HttpRequest): Promise<Delivery> => {
    requireReading(request);
    const controller = new AbortController();
    const late = new DeliveryError(
      'timeout',
      `${url.origin} did not answer within ${timeoutMs} ms; check that it is well, or raise --timeout`,
    );
    const timer = setTimeout(() => controller.abort(late), timeoutMs);
    const startedMs = performance.now();
    const headers = mergeFields(gateway, request.headers);
    try {
      const followed = await follow({ url, target: `${prefixOf(url)}${request.target}`, method: request.method, headers }, (call) =>
        deliver(call, chooseProxy(call.url, environment), connections, controller.signal),
      );
      return { kind: 'answer', ...followed, startedMs, endedMs: performance.now() };
    } catch (error) {
      if (error instanceof DeliveryError) return { kind: 'failure', ...error.failure, startedMs, endedMs: performance.now() };
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
  return { url: printUrl(url), isLocal: isLoopback(url), send, close: async () => connections.close() };
}

/** Methods that change nothing (RFC 9110 §9.2.1). */
const readingMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Timers count in 31 bits, and a longer one would fire at once. */
const timeoutMax = 2 ** 31 - 1;

/**
 * Lets only requests through that read, and that name a path.
 * @throws {TypeError} for any other: it is a mistake in the toolkit, not of the target.
 */
function requireReading({ method, target }: HttpRequest): void {
  if (!readingMethods.has(method)) throw new TypeError(`${method} ${target} is not sent: only ${[...readingMethods].join(', ')} are`);
  if (!target.startsWith('/')) throw new TypeError(`the request target ${target} does not start with a slash`);
}

/**
 * Lets only times through that a timer can keep.
 * @throws {UsageError} for any other.
 */
function requireTimeout(timeoutMs: number): void {
  if (!(timeoutMs >= 1 && timeoutMs <= timeoutMax))
    throw new UsageError(`a timeout of ${timeoutMs} ms cannot be kept; give 1 to ${timeoutMax}`);
}

/** Sent with each request that does not set them itself. */
const defaultFields: Fields = { 'accept-encoding': 'gzip', 'user-agent': verifierAgent };

/** The characters of a field's name (RFC 9110 §5.1). */
const namePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** A value is a line of Latin-1 without control characters (RFC 9110 §5.5). */
const valuePattern = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

/**
 * Reads the fields that a gateway wants.
 * @throws {UsageError} when HTTP cannot carry one. Its value is never printed: it is likely a secret.
 */
function readFields(headers: Readonly<Record<string, string>>): Fields {
  for (const [name, value] of Object.entries(headers)) {
    if (!namePattern.test(name)) throw new UsageError(`${name} is not the name of a header field; write --header NAME=ENV_VAR`);
    if (!valuePattern.test(value))
      throw new UsageError(
        `the value of the header field ${name} has a line break or a character that HTTP cannot carry; look at its variable`,
      );
  }
  return lowerCase(headers);
}

/** Default fields, those of a gateway and the request’s own; later ones win. */
function mergeFields(gateway: Fields, own: HttpHeaders): Fields {
  return { ...defaultFields, ...gateway, ...lowerCase(own) };
}

function lowerCase(headers: HttpHeaders): Fields {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name.toLowerCase(), value] as const])),
  );
}

const redirectsMax = 5;

/** An answer after its redirects; `redirectedTo` is the place of one that was not followed. */
interface Followed {
  readonly response: HttpResponse;
  readonly redirects?: number;
  readonly redirectedTo?: string;
}

/** Follows redirects within the origin. A loop, and one redirect too many, end as the redirect itself. */
async function follow(first: OutgoingRequest, ask: (call: OutgoingRequest) => Promise<HttpResponse>): Promise<Followed> {
  const asked = new Set([`${first.url.origin}${first.target}`]);
  for (let call = first; ; ) {
    const response = await ask(call);
    const redirect = readRedirect(response, `${call.url.origin}${call.target}`);
    const answer = asked.size === 1 ? { response } : { response, redirects: asked.size - 1 };
    if (redirect === undefined) return answer;
    const { url, isFollowed } = redirect;
    const target = `${url.pathname}${url.search}`;
    const isNew = !asked.has(`${url.origin}${target}`) && asked.size <= redirectsMax;
    if (!isFollowed || !isNew) return { ...answer, redirectedTo: printRedirect(url) };
    asked.add(`${url.origin}${target}`);
    call = { ...call, url, target };
  }
}

/** Place that a redirect leads to. */
interface Redirect {
  readonly url: URL;
  /** True when a request with keys may go there: the same scheme, host and port (RFC 6454). */
  readonly isFollowed: boolean;
}

/** Reads the answer's `Location`; `undefined` when the answer is no redirect or its address cannot be read. */
function readRedirect({ status, headers }: HttpResponse, from: string): Redirect | undefined {
  const location = [headers['location']].flat()[0];
  if (!redirectStatuses.has(status) || location === undefined) return undefined;
  // Node.js reads header fields as Latin-1, and servers write UTF-8 there.
  const text = Buffer.from(location, 'latin1').toString('utf8');
  if (!URL.canParse(text, from)) return undefined;
  const [url, asked] = [new URL(text, from), new URL(from)];
  const isFollowed = url.origin === asked.origin && url.username === '' && url.password === '';
  return { url, isFollowed };
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** A redirect’s address as it may be printed: without user and password. */
function printRedirect(url: URL): string {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  return shown.href;
}

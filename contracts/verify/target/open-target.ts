/**
 * Opens the server under test and sends it requests, byte for byte. Refuses methods that may change data, and follows redirects only within the origin, since
 * another origin must not receive keys.
 */

import { UsageError } from '../../../core/errors.ts';
import type { HttpHeaders, HttpRequest, HttpResponse } from '../../../core/http/exchange.ts';
import { verifierAgent } from '../../../core/http/headers-of-unjudged-requests.ts';
import { chooseProxy, type ProxyEnvironment } from './choose-proxy.ts';
import { createConnections } from './connections.ts';
import { DeliveryError, type FailureCause } from './explain-network-failure.ts';
import { deliver, type HeaderFields, type OutgoingRequest } from './send-one-request.ts';
import { isLoopback, prefixOf, printUrl, readTargetUrl } from './target-address.ts';

/** A certificate by which a target recognises its client (mutual TLS). */
export interface ClientCertificate {
  /** The certificate, with its chain, in PEM. */
  readonly cert: string;
  /** The private key in PEM, without a passphrase. */
  readonly key: string;
  /** The files of both, for the curl commands of reports. */
  readonly files: readonly [cert: string, key: string];
}

/** Options of a connection to a target. */
export interface TargetOptions {
  /** Scheme and host, with an optional path before each path of the API. */
  readonly url: string;
  /** Timeout of one request in milliseconds, redirects included. */
  readonly timeoutMs: number;
  /** Header fields for a gateway, sent with each request that does not set them itself. */
  readonly headers: Readonly<Record<string, string>>;
  /** The certificate of the client, for targets that ask for one. */
  readonly certificate?: ClientCertificate | undefined;
  /** The environment variables with the proxy settings. */
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
      /** The number of followed redirects within the origin; each was a request. */
      readonly redirects?: number;
      /** The URL of a redirect that was not followed, without credentials. */
      readonly redirectedTo?: string;
    }
  | {
      readonly kind: 'failure';
      /** Kind of the failure. */
      readonly cause: FailureCause;
      /** One sentence with advice. */
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
   * Sends a request with a safe method, its target byte for byte. A redirect with a documented status is a response like any other, and not followed.
   * @throws {TypeError} if the method may change data, or HTTP cannot carry the request.
   */
  readonly send: (request: HttpRequest, isDocumented?: (status: number) => boolean) => Promise<Delivery>;
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
  if (options.certificate !== undefined && url.protocol !== 'https:')
    throw new UsageError(
      `a client certificate needs TLS, but the target is ${url.origin}; write https://HOST, or leave out --cert and --client-key`,
    );
  const connections = createConnections(timeoutMs, options.certificate);
  const send: Target['send'] = async (request, isDocumented = () => false) => {
    requireReadOnly(request);
    const controller = new AbortController();
    const timeoutError = new DeliveryError(
      'timeout',
      `${url.origin} did not respond within ${timeoutMs} ms; check the server, or raise --timeout`,
    );
    const timer = setTimeout(() => controller.abort(timeoutError), timeoutMs);
    const startedMs = performance.now();
    const headers = mergeFields(gateway, request.headers);
    try {
      const followed = await followRedirects(
        { url, target: `${prefixOf(url)}${request.target}`, method: request.method, headers },
        (outgoing) => deliver(outgoing, chooseProxy(outgoing.url, environment), connections, controller.signal),
        isDocumented,
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
const readOnlyMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The longest time of a timer in Node.js; a longer one would fire at once. */
const timeoutMax = 2 ** 31 - 1;

/**
 * Checks that a request has a safe method and a path.
 * @throws {TypeError} if not, because that is an internal error.
 */
function requireReadOnly({ method, target }: HttpRequest): void {
  if (!readOnlyMethods.has(method))
    throw new TypeError(`${method} ${target} is not sent; only ${[...readOnlyMethods].join(', ')} are allowed`);
  if (!target.startsWith('/')) throw new TypeError(`the request target ${target} does not start with a slash`);
}

/**
 * Checks that a timer supports a timeout.
 * @throws {UsageError} if not.
 */
function requireTimeout(timeoutMs: number): void {
  if (!(timeoutMs >= 1 && timeoutMs <= timeoutMax))
    throw new UsageError(`a timeout of ${timeoutMs} ms is not possible; give 1 to ${timeoutMax}`);
}

/** Default header fields of each request. */
const defaultFields: HeaderFields = { 'accept-encoding': 'gzip', 'user-agent': verifierAgent };

/** The characters of a field's name (RFC 9110 §5.1). */
const namePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** A value is a line of Latin-1 without control characters (RFC 9110 §5.5). */
const valuePattern = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

/**
 * Reads the header fields for a gateway.
 * @throws {UsageError} if HTTP cannot carry one. The message hides the value, which may be a secret.
 */
function readFields(headers: Readonly<Record<string, string>>): HeaderFields {
  for (const [name, value] of Object.entries(headers)) {
    if (!namePattern.test(name)) throw new UsageError(`${name} is not the name of a header field; write --header NAME=ENV_VAR`);
    if (!valuePattern.test(value))
      throw new UsageError(
        `the value of the header field ${name} has a line break or a character that HTTP cannot carry; check its variable`,
      );
  }
  return lowerCaseNames(headers);
}

/** Merges the default fields, those of a gateway and those of the request; later ones win. */
function mergeFields(gateway: HeaderFields, requestHeaders: HttpHeaders): HeaderFields {
  return { ...defaultFields, ...gateway, ...lowerCaseNames(requestHeaders) };
}

function lowerCaseNames(headers: HttpHeaders): HeaderFields {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name.toLowerCase(), value] as const])),
  );
}

const redirectsMax = 5;

/** A response after its redirects; `redirectedTo` is the URL of one that was not followed. */
interface FollowedResponse {
  readonly response: HttpResponse;
  readonly redirects?: number;
  readonly redirectedTo?: string;
}

/** Follows redirects within the origin. After a loop or too many redirects, it returns the redirect itself. */
async function followRedirects(
  first: OutgoingRequest,
  send: (request: OutgoingRequest) => Promise<HttpResponse>,
  isDocumented: (status: number) => boolean,
): Promise<FollowedResponse> {
  const visited = new Set([`${first.url.origin}${first.target}`]);
  for (let outgoing = first; ; ) {
    const response = await send(outgoing);
    const redirect = readRedirect(response, `${outgoing.url.origin}${outgoing.target}`);
    const followed = visited.size === 1 ? { response } : { response, redirects: visited.size - 1 };
    if (redirect === undefined || isDocumented(response.status)) return followed;
    const { url, isFollowed } = redirect;
    const target = `${url.pathname}${url.search}`;
    const isNew = !visited.has(`${url.origin}${target}`) && visited.size <= redirectsMax;
    if (!isFollowed || !isNew) return { ...followed, redirectedTo: printRedirect(url) };
    visited.add(`${url.origin}${target}`);
    outgoing = { ...outgoing, url, target };
  }
}

/** The URL of a redirect. */
interface Redirect {
  readonly url: URL;
  /** True if keys may be sent there: the same scheme, host and port (RFC 6454). */
  readonly isFollowed: boolean;
}

/** Reads the `Location` of a response; `undefined` if it is no redirect or its URL is invalid. */
function readRedirect({ status, headers }: HttpResponse, from: string): Redirect | undefined {
  const location = [headers['location']].flat()[0];
  if (!redirectStatuses.has(status) || location === undefined) return undefined;
  // Node.js reads header fields as Latin-1, and servers write UTF-8 there.
  const text = Buffer.from(location, 'latin1').toString('utf8');
  if (!URL.canParse(text, from)) return undefined;
  const [url, source] = [new URL(text, from), new URL(from)];
  const isFollowed = url.origin === source.origin && url.username === '' && url.password === '';
  return { url, isFollowed };
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The URL of a redirect for messages, without user and password. */
function printRedirect(url: URL): string {
  const printed = new URL(url);
  printed.username = '';
  printed.password = '';
  return printed.href;
}

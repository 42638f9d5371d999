/** Chooses the proxy of a request by its URL and the environment variables. Opens no connection. */

import { isIP } from 'node:net';
import { UsageError } from '../../../core/errors.ts';
import { hostOf, portOf } from './target-address.ts';

/** A proxy. */
export interface ProxyServer {
  /** Without user and password. */
  readonly url: URL;
  /** The URL for messages. */
  readonly name: string;
  /** The value of `Proxy-Authorization`, if the proxy needs a password. */
  readonly authorization: string | undefined;
}

/** Environment variables. */
export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy for a URL: `HTTP_PROXY` or `HTTPS_PROXY` by its scheme, else `ALL_PROXY`, unless `NO_PROXY` lists its host. The names may be in lower case.
 * @throws {UsageError} if the variable is not the URL of an HTTP proxy.
 */
export function chooseProxy(url: URL, environment: ProxyEnvironment): ProxyServer | undefined {
  const names = [`${url.protocol.slice(0, -1)}_proxy`, 'all_proxy'];
  const name = names.find((each) => environmentVariable(environment, each) !== '');
  if (name === undefined || isExcepted(url, environmentVariable(environment, 'no_proxy'))) return undefined;
  return readProxy(name, environmentVariable(environment, name));
}

/** The value of a variable, with its name in lower or upper case. The lower-case name comes first, by convention. */
function environmentVariable(environment: ProxyEnvironment, name: string): string {
  return [name, name.toUpperCase()].map((each) => (environment[each] ?? '').trim()).find((value) => value !== '') ?? '';
}

/** Reads the URL of a proxy. Messages never show the value, because it may contain a password. */
function readProxy(name: string, value: string): ProxyServer {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const problem = `the variable ${name.toUpperCase()} is not the URL of an HTTP proxy; write http://HOST:PORT, unset it, or list the host in NO_PROXY`;
  if (!URL.canParse(text)) throw new UsageError(problem);
  const url = new URL(text);
  if ((url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '') throw new UsageError(problem);
  const authorization = url.username === '' && url.password === '' ? undefined : basicAuthorization(url, problem);
  return { url: new URL(`${url.protocol}//${url.host}`), name: `${url.protocol}//${url.host}`, authorization };
}

function basicAuthorization(url: URL, problem: string): string {
  try {
    return `Basic ${Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`).toString('base64')}`;
  } catch (cause) {
    throw new UsageError(`${problem}; write a % in its user or password as %25`, { cause });
  }
}

/** True if `NO_PROXY` lists the host: as a name, a parent domain or an address, with or without a port. */
function isExcepted(url: URL, exceptions: string): boolean {
  return exceptions
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((each) => each !== '')
    .some((exception) => exception === '*' || isListed(url, exception));
}

function isListed(url: URL, exception: string): boolean {
  const host = hostOf(url).replace(/\.$/, '');
  // An IPv6 address contains colons, so it needs brackets before a port.
  const withPort = /^\[([^\]]*)\](?::(\d+))?$/.exec(exception) ?? /^([^:]*):(\d+)$/.exec(exception);
  const [, name = exception, port] = withPort ?? [];
  if (port !== undefined && Number(port) !== portOf(url)) return false;
  if (isIP(host) !== 0) return host === name;
  const domain = name.replace(/^\*?\./, '').replace(/\.$/, '');
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}

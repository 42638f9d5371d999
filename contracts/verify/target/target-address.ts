/** Addresses: URLs that can be a target, hosts that are this machine, and the proxy that stands before a URL. */

import { BlockList, isIP } from 'node:net';
import { UsageError } from '../../../core/errors.ts';
import { commonPath, type Operation } from '../../../core/openapi/operation.ts';

/**
 * Reads the URL of a target; a path in it is a prefix of every request.
 * @throws {UsageError} when it is no URL of a target.
 */
export function readTargetUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !isHttp(url) || !/^https?:\/\//i.test(text))
    throw new UsageError(`the target ${describeUrl(text)} is not a URL; write http://HOST:PORT or https://HOST`);
  if (url.username !== '' || url.password !== '')
    throw new UsageError(
      `the target ${url.host} carries a user or a password in its URL; send them with --header Authorization=ENV_VAR instead`,
    );
  if (/[?#]/.test(text))
    throw new UsageError(`the target ${text} has a query or a fragment; give only what stands before each path of the API`);
  return url;
}

/**
 * The address without the path that all operations begin with. The mock prints it with that path, as many documents do; sent as it is, each path would
 * have it twice.
 */
export function withoutCommonPath(text: string, operations: readonly Operation[]): string {
  const path = commonPath(operations);
  const bare = text.replace(/\/+$/, '');
  return path !== '' && URL.canParse(bare) && new URL(bare).pathname === path ? bare.slice(0, -path.length) : text;
}

/** A URL without a slash at its end, as it is printed and put before each path. */
export function printUrl(url: URL): string {
  return `${url.origin}${prefixOf(url)}`;
}

/** Prefix of each request target. */
export function prefixOf(url: URL): string {
  return url.pathname.replace(/\/+$/, '');
}

/** A host name as sockets want it: an IPv6 address loses its brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/** The port of a URL, that of its scheme when it names none. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

/** True for a loopback host, by its name alone. */
export function isLoopback(url: URL): boolean {
  const host = hostOf(url).replace(/\.$/, '');
  return host === 'localhost' || host.endsWith('.localhost') || /^127(\.\d+){3}$/.test(host) || loopbackAddresses.has(host);
}

/** Both spellings of “any address” lead to this machine when something is asked for there. */
const loopbackAddresses: ReadonlySet<string> = new Set(['::1', '::', '0.0.0.0', '::ffff:7f00:1']);

/** True for an HTTP or HTTPS URL. */
export function isHttp(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:';
}

/** A text that is no URL may still hold a password before an @. */
function describeUrl(text: string): string {
  return text === '' ? '(empty)' : text.replace(/[^/@]*@/g, '…@');
}

/** A proxy. */
export interface ProxyServer {
  /** Without user and password. */
  readonly url: URL;
  /** As it may be printed. */
  readonly name: string;
  /** The field `Proxy-Authorization`, when the proxy wants one. */
  readonly authorization: string | undefined;
}

/** Environment variables. */
export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy for a URL: `HTTP_PROXY` or `HTTPS_PROXY` by its scheme, else `ALL_PROXY`, unless `NO_PROXY` lists its host. The names may be in any case.
 * @throws {UsageError} when the variable holds no URL of an HTTP proxy.
 */
export function chooseProxy(url: URL, environment: ProxyEnvironment): ProxyServer | undefined {
  const names = [`${url.protocol.slice(0, -1)}_proxy`, 'all_proxy'];
  const name = names.find((each) => variable(environment, each) !== '');
  if (name === undefined || isExcepted(url, variable(environment, 'no_proxy'))) return undefined;
  return readProxy(name, variable(environment, name));
}

/** A variable in any case; the lower-case name is the older custom and goes first. */
function variable(environment: ProxyEnvironment, name: string): string {
  const spellings = [name, name.toUpperCase(), ...Object.keys(environment).filter((each) => each.toLowerCase() === name)];
  return spellings.map((each) => (environment[each] ?? '').trim()).find((value) => value !== '') ?? '';
}

/** The value is never printed: it may hold a password. */
function readProxy(name: string, value: string): ProxyServer {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const wrong = `the variable ${name.toUpperCase()} does not hold the URL of an HTTP proxy; write http://HOST:PORT, unset it, or list the host in NO_PROXY`;
  if (!URL.canParse(text)) throw new UsageError(wrong);
  const url = new URL(text);
  if ((url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '') throw new UsageError(wrong);
  const authorization = url.username === '' && url.password === '' ? undefined : basic(url, wrong);
  return { url: new URL(`${url.protocol}//${url.host}`), name: `${url.protocol}//${url.host}`, authorization };
}

function basic(url: URL, wrong: string): string {
  try {
    return `Basic ${Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`).toString('base64')}`;
  } catch (cause) {
    throw new UsageError(`${wrong}; a % in its user or password is written %25`, { cause });
  }
}

/** True when `NO_PROXY` lists the host: by its name, a domain above it, an address or a range of addresses, each with a port or without. */
function isExcepted(url: URL, exceptions: string): boolean {
  return exceptions
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((each) => each !== '')
    .some((exception) => exception === '*' || isListed(url, exception));
}

function isListed(url: URL, exception: string): boolean {
  const host = hostOf(url).replace(/\.$/, '');
  // An IPv6 address has colons of its own, so its port stands only behind brackets.
  const withPort = /^\[([^\]]*)\](?::(\d+))?$/.exec(exception) ?? /^([^:]*):(\d+)$/.exec(exception);
  const [, name = exception, port] = withPort ?? [];
  if (port !== undefined && Number(port) !== portOf(url)) return false;
  if (isIP(host) !== 0) return isInRange(host, name);
  const domain = name.replace(/^\*?\./, '').replace(/\.$/, '');
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}

/** True for an address in a range such as `10.0.0.0/8`; an address alone is a range of one. */
function isInRange(address: string, range: string): boolean {
  const [start = '', length] = range.split('/');
  const size = isIP(start) === 6 ? 128 : 32;
  const prefix = length === undefined ? size : /^\d+$/.test(length) ? Number(length) : Number.NaN;
  if (isIP(start) === 0 || !(prefix <= size)) return false;
  const list = new BlockList();
  list.addSubnet(start, prefix, familyOf(start));
  return list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

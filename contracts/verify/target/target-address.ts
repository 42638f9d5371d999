import { UsageError } from '../../../core/errors.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { commonPath } from '../../../core/openapi/route-request.ts';

/**
 * Reads the URL of a target; a path in it is a prefix of every request.
 * @throws {UsageError} if the text is not the URL of a target.
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
    throw new UsageError(`the target ${text} has a query or a fragment; give only the part before the paths of the API`);
  return url;
}

/**
 * Removes the common path of all operations from an address. The mock and many documents print the address with that path, so each request path would
 * have it twice.
 */
export function withoutCommonPath(text: string, operations: readonly Operation[]): string {
  const path = commonPath(operations);
  const url = text.replace(/\/+$/, '');
  return path !== '' && URL.canParse(url) && new URL(url).pathname === path ? url.slice(0, -path.length) : text;
}

/** A URL without a slash at its end, as printed and put before each path. */
export function printUrl(url: URL): string {
  return `${url.origin}${prefixOf(url)}`;
}

/** Prefix of each request target. */
export function prefixOf(url: URL): string {
  return url.pathname.replace(/\/+$/, '');
}

/** A host name for sockets: an IPv6 address without brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/** The port of a URL; the default port of its scheme if the URL has none. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

/** True for a loopback host, by its name alone. */
export function isLoopback(url: URL): boolean {
  const host = hostOf(url).replace(/\.$/, '');
  return host === 'localhost' || host.endsWith('.localhost') || /^127(\.\d+){3}$/.test(host) || loopbackAddresses.has(host);
}

/** Loopback addresses, and both spellings of the unspecified address, which connects to this machine too. */
const loopbackAddresses: ReadonlySet<string> = new Set(['::1', '::', '0.0.0.0', '::ffff:7f00:1']);

/** True for an HTTP or HTTPS URL. */
function isHttp(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:';
}

/** A text that is no URL, for a message. The part before an @ is hidden, because it may be a password. */
function describeUrl(text: string): string {
  return text === '' ? '(empty)' : text.replace(/[^/@]*@/g, '…@');
}

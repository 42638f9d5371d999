/** Addresses: which URL can be a target, which host is this machine, and which redirects stay with a host. */

import { UsageError } from '../core/errors.ts';
import { commonPath, type Operation } from '../core/operation.ts';

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

/** What stands before each request target. */
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

/** Whether a host is this machine, by its name alone. */
export function isLoopback(url: URL): boolean {
  const host = hostOf(url).replace(/\.$/, '');
  return host === 'localhost' || host.endsWith('.localhost') || /^127(\.\d+){3}$/.test(host) || loopbackAddresses.has(host);
}

/** Both spellings of “any address” lead to this machine when something is asked for there. */
const loopbackAddresses: ReadonlySet<string> = new Set(['::1', '::', '0.0.0.0', '::ffff:7f00:1']);

/** Whether a URL is one of HTTP. */
export function isHttp(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:';
}

/** A text that is no URL may still hold a password before an @. */
function describeUrl(text: string): string {
  return text === '' ? '(empty)' : text.replace(/[^/@]*@/g, '…@');
}

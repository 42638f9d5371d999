/** Keeps web pages of other origins away from the control endpoint. It does not guard the APIs, which any page may call. */

import { type HttpHeaders, headerOf } from '../../core/http/exchange.ts';
import { ControlError, clipText } from './endpoint.ts';

/** Throws a `ControlError` with status 403 for headers of a request that may not control the mock. */
export type OriginGuard = (headers: HttpHeaders) => void;

/**
 * Creates the guard of a mock. A browser lets any page send requests to any address. Without the guard, a page that a developer has open could move the
 * clock, or read keys and journal. The guard checks two headers:
 *
 * - `Host` must be a loopback name, the address that the mock listens on, or an allowed host. This stops DNS rebinding: a page whose own host name
 *   resolves to this machine counts as the same origin, so only its host name shows it.
 * - `Origin` must be the mock's own; without `Origin`, `Sec-Fetch-Site` must not name another origin. Programs send neither header. A link may lead here
 *   from any page, since the page that has the link cannot read what it opens.
 *
 * @param listenHost the address that the mock listens on
 * @param allowedHosts names without a port, such as `mock` in a network of containers
 */
export function createOriginGuard(listenHost: string, allowedHosts: readonly string[]): OriginGuard {
  const allowedNames = new Set([normalizeHost(listenHost), ...allowedHosts.map(normalizeHost)]);
  // Such a mock is reached by every address of the machine. An address cannot be rebound as a name can.
  const listensOnAll = normalizeHost(listenHost) === '0.0.0.0' || normalizeHost(listenHost) === '::';
  const isAllowed = (name: string): boolean => isLoopback(name) || allowedNames.has(name) || (listensOnAll && isAddress(name));
  return (headers) => {
    const host = headerOf(headers, 'host') ?? '';
    if (!isAllowed(normalizeHost(host)))
      throw new ControlError(
        403,
        `The host ${clipText(host)} may not control this mock; use ${listensOnAll ? 'an IP address' : listenHost} or localhost, or start the mock with --allowed-host ${clipText(normalizeHost(host))}.`,
      );
    requireSameOrigin(headers, host);
  };
}

function requireSameOrigin(headers: HttpHeaders, host: string): void {
  const origin = headerOf(headers, 'origin');
  const fetchSite = headerOf(headers, 'sec-fetch-site');
  const isLink = headerOf(headers, 'sec-fetch-mode') === 'navigate' && headerOf(headers, 'sec-fetch-dest') === 'document';
  const isSameOrigin =
    origin === undefined ? fetchSite === undefined || fetchSite === 'same-origin' || fetchSite === 'none' : isOriginOf(origin, host);
  if (isSameOrigin || (isLink && origin === undefined)) return;
  const page = origin === undefined ? 'A page of another origin' : `The page ${clipText(origin)}`;
  throw new ControlError(
    403,
    `${page} may not control this mock; send the request from a program, or from a page of the mock's own origin.`,
  );
}

function isOriginOf(origin: string, host: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`;
}

/** Normalizes a host: lower case, without port, brackets of an IPv6 address, and the final dot of a fully qualified name. */
function normalizeHost(host: string): string {
  const name = host.toLowerCase();
  const withoutPort = isIpv6(name) ? name : name.replace(/:\d*$/, '');
  return withoutPort.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/** Recognizes loopback addresses, and names that always resolve to this machine (RFC 6761 §6.3). */
function isLoopback(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || (isAddress(name) && name.startsWith('127.'));
}

/** Recognizes IP addresses. The last label of a host name is never all digits (RFC 3696 §2), so no name matches. */
function isAddress(name: string): boolean {
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(name) || isIpv6(name);
}

function isIpv6(name: string): boolean {
  return /^[\da-f.]*:[\da-f.]*:[\da-f:.]*$/.test(name);
}

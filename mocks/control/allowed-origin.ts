/** Access to the control endpoint: programs, and pages of the mock's own origin, under a name that nobody else can point at this machine. */

import { type HttpHeaders, headerOf } from '../../core/http/exchange.ts';
import { Refusal } from './control-endpoint.ts';
import { excerpt } from './members.ts';

/** Refuses a request by its headers, with status 403. */
export type OriginGuard = (headers: HttpHeaders) => void;

/**
 * Makes the guard of a mock. A browser sends the requests of any page to any address, so a page that a developer has open could move the clock of a mock,
 * or read its keys and its journal. Two checks keep it out:
 *
 * - `Host` must be a loopback name, the address that the mock listens on, or an allowed host. A page whose own name is pointed at this machine (DNS
 *   rebinding) is of the same origin, so nothing else shows it.
 * - `Origin`, or `Sec-Fetch-Site` where there is none, must be of the same origin. Programs send neither.
 *
 * @param listening the address that the mock listens on
 * @param allowedHosts names without a port, such as `mock` in a network of containers
 */
export function createOriginGuard(listening: string, allowedHosts: readonly string[]): OriginGuard {
  const allowed = new Set([bare(listening), ...allowedHosts.map(bare)]);
  // Every address of this machine leads to a mock that listens on all of them, and no name is involved.
  const isAnyAddress = bare(listening) === '0.0.0.0' || bare(listening) === '::';
  const isAllowed = (name: string): boolean => isLoopback(name) || allowed.has(name) || (isAnyAddress && isAddress(name));
  return (headers) => {
    const host = headerOf(headers, 'host') ?? '';
    if (!isAllowed(bare(host)))
      throw new Refusal(
        403,
        `The host ${excerpt(host)} may not control this mock; use ${isAnyAddress ? 'an address' : listening} or localhost, or start the mock with --allowed-host ${excerpt(bare(host))}.`,
      );
    requireOwnOrigin(headers, host);
  };
}

function requireOwnOrigin(headers: HttpHeaders, host: string): void {
  const origin = headerOf(headers, 'origin');
  const site = headerOf(headers, 'sec-fetch-site');
  const isOwn = origin === undefined ? site === undefined || site === 'same-origin' || site === 'none' : isOriginOf(origin, host);
  if (isOwn) return;
  const page = origin === undefined ? 'A page of another origin' : `The page ${excerpt(origin)}`;
  throw new Refusal(403, `${page} may not control this mock; do it from a program, or start the mock without its control.`);
}

function isOriginOf(origin: string, host: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`;
}

/** A host in lower case, without its port, the brackets of an IPv6 address and the dot of a fully qualified name. */
function bare(host: string): string {
  const name = host.toLowerCase();
  const withoutPort = isIpv6(name) ? name : name.replace(/:\d*$/, '');
  return withoutPort.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/** Names that lead to this machine wherever they are looked up (RFC 6761 §6.3), and loopback addresses. */
function isLoopback(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || (isAddress(name) && name.startsWith('127.'));
}

/** A name never has digits alone in its last label (RFC 3696 §2), so it is never taken for an address. */
function isAddress(name: string): boolean {
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(name) || isIpv6(name);
}

function isIpv6(name: string): boolean {
  return /^[\da-f.]*:[\da-f.]*:[\da-f:.]*$/.test(name);
}

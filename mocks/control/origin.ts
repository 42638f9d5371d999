/** Who may control a mock: programs, and pages that the mock itself could have given; no other page of the web. */

import { type HttpHeaders, headerOf } from '../../core/exchange.ts';
import { Refusal } from './endpoint.ts';
import { excerpt } from './members.ts';

/**
 * Refuses what a page of another origin asks for. A browser sends the request of any page to any address, and a mock listens on the machine of a
 * developer who has other pages open: one of them must not move the mock’s clock, make trouble, or read its journal. Browsers name the page in
 * `Origin`, or at least say in `Sec-Fetch-Site` that it is foreign; programs send neither.
 * @throws {Refusal} with status 403.
 */
export function requireOwnOrigin(headers: HttpHeaders): void {
  const origin = headerOf(headers, 'origin');
  const host = headerOf(headers, 'host') ?? '';
  const site = headerOf(headers, 'sec-fetch-site');
  if (origin === undefined && (site === undefined || site === 'same-origin' || site === 'none')) return;
  const page = origin === undefined ? 'A page of another origin' : `The page ${excerpt(origin)}`;
  const isOwn = origin === `http://${host}` || origin === `https://${host}`;
  if (!isOwn) throw new Refusal(403, `${page} may not control this mock; do it from a program, or start the mock without its control.`);
  // A page may have its own name lead to this machine (DNS rebinding), and is of the same origin then.
  if (!isPrivateName(host))
    throw new Refusal(403, `${page} has a public name, which anybody may have lead here; open the mock by its address or by localhost.`);
}

/** An address, or a name that the public DNS gives to nobody: of one label, or below a domain that is set aside (RFC 6761, RFC 6762). */
function isPrivateName(host: string): boolean {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  return /^\[[\da-f:.]+\]$|^\d{1,3}(\.\d{1,3}){3}$|^[a-z\d_-]+$|\.(localhost|local|internal|test|home\.arpa)$/.test(name);
}

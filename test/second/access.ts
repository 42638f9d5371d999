/** The keys of the business API, and the requests that either API turns away with 401, 429 or 503. */

import { createHash } from 'node:crypto';
import { ApiError, header, type ReceivedRequest } from './http-messages.ts';
import type { Setup } from './server-setup.ts';

/** The business and the scopes of a key. */
export interface Identity {
  readonly role: string;
  readonly tenant: string;
  readonly scopes: readonly string[];
  readonly expired: boolean;
}

const scopes = ['identity', 'menu', 'orders.read', 'reservations.read'] as const;

/** The roles of the keys, as a client's configuration names them. */
const identities: readonly Identity[] = [
  { role: 'full', tenant: 'A', scopes, expired: false },
  { role: 'other', tenant: 'B', scopes, expired: false },
  { role: 'no-menu', tenant: 'N', scopes, expired: false },
  { role: 'expired', tenant: 'A', scopes, expired: true },
  ...scopes.map((lacking) => ({
    role: `without:${lacking}`,
    tenant: 'A',
    scopes: scopes.filter((scope) => scope !== lacking),
    expired: false,
  })),
];

/** The keys of one server. */
interface Keyring {
  readonly byRole: Readonly<Record<string, string>>;
  /** Gives the owner of the key that was sent; throws a 401 for every other request. */
  readonly identify: (request: ReceivedRequest) => Identity;
}

/** Makes the keys of a server from its seed. */
export function makeKeyring(setup: Setup): Keyring {
  const keys = identities.map((identity) => [keyText(setup.seed, identity.role), identity] as const);
  const byText = new Map(keys);
  return {
    byRole: Object.fromEntries(keys.map(([text, identity]) => [identity.role, text])),
    identify: (request) => {
      const text = sentKey(setup, request);
      const known = text === undefined ? undefined : byText.get(text);
      if (known !== undefined && (!known.expired || setup.has('expired-key-accepted'))) return limited(setup, request, known);
      const open = setup.has('missing-key-accepted') && /whoami|menus\/current/.test(request.path);
      const first = identities[0];
      if (
        first !== undefined &&
        ((text === undefined && open) || (text !== undefined && known === undefined && setup.has('unknown-key-accepted')))
      ) {
        return first;
      }
      throw unauthorized(setup, text);
    },
  };
}

/** The key as it was sent, of whatever business. */
export function sentKey(setup: Setup, request: ReceivedRequest): string | undefined {
  const own = header(request, 'x-service-api-key')?.trim();
  const bearer = /^bearer\s+(\S+)\s*$/i.exec(header(request, 'authorization') ?? '')?.[1];
  const read = setup.has('bearer-refused') && request.path.includes('view') ? undefined : bearer;
  if (own === undefined || own === '') return read;
  if (read === undefined || own === read) return own;
  const choice = setup.choice('two-keys');
  if (choice === 'refused') return undefined;
  return choice === 'bearer-wins' ? read : own;
}

function keyText(seed: number, role: string): string {
  return `k2_${createHash('sha256').update(`${seed} ${role}`).digest('hex').slice(0, 40)}`;
}

function limited(setup: Setup, request: ReceivedRequest, identity: Identity): Identity {
  const narrow = setup.has('carriers-differ') && header(request, 'x-service-api-key') === undefined;
  return narrow ? { ...identity, scopes: ['identity'] } : identity;
}

function unauthorized(setup: Setup, text: string | undefined): ApiError {
  const challenge = setup.choice('challenge') === 'present' ? { 'www-authenticate': 'Bearer realm="integrations"' } : {};
  if (text === undefined && setup.has('missing-key-forbidden')) return new ApiError(403, 'FORBIDDEN', 'This needs an API key');
  const message = setup.has('key-echoed') ? `The API key ${text ?? ''} is not valid` : 'The API key is missing, invalid or expired';
  return new ApiError(401, 'UNAUTHORIZED', message, challenge);
}

/** Every n-th request is turned away; an absent number turns none away. */
interface AdmissionOptions {
  readonly rateLimit: number | undefined;
  readonly notReady: number | undefined;
  readonly turnedAway: (() => 'throttled' | 'not-ready' | undefined) | undefined;
}

/** Throws when the request is one that is turned away. */
export type Admission = (request: ReceivedRequest, key: string | undefined) => void;

/** Counts requests and turns every n-th away. */
export function makeAdmission(setup: Setup, options: AdmissionOptions): Admission {
  const counts = new Map<string, number>();
  return (request, key) => {
    const perKey = setup.api === 'business' && setup.choice('rate-scope') === 'key';
    const who = perKey ? (key ?? '') : '';
    const count = (counts.get(who) ?? 0) + 1;
    counts.set(who, count);
    const refusal = options.turnedAway?.();
    if (refusal === 'throttled' || (options.rateLimit !== undefined && count % options.rateLimit === 0)) throw throttled(setup, count);
    if (refusal === 'not-ready' || (options.notReady !== undefined && count % options.notReady === 0)) {
      throw new ApiError(503, notReadyCode(setup, request), 'This part of the service is not available yet');
    }
  };
}

function throttled(setup: Setup, count: number): ApiError {
  const headers = setup.has('retry-after-missing') ? {} : { 'retry-after': retryAfter(setup, count) };
  return new ApiError(429, 'RATE_LIMITED', 'Too many attempts; respect Retry-After', headers);
}

function retryAfter(setup: Setup, count: number): string {
  const choice = setup.api === 'business' ? setup.choice('retry-after') : 'seconds';
  // The reader compares a date with its own clock, so this reads the clock too: the next full second.
  if (choice === 'date') return new Date(Date.now() + 1000).toUTCString();
  return choice === 'zero' || count % 2 === 0 ? '0' : '1';
}

function notReadyCode(setup: Setup, request: ReceivedRequest): string {
  if (setup.api === 'wiki') return 'SERVER_ERROR';
  const choice = setup.choice('not-ready-code');
  const orders = choice === 'orders' || (choice === 'by-module' && request.path.includes('/orders/'));
  return orders ? 'ORDERS_NOT_READY' : 'API_NOT_READY';
}

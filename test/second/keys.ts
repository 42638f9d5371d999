/** Knows the API's keys: which role holds which, what each may do, and how a request carries one. */

import { createHash } from 'node:crypto';
import { type Asked, Failure, header } from './reply.ts';
import type { Setup } from './setup.ts';

/** What a key opens. */
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
export interface Keyring {
  readonly byRole: Readonly<Record<string, string>>;
  /** Who asks; throws the 401 of everyone else. */
  readonly identify: (asked: Asked) => Identity;
}

/** Makes the keys of a server from its seed. */
export function makeKeyring(setup: Setup): Keyring {
  const keys = identities.map((identity) => [keyText(setup.seed, identity.role), identity] as const);
  const byText = new Map(keys);
  return {
    byRole: Object.fromEntries(keys.map(([text, identity]) => [identity.role, text])),
    identify: (asked) => {
      const text = sentKey(setup, asked);
      const known = text === undefined ? undefined : byText.get(text);
      if (known !== undefined && (!known.expired || setup.faulty('expired-key-accepted'))) return limited(setup, asked, known);
      const open = setup.faulty('missing-key-accepted') && /whoami|menus\/current/.test(asked.path);
      const first = identities[0];
      if (
        first !== undefined &&
        ((text === undefined && open) || (text !== undefined && known === undefined && setup.faulty('unknown-key-accepted')))
      ) {
        return first;
      }
      throw unauthorized(setup, text);
    },
  };
}

/** The key as it was sent, whoever it belongs to. */
export function sentKey(setup: Setup, asked: Asked): string | undefined {
  const own = header(asked, 'x-service-api-key')?.trim();
  const bearer = /^bearer\s+(\S+)\s*$/i.exec(header(asked, 'authorization') ?? '')?.[1];
  const read = setup.faulty('bearer-refused') && asked.path.includes('view') ? undefined : bearer;
  if (own === undefined || own === '') return read;
  if (read === undefined || own === read) return own;
  const choice = setup.choice('two-keys');
  if (choice === 'refused') return undefined;
  return choice === 'bearer-wins' ? read : own;
}

function keyText(seed: number, role: string): string {
  return `k2_${createHash('sha256').update(`${seed} ${role}`).digest('hex').slice(0, 40)}`;
}

function limited(setup: Setup, asked: Asked, identity: Identity): Identity {
  const narrow = setup.faulty('carriers-differ') && header(asked, 'x-service-api-key') === undefined;
  return narrow ? { ...identity, scopes: ['identity'] } : identity;
}

function unauthorized(setup: Setup, text: string | undefined): Failure {
  const challenge = setup.choice('challenge') === 'present' ? { 'www-authenticate': 'Bearer realm="integrations"' } : {};
  if (text === undefined && setup.faulty('missing-key-forbidden')) return new Failure(403, 'FORBIDDEN', 'This needs an API key');
  const message = setup.faulty('key-echoed') ? `The API key ${text ?? ''} is not valid` : 'The API key is missing, invalid or expired';
  return new Failure(401, 'UNAUTHORIZED', message, challenge);
}

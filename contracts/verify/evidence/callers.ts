/** Who sends a request: the key of a role, no key, or a key that no server issued. */

import type { Secret } from '../../../core/redaction/redact-secrets.ts';

/** A key and the variable of the environment that it came from; outputs show `$VARIABLE`. */
export interface Key {
  readonly variable: string;
  readonly value: string;
}

/** The keys by role: `full`, `other`, `expired`, `no-menu`, `without:SCOPE`, as a mock prints them. */
export type Keyring = ReadonlyMap<string, Key>;

/** The roles of other tenants than that of `full`: all except `expired` and `without:SCOPE`, `other` first. */
export function rolesOfOtherTenants(keys: Keyring): readonly string[] {
  const roles = [...keys.keys()].filter((role) => role !== 'full' && role !== 'expired' && !role.startsWith('without:'));
  return roles.toSorted((left, right) => Number(right === 'other') - Number(left === 'other'));
}

/** The keys as secrets that no output may show. */
export function secretsOf(keys: Keyring): readonly Secret[] {
  return [...keys.values()].map(({ variable, value }) => ({ name: variable, value }));
}

/** The caller of a request: a role of the keyring, `anonymous` or `unknownCaller`. */
export type Caller = string;

/** The caller that sends no key. */
export const anonymous: Caller = '(nobody)';

/** The caller that sends a key that no server can have issued. */
export const unknownCaller: Caller = '(stranger)';

/** The key of `unknownCaller`. It is no secret, and explains itself in a log. */
export const unissuedKey = 'touchstone-no-such-key-0000000000000000';

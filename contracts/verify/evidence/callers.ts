/** Who sends a request: the key of a role, no key, or a key that no server issued. */

import type { Contract } from '../../../core/openapi/contract.ts';
import type { Secret } from '../../../core/redaction/redact-secrets.ts';

/** A key and the variable of the environment that it came from; outputs show `$VARIABLE`. */
export interface Key {
  readonly variable: string;
  readonly value: string;
}

/** The keys by role: `full`, `other`, `expired`, `no-menu`, `without:SCOPE`, as a mock prints them. */
export type Keyring = ReadonlyMap<string, Key>;

/** Keys as they are given, by role or by the name of a security scheme of the contract. */
export type GivenKeys = Readonly<Record<string, Key>>;

const schemePrefix = 'scheme:';

/** Makes the keys of a run. A key by the name of a scheme is a part of the role `full`. */
export function keyringOf({ operations }: Pick<Contract, 'operations'>, keys: GivenKeys): Keyring {
  const schemes = new Set(operations.flatMap(({ security }) => security.flat().map(({ scheme }) => scheme)));
  return new Map(Object.entries(keys).map(([role, key]) => [schemes.has(role) ? `${schemePrefix}${role}` : role, key]));
}

/** The key that a role sends for a security scheme. */
export function keyFor(keys: Keyring, role: Caller, scheme: string): Key | undefined {
  const isFull = role === 'full' || role.startsWith(leavingOut(''));
  return isFull ? (keys.get(`${schemePrefix}${scheme}`) ?? keys.get('full')) : keys.get(role);
}

/** The caller that sends the keys of `full` without that of one security scheme. */
export function leavingOut(scheme: string): Caller {
  return `(full) without ${scheme}`;
}

/** The roles of other tenants than that of `full`: all except `expired` and `without:SCOPE`, `other` first. */
export function rolesOfOtherTenants(keys: Keyring): readonly string[] {
  const isOther = (role: string): boolean => role !== 'full' && role !== 'expired' && !/^(?:without|scheme):/.test(role);
  const roles = [...keys.keys()].filter(isOther);
  return roles.toSorted((left, right) => Number(right === 'other') - Number(left === 'other'));
}

/** Minimum length of a password that is hidden by itself. A shorter one occurs in texts by chance. */
const secretLengthMin = 6;

/** The keys as secrets that no output may show. */
export function secretsOf(keys: Keyring): readonly Secret[] {
  return [...keys.values()].flatMap(({ variable, value }) => {
    // A server may know only the password of `user:password`.
    const [, password = ''] = value.split(/:(.*)/s);
    const secret = { name: variable, value };
    return password.length < secretLengthMin ? [secret] : [secret, { name: `(printf %s $${variable} | cut -d: -f2-)`, value: password }];
  });
}

/** The caller of a request: a role of the keyring, `anonymous` or `unknownCaller`. */
export type Caller = string;

/** The caller that sends no key. */
export const anonymous: Caller = '(nobody)';

/** The caller that sends a key that no server can have issued. */
export const unknownCaller: Caller = '(stranger)';

/** The key of `unknownCaller`. It is no secret, and explains itself in a log. */
export const unissuedKey = 'touchstone-no-such-key-0000000000000000';

/** The keys that a run may use, by role. */

import type { Secret } from '../core/redaction.ts';

/** A key and the variable of the environment that it came from; outputs show `$VARIABLE`. */
export interface Key {
  readonly variable: string;
  readonly value: string;
}

/** The keys by role: `full`, `other`, `expired`, `no-menu`, `without:SCOPE`, as a mock prints them. */
export type Keyring = ReadonlyMap<string, Key>;

/** The roles that belong to another tenant than `full`: a second one, and any that is no variation of `full`. */
export function otherTenants(keys: Keyring): readonly string[] {
  const roles = [...keys.keys()].filter((role) => role !== 'full' && role !== 'expired' && !role.startsWith('without:'));
  return roles.toSorted((left, right) => Number(right === 'other') - Number(left === 'other'));
}

/** The keys as secrets that no output may show. */
export function secretsOf(keys: Keyring): readonly Secret[] {
  return [...keys.values()].map(({ variable, value }) => ({ name: variable, value }));
}

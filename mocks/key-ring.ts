/** The keys of a mock: one for each role, fixed by the seed, so that every process with that seed accepts the same ones. */

import { createHash } from 'node:crypto';
import type { Contract } from '../core/openapi/contract.ts';
import type { ChangingDataset } from './data/dataset.ts';

/** Meaning of a key. */
export interface KeyHolder {
  /** The name that the key is printed under: a tenant, `expired`, or `without:SCOPE`. */
  readonly role: string;
  /** Whose records it reads. */
  readonly tenant: string;
  readonly scopes: readonly string[];
  readonly expired: boolean;
}

/** The keys that an API knows. */
export interface KeyRing {
  /** Key by role, in the order they are printed. */
  readonly byRole: ReadonlyMap<string, string>;
  /** Holder of a key; `undefined` for an unknown key. */
  readonly holderOf: (key: string) => KeyHolder | undefined;
}

/** Makes the keys of an API. An API that asks for no key has none. */
export function createKeys(contract: Contract, dataset: Pick<ChangingDataset, 'tenants'>, seed: number): KeyRing {
  const asked = contract.operations.flatMap((operation) => operation.security.flat()).flatMap((credential) => credential.scopes);
  // A contract that asks for scopes without describing them means them all the same.
  const scopes = [...new Set([...contract.scopes.map((scope) => scope.role), ...asked])];
  const needsKey = contract.operations.some((operation) => operation.security.length > 0);
  const holders = needsKey ? listHolders(dataset.tenants, scopes) : [];
  const entries = holders.map((holder) => [keyFor(holder.role, seed), holder] as const);
  const byKey = new Map(entries);
  return { byRole: new Map(entries.map(([key, holder]) => [holder.role, key])), holderOf: (key) => byKey.get(key) };
}

function listHolders(tenants: readonly string[], scopes: readonly string[]): readonly KeyHolder[] {
  const [first = 'full'] = tenants;
  return [
    ...tenants.map((tenant) => ({ role: tenant, tenant, scopes, expired: false })),
    { role: 'expired', tenant: first, scopes, expired: true },
    ...scopes.map((scope) => ({
      role: `without:${scope}`,
      tenant: first,
      scopes: scopes.filter((each) => each !== scope),
      expired: false,
    })),
  ];
}

/** A key says what it is for, since people read it in a terminal; the digits make it unguessable from the role alone. */
function keyFor(role: string, seed: number): string {
  const digits = createHash('sha256').update(`key ${seed} ${role}`).digest('hex').slice(0, 20);
  return `mock_${role.replaceAll(/[^a-z0-9]+/gi, '_')}_${digits}`;
}

/** The keys of a mock: one for each role, fixed by the seed, so that all processes with that seed accept the same keys. */

import { createHash } from 'node:crypto';
import type { Contract } from '../core/openapi/contract.ts';
import type { ChangingDataset } from './data/dataset.ts';

/** Holder of a key. */
export interface KeyHolder {
  /** Role under which the key is printed: a tenant, `expired`, or `without:SCOPE`. */
  readonly role: string;
  /** Tenant whose records the key opens. */
  readonly tenant: string;
  readonly scopes: readonly string[];
  readonly expired: boolean;
}

/** The keys of an API. */
export interface KeyRing {
  /** True if any credential of the documented form is accepted, since nothing says which ones are. */
  readonly acceptsAny: boolean;
  /** Keys by role, in the order of printing. */
  readonly byRole: ReadonlyMap<string, string>;
  /** Holder of a key; `undefined` for an unknown key. */
  readonly holderOf: (key: string) => KeyHolder | undefined;
  /** Withholds these scopes from a role while the mock runs. An empty list restores all of them. */
  readonly withhold: (role: string, scopes: readonly string[]) => void;
}

/**
 * Creates the keys of an API; none if no operation needs one. Without annotations on keys, any credential is accepted, unless the keys are fixed.
 */
export function createKeys(contract: Contract, dataset: Pick<ChangingDataset, 'tenants'>, seed: number, isFixed = false): KeyRing {
  const requiredScopes = contract.operations.flatMap((operation) => operation.security.flat()).flatMap((credential) => credential.scopes);
  // A contract may require scopes that it does not describe.
  const scopes = [...new Set([...contract.scopes.map((scope) => scope.role), ...requiredScopes])];
  const needsKey = contract.operations.some((operation) => operation.security.length > 0);
  const acceptsAny = !isFixed && !contract.tenancy && contract.scopes.length === 0;
  const holders = needsKey ? listHolders(dataset.tenants, scopes).slice(0, acceptsAny ? 1 : undefined) : [];
  const entries = holders.map((holder) => [keyFor(holder.role, seed), holder] as const);
  const byKey = new Map(entries);
  const withhold = (role: string, withheld: readonly string[]): void => {
    for (const [key, holder] of entries)
      if (holder.role === role) byKey.set(key, { ...holder, scopes: holder.scopes.filter((scope) => !withheld.includes(scope)) });
  };
  return { acceptsAny, byRole: new Map(entries.map(([key, holder]) => [holder.role, key])), holderOf: (key) => byKey.get(key), withhold };
}

function listHolders(tenants: readonly string[], scopes: readonly string[]): readonly KeyHolder[] {
  const [firstTenant = 'full'] = tenants;
  return [
    ...tenants.map((tenant) => ({ role: tenant, tenant, scopes, expired: false })),
    { role: 'expired', tenant: firstTenant, scopes, expired: true },
    ...scopes.map((scope) => ({
      role: `without:${scope}`,
      tenant: firstTenant,
      scopes: scopes.filter((other) => other !== scope),
      expired: false,
    })),
  ];
}

/** Makes a key. It contains its role, for people who read it; the digits depend on the seed, so the role alone does not give the key. */
function keyFor(role: string, seed: number): string {
  const digits = createHash('sha256').update(`key ${seed} ${role}`).digest('hex').slice(0, 20);
  return `mock_${role.replaceAll(/[^a-z0-9]+/gi, '_')}_${digits}`;
}

/** What a caller is told about its own key. The key itself is a secret and never part of it. */

import type { JsonObject } from '../../../core/json.ts';
import type { WorldCaller } from '../../world.ts';
import type { Business } from './business.ts';
import type { Setting } from './traffic.ts';

/** The business as answers name it. */
export function showBusiness({ id, name, zone }: Business): JsonObject {
  return { id, name, timezone: zone.name };
}

/** The identity of a caller. */
export function showIdentity({ business, chance }: Setting, { role, scopes }: WorldCaller): JsonObject {
  return {
    business: { ...showBusiness(business), currency: business.currency },
    key: { id: chance.range(`key ${role}`, 1000, 9999), label: role, status: 'active' },
    scopes: [...scopes],
    capabilities: listCapabilities(business, scopes),
  };
}

/** A capability is what a scope is good for, whatever the scope's full name: `menu.read` lets a caller use the menu. */
function listCapabilities(business: Business, scopes: readonly string[]): readonly string[] {
  const capabilities = scopes.map((scope) => scope.replace(/\.read$/, ''));
  return capabilities.filter((capability) => business.publishes || !capability.startsWith('menu'));
}

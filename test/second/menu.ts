/** Knows the menu of each business, its manifest, and the identity behind a key. */

import type { Identity } from './keys.ts';
import type { Setup } from './setup.ts';
import type { Shape } from './shapes.ts';
import { shownInstant } from './spelling.ts';
import { firstChange } from './timeline.ts';

/** The full menu; undefined for a business that has none. */
export function menuOf(tenant: string, revision: number): Shape | undefined {
  if (tenant === 'N') return undefined;
  const prefix = tenant === 'A' ? 1 : 5;
  return {
    version: `${tenant}-${revision + 1}`,
    sections: [
      { id: prefix * 10, name: 'Pizze', products: [product(prefix * 100, 'Margherita', 8.5), product(prefix * 100 + 1, 'Diavola', 9.5)] },
      { id: prefix * 10 + 1, name: 'Bevande', products: [product(prefix * 100 + 2, 'Acqua', 2)] },
    ],
    allergens: ['glutine', 'latte'],
  };
}

/** The light version manifest of a menu. */
export function manifestOf(setup: Setup, tenant: string, revision: number): Shape | undefined {
  if (menuOf(tenant, revision) === undefined && !setup.faulty('manifest-without-menu')) return undefined;
  return { version: `${tenant}-${revision + 1}`, updated_at: shownInstant(setup, firstChange(setup), 0), sections: 2 };
}

/** What the identity endpoint says. */
export function identityShape(setup: Setup, identity: Identity, key: string): Shape {
  const dotted = setup.choice('scope-names') === 'dotted';
  const names: Readonly<Record<string, string>> = dotted ? { identity: 'integration.whoami', menu: 'menus.read' } : {};
  const scopes = identity.scopes.map((scope) => names[scope] ?? scope);
  const shown = {
    business: businessShape(setup, identity.tenant),
    key: { label: `Sync ${identity.role}`, ...(setup.faulty('key-in-identity') ? { token: key } : {}) },
    scopes,
    capabilities: { conditional_reads: true, webhooks: false },
    ...(setup.faulty('credential-shown') ? { panel: { user: 'admin', password: 'hunter2-s3cret!' } } : {}),
  };
  return shown;
}

/** The business as identity and lists show it: a name, a number or an object. */
export function businessShape(setup: Setup, tenant: string): unknown {
  const number = 40 + tenant.charCodeAt(0);
  const type = setup.choice('business-type');
  if (type === 'string') return `trattoria-${tenant.toLowerCase()}`;
  return type === 'number' ? number : { id: number, name: `Trattoria ${tenant}`, timezone: setup.choice('zone') };
}

function product(id: number, name: string, price: number): Shape {
  return { id, name, price, available: true, variants: [], add_ons: [], allergens: ['glutine'], ingredients: ['farina', 'acqua'] };
}

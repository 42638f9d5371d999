/** The menu, its manifest and the identity of a key. */

import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../core/json.ts';
import type { Dataset, DatasetCaller } from '../../../../../mocks/data/dataset.ts';
import { createBusinessDataset, defaultClock, defaultDataset, ordersOf, tenants } from '../dataset-records.ts';

interface Product {
  readonly id: number;
  readonly name: string;
  readonly price: number;
  readonly variants: readonly { readonly id: number; readonly name: string; readonly group: string | null; readonly price: number }[];
  readonly add_ons: readonly { readonly id: number; readonly name: string; readonly price: number }[];
  readonly allergens: readonly string[];
  readonly ingredients: readonly string[];
  readonly availability: { readonly available: boolean; readonly services: readonly string[] };
}

interface Menu {
  readonly version: string;
  readonly revision: number;
  readonly updated_at: string;
  readonly sections: readonly { readonly name: string; readonly products: readonly Product[] }[];
  readonly allergens: readonly { readonly name: string }[];
}

const caller: DatasetCaller = { role: 'full', scopes: ['identity', 'menu', 'orders.read', 'reservations.read'] };
const dataset = createBusinessDataset(defaultDataset);

function menuOf(of: Dataset, tenant: string): Menu {
  return of.resource(tenant, 'menu', undefined, caller) as unknown as Menu;
}

function manifestOf(of: Dataset, tenant: string): JsonObject {
  return of.resource(tenant, 'menu', 'manifest', caller) ?? {};
}

describe('the menu', () => {
  const menu = menuOf(dataset, 'full');
  const products = menu.sections.flatMap((section) => section.products);

  it('has variants, add-ons, allergens, ingredients and availability', () => {
    expect(products.filter((product) => product.variants.length > 1).length).toBeGreaterThan(8);
    expect(products.filter((product) => product.add_ons.length > 0).length).toBeGreaterThan(8);
    for (const product of products) {
      expect(product.ingredients.length).toBeGreaterThan(0);
      expect(product.availability.services.length).toBeGreaterThan(0);
      for (const allergen of product.allergens) expect(menu.allergens.map(({ name }) => name)).toContain(allergen);
    }
  });

  it('has unique ids', () => {
    const numbers = products.flatMap((product) => [
      product.id,
      ...product.variants.map(({ id }) => id),
      ...product.add_ons.map(({ id }) => id),
    ]);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('differs in the second business, and is absent in the third', () => {
    expect(menuOf(dataset, 'other')).not.toEqual(menu);
    expect(dataset.resource('no-menu', 'menu', undefined, caller)).toBeUndefined();
    expect(dataset.resource('no-menu', 'menu', 'manifest', caller)).toBeUndefined();
  });

  it('has all products of the orders', () => {
    const known = new Map(products.map((product) => [product.id, product]));
    for (const order of ordersOf('full')) {
      for (const item of order.items) {
        const product = known.get(item.product_id);
        const variant = product?.variants.find(({ id }) => id === item.variant_id);
        expect(item.name).toBe(product?.name);
        expect(item.unit_price).toBe(variant?.price ?? product?.price);
      }
      expect(new Set(order.items.map((item) => item.product_id)).size).toBe(order.items.length);
      const addOns = order.items.flatMap((item) => known.get(item.product_id)?.add_ons.map(({ id }) => id) ?? []);
      for (const modifier of order.modifiers) expect(addOns).toContain(modifier.add_on_id);
      for (const group of order.option_groups) {
        const item = order.items.find(({ id }) => id === group.item_id);
        expect(group.options.map((option) => option.variant_id)).toEqual([item?.variant_id]);
      }
    }
  });
});

describe('revisions of the menu', () => {
  const clocks = Array.from({ length: 60 }, (_, index) => Date.parse('2026-02-22T00:00:00Z') + index * 24 * 3_600_000);
  const seen = clocks.map((nowMs) => {
    const at = createBusinessDataset({ seed: 1, nowMs });
    return { nowMs, menu: menuOf(at, 'full'), text: JSON.stringify(menuOf(at, 'full')), manifest: manifestOf(at, 'full') };
  });

  it('come one at a time, and never from the future', () => {
    for (const { nowMs, menu } of seen) expect(Date.parse(menu.updated_at)).toBeLessThanOrEqual(nowMs);
    const numbers = seen.map(({ menu }) => menu.revision);
    expect(numbers.slice(1).every((number, index) => [0, 1].includes(number - (numbers[index] ?? 0)))).toBe(true);
    expect(new Set(numbers).size).toBeGreaterThan(12);
    expect(new Set(numbers).size).toBeLessThan(22);
    expect(numbers[0]).toBe(1);
  });

  it('change the menu exactly when their number changes', () => {
    expect(new Set(seen.map(({ text }) => text)).size).toBe(new Set(seen.map(({ menu }) => menu.revision)).size);
  });

  it('are equal in manifest and menu', () => {
    for (const { menu, manifest } of seen) {
      expect([manifest['version'], manifest['revision'], manifest['updated_at']]).toEqual([menu.version, menu.revision, menu.updated_at]);
    }
    expect(new Set(seen.map(({ menu }) => menu.version)).size).toBe(new Set(seen.map(({ menu }) => menu.revision)).size);
  });
});

describe('the manifest', () => {
  it('counts the parts of the menu', () => {
    const products = menuOf(dataset, 'full').sections.flatMap((section) => section.products);
    expect(manifestOf(dataset, 'full')['counts']).toEqual({
      sections: 7,
      products: 37,
      variants: products.reduce((sum, product) => sum + product.variants.length, 0),
      add_ons: products.reduce((sum, product) => sum + product.add_ons.length, 0),
      allergens: menuOf(dataset, 'full').allergens.length,
    });
  });
});

describe('the identity of a key', () => {
  it('has the business, the key, its scopes and its capabilities', () => {
    const identity = dataset.resource('full', 'identity', undefined, caller);
    expect(Object.keys(identity ?? {})).toEqual(['business', 'key', 'scopes', 'capabilities']);
    expect(identity?.['business']).toEqual({ id: 27, name: 'Trattoria del Glicine', timezone: 'Europe/Rome', currency: 'EUR' });
    expect(identity?.['key']).toEqual({ id: expect.any(Number), label: 'full', status: 'active' });
    expect(identity?.['scopes']).toEqual(['identity', 'menu', 'orders.read', 'reservations.read']);
    expect(identity?.['capabilities']).toEqual(['identity', 'menu', 'orders', 'reservations']);
  });

  it('depends on the scopes of the key and on the business', () => {
    const few = dataset.resource('full', 'identity', undefined, { role: 'without:orders.read', scopes: ['identity', 'menus.read'] });
    expect([few?.['scopes'], few?.['capabilities']]).toEqual([
      ['identity', 'menus.read'],
      ['identity', 'menus'],
    ]);
    expect(dataset.resource('no-menu', 'identity', undefined, caller)?.['capabilities']).toEqual(['identity', 'orders', 'reservations']);
  });

  it('differs by business', () => {
    const names = tenants.map((tenant) => JSON.stringify(dataset.resource(tenant, 'identity', undefined, caller)));
    expect(new Set(names).size).toBe(3);
  });

  it('is the same at any clock', () => {
    const later = createBusinessDataset({ seed: 1, nowMs: defaultClock + 86_400_000 });
    expect(later.resource('full', 'identity', undefined, caller)).toEqual(dataset.resource('full', 'identity', undefined, caller));
  });
});

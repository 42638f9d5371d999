/**
 * Generated data of the business API: three businesses with orders, reservations and menus. Each part is made when a request first needs it, and is the same
 * for the same seed.
 */

import type { JsonObject } from '../../../core/json.ts';
import { memoize } from '../../../core/memo.ts';
import { defaultInstant } from '../../clock.ts';
import type { ChangingDataset, CollectionHistory, DatasetCaller, DatasetProvider, DatasetSettings, RecordHistory } from '../dataset.ts';
import { servesContract } from '../dataset.ts';
import { createGeneratedDatasets } from '../dataset-of-periods.ts';
import { endOf, periodAt } from '../four-year-periods.ts';
import { day, dayAt, formatDay, formatInstant, hour, minute } from '../local-time.ts';
import type { Chance } from '../seeded-random.ts';
import type { Menu, MenuSection, Product } from './business-words.ts';
import { type Business, businesses, type Traffic } from './businesses.ts';
import { type CommonParts, countUntil, type Gaps, gapsOf, makeCommonParts, noGaps } from './common-record-parts.ts';
import { makeOrder } from './make-order.ts';
import { makeReservation } from './make-reservation.ts';

/** The collections of this dataset. */
type CollectionName = 'orders' | 'reservations';

const recordMakers: Readonly<Record<CollectionName, (common: CommonParts, index: number) => RecordHistory>> = {
  orders: makeOrder,
  reservations: makeReservation,
};

/** Content for the business API. */
export const businessDataset: DatasetProvider = {
  serves: (contract) =>
    servesContract(contract, {
      title: 'Business Integration API',
      collections: Object.keys(recordMakers),
      views: new Map([
        ['identity', [undefined]],
        ['menu', [undefined, 'manifest']],
        ['orders', [undefined]],
        ['reservations', [undefined]],
      ]),
    }),
  create: ({ profile }, settings) => createBusinessDatasets({ ...settings, gaps: gapsOf(profile) }),
};

/** Settings of the businesses. By default, no values are missing. */
export interface BusinessSettings extends DatasetSettings {
  readonly gaps?: Gaps;
}

/** Creates the businesses of a seed at all times. */
export function createBusinessDatasets({ seed, sizes = {}, gaps = noGaps }: BusinessSettings): ChangingDataset {
  return createGeneratedDatasets(
    businesses.map((business) => business.tenant),
    (period) => {
      const commonPartsOf = memoize((tenant: string) => makeCommonParts(withSizes(findBusiness(tenant), sizes), period, seed, gaps));
      return {
        history: (tenant, collection) => makeHistory(commonPartsOf(tenant), collection as CollectionName),
        head: (tenant, collection) => (collection === 'orders' ? headOf(tenant) : undefined),
        resource: (nowMs, tenant, name, view, caller) => {
          const common = commonPartsOf(tenant);
          if (name === 'identity') return showIdentity(common, caller);
          if (!common.business.publishes) return undefined;
          return view === 'manifest' ? showManifest(common, nowMs) : showMenu(common, nowMs);
        },
      };
    },
  );
}

/** Returns the envelope of a business's orders, always as the same object, so that it is serialized once. */
const headOf = memoize((tenant: string): JsonObject => ({ schema_version: '1.0', business: showBusiness(findBusiness(tenant)) }));

/** Applies the option `sizes`, which concerns only the first business. */
function withSizes(business: Business, sizes: Readonly<Record<string, number>>): Business {
  if (business.place > 0) return business;
  const days = dayAt(defaultInstant, business.zone) - periodAt(defaultInstant).firstDay;
  const sized = (name: CollectionName): Traffic => {
    const count = sizes[name];
    return count === undefined ? business[name] : { ...business[name], stock: { count, days } };
  };
  return { ...business, orders: sized('orders'), reservations: sized('reservations') };
}

/** Creates the history of a collection. */
function makeHistory(common: CommonParts, collection: CollectionName): CollectionHistory {
  const { business, period } = common;
  const untilMs = endOf(period);
  return {
    untilMs,
    instantField: '/changed_at',
    countUntil: (instantMs) =>
      Math.max(0, countUntil(business[collection], period, dayAt(Math.min(instantMs, untilMs - 1), business.zone))),
    recordHistory: (index) => recordMakers[collection](common, index),
  };
}

/** Finds a business by one of the tenants of the dataset. */
function findBusiness(tenant: string): Business {
  return businesses.find((each) => each.tenant === tenant) as Business;
}

/** Shows a business as in list envelopes and identities. */
function showBusiness({ id, name, zone }: Business): JsonObject {
  return { id, name, timezone: zone.name };
}

/** Shows the identity of a caller's key. */
function showIdentity({ business, chance }: CommonParts, { role, scopes }: DatasetCaller): JsonObject {
  return {
    business: { ...showBusiness(business), currency: business.currency },
    key: { id: chance.range(`key ${role}`, 1000, 9999), label: role, status: 'active' },
    scopes: [...scopes],
    capabilities: listCapabilities(business, scopes),
  };
}

/** Lists the capabilities of scopes: `menu.read` gives `menu`, if the business has a menu. */
function listCapabilities(business: Business, scopes: readonly string[]): readonly string[] {
  const capabilities = scopes.map((scope) => scope.replace(/\.read$/, ''));
  return capabilities.filter((capability) => business.publishes || !capability.startsWith('menu'));
}

/** Revision of a menu: its number in the period, and the instant at which it takes effect. */
interface Revision {
  readonly number: number;
  readonly at: number;
}

/** Average time between two revisions, half a week. */
const revisionGap: number = 84 * hour;

/** Shows the full menu at an instant. */
function showMenu(common: CommonParts, nowMs: number): JsonObject {
  const { business, chance } = common;
  const { menu } = business;
  const revision = revisionAt(common, nowMs);
  return {
    ...showVersion(common, revision),
    language: menu.language,
    currency: business.currency,
    sections: menu.sections.map((section, index) => showSection(section, index + 1, chance.of('revision', revision.number))),
    allergens: listAllergens(menu).map((name, index) => ({ id: menu.id * 100 + index + 1, name })),
  };
}

/** Shows the manifest at an instant: version and counts, from which a client knows whether the menu has changed. */
function showManifest(common: CommonParts, nowMs: number): JsonObject {
  const { sections, products } = common.business.menu;
  return {
    ...showVersion(common, revisionAt(common, nowMs)),
    counts: {
      sections: sections.length,
      products: products.length,
      variants: products.reduce((sum, product) => sum + product.variants.length, 0),
      add_ons: products.reduce((sum, product) => sum + product.addOns.length, 0),
      allergens: listAllergens(common.business.menu).length,
    },
  };
}

/** Returns the revision in force at an instant. The first one takes effect when the period begins. */
function revisionAt({ period, chance }: CommonParts, nowMs: number): Revision {
  const firstMs = period.firstDay * day;
  const instantOf = (index: number): number =>
    index <= 1 ? firstMs : firstMs + (index - 1) * revisionGap + chance.of('revised').range(index, 0, 2000) * minute;
  const lastNumber = Math.floor((nowMs - firstMs) / revisionGap) + 1;
  const number = instantOf(lastNumber) <= nowMs ? lastNumber : lastNumber - 1;
  return { number, at: instantOf(number) };
}

function showVersion({ business }: CommonParts, { number, at }: Revision): JsonObject {
  const date = formatDay(Math.floor((at + business.zone.offsetMinutes(at) * minute) / day));
  return {
    id: business.menu.id,
    name: business.menu.name,
    version: `${date}.${number}`,
    revision: number,
    updated_at: formatInstant(at, business.zone),
  };
}

function showSection({ id, name, products }: MenuSection, position: number, chance: Chance): JsonObject {
  return { id, name, position, products: products.map((product) => showProduct(product, chance.of(product.id))) };
}

function showProduct(product: Product, chance: Chance): JsonObject {
  return {
    id: product.id,
    name: product.name,
    price: product.cents / 100,
    variants: product.variants.map(({ id, name, cents }) => ({ id, group: product.choice ?? null, name, price: cents / 100 })),
    add_ons: product.addOns.map(({ id, name, cents }) => ({ id, name, price: cents / 100 })),
    allergens: product.allergens,
    ingredients: product.ingredients,
    availability: showAvailability(chance),
  };
}

function showAvailability(chance: Chance): JsonObject {
  const services = chance.pick('services', [['lunch', 'dinner'], ['lunch', 'dinner'], ['lunch', 'dinner'], ['dinner'], ['lunch']]);
  return { available: !chance.happens('sold out', 8), services };
}

function listAllergens(menu: Menu): readonly string[] {
  return [...new Set(menu.products.flatMap((product) => product.allergens))];
}

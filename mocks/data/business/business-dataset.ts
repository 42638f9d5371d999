/** The dataset of the business API: three businesses with their orders, reservations and menus. */

import type { JsonObject } from '../../../core/json.ts';
import { day, dayAt, formatDay, formatInstant, hour, minute } from '../calendar.ts';
import type {
  ChangingDataset,
  CollectionHistory,
  Dataset,
  DatasetCaller,
  DatasetChoice,
  DatasetOptions,
  DatasetProvider,
  RecordHistory,
} from '../dataset.ts';
import { servesContract } from '../dataset.ts';
import { endOf, ownInstant, periodAt, periodOf, periodsMost, remember } from '../period.ts';
import type { Chance } from '../seeded-random.ts';
import { listRecords } from '../timeline.ts';
import { type Business, businesses } from './businesses.ts';
import { makeOrder } from './make-order.ts';
import { makeReservation } from './make-reservation.ts';
import type { MenuCard, MenuSection, Product } from './menu-card.ts';
import { countUntil, type Gaps, gapsOf, makeSetting, noGaps, type Setting } from './traffic.ts';

/** The collections of this dataset. */
type CollectionName = 'orders' | 'reservations';

const makers: Readonly<Record<CollectionName, (setting: Setting, index: number) => RecordHistory>> = {
  orders: makeOrder,
  reservations: makeReservation,
};

/** Content for the business API. */
export const businessDataset: DatasetProvider = {
  serves: (contract) =>
    servesContract(contract, {
      title: 'Business Integration API',
      collections: Object.keys(makers),
      views: new Map([
        ['identity', [undefined]],
        ['menu', [undefined, 'manifest']],
        ['orders', [undefined]],
        ['reservations', [undefined]],
      ]),
    }),
  create: ({ profile }, choice) => createBusinessDatasets({ ...choice, gaps: gapsOf(profile) }),
};

/** Settings of the businesses; without gaps, every field has a value of its type. */
export interface BusinessChoice extends DatasetChoice {
  readonly gaps?: Gaps;
}

/** The businesses of a seed through time. */
export function createBusinessDatasets({ seed, sizes = {}, gaps = noGaps }: BusinessChoice): ChangingDataset {
  const periods = remember((number) => createPeriod({ seed, sizes, gaps }, Number(number)), periodsMost);
  // Most of the time the clock stands still, and every request asks for the same moment.
  let latest: Dataset | undefined;
  return {
    tenants: businesses.map((business) => business.tenant),
    at: (nowMs) => {
      if (latest?.nowMs !== nowMs) latest = createMoment(periods(String(periodAt(nowMs).number)), nowMs);
      return latest;
    },
  };
}

/** The dataset of a seed at an instant. */
export function createBusinessDataset({ nowMs, ...choice }: DatasetOptions & BusinessChoice): Dataset {
  return createBusinessDatasets(choice).at(nowMs);
}

/** Events of the businesses in a period. */
interface BusinessPeriod {
  readonly settingOf: (tenant: string) => Setting;
  readonly historyOf: (tenant: string, collection: string) => CollectionHistory;
}

function createPeriod({ seed, sizes, gaps }: Required<BusinessChoice>, number: number): BusinessPeriod {
  const period = periodOf(number);
  const settingOf = remember((tenant) => makeSetting(sized(findBusiness(tenant), sizes), period, seed, gaps));
  const histories = remember((tenant) => remember((collection) => makeHistory(settingOf(tenant), readCollection(collection))));
  return { settingOf, historyOf: (tenant, collection) => histories(tenant)(collection) };
}

function createMoment({ settingOf, historyOf }: BusinessPeriod, nowMs: number): Dataset {
  const listOf = remember((tenant) => remember((collection) => listRecords(historyOf(tenant, collection), nowMs)));
  return {
    nowMs,
    tenants: businesses.map((business) => business.tenant),
    records: (tenant, collection) => listOf(tenant)(collection),
    history: historyOf,
    head: (tenant, collection) => {
      const known = readCollection(collection);
      return known === 'orders' ? headOf(tenant) : undefined;
    },
    resource: (tenant, name, view, caller) => showResource(settingOf(tenant), name, view, caller, nowMs),
  };
}

/** Envelope of a business's orders. Always the same object, so that it is serialised once. */
const headOf = remember((tenant): JsonObject => ({ schema_version: '1.0', business: showBusiness(findBusiness(tenant)) }));

/** Only the first business is as large as one likes; the others stay small. */
function sized(business: Business, sizes: Readonly<Record<string, number>>): Business {
  if (business.place > 0) return business;
  const days = dayAt(ownInstant, business.zone) - periodAt(ownInstant).firstDay;
  const grown = Object.keys(makers).flatMap((collection) => {
    const count = sizes[collection];
    return count === undefined ? [] : [[collection, { ...business[readCollection(collection)], stock: { count, days } }] as const];
  });
  return { ...business, ...Object.fromEntries(grown) };
}

/** Everything that happens to the records of a collection. */
function makeHistory(setting: Setting, collection: CollectionName): CollectionHistory {
  const { business, period } = setting;
  const untilMs = endOf(period);
  return {
    untilMs,
    instantField: '/changed_at',
    countUntil: (instantMs) =>
      Math.max(0, countUntil(business[collection], period, dayAt(Math.min(instantMs, untilMs - 1), business.zone))),
    life: (index) => makers[collection](setting, index),
  };
}

function showResource(
  setting: Setting,
  name: string,
  view: string | undefined,
  caller: DatasetCaller,
  nowMs: number,
): JsonObject | undefined {
  if (name === 'identity') return showIdentity(setting, caller);
  if (name !== 'menu') throw new RangeError(`the business dataset has no resource ${name}; it has identity and menu`);
  if (!setting.business.publishes) return undefined;
  return view === 'manifest' ? showManifest(setting, nowMs) : showMenu(setting, nowMs);
}

function findBusiness(tenant: string): Business {
  const found = businesses.find((business) => business.tenant === tenant);
  if (found !== undefined) return found;
  throw new RangeError(`the business dataset has no tenant ${tenant}; it has ${businesses.map((business) => business.tenant).join(', ')}`);
}

function readCollection(name: string): CollectionName {
  if (name === 'orders' || name === 'reservations') return name;
  throw new RangeError(`the business dataset has no collection ${name}; it has ${Object.keys(makers).join(', ')}`);
}

/** The business as answers name it. */
function showBusiness({ id, name, zone }: Business): JsonObject {
  return { id, name, timezone: zone.name };
}

/** The identity of a caller. */
function showIdentity({ business, chance }: Setting, { role, scopes }: DatasetCaller): JsonObject {
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

/** A revision of the card: its number within the period, and when it took effect. */
interface Revision {
  readonly number: number;
  readonly at: number;
}

/** Twice a week, give or take. */
const revisionGap: number = 84 * hour;

/** The full menu at an instant. */
function showMenu(setting: Setting, nowMs: number): JsonObject {
  const { business, chance } = setting;
  const { card } = business;
  const revision = revisionAt(setting, nowMs);
  return {
    ...showVersion(setting, revision),
    language: card.language,
    currency: business.currency,
    sections: card.sections.map((section, index) => showSection(section, index + 1, chance.of('revision', revision.number))),
    allergens: listAllergens(card).map((name, index) => ({ id: card.id * 100 + index + 1, name })),
  };
}

/** The manifest at an instant: enough to tell whether the full menu is worth reading. */
function showManifest(setting: Setting, nowMs: number): JsonObject {
  const { sections, products } = setting.business.card;
  return {
    ...showVersion(setting, revisionAt(setting, nowMs)),
    counts: {
      sections: sections.length,
      products: products.length,
      variants: products.reduce((sum, product) => sum + product.variants.length, 0),
      add_ons: products.reduce((sum, product) => sum + product.addOns.length, 0),
      allergens: listAllergens(setting.business.card).length,
    },
  };
}

/** The last revision that took effect up to an instant. The first one opens the period. */
function revisionAt({ period, chance }: Setting, nowMs: number): Revision {
  const firstMs = period.firstDay * day;
  const instantOf = (number: number): number =>
    number <= 1 ? firstMs : firstMs + (number - 1) * revisionGap + chance.of('revised').range(number, 0, 2000) * minute;
  const latest = Math.floor((nowMs - firstMs) / revisionGap) + 1;
  const number = instantOf(latest) <= nowMs ? latest : latest - 1;
  return { number, at: instantOf(number) };
}

function showVersion({ business }: Setting, { number, at }: Revision): JsonObject {
  const date = formatDay(Math.floor((at + business.zone.offsetMinutes(at) * minute) / day));
  return {
    id: business.card.id,
    name: business.card.name,
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

function listAllergens(card: MenuCard): readonly string[] {
  return [...new Set(card.products.flatMap((product) => product.allergens))];
}

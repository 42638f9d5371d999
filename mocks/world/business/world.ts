/** The world of the business API: three businesses with their orders, reservations and menus. */

import type { JsonObject } from '../../../core/json.ts';
import type { World, WorldCaller, WorldOptions, WorldSource } from '../../world.ts';
import { dayAt } from '../calendar.ts';
import { eraAt } from '../era.ts';
import { remember } from '../memory.ts';
import { servesContract } from '../serving.ts';
import { type Business, businesses } from './business.ts';
import { showBusiness, showIdentity } from './identity.ts';
import { showManifest, showMenu } from './menu.ts';
import { makeOrder } from './order.ts';
import { makeReservation } from './reservation.ts';
import { countUntil, type Life, makeSetting, type Setting } from './traffic.ts';

/** The collections of this world. */
export type CollectionName = 'orders' | 'reservations';

const makers: Readonly<Record<CollectionName, (setting: Setting, index: number) => Life>> = {
  orders: makeOrder,
  reservations: makeReservation,
};

/** Content for the business API. */
export const businessWorld: WorldSource = {
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
  create: (_contract, options) => createBusinessWorld(options),
};

/** The world of a seed at an instant. */
export function createBusinessWorld({ seed, nowMs }: WorldOptions): World {
  const era = eraAt(nowMs);
  const settingOf = remember((tenant) => makeSetting(findBusiness(tenant), era, seed));
  const listOf = remember((tenant) => remember((collection) => listRecords(settingOf(tenant), readCollection(collection), nowMs)));
  return {
    tenants: businesses.map((business) => business.tenant),
    records: (tenant, collection) => listOf(tenant)(collection),
    head: (tenant, collection) => {
      const known = readCollection(collection);
      return known === 'orders' ? { schema_version: '1.0', business: showBusiness(findBusiness(tenant)) } : undefined;
    },
    resource: (tenant, name, view, caller) => showResource(settingOf(tenant), name, view, caller, nowMs),
  };
}

/** The lives of all records that a collection has up to the end of the clock's day; some of them may not have begun yet. */
export function listLives(setting: Setting, collection: CollectionName, nowMs: number): readonly Life[] {
  const { business, era } = setting;
  const count = countUntil(business[collection], era, dayAt(nowMs, business.zone));
  return Array.from({ length: Math.max(0, count) }, (_, index) => makers[collection](setting, index));
}

function listRecords(setting: Setting, collection: CollectionName, nowMs: number): readonly JsonObject[] {
  return listLives(setting, collection, nowMs)
    .map((life) => life(nowMs))
    .filter((record) => record !== undefined);
}

function showResource(
  setting: Setting,
  name: string,
  view: string | undefined,
  caller: WorldCaller,
  nowMs: number,
): JsonObject | undefined {
  if (name === 'identity') return showIdentity(setting, caller);
  if (name !== 'menu') throw new RangeError(`the business world has no resource ${name}; it has identity and menu`);
  if (!setting.business.publishes) return undefined;
  return view === 'manifest' ? showManifest(setting, nowMs) : showMenu(setting, nowMs);
}

function findBusiness(tenant: string): Business {
  const found = businesses.find((business) => business.tenant === tenant);
  if (found !== undefined) return found;
  throw new RangeError(`the business world has no tenant ${tenant}; it has ${businesses.map((business) => business.tenant).join(', ')}`);
}

function readCollection(name: string): CollectionName {
  if (name === 'orders' || name === 'reservations') return name;
  throw new RangeError(`the business world has no collection ${name}; it has ${Object.keys(makers).join(', ')}`);
}

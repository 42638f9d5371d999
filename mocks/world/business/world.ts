/** The world of the business API: three businesses with their orders, reservations and menus. */

import type { JsonObject } from '../../../core/json.ts';
import type { Chronicle, Life, LivingWorld, World, WorldCaller, WorldChoice, WorldOptions, WorldSource } from '../../world.ts';
import { dayAt } from '../calendar.ts';
import { listRecords } from '../chronicle.ts';
import { endOf, eraAt, eraOf, erasMost, ownInstant } from '../era.ts';
import { remember } from '../memory.ts';
import { servesContract } from '../serving.ts';
import { type Business, businesses } from './business.ts';
import { type Gaps, gapsOf, noGaps } from './gaps.ts';
import { showBusiness, showIdentity } from './identity.ts';
import { showManifest, showMenu } from './menu.ts';
import { makeOrder } from './order.ts';
import { makeReservation } from './reservation.ts';
import { countUntil, makeSetting, type Setting } from './traffic.ts';

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
  create: ({ profile }, choice) => createBusinessWorlds({ ...choice, gaps: gapsOf(profile) }),
};

/** What the businesses are made from; without gaps, every field has a value of its type. */
export interface BusinessChoice extends WorldChoice {
  readonly gaps?: Gaps;
}

/** The businesses of a seed through time. */
export function createBusinessWorlds({ seed, sizes = {}, gaps = noGaps }: BusinessChoice): LivingWorld {
  const eras = remember((number) => createEra({ seed, sizes, gaps }, Number(number)), erasMost);
  // Most of the time the clock stands still, and every request asks for the same moment.
  let latest: World | undefined;
  return {
    tenants: businesses.map((business) => business.tenant),
    at: (nowMs) => {
      if (latest?.nowMs !== nowMs) latest = createMoment(eras(String(eraAt(nowMs).number)), nowMs);
      return latest;
    },
  };
}

/** The world of a seed at an instant. */
export function createBusinessWorld({ nowMs, ...choice }: WorldOptions & BusinessChoice): World {
  return createBusinessWorlds(choice).at(nowMs);
}

/** What happens to the businesses through an era. */
interface BusinessEra {
  readonly settingOf: (tenant: string) => Setting;
  readonly chronicleOf: (tenant: string, collection: string) => Chronicle;
}

function createEra({ seed, sizes, gaps }: Required<BusinessChoice>, number: number): BusinessEra {
  const era = eraOf(number);
  const settingOf = remember((tenant) => makeSetting(sized(findBusiness(tenant), sizes), era, seed, gaps));
  const chronicles = remember((tenant) => remember((collection) => makeChronicle(settingOf(tenant), readCollection(collection))));
  return { settingOf, chronicleOf: (tenant, collection) => chronicles(tenant)(collection) };
}

function createMoment({ settingOf, chronicleOf }: BusinessEra, nowMs: number): World {
  const listOf = remember((tenant) => remember((collection) => listRecords(chronicleOf(tenant, collection), nowMs)));
  return {
    nowMs,
    tenants: businesses.map((business) => business.tenant),
    records: (tenant, collection) => listOf(tenant)(collection),
    chronicle: chronicleOf,
    head: (tenant, collection) => {
      const known = readCollection(collection);
      return known === 'orders' ? headOf(tenant) : undefined;
    },
    resource: (tenant, name, view, caller) => showResource(settingOf(tenant), name, view, caller, nowMs),
  };
}

/** What stands above the orders of a business: the same object each time, so that it need not be written anew for each page. */
const headOf = remember((tenant): JsonObject => ({ schema_version: '1.0', business: showBusiness(findBusiness(tenant)) }));

/** Only the first business is as large as one likes; the others stay small. */
function sized(business: Business, sizes: Readonly<Record<string, number>>): Business {
  if (business.place > 0) return business;
  const days = dayAt(ownInstant, business.zone) - eraAt(ownInstant).firstDay;
  const grown = Object.keys(makers).flatMap((collection) => {
    const count = sizes[collection];
    return count === undefined ? [] : [[collection, { ...business[readCollection(collection)], stock: { count, days } }] as const];
  });
  return { ...business, ...Object.fromEntries(grown) };
}

/** Everything that happens to the records of a collection. */
export function makeChronicle(setting: Setting, collection: CollectionName): Chronicle {
  const { business, era } = setting;
  const untilMs = endOf(era);
  return {
    untilMs,
    instantField: '/changed_at',
    countUntil: (instantMs) => Math.max(0, countUntil(business[collection], era, dayAt(Math.min(instantMs, untilMs - 1), business.zone))),
    life: (index) => makers[collection](setting, index),
  };
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

/** The world of the wiki API: one wiki for everybody, some of it hidden. */

import { Recent } from '../../ledger/recent.ts';
import type { Chronicle, LivingWorld, World, WorldChoice, WorldOptions, WorldSource } from '../../world.ts';
import { createChance } from '../chance.ts';
import { listRecords } from '../chronicle.ts';
import { endOf, eraAt, eraOf, erasMost } from '../era.ts';
import { remember } from '../memory.ts';
import { servesContract } from '../serving.ts';
import { countEntries, makeEntry, makeStock } from './entry.ts';
import { type EntryHead, makeHead } from './head.ts';

const tenantName = 'public';
const collectionName = 'entries';

/** Content for the wiki API. */
export const wikiWorld: WorldSource = {
  serves: (contract) =>
    servesContract(contract, { title: 'Public Wiki API', collections: [collectionName], views: new Map([[collectionName, [undefined]]]) }),
  create: (_contract, options) => createWikiWorlds(options),
};

/** The wiki of a seed through time. */
export function createWikiWorlds({ seed, sizes = {} }: WorldChoice): LivingWorld {
  const chronicles = remember((number) => makeChronicle(seed, sizes[collectionName], Number(number)), erasMost);
  return { tenants: [tenantName], at: (nowMs) => createMoment(chronicles(String(eraAt(nowMs).number)), nowMs) };
}

/** The wiki of a seed at an instant. */
export function createWikiWorld({ nowMs, ...choice }: WorldOptions): World {
  return createWikiWorlds(choice).at(nowMs);
}

function createMoment(chronicle: Chronicle, nowMs: number): World {
  const entries = remember(() => listRecords(chronicle, nowMs));
  const requireList = (tenant: string, collection: string): void => {
    requireKnown('tenant', tenant, tenantName);
    requireKnown('collection', collection, collectionName);
  };
  return {
    nowMs,
    tenants: [tenantName],
    records: (tenant, collection) => {
      requireList(tenant, collection);
      return entries(collection);
    },
    chronicle: (tenant, collection) => {
      requireList(tenant, collection);
      return chronicle;
    },
    head: () => undefined,
    resource: (_tenant, name) => {
      throw new RangeError(`the wiki world has no resource ${name}; single entries are records of ${collectionName}`);
    },
  };
}

/** Everything that happens to the entries of an era. */
function makeChronicle(seed: number, size: number | undefined, number: number): Chronicle {
  const era = eraOf(number);
  const stock = makeStock(size);
  const chance = createChance(seed, 'wiki', era.number);
  const setting = { era, stock, chance, imports: chance.of('imports') };
  const heads = new Recent<number, EntryHead>(headsKept);
  const headOf = (index: number): EntryHead => {
    const known = heads.get(index);
    if (known !== undefined) return known;
    const head = makeHead(setting, index);
    heads.set(index, head);
    return head;
  };
  return {
    untilMs: endOf(era),
    instantField: '/updated_at',
    countUntil: (instantMs) => Math.max(0, countEntries(setting, Math.min(instantMs, endOf(era)))),
    life: (index) => makeEntry(setting, index, headOf),
  };
}

/** Entries mention others, so their heads are asked for again and again. */
const headsKept = 100_000;

function requireKnown(kind: string, name: string, known: string): void {
  if (name !== known) throw new RangeError(`the wiki world has no ${kind} ${name}; it has ${known}`);
}

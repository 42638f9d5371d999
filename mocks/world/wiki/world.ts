/** The world of the wiki API: one wiki for everybody, some of it hidden. */

import type { JsonObject } from '../../../core/json.ts';
import type { World, WorldOptions, WorldSource } from '../../world.ts';
import { createChance } from '../chance.ts';
import { eraAt } from '../era.ts';
import { remember } from '../memory.ts';
import { servesContract } from '../serving.ts';
import { countEntries, makeEntry } from './entry.ts';
import { makeHead } from './head.ts';

const tenantName = 'public';
const collectionName = 'entries';

/** Content for the wiki API. */
export const wikiWorld: WorldSource = {
  serves: (contract) =>
    servesContract(contract, { title: 'Public Wiki API', collections: [collectionName], views: new Map([[collectionName, [undefined]]]) }),
  create: (_contract, options) => createWikiWorld(options),
};

/** The world of a seed at an instant. */
export function createWikiWorld(options: WorldOptions): World {
  const entries = remember(() => listEntries(options));
  return {
    tenants: [tenantName],
    records: (tenant, collection) => {
      requireKnown('tenant', tenant, tenantName);
      requireKnown('collection', collection, collectionName);
      return entries(collection);
    },
    head: () => undefined,
    resource: (_tenant, name) => {
      throw new RangeError(`the wiki world has no resource ${name}; single entries are records of ${collectionName}`);
    },
  };
}

function listEntries({ seed, nowMs }: WorldOptions): readonly JsonObject[] {
  const era = eraAt(nowMs);
  const setting = { era, chance: createChance(seed, 'wiki', era.number) };
  const heads = Array.from({ length: countEntries(era, nowMs) }, (_, index) => makeHead(setting, index));
  const headOf = (index: number): (typeof heads)[number] => heads[index] ?? makeHead(setting, index);
  return heads.map((_, index) => makeEntry(setting, index, headOf)(nowMs)).filter((record) => record !== undefined);
}

function requireKnown(kind: string, name: string, known: string): void {
  if (name !== known) throw new RangeError(`the wiki world has no ${kind} ${name}; it has ${known}`);
}

/** A world with own data over it: what is not one's own comes from the world below. */

import type { Contract } from '../../core/contract.ts';
import type { JsonObject } from '../../core/json.ts';
import { valueAt } from '../../core/pointer.ts';
import type { LivingWorld, World } from '../world.ts';
import type { OwnCollection, OwnContent, OwnResource } from './content.ts';

/** The world with the contents of files over it, in the order in which they were given: the last one speaks. Own records are there at every instant. */
export function withOwnData(base: LivingWorld, contract: Pick<Contract, 'collections'>, contents: readonly OwnContent[]): LivingWorld {
  return contents.reduce((world, content) => layOver(world, contract, content), base);
}

function layOver(base: LivingWorld, contract: Pick<Contract, 'collections'>, content: OwnContent): LivingWorld {
  const keys = new Map(contract.collections.map(({ name, key }) => [name, key]));
  const merged = new WeakMap<readonly JsonObject[], Map<OwnCollection, readonly JsonObject[]>>();
  const replaced = new Map<OwnCollection, readonly JsonObject[]>();
  const collectionOf = (tenant: string, name: string): OwnCollection | undefined => content.get(tenant)?.collections.get(name);
  const recordsOf = (world: World, tenant: string, name: string): readonly JsonObject[] => {
    const own = collectionOf(tenant, name);
    if (own?.records === undefined) return world.records(tenant, name);
    if (!own.extend) return kept(replaced, own, () => (own.records ?? []).map(({ record }) => record));
    const below = world.records(tenant, name);
    const known = merged.get(below) ?? new Map<OwnCollection, readonly JsonObject[]>();
    merged.set(below, known);
    return kept(known, own, () => extend(below, own, keys.get(name) ?? ''));
  };
  const lay = (world: World): World => ({
    ...(world.nowMs === undefined ? {} : { nowMs: world.nowMs }),
    tenants: base.tenants,
    records: (tenant, name) => recordsOf(world, tenant, name),
    // An index of the world below knows nothing of own records; the collections that have none keep theirs.
    ...(world.chronicle === undefined
      ? {}
      : {
          chronicle: (tenant: string, name: string) =>
            collectionOf(tenant, name)?.records === undefined ? world.chronicle?.(tenant, name) : undefined,
        }),
    head: (tenant, name) => collectionOf(tenant, name)?.head?.record ?? world.head(tenant, name),
    resource: (tenant, name, view, caller) => {
      const own = content.get(tenant)?.resources.get(name);
      return own === undefined ? world.resource(tenant, name, view, caller) : showOwn(own, view);
    },
  });
  const laid = new WeakMap<World, World>();
  return {
    tenants: base.tenants,
    at: (nowMs) => {
      const below = base.at(nowMs);
      const world = laid.get(below) ?? lay(below);
      laid.set(below, world);
      return world;
    },
  };
}

/** Own records take the place of those with the same key. */
function extend(below: readonly JsonObject[], own: OwnCollection, key: string): readonly JsonObject[] {
  const records = (own.records ?? []).map(({ record }) => record);
  const identities = new Set(records.map((record) => JSON.stringify(valueAt(record, key))));
  return [...below.filter((record) => !identities.has(JSON.stringify(valueAt(record, key)))), ...records];
}

function showOwn(own: OwnResource, view: string | undefined): JsonObject | undefined {
  return own === 'none' ? undefined : own.get(view)?.record;
}

/** The same array for the same question, each time. */
function kept<K extends object, V>(known: Map<K, V>, key: K, make: () => V): V {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}

/** Knows a few ways in which live data change while someone reads them. */

import { draw, pick } from './chance.ts';
import type { MutableWorld, PageEdge } from './world.ts';

/** Changes data before a request is answered. */
export type Chaos = (moment: number, world: MutableWorld) => void;

/** An adversary who sees where the latest page ended and changes a record beside that edge before the next page is asked for. */
export const edges: Chaos = (moment, world) => {
  const edge = world.edge();
  if (edge !== undefined) pick(edgeMoves, moment)(world, edge);
};

/** Something changes before each request. */
export const busy: Chaos = (moment, world) => change(world, moment);

/** Something changes before every seventh request. */
export const slow: Chaos = (moment, world) => {
  if (moment % 7 === 0) change(world, moment / 7);
};

const edgeMoves: readonly ((world: MutableWorld, edge: PageEdge) => void)[] = [
  (world, { list, tenant, last }) => void world.update(list, tenant, last),
  (world, { list, tenant, next }) => void (next !== undefined && world.update(list, tenant, next)),
  (world, { list, tenant }) => void world.insert(list, tenant),
  (world, { list, tenant, last }) => void world.delete(list, tenant, last),
  (world, { list, tenant, next }) => void (next !== undefined && world.delete(list, tenant, next)),
];

function change(world: MutableWorld, moment: number): void {
  const list = pick(world.lists, draw(moment, 61));
  // Mostly the business with the most data, which is the one that is read.
  const tenant = pick(draw(moment, 65) % 4 === 0 ? world.tenants : world.tenants.slice(0, 1), draw(moment, 62));
  const keys = world.keys(list, tenant);
  const kind = draw(moment, 63) % 8;
  // There is one menu or none, so only its version changes.
  if (list !== 'menus' && (kind === 0 || keys.length === 0)) {
    world.insert(list, tenant);
    return;
  }
  if (keys.length === 0) return;
  const key = pick(keys, draw(moment, 64));
  if (list !== 'menus' && kind === 1) world.delete(list, tenant, key);
  else world.update(list, tenant, key);
}

/** What is known of the members of a form of objects before any is drawn. */

import type { Claim } from '../algebra/claim.ts';
import type { Alternative } from '../algebra/facts.ts';
import type { Names } from '../algebra/names.ts';
import { candidates } from '../algebra/needs.ts';
import type { Node } from '../algebra/node.ts';
import type { TextSource } from '../text/text-source.ts';
import { Dice } from './dice.ts';
import type { Source } from './source.ts';
import type { Workshop } from './workshop.ts';

/** A member: its name, what is claimed of it, and where it comes from. */
export interface Slot {
  readonly name: string;
  readonly node: Node;
  readonly source: Source;
  /** Where the name was invented. */
  readonly maker?: TextSource;
}

/** What does not change from draw to draw. */
export interface Plan {
  /** The members whose names schemas spell and that can be there, in the order of the schemas. */
  readonly slots: readonly Slot[];
  readonly required: readonly Slot[];
  readonly optional: readonly Slot[];
  /** The optional ones, lowest first. */
  readonly lowest: readonly Slot[];
  /** For each demand, the members that can meet it, lowest first. */
  readonly demanded: readonly (readonly Slot[])[];
  /** Where names come from that no schema spells. */
  readonly inventors: readonly TextSource[];
  /** Where they come from when there must be more members than are spelled. */
  readonly spareInventors: () => readonly TextSource[];
}

/** Plans the objects of a form. */
export function planRecord(form: Alternative, workshop: Workshop): Plan {
  const { object } = form;
  const names = workshop.space.names(form);
  const allowed = names.spelled.filter((name) => names.allows(name));
  const slots = allowed.flatMap((name) => openSlot(workshop, name, names.claims(name)) ?? []);
  const optional = slots.filter(({ name }) => !object.required.includes(name));
  const isFree = object.scopes.some((scope) => scope.rest !== undefined) || object.names.length > 0 || names.spelled.length === 0;
  const patterns = names.patterns();
  return {
    slots,
    required: slots.filter(({ name }) => object.required.includes(name)),
    optional,
    lowest: lowestFirst(optional, workshop),
    demanded: object.demands.map((demand) =>
      lowestFirst(
        candidates(demand, names).flatMap(({ name, claims }) => openSlot(workshop, name, claims) ?? []),
        workshop,
      ),
    ),
    // Members that no schema speaks of say nothing to whoever reads an example, so they come only where one does, or where none speaks at all.
    inventors: [...patterns, ...(isFree ? [undefined] : [])].flatMap((pattern) => usefulMakers(pattern, names, workshop)),
    spareInventors: () => [...patterns, undefined].flatMap((pattern) => usefulMakers(pattern, names, workshop)),
  };
}

/** The member of a name, unless nothing is as is claimed of it. */
export function openSlot(workshop: Workshop, name: string, claims: readonly Claim[]): Slot | undefined {
  const node = workshop.space.node(claims);
  return workshop.isPossible(node) ? { name, node, source: workshop.sourceOf(node) } : undefined;
}

function lowestFirst(slots: readonly Slot[], { space }: Workshop): readonly Slot[] {
  return slots.toSorted((left, right) => space.height(left.node) - space.height(right.node));
}

/** The makers of names that a member can have. */
function usefulMakers(pattern: string | undefined, names: Names, workshop: Workshop): readonly TextSource[] {
  const isUseful = (name: string): boolean => names.allows(name) && openSlot(workshop, name, names.claims(name)) !== undefined;
  const dice = new Dice(1);
  return names.makers(pattern).filter((maker) => Array.from({ length: 6 }, () => maker.draw(dice, undefined)).some(isUseful));
}

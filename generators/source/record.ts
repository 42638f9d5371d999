/** Sources of objects. */

import type { Json } from '../../core/json.ts';
import { admits, allows, hasChecks, passesChecks } from '../algebra/evaluate.ts';
import { type Alternative, type Claim, memberClaims } from '../algebra/facts.ts';
import { candidates, type Names } from '../algebra/names.ts';
import type { Node } from '../algebra/node.ts';
import { lazily } from '../recall.ts';
import { equal } from '../schema/equality.ts';
import type { Workshop } from './list.ts';
import {
  type Chance,
  Dice,
  type Draft,
  Exhausted,
  isAtEdge,
  type Manner,
  mannerOf,
  removals,
  type Scalars,
  type Source,
  takeSome,
  tryAgain,
} from './source.ts';

/** The members of a drawn object: what each is, and what was drawn for it. */
export interface Members {
  readonly slots: readonly Slot[];
  readonly drafts: readonly Draft[];
}

/** The object that members make. */
function toObject(slots: readonly Slot[], drafts: readonly Draft[]): Json {
  const value: Record<string, Json> = {};
  for (const [index, { name }] of slots.entries()) {
    const member = drafts[index]?.value ?? null;
    // An assignment to this name would set the prototype instead.
    if (name === '__proto__') Object.defineProperty(value, name, { value: member, enumerable: true, configurable: true, writable: true });
    else value[name] = member;
  }
  return value;
}

/** A member: its name, what is claimed of it, and where it comes from. */
interface Slot {
  readonly name: string;
  readonly node: Node;
  readonly source: Source;
  /** Where the name was invented. */
  readonly maker?: Scalars<string>;
}

/** What does not change from draw to draw. */
interface Plan {
  /** The members whose names schemas spell and that can be there, in the order of the schemas. */
  readonly slots: readonly Slot[];
  readonly required: readonly Slot[];
  readonly optional: readonly Slot[];
  /** The optional ones, lowest first. */
  readonly lowest: readonly Slot[];
  /** For each demand, the members that can meet it, lowest first. */
  readonly demanded: readonly (readonly Slot[])[];
  /** Where names come from that no schema spells. */
  readonly inventors: readonly Scalars<string>[];
  /** Where they come from when there must be more members than are spelled. */
  readonly spareInventors: () => readonly Scalars<string>[];
}

/** Plans the objects of a form. */
function planRecord({ object }: Alternative, names: Names, workshop: Workshop): Plan {
  const { space } = workshop;
  const slotOf = (name: string): Slot | undefined => openSlot(workshop, name, memberClaims(object, name));
  const lowestFirst = (slots: readonly Slot[]): readonly Slot[] =>
    slots.toSorted((left, right) => space.height(left.node) - space.height(right.node));
  /** The makers of names that a member can have. */
  const makersOf = (patterns: readonly (string | undefined)[]): readonly Scalars<string>[] => {
    const isUseful = (name: string): boolean => allows(object, name) && slotOf(name) !== undefined;
    return patterns.flatMap((pattern) => {
      const dice = new Dice(1);
      return names.makers(pattern).filter((maker) => Array.from({ length: 6 }, () => maker.draw(dice, undefined)).some(isUseful));
    });
  };
  const slots = names.spelled.flatMap((name) => (allows(object, name) ? (slotOf(name) ?? []) : []));
  const optional = slots.filter(({ name }) => !object.required.includes(name));
  const isFree = object.scopes.some((scope) => scope.rest !== undefined) || object.names.length > 0 || names.spelled.length === 0;
  const patterns = names.patterns();
  const demanded = object.demands.map((demand) => candidates(demand, object, names));
  return {
    slots,
    required: slots.filter(({ name }) => object.required.includes(name)),
    optional,
    lowest: lowestFirst(optional),
    demanded: demanded.map((found) => lowestFirst(found.flatMap(({ name, claims }) => openSlot(workshop, name, claims) ?? []))),
    // Members that no schema speaks of say nothing to whoever reads an example, so they come only where one does, or where none speaks at all.
    inventors: makersOf([...patterns, ...(isFree ? [undefined] : [])]),
    spareInventors: lazily(() => makersOf([...patterns, undefined])),
  };
}

/** The member of a name, unless nothing is as is claimed of it. */
function openSlot(workshop: Workshop, name: string, claims: readonly Claim[]): Slot | undefined {
  const node = workshop.space.node(claims);
  return workshop.isPossible(node) ? { name, node, source: workshop.sourceOf(node) } : undefined;
}

/** How many members without a spelled name an object gets at most, where none are demanded. */
const mostInvented = 3;
/** How often a name is invented until it is a new one that may be there. */
const patience = 50;
/** What was sought when the patience is at its end. */
const sought = 'an object that is as its schema asks';

/** Draws the objects of one form. */
export class RecordSource implements Source {
  readonly #form: Alternative;
  readonly #workshop: Workshop;
  readonly #names: Names;
  #plan: Plan | undefined;
  #simplest: Draft | undefined;
  /** Whether one member comes from another source, which has no simplest value that is like all its values. */
  readonly #replaced: string | undefined;

  /** With a given plan, one member is made by another source: see `replacing`. */
  constructor(form: Alternative, workshop: Workshop, given?: { readonly plan: Plan; readonly name: string }) {
    this.#plan = given?.plan;
    this.#replaced = given?.name;
    this.#form = form;
    this.#workshop = workshop;
    this.#names = workshop.space.names(form);
  }

  get size(): number {
    return this.#form.object.max === 0 ? 1 : Infinity;
  }

  draw(manner: Manner, fuel: number): Draft {
    for (let attempt = 0; attempt < patience; attempt += 1) {
      const found = this.#drawOnce(manner, fuel);
      if (found !== undefined && passesChecks(this.#form, found.value)) return found;
      tryAgain(manner, sought);
    }
    throw new Exhausted(sought, patience);
  }

  #drawOnce(manner: Manner, fuel: number): Draft | undefined {
    const plan = this.#planned();
    const chosen = this.#choose(plan, manner, fuel);
    if (chosen === undefined) return undefined;
    let thirsty = 0;
    for (const slot of chosen) if (slot.node.isRecursive) thirsty += 1;
    const share = thirsty === 0 ? fuel : (fuel - 1) / thirsty;
    const drafts: Draft[] = [];
    for (const { node, source } of chosen) drafts.push(source.draw(manner, node.isRecursive ? share : fuel));
    return this.#wrap(chosen, drafts);
  }

  simplest(): Draft {
    this.#simplest ??= this.#makeSimplest();
    return this.#simplest;
  }

  #makeSimplest(): Draft {
    const plan = this.#planned();
    const dice = new Dice(1);
    const chosen = this.#gather(plan, dice, [], 0, undefined);
    if (chosen === undefined) return this.draw(mannerOf(dice), 0);
    const parts = chosen.map(({ source }) => source.simplest());
    let found = this.#wrap(chosen, parts);
    for (let [plainer] = this.#plainer(found.parts as Members); plainer !== undefined; [plainer] = this.#plainer(plainer.parts as Members))
      found = plainer;
    return passesChecks(this.#form, found.value) ? found : this.draw(mannerOf(dice), 0);
  }

  *shrink(draft: Draft): Iterable<Draft> {
    if (this.#replaced === undefined) {
      const simplest = this.simplest();
      if (equal(draft.value, simplest.value)) return;
      yield simplest;
    }
    const isLoose = this.#form.object.demands.length === 0 && !hasChecks(this.#form);
    for (const candidate of this.#smaller(draft.parts as Members)) {
      if (isLoose || admits(this.#form, candidate.value)) yield candidate;
    }
  }

  children(): readonly Source[] {
    return this.#planned().slots.map((slot) => slot.source);
  }

  /** The members that there can be: those that are spelled, and some of those that are invented. */
  members(): readonly { readonly name: string; readonly node: Node }[] {
    const invented =
      this.#planned().inventors.length === 0 ? [] : this.#names.samples(undefined, []).filter((name) => allows(this.#form.object, name));
    return [...this.#planned().slots, ...invented.flatMap((name) => this.#slot(name) ?? [])];
  }

  /** The same form with one member always there, made by another source. */
  replacing(name: string, source: Source): RecordSource {
    const plan = this.#planned();
    const own: Slot = { name, node: this.#workshop.space.node(memberClaims(this.#form.object, name)), source };
    const put = (slot: Slot): Slot => (slot.name === name ? own : slot);
    const changed: Plan = {
      ...plan,
      slots: plan.slots.map(put),
      required: plan.required.some((slot) => slot.name === name) ? plan.required.map(put) : [...plan.required, own],
      optional: plan.optional.filter((slot) => slot.name !== name),
      lowest: plan.lowest.filter((slot) => slot.name !== name),
    };
    return new RecordSource(this.#form, this.#workshop, { plan: changed, name });
  }

  *#smaller({ slots, drafts }: Members): Iterable<Draft> {
    const { required } = this.#planned();
    const removable = slots.flatMap((slot, index) => (required.some(({ name }) => name === slot.name) ? [] : [index]));
    for (const gone of removals(removable, slots.length - this.#form.object.min)) {
      const isKept = (_: unknown, index: number): boolean => !gone.includes(index);
      yield this.#wrap(slots.filter(isKept), drafts.filter(isKept));
    }
    yield* this.#plainer({ slots, drafts });
    for (const [index, member] of drafts.entries()) {
      for (const smaller of member.source.shrink(member)) yield this.#wrap(slots, drafts.with(index, smaller));
    }
  }

  /** The same members with a plainer name for one that was invented. */
  *#plainer({ slots, drafts }: Members): Iterable<Draft> {
    for (const [index, { name, node, maker }] of slots.entries()) {
      for (const shorter of maker?.shrink(name) ?? []) {
        const slot = maker && this.#inventSlot(shorter, maker);
        const draft = drafts[index];
        if (slot === undefined || draft === undefined || slots.some((other) => other.name === shorter)) continue;
        yield this.#wrap(slots.with(index, slot), slot.node === node ? drafts : drafts.with(index, slot.source.simplest()));
      }
    }
  }

  #choose(plan: Plan, manner: Manner, fuel: number): readonly Slot[] | undefined {
    const isSimple = plan.optional.length === 0 && plan.inventors.length === 0 && this.#form.object.demands.length === 0;
    if (isSimple && plan.required.length >= this.#form.object.min) return plan.required;
    const { chance } = manner;
    const isSpent = fuel < 1;
    const available = isSpent ? plan.optional.filter((slot) => !slot.node.isRecursive) : plan.optional;
    // The number of optional members is drawn before the members, so that none and all of them come up.
    const edge = isAtEdge(manner.chance, manner.bias) ? (chance.nextInt(0, 1) === 0 ? 0 : available.length) : undefined;
    const wanted = edge ?? (available.length === 0 ? 0 : chance.nextInt(0, available.length));
    // Beside a member that is demanded because it is wrong, others that nobody asked for might be wrong as well.
    const isInventing = plan.inventors.length > 0 && plan.demanded.length === 0 && !isSpent;
    const invented = isInventing ? chance.nextInt(0, isAtEdge(manner.chance, manner.bias) ? 0 : mostInvented) : 0;
    return this.#gather(plan, chance, takeSome(available, wanted, chance), wanted, isSpent ? undefined : invented);
  }

  /**
   * The members of an object: the required ones, those that demands ask for, then as many of the offered ones, and as many invented ones, as fit.
   * `undefined` when they do not come out as the form asks. Without a number of invented ones nothing is to nest any further: the lowest members serve.
   */
  #gather(plan: Plan, chance: Chance, offered: readonly Slot[], wanted: number, invented: number | undefined): readonly Slot[] | undefined {
    const { min, max } = this.#form.object;
    const chosen = new Map(plan.required.map((slot) => [slot.name, slot]));
    if (!plan.demanded.every((candidates) => this.#meetDemand(candidates, chosen, invented === undefined ? undefined : chance)))
      return undefined;
    this.#offer(plan, chosen, offered, wanted);
    this.#invent(plan, chance, chosen, Math.min(max, Math.max(min, chosen.size + (invented ?? 0))));
    // Members that nest without end come last: each would need as many again.
    for (const slot of chosen.size < min ? plan.lowest : []) if (chosen.size < min) chosen.set(slot.name, slot);
    return chosen.size < min ? undefined : this.#sorted(plan, chosen);
  }

  /** Adds so many of the offered members as fit, and others that do not nest when there are too few. */
  #offer(plan: Plan, chosen: Map<string, Slot>, offered: readonly Slot[], wanted: number): void {
    const { min, max } = this.#form.object;
    const least = Math.max(wanted, min - chosen.size);
    const spare = least > offered.length ? plan.lowest.filter((slot) => !slot.node.isRecursive) : [];
    let added = 0;
    for (const slot of [...offered, ...spare]) {
      if (chosen.size >= max || added >= least) return;
      if (chosen.has(slot.name)) continue;
      chosen.set(slot.name, slot);
      added += 1;
    }
  }

  /** Adds one of the members that meet a demand, or asks more of one that is there; without chance, the lowest one. */
  #meetDemand(candidates: readonly Slot[], chosen: Map<string, Slot>, chance: Chance | undefined): boolean {
    // A member that another source makes stays as it makes it.
    if (this.#replaced !== undefined && candidates.some((slot) => slot.name === this.#replaced)) return true;
    const isFull = chosen.size >= this.#form.object.max;
    const open = candidates.flatMap((slot) => {
      const present = chosen.get(slot.name);
      if (present === undefined) return isFull ? [] : [slot];
      return this.#slot(slot.name, [...present.node.claims, ...slot.node.claims]) ?? [];
    });
    const slot = open[chance === undefined || open.length === 0 ? 0 : chance.nextInt(0, open.length - 1)];
    if (slot !== undefined) chosen.set(slot.name, slot);
    return slot !== undefined;
  }

  #invent(plan: Plan, chance: Chance, chosen: Map<string, Slot>, target: number): void {
    if (chosen.size >= target) return;
    const makers = plan.inventors.length > 0 ? plan.inventors : plan.spareInventors();
    for (let attempt = 0; chosen.size < target && makers.length > 0 && attempt < patience * target; attempt += 1) {
      const maker = makers[chance.nextInt(0, makers.length - 1)];
      const slot = maker && this.#inventSlot(maker.draw(chance, undefined), maker);
      if (slot !== undefined && !chosen.has(slot.name)) chosen.set(slot.name, slot);
    }
  }

  /** A member whose name no schema spells, unless it cannot have that name. */
  #inventSlot(name: string, maker: Scalars<string>): Slot | undefined {
    if (this.#names.spelled.includes(name) || !allows(this.#form.object, name)) return undefined;
    const slot = this.#slot(name);
    return slot && { ...slot, maker };
  }

  /** Members in the order of the schema, invented ones last. */
  #sorted(plan: Plan, chosen: ReadonlyMap<string, Slot>): readonly Slot[] {
    const spelled = plan.slots.flatMap((slot) => chosen.get(slot.name) ?? []);
    return spelled.length === chosen.size ? spelled : [...spelled, ...[...chosen.values()].filter((slot) => !spelled.includes(slot))];
  }

  #slot(name: string, claims = memberClaims(this.#form.object, name)): Slot | undefined {
    return openSlot(this.#workshop, name, claims);
  }

  #planned(): Plan {
    this.#plan ??= planRecord(this.#form, this.#names, this.#workshop);
    return this.#plan;
  }

  #wrap(slots: readonly Slot[], drafts: readonly Draft[]): Draft {
    return { value: toObject(slots, drafts), source: this, parts: { slots, drafts } satisfies Members };
  }
}

/** The source of the objects of one domain. At each draw it chooses members, and generates undeclared names. */

import type { Json } from '../../core/json.ts';
import { equal } from '../../core/json-equality.ts';
import { lazy } from '../../core/memo.ts';
import { markOfOtherDirection } from '../../core/openapi/schema-direction.ts';
import type { Constraint } from '../constraints/constraint.ts';
import { type Domain, memberConstraints } from '../constraints/instance-domain.ts';
import { candidateMembers, type MemberNames } from '../constraints/object-member-names.ts';
import type { ConstraintConjunction } from '../constraints/satisfiability-analysis.ts';
import { allowsName, hasChecks, isInDomain, passesChecks } from '../constraints/validate-instance.ts';
import { Exhausted, undefinedIfExhausted } from '../generation-errors.ts';
import {
  countRetry,
  type DrawContext,
  type DrawnInstance,
  drawContext,
  type InstanceSource,
  type PartFactory,
  removals,
} from './instance-source.ts';
import { isAtEdge, type RandomNumbers, SeededRandom } from './random-numbers.ts';
import type { ScalarGenerator } from './scalar-generator.ts';

/** The members of a drawn object. */
interface DrawnMembers {
  readonly slots: readonly Slot[];
  readonly instances: readonly DrawnInstance[];
}

function toObject(slots: readonly Slot[], instances: readonly DrawnInstance[]): Json {
  const value: Record<string, Json> = {};
  for (const [index, { name }] of slots.entries()) {
    const member = instances[index]?.value ?? null;
    // Assigning to this name would set the prototype.
    if (name === '__proto__') Object.defineProperty(value, name, { value: member, enumerable: true, configurable: true, writable: true });
    else value[name] = member;
  }
  return value;
}

/** A possible member of an object: its name, its constraints and its source. */
interface Slot {
  readonly name: string;
  readonly conjunction: ConstraintConjunction;
  readonly source: InstanceSource;
  /** The generator of the name; absent for declared names. */
  readonly nameGenerator?: ScalarGenerator<string>;
}

/** Data of a domain that is the same for every draw. */
interface ObjectPlan {
  /** The possible members with declared names, in schema order. */
  readonly slots: readonly Slot[];
  readonly required: readonly Slot[];
  readonly optional: readonly Slot[];
  /** The optional members, shallowest first. */
  readonly shallowest: readonly Slot[];
  /** For each requirement, the members that can meet it, shallowest first. */
  readonly candidatesByRequirement: readonly (readonly Slot[])[];
  /** Generators of undeclared names. */
  readonly nameGenerators: readonly ScalarGenerator<string>[];
  /** Generators that are used when the declared members are too few. */
  readonly spareNameGenerators: () => readonly ScalarGenerator<string>[];
}

function planObject({ object }: Domain, names: MemberNames, factory: PartFactory): ObjectPlan {
  const { analysis } = factory;
  const slotOf = (name: string): Slot | undefined => openSlot(factory, name, memberConstraints(object, name));
  const shallowestFirst = (unsortedSlots: readonly Slot[]): readonly Slot[] =>
    unsortedSlots.toSorted((left, right) => analysis.minDepth(left.conjunction) - analysis.minDepth(right.conjunction));
  /** The generators whose names a member can have. */
  const usefulGenerators = (namePatterns: readonly (string | undefined)[]): readonly ScalarGenerator<string>[] => {
    const isUseful = (name: string): boolean => allowsName(object, name) && slotOf(name) !== undefined;
    return namePatterns.flatMap((pattern) => {
      const random = new SeededRandom(1);
      return names
        .generators(pattern)
        .filter((nameGenerator) => Array.from({ length: 6 }, () => nameGenerator.draw(random, undefined)).some(isUseful));
    });
  };
  const slots = names.declaredNames.flatMap((name) => (allowsName(object, name) ? (slotOf(name) ?? []) : []));
  const optional = slots.filter(({ name }) => !object.required.includes(name));
  const isFree =
    object.applicators.some((applicator) => applicator.rest !== undefined) || object.names.length > 0 || names.declaredNames.length === 0;
  const patterns = names.patterns();
  const candidatesByRequirement = object.requirements.map((requirement) => candidateMembers(requirement, object, names));
  return {
    slots,
    required: slots.filter(({ name }) => object.required.includes(name)),
    optional,
    shallowest: shallowestFirst(optional),
    candidatesByRequirement: candidatesByRequirement.map((members) =>
      shallowestFirst(members.flatMap(({ name, constraints }) => openSlot(factory, name, constraints) ?? [])),
    ),
    // Undeclared members are drawn only if a schema describes them, or if it declares no members.
    nameGenerators: usefulGenerators([...patterns, ...(isFree ? [undefined] : [])]),
    spareNameGenerators: lazy(() => usefulGenerators([...patterns, undefined])),
  };
}

/** Returns the member of a name; `undefined` if it is impossible, or if the direction of the schema lacks it. */
function openSlot(factory: PartFactory, name: string, constraints: readonly Constraint[]): Slot | undefined {
  if (constraints.some(({ location }) => markOfOtherDirection(location.schema) !== undefined)) return undefined;
  const conjunction = factory.analysis.conjunction(constraints);
  return factory.isPossible(conjunction) ? { name, conjunction, source: factory.sourceOf(conjunction) } : undefined;
}

/** Limit of undeclared members of an object, unless more are required. */
const maxGenerated = 3;
/** Most members that an object may need: more take minutes, and no reader of an example wants them. */
const maxNeeded = 2000;
/** Attempts to generate an allowed, new name, and to draw a whole object. */
const maxAttempts = 50;
/** Text of the error after all attempts failed. */
const searchDescription = 'an object that satisfies its schema';

/** Draws objects of one domain. */
export class ObjectSource implements InstanceSource {
  readonly #domain: Domain;
  readonly #factory: PartFactory;
  readonly #names: MemberNames;
  #plan: ObjectPlan | undefined;
  #simplest: DrawnInstance | undefined;

  constructor(domain: Domain, factory: PartFactory) {
    this.#domain = domain;
    this.#factory = factory;
    this.#names = factory.analysis.names(domain);
  }

  get size(): number {
    return this.#domain.object.max === 0 ? 1 : Infinity;
  }

  draw(context: DrawContext, depthBudget: number): DrawnInstance {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const instance = this.#drawOnce(context, depthBudget);
      if (instance !== undefined && passesChecks(this.#domain, instance.value)) return instance;
      countRetry(context, searchDescription);
    }
    throw new Exhausted(searchDescription, maxAttempts);
  }

  #drawOnce(context: DrawContext, depthBudget: number): DrawnInstance | undefined {
    const plan = this.#getPlan();
    const slots = this.#choose(plan, context, depthBudget);
    if (slots === undefined) return undefined;
    let recursiveCount = 0;
    for (const slot of slots) if (slot.conjunction.isRecursive) recursiveCount += 1;
    const share = recursiveCount === 0 ? depthBudget : (depthBudget - 1) / recursiveCount;
    const instances: DrawnInstance[] = [];
    for (const { conjunction, source } of slots) instances.push(source.draw(context, conjunction.isRecursive ? share : depthBudget));
    return this.#wrap(slots, instances);
  }

  simplest(): DrawnInstance {
    this.#simplest ??= this.#makeSimplest();
    return this.#simplest;
  }

  #makeSimplest(): DrawnInstance {
    const plan = this.#getPlan();
    const random = new SeededRandom(1);
    const slots = this.#gather(plan, random, [], 0, undefined);
    if (slots === undefined) return this.draw(drawContext(random), 0);
    const taken = new Set(slots.map(({ name }) => name));
    const simplestSlots = slots.map((slot) => this.#withSimplestName(slot, taken));
    const simplestInstance = this.#wrap(
      simplestSlots,
      simplestSlots.map(({ source }) => source.simplest()),
    );
    return passesChecks(this.#domain, simplestInstance.value) ? simplestInstance : this.draw(drawContext(random), 0);
  }

  *shrink(instance: DrawnInstance): Iterable<DrawnInstance> {
    // Random members can fit together where the simplest ones do not.
    const simplest = undefinedIfExhausted(() => this.simplest());
    if (simplest !== undefined) {
      if (equal(instance.value, simplest.value)) return;
      yield simplest;
    }
    const needsCheck = this.#domain.object.requirements.length > 0 || hasChecks(this.#domain);
    for (const candidate of this.#smaller(instance.parts as DrawnMembers)) {
      if (!needsCheck || isInDomain(this.#domain, candidate.value)) yield candidate;
    }
  }

  children(): readonly InstanceSource[] {
    return this.#getPlan().slots.map((slot) => slot.source);
  }

  *#smaller({ slots, instances }: DrawnMembers): Iterable<DrawnInstance> {
    const { required } = this.#getPlan();
    const removableIndexes = slots.flatMap((slot, index) => (required.some(({ name }) => name === slot.name) ? [] : [index]));
    for (const removedIndexes of removals(removableIndexes, slots.length - this.#domain.object.min)) {
      const isKept = (_: unknown, index: number): boolean => !removedIndexes.includes(index);
      yield this.#wrap(slots.filter(isKept), instances.filter(isKept));
    }
    yield* this.#simplerNames({ slots, instances });
    for (const [index, member] of instances.entries()) {
      for (const smaller of member.source.shrink(member)) yield this.#wrap(slots, instances.with(index, smaller));
    }
  }

  /** Yields objects with a simpler name for one generated member. */
  *#simplerNames({ slots, instances }: DrawnMembers): Iterable<DrawnInstance> {
    const taken = new Set(slots.map(({ name }) => name));
    for (const [index, member] of slots.entries())
      for (const slot of this.#withSimplerNames(member, taken))
        yield this.#wrap(
          slots.with(index, slot),
          slot.conjunction === member.conjunction ? instances : instances.with(index, slot.source.simplest()),
        );
  }

  #withSimplestName(slot: Slot, taken: Set<string>): Slot {
    let simplest = slot;
    for (let [simpler] = this.#withSimplerNames(slot, taken); simpler !== undefined; [simpler] = this.#withSimplerNames(simpler, taken)) {
      taken.delete(simplest.name);
      taken.add(simpler.name);
      simplest = simpler;
    }
    return simplest;
  }

  /** Yields a generated member under simpler names that are not taken. */
  *#withSimplerNames({ name, nameGenerator }: Slot, taken: ReadonlySet<string>): Iterable<Slot> {
    for (const shorter of nameGenerator?.shrink(name) ?? []) {
      const slot = nameGenerator === undefined || taken.has(shorter) ? undefined : this.#generatedSlot(shorter, nameGenerator);
      if (slot !== undefined) yield slot;
    }
  }

  #choose(plan: ObjectPlan, context: DrawContext, depthBudget: number): readonly Slot[] | undefined {
    const isSimple = plan.optional.length === 0 && plan.nameGenerators.length === 0 && this.#domain.object.requirements.length === 0;
    if (isSimple && plan.required.length >= this.#domain.object.min) return plan.required;
    const { random } = context;
    const isSpent = depthBudget < 1;
    const availableSlots = isSpent ? plan.optional.filter((slot) => !slot.conjunction.isRecursive) : plan.optional;
    // The number of optional members is drawn first, so that objects with none or all of them occur.
    const edge = isAtEdge(context.random, context.bias) ? (random.nextInt(0, 1) === 0 ? 0 : availableSlots.length) : undefined;
    const count = edge ?? (availableSlots.length === 0 ? 0 : random.nextInt(0, availableSlots.length));
    // If a requirement demands an invalid member, a generated member could be invalid too.
    const isGenerating = plan.nameGenerators.length > 0 && plan.candidatesByRequirement.length === 0 && !isSpent;
    const generatedCount = isGenerating ? random.nextInt(0, isAtEdge(context.random, context.bias) ? 0 : maxGenerated) : 0;
    return this.#gather(plan, random, pickSome(availableSlots, count, random), count, isSpent ? undefined : generatedCount);
  }

  /**
   * Collects the members of an object: required ones, one for each requirement, then `count` offered ones and `generatedCount` generated ones, as many as
   * fit. Returns `undefined` if the domain is not satisfied. `generatedCount` is `undefined` if the depth budget is spent: then the shallowest members are
   * used.
   */
  #gather(
    plan: ObjectPlan,
    random: RandomNumbers,
    offeredSlots: readonly Slot[],
    count: number,
    generatedCount: number | undefined,
  ): readonly Slot[] | undefined {
    const { min, max } = this.#domain.object;
    if (min > maxNeeded) throw new Exhausted(`an object of ${min} members`);
    const chosenSlots = new Map(plan.required.map((slot) => [slot.name, slot]));
    if (
      !plan.candidatesByRequirement.every((candidateSlots) =>
        this.#meetRequirement(candidateSlots, chosenSlots, generatedCount === undefined ? undefined : random),
      )
    )
      return undefined;
    this.#addOffered(plan, chosenSlots, offeredSlots, count);
    this.#addGenerated(plan, random, chosenSlots, Math.min(max, Math.max(min, chosenSlots.size + (generatedCount ?? 0))));
    // Recursive members come last, since each needs members of its own.
    for (const slot of chosenSlots.size < min ? plan.shallowest : []) if (chosenSlots.size < min) chosenSlots.set(slot.name, slot);
    return chosenSlots.size < min ? undefined : this.#sorted(plan, chosenSlots);
  }

  /** Adds the offered members that fit; if they are too few, also optional members that are not recursive. */
  #addOffered(plan: ObjectPlan, chosenSlots: Map<string, Slot>, offeredSlots: readonly Slot[], count: number): void {
    const { min, max } = this.#domain.object;
    const target = Math.max(count, min - chosenSlots.size);
    const spareSlots = target > offeredSlots.length ? plan.shallowest.filter((slot) => !slot.conjunction.isRecursive) : [];
    let addedCount = 0;
    for (const slot of [...offeredSlots, ...spareSlots]) {
      if (chosenSlots.size >= max || addedCount >= target) return;
      if (chosenSlots.has(slot.name)) continue;
      chosenSlots.set(slot.name, slot);
      addedCount += 1;
    }
  }

  /** Adds a member that meets a requirement, or adds constraints to one that is present; without `random`, the shallowest. */
  #meetRequirement(candidateSlots: readonly Slot[], chosenSlots: Map<string, Slot>, random: RandomNumbers | undefined): boolean {
    const isFull = chosenSlots.size >= this.#domain.object.max;
    const suitableSlots = candidateSlots.flatMap((candidate) => {
      const presentSlot = chosenSlots.get(candidate.name);
      if (presentSlot === undefined) return isFull ? [] : [candidate];
      return this.#slot(candidate.name, [...presentSlot.conjunction.constraints, ...candidate.conjunction.constraints]) ?? [];
    });
    const slot = suitableSlots[random === undefined || suitableSlots.length === 0 ? 0 : random.nextInt(0, suitableSlots.length - 1)];
    if (slot !== undefined) chosenSlots.set(slot.name, slot);
    return slot !== undefined;
  }

  #addGenerated(plan: ObjectPlan, random: RandomNumbers, chosenSlots: Map<string, Slot>, target: number): void {
    if (chosenSlots.size >= target) return;
    const generators = plan.nameGenerators.length > 0 ? plan.nameGenerators : plan.spareNameGenerators();
    for (let attempt = 0; chosenSlots.size < target && generators.length > 0 && attempt < maxAttempts * target; attempt += 1) {
      const nameGenerator = generators[random.nextInt(0, generators.length - 1)];
      const slot = nameGenerator && this.#generatedSlot(nameGenerator.draw(random, undefined), nameGenerator);
      if (slot !== undefined && !chosenSlots.has(slot.name)) chosenSlots.set(slot.name, slot);
    }
  }

  /** Returns a member with a generated name; `undefined` if the name is declared or not allowed. */
  #generatedSlot(name: string, nameGenerator: ScalarGenerator<string>): Slot | undefined {
    if (this.#names.declaredNames.includes(name) || !allowsName(this.#domain.object, name)) return undefined;
    const slot = this.#slot(name);
    return slot && { ...slot, nameGenerator };
  }

  /** Sorts members: declared ones in schema order, then generated ones. */
  #sorted(plan: ObjectPlan, chosenSlots: ReadonlyMap<string, Slot>): readonly Slot[] {
    const declaredSlots = plan.slots.flatMap((slot) => chosenSlots.get(slot.name) ?? []);
    return declaredSlots.length === chosenSlots.size
      ? declaredSlots
      : [...declaredSlots, ...[...chosenSlots.values()].filter((slot) => !declaredSlots.includes(slot))];
  }

  #slot(name: string, constraints = memberConstraints(this.#domain.object, name)): Slot | undefined {
    return openSlot(this.#factory, name, constraints);
  }

  #getPlan(): ObjectPlan {
    this.#plan ??= planObject(this.#domain, this.#names, this.#factory);
    return this.#plan;
  }

  #wrap(slots: readonly Slot[], instances: readonly DrawnInstance[]): DrawnInstance {
    return { value: toObject(slots, instances), source: this, parts: { slots, instances } satisfies DrawnMembers };
  }
}

/** `count` members of a list, chosen at random. */
function pickSome<T>(list: readonly T[], count: number, random: RandomNumbers): readonly T[] {
  if (count >= list.length) return list;
  const shuffled = [...list];
  for (let index = 0; index < count; index += 1) {
    const position = random.nextInt(index, shuffled.length - 1);
    [shuffled[index], shuffled[position]] = [shuffled[position] as T, shuffled[index] as T];
  }
  return shuffled.slice(0, count);
}

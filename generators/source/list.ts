/** Sources of arrays. */

import type { Json } from '../../core/json.ts';
import { admits, hasChecks } from '../algebra/evaluate.ts';
import { type Alternative, type ArrayFacts, type Claim, type ItemDemand, itemClaims, opposite, prefixLength } from '../algebra/facts.ts';
import type { Node, Space } from '../algebra/node.ts';
import { canonical, equal } from '../schema/equality.ts';
import { type Chance, Dice, type Draft, Exhausted, isAtEdge, type Manner, mannerOf, removals, type Source, tryAgain } from './source.ts';

/** Where the parts of an instance come from. */
export interface Workshop {
  readonly space: Space;
  /**
   * The source of the instances of a node.
   * @throws {Unsatisfiable} when there is none.
   * @throws {Unsupported} when they cannot be generated.
   */
  readonly sourceOf: (node: Node) => Source;
  /** Whether a node has instances. */
  readonly isPossible: (node: Node) => boolean;
}

/** Arrays longer than this are drawn only where the schema asks for them. */
const longest = 100;
/** How much longer than they must be arrays usually are. */
const usual = 6;
/** How often an item is drawn again because it was there already, and how often a whole array is begun again. */
const patience = { item: 40, array: 40 } as const;
/** What was sought when the patience is at its end. */
const sought = 'an array whose items are as its schema asks';

/** Makes an item; `retry` counts how often one was refused. */
type Make = (node: Node, retry: number) => Draft;

/** Draws the arrays of one form. */
export class ListSource implements Source {
  readonly #form: Alternative;
  readonly #workshop: Workshop;
  readonly #height: number;
  /** From this index on, items are all alike. */
  readonly #alike: number;
  readonly #nodes: Node[] = [];
  #most: number | undefined;
  #simplest: Draft | undefined;

  /** `height` is that of the lowest of these arrays. */
  constructor(form: Alternative, workshop: Workshop, height: number) {
    this.#height = height;
    this.#form = form;
    this.#workshop = workshop;
    this.#alike = prefixLength(form.array);
  }

  get size(): number {
    return this.#form.array.max === 0 ? 1 : Infinity;
  }

  children(): readonly Source[] {
    const most = this.#longest();
    const nodes = Array.from({ length: this.#alike + 1 }, (_, index) => this.nodeAt(index)).slice(0, most);
    return nodes.filter((node) => this.#workshop.isPossible(node)).map((node) => this.#workshop.sourceOf(node));
  }

  /** How many of the first items differ in what is asked of them; all after are alike. */
  get places(): number {
    return Math.min(this.#alike + 1, this.#longest());
  }

  /** The fewest items that there are. */
  get least(): number {
    return this.#form.array.min;
  }

  /** An array of so many items, or of a length that is drawn; `undefined` when the attempt fails. `isSpent` keeps it from nesting any further. */
  drawOf(count: number | undefined, manner: Manner, fuel: number, isSpent: boolean = fuel < 1): Draft | undefined {
    const length = Math.min(this.#longest(), count ?? this.#length(manner, this.#isSpent(fuel)));
    return this.#attempt(
      length,
      (node) => this.#workshop.sourceOf(node).draw(manner, this.#share(node, fuel, length)),
      manner.chance,
      isSpent,
    );
  }

  draw(manner: Manner, fuel: number): Draft {
    for (let attempt = 0; attempt < patience.array; attempt += 1) {
      // Every other attempt is of a length that grows from the least, since some lengths leave no room for what is asked.
      const found = this.drawOf(attempt % 2 === 0 ? undefined : this.#form.array.min + (attempt >> 1), manner, fuel);
      if (found !== undefined) return found;
      tryAgain(manner, sought);
    }
    throw new Exhausted(sought, patience.array);
  }

  simplest(): Draft {
    this.#simplest ??= this.drawSimplest(this.#form.array.min);
    return this.#simplest;
  }

  /** The simplest array of at least so many items. */
  drawSimplest(min: number): Draft {
    const manner = mannerOf(new Dice(1));
    for (let attempt = 0; attempt < patience.array; attempt += 1) {
      const length = Math.min(this.#longest(), min + Math.floor(attempt / 4));
      // The first attempt takes the simplest items; where they clash, drawn ones take their place.
      const make: Make = (node, retry) => {
        const source = this.#workshop.sourceOf(node);
        return retry === 0 ? source.simplest() : source.draw(manner, 0);
      };
      const found = this.#attempt(length, make, manner.chance, min === this.#form.array.min);
      if (found !== undefined) return found;
      tryAgain(manner, sought);
    }
    throw new Exhausted(sought, patience.array);
  }

  *shrink(draft: Draft): Iterable<Draft> {
    const items = draft.parts as readonly Draft[];
    const simplest = this.simplest();
    if (equal(draft.value, simplest.value)) return;
    yield simplest;
    for (const smaller of this.#smaller(items)) {
      const candidate = this.#wrap(smaller);
      if (admits(this.#form, candidate.value)) yield candidate;
    }
  }

  *#smaller(items: readonly Draft[]): Iterable<readonly Draft[]> {
    for (const gone of removals([...items.keys()], items.length - this.#form.array.min))
      yield items.filter((_, index) => !gone.includes(index));
    for (const [index, item] of items.entries()) {
      for (const smaller of item.source.shrink(item)) yield items.with(index, smaller);
    }
  }

  #length(manner: Manner, isSpent: boolean): number {
    const { min } = this.#form.array;
    const most = this.#longest();
    if (most <= min || isSpent) return Math.min(min, most);
    const { chance } = manner;
    if (isAtEdge(manner.chance, manner.bias)) {
      const high = most <= Math.max(longest, min + 1) ? most : min + usual;
      return chance.nextInt(0, 1) === 0 ? min : high;
    }
    return min + chance.nextInt(0, Math.min(most - min, Math.max(usual, this.#alike - min + 2)));
  }

  /** The longest array for which there are items: shorter than allowed where an item is impossible. */
  #longest(): number {
    if (this.#most !== undefined) return this.#most;
    const { array } = this.#form;
    const places = Array.from({ length: this.#alike + 1 }, (_, index) => index);
    const impossible = places.find((index) => !this.#workshop.isPossible(this.nodeAt(index)));
    const most = Math.min(array.max, impossible ?? Infinity);
    const isDistinct = array.unique && most > this.#alike;
    const kinds = isDistinct ? (this.#workshop.sourceOf(this.nodeAt(this.#alike)).size ?? Infinity) : Infinity;
    this.#most = Math.min(most, this.#alike + kinds);
    return this.#most;
  }

  /** An array of so many items; `undefined` when they do not come out as the form asks. */
  #attempt(length: number, make: Make, chance: Chance, isSpent: boolean): Draft | undefined {
    const { array } = this.#form;
    const heightAt = (index: number, added: readonly Claim[]): number => this.#workshop.space.height(this.#nodeWith(index, added));
    const extra = placeDemands(array.demands, length, heightAt, chance, isSpent);
    const twins = array.repeated ? placeTwins(array, length, heightAt, chance) : undefined;
    if (extra === undefined || (array.repeated && twins === undefined)) return undefined;
    const [first = -1, second = -1] = twins ?? [];
    const nodes = extra.map((added, index) => this.#nodeWith(index, index === first ? [...added, ...itemClaims(array, second)] : added));
    // Where nothing may nest any further, items are lower than the array: otherwise they could be such arrays again, without end.
    if (isSpent && nodes.some((node) => node.isRecursive && this.#workshop.space.height(node) >= this.#height)) return undefined;
    const items = this.#fill(nodes, make);
    const twin = items?.[first];
    const found = items && this.#wrap(twin === undefined ? items : items.with(second, twin));
    const isLoose = array.demands.length === 0 && !hasChecks(this.#form);
    const isWhole = isLoose || found === undefined || admits(this.#form, found.value);
    return isWhole ? found : undefined;
  }

  /** An item for each node; fewer when no further one can be found that is not there yet, and so few are enough. */
  #fill(nodes: readonly Node[], make: Make): readonly Draft[] | undefined {
    const { min, unique } = this.#form.array;
    const seen = unique ? new Set<string>() : undefined;
    const items: Draft[] = [];
    for (const node of nodes) {
      const item = this.#fresh(node, make, seen);
      if (item === undefined) return items.length >= min ? items : undefined;
      items.push(item);
    }
    return items;
  }

  /** An item that is not there yet, where items must differ. */
  #fresh(node: Node, make: Make, seen: Set<string> | undefined): Draft | undefined {
    if (!this.#workshop.isPossible(node)) return undefined;
    if (seen === undefined) return make(node, 0);
    for (let retry = 0; retry < patience.item; retry += 1) {
      const item = make(node, retry);
      const text = canonical(item.value);
      if (seen.has(text)) continue;
      seen.add(text);
      return item;
    }
    return undefined;
  }

  #nodeWith(index: number, added: readonly Claim[]): Node {
    return added.length === 0 ? this.nodeAt(index) : this.#workshop.space.node([...itemClaims(this.#form.array, index), ...added]);
  }

  /** The node of the item at an index, by what its place asks of it. */
  nodeAt(index: number): Node {
    const at = Math.min(index, this.#alike);
    this.#nodes[at] ??= this.#workshop.space.node(itemClaims(this.#form.array, at));
    return this.#nodes[at];
  }

  #isSpent(fuel: number): boolean {
    return fuel < 1 && this.nodeAt(this.#alike).isRecursive;
  }

  #share(node: Node, fuel: number, length: number): number {
    return node.isRecursive ? (fuel - 1) / length : fuel;
  }

  #wrap(items: readonly Draft[]): Draft {
    const value: Json[] = [];
    for (const item of items) value.push(item.value);
    return { value, source: this, parts: items };
  }
}

/** How high the lowest item at an index is that has claims besides those of its place; infinite where it cannot have them. */
type HeightAt = (index: number, added: readonly Claim[]) => number;

/** For each item, what is claimed of it so that all demands are met; `undefined` when they cannot be met that way. */
function placeDemands(
  demands: readonly ItemDemand[],
  length: number,
  heightAt: HeightAt,
  chance: Chance,
  isSpent: boolean,
): readonly (readonly Claim[])[] | undefined {
  const placed: (readonly Claim[])[] = Array.from({ length }, () => []);
  return demands.every((demand) => place(demand, placed, heightAt, chance, isSpent)) ? placed : undefined;
}

function place(
  { claim, min, max, from }: ItemDemand,
  placed: (readonly Claim[])[],
  heightAt: HeightAt,
  chance: Chance,
  isSpent: boolean,
): boolean {
  const places = shuffle([...placed.keys()].slice(from), chance);
  const height = (index: number, added: Claim): number => heightAt(index, [...(placed[index] ?? []), added]);
  const can = (index: number, added: Claim): boolean => height(index, added) < Infinity;
  const able = places.filter((index) => can(index, claim));
  // Where nothing may nest any further, the lowest items meet the demand.
  const willing = isSpent ? able.toSorted((left, right) => height(left, claim) - height(right, claim)) : able;
  // Only where there may be too many does it matter what the other items are.
  const isLimited = max < places.length;
  const forced = isLimited ? willing.filter((index) => !can(index, opposite(claim))) : [];
  const most = Math.min(max, willing.length);
  const least = Math.max(min, forced.length);
  if (least > most) return false;
  const count = isLimited ? chance.nextInt(least, most) : least;
  const taken = new Set([...forced, ...willing.filter((index) => !forced.includes(index))].slice(0, count));
  for (const index of places) {
    const added = taken.has(index) ? claim : isLimited ? opposite(claim) : undefined;
    if (added !== undefined) placed[index] = [...(placed[index] ?? []), added];
  }
  return true;
}

/** Two places whose items can be the same. */
function placeTwins(array: ArrayFacts, length: number, heightAt: HeightAt, chance: Chance): readonly [number, number] | undefined {
  const indexes = Array.from({ length }, (_, index) => index);
  const pairs = indexes.flatMap((left) => indexes.slice(left + 1).map((right) => [left, right] as const));
  const possible = pairs.filter(([left, right]) => heightAt(left, itemClaims(array, right)) < Infinity);
  return possible.length === 0 ? undefined : possible[chance.nextInt(0, possible.length - 1)];
}

function shuffle(list: number[], chance: Chance): readonly number[] {
  for (let last = list.length - 1; last > 0; last -= 1) {
    const other = chance.nextInt(0, last);
    [list[last], list[other]] = [list[other] ?? 0, list[last] ?? 0];
  }
  return list;
}

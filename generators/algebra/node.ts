/** Nodes: the conjunctions of claims that an instance and its parts must meet, and how high the lowest instance of each is. */

import { recall } from '../recall.ts';
import { canonical } from '../schema/equality.ts';
import { Recursion } from '../schema/recursion.ts';
import { areTrueOf } from './evaluate.ts';
import { Expansion } from './expansion.ts';
import { type Alternative, type Claim, claimId, distinct, itemClaims, prefixLength } from './facts.ts';
import { clash, type Forms, nothing } from './forms.ts';
import { Names, needsOfArray, needsOfObject } from './names.ts';
import { heightOfValue, isOpen, joinValues, kindsOf, type Option, simplicity, sizeOf, valuesOfKind } from './option.ts';

/** A conjunction of claims. The same claims are the same node. */
export interface Node {
  readonly claims: readonly Claim[];
  /** Whether it can be part of itself, so that instances must be kept from nesting without end. */
  readonly isRecursive: boolean;
}

/** All nodes below one schema. */
export class Space {
  readonly expansion: Expansion = new Expansion();
  readonly #recursion = new Recursion();
  readonly #nodes = new Map<string, Node>();
  readonly #heights = new Map<Node, number>();
  readonly #forms = new Map<Node, Forms>();
  readonly #names = new WeakMap<Alternative, Names>();
  readonly #known = {
    array: new WeakMap<Alternative, readonly NodeNeed[]>(),
    object: new WeakMap<Alternative, readonly NodeNeed[]>(),
  } as const;

  /** The node of some claims. */
  node(claims: readonly Claim[]): Node {
    const kept = distinct(claims);
    const key =
      kept.length === 1 && kept[0] !== undefined
        ? String(claimId(kept[0]))
        : kept
            .map(claimId)
            .sort((left, right) => left - right)
            .join();
    return recall(this.#nodes, key, () => ({
      claims: kept,
      isRecursive: kept.length === 0 || kept.some((claim) => this.#recursion.has(claim.site.origin)),
    }));
  }

  /** The forms of the instances of a node. */
  formsOf(node: Node): Forms {
    return recall(this.#forms, node, ({ claims }) => {
      const { list, isCut } = clash(claims) ? nothing : this.expansion.joint(claims);
      // Listed values are few, so each is looked at as a whole: what they are made of is then right as well.
      const right = list.map((form) => (form.values ? { ...form, values: form.values.filter((value) => areTrueOf(claims, value)) } : form));
      return { list: right.filter((form) => form.values?.length !== 0), isCut };
    });
  }

  /** The names of the members of a form. */
  names(form: Alternative): Names {
    return recall(this.#names, form, () => new Names(form.object, this.expansion));
  }

  /** How deep the lowest instance of a node nests; infinite when there is none. */
  height(node: Node): number {
    const known = this.#heights.get(node);
    if (known !== undefined) return known;
    this.#settle(node);
    return this.#heights.get(node) ?? Infinity;
  }

  /** What a list of forms can be, each type of each form by itself, lowest first; what nothing can be is left out. */
  options(forms: readonly Alternative[]): readonly Option[] {
    const found = joinValues(forms).flatMap((form) =>
      kindsOf(form).map((kind) => ({ form, kind, height: this.#heightOfOption(form, kind) })),
    );
    return found
      .filter((option) => option.height < Infinity)
      .toSorted((left, right) => left.height - right.height || simplicity(left) - simplicity(right));
  }

  /** A part without which a node cannot be, and which is impossible itself; only where the node has no other form to take. */
  missingPart(node: Node): Node | undefined {
    const [form, ...others] = this.formsOf(node).list;
    const [kind, ...kinds] = form === undefined ? [] : kindsOf(form);
    if (form === undefined || kind === undefined || others.length + kinds.length > 0) return undefined;
    const unmet = this.#needs(form, kind).filter((need) => this.#lowest(need, this.#heights) === Infinity);
    const parts = unmet.flatMap(nodesOf);
    return parts.find((part) => this.height(part) === Infinity);
  }

  /** Whether all that makes a node possible or impossible was looked at: choices that combine in too many ways are not. */
  isCertain(root: Node): boolean {
    const seen = new Set<Node>([root]);
    for (const node of seen) {
      const forms = this.formsOf(node);
      if (forms.isCut) return false;
      const needs = forms.list.flatMap((form) => kindsOf(form).flatMap((kind) => this.#needs(form, kind)));
      for (const part of needs.flatMap(nodesOf)) seen.add(part);
    }
    return true;
  }

  #heightOfOption(form: Alternative, kind: Option['kind']): number {
    for (const need of this.#needs(form, kind)) for (const node of nodesOf(need)) this.height(node);
    return this.#measure(form, kind, this.#heights);
  }

  /**
   * Heights of all nodes that a node needs, by the least fixpoint: every node is impossible until something lower shows it possible. What needs
   * itself to exist stays impossible.
   */
  #settle(root: Node): void {
    const waiting = [root];
    const heights = new Map<Node, number>();
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (heights.has(node) || this.#heights.has(node)) continue;
      heights.set(node, Infinity);
      const needs = this.formsOf(node).list.flatMap((form) => kindsOf(form).flatMap((kind) => this.#needs(form, kind)));
      for (const need of needs) waiting.push(...nodesOf(need));
    }
    const known = { get: (node: Node) => heights.get(node) ?? this.#heights.get(node) };
    let isChanged = true;
    while (isChanged) {
      isChanged = false;
      for (const [node, height] of heights) {
        const forms = this.formsOf(node).list;
        const lowest = Math.min(...forms.flatMap((form) => kindsOf(form).map((kind) => this.#measure(form, kind, known))), Infinity);
        if (lowest < height) isChanged = true;
        heights.set(node, Math.min(lowest, height));
      }
    }
    for (const [node, height] of heights) this.#heights.set(node, height);
  }

  #measure(form: Alternative, kind: Option['kind'], heights: Pick<ReadonlyMap<Node, number>, 'get'>): number {
    if (kind === 'number' || kind === 'string') return isOpen(form, kind) ? 0 : Infinity;
    if (kind === 'values') return Math.min(...(form.values ?? []).map(heightOfValue));
    if (kind !== 'array' && kind !== 'object') return 0;
    if (kind === 'array' && form.array.unique && this.#isTooUniform(form)) return Infinity;
    const needs = this.#needs(form, kind);
    return 1 + Math.max(-1, ...needs.map((need) => this.#lowest(need, heights)));
  }

  /** Whether an array needs more different items than there are. */
  #isTooUniform({ array }: Alternative): boolean {
    if (array.demands.some(({ claim, min }) => min > 1 && min > this.#size(this.node([claim])))) return true;
    const length = prefixLength(array);
    if (array.min > length) return array.min > length + this.#size(this.node(itemClaims(array, length)));
    const domains = Array.from({ length: array.min }, (_, index) => this.#valuesOf(this.node(itemClaims(array, index))));
    // Places that can have many values never lack one of their own.
    return !canDiffer(domains.filter((domain) => domain !== undefined));
  }

  /** The values of a node, where they are few and known. */
  #valuesOf(node: Node): readonly string[] | undefined {
    const values = this.formsOf(node).list.flatMap((form) => kindsOf(form).map((kind) => valuesOfKind(form, kind)));
    return values.every((some) => some !== undefined) ? values.flat().map(canonical) : undefined;
  }

  /** How many instances a node has at most; infinite when they are not few. */
  #size(node: Node): number {
    const sizes = this.formsOf(node).list.flatMap((form) => kindsOf(form).map((kind) => sizeOf(form, kind)));
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  #needs(form: Alternative, kind: Option['kind']): readonly NodeNeed[] {
    if (kind !== 'array' && kind !== 'object') return [];
    return recall(this.#known[kind], form, () => {
      const needs = kind === 'array' ? needsOfArray(form) : needsOfObject(form, this.names(form));
      const open = (list: readonly (readonly Claim[])[]): readonly Node[] => list.map((claims) => this.node(claims));
      return needs.map(({ count, once, often, most = Infinity }) => ({ count, once: open(once), often: open(often), most }));
    });
  }

  /** The height of what meets a need with the lowest children. */
  #lowest({ count, once, often, most }: NodeNeed, heights: Pick<ReadonlyMap<Node, number>, 'get'>): number {
    const heightOf = (node: Node): number => heights.get(node) ?? Infinity;
    const repeatable = Math.min(Infinity, ...often.map(heightOf));
    if (once.length === 0) return count > most ? Infinity : repeatable;
    const single = once.map(heightOf).toSorted((left, right) => left - right);
    if (count - single.filter((height) => height < Infinity).length > most) return Infinity;
    const taken = single.slice(0, count).map((height) => Math.min(height, repeatable));
    return Math.max(0, ...taken, taken.length < count ? repeatable : 0);
  }
}

function nodesOf({ once, often }: NodeNeed): readonly Node[] {
  return [...once, ...often];
}

/** A need whose children are nodes. */
interface NodeNeed {
  readonly count: number;
  readonly once: readonly Node[];
  readonly often: readonly Node[];
  readonly most: number;
}

/** Whether there is a choice of different values, one out of each list (a system of distinct representatives, found by augmenting paths). */
function canDiffer(domains: readonly (readonly string[])[]): boolean {
  const takenBy = new Map<string, number>();
  return domains.every((_, place) => seat(place, domains, takenBy, new Set()));
}

/** Gives a place a value, moving others where that helps. */
function seat(place: number, domains: readonly (readonly string[])[], takenBy: Map<string, number>, asked: Set<string>): boolean {
  for (const value of domains[place] ?? []) {
    if (asked.has(value)) continue;
    asked.add(value);
    const owner = takenBy.get(value);
    if (owner !== undefined && !seat(owner, domains, takenBy, asked)) continue;
    takenBy.set(value, place);
    return true;
  }
  return false;
}

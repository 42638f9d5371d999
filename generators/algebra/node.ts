/** Nodes: the conjunctions of claims that an instance and its parts must meet, and how high the lowest instance of each is. */

import type { Json } from '../../core/json.ts';
import { canonical } from '../schema/equality.ts';
import { holds } from '../schema/evaluate.ts';
import { Recursion } from '../schema/recursion.ts';
import { type Claim, claimId } from './claim.ts';
import { Expansion, type Forms } from './expansion.ts';
import { type Alternative, type TypeName, typeBits } from './facts.ts';
import { distinct, itemClaims, prefixLength } from './members.ts';
import { Names } from './names.ts';
import { needsOfArray, needsOfObject } from './needs.ts';
import { bitOfValue, clash } from './prune.ts';
import { numbersOf, textsOf } from './scalars.ts';

/** A conjunction of claims. The same claims are the same node. */
export interface Node {
  readonly claims: readonly Claim[];
  /** Whether it can be part of itself, so that instances must be kept from nesting without end. */
  readonly isRecursive: boolean;
}

/** One type of one form: what a source can be built for. */
export interface Option {
  readonly form: Alternative;
  /** `values` where the form lists its values. */
  readonly kind: TypeName | 'values';
  /** How deep the lowest instance nests; 0 for scalars. */
  readonly height: number;
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
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    const isRecursive = kept.length === 0 || kept.some((claim) => this.#recursion.has(claim.site));
    const node = { claims: kept, isRecursive };
    this.#nodes.set(key, node);
    return node;
  }

  /** The forms of the instances of a node. */
  formsOf(node: Node): Forms {
    const known = this.#forms.get(node);
    if (known !== undefined) return known;
    const joint = clash(node.claims) ? { list: [], isCut: false } : this.expansion.joint(node.claims);
    const isTrue = (value: Alternative['except'][number]): boolean =>
      node.claims.every((claim) => holds(claim.site, value) === claim.holds);
    // Listed values are few, so each is looked at as a whole: what they are made of is then right as well.
    const list = joint.list.map((form) => (form.values === undefined ? form : { ...form, values: form.values.filter(isTrue) }));
    const forms = { list: list.filter((form) => form.values?.length !== 0), isCut: joint.isCut };
    this.#forms.set(node, forms);
    return forms;
  }

  /** The names of the members of a form. */
  names(form: Alternative): Names {
    const known = this.#names.get(form) ?? new Names(form.object, this.expansion);
    this.#names.set(form, known);
    return known;
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
    const parts = unmet.flatMap((need) => [...need.once, ...need.often]);
    return parts.find((part) => this.height(part) === Infinity);
  }

  #heightOfOption(form: Alternative, kind: Option['kind']): number {
    for (const need of this.#needs(form, kind)) for (const node of [...need.once, ...need.often]) this.height(node);
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
      for (const need of needs) waiting.push(...need.once, ...need.often);
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
    return array.min > length && array.min > length + this.#size(this.node(itemClaims(array, length)));
  }

  /** How many instances a node has at most; infinite when they are not few. */
  #size(node: Node): number {
    const sizes = this.formsOf(node).list.flatMap((form) => kindsOf(form).map((kind) => sizeOf(form, kind)));
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  #needs(form: Alternative, kind: Option['kind']): readonly NodeNeed[] {
    if (kind !== 'array' && kind !== 'object') return [];
    const known = this.#known[kind].get(form);
    if (known !== undefined) return known;
    const needs = kind === 'array' ? needsOfArray(form) : needsOfObject(form, this.names(form));
    const nodesOf = (list: readonly (readonly Claim[])[]): readonly Node[] => list.map((claims) => this.node(claims));
    const found = needs.map(({ count, once, often, most = Infinity }) => ({ count, once: nodesOf(once), often: nodesOf(often), most }));
    this.#known[kind].set(form, found);
    return found;
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

/** A need whose children are nodes. */
interface NodeNeed {
  readonly count: number;
  readonly once: readonly Node[];
  readonly often: readonly Node[];
  readonly most: number;
}

/** The kinds of instances that a form has. */
function kindsOf(form: Alternative): readonly Option['kind'][] {
  if (form.values !== undefined) return ['values'];
  return (Object.keys(typeBits) as TypeName[]).filter((name) => (form.types & typeBits[name]) !== 0 && !isUsedUp(form, name));
}

/** How many values of a kind a form has at most; infinite when they are not few. */
function sizeOf(form: Alternative, kind: Option['kind']): number {
  if (kind === 'values') return form.values?.length ?? 0;
  if (kind === 'null') return 1;
  if (kind === 'boolean') return 2;
  const outcome = kind === 'number' ? numbersOf(form) : kind === 'string' ? textsOf(form) : undefined;
  return outcome?.kind === 'source' ? outcome.source.size : Infinity;
}

/** Whether the values that a form excludes are all that there are of a type. */
function isUsedUp({ except }: Alternative, name: TypeName): boolean {
  if (name === 'null') return except.includes(null);
  return name === 'boolean' && except.includes(true) && except.includes(false);
}

/** Whether some number, or some text, is as a form says. What cannot be generated counts as possible: it is refused when it is asked for. */
function isOpen(form: Alternative, kind: 'number' | 'string'): boolean {
  return (kind === 'number' ? numbersOf(form) : textsOf(form)).kind !== 'empty';
}

/** Kinds in the order in which a person would try them. Listed values take the place of the first of them. */
function simplicity({ form, kind }: Option): number {
  return kind === 'values' ? bitOfValue(form.values?.[0] ?? null) : typeBits[kind];
}

/** The forms with all listed values in one of them, each value once: they are all of one kind, and their order tells which is simpler. */
function joinValues(forms: readonly Alternative[]): readonly Alternative[] {
  // The longest list has the others in it, in the order in which the schema has them.
  const listed = forms.filter((form) => form.values !== undefined);
  const [first, ...others] = listed.toSorted((left, right) => (right.values?.length ?? 0) - (left.values?.length ?? 0));
  if (first === undefined || others.length === 0) return forms;
  const values = new Map([first, ...others].flatMap((form) => (form.values ?? []).map((value) => [canonical(value), value] as const)));
  return [...forms.filter((form) => form.values === undefined), { ...first, values: [...values.values()] }];
}

/** How deep a value nests. */
function heightOfValue(value: Json): number {
  return typeof value !== 'object' || value === null
    ? 0
    : 1 + Math.max(-1, ...Object.values(value).map((part: Json) => heightOfValue(part)));
}

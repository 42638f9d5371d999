/** Which near misses there are: the faults of every node below a schema, and how near they are. */

import type { Json } from '../../core/json.ts';
import { toPointer } from '../../core/pointer.ts';
import { areTrueOf } from '../algebra/evaluate.ts';
import { anything, type Forms } from '../algebra/forms.ts';
import type { Node } from '../algebra/node.ts';
import type { Instances } from '../instances.ts';
import { Unsatisfiable, Unsupported, unless } from '../outcome.ts';
import { recall } from '../recall.ts';
import { ListSource } from '../source/list.ts';
import { RecordSource } from '../source/record.ts';
import { ChoiceSource, Dice, type Draft, Exhausted, mannerOf, type Source } from '../source/source.ts';
import { type Fault, Faults } from './fault.ts';
import { type Faulty, ItemMissSource, type Label, labelOf, MissSource, type Way } from './miss-source.ts';

/** How deep the sites of faults are counted, so that each has the same probability; deeper ones share theirs. */
const counted = 5;
/** How many instances of a fault are looked at before it counts as none. */
const tries = 6;
/** How many faults of one instance are told apart. */
const mostFaults = 96;

/** Makes the sources of near misses, one for each node. */
export class Misses {
  readonly #instances: Instances;
  readonly #sources = new Map<Node, MissSource | undefined>();
  readonly #finder: Faults;
  readonly #faults = new Map<Node, readonly Fault[]>();
  readonly #weights = new Map<Node, Map<number, number>>();
  readonly #distances = new Map<Node, number>();
  readonly #opened = new Map<Fault, Source | undefined>();

  /** The keywords that are not broken. */
  readonly #kept: ReadonlySet<string>;

  constructor(instances: Instances, kept: readonly string[]) {
    this.#instances = instances;
    this.#finder = new Faults(instances.space);
    this.#kept = new Set(kept);
  }

  /** The near misses of a node, judged in another way; `undefined` when nothing is wrong for it. */
  rootOf(node: Node, isWrong: (value: Json) => boolean): MissSource | undefined {
    const ways = this.#waysOf(node);
    return ways && new MissSource(ways, isWrong, true);
  }

  #sourceOf(node: Node): MissSource | undefined {
    if (!this.#sources.has(node)) {
      const ways = this.#waysOf(node);
      this.#sources.set(node, ways && new MissSource(ways, (value) => !areTrueOf(node.claims, value)));
    }
    return this.#sources.get(node);
  }

  #waysOf(node: Node): (() => readonly Way[]) | undefined {
    if (this.#distance(node) < Infinity) return () => this.#ways(node);
    const loose = this.#finder.looselyOf(node.claims).filter((fault) => !this.#kept.has(fault.keyword));
    const ways = loose.filter((fault) => this.#open(fault, node) !== undefined).map((fault) => this.#wayHere(fault, node));
    return ways.length === 0 ? undefined : () => ways;
  }

  /** How many sites of faults there are in a node and its parts, to some depth; 0 only when there is none at all. */
  #weigh(node: Node, depth: number): number {
    if (this.#distance(node) === Infinity) return 0;
    const known = recall(this.#weights, node, () => new Map<number, number>());
    const weight = known.get(depth);
    if (weight !== undefined) return weight;
    // While a node is being counted, what it holds of itself counts as one.
    known.set(depth, 1);
    const parts = depth === 0 ? [] : this.#parts(node).map((part) => part.node);
    const sum = parts.reduce((total, part) => total + this.#weigh(part, depth - 1), this.#faultsOf(node).length);
    known.set(depth, Math.max(1, sum));
    return Math.max(1, sum);
  }

  /** How many steps down the nearest fault is; infinite when there is none. */
  #distance(node: Node): number {
    return recall(this.#distances, node, () => this.#measure(node));
  }

  #measure(node: Node): number {
    const seen = new Set([node]);
    let distance = 0;
    for (let level = [node]; level.length > 0; distance += 1) {
      if (level.some((each) => this.#faultsOf(each).some((fault) => this.#open(fault, each) !== undefined))) break;
      const next = level.flatMap((each) => this.#parts(each).map((part) => part.node)).filter((each) => !seen.has(each));
      if (next.length === 0) distance = Infinity;
      for (const each of next) seen.add(each);
      level = [...new Set(next)];
    }
    return distance;
  }

  #faultsOf(node: Node): readonly Fault[] {
    return recall(this.#faults, node, () => this.#findFaults(node));
  }

  #findFaults(node: Node): readonly Fault[] {
    // Where nothing is right, everything is wrong.
    if (!this.#instances.isPossible(node)) return [{ at: '', keyword: 'false', change: 'is there', forms: () => anything }];
    const found = this.#finder.of(node.claims).filter((fault) => !this.#kept.has(fault.keyword));
    // Large choices have hundreds of faults that are much alike; every so many of them is enough.
    const step = Math.ceil(found.length / mostFaults);
    return found.filter((_, index) => index % step === 0);
  }

  #ways(node: Node): readonly Way[] {
    const here = this.#faultsOf(node).map((fault) => this.#wayHere(fault, node));
    const below = this.#parts(node).map(
      (part): Way => ({
        weight: this.#weigh(part.node, counted - 1),
        distance: this.#distance(part.node) + 1,
        source: () => {
          const wrong = this.#sourceOf(part.node);
          return wrong && part.place(wrong);
        },
        label: part.label,
      }),
    );
    return [...here, ...below];
  }

  #wayHere(fault: Fault, node: Node): Way {
    return {
      weight: 1,
      distance: 0,
      source: () => this.#open(fault, node),
      label: () => ({ path: fault.at, keyword: fault.keyword, change: fault.change }),
    };
  }

  #open(fault: Fault, node: Node): Source | undefined {
    if (!this.#opened.has(fault)) {
      const exact = this.#tryOpen(fault.forms, node);
      this.#opened.set(fault, exact ?? (fault.relaxed && this.#tryOpen(fault.relaxed, node)));
    }
    return this.#opened.get(fault);
  }

  /** The source of instances with a fault, unless there is none: what breaks a branch of a choice may be right for another. */
  #tryOpen(forms: () => Forms, node: Node): Source | undefined {
    const open = (): Source | undefined => {
      const source = this.#instances.sourceOfForms(forms(), node);
      const manner = mannerOf(new Dice(1), undefined, tries * 4);
      const isWrong = (draft: Draft): boolean => !areTrueOf(node.claims, draft.value);
      // A form may look possible and still have no instance: a few tries show it.
      const shows = isWrong(source.simplest()) || Array.from({ length: tries }).some(() => isWrong(source.draw(manner, 1)));
      return shows ? source : undefined;
    };
    // Some faults cannot be had, such as a text that is shorter than empty; the others remain.
    return unless(open, Unsatisfiable, Unsupported, Exhausted);
  }

  /** The parts of the arrays and objects among the instances of a node. */
  #parts(node: Node): readonly Part[] {
    if (node.claims.length === 0 || !this.#instances.isPossible(node)) return [];
    const source = this.#instances.sourceOf(node);
    return (source instanceof ChoiceSource ? source.children() : [source]).flatMap((each): readonly Part[] => {
      if (each instanceof RecordSource)
        return each.members().map((member) => ({
          node: member.node,
          place: (wrong) => each.replacing(member.name, wrong),
          label: (draft) => labelOf(draft, toPointer([member.name]), member.name),
        }));
      if (!(each instanceof ListSource)) return [];
      const label = (draft: Draft): Label => (draft.source as Faulty).labelOf(draft);
      return Array.from({ length: each.places }, (_, index) => {
        const isLast = index === each.places - 1;
        return { node: each.nodeAt(index), place: (wrong) => new ItemMissSource(each, wrong, index, isLast), label };
      });
    });
  }
}

/** A part that can be wrong. */
interface Part {
  readonly node: Node;
  /** Instances in which it comes from a source of what is wrong. */
  readonly place: (wrong: MissSource) => Source;
  /** What is wrong in such an instance. */
  readonly label: (draft: Draft) => Label;
}

/** Sources of near misses: instances with one fault, at the instance itself or in one of its parts. */

import { areTrueOf } from '../algebra/admits.ts';
import type { Claim } from '../algebra/claim.ts';
import { Unsatisfiable } from '../outcome.ts';
import { Dice } from '../source/dice.ts';
import { type Draft, Exhausted, type Manner, mannerOf, type Source, tryAgain, unlessExhausted } from '../source/source.ts';
import type { Faulty, Label } from './label.ts';

/** How much nesting an instance gets that is wrong anyway: a small one shows the fault as well. */
const enough = 6;
/** The same for an instance that is wrong as a whole, such as a list where a number should be. */
const little = 1.5;
/** How often another way is tried where one leads to nothing, or to an instance that is right after all. */
const patience = 30;

/** A way to go wrong: here, or further down. */
export interface Way {
  /** How many faults lie on this way: so much more probable is it. */
  readonly weight: number;
  /** How many steps down the nearest fault on this way is. */
  readonly distance: number;
  /** Where such instances come from; `undefined` when there are none. */
  readonly source: () => Source | undefined;
  /** What is wrong with a draft of that source. */
  readonly label: (draft: Draft) => Label;
}

/** A way whose source is there. */
type OpenWay = Omit<Way, 'source'> & { readonly source: Source };

/** Draws instances with one fault. What it draws may still be valid where a choice takes what a branch of it refuses. */
export class MissSource implements Faulty {
  readonly size: number = Infinity;
  readonly #make: () => readonly Way[];
  readonly #claims: readonly Claim[];
  #ways: readonly OpenWay[] | undefined;

  constructor(make: () => readonly Way[], claims: readonly Claim[]) {
    this.#make = make;
    this.#claims = claims;
  }

  children(): readonly Source[] {
    return [];
  }

  draw(manner: Manner, fuel: number): Draft {
    const ways = this.#possible();
    const near = nearest(ways);
    for (let attempt = 0; attempt < patience; attempt += 1) {
      // Near the top, other branches of a choice hide a fault least; without fuel nothing may nest any further.
      const way = pickWeighted(fuel < 1 || attempt >= patience / 2 ? near : ways, manner);
      const draft = unlessExhausted(() => way.source.draw(manner, Math.min(fuel, way.distance === 0 ? little : enough)));
      if (draft !== undefined && !areTrueOf(this.#claims, draft.value)) return this.#wrap(way, draft);
      tryAgain(manner, 'an instance with a fault');
    }
    throw new Exhausted('an instance with a fault', patience);
  }

  simplest(): Draft {
    for (const way of nearestFirst(this.#possible())) {
      const draft = unlessExhausted(() => way.source.simplest());
      if (draft !== undefined && !areTrueOf(this.#claims, draft.value)) return this.#wrap(way, draft);
    }
    return this.draw(mannerOf(new Dice(1)), 0);
  }

  *shrink(draft: Draft): Iterable<Draft> {
    const { way, inner } = draft.parts as Missed;
    for (const smaller of inner.source.shrink(inner)) yield this.#wrap(way, smaller);
  }

  /** What is wrong with a draft of this source, and where. */
  labelOf(draft: Draft): Label {
    const { way, inner } = draft.parts as Missed;
    return way.label(inner);
  }

  /** The ways that can be gone: those that cannot are left out before the first draw, so that a draw does not depend on earlier ones. */
  #possible(): readonly OpenWay[] {
    this.#ways ??= this.#make().flatMap((way) => {
      const source = way.weight > 0 ? way.source() : undefined;
      return source === undefined ? [] : [{ ...way, source }];
    });
    if (this.#ways.length > 0) return this.#ways;
    throw new Unsatisfiable('#', 'every instance is valid, or none of the ways to break its schema can be generated');
  }

  #wrap(way: OpenWay, inner: Draft): Draft {
    return { value: inner.value, source: this, parts: { way, inner } satisfies Missed };
  }
}

interface Missed {
  readonly way: OpenWay;
  readonly inner: Draft;
}

/** The ways that need the fewest steps. */
function nearest(ways: readonly OpenWay[]): readonly OpenWay[] {
  const least = Math.min(...ways.map((way) => way.distance));
  return ways.filter((way) => way.distance === least);
}

function nearestFirst(ways: readonly OpenWay[]): readonly OpenWay[] {
  return ways.toSorted((left, right) => left.distance - right.distance);
}

function pickWeighted(ways: readonly OpenWay[], { chance }: Manner): OpenWay {
  const total = ways.reduce((sum, way) => sum + way.weight, 0);
  let left = chance.nextInt(1, total);
  const found = ways.find((way) => {
    left -= way.weight;
    return left <= 0;
  });
  const chosen = found ?? ways[0];
  if (chosen === undefined) throw new RangeError('there is nothing to pick from');
  return chosen;
}

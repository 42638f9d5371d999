/** Sources of near misses: instances with one labelled fault, at the instance itself or in one of its parts. */

import type { Json } from '../../core/json.ts';
import { toPointer } from '../../core/pointer.ts';
import { Unsatisfiable } from '../outcome.ts';
import { equal } from '../schema/equality.ts';
import type { ListSource } from '../source/list.ts';
import type { Members } from '../source/record.ts';
import { Dice, type Draft, Exhausted, type Manner, mannerOf, type Source, tryAgain, unlessExhausted } from '../source/source.ts';

/** One fault of an instance. */
export interface Label {
  /** JSON Pointer of the place in the instance. */
  readonly path: string;
  /** The keyword that is broken there. */
  readonly keyword: string;
  /** What is wrong, as a clause without a subject: `is above 100`. */
  readonly change: string;
}

/** A source whose drafts have a fault that it can tell. */
export interface Faulty extends Source {
  readonly labelOf: (draft: Draft) => Label;
}

/** The label of the member of a drawn object that has the fault. */
export function labelOf(draft: Draft, step: string, name: string): Label {
  const { slots, drafts } = draft.parts as Members;
  const member = drafts[slots.findIndex((slot) => slot.name === name)];
  if (member === undefined) throw new RangeError(`the member ${name} that has the fault is not there`);
  return below(step, member);
}

/** The label of a part, as seen from the instance that it is part of. */
function below(step: string, part: Draft): Label {
  const label = (part.source as Faulty).labelOf(part);
  return { ...label, path: step + label.path };
}

/** How much nesting an instance gets that is wrong anyway: a small one shows the fault as well. */
const enough = 6;
/** The same for an instance that is wrong as a whole, such as a list where a number should be. */
const little = 1.5;
/** How often another way is tried where one leads to nothing, or to an instance that is right after all; for a whole instance, and for a part. */
const patience = { root: 400, part: 30 } as const;
/** How many attempts inside of one try may fail for a whole instance: another fault is found sooner than one that hardly ever comes out right. */
const failures = 50;

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
  readonly #make: () => readonly Way[];
  readonly #isWrong: (value: Json) => boolean;
  readonly #isRoot: boolean;
  #ways: readonly OpenWay[] | undefined;
  #simplest: Draft | undefined;

  constructor(make: () => readonly Way[], isWrong: (value: Json) => boolean, isRoot = false) {
    this.#make = make;
    this.#isWrong = isWrong;
    this.#isRoot = isRoot;
  }

  draw(given: Manner, fuel: number): Draft {
    const ways = this.#possible();
    const near = nearest(ways);
    const tries = this.#isRoot ? patience.root : patience.part;
    let manner = given;
    for (let attempt = 0; attempt < tries; attempt += 1) {
      if (this.#isRoot) manner = mannerOf(given.chance, given.bias, failures);
      // Near the top, other branches of a choice hide a fault least; without fuel nothing may nest any further.
      const way = pickWeighted(fuel < 1 || attempt >= tries / 2 ? near : ways, manner);
      const draft = unlessExhausted(() => way.source.draw(manner, Math.min(fuel, way.distance === 0 ? little : enough)));
      if (draft !== undefined && this.#isWrong(draft.value)) return this.#wrap(way, draft);
      if (!this.#isRoot) tryAgain(manner, 'an instance with a fault');
    }
    throw new Exhausted('an instance with a fault', tries);
  }

  simplest(): Draft {
    this.#simplest ??= this.#findSimplest();
    return this.#simplest;
  }

  #findSimplest(): Draft {
    for (const way of this.#possible().toSorted((left, right) => left.distance - right.distance)) {
      const draft = unlessExhausted(() => way.source.simplest());
      if (draft !== undefined && this.#isWrong(draft.value)) return this.#wrap(way, draft);
    }
    return this.draw(mannerOf(new Dice(1)), 0);
  }

  *shrink(draft: Draft): Iterable<Draft> {
    const { way, inner } = draft.parts as Missed;
    if (this.#isRoot) {
      const simplest = this.simplest();
      if (equal(draft.value, simplest.value)) return;
      yield simplest;
    }
    for (const smaller of inner.source.shrink(inner)) if (!this.#isRoot || this.#isWrong(smaller.value)) yield this.#wrap(way, smaller);
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

/** How often an array is drawn until it is long enough to hold the wrong item. */
const lengthPatience = 40;
/** What was sought when no such array is found. */
const sought = 'an array that is long enough to hold a wrong item';

/** Draws an array and puts a wrong item into it. */
export class ItemMissSource implements Faulty {
  readonly #list: ListSource;
  readonly #wrong: Faulty;
  readonly #index: number;
  /** Whether any later item may be the wrong one as well. */
  readonly #isOpenEnded: boolean;

  constructor(list: ListSource, wrong: Faulty, index: number, isOpenEnded: boolean) {
    this.#list = list;
    this.#wrong = wrong;
    this.#index = index;
    this.#isOpenEnded = isOpenEnded;
  }

  draw(manner: Manner, fuel: number): Draft {
    // A level deeper there is less to nest with, or a fault might be looked for without end.
    const wrong = this.#wrong.draw(manner, fuel - 1);
    for (let attempt = 0; attempt < lengthPatience; attempt += 1) {
      // The other items need not nest: it is the wrong one that matters, and two of each at every level would be very many.
      const list = this.#list.drawOf(attempt === 0 ? undefined : this.#index + attempt, manner, 0, false);
      const items = list?.parts as readonly Draft[] | undefined;
      if (items === undefined || items.length <= this.#index) {
        tryAgain(manner, sought);
        continue;
      }
      const index = this.#isOpenEnded ? manner.chance.nextInt(this.#index, items.length - 1) : this.#index;
      return this.#wrap(items.with(index, wrong), index);
    }
    throw new Exhausted(sought, lengthPatience);
  }

  simplest(): Draft {
    const items = this.#list.drawSimplest(this.#index + 1).parts as readonly Draft[];
    return this.#wrap(items.with(this.#index, this.#wrong.simplest()), this.#index);
  }

  *shrink(draft: Draft): Iterable<Draft> {
    const { items, index } = draft.parts as WrongItem;
    const least = Math.max(this.#list.least, this.#index + 1);
    if (this.#isOpenEnded) {
      for (let gone = items.length - 1; gone >= this.#index && items.length > least; gone -= 1) {
        if (gone !== index) yield this.#wrap(items.toSpliced(gone, 1), gone < index ? index - 1 : index);
      }
    }
    for (const [at, item] of items.entries()) {
      for (const smaller of item.source.shrink(item)) yield this.#wrap(items.with(at, smaller), index);
    }
  }

  /** What is wrong with a draft of this source, and where. */
  labelOf(draft: Draft): Label {
    const { items, index } = draft.parts as WrongItem;
    const wrong = items[index];
    if (wrong === undefined) throw new RangeError(`the item ${index} that has the fault is not there`);
    return below(toPointer([index]), wrong);
  }

  #wrap(items: readonly Draft[], index: number): Draft {
    return { value: items.map((item) => item.value), source: this, parts: { items, index } satisfies WrongItem };
  }
}

interface WrongItem {
  readonly items: readonly Draft[];
  readonly index: number;
}

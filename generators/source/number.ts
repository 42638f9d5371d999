/** Opens what is known of a number as a source of numbers. Emptiness is found out exactly, and no number is drawn to be thrown away by others. */

import { type Decimal, leastCommonMultiple, toDecimal } from './decimal.ts';
import type { Chance } from './dice.ts';
import { judgeBy, listRegions, type NumberFacts } from './number-facts.ts';
import { searchIn } from './number-grids.ts';
import { compareNumbers, shrinkNumber } from './number-order.ts';
import { type Lane, openRegion } from './number-region.ts';
import { describeNumbers, explainNumbers } from './number-why.ts';
import type { Draw } from './window.ts';

/** Where numbers come from. */
export interface NumberSource {
  /** What shrinking ends at: 0, or else the number with the fewest digits after the point that is nearest to it. */
  readonly simplest: number;
  /** Draws a number; with a bias factor one of so many draws goes to the edges. */
  readonly draw: (chance: Chance, biasFactor: number | undefined) => number;
  /** Judges a number as all validators would: multiples are multiples in exact decimals and in doubles. */
  readonly accepts: (value: number) => boolean;
  /** How many numbers there are at most; infinite when they are many. */
  readonly size: number;
  /** Simpler numbers that are accepted, the boldest first; none for `simplest`. Going on with any of them comes to an end. */
  readonly shrink: (value: number) => Iterable<number>;
}

/** A source, or the reason why there is none: no number has all the facts, or none was found though there may be some. */
export type NumberOutcome =
  | { readonly kind: 'source'; readonly source: NumberSource }
  | { readonly kind: 'empty'; readonly why: string }
  | { readonly kind: 'unsupported'; readonly keyword: string; readonly why: string };

/** Opens what is known of a number. */
export function openNumber(facts: NumberFacts): NumberOutcome {
  const wrong = [...facts.multiples, ...facts.notMultiples].find((divisor) => !(divisor > 0));
  if (wrong !== undefined) return { kind: 'unsupported', keyword: 'multipleOf', why: `${wrong} is not greater than 0` };
  const accepts = judgeBy(facts);
  const step = stepOf(facts.multiples);
  const lanes = openLanes(facts, accepts, step);
  const [first, ...others] = lanes.filter((lane) => typeof lane !== 'string');
  if (first !== undefined) return { kind: 'source', source: createSource([first, ...others], accepts, step) };
  if (lanes.includes('undecided'))
    return { kind: 'unsupported', keyword: 'multipleOf', why: `it could not be found out whether ${describeNumbers(facts)}` };
  return { kind: 'empty', why: explainNumbers(facts, isEmpty) };
}

function openLanes(
  facts: NumberFacts,
  accepts: NumberSource['accepts'],
  step: Decimal | undefined,
): readonly (Lane | 'empty' | 'undecided')[] {
  return listRegions(facts).map((region) => openRegion(searchIn(region, facts, step, accepts)));
}

function isEmpty(facts: NumberFacts): boolean {
  return openLanes(facts, judgeBy(facts), stepOf(facts.multiples)).every((lane) => lane === 'empty');
}

/** As many numbers are drawn before one that is known is taken instead. */
const attempts = 100;

function createSource(lanes: readonly [Lane, ...Lane[]], accepts: NumberSource['accepts'], step: Decimal | undefined): NumberSource {
  const [first] = lanes;
  const [simplest = first.simplest] = lanes.map((lane) => lane.simplest).toSorted(compareNumbers);
  // Adding 0 turns -0 into 0.
  const edges = [...new Set([...lanes.flatMap((lane) => lane.edges), simplest].map((value) => value + 0))];
  const drawOne: Draw = lanes.length === 1 ? first.draw : (chance) => (lanes[chance.nextInt(0, lanes.length - 1)] ?? first).draw(chance);
  const drawEdge: Draw = (chance) => edges[chance.nextInt(0, edges.length - 1)] ?? simplest;
  const drawAny: Draw = lanes.some((lane) => lane.isFiltered) ? filtered(drawOne, accepts, drawEdge) : drawOne;
  return {
    simplest,
    draw: (chance, biasFactor) => (biasFactor !== undefined && chance.nextInt(1, biasFactor) === 1 ? drawEdge(chance) : drawAny(chance)),
    accepts,
    size: lanes.reduce((sum, lane) => sum + lane.size, 0),
    shrink: (value) => shrinkNumber(value, { simplest, accepts, step }),
  };
}

/** Draws until a number is accepted, and after many attempts one that is known to be. */
function filtered(draw: Draw, accepts: NumberSource['accepts'], drawKnown: Draw): Draw {
  return (chance) => {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const value = draw(chance);
      if (accepts(value)) return value;
    }
    return drawKnown(chance);
  };
}

/** The least number of which all multiples of all divisors are multiples, without zeros behind the point. */
function stepOf(divisors: readonly number[]): Decimal | undefined {
  const [first, ...others] = divisors.map(toDecimal);
  if (first === undefined) return undefined;
  let { digits, scale } = others.reduce(leastCommonMultiple, first);
  for (; scale > 0 && digits % 10n === 0n; scale -= 1) digits /= 10n;
  return { digits, scale };
}

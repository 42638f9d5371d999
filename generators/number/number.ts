/** Opens facts about a number as a source of numbers. Emptiness is found out exactly, and shrinking goes to ever simpler numbers. */

import type { Chance } from '../source/source.ts';
import { compareNumbers, type Decimal, floorQuotient, leastCommonMultiple, numberAt, placesOf, toDecimal, unitOf } from './decimal.ts';
import { judgeBy, listRegions, type NumberFacts } from './facts.ts';
import { type Draw, type Lane, openRegion, searchIn } from './region.ts';

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

/** What shrinking has to know of the numbers that it may offer. */
export interface Shrinkable {
  readonly simplest: number;
  readonly accepts: (value: number) => boolean;
  /** All of them are multiples of it. */
  readonly step: Decimal | undefined;
}

/**
 * Numbers that are simpler than a value, all accepted: the simplest one, the mirrored one, those with fewer digits after the point, and then
 * those with as many, from the simplest on in ever smaller steps. Going on with one of them comes to an end, since `compareNumbers` falls.
 */
export function* shrinkNumber(value: number, { simplest, accepts, step }: Shrinkable): Iterable<number> {
  if (value === simplest) return;
  const offered = new Set<number>();
  for (const candidate of candidatesFor(value, simplest, step)) {
    // Adding 0 turns -0 into 0.
    const number = candidate + 0;
    if (offered.has(number) || compareNumbers(number, value) >= 0 || !accepts(number)) continue;
    offered.add(number);
    yield number;
  }
}

function* candidatesFor(value: number, simplest: number, step: Decimal | undefined): Iterable<number> {
  yield simplest;
  yield -value;
  const places = placesOf(value);
  const decimal = toDecimal(value);
  for (let fewer = 0; fewer < places; fewer += 1) yield* neighbours(value, decimal, unitOf(step, fewer));
  yield* bisect(decimal, simplest, unitOf(step, places));
}

/** The multiples of a unit on both sides of a value, the one that is nearer to 0 first. */
function neighbours(value: number, decimal: Decimal, unit: Decimal): readonly number[] {
  const below = floorQuotient(decimal, unit);
  const both = [below, below + 1n].map((index) => multiple(unit, index));
  return value < 0 ? both.reverse() : both;
}

/** Multiples of a unit from the simplest number towards a value, halving what is left. */
function* bisect(decimal: Decimal, simplest: number, unit: Decimal): Iterable<number> {
  const index = floorQuotient(decimal, unit);
  for (let gap = index - floorQuotient(toDecimal(simplest), unit); gap !== 0n; gap /= 2n) yield multiple(unit, index - gap);
}

function multiple(unit: Decimal, index: bigint): number {
  return numberAt({ unit }, index);
}

/** A sentence with the facts that clash, leaving out those without which there is still no number. */
export function explainNumbers(facts: NumberFacts, isEmpty: (facts: NumberFacts) => boolean): string {
  return describeNumbers(relaxations.reduce((left, relax) => leaveOut(left, relax, isEmpty), facts));
}

/** A fact less each time it is asked with the next index; `undefined` when there is none. */
type Relaxation = (facts: NumberFacts, index: number) => NumberFacts | undefined;

const lists = ['formats', 'notFormats', 'notMultiples', 'multiples', 'except'] as const;

const relaxations: readonly Relaxation[] = [
  ...lists.map(
    (list): Relaxation =>
      (facts, index) =>
        index >= facts[list].length ? undefined : { ...facts, [list]: facts[list].filter((_, at) => at !== index) },
  ),
  (facts, index) => (index > 0 || !facts.fractional ? undefined : { ...facts, fractional: false }),
  (facts, index) => (index > 0 || !facts.integer ? undefined : { ...facts, integer: false }),
  (facts, index) => (index > 0 || facts.low.value === -Infinity ? undefined : { ...facts, low: { value: -Infinity, open: false } }),
  (facts, index) => (index > 0 || facts.high.value === Infinity ? undefined : { ...facts, high: { value: Infinity, open: false } }),
];

function leaveOut(facts: NumberFacts, relax: Relaxation, isEmpty: (facts: NumberFacts) => boolean): NumberFacts {
  let left = facts;
  for (let index = 0; ; ) {
    const relaxed = relax(left, index);
    if (relaxed === undefined) return left;
    if (isEmpty(relaxed)) left = relaxed;
    else index += 1;
  }
}

/** A sentence that says of all facts that no number has them at once. */
export function describeNumbers({
  low,
  high,
  integer,
  fractional,
  multiples,
  notMultiples,
  formats,
  notFormats,
  except,
}: NumberFacts): string {
  const parts = [
    ...(fractional ? ['not whole'] : []),
    ...(low.value === -Infinity ? [] : [`${low.open ? 'above' : 'at least'} ${low.value}`]),
    ...(high.value === Infinity ? [] : [`${high.open ? 'below' : 'at most'} ${high.value}`]),
    ...multiples.map((divisor) => `a multiple of ${divisor}`),
    ...notMultiples.map((divisor) => `not a multiple of ${divisor}`),
    ...formats.map((format) => `valid for the format ${format}`),
    ...notFormats.map((format) => `not valid for the format ${format}`),
    ...(except.length === 0 ? [] : [`none of ${except.join(', ')}`]),
  ];
  const last = parts.at(-1) ?? 'there';
  return `no ${integer ? 'whole ' : ''}number is ${parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${last}` : last}`;
}

/** Opens facts about a number as a source of numbers. Emptiness is found out exactly, and shrinking goes to ever simpler numbers. */

import { clashOf, isAtEdge, type Opened, type Scalars } from '../source/source.ts';
import { compareNumbers, type Decimal, floorQuotient, leastCommonMultiple, numberAt, placesOf, toDecimal, unitOf } from './decimal.ts';
import { anyNumber, judgeBy, listRegions, type NumberFacts } from './facts.ts';
import { type Draw, type Lane, openRegion, searchIn } from './region.ts';

/** Opens what is known of a number. */
export function openNumber(facts: NumberFacts): Opened<number> {
  const wrong = [...facts.multiples, ...facts.notMultiples].find((divisor) => !(divisor > 0));
  if (wrong !== undefined) return { kind: 'unsupported', keyword: 'multipleOf', why: `${wrong} is not greater than 0` };
  const accepts = judgeBy(facts);
  const step = stepOf(facts.multiples);
  const lanes = openLanes(facts, accepts, step);
  const [first, ...others] = lanes.filter((lane) => typeof lane !== 'string');
  if (first !== undefined) return { kind: 'source', source: createSource([first, ...others], accepts, step) };
  if (lanes.includes('undecided'))
    return { kind: 'unsupported', keyword: 'multipleOf', why: `it could not be found out whether ${describeNumbers(facts)}` };
  return { kind: 'empty', why: describeNumbers(clashOf(facts, anyNumber, relaxed, isEmpty)) };
}

type Accepts = (value: number) => boolean;

/** The facts that may be left out of a reason, those that are asked about first first. */
const relaxed = ['formats', 'notFormats', 'notMultiples', 'multiples', 'except', 'fractional', 'integer', 'low', 'high'] as const;

function openLanes(facts: NumberFacts, accepts: Accepts, step: Decimal | undefined): readonly (Lane | 'empty' | 'undecided')[] {
  return listRegions(facts).map((region) => openRegion(searchIn(region, facts, step, accepts)));
}

function isEmpty(facts: NumberFacts): boolean {
  return openLanes(facts, judgeBy(facts), stepOf(facts.multiples)).every((lane) => lane === 'empty');
}

/** As many numbers are drawn before one that is known is taken instead. */
const attempts = 100;

function createSource(lanes: readonly [Lane, ...Lane[]], accepts: Accepts, step: Decimal | undefined): Scalars<number> {
  const [first] = lanes;
  const [simplest = first.simplest] = lanes.map((lane) => lane.simplest).toSorted(compareNumbers);
  // Adding 0 turns -0 into 0.
  const edges = [...new Set([...lanes.flatMap((lane) => lane.edges), simplest].map((value) => value + 0))];
  const drawOne: Draw = lanes.length === 1 ? first.draw : (chance) => (lanes[chance.nextInt(0, lanes.length - 1)] ?? first).draw(chance);
  const drawEdge: Draw = (chance) => edges[chance.nextInt(0, edges.length - 1)] ?? simplest;
  const drawAny: Draw = lanes.some((lane) => lane.isFiltered) ? filtered(drawOne, accepts, drawEdge) : drawOne;
  return {
    simplest,
    draw: (chance, biasFactor) => (isAtEdge(chance, biasFactor) ? drawEdge(chance) : drawAny(chance)),
    accepts,
    size: lanes.reduce((sum, lane) => sum + lane.size, 0),
    shrink: (value) => shrinkNumber(value, simplest, accepts, step),
  };
}

/** Draws until a number is accepted, and after many attempts one that is known to be. */
function filtered(draw: Draw, accepts: Accepts, drawKnown: Draw): Draw {
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

/**
 * Numbers that are simpler than a value, all accepted: the simplest one, the mirrored one, those with fewer digits after the point, and then
 * those with as many, from the simplest on in ever smaller steps. Going on with one of them comes to an end, since `compareNumbers` falls.
 */
function* shrinkNumber(value: number, simplest: number, accepts: Accepts, step: Decimal | undefined): Iterable<number> {
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
  const both = [below, below + 1n].map((index) => numberAt({ unit }, index));
  return value < 0 ? both.reverse() : both;
}

/** Multiples of a unit from the simplest number towards a value, halving what is left. */
function* bisect(decimal: Decimal, simplest: number, unit: Decimal): Iterable<number> {
  const index = floorQuotient(decimal, unit);
  for (let gap = index - floorQuotient(toDecimal(simplest), unit); gap !== 0n; gap /= 2n) yield numberAt({ unit }, index - gap);
}

/** A sentence that says of all facts that no number has them at once. */
function describeNumbers({ low, high, integer, fractional, multiples, notMultiples, formats, notFormats, except }: NumberFacts): string {
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

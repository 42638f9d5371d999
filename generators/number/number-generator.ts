import { compareNumbers, type Decimal, floorQuotient, leastCommonMultiple, placesOf, toDecimal } from '../../core/decimal.ts';
import type { JsonNumber } from '../../core/json.ts';
import { isAtEdge } from '../sources/random-numbers.ts';
import type { ScalarGenerator, ScalarResult } from '../sources/scalar-generator.ts';
import { type Draw, openRegion, type RegionGenerator } from './draw-numbers-in-region.ts';
import { type NumberDomain, numberPredicate, regionOf } from './number-domain.ts';
import { numberAt, unitOf } from './number-grid.ts';

/** Creates the generator of a number domain, or explains why it is empty. */
export function numberGenerator(domain: NumberDomain): ScalarResult<JsonNumber> {
  const accepts = numberPredicate(domain);
  const step = stepOf(domain.multiples);
  const region = regionOf(domain);
  const generator = region === undefined ? 'empty' : openRegion(region, domain, step, accepts);
  if (generator === 'empty') return { kind: 'empty', why: describeNumberDomain(domain) };
  if (generator === 'undecided')
    return { kind: 'unsupported', keyword: 'multipleOf', why: `it is undecided whether ${describeNumberDomain(domain)}` };
  return { kind: 'generator', generator: toScalarGenerator(generator, accepts, step) };
}

type Accepts = (value: JsonNumber) => boolean;

/** Rejected draws before a known number is used. */
const maxAttempts = 100;

function toScalarGenerator(
  { simplest, boundaries, draw, isFiltered, size }: RegionGenerator,
  accepts: Accepts,
  step: Decimal | undefined,
): ScalarGenerator<JsonNumber> {
  const edges = [...new Set([...boundaries, simplest].map(withoutMinusZero))];
  const drawEdge: Draw = (random) => edges[random.nextInt(0, edges.length - 1)] ?? simplest;
  const drawAny: Draw = isFiltered ? filterDraws(draw, accepts, drawEdge) : draw;
  return {
    simplest,
    draw: (random, bias) => (isAtEdge(random, bias) ? drawEdge(random) : drawAny(random)),
    accepts,
    size,
    shrink: (value) => shrinkNumber(value, simplest, accepts, step),
  };
}

/** Draws until a number is accepted; after many attempts, a known one. */
function filterDraws(draw: Draw, accepts: Accepts, drawBoundary: Draw): Draw {
  return (random) => {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const value = draw(random);
      if (accepts(value)) return value;
    }
    return drawBoundary(random);
  };
}

/** The least common multiple of some decimals, without trailing zeros; `undefined` for none. */
function stepOf(divisors: readonly JsonNumber[]): Decimal | undefined {
  const [first, ...others] = divisors.map(toDecimal);
  if (first === undefined) return undefined;
  let { digits, scale } = others.reduce(leastCommonMultiple, first);
  for (; scale > 0 && digits % 10n === 0n; scale -= 1) digits /= 10n;
  return { digits, scale };
}

/**
 * Simpler accepted numbers: the simplest one, the negated one, those with fewer decimals, then those with as many, from the simplest on in
 * halving steps. `compareNumbers` decreases, so shrinking ends.
 */
function* shrinkNumber(value: JsonNumber, simplest: JsonNumber, accepts: Accepts, step: Decimal | undefined): Iterable<JsonNumber> {
  if (value === simplest) return;
  const offeredNumbers = new Set<JsonNumber>();
  for (const candidate of candidatesFor(value, simplest, step)) {
    const number = withoutMinusZero(candidate);
    if (offeredNumbers.has(number) || compareNumbers(number, value) >= 0 || !accepts(number)) continue;
    offeredNumbers.add(number);
    yield number;
  }
}

function withoutMinusZero(value: JsonNumber): JsonNumber {
  return value === 0 ? 0 : value;
}

function* candidatesFor(value: JsonNumber, simplest: JsonNumber, step: Decimal | undefined): Iterable<JsonNumber> {
  yield simplest;
  yield -value;
  const places = placesOf(value);
  const decimal = toDecimal(value);
  for (let fewer = 0; fewer < places; fewer += 1) yield* neighbours(value, decimal, unitOf(step, fewer));
  yield* bisect(decimal, simplest, unitOf(step, places));
}

/** The multiples of a unit next to a value, the one nearer to 0 first. */
function neighbours(value: JsonNumber, decimal: Decimal, unit: Decimal): readonly JsonNumber[] {
  const below = floorQuotient(decimal, unit);
  const neighbourNumbers = [below, below + 1n].map((index) => numberAt({ unit }, index));
  return value < 0 ? neighbourNumbers.reverse() : neighbourNumbers;
}

/** Multiples of a unit from the simplest number towards a value, halving the distance. */
function* bisect(decimal: Decimal, simplest: JsonNumber, unit: Decimal): Iterable<JsonNumber> {
  const index = floorQuotient(decimal, unit);
  for (let gap = index - floorQuotient(toDecimal(simplest), unit); gap !== 0n; gap /= 2n) yield numberAt({ unit }, index - gap);
}

/** A sentence that no number meets all conditions. */
function describeNumberDomain({ low, high, integer, fractional, multiples, notMultiples, excluded }: NumberDomain): string {
  const parts = [
    ...(fractional ? ['not an integer'] : []),
    ...(low.value === -Infinity ? [] : [`${low.open ? 'above' : 'at least'} ${low.value}`]),
    ...(high.value === Infinity ? [] : [`${high.open ? 'below' : 'at most'} ${high.value}`]),
    ...multiples.map((divisor) => `a multiple of ${divisor}`),
    ...notMultiples.map((divisor) => `not a multiple of ${divisor}`),
    ...(excluded.length === 0 ? [] : [`none of ${excluded.join(', ')}`]),
  ];
  const last = parts.at(-1) ?? 'there';
  return `no ${integer ? 'integer' : 'number'} is ${parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${last}` : last}`;
}

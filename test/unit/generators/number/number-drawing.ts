import type { JsonNumber } from '../../../../core/json.ts';
import type { NumberDomain } from '../../../../generators/number/number-domain.ts';
import { numberGenerator } from '../../../../generators/number/number-generator.ts';
import { SeededRandom } from '../../../../generators/sources/random-numbers.ts';
import type { ScalarGenerator } from '../../../../generators/sources/scalar-generator.ts';
import { numbers } from './number-check.ts';

export const from = (value: JsonNumber): NumberDomain['low'] => ({ value, open: false });

export const beyond = (value: JsonNumber): NumberDomain['low'] => ({ value, open: true });

/** The generator of a domain that is not empty. */
export function sourceOf(domain: Partial<NumberDomain>): ScalarGenerator<JsonNumber> {
  const outcome = numberGenerator(numbers(domain));
  if (outcome.kind !== 'generator') throw new Error(outcome.why);
  return outcome.generator;
}

/** So many numbers, the same for the same seed. */
export function draw(source: ScalarGenerator<JsonNumber>, count: number, bias: number | undefined, seed = 1): readonly JsonNumber[] {
  const random = new SeededRandom(seed);
  return Array.from({ length: count }, () => source.draw(random, bias));
}

/** Takes the first simpler number that still fails, again and again, as fast-check does. */
export function shrink(source: ScalarGenerator<JsonNumber>, start: JsonNumber, fails: (value: JsonNumber) => boolean): JsonNumber {
  let current = start;
  for (let steps = 0; steps < 1000; steps += 1) {
    const next = [...source.shrink(current)].find(fails);
    if (next === undefined) return current;
    current = next;
  }
  throw new Error('shrinking goes on and on');
}

/** Draws from text generators with fast-check's random numbers, always the same ones. */

import fc from 'fast-check';
import type { ScalarGenerator } from '../../../../generators/sources/scalar-generator.ts';
import { anyText, type TextDomain } from '../../../../generators/text/text-domain.ts';
import { textGenerator } from '../../../../generators/text/text-generator.ts';

/** The generator of a domain; anything else fails the test with the reason. */
export function sourceFor(domain: Partial<TextDomain>): ScalarGenerator<string> {
  const outcome = textGenerator({ ...anyText, ...domain });
  if (outcome.kind !== 'generator') throw new Error(`${outcome.kind}: ${outcome.why}`);
  return outcome.generator;
}

/** Draws so many texts; one in `biasFactor` goes to the edges. */
export function drawMany(
  source: Pick<ScalarGenerator<string>, 'draw'>,
  count: number,
  biasFactor?: number,
  seed = 20_240_229,
): readonly string[] {
  return fc.sample(new DrawnText(source, biasFactor), { numRuns: count, seed });
}

class DrawnText extends fc.Arbitrary<string> {
  readonly #source: Pick<ScalarGenerator<string>, 'draw'>;
  readonly #biasFactor: number | undefined;

  constructor(source: Pick<ScalarGenerator<string>, 'draw'>, biasFactor: number | undefined) {
    super();
    this.#source = source;
    this.#biasFactor = biasFactor;
  }

  override generate(random: fc.Random): fc.Value<string> {
    return new fc.Value(this.#source.draw(random, this.#biasFactor), undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is string {
    return typeof value === 'string';
  }

  override shrink(): fc.Stream<fc.Value<string>> {
    return fc.Stream.nil();
  }
}

/** The length of a text in code points. */
export function lengthOf(text: string): number {
  return [...text].length;
}

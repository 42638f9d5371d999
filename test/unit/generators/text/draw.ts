/** Draws from sources of texts with fast-check's random numbers, the same ones every time. */

import fc from 'fast-check';
import type { Scalars } from '../../../../generators/source/source.ts';
import { anyText, type TextFacts } from '../../../../generators/text/text-facts.ts';
import { openText } from '../../../../generators/text/text-source.ts';

/** The source for some facts; anything else fails the test with the reason. */
export function sourceFor(facts: Partial<TextFacts>): Scalars<string> {
  const outcome = openText({ ...anyText, ...facts });
  if (outcome.kind !== 'source') throw new Error(`${outcome.kind}: ${outcome.why}`);
  return outcome.source;
}

/** Draws so many texts; one in `biasFactor` goes to the edges. */
export function drawMany(source: Pick<Scalars<string>, 'draw'>, count: number, biasFactor?: number, seed = 20_240_229): readonly string[] {
  return fc.sample(new DrawnText(source, biasFactor), { numRuns: count, seed });
}

class DrawnText extends fc.Arbitrary<string> {
  readonly #source: Pick<Scalars<string>, 'draw'>;
  readonly #biasFactor: number | undefined;

  constructor(source: Pick<Scalars<string>, 'draw'>, biasFactor: number | undefined) {
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

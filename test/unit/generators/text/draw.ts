/** Draws from sources of texts with fast-check's random numbers, the same ones every time. */

import fc from 'fast-check';
import type { TextFacts } from '../../../../generators/text/text-facts.ts';
import { openText, type TextSource } from '../../../../generators/text/text-source.ts';

/** Facts that say nothing. */
export const nothingKnown: TextFacts = {
  minLength: 0,
  maxLength: Number.POSITIVE_INFINITY,
  patterns: [],
  notPatterns: [],
  formats: [],
  notFormats: [],
  except: new Set(),
};

/** The source for some facts; anything else fails the test with the reason. */
export function sourceFor(facts: Partial<TextFacts>): TextSource {
  const outcome = openText({ ...nothingKnown, ...facts });
  if (outcome.kind !== 'source') throw new Error(`${outcome.kind}: ${outcome.why}`);
  return outcome.source;
}

/** Draws so many texts; one in `biasFactor` goes to the edges. */
export function drawMany(source: Pick<TextSource, 'draw'>, count: number, biasFactor?: number, seed = 20_240_229): readonly string[] {
  return fc.sample(new DrawnText(source, biasFactor), { numRuns: count, seed });
}

class DrawnText extends fc.Arbitrary<string> {
  readonly #source: Pick<TextSource, 'draw'>;
  readonly #biasFactor: number | undefined;

  constructor(source: Pick<TextSource, 'draw'>, biasFactor: number | undefined) {
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

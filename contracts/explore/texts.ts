/** Texts without meaning, drawn at random: no record of any list contains them. */

import fc from 'fast-check';

const rare: fc.Arbitrary<string> = fc.constantFrom(...'qxzjkwv');

/** Draws one text for each beginning. The same seed gives the same texts. */
export function drawMeaningless(seed: number, beginnings: readonly string[]): readonly string[] {
  const tail = fc.array(rare, { minLength: 13, maxLength: 13 }).map((letters) => letters.join(''));
  const tails = fc.sample(tail, { numRuns: beginnings.length, seed });
  return beginnings.map((beginning, index) => `${beginning}${tails[index] ?? ''}`);
}

/** Values drawn from arbitraries, the same each time: the smallest that fits, or a few. The only door of the rules for fast-check. */

import { type Arbitrary, check, property, sample } from 'fast-check';
import { Unsatisfiable, Unsupported } from '../../../generators/outcome.ts';

/** The same contracts have the same witnesses. */
const seed = 20_261;

/** What was found among so many draws. */
export interface Drawn<T> {
  readonly value: T | undefined;
  readonly tried: number;
}

/** The smallest value that fits, as far as shrinking leads. Where nothing can be drawn, nothing is found. */
export function drawSmallest<T>(open: () => Arbitrary<T>, fits: (value: T) => boolean, runs: number): Drawn<T> {
  const arbitrary = openOrNone(open);
  if (arbitrary === undefined) return { value: undefined, tried: 0 };
  const { counterexample, errorInstance, numRuns, failed } = check(
    property(arbitrary, (value) => {
      if (fits(value)) throw new Fitting();
    }),
    { seed, numRuns: runs },
  );
  // Shrinking takes any error for a fit; one that is none is a mistake of this program.
  if (failed && !(errorInstance instanceof Fitting)) throw errorInstance;
  return { value: counterexample?.[0], tried: numRuns };
}

/** Some values; none where none can be drawn. */
export function drawSome<T>(open: () => Arbitrary<T>, number: number): readonly T[] {
  const arbitrary = openOrNone(open);
  return arbitrary === undefined ? [] : sample(arbitrary, { seed, numRuns: number });
}

/** Thrown to tell that a value fits. */
class Fitting extends Error {}

/** That a schema has no instances, or none that can be generated, is no mistake: there is just nothing to show. */
function openOrNone<T>(open: () => Arbitrary<T>): Arbitrary<T> | undefined {
  try {
    return open();
  } catch (error) {
    if (error instanceof Unsatisfiable || error instanceof Unsupported) return undefined;
    throw error;
  }
}

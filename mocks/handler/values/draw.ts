/** Draws values from a seed: the same seed draws the same values in every process. */
export interface Draw {
  /** A whole number between two bounds, both included. */
  readonly whole: (least: number, most: number) => number;
  readonly oneOf: <Value>(values: readonly Value[]) => Value | undefined;
  readonly shuffle: <Value>(values: readonly Value[]) => readonly Value[];
}

/** Creates the draws of a seed (the generator mulberry32). */
export function createDraw(seed: number): Draw {
  let state = seed >>> 0;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const whole = (least: number, most: number): number => least + Math.floor(fraction() * (most - least + 1));
  return {
    whole,
    oneOf: (values) => values[whole(0, values.length - 1)],
    shuffle: (values) =>
      values
        .map((value) => [fraction(), value] as const)
        .sort(([left], [right]) => left - right)
        .map(([, value]) => value),
  };
}

/** Chance that is the same in every run. */

import { createHash } from 'node:crypto';

/** Choices that hang on nothing but the text they are made from. */
export class Dice {
  private readonly text: string;
  private rolled = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** A whole number from 0 up to, and without, a limit. */
  below(limit: number): number {
    this.rolled += 1;
    return createHash('sha256').update(`${this.rolled} ${this.text}`).digest().readUInt32BE(0) % limit;
  }

  /** One of some values. */
  of<Value>(values: readonly [Value, ...Value[]]): Value {
    return values[this.below(values.length)] ?? values[0];
  }
}

/** What every kind of assertion has in common: it is read from a node of the scenario once, and judges an outcome as often as needed. */
import type { Difference } from './match.ts';
import { type Outcome, readPointer } from './place.ts';
import type { Saved } from './saved.ts';
import type { SourceNode } from './source.ts';

/** An assertion, ready to judge; it answers with everything that is not as expected. */
export type Check = (outcome: Outcome, saved: Saved) => readonly Difference[];

/** Reads one key of `expect`. */
export type CheckReader = (node: SourceNode) => Check;

/** What makes an item of a list the one it is: its `id`, or its `slug`. */
export const identityOf = (item: unknown): string | number => {
  const identity = readPointer(item, '/id') ?? readPointer(item, '/slug');
  if (typeof identity === 'string' || typeof identity === 'number') return identity;
  throw new Error('an item has neither an "id" nor a "slug", so it cannot be told from others');
};

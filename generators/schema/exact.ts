/** Whether the numbers of a schema are the ones that its author wrote: beyond 2^53 a double stands for several integers (RFC 8259 §6). */

import type { Json } from '../../core/json.ts';
import { neighbours } from './recursion.ts';
import type { Site } from './site.ts';

const known = new WeakMap<Site, boolean>();

/** Whether all numbers in a schema, and in those that it leads to, can be told from their neighbours. */
export function isExact(root: Site): boolean {
  const before = known.get(root);
  if (before !== undefined) return before;
  const seen = new Set<Site>([root]);
  let isWell = true;
  for (const site of seen) {
    if (!demands.every((keyword) => holdsExact(site.keywords[keyword]))) isWell = false;
    for (const next of neighbours(site)) seen.add(next);
  }
  known.set(root, isWell);
  return isWell;
}

/** The keywords that compare numbers. */
const demands = ['const', 'enum', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const;

function holdsExact(value: Json | undefined): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every((member) => holdsExact(member as Json));
}

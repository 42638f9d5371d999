/** The members of drawn objects. */

import type { Json } from '../../core/json.ts';
import type { Slot } from './record-plan.ts';
import type { Draft } from './source.ts';

/** The members of a drawn object: what each is, and what was drawn for it. */
export interface Members {
  readonly slots: readonly Slot[];
  readonly drafts: readonly Draft[];
}

/** The object that members make. */
export function toObject(slots: readonly Slot[], drafts: readonly Draft[]): Json {
  const value: Record<string, Json> = {};
  for (const [index, { name }] of slots.entries()) {
    const member = drafts[index]?.value ?? null;
    // An assignment to this name would set the prototype instead.
    if (name === '__proto__') Object.defineProperty(value, name, { value: member, enumerable: true, configurable: true, writable: true });
    else value[name] = member;
  }
  return value;
}

/** `uniqueItems` in linear time: ajv compares each item with each other, which takes minutes for a list of a hundred thousand. */

import type { Json, JsonObject } from './json.ts';

/** The indexes of the first two equal items of a list; `undefined` when all of them differ. Objects are equal whatever the order of their members. */
export function findRepeated(list: readonly Json[]): readonly [earlier: number, later: number] | undefined {
  const known = new Map<Json, number>();
  for (const [index, item] of list.entries()) {
    // A text that stands for an object begins with a character that no other text here begins with.
    const key = typeof item === 'string' ? `"${item}` : typeof item === 'object' && item !== null ? printSorted(item) : item;
    const earlier = known.get(key);
    if (earlier !== undefined) return [earlier, index];
    known.set(key, index);
  }
  return undefined;
}

/** JSON whose members stand in the order of their names. */
function printSorted(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(printSorted).join(',')}]`;
  const members = Object.entries(value as JsonObject).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${printSorted(member)}`).join(',')}}`;
}

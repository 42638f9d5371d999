/** Lists in a limited room: what fits is kept, and what does not is counted. */

/** What was kept of a list, and a sentence on the rest. */
export interface Fitted {
  readonly kept: readonly string[];
  /** Empty when everything was kept. */
  readonly left: readonly string[];
}

/** As many items as there is room for, in characters, and a sentence on how many are left out; those are not even written. */
export function takeFitting<T>(items: readonly T[], write: (item: T) => string, most: number): Fitted {
  const kept: string[] = [];
  let used = 0;
  for (const [index, item] of items.entries()) {
    const text = write(item);
    used += text.length + 2;
    if (used > most) return { kept, left: [`… and ${items.length - index} more: the report in HTML or JSON holds them.`] };
    kept.push(text);
  }
  return { kept, left: [] };
}

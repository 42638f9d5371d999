/**
 * Sorts millions of versions for a segment: first by the first key as plain numbers, which engines sort fast, then each group of ties by all keys.
 */

import type { IndexDesign } from './index-design.ts';

/** Values of one sort key by version: numbers or texts. */
export type KeyColumn = Float64Array | readonly string[];

/** Compares two versions by all keys. */
export type CompareVersions = (left: number, right: number) => number;

/** Creates a comparison by all keys. Missing values come first, or last in descending order. */
export function compareBy(keys: readonly KeyColumn[], order: IndexDesign['order']): CompareVersions {
  const parts = order.map(({ sign }, index) => ({ sign, column: keys[index] ?? [] }));
  return (left, right) => {
    for (const { sign, column } of parts) {
      const compared = compareKeys(column[left], column[right]);
      if (compared !== 0) return compared * sign;
    }
    return 0;
  };
}

/** Compares two values of a key. `NaN` and the empty text are missing values. */
export function compareKeys(left: number | string | undefined, right: number | string | undefined): number {
  if (left === right) return 0;
  if (left !== undefined && right !== undefined) {
    if (left < right) return -1;
    if (left > right) return 1;
  }
  const [first, second] = [rank(left), rank(right)];
  if (first === second) return 0;
  return first < second ? -1 : 1;
}

function rank(value: number | string | undefined): number | string {
  return value === undefined || Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value;
}

/** Returns the versions in the order of the list. */
export function sortVersions(versions: Int32Array, keys: readonly KeyColumn[], order: IndexDesign['order']): Int32Array {
  const compare = compareBy(keys, order);
  const [first] = keys;
  const packed = first instanceof Float64Array ? pack(versions, first, order[0]?.sign ?? 1) : undefined;
  if (packed === undefined) return versions.toSorted(compare);
  const { sorted, count } = packed;
  const result = new Int32Array(count);
  // A loop, because `Int32Array.from` would use an iterator, which is slow for millions of values.
  for (let place = 0; place < count; place += 1) {
    const value = sorted[place] as number;
    result[place] = versions[value - Math.floor(value / count) * count] as number;
  }
  sortTies(result, first as Float64Array, compare);
  return result;
}

/** Packs key and place in one number, `key * count + place`, and sorts; `undefined` if the numbers would not be exact. */
function pack(
  versions: Int32Array,
  column: Float64Array,
  sign: 1 | -1,
): { readonly sorted: Float64Array; readonly count: number } | undefined {
  const count = versions.length;
  let [least, most, unit] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1000];
  for (let place = 0; place < count; place += 1) {
    const key = (column[versions[place] as number] as number) * sign;
    if (!Number.isInteger(key)) return undefined;
    if (key < least) least = key;
    if (key > most) most = key;
    if (key % 1000 !== 0) unit = 1;
  }
  if (((most - least) / unit + 1) * count > Number.MAX_SAFE_INTEGER) return undefined;
  const packed = new Float64Array(count);
  for (let place = 0; place < count; place += 1)
    packed[place] = (((column[versions[place] as number] as number) * sign - least) / unit) * count + place;
  return { sorted: packed.sort(), count };
}

/** Sorts each run of equal first keys. */
function sortTies(versions: Int32Array, column: Float64Array, compare: CompareVersions): void {
  for (let from = 0; from < versions.length; ) {
    let to = from + 1;
    const key = column[versions[from] as number];
    while (to < versions.length && column[versions[to] as number] === key) to += 1;
    if (to - from > 1) versions.subarray(from, to).sort(compare);
    from = to;
  }
}

/** Sorting millions of versions: by the first key as numbers, which engines sort fast, and by the others only where the first one ties. */

import type { Design } from './design.ts';

/** A key of the order by version: numbers, or texts. */
export type KeyColumn = Float64Array | readonly string[];

/** A comparison of two versions by all keys. */
export type CompareVersions = (left: number, right: number) => number;

/** Compares versions by their keys; what has no value comes before all others, or after them in a descending order. */
export function compareBy(keys: readonly KeyColumn[], order: Design['order']): CompareVersions {
  const parts = order.map(({ sign }, index) => ({ sign, column: keys[index] ?? [] }));
  return (left, right) => {
    for (const { sign, column } of parts) {
      const compared = compareKeys(column[left], column[right]);
      if (compared !== 0) return compared * sign;
    }
    return 0;
  };
}

/** Compares two values of a key; `NaN` and the empty text stand for none. */
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

/** The versions in order. */
export function sortVersions(versions: Int32Array, keys: readonly KeyColumn[], order: Design['order']): Int32Array {
  const compare = compareBy(keys, order);
  const [first] = keys;
  const packed = first instanceof Float64Array ? pack(versions, first, order[0]?.sign ?? 1) : undefined;
  if (packed === undefined) return versions.toSorted(compare);
  const sorted = packed.sorted.map((value) => value - Math.floor(value / packed.count) * packed.count);
  const result = Int32Array.from(sorted, (place) => versions[place] ?? 0);
  sortTies(result, first as Float64Array, compare);
  return result;
}

/** Key and place in one number, as long as it stays exact: `key * count + place`. */
function pack(
  versions: Int32Array,
  column: Float64Array,
  sign: 1 | -1,
): { readonly sorted: Float64Array; readonly count: number } | undefined {
  const count = versions.length;
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const version of versions) {
    const key = (column[version] ?? 0) * sign;
    if (!Number.isInteger(key)) return undefined;
    if (key < least) least = key;
    if (key > most) most = key;
  }
  const unit = versions.every((version) => (column[version] ?? 0) % 1000 === 0) ? 1000 : 1;
  if (((most - least) / unit + 1) * count > Number.MAX_SAFE_INTEGER) return undefined;
  const packed = new Float64Array(count);
  for (let place = 0; place < count; place += 1)
    packed[place] = (((column[versions[place] ?? 0] ?? 0) * sign - least) / unit) * count + place;
  return { sorted: packed.sort(), count };
}

/** Sorts each run of equal first keys. */
function sortTies(versions: Int32Array, column: Float64Array, compare: CompareVersions): void {
  for (let from = 0; from < versions.length; ) {
    let to = from + 1;
    while (to < versions.length && column[versions[to] ?? 0] === column[versions[from] ?? 0]) to += 1;
    if (to - from > 1) versions.subarray(from, to).sort(compare);
    from = to;
  }
}

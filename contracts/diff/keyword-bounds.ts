/** Rules for keywords that bound numbers, lengths and counts. */

import type { Json } from '../../core/json.ts';
import { typesOf } from './keyword-values.ts';
import { demandsOf, sides, type Two } from './schema-edit.ts';
import type { View } from './schema-view.ts';

interface Bound {
  readonly keyword: string;
  readonly side: 'lower' | 'upper';
  /** The word of the rule: `min-length-increased`. */
  readonly word: string;
  /** What holds where the keyword is not given; a bound of this value demands nothing. */
  readonly absent: number;
  /** The keyword that says the same of the same numbers, but for the bound itself. */
  readonly twin?: string;
}

const bounds: readonly Bound[] = [
  { keyword: 'minimum', side: 'lower', word: 'minimum', absent: -Infinity, twin: 'exclusiveMinimum' },
  { keyword: 'exclusiveMinimum', side: 'lower', word: 'exclusive-minimum', absent: -Infinity, twin: 'minimum' },
  { keyword: 'maximum', side: 'upper', word: 'maximum', absent: Infinity, twin: 'exclusiveMaximum' },
  { keyword: 'exclusiveMaximum', side: 'upper', word: 'exclusive-maximum', absent: Infinity, twin: 'maximum' },
  { keyword: 'minLength', side: 'lower', word: 'min-length', absent: 0 },
  { keyword: 'maxLength', side: 'upper', word: 'max-length', absent: Infinity },
  { keyword: 'minItems', side: 'lower', word: 'min-items', absent: 0 },
  { keyword: 'maxItems', side: 'upper', word: 'max-items', absent: Infinity },
  { keyword: 'minContains', side: 'lower', word: 'min-contains', absent: 1 },
  { keyword: 'maxContains', side: 'upper', word: 'max-contains', absent: Infinity },
  { keyword: 'minProperties', side: 'lower', word: 'min-properties', absent: 0 },
  { keyword: 'maxProperties', side: 'upper', word: 'max-properties', absent: Infinity },
];

/** Compares all bounds. */
export function compareBounds(two: Two): void {
  for (const bound of bounds) compareBound(two, bound);
  compareMultiples(two);
}

function compareBound(two: Two, bound: Bound): void {
  const [old, next] = [strictest(two.old, bound), strictest(two.new, bound)];
  if (old === next || isKeptByTwin(two, bound)) return;
  const { keyword, word, side } = bound;
  const isRaised = next > old;
  const isNarrower = isRaised === (side === 'lower');
  // How many items must match what is contained means nothing without it.
  if (keyword.endsWith('Contains') && !(two.old.keywords.has('contains') && two.new.keywords.has('contains'))) return;
  two.report({
    ...sides(two, keyword),
    rule: `${word}-${isRaised ? 'increased' : 'decreased'}`,
    effect: isNarrower ? 'narrower' : 'wider',
    subject: keyword,
    text: `${keyword} changed from ${tell(two.old, keyword)} to ${tell(two.new, keyword)}`,
    demands: contained(two, keyword) ?? demandsOf(two, keyword),
  });
}

/** The bounds of `contains` are demands only beside it. */
function contained(two: Two, keyword: string): ReturnType<typeof demandsOf> | undefined {
  if (!keyword.endsWith('Contains')) return undefined;
  const words = ['contains', 'minContains', 'maxContains'];
  const alone = (view: View): Readonly<Record<string, Json>> =>
    Object.fromEntries(words.flatMap((word) => (view.keywords.get(word) ?? []).slice(0, 1).map(({ value }) => [word, value])));
  return { old: alone(two.old), new: alone(two.new) };
}

/** The bound that counts: the strictest of all that are stated. */
function strictest(view: View, { keyword, side, absent }: Bound): number {
  const stated = (view.keywords.get(keyword) ?? []).map(({ value }) => value).filter((value) => typeof value === 'number');
  if (stated.length === 0) return absent;
  return side === 'lower' ? Math.max(...stated) : Math.min(...stated);
}

/** Whether a bound comes or goes together with its twin, and no value is told apart: integers above 4 are those from 5 on. */
function isKeptByTwin(two: Two, { keyword, twin, side }: Bound): boolean {
  if (twin === undefined) return false;
  const isMoved = two.old.keywords.has(keyword) !== two.new.keywords.has(keyword);
  if (!isMoved || !(two.old.keywords.has(twin) || two.new.keywords.has(twin))) return false;
  const isInteger = [two.old, two.new].every((view) => {
    const types = typesOf(view);
    return types !== undefined && !types.has('number');
  });
  return isInteger && leastOf(two.old, side) === leastOf(two.new, side);
}

/** The outermost integer that both keywords of a side let through. */
function leastOf(view: View, side: Bound['side']): number {
  const [inclusive, exclusive] = bounds.filter((bound) => bound.side === side && bound.twin !== undefined);
  const [closed, open] = [inclusive, exclusive].map((bound) => (bound === undefined ? Number.NaN : strictest(view, bound)));
  if (side === 'lower') return Math.max(Math.ceil(closed ?? Number.NaN), Math.floor(open ?? Number.NaN) + 1);
  return Math.min(Math.floor(closed ?? Number.NaN), Math.ceil(open ?? Number.NaN) - 1);
}

function compareMultiples(two: Two): void {
  const [old, next] = [two.old, two.new].map((view) => (view.keywords.get('multipleOf') ?? []).map(({ value }) => Number(value)));
  if (old === undefined || next === undefined || old.toSorted().join() === next.toSorted().join()) return;
  const demands = demandsOf(two, 'multipleOf');
  const [narrows, widens] = [
    !two.includes(demands.old ?? true, demands.new ?? true),
    !two.includes(demands.new ?? true, demands.old ?? true),
  ];
  two.report({
    ...sides(two, 'multipleOf'),
    rule: 'multiple-of-changed',
    effect: narrows && widens ? 'both' : narrows ? 'narrower' : 'wider',
    subject: 'multipleOf',
    text: `multipleOf changed from ${tell(two.old, 'multipleOf')} to ${tell(two.new, 'multipleOf')}`,
    demands,
  });
}

function tell(view: View, keyword: string): string {
  const stated = view.keywords.get(keyword) ?? [];
  return stated.length === 0 ? 'nothing' : stated.map(({ value }) => JSON.stringify(value)).join(' and ');
}

/** What the laws about whole walks have in common: the records that a walk leaves out, and those that it gives twice. */

import type { Rival } from '../core/verdict.ts';
import { explanationOf, lawOf } from './explanation.ts';
import type { Lab } from './lab.ts';
import type { Finding } from './law.ts';

import { checkpointOf, type Universe } from './universe.ts';
import { keyOf, routeOf, toArguments, type Walk } from './walk.ts';
import { stableIn, type Witness } from './witness.ts';
import { describeRecords, describeValues } from './words.ts';

/** Records that were there all through a walk, satisfy its filters, and are not in it. */
export function missingFrom(lab: Lab, universe: Universe, walk: Walk): readonly Witness[] {
  const { operation } = universe;
  const given = toArguments(walk.values);
  const seen = new Set(walk.records.map((record) => keyOf(operation, record)));
  return stableIn(lab, universe, walk).filter((each) => operation.collection.query.matches(each.record, given) && !seen.has(each.key));
}

/** Records that were there, unchanged, all through a walk, and are in it more than once. */
export function repeatedIn(lab: Lab, universe: Universe, walk: Walk): readonly Witness[] {
  const { operation } = universe;
  const counts = new Map<string, number>();
  for (const record of walk.records) counts.set(keyOf(operation, record), (counts.get(keyOf(operation, record)) ?? 0) + 1);
  return stableIn(lab, universe, walk).filter((each) => (counts.get(each.key) ?? 0) > 1);
}

/** The finding that a walk leaves records out. */
export function leavesOut(lab: Lab, universe: Universe, walk: Walk, missing: readonly Witness[], rival?: Rival): Finding {
  const explanation = explanationOf(lab, universe, walk);
  if (explanation !== undefined) return { kind: 'obscured', by: lawOf(explanation, checkpointOf(universe.operation)) };
  const { operation } = universe;
  const keys = missing.map((each) => each.key);
  const [first] = missing;
  return {
    kind: 'contradicts',
    replies: [...(first === undefined ? [] : [first.before.reply]), ...walk.replies.slice(0, 3)],
    expected: `${operation.id} with ${describeValues(walk.values)} in ${describeSize(walk)} gives ${describeRecords(operation, keys)}, which it showed before and after, unchanged`,
    actual: `no page has ${keys.length === 1 ? 'it' : 'them'}`,
    records: missing.slice(0, 3).map((each) => each.record),
    witnesses: keys,
    route: routeOf(walk),
    ...(rival === undefined ? {} : { rival }),
  };
}

/** The finding that a walk gives records more than once. */
export function repeats(universe: Universe, walk: Walk, repeated: readonly Witness[], rival: Rival): Finding {
  const { operation } = universe;
  const keys = repeated.map((each) => each.key);
  const pages = walk.replies.filter((_, index) => walk.pages[index]?.some((record) => keyOf(operation, record) === keys[0]));
  return {
    kind: 'contradicts',
    replies: pages.slice(0, 2),
    expected: `${operation.id} with ${describeValues(walk.values)} in ${describeSize(walk)} gives each record once`,
    actual: `it gives ${describeRecords(operation, keys)} more than once`,
    records: repeated.slice(0, 3).map((each) => each.record),
    witnesses: keys,
    route: routeOf(walk),
    rival,
  };
}

function describeSize({ limit }: Walk): string {
  return limit === undefined ? 'pages of the usual size' : `pages of ${limit}`;
}

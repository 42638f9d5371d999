/** The assertion that a list is in order, by one or more fields. */
import type { CheckReader } from './check.ts';
import { listAt, noList, readAt, readFlag, required } from './list-place.ts';
import { type Difference, difference } from './match.ts';
import { readPointer } from './place.ts';
import { itemsOf, knownMembersOf, ScenarioError, type SourceNode, textOf } from './source.ts';
import { compareValues, show } from './value.ts';

/** `sorted: { at, by, with ties }`: neighbours are in order; an `either` direction must be the same throughout. */
export const readSorted: CheckReader = (node) => {
  const members = knownMembersOf(node, 'sorted', ['at', 'by', 'with ties']);
  const place = readAt(members);
  const order = itemsOf(required(members, 'by', node), 'by').map(readSortKey);
  if (order.length === 0) throw new ScenarioError(`${node.where}: "by" names no field`);
  const tiesRequired = readFlag(members, 'with ties');
  return (outcome) => {
    const list = listAt(outcome, place);
    if (list === undefined) return [noList(outcome, place)];
    if (list.length < 2) return [difference(place, 'at least two items, to see an order', `${list.length}`)];
    return [...bestReading(list, order), ...(tiesRequired ? missingTies(list, order) : [])];
  };
};

interface SortKey {
  readonly field: string;
  readonly directions: readonly (1 | -1)[];
}

const DIRECTIONS: Readonly<Record<string, readonly (1 | -1)[]>> = { ascending: [1], descending: [-1], either: [1, -1] };

const readSortKey = (node: SourceNode): SortKey => {
  const members = knownMembersOf(node, 'by', ['field', 'direction']);
  const direction = textOf(required(members, 'direction', node), 'direction');
  const directions = Object.hasOwn(DIRECTIONS, direction) ? DIRECTIONS[direction] : undefined;
  if (directions === undefined)
    throw new ScenarioError(`${node.where}: direction "${direction}" is none of: ${Object.keys(DIRECTIONS).join(', ')}`);
  return { field: textOf(required(members, 'field', node), 'field'), directions };
};

// The first key may allow both directions: the reading with the fewest misplaced neighbours is the one to report.
const bestReading = (list: readonly unknown[], order: readonly SortKey[]): readonly Difference[] => {
  const readings = order.reduce<readonly (readonly (1 | -1)[])[]>(
    (signs, key) => signs.flatMap((sign) => key.directions.map((direction) => [...sign, direction])),
    [[]],
  );
  return readings.map((signs) => misplaced(list, order, signs)).reduce((best, other) => (other.length < best.length ? other : best));
};

const misplaced = (list: readonly unknown[], order: readonly SortKey[], signs: readonly (1 | -1)[]): readonly Difference[] =>
  list.slice(1).flatMap((item, index) => {
    const first = keyOf(list[index], order);
    const second = keyOf(item, order);
    const verdict = signs.map((sign, key) => (compareValues(first[key], second[key]) ?? Number.NaN) * sign).find((sign) => sign !== 0) ?? 0;
    return verdict <= 0 ? [] : [difference(`/${index + 1}`, `an item that may follow ${show(first)}`, show(second))];
  });

const keyOf = (item: unknown, order: readonly SortKey[]): readonly unknown[] => order.map(({ field }) => readPointer(item, field));

const missingTies = (list: readonly unknown[], order: readonly SortKey[]): readonly Difference[] => {
  const tied = list.some((item, index) => index > 0 && compareValues(keyOf(item, order)[0], keyOf(list[index - 1], order)[0]) === 0);
  return tied ? [] : [difference('list', `two neighbours with the same ${order[0]?.field ?? 'value'}, to see how ties are broken`, 'none')];
};

/** The law about equal bounds. */

import { singleDays } from '../../bound-values.ts';
import { rangesOf } from '../../bounds.ts';
import { explanationOf, lawOf } from '../../explanation.ts';
import type { Lab } from '../../lab.ts';
import type { Finding, Law } from '../../law.ts';
import { collectionPlace } from '../../list-clause.ts';
import type { FilterRival } from '../../rival.ts';
import { judgeSelection, type Selection, select, withinBase } from '../../selection.ts';
import { checkpointOf } from '../../universe.ts';
import { isList, type ListOperation, requireList, toArguments, type Values } from '../../walk.ts';
import { describeValues } from '../../words.ts';

/** The law. */
export const singleDay: Law = {
  id: 'ranges/single-day',
  title: 'A range whose ends are equal gives what lies on them',
  why: 'A range of one day is the most common one, and the one that half-open readings lose.',
  strength: 'stated',
  clause: (operation, contract) =>
    isList(operation) && rangesOf(contract, operation).some(({ lower, upper }) => lower.isInclusive && upper.isInclusive)
      ? collectionPlace(operation, 'filters')
      : undefined,
  examine: async (lab, operation) => {
    const list = requireList(operation);
    const universe = await lab.universe(list);
    const telling = singleDays(lab, universe)
      .flatMap((values) => {
        const given = withinBase(universe, values);
        const size = universe.records.filter((record) => list.collection.query.matches(record, toArguments(values))).length;
        return given === undefined ? [] : [{ given, size }];
      })
      .toSorted((left, right) => left.size - right.size)
      .slice(0, universe.isComplete ? 1 : 0);
    const made: Selection[] = [];
    for (const { given } of telling) {
      const selection = await select(lab, universe, given);
      made.push(selection);
      // Whether the day is lost because its ends are equal, or because one of them is exclusive, only shows with each end alone.
      if (selection.walk.records.length === 0) for (const alone of endsOf(lab, selection)) await select(lab, universe, alone);
    }
    const empty = emptyRival(lab, list);
    return { rivals: [empty], judge: () => made.flatMap((selection) => judge(lab, selection, empty)) };
  },
};

/** Each end of a range by itself. */
function endsOf({ contract }: Lab, { universe, values }: Selection): readonly Values[] {
  const names = rangesOf(contract, universe.operation).flatMap(({ lower, upper }) => [lower.parameter, upper.parameter]);
  return [...new Set(names)].flatMap((name): readonly Values[] => {
    const value = values[name];
    const alone = value === undefined ? undefined : withinBase(universe, { [name]: value });
    return alone === undefined ? [] : [alone];
  });
}

/** Equal bounds that are taken for an empty range, or for a mistake. */
function emptyRival({ contract }: Lab, operation: ListOperation): FilterRival {
  const ranges = rangesOf(contract, operation);
  return {
    id: 'equal-bounds',
    kind: 'equal-bounds',
    title: 'a range whose ends are equal had nothing in it',
    missing: 'a record on a day that can be both bounds',
    parameters: ranges.slice(0, 1).flatMap(({ lower, upper }) => [lower.parameter, upper.parameter]),
    accepts: (record, given) =>
      !ranges.some(({ lower, upper }) => given.has(lower.parameter) && given.get(lower.parameter) === given.get(upper.parameter)) &&
      operation.collection.query.matches(record, given),
  };
}

function judge(lab: Lab, selection: Selection, empty: FilterRival): readonly Finding[] {
  const [reply] = selection.walk.replies;
  const isRefused = reply !== undefined && selection.walk.replies.length === 1 && [400, 404, 422].includes(reply.response.status);
  if (!isRefused) {
    const named = explanationOf(lab, selection.universe, selection.walk);
    if (named !== undefined) return [{ kind: 'obscured', by: lawOf(named, checkpointOf(selection.universe.operation)) }];
    return judgeSelection(lab, selection, { rivals: [empty], otherwise: 'filters/complete' });
  }
  const { id, title } = empty;
  return [
    {
      kind: 'contradicts',
      replies: [reply],
      expected: `${selection.walk.operation.id} with ${describeValues(selection.values)} succeeds: the ends may be equal`,
      actual: `it is answered with ${reply.response.status}`,
      rival: { id, title },
      witnesses: [],
    },
  ];
}

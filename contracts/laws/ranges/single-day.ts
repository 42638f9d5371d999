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
import { isList, requireList, toArguments } from '../../walk.ts';
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
      .slice(0, universe.isComplete ? (lab.quick ? 1 : 2) : 0);
    const made: Selection[] = [];
    for (const { given } of telling) made.push(await select(lab, universe, given));
    return { rivals: [empty], judge: () => made.flatMap((selection) => judge(lab, selection)) };
  },
};

/** Equal bounds that are taken for an empty range, or for a mistake. */
const empty: FilterRival = {
  id: 'equal-bounds',
  kind: 'equal-bounds',
  title: 'a range whose ends are equal had nothing in it',
  missing: 'a record on a day that can be both bounds',
  parameters: [],
  accepts: () => false,
};

function judge(lab: Lab, selection: Selection): readonly Finding[] {
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

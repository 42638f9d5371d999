/** The law that a checkpoint divides the list. */

import { checkpointValues } from '../../checkpoint-values.ts';
import { explanationOf, lawOf } from '../../explanation.ts';
import type { Lab } from '../../lab.ts';
import type { Finding, Law } from '../../law.ts';
import { filterPlace } from '../../list-clause.ts';
import { contradict, type Selection, select, withinBase } from '../../selection.ts';
import { checkpointOf, largestPage, type Universe } from '../../universe.ts';
import { isList, keyOf, requireList, toArguments, type Values } from '../../walk.ts';
import { stableIn } from '../../witness.ts';

const rival = {
  id: 'loses',
  title: 'a client that goes on from a checkpoint lost records',
  missing: 'records that changed before and after a moment',
};

/** The law. */
export const closure: Law = {
  id: 'sync/closure',
  title: 'What changed before a checkpoint and what changed since are everything',
  why: 'This is what an incremental copy rests on: the old copy and the answer since its checkpoint must make the whole list.',
  strength: 'implied',
  clause: (operation) => {
    const parameter = isList(operation) ? checkpointOf(operation) : undefined;
    return parameter === undefined ? undefined : filterPlace(requireList(operation), parameter);
  },
  examine: async (lab, operation) => {
    const list = requireList(operation);
    const universe = await lab.universe(list);
    const made: Selection[] = [];
    for (const values of checkpoints(lab, universe)) made.push(await select(lab, universe, values));
    return { rivals: [rival], judge: () => made.flatMap((selection) => judge(lab, selection)) };
  },
};

/** The latest moment, at which clients go on, and the earliest, at which one goes on that was away for long. */
function checkpoints(lab: Lab, universe: Universe): readonly Values[] {
  if (!universe.isComplete || universe.records.length < 2) return [];
  const { operation, records } = universe;
  const sized = checkpointValues(universe, 'any').flatMap((values) => {
    const given = withinBase(universe, values);
    const size = records.filter((record) => operation.collection.query.matches(record, toArguments(values))).length;
    return given === undefined || size === records.length ? [] : [{ given, size }];
  });
  const sorted = sized.toSorted((left, right) => left.size - right.size);
  return [...new Set([sorted[0], ...(lab.quick ? [] : [sorted.findLast(({ size }) => size <= largestPage(operation))])])].flatMap((each) =>
    each === undefined ? [] : [each.given],
  );
}

function judge(lab: Lab, { universe, values, walk }: Selection): readonly Finding[] {
  if (walk.end !== 'complete') return [{ kind: 'obscured', by: 'paging/complete' }];
  const { operation } = universe;
  const seen = new Set(walk.records.map((record) => keyOf(operation, record)));
  const due = stableIn(lab, universe, walk).filter((each) => operation.collection.query.matches(each.record, toArguments(values)));
  const missing = due.filter((each) => !seen.has(each.key));
  if (missing.length === 0)
    return due.length === 0
      ? [{ kind: 'moved', what: `nothing that changed since ${JSON.stringify(values)} stayed as it was` }]
      : [{ kind: 'agrees', refutes: [rival.id] }];
  const explanation = explanationOf(lab, universe, walk);
  if (explanation !== undefined) return [{ kind: 'obscured', by: lawOf(explanation, checkpointOf(operation)) }];
  return [contradict(operation, values, walk, missing, seen, rival)];
}

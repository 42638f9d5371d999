/** The law that filters keep nothing back. */

import { explanationOf, lawOf } from '../../explanation.ts';
import { predictableFilters } from '../../filter-values.ts';
import type { Lab } from '../../lab.ts';
import type { Candidate, Finding, Law } from '../../law.ts';
import { enumFilters, readParts } from '../../parts.ts';
import { contradict, examineSelections } from '../../selection.ts';
import { stableIn } from '../../sightings.ts';
import { soundPlan } from '../../sound-plan.ts';
import { checkpointOf, type Universe } from '../../universe.ts';
import { isList, keyOf, requireList, toArguments, type Walk } from '../../walk.ts';

/** The law. */
export const complete: Law = {
  id: 'filters/complete',
  title: 'Every record that satisfies the filters is in the filtered list',
  why: 'What a filter keeps back is lost to every client that filters, and no client can notice.',
  strength: 'stated',
  clause: (operation, contract) =>
    isList(operation) && predictableFilters(contract, operation).length > 0
      ? operation.document.place(operation.value, 'x-collection')
      : undefined,
  examine: async (lab, operation) => {
    const list = requireList(operation);
    const universe = await lab.universe(list);
    const names = predictableFilters(lab.contract, list);
    await examineSelections(lab, list, soundPlan(lab, universe));
    if (!lab.quick) for (const name of enumFilters(lab.contract, list)) await readParts(lab, universe, name);
    const rivals = names.map(
      (name): Candidate => ({
        id: `misses:${name}`,
        title: `some records that pass ${name} were left out`,
        missing: `a record that can be asked for by ${name}`,
      }),
    );
    return {
      rivals,
      judge: () =>
        lab.walks
          .filter((walk) => walk.operation === list && (walk.as ?? 'full') === 'full')
          .flatMap((walk) => judgeWalk(lab, universe, walk, names)),
    };
  },
};

function judgeWalk(lab: Lab, universe: Universe, walk: Walk, names: readonly string[]): readonly Finding[] {
  const used = Object.keys(walk.values).filter((name) => names.includes(name));
  const isJudged = walk.end === 'complete' && used.length > 0 && used.length === Object.keys(walk.values).length;
  if (!isJudged || universe.walk === walk || universe.closing === walk) return [];
  const { operation } = universe;
  const given = toArguments(walk.values);
  const seen = new Set(walk.records.map((record) => keyOf(operation, record)));
  const due = stableIn(lab, universe, walk).filter((each) => operation.collection.query.matches(each.record, given));
  const missing = due.filter((each) => !seen.has(each.key));
  if (missing.length === 0) return due.length === 0 ? [] : [{ kind: 'agrees', refutes: used.map((name) => `misses:${name}`) }];
  const explanation = explanationOf(lab, universe, walk);
  if (explanation !== undefined) return [{ kind: 'obscured', by: lawOf(explanation, checkpointOf(operation)) }];
  return [contradict(operation, walk.values, walk, missing, seen, undefined)];
}

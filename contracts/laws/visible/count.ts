/** The law that hidden records are not counted. */

import { hiddenKeyMissing, hidesRecords, isHidden, type VisibleList } from '../../hidden.ts';
import type { Lab } from '../../lab.ts';
import type { Candidate, Finding, Law } from '../../law.ts';
import { collectionPlace } from '../../list-clause.ts';
import { isNumbered } from '../../numbered.ts';
import { losesRecords, type Told, totalsTold } from '../../total.ts';
import type { Universe } from '../../universe.ts';
import { keyOf } from '../../walk.ts';
import { isQuiet } from '../../witness.ts';
import { count as countOf } from '../../words.ts';

/** The law. */
export const count: Law = {
  id: 'visible/count',
  title: 'Hidden records are not counted',
  why: 'A total that grows tells everybody that something is being prepared, and how much.',
  strength: 'stated',
  clause: (operation) => {
    if (!hidesRecords(operation) || !isNumbered(operation)) return undefined;
    return operation.collection.page.total === undefined ? undefined : collectionPlace(operation, 'visible');
  },
  examine: async (lab, operation) => {
    if (!hidesRecords(operation)) throw new TypeError(`${operation.id} hides no records`);
    const universe = await lab.universe(operation);
    return { rivals, judge: () => judge(lab, operation, universe) };
  },
};

const rivals: readonly Candidate[] = [{ id: 'counted', title: 'hidden records were counted', missing: hiddenKeyMissing }];

function judge(lab: Lab, operation: VisibleList, universe: Universe): readonly Finding[] {
  if (!universe.isComplete) return [];
  if (!isQuiet(universe)) return [{ kind: 'moved', what: `${operation.id} changed while it was read` }];
  const shown = new Map(
    universe.walk.records.filter((record) => !isHidden(operation, record)).map((record) => [keyOf(operation, record), record]),
  );
  const isWhole = Object.keys(universe.base).length === 0;
  const told = totalsTold(lab, universe).filter(({ reply }) => isUnfiltered(operation, reply) && isWhole);
  const more = told.find(({ total }) => total > shown.size);
  if (more !== undefined && losesRecords(lab, universe)) return [{ kind: 'obscured', by: 'pages/partition' }];
  if (more !== undefined) return [contradict(operation, more, shown.size)];
  const fewer = told.some(({ total }) => total < shown.size);
  if (fewer) return [{ kind: 'obscured', by: 'pages/total' }];
  return told.map(() => ({ kind: 'agrees', refutes: lab.hidden.length > 0 ? ['counted'] : [] }));
}

function isUnfiltered(operation: VisibleList, { call }: Told['reply']): boolean {
  return Object.keys(call.values ?? {}).every((name) => !operation.collection.filters.has(name)) && call.raw === undefined;
}

function contradict(operation: VisibleList, { reply, total }: Told, shown: number): Finding {
  return {
    kind: 'contradicts',
    replies: [reply],
    expected: `${operation.id} says a total of ${shown}, the number of records that it shows, read whole before and after`,
    actual: `it says ${total}, ${countOf(total - shown, 'record')} more than anybody may see`,
    rival: { id: 'counted', title: 'hidden records were counted' },
    witnesses: [],
  };
}

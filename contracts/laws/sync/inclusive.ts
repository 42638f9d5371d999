/** The law: a checkpoint that equals the moment of a change includes it. */

import { parseInstant } from '../../../core/instant.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { Arguments, Entry } from '../../../core/query.ts';
import { rivalsOfKind } from '../../bounds.ts';
import { checkpointValues } from '../../checkpoint-values.ts';
import type { Lab } from '../../lab.ts';
import type { Finding, Law } from '../../law.ts';
import { filterPlace } from '../../list-clause.ts';
import { type FilterRival, filterRivals } from '../../rival.ts';
import { contradict, examineSelections } from '../../selection.ts';
import { checkpointOf, type Universe } from '../../universe.ts';
import { isList, keyOf, requireList, type Walk } from '../../walk.ts';
import { missingFrom } from '../../walk-law.ts';

/** The law. */
export const inclusive: Law = {
  id: 'sync/inclusive',
  title: 'A checkpoint that equals the moment of a change includes it',
  why: 'A client stores the last change that it saw as its checkpoint; if that moment is left out, whatever changed in the same moment is lost for good.',
  strength: 'stated',
  clause: (operation, contract) => {
    const parameter = isList(operation) ? checkpointOf(operation) : undefined;
    const rivals = parameter === undefined ? [] : rivalsOfKind(filterRivals(contract, requireList(operation)), [parameter], ['exclusive']);
    return parameter === undefined || rivals.length === 0 ? undefined : filterPlace(requireList(operation), parameter);
  },
  examine: async (lab, operation) => {
    const list = requireList(operation);
    const rivals = [
      ...rivalsOfKind(filterRivals(lab.contract, list), [checkpointOf(list) ?? ''], ['exclusive']),
      ...onceRivals(await lab.universe(list)),
    ];
    const candidates = checkpointValues(await lab.universe(list), 'tie');
    const examination = await examineSelections(lab, list, { rivals, candidates, otherwise: 'filters/complete' });
    const universe = await lab.universe(list);
    return {
      rivals: examination.rivals,
      judge: () => [...examination.judge(), ...lab.walks.flatMap((walk) => judgeTie(lab, universe, walk))],
    };
  },
};

/** A walk that leaves out nothing but records of the very moment of its checkpoint, whichever of them. */
function judgeTie(lab: Lab, universe: Universe, walk: Walk): readonly Finding[] {
  const { operation } = universe;
  const parameter = checkpointOf(operation) ?? '';
  const bound = momentOf(walk.values[parameter]);
  if (walk.operation !== operation || (walk.as ?? 'full') !== universe.as || walk.end !== 'complete' || bound === undefined) return [];
  const missing = missingFrom(lab, universe, walk);
  const isTied = missing.every(({ record }) => momentOf(valueAt(record, operation.collection.version ?? '')) === bound);
  if (missing.length === 0 || !isTied) return [];
  return [contradict(operation, walk.values, walk, missing, new Set(), undefined)];
}

function momentOf(text: unknown): bigint | undefined {
  return typeof text === 'string' ? parseInstant(text) : undefined;
}

/** Servers that give only one of the records that changed in the very moment of the checkpoint: the first or the last of them in the list. */
function onceRivals(universe: Universe): readonly FilterRival[] {
  const { operation, records } = universe;
  const parameter = checkpointOf(operation) ?? '';
  const { query, version = '' } = operation.collection;
  const isAt = (record: Entry, values: Arguments): boolean => {
    const [bound, value] = [values.get(parameter), valueAt(record, version)].map((text) =>
      typeof text === 'string' ? parseInstant(text) : undefined,
    );
    return bound !== undefined && bound === value;
  };
  const rival = (which: 'first' | 'last'): FilterRival => ({
    id: `once-${which}:${parameter}`,
    kind: 'once',
    title: `of several records that changed in the moment of ${parameter} only one is given`,
    missing: 'several records that changed in the same moment',
    parameters: [parameter],
    accepts: (record, values) => {
      if (!query.matches(record, values) || !isAt(record, values)) return query.matches(record, values);
      const tied = records.filter((each) => isAt(each, values));
      const chosen = which === 'first' ? tied[0] : tied.at(-1);
      return chosen !== undefined && keyOf(operation, chosen) === keyOf(operation, record);
    },
  });
  return [rival('first'), rival('last')];
}

/** The law that a walk delivers everything. */

import type { Lab } from '../../lab.ts';
import type { Finding, Law } from '../../law.ts';
import { collectionPlace } from '../../list-clause.ts';
import { createPageWalks, examineLaterPages, leavesOut, missingFrom, tieOfMissing } from '../../page-walks.ts';
import { enumFilters, hiddenFromWhole, isByValue, readParts } from '../../parts.ts';
import { stableIn } from '../../sightings.ts';
import type { Universe } from '../../universe.ts';
import { isCursorList, requireList, routeOf, toArguments, type Walk } from '../../walk.ts';
import { describeRecords, describeValues } from '../../words.ts';

const rival = {
  id: 'drops',
  title: 'records got lost at the edges of pages',
  missing: 'a list of more than one page that can be read whole',
};

/** The law. */
export const complete: Law = {
  id: 'paging/complete',
  title: 'Following the cursor to its end delivers every record',
  why: 'A copy that misses a record looks complete: nobody notices before the guests stand at the door.',
  strength: 'stated',
  clause: (operation) => (isCursorList(operation) ? collectionPlace(operation, 'page') : undefined),
  examine: async (lab, operation) => {
    const list = requireList(operation);
    const universe = await lab.universe(list);
    await createPageWalks(lab, universe);
    if (!lab.quick) await examineLaterPages(lab, universe, () => false);
    if (!lab.quick) for (const name of enumFilters(lab.contract, list)) await readParts(lab, universe, name);
    return {
      rivals: [rival],
      judge: () => [
        ...lab.walks.filter((walk) => isConcerned(universe, walk)).flatMap((walk) => judge(lab, universe, walk)),
        ...judgeHidden(lab, universe),
      ],
    };
  },
};

/** Walks of several pages, and those that should have had several. Of a single page, only the filters can be wrong. */
function isConcerned(universe: Universe, walk: Walk): boolean {
  const isSameList = walk.operation === universe.operation && (walk.as ?? 'full') === universe.as;
  if (!isSameList || walk.end !== 'complete') return false;
  const given = toArguments(walk.values);
  const due = universe.records.filter((record) => universe.operation.collection.query.matches(record, given)).length;
  return walk.replies.length > 1 || due > (walk.limit ?? due);
}

function judge(lab: Lab, universe: Universe, walk: Walk): readonly Finding[] {
  const missing = missingFrom(lab, universe, walk);
  if (missing.length > 0) {
    const records = missing.map((each) => each.record);
    const isTie = tieOfMissing(universe.operation, walk, records) !== undefined && walk.replies.length > 1;
    return isTie ? [{ kind: 'obscured', by: 'paging/ties' }] : [leavesOut(lab, universe, walk, missing, rival)];
  }
  const isTelling = walk.replies.length > 1 && stableIn(lab, universe, walk).length > 0;
  return isTelling ? [{ kind: 'agrees', refutes: [rival.id] }] : [];
}

/** What neither reading of the whole list has, and no value of a filter explains, got lost at an edge of its pages. */
function judgeHidden(lab: Lab, universe: Universe): readonly Finding[] {
  const hidden = hiddenFromWhole(lab, universe);
  const [first] = hidden;
  // A full page that promises nothing may have been an edge as well.
  const isEdged = universe.walk.replies.length > 1 || universe.walk.records.length >= (universe.walk.limit ?? 0);
  if (first === undefined || !isEdged) return [];
  if (isByValue(lab.contract, universe, hidden)) return [{ kind: 'obscured', by: 'filters/partition' }];
  const keys = hidden.map(({ key }) => key);
  return [
    {
      kind: 'contradicts',
      replies: [...first.walk.replies.slice(0, 1), ...(universe.closing?.replies ?? [])],
      expected: `the whole list of ${universe.operation.id} has ${describeRecords(universe.operation, keys)}, which ${describeValues(first.walk.values)} gives`,
      actual: `no page of it has ${keys.length === 1 ? 'it' : 'them'}`,
      records: hidden.slice(0, 3).map(({ record }) => record),
      rival,
      route: routeOf(first.walk),
      witnesses: keys,
    },
  ];
}

/** The law that the size of pages changes nothing. */

import type { Lab } from '../../lab.ts';
import type { Candidate, Finding, Law } from '../../law.ts';
import { collectionPlace } from '../../list-clause.ts';
import { type Cut, createPageWalks, cutOfSize, cutsOf, leavesOut, missingFrom, tieOfMissing, walkCut } from '../../page-walks.ts';
import { hiddenFromWhole } from '../../parts.ts';
import { stableIn } from '../../sightings.ts';
import type { Universe } from '../../universe.ts';
import { isCursorList, requireList, routeOf, type Walk } from '../../walk.ts';
import { describeRecords } from '../../words.ts';

const rivals: readonly Candidate[] = [
  { id: 'size-one', title: 'pages of one record lost some', missing: 'a filter that some three to six records pass' },
  { id: 'size-odd', title: 'a last page that is not full lost records', missing: 'a filter that some three to six records pass' },
  { id: 'size-all', title: 'a page that just holds everything lost records', missing: 'a filter that some three to six records pass' },
];

/** The law. */
export const pageSizes: Law = {
  id: 'paging/page-sizes',
  title: 'Every page size delivers the same records',
  why: 'Two clients that read in pages of different sizes must end up with the same copy.',
  strength: 'implied',
  slow: true,
  clause: (operation) => (isCursorList(operation) ? collectionPlace(operation, 'page') : undefined),
  examine: async (lab, operation) => {
    const universe = await lab.universe(requireList(operation));
    const cut = cutOfSize(cutsOf(lab, universe, 3), 3, 4, 6);
    const made: { readonly rival: string; readonly walk: Walk }[] = [];
    const sizes = cut === undefined ? [] : sizesFor(cut);
    for (const { rival, limit } of sizes) if (cut !== undefined) made.push({ rival, walk: await walkCut(lab, universe, cut, limit) });
    await createPageWalks(lab, universe);
    return {
      rivals,
      judge: () => [...made.flatMap(({ rival, walk }) => judge(lab, universe, walk, rival)), ...judgeLargest(lab, universe)],
    };
  },
};

/** One record a page, one page that is not full at the end, exactly as many as there are, and one more. */
function sizesFor({ records }: Cut): readonly { readonly rival: string; readonly limit: number }[] {
  const number = records.length;
  return [
    { rival: 'size-one', limit: 1 },
    { rival: 'size-odd', limit: number - 1 },
    { rival: 'size-all', limit: number },
  ];
}

function judge(lab: Lab, universe: Universe, walk: Walk, id: string): readonly Finding[] {
  if (walk.end !== 'complete') return [{ kind: 'obscured', by: 'paging/progress' }];
  const missing = missingFrom(lab, universe, walk);
  if (missing.length === 0)
    return stableIn(lab, universe, walk).length === 0
      ? [{ kind: 'moved', what: 'none of the few records stayed as it was' }]
      : [{ kind: 'agrees', refutes: [id] }];
  const isTie =
    tieOfMissing(
      universe.operation,
      walk,
      missing.map((each) => each.record),
    ) !== undefined;
  return isTie
    ? [{ kind: 'obscured', by: 'paging/ties' }]
    : [
        leavesOut(
          lab,
          universe,
          walk,
          missing,
          rivals.find((rival) => rival.id === id),
        ),
      ];
}

/** What smaller pages of the very same list show, and the largest do not. */
function judgeLargest(lab: Lab, universe: Universe): readonly Finding[] {
  const isSame = (walk: Walk): boolean =>
    JSON.stringify(walk.values) === JSON.stringify(universe.base) && walk.limit !== universe.walk.limit;
  const hidden = hiddenFromWhole(lab, universe).filter(({ walk }) => isSame(walk));
  const [first] = hidden;
  if (first === undefined) return [];
  const keys = hidden.map(({ key }) => key);
  return [
    {
      kind: 'contradicts',
      replies: [...(universe.closing?.replies ?? []).slice(0, 2), ...first.walk.replies.slice(0, 1)],
      expected: `pages of ${universe.walk.limit} of ${universe.operation.id} give ${describeRecords(universe.operation, keys)}, which pages of ${first.walk.limit} give`,
      actual: 'they do not, neither before nor after',
      records: hidden.slice(0, 3).map(({ record }) => record),
      rival: { id: 'size-large', title: 'large pages left records out' },
      route: routeOf(first.walk),
      witnesses: keys,
    },
  ];
}

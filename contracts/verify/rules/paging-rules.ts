/** Rules about pages that lead to each other by a cursor: following it delivers each record once, in pages of every size, and comes to an end. */

import { type MutantIdentity, mutantOf } from '../../../core/mutants/mutant-catalogue.ts';
import { valueAt } from '../../../core/pointer.ts';
import { collectionPlace } from '../engine/clauses.ts';
import { enumFilters, hiddenFromWhole, isByValue, predictableFilters, readParts } from '../engine/filter-values.ts';
import {
  createPageWalks,
  cutOfSize,
  cutsOf,
  examineLaterPages,
  leavesOut,
  pagesOf,
  repeatedIn,
  repeats,
  tieEdges,
  tieMutant,
  tieOfMissing,
  tieOfRepeated,
  walkCut,
} from '../engine/page-sizes.ts';
import { type CursorList, isCursorList, keyOf, type Pagination, paginationPlanOf, toFilterArguments } from '../engine/paginate.ts';
import { stableIn } from '../engine/readings.ts';
import type { RunContext } from '../engine/run-context.ts';
import { checkpointOf, largestPage, type Snapshot, selectedBy } from '../engine/snapshot.ts';
import { compareWalk, leftOut } from './explain-selection.ts';
import {
  agrees,
  type Candidate,
  candidate,
  contradicts,
  dataMoved,
  describeRecords,
  describeValues,
  explainedBy,
  type Judgement,
  type Law,
  ruleAbout,
} from './rule.ts';

const pagePlace = (list: CursorList): ReturnType<Law['clause']> => collectionPlace(list, 'page');

/** A rule of this shape: a property of each walk over the pages of a list. */
interface WalkRule extends Omit<Law, 'clause' | 'examine'> {
  readonly rival: Candidate;
  /** What is read for it, beside the walks that show how the list is cut into pages. */
  readonly alsoRead?: (lab: RunContext, universe: Snapshot) => Promise<void>;
  /** What it makes of a walk over the list, whoever made it. */
  readonly judge: (lab: RunContext, universe: Snapshot, walk: Pagination) => Judgement | undefined;
  /** Findings in all walks together. */
  readonly alsoJudge?: (lab: RunContext, universe: Snapshot) => Judgement | undefined;
}

function walkRule({ rival, alsoRead, judge, alsoJudge, ...texts }: WalkRule): Law {
  return ruleAbout(isCursorList, {
    ...texts,
    place: pagePlace,
    examine: async (lab, list) => {
      const universe = await lab.universe(list);
      await createPageWalks(lab, universe);
      await alsoRead?.(lab, universe);
      return {
        rivals: [rival],
        judge: () => [
          ...lab.walks.flatMap((walk) => (walk.operation === list ? (judge(lab, universe, walk) ?? []) : [])),
          ...[alsoJudge?.(lab, universe) ?? []].flat(),
        ],
      };
    },
  });
}

/** Whether a walk reads a list as it was read at the beginning: with the same key. */
function isOfCaller({ as }: Snapshot, walk: Pagination): boolean {
  return (walk.as ?? 'full') === as;
}

const drops = candidate('paging/complete', 'edge-skipped', 'a list of more than one page that can be read whole');

const complete = walkRule({
  id: 'paging/complete',
  title: 'Following the cursor to its end delivers every record',
  why: 'A copy that misses a record looks complete: nobody notices before the guests stand at the door.',
  strength: 'stated',
  rival: drops,
  alsoRead: async (lab, universe) => {
    if (lab.quick) return;
    await examineLaterPages(lab, universe, () => false);
    for (const name of enumFilters(lab.contract, universe.operation)) await readParts(lab, universe, name);
  },
  judge: (lab, universe, walk) => {
    if (!isOfCaller(universe, walk) || walk.end !== 'complete' || !hasEdges(universe, walk)) return undefined;
    const isTelling = walk.replies.length > 1 && stableIn(lab, universe, walk).length > 0;
    return lostIn(lab, universe, walk, drops) ?? (isTelling ? agrees(drops) : undefined);
  },
  alsoJudge: judgeHidden,
});

/** Walks of several pages, and those that should have had several. Of a single page, only the filters can be wrong. */
function hasEdges(universe: Snapshot, walk: Pagination): boolean {
  return walk.replies.length > 1 || (walk.limit !== undefined && selectedBy(universe, walk.values).length > walk.limit);
}

/** The finding that a walk leaves records out, unless they are ties, which have a rule of their own. */
function lostIn(lab: RunContext, universe: Snapshot, walk: Pagination, rival: MutantIdentity | undefined): Judgement | undefined {
  const { missing: lost } = leftOut(lab, universe, walk);
  if (lost.length === 0) return undefined;
  return tieOfMissing(walk, lost) === undefined ? leavesOut(lab, universe, walk, lost, rival) : explainedBy('paging/ties');
}

/** What neither reading of the whole list has, and no value of a filter explains, got lost at an edge of its pages. */
function judgeHidden(lab: RunContext, universe: Snapshot): Judgement | undefined {
  const { operation, walk, closing } = universe;
  const hidden = hiddenFromWhole(lab, universe);
  const [first] = hidden;
  // A full page that promises nothing may have been an edge as well.
  const isEdged = walk.replies.length > 1 || walk.records.length >= (walk.limit ?? 0);
  if (first === undefined || !isEdged) return undefined;
  if (isByValue(lab.contract, universe, hidden)) return explainedBy('filters/partition');
  const keys = hidden.map(({ key }) => key);
  return contradicts({
    replies: [...first.walk.replies.slice(0, 1), ...(closing?.replies ?? [])],
    expected: `the whole list of ${operation.id} has ${describeRecords(operation, keys)}, which ${describeValues(first.walk.values)} gives`,
    actual: `no page of it has ${keys.length === 1 ? 'it' : 'them'}`,
    records: hidden.slice(0, 3).map(({ record }) => record),
    rival: drops,
    route: paginationPlanOf(first.walk),
    witnesses: keys,
  });
}

const missing = 'a list of more than one page';

const repeating = candidate('paging/once', 'edge-repeated', missing);

const once = walkRule({
  id: 'paging/once',
  title: 'Following the cursor delivers no record twice',
  why: 'A record that comes twice is counted twice by whoever adds up, and a page of repetitions is a page of requests for nothing.',
  strength: 'implied',
  rival: repeating,
  judge: (lab, universe, walk) => {
    if (!isOfCaller(universe, walk) || walk.replies.length < 2) return undefined;
    if (walk.end === 'stuck') return explainedBy('paging/progress');
    const repeated = repeatedIn(lab, universe, walk);
    if (repeated.length === 0) return stableIn(lab, universe, walk).length === 0 ? undefined : agrees(repeating);
    return tieOfRepeated(walk, repeated) === undefined ? repeats(walk, repeated, repeating) : explainedBy('paging/ties');
  },
});

const missingTie = 'two records that changed in the same moment';
const skips: Candidate = { ...tieMutant('tie-skipped'), missing: missingTie };
const again: Candidate = { ...tieMutant('tie-repeated'), missing: missingTie };

/** The most requests that one tie may take. */
const dearest = 6;

const ties = ruleAbout(isCursorList, {
  id: 'paging/ties',
  title: 'Records that changed in the same moment survive the edge of a page',
  why: 'An import changes hundreds of records in one moment; a cursor that remembers only the moment loses whatever does not fit on its page.',
  strength: 'stated',
  place: pagePlace,
  examine: async (lab, list) => {
    const universe = await lab.universe(list);
    const edge = tieEdges(lab, universe).find((each) => pagesOf(each) <= dearest);
    const walk = edge === undefined ? undefined : await walkCut(lab, universe, edge.cut, edge.limit);
    return { rivals: [skips, again], judge: () => walk && judgeTies(lab, universe, walk) };
  },
});

function judgeTies(lab: RunContext, universe: Snapshot, walk: Pagination): Judgement {
  // A walk in a circle misses what comes after it; what it repeats shows why it does not get further.
  const isStuck = walk.end === 'stuck';
  if (walk.end !== 'complete' && !isStuck) return explainedBy('paging/progress');
  const lost = isStuck ? [] : leftOut(lab, universe, walk).missing;
  if (lost.length > 0) {
    const how = tieOfMissing(walk, lost);
    if (how === undefined) return explainedBy('paging/complete');
    return leavesOut(lab, universe, walk, lost, tieMutant('tie-skipped', how));
  }
  const repeated = repeatedIn(lab, universe, walk);
  if (repeated.length > 0) {
    const how = tieOfRepeated(walk, repeated);
    if (how === undefined) return explainedBy(isStuck ? 'paging/progress' : 'paging/once');
    return repeats(walk, repeated, tieMutant('tie-repeated', how));
  }
  if (isStuck) return explainedBy('paging/progress');
  return stableIn(lab, universe, walk).length > 0 ? agrees(skips, again) : dataMoved(`no record of ${walk.operation.id} stayed as it was`);
}

const few = 'a filter that some three to six records pass';
/** What smaller pages may lose, and their size for so many records: one record a page, one page that is not full at the end, exactly as many as there are. */
const sizes: readonly (Candidate & { readonly limitFor: (records: number) => number })[] = [
  { ...candidate('paging/page-sizes', 'pages-of-one-lose', few), limitFor: () => 1 },
  { ...candidate('paging/page-sizes', 'odd-pages-lose', few), limitFor: (records) => records - 1 },
  { ...candidate('paging/page-sizes', 'full-page-loses', few), limitFor: (records) => records },
];

const pageSizes = ruleAbout(isCursorList, {
  id: 'paging/page-sizes',
  title: 'Every page size delivers the same records',
  why: 'Two clients that read in pages of different sizes must end up with the same copy.',
  strength: 'implied',
  slow: true,
  place: pagePlace,
  examine: async (lab, list) => {
    const universe = await lab.universe(list);
    const cut = cutOfSize(cutsOf(lab, universe, 3), 3, 4, 6);
    const made: { readonly rival: Candidate; readonly walk: Pagination }[] = [];
    if (cut !== undefined)
      for (const rival of sizes) made.push({ rival, walk: await walkCut(lab, universe, cut, rival.limitFor(cut.records.length)) });
    await createPageWalks(lab, universe);
    return {
      rivals: sizes,
      judge: () => [...made.map(({ rival, walk }) => judgeSize(lab, universe, walk, rival)), ...[judgeLargest(lab, universe) ?? []].flat()],
    };
  },
});

function judgeSize(lab: RunContext, universe: Snapshot, walk: Pagination, rival: MutantIdentity): Judgement {
  if (walk.end !== 'complete') return explainedBy('paging/progress');
  const isTelling = stableIn(lab, universe, walk).length > 0;
  return lostIn(lab, universe, walk, rival) ?? (isTelling ? agrees(rival) : dataMoved('none of the few records stayed as it was'));
}

/** What smaller pages of the very same list show, and the largest do not. */
function judgeLargest(lab: RunContext, universe: Snapshot): Judgement | undefined {
  const { operation, walk: whole, closing } = universe;
  const base = JSON.stringify(universe.base);
  const isSame = (walk: Pagination): boolean => JSON.stringify(walk.values) === base && walk.limit !== whole.limit;
  const hidden = hiddenFromWhole(lab, universe).filter(({ walk }) => isSame(walk));
  const [first] = hidden;
  if (first === undefined) return undefined;
  const keys = hidden.map(({ key }) => key);
  return contradicts({
    replies: [...(closing?.replies ?? []).slice(0, 2), ...first.walk.replies.slice(0, 1)],
    expected: `pages of ${whole.limit} of ${operation.id} give ${describeRecords(operation, keys)}, which pages of ${first.walk.limit} give`,
    actual: 'they do not, neither before nor after',
    records: hidden.slice(0, 3).map(({ record }) => record),
    rival: mutantOf('paging/complete', 'large-page-gaps'),
    route: paginationPlanOf(first.walk),
    witnesses: keys,
  });
}

const fullMeansMore = candidate(
  'paging/exact-multiple',
  'more-by-size',
  'a filter that at least one record passes, and no more than fit on a page',
);

const exactMultiple = ruleAbout(isCursorList, {
  id: 'paging/exact-multiple',
  title: 'No further page is promised when the records end with a page',
  why: 'A promised page that is empty is a request for nothing, and a client that waits for its records waits for ever.',
  strength: 'stated',
  slow: true,
  place: pagePlace,
  examine: async (lab, list) => {
    const universe = await lab.universe(list);
    const cuts = cutsOf(lab, universe, 1);
    // The same few records as those that are read in pages of every size, where there are such.
    const cut = cutOfSize(cuts, 3, 4, 6) ?? cutOfSize(cuts, 1, 3, largestPage(list));
    const walk = cut === undefined ? undefined : await walkCut(lab, universe, cut, cut.records.length);
    return { rivals: [fullMeansMore], judge: () => walk && judgeLast(lab, universe, list, walk) };
  },
});

/** A page that is full of records that stayed, and after it only pages without any. */
function judgeLast(lab: RunContext, universe: Snapshot, list: CursorList, walk: Pagination): Judgement | undefined {
  const stable = new Set(stableIn(lab, universe, walk).map((each) => each.key));
  const [first = [], ...later] = walk.pages;
  const [reply] = walk.replies;
  if (reply === undefined) return undefined;
  if (compareWalk(lab, universe, walk).wrong.length > 0) return explainedBy('filters/complete');
  if (first.length !== walk.limit || first.some((record) => !stable.has(keyOf(list, record))))
    return dataMoved('the records of the only page changed while it was read');
  if (valueAt(reply.body, list.collection.page.more) !== true) return agrees(fullMeansMore);
  const given = toFilterArguments(walk.values);
  // A page in between may be empty: what came meanwhile may stand on any of those that follow.
  const added = later.flat();
  if (added.some((record) => !list.collection.query.matches(record, given))) return explainedBy('paging/filters-kept');
  if (added.length > 0) return dataMoved('a record was added to the only page');
  return contradicts({
    replies: walk.replies.slice(0, 2),
    expected: `${list.id} says that nothing follows the ${first.length} records that there are`,
    actual: walk.replies.length > 1 ? 'it promises another page, which is empty' : 'it promises another page',
    records: [],
    rival: fullMeansMore,
    witnesses: [...stable],
  });
}

const filtersKept = ruleAbout(isCursorList, {
  id: 'paging/filters-kept',
  title: 'Filters hold on later pages as on the first',
  why: 'A client checks the first page and trusts the rest; a filter that the second page forgets mixes everything into its copy.',
  strength: 'stated',
  slow: true,
  place: (list, contract) => (predictableFilters(contract, list).length > 0 ? pagePlace(list) : undefined),
  // The checkpoint has a law of its own.
  examine: async (lab, list) => examineLaterPages(lab, await lab.universe(list), (name) => name !== checkpointOf(list)),
});

const circle = candidate('paging/progress', 'cursor-circles', missing);

const progress = walkRule({
  id: 'paging/progress',
  title: 'Following the cursor comes to an end',
  why: 'A client that is led in a circle never finishes, and asks for ever.',
  strength: 'implied',
  rival: circle,
  judge: (_, { operation }, walk) => {
    if (walk.replies.length < 2) return undefined;
    if (walk.end === 'complete') return agrees(circle);
    if (walk.end !== 'stuck') return undefined;
    return contradicts({
      replies: walk.replies.slice(-2),
      expected: `the next page of ${operation.id} with ${describeValues(walk.values)} is another one`,
      actual:
        walk.pages.at(-1)?.length === 0
          ? 'one empty page promises the next, without end'
          : 'it is a page that came before, with the same cursor',
      rival: circle,
      route: paginationPlanOf(walk),
    });
  },
});

/** The rules. */
export const paging: readonly Law[] = [complete, once, ties, pageSizes, exactMultiple, filtersKept, progress];

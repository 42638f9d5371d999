/** Rules about pages that lead to each other by a cursor: following it delivers each record once, in pages of every size, and comes to an end. */

import { type MutantIdentity, mutantOf } from '../../../core/mutants/mutant-catalogue.ts';
import { type CursorList, isCursorList } from '../../../core/openapi/list-operation.ts';
import { showPointer, valueAt } from '../../../core/pointer.ts';
import { collectionPlace } from '../engine/clauses.ts';
import { enumFilters, filterHidingValue, missingFromWholeList, predictableFilters, readByListedValue } from '../engine/filter-values.ts';
import {
  contradictMissing,
  contradictRepeated,
  examineLaterPages,
  knownParts,
  pagesOf,
  partOfSize,
  readListInPages,
  readPartInPages,
  repeatedIn,
  tieEdges,
  tieMutant,
  tieOfMissing,
  tieOfRepeated,
} from '../engine/page-sizes.ts';
import { keyOf, type Pagination, paginationPlanOf, toFilterArguments } from '../engine/paginate.ts';
import { stableRecords } from '../engine/readings.ts';
import type { RunContext } from '../engine/run-context.ts';
import { checkpointOf, largestPage, type Snapshot, selectedBy } from '../engine/snapshot.ts';
import { comparePagination, leftOut } from './explain-selection.ts';
import {
  agrees,
  type Candidate,
  candidate,
  contradicts,
  count,
  dataMoved,
  describeRecords,
  describeValues,
  type Judgement,
  type Rule,
  reportedBy,
  ruleAbout,
} from './rule.ts';

const pagePlace = (list: CursorList): ReturnType<Rule['clause']> => collectionPlace(list, 'page');

/** A rule of this shape: a property of each pagination over the pages of a list. */
interface PaginationRule extends Omit<Rule, 'clause' | 'examine'> {
  readonly mutant: Candidate;
  /** Reads for the rule, besides the paginations that show the page boundaries. */
  readonly alsoRead?: (context: RunContext, snapshot: Snapshot) => Promise<void>;
  /** Judgement of any pagination over the list. */
  readonly judge: (context: RunContext, snapshot: Snapshot, pagination: Pagination) => Judgement | undefined;
  /** Findings in all paginations together. */
  readonly alsoJudge?: (context: RunContext, snapshot: Snapshot) => Judgement | undefined;
}

function paginationRule({ mutant, alsoRead, judge, alsoJudge, ...texts }: PaginationRule): Rule {
  return ruleAbout(isCursorList, {
    ...texts,
    place: pagePlace,
    examine: async (context, list) => {
      const snapshot = await context.snapshot(list);
      await readListInPages(context, snapshot);
      await alsoRead?.(context, snapshot);
      return {
        mutants: [mutant],
        judge: () => [
          ...context.paginations.flatMap((pagination) =>
            pagination.operation === list ? (judge(context, snapshot, pagination) ?? []) : [],
          ),
          ...[alsoJudge?.(context, snapshot) ?? []].flat(),
        ],
      };
    },
  });
}

/** True when a pagination uses the key of the first reading. */
function isOfCaller({ as }: Snapshot, pagination: Pagination): boolean {
  return (pagination.as ?? 'full') === as;
}

const drops = candidate('paging/complete', 'edge-skipped', 'a list of more than one page that can be read whole');

const complete = paginationRule({
  id: 'paging/complete',
  title: 'Following the cursor delivers every record',
  why: 'A copy that misses a record looks complete. Nobody notices until the record is needed.',
  strength: 'stated',
  mutant: drops,
  alsoRead: async (context, snapshot) => {
    if (context.quick) return;
    await examineLaterPages(context, snapshot, () => false);
    for (const name of enumFilters(context.contract, snapshot.operation)) await readByListedValue(context, snapshot, name);
  },
  judge: (context, snapshot, pagination) => {
    if (!isOfCaller(snapshot, pagination) || pagination.end !== 'complete' || !hasEdges(snapshot, pagination)) return undefined;
    const isTelling = pagination.replies.length > 1 && stableRecords(context, snapshot, pagination).length > 0;
    return lostIn(context, snapshot, pagination, drops) ?? (isTelling ? agrees(drops) : undefined);
  },
  alsoJudge: judgeHidden,
});

/** Paginations of several pages, and those that should have had several. Of a single page, only the filters can be wrong. */
function hasEdges(snapshot: Snapshot, pagination: Pagination): boolean {
  return (
    pagination.replies.length > 1 || (pagination.limit !== undefined && selectedBy(snapshot, pagination.values).length > pagination.limit)
  );
}

/** The finding that a pagination leaves records out, unless they are ties, which have a rule of their own. */
function lostIn(
  context: RunContext,
  snapshot: Snapshot,
  pagination: Pagination,
  mutant: MutantIdentity | undefined,
): Judgement | undefined {
  const { missing: lost } = leftOut(context, snapshot, pagination);
  if (lost.length === 0) return undefined;
  return tieOfMissing(pagination, lost) === undefined
    ? contradictMissing(context, snapshot, pagination, lost, mutant)
    : reportedBy('paging/ties');
}

/** A record that both readings of the whole list lack, and no filter value explains, was lost at a page boundary. */
function judgeHidden(context: RunContext, snapshot: Snapshot): Judgement | undefined {
  const { operation, pagination, finalPagination: closing } = snapshot;
  const hidden = missingFromWholeList(context, snapshot);
  const [first] = hidden;
  // A full page that promises nothing may have been an edge as well.
  const isEdged = pagination.replies.length > 1 || pagination.records.length >= (pagination.limit ?? 0);
  if (first === undefined || !isEdged) return undefined;
  if (filterHidingValue(context.contract, snapshot, hidden)) return reportedBy('filters/partition');
  const keys = hidden.map(({ key }) => key);
  return contradicts({
    replies: [...first.pagination.replies.slice(0, 1), ...(closing?.replies ?? [])],
    expected: `the whole list of ${operation.id} must contain ${describeRecords(operation, keys)}, which it returns with ${describeValues(first.pagination.values)}`,
    actual: `no page contains ${keys.length === 1 ? 'it' : 'them'}`,
    records: hidden.slice(0, 3).map(({ record }) => record),
    mutant: drops,
    route: paginationPlanOf(first.pagination),
    witnesses: keys,
  });
}

const missing = 'a list of more than one page';

const repeating = candidate('paging/once', 'edge-repeated', missing);

const once = paginationRule({
  id: 'paging/once',
  title: 'Following the cursor delivers no record twice',
  why: 'A repeated record is counted twice in every sum, and a repeated page is a wasted request.',
  strength: 'implied',
  mutant: repeating,
  judge: (context, snapshot, pagination) => {
    if (!isOfCaller(snapshot, pagination) || pagination.replies.length < 2) return undefined;
    if (pagination.end === 'stuck') return reportedBy('paging/progress');
    const repeated = repeatedIn(context, snapshot, pagination);
    if (repeated.length === 0) return stableRecords(context, snapshot, pagination).length === 0 ? undefined : agrees(repeating);
    return tieOfRepeated(pagination, repeated) === undefined
      ? contradictRepeated(pagination, repeated, repeating)
      : reportedBy('paging/ties');
  },
});

const missingTie = 'two records that changed in the same moment';
const skips: Candidate = { ...tieMutant('tie-skipped'), missing: missingTie };
const again: Candidate = { ...tieMutant('tie-repeated'), missing: missingTie };

/** The most requests that one tie may take. */
const dearest = 6;

const ties = ruleAbout(isCursorList, {
  id: 'paging/ties',
  title: 'Records with equal times of change are neither lost nor repeated at a page boundary',
  why: 'An import changes hundreds of records at one time. A cursor that stores only the time loses the rest of them.',
  strength: 'stated',
  place: pagePlace,
  examine: async (context, list) => {
    const snapshot = await context.snapshot(list);
    const edge = tieEdges(context, snapshot).find((each) => pagesOf(each) <= dearest);
    const pagination = edge === undefined ? undefined : await readPartInPages(context, snapshot, edge.cut, edge.limit);
    return { mutants: [skips, again], judge: () => pagination && judgeTies(context, snapshot, pagination) };
  },
});

function judgeTies(context: RunContext, snapshot: Snapshot, pagination: Pagination): Judgement {
  // A pagination in a circle misses what comes after it; what it repeats shows why it does not get further.
  const isStuck = pagination.end === 'stuck';
  if (pagination.end !== 'complete' && !isStuck) return reportedBy('paging/progress');
  const lost = isStuck ? [] : leftOut(context, snapshot, pagination).missing;
  if (lost.length > 0) {
    const how = tieOfMissing(pagination, lost);
    if (how === undefined) return reportedBy('paging/complete');
    return contradictMissing(context, snapshot, pagination, lost, tieMutant('tie-skipped', how));
  }
  const repeated = repeatedIn(context, snapshot, pagination);
  if (repeated.length > 0) {
    const how = tieOfRepeated(pagination, repeated);
    if (how === undefined) return reportedBy(isStuck ? 'paging/progress' : 'paging/once');
    return contradictRepeated(pagination, repeated, tieMutant('tie-repeated', how));
  }
  if (isStuck) return reportedBy('paging/progress');
  return stableRecords(context, snapshot, pagination).length > 0
    ? agrees(skips, again)
    : dataMoved(`no record of ${pagination.operation.id} stayed as it was`);
}

const few = 'a filter that some three to six records pass';
/** Page sizes that may lose records: one record a page, an incomplete last page, exactly the number of records. */
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
  examine: async (context, list) => {
    const snapshot = await context.snapshot(list);
    const cut = partOfSize(knownParts(context, snapshot, 3), 3, 4, 6);
    const made: { readonly mutant: Candidate; readonly pagination: Pagination }[] = [];
    if (cut !== undefined)
      for (const mutant of sizes)
        made.push({ mutant, pagination: await readPartInPages(context, snapshot, cut, mutant.limitFor(cut.records.length)) });
    await readListInPages(context, snapshot);
    return {
      mutants: sizes,
      judge: () => [
        ...made.map(({ mutant, pagination }) => judgeSize(context, snapshot, pagination, mutant)),
        ...[judgeLargest(context, snapshot) ?? []].flat(),
      ],
    };
  },
});

function judgeSize(context: RunContext, snapshot: Snapshot, pagination: Pagination, mutant: MutantIdentity): Judgement {
  if (pagination.end !== 'complete') return reportedBy('paging/progress');
  const isTelling = stableRecords(context, snapshot, pagination).length > 0;
  return (
    lostIn(context, snapshot, pagination, mutant) ?? (isTelling ? agrees(mutant) : dataMoved('none of the few records stayed as it was'))
  );
}

/** Records on smaller pages of the same list that are missing on the largest. */
function judgeLargest(context: RunContext, snapshot: Snapshot): Judgement | undefined {
  const { operation, pagination: whole, finalPagination: closing } = snapshot;
  const base = JSON.stringify(snapshot.base);
  const isSame = (pagination: Pagination): boolean => JSON.stringify(pagination.values) === base && pagination.limit !== whole.limit;
  const hidden = missingFromWholeList(context, snapshot).filter(({ pagination }) => isSame(pagination));
  const [first] = hidden;
  if (first === undefined) return undefined;
  const keys = hidden.map(({ key }) => key);
  return contradicts({
    replies: [...(closing?.replies ?? []).slice(0, 2), ...first.pagination.replies.slice(0, 1)],
    expected: `${operation.id} in pages of ${whole.limit} must return ${describeRecords(operation, keys)}, as in pages of ${first.pagination.limit}`,
    actual: `two reads in pages of ${whole.limit} do not contain ${keys.length === 1 ? 'it' : 'them'}`,
    records: hidden.slice(0, 3).map(({ record }) => record),
    mutant: mutantOf('paging/complete', 'large-page-gaps'),
    route: paginationPlanOf(first.pagination),
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
  title: 'A full last page promises no further page',
  why: 'An empty page is a wasted request. A client that waits for its records waits for ever.',
  strength: 'stated',
  slow: true,
  place: pagePlace,
  examine: async (context, list) => {
    const snapshot = await context.snapshot(list);
    const cuts = knownParts(context, snapshot, 1);
    // The same few records as those that are read in pages of every size, where there are such.
    const cut = partOfSize(cuts, 3, 4, 6) ?? partOfSize(cuts, 1, 3, largestPage(list));
    const pagination = cut === undefined ? undefined : await readPartInPages(context, snapshot, cut, cut.records.length);
    return { mutants: [fullMeansMore], judge: () => pagination && judgeLast(context, snapshot, list, pagination) };
  },
});

/** A page that is full of records that stayed, and after it only pages without any. */
function judgeLast(context: RunContext, snapshot: Snapshot, list: CursorList, pagination: Pagination): Judgement | undefined {
  const stable = new Set(stableRecords(context, snapshot, pagination).map((each) => each.key));
  const [first = [], ...later] = pagination.pages;
  const [reply] = pagination.replies;
  if (reply === undefined) return undefined;
  if (comparePagination(context, snapshot, pagination).wrong.length > 0) return reportedBy('filters/complete');
  if (first.length !== pagination.limit || first.some((record) => !stable.has(keyOf(list, record))))
    return dataMoved('the records of the only page changed while it was read');
  if (valueAt(reply.body, list.collection.page.more) !== true) return agrees(fullMeansMore);
  const given = toFilterArguments(pagination.values);
  // A page in between may be empty: what came meanwhile may stand on any of those that follow.
  const added = later.flat();
  if (added.some((record) => !list.collection.query.matches(record, given))) return reportedBy('paging/filters-kept');
  if (added.length > 0) return dataMoved('a record was added to the only page');
  return contradicts({
    replies: pagination.replies.slice(0, 2),
    expected: `${showPointer(list.collection.page.more)} of ${list.id} with ${describeValues(pagination.values)} must be false after all ${count(first.length, 'record')}`,
    actual: `${showPointer(list.collection.page.more)} is true${pagination.replies.length > 1 ? ', and the next page is empty' : ''}`,
    records: [],
    mutant: fullMeansMore,
    witnesses: [...stable],
  });
}

const filtersKept = ruleAbout(isCursorList, {
  id: 'paging/filters-kept',
  title: 'Filters hold on later pages',
  why: 'A client checks the first page and trusts the rest. A filter lost on the second page mixes other records into its copy.',
  strength: 'stated',
  slow: true,
  place: (list, contract) => (predictableFilters(contract, list).length > 0 ? pagePlace(list) : undefined),
  // The checkpoint has a rule of its own.
  examine: async (context, list) => examineLaterPages(context, await context.snapshot(list), (name) => name !== checkpointOf(list)),
});

const circle = candidate('paging/progress', 'cursor-circles', missing);

const progress = paginationRule({
  id: 'paging/progress',
  title: 'Following the cursor comes to an end',
  why: 'A client that follows a circular cursor never finishes.',
  strength: 'implied',
  mutant: circle,
  judge: (_, { operation }, pagination) => {
    if (pagination.replies.length < 2) return undefined;
    if (pagination.end === 'complete') return agrees(circle);
    if (pagination.end !== 'stuck') return undefined;
    return contradicts({
      replies: pagination.replies.slice(-2),
      expected: `following the cursor of ${operation.id} with ${describeValues(pagination.values)} must reach the end`,
      actual:
        pagination.pages.at(-1)?.length === 0
          ? 'the pages are empty, and each promises another one'
          : 'an earlier page and its cursor are returned again',
      mutant: circle,
      route: paginationPlanOf(pagination),
    });
  },
});

/** The rules. */
export const paging: readonly Rule[] = [complete, once, ties, pageSizes, exactMultiple, filtersKept, progress];

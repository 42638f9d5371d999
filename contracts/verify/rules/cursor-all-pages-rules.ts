/** Rules of the group `paging` about whole paginations: following the cursor delivers each record once, in every page size, and ends. */

import { countNoun } from '../../../core/count-noun.ts';
import { definedOf } from '../../../core/drop-undefined.ts';
import { printJson } from '../../../core/json.ts';
import { type MutantIdentity, mutantOf } from '../../../core/mutants/mutant-catalogue.ts';
import { type CursorList, isCursorList } from '../../../core/openapi/list-operation.ts';
import { showPointer, valueAt } from '../../../core/pointer.ts';
import { collectionPlace } from '../evidence/clause-places.ts';
import { enumFilters, predictableFilters } from '../evidence/filter-values.ts';
import {
  comparePagination,
  findHidingFilter,
  findMissing,
  findMissingFromWholeList,
} from '../evidence/pagination/compare-with-snapshot.ts';
import {
  contradictMissing,
  contradictRepeated,
  repeatedIn,
  tieMutant,
  tieOfMissing,
  tieOfRepeated,
} from '../evidence/pagination/page-boundaries.ts';
import { largestLimit, type Pagination, paginationPlanOf } from '../evidence/pagination/pagination.ts';
import {
  countPages,
  findTieBoundaries,
  partOfSize,
  partsOfList,
  readListInPages,
  readPartInPages,
} from '../evidence/pagination/read-list-in-small-pages.ts';
import { readByListedValue } from '../evidence/read-filtered-lists.ts';
import { checkpointOf, matchingRecords, recordKeyOf, toFilterArguments } from '../evidence/record-keys-and-filters.ts';
import { stableRecords } from '../evidence/record-readings.ts';
import type { RoundContext } from '../evidence/round-context.ts';
import type { Snapshot } from '../evidence/snapshot.ts';
import { describeRecords, describeValues } from './describe-values.ts';
import { examineLaterPages } from './examinations/examine-filters-on-later-pages.ts';
import {
  agrees,
  bySnapshot,
  type Candidate,
  type Contradiction,
  candidate,
  contradicts,
  dataMoved,
  type Judgement,
  type Rule,
  reportedBy,
  ruleAbout,
} from './rule.ts';

const pagePlace = (list: CursorList): ReturnType<Rule['clause']> => collectionPlace(list, 'page');

/** A rule that judges each pagination of a list. */
interface PaginationRule extends Omit<Rule, 'clause' | 'examine'> {
  readonly mutant: Candidate;
  /** Sends further requests, beside the paginations with several pages. */
  readonly alsoRead?: (context: RoundContext, snapshot: Snapshot) => Promise<void>;
  /** Judges one pagination of the list. */
  readonly judge: (context: RoundContext, snapshot: Snapshot, pagination: Pagination) => Judgement | undefined;
  /** Judges all paginations of the list together. */
  readonly alsoJudge?: (context: RoundContext, snapshot: Snapshot) => Judgement | undefined;
}

function paginationRule({ mutant, alsoRead, judge, alsoJudge, ...texts }: PaginationRule): Rule {
  return ruleAbout(isCursorList, {
    ...texts,
    place: pagePlace,
    examine: async (context, list) => {
      const snapshot = await context.snapshot(list);
      await readListInPages(context, snapshot);
      await alsoRead?.(context, snapshot);
      return { mutants: [mutant], judge: () => undefined };
    },
    judgeReplies: bySnapshot((context, snapshot, list) => [
      context.paginations.map((pagination) => (pagination.operation === list ? judge(context, snapshot, pagination) : undefined)),
      alsoJudge?.(context, snapshot),
    ]),
  });
}

const edgeSkipped = candidate('edge-skipped', 'a list of more than one page that can be read in full');

/** The last page of the whole list as the wrong response, where a part of the list shows that records are missing. */
function lastPageSuspects({ pagination, finalPagination }: Snapshot): NonNullable<Contradiction['suspects']> {
  return (finalPagination ?? pagination).replies.slice(-1).map((reply) => ({ reply, part: 'records' }));
}

const completeRule = paginationRule({
  id: 'paging/complete',
  title: 'Following the cursor delivers every record',
  why: 'A copy that misses a record looks complete. Nobody notices until the record is needed.',
  strength: 'stated',
  mutant: edgeSkipped,
  alsoRead: async (context, snapshot) => {
    if (context.quick) return;
    await examineLaterPages(context, snapshot, () => false);
    for (const name of enumFilters(context.contract, snapshot.operation)) await readByListedValue(context, snapshot, name);
  },
  judge: (context, snapshot, pagination) => {
    if (pagination.as !== snapshot.as || pagination.end !== 'complete' || !hasBoundary(snapshot, pagination)) return undefined;
    const hasEvidence = pagination.replies.length > 1 && stableRecords(context, snapshot, pagination).length > 0;
    return judgeMissing(context, snapshot, pagination, edgeSkipped) ?? (hasEvidence ? agrees(edgeSkipped) : undefined);
  },
  alsoJudge: judgeWholeList,
});

/** True if a pagination has several pages, or should have. On a single page only the filters can be wrong. */
function hasBoundary(snapshot: Snapshot, pagination: Pagination): boolean {
  return (
    pagination.replies.length > 1 ||
    (pagination.limit !== undefined && matchingRecords(snapshot.operation, snapshot.records, pagination.values).length > pagination.limit)
  );
}

/** Finds records that a pagination lacks. `paging/ties` reports records with equal times. */
function judgeMissing(
  context: RoundContext,
  snapshot: Snapshot,
  pagination: Pagination,
  mutant: MutantIdentity | undefined,
): Judgement | undefined {
  const { missing: lostRecords } = findMissing(context, snapshot, pagination);
  if (lostRecords.length === 0) return undefined;
  const finding = contradictMissing(context, snapshot, pagination, lostRecords, mutant);
  const isTied = tieOfMissing(pagination, lostRecords) !== undefined;
  return isTied && finding.kind === 'contradicts' ? reportedBy('paging/ties', finding) : finding;
}

/** Finds records that both reads of the whole list lack. If no filter value explains that, a page boundary lost them. */
function judgeWholeList(context: RoundContext, snapshot: Snapshot): Judgement | undefined {
  const { operation, pagination, finalPagination } = snapshot;
  const missingRecords = findMissingFromWholeList(context, snapshot);
  const [first] = missingRecords;
  // A full page that promises no other page may still be followed by records.
  const mayHaveBoundary = pagination.replies.length > 1 || pagination.records.length >= (pagination.limit ?? 0);
  if (first === undefined || !mayHaveBoundary) return undefined;
  const keys = missingRecords.map(({ key }) => key);
  const tie = tieOfMissing(pagination, missingRecords);
  const contradiction = contradicts({
    replies: [...first.pagination.replies.slice(0, 1), ...(finalPagination?.replies ?? [])],
    expected: `the whole list of ${operation.id} must contain ${describeRecords(operation, keys)}, which it returns with ${describeValues(first.pagination.values)}`,
    actual: `no page contains ${keys.length === 1 ? 'it' : 'them'}`,
    records: missingRecords.slice(0, 3).map(({ record }) => record),
    mutants: definedOf(edgeSkipped, tie && tieMutant('tie-skipped', tie)),
    paginationPlan: paginationPlanOf(first.pagination),
    suspects: lastPageSuspects(snapshot),
    recordKeys: keys,
  });
  const isByValue = findHidingFilter(context.contract, snapshot, missingRecords) !== undefined;
  return isByValue ? reportedBy('filters/partition', contradiction) : contradiction;
}

const severalPages = 'a list of more than one page';

const edgeRepeated = candidate('edge-repeated', severalPages);

const onceRule = paginationRule({
  id: 'paging/once',
  title: 'Following the cursor delivers no record twice',
  why: 'A repeated record is counted twice in every sum, and a repeated page is a wasted request.',
  strength: 'implied',
  mutant: edgeRepeated,
  judge: (context, snapshot, pagination) => {
    if (pagination.as !== snapshot.as || pagination.replies.length < 2) return undefined;
    if (pagination.end === 'stuck') return reportedBy('paging/progress');
    const repeated = repeatedIn(context, snapshot, pagination);
    if (repeated.length === 0) return stableRecords(context, snapshot, pagination).length === 0 ? undefined : agrees(edgeRepeated);
    const finding = contradictRepeated(pagination, repeated, edgeRepeated);
    return tieOfRepeated(pagination, repeated) === undefined ? finding : reportedBy('paging/ties', finding);
  },
});

const equalTimes = 'two records with equal times of change';
const tieSkipped: Candidate = { ...tieMutant('tie-skipped'), missing: equalTimes };
const tieRepeated: Candidate = { ...tieMutant('tie-repeated'), missing: equalTimes };

/** Maximum number of requests for one tie. */
const maxTieRequests = 6;

const tiesRule = ruleAbout(isCursorList, {
  id: 'paging/ties',
  title: 'Records with equal times of change are neither lost nor repeated at a page boundary',
  why: 'An import changes hundreds of records at the same time. A cursor that stores only this time loses the rest of them.',
  strength: 'stated',
  place: pagePlace,
  examine: async (context, list) => {
    const snapshot = await context.snapshot(list);
    const boundary = findTieBoundaries(context, snapshot).find((each) => countPages(each) <= maxTieRequests);
    const pagination = boundary === undefined ? undefined : await readPartInPages(context, snapshot, boundary.part, boundary.limit);
    return { mutants: [tieSkipped, tieRepeated], judge: () => pagination && judgeTies(context, snapshot, pagination) };
  },
});

function judgeTies(context: RoundContext, snapshot: Snapshot, pagination: Pagination): Judgement {
  // A circular pagination never reaches the later records, so only its repetitions count.
  const isStuck = pagination.end === 'stuck';
  if (pagination.end !== 'complete' && !isStuck) return reportedBy('paging/progress');
  const lostRecords = isStuck ? [] : findMissing(context, snapshot, pagination).missing;
  if (lostRecords.length > 0) {
    const coarseness = tieOfMissing(pagination, lostRecords);
    if (coarseness === undefined) return reportedBy('paging/complete');
    return contradictMissing(context, snapshot, pagination, lostRecords, tieMutant('tie-skipped', coarseness));
  }
  const repeated = repeatedIn(context, snapshot, pagination);
  if (repeated.length > 0) {
    const coarseness = tieOfRepeated(pagination, repeated);
    if (coarseness === undefined) return reportedBy(isStuck ? 'paging/progress' : 'paging/once');
    return contradictRepeated(pagination, repeated, tieMutant('tie-repeated', coarseness));
  }
  if (isStuck) return reportedBy('paging/progress');
  return stableRecords(context, snapshot, pagination).length > 0
    ? agrees(tieSkipped, tieRepeated)
    : dataMoved(`no record of ${pagination.operation.id} stayed unchanged`);
}

const threeToSix = 'a filter that three to six records match';
/** Page sizes that may lose records: one record a page, an incomplete last page, exactly the number of records. */
const losingSizes: readonly (Candidate & { readonly limitFor: (records: number) => number })[] = [
  { ...candidate('pages-of-one-lose', threeToSix), limitFor: () => 1 },
  { ...candidate('odd-pages-lose', threeToSix), limitFor: (records) => records - 1 },
  { ...candidate('full-page-loses', threeToSix), limitFor: (records) => records },
];

const pageSizesRule = ruleAbout(isCursorList, {
  id: 'paging/page-sizes',
  title: 'Every page size delivers the same records',
  why: 'Two clients that read in pages of different sizes must end up with the same copy.',
  strength: 'implied',
  slow: true,
  place: pagePlace,
  examine: async (context, list) => {
    const snapshot = await context.snapshot(list);
    const part = partOfSize(partsOfList(context, snapshot, 3), 3, 4, 6);
    const readings: { readonly mutant: Candidate; readonly pagination: Pagination }[] = [];
    if (part !== undefined)
      for (const mutant of losingSizes)
        readings.push({ mutant, pagination: await readPartInPages(context, snapshot, part, mutant.limitFor(part.records.length)) });
    await readListInPages(context, snapshot);
    return {
      mutants: losingSizes,
      judge: () => [
        readings.map(({ mutant, pagination }) => judgePartInPages(context, snapshot, pagination, mutant)),
        judgeLargest(context, snapshot),
      ],
    };
  },
});

function judgePartInPages(context: RoundContext, snapshot: Snapshot, pagination: Pagination, mutant: MutantIdentity): Judgement {
  if (pagination.end !== 'complete') return reportedBy('paging/progress');
  const hasEvidence = stableRecords(context, snapshot, pagination).length > 0;
  return (
    judgeMissing(context, snapshot, pagination, mutant) ??
    (hasEvidence ? agrees(mutant) : dataMoved('none of the filtered records stayed unchanged'))
  );
}

/** Finds records that appear on smaller pages of a list but not on its largest. */
function judgeLargest(context: RoundContext, snapshot: Snapshot): Judgement | undefined {
  const { operation, pagination: wholePagination, finalPagination } = snapshot;
  const base = printJson(snapshot.base);
  const isSmallerPaged = (pagination: Pagination): boolean =>
    printJson(pagination.values) === base && pagination.limit !== wholePagination.limit;
  const missingRecords = findMissingFromWholeList(context, snapshot).filter(({ pagination }) => isSmallerPaged(pagination));
  const [first] = missingRecords;
  if (first === undefined) return undefined;
  const keys = missingRecords.map(({ key }) => key);
  return contradicts({
    replies: [...(finalPagination?.replies ?? []).slice(0, 2), ...first.pagination.replies.slice(0, 1)],
    expected: `${operation.id} in pages of ${wholePagination.limit} must return ${describeRecords(operation, keys)}, as in pages of ${first.pagination.limit}`,
    actual: `two reads in pages of ${wholePagination.limit} do not contain ${keys.length === 1 ? 'it' : 'them'}`,
    records: missingRecords.slice(0, 3).map(({ record }) => record),
    mutant: mutantOf('large-page-gaps'),
    paginationPlan: paginationPlanOf(first.pagination),
    suspects: lastPageSuspects(snapshot),
    recordKeys: keys,
  });
}

const moreBySize = candidate('more-by-size', 'a filter that matches at least one record, and at most one page of them');

const exactMultipleRule = ruleAbout(isCursorList, {
  id: 'paging/exact-multiple',
  title: 'A full last page promises no further page',
  why: 'An empty page is a wasted request. A client that waits for its records waits forever.',
  strength: 'stated',
  slow: true,
  place: pagePlace,
  examine: async (context, list) => {
    const snapshot = await context.snapshot(list);
    const parts = partsOfList(context, snapshot, 1);
    // Prefer the records that `paging/page-sizes` reads, because their responses are already there.
    const part = partOfSize(parts, 3, 4, 6) ?? partOfSize(parts, 1, 3, largestLimit(list));
    const pagination = part === undefined ? undefined : await readPartInPages(context, snapshot, part, part.records.length);
    return { mutants: [moreBySize], judge: () => pagination && judgeLast(context, snapshot, list, pagination) };
  },
});

/** Judges a last page that is exactly full. If it promises another page, only empty pages may follow. */
function judgeLast(context: RoundContext, snapshot: Snapshot, list: CursorList, pagination: Pagination): Judgement | undefined {
  const stableKeys = new Set(stableRecords(context, snapshot, pagination).map((each) => each.key));
  const [first = [], ...laterPages] = pagination.pages;
  const [reply] = pagination.replies;
  if (reply === undefined) return undefined;
  if (comparePagination(context, snapshot, pagination).wrongRecords.length > 0) return reportedBy('filters/complete');
  if (first.length !== pagination.limit || first.some((record) => !stableKeys.has(recordKeyOf(list, record))))
    return dataMoved('the records of the only page changed while it was read');
  if (valueAt(reply.body, list.collection.page.more) !== true) return agrees(moreBySize);
  const filterArguments = toFilterArguments(pagination.values);
  // A record that was added during the run may be on any of the later pages.
  const addedRecords = laterPages.flat();
  if (!addedRecords.every(list.collection.query.matching(filterArguments))) return reportedBy('paging/filters-kept');
  if (addedRecords.length > 0) return dataMoved('a record was added to the only page');
  return contradicts({
    replies: pagination.replies.slice(0, 2),
    expected: `${showPointer(list.collection.page.more)} of ${list.id} with ${describeValues(pagination.values)} must be false after all ${countNoun(first.length, 'record')}`,
    actual: `${showPointer(list.collection.page.more)} is true${pagination.replies.length > 1 ? ', and the next page is empty' : ''}`,
    records: [],
    mutant: moreBySize,
    recordKeys: [...stableKeys],
  });
}

const filtersKeptRule = ruleAbout(isCursorList, {
  id: 'paging/filters-kept',
  title: 'Filters hold on later pages',
  why: 'A client checks the first page and trusts the rest. A filter lost on the second page mixes other records into its copy.',
  strength: 'stated',
  slow: true,
  place: (list, contract) => (predictableFilters(contract, list).length > 0 ? pagePlace(list) : undefined),
  // `sync/later-pages` tests the checkpoint.
  examine: async (context, list) => examineLaterPages(context, await context.snapshot(list), (name) => name !== checkpointOf(list)),
});

const cursorCircles = candidate('cursor-circles', severalPages);

const progressRule = paginationRule({
  id: 'paging/progress',
  title: 'Following the cursor reaches an end',
  why: 'A client that follows a circular cursor never finishes.',
  strength: 'implied',
  mutant: cursorCircles,
  judge: (_, { operation }, pagination) => {
    if (pagination.replies.length < 2) return undefined;
    if (pagination.end === 'complete') return agrees(cursorCircles);
    if (pagination.end !== 'stuck') return undefined;
    return contradicts({
      replies: pagination.replies.slice(-2),
      expected: `following the cursor of ${operation.id} with ${describeValues(pagination.values)} must reach the end`,
      actual:
        pagination.pages.at(-1)?.length === 0
          ? 'the pages are empty, and each promises another one'
          : 'an earlier page and its cursor are returned again',
      mutant: cursorCircles,
      paginationPlan: paginationPlanOf(pagination),
    });
  },
});

/** The rules, in the order of a run. */
export const cursorAllPagesRules: readonly Rule[] = [
  completeRule,
  onceRule,
  tiesRule,
  pageSizesRule,
  exactMultipleRule,
  filtersKeptRule,
  progressRule,
];

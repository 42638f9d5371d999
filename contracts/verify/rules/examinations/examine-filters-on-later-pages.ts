/** Examines whether filters hold on later pages. A wrong first page is left to `filters/sound`. */

import { definedOf } from '../../../../core/drop-undefined.ts';
import { printJson } from '../../../../core/json.ts';
import { type MutantIdentity, mutantOf } from '../../../../core/mutants/mutant-catalogue.ts';
import type { ListOperation } from '../../../../core/openapi/list-operation.ts';
import { allWithinBase, predictableFilters, singleFilterValues } from '../../evidence/filter-values.ts';
import { type Pagination, paginationPlanOf } from '../../evidence/pagination/pagination.ts';
import { drawFilters } from '../../evidence/random-request-values.ts';
import { paginationsOf } from '../../evidence/read-filtered-lists.ts';
import {
  checkpointOf,
  findFailedFilter,
  keysOf,
  matchingRecords,
  nonMatchingRecords,
  type ParameterValues,
} from '../../evidence/record-keys-and-filters.ts';
import type { RoundContext } from '../../evidence/round-context.ts';
import type { Snapshot } from '../../evidence/snapshot.ts';
import { describeRecords, describeValues } from '../describe-values.ts';
import { agrees, type Candidate, contradicts, type Examination, type Judgement, reportedBy } from '../rule.ts';

/** Reads selections in two pages, to find filters that a later page forgets. */
export async function examineLaterPages(
  context: RoundContext,
  snapshot: Snapshot,
  isConcerned: (name: string) => boolean,
): Promise<Examination> {
  const { operation } = snapshot;
  const names = predictableFilters(context.contract, operation);
  let untestedNames = names;
  const paginations: Pagination[] = [];
  const candidates = selectionsWithLaterPages(context, snapshot, names);
  while (untestedNames.length > 0) {
    const best = candidates
      .map((each) => ({ ...each, shows: each.narrowingFilters.filter((name) => untestedNames.includes(name)) }))
      .toSorted((left, right) => right.shows.length - left.shows.length)[0];
    if (best === undefined || best.shows.length === 0) break;
    const limit = Math.max(1, Math.ceil(best.size / 2));
    paginations.push(await context.pagination({ operation, values: best.values, limit, as: snapshot.as, maxPages: 3 }));
    untestedNames = untestedNames.filter((name) => !best.shows.includes(name));
  }
  const mutants = names.filter(isConcerned).map(
    (name): Candidate => ({
      ...forgettingMutant(operation, name),
      missing: `a value of ${name} that several records pass and others do not`,
    }),
  );
  const isSamePlan = ({ limit, values }: Pagination, ownPagination: Pagination): boolean =>
    limit === ownPagination.limit &&
    Object.entries(values).every(([name, value]) => printJson(value) === printJson(ownPagination.values[name]));
  return {
    mutants,
    // Those with fewer filters show a mistake better.
    judge: () =>
      paginationsOf(context, snapshot)
        .filter((each) => paginations.some((own) => isSamePlan(each, own)))
        .map((pagination) => judgeLaterPages(snapshot, pagination, names, isConcerned)),
  };
}

/** Filter values that select two to 60 records, with the filters (`narrowingFilters`) without which they would select at least two more. */
function selectionsWithLaterPages(
  context: RoundContext,
  snapshot: Snapshot,
  names: readonly string[],
): readonly { readonly values: ParameterValues; readonly size: number; readonly narrowingFilters: readonly string[] }[] {
  const { operation, records } = snapshot;
  const sizeOf = (values: ParameterValues): number => matchingRecords(operation, records, values).length;
  const candidates = allWithinBase(snapshot, [...drawFilters(context, snapshot, 2), ...singleFilterValues(context, snapshot)]);
  return candidates.flatMap((values) => {
    const size = sizeOf(values);
    const narrowingFilters = names.filter((name) => name in values && sizeOf(withoutFilter(values, name)) > size + 1);
    return size >= 2 && size <= 60 && narrowingFilters.length > 0 ? [{ values, size, narrowingFilters }] : [];
  });
}

function withoutFilter(values: ParameterValues, name: string): ParameterValues {
  return Object.fromEntries(Object.entries(values).filter(([each]) => each !== name));
}

/** Judges the later pages of a pagination. A record and the filters of its request are in one exchange, so changed data cannot explain a violation. */
function judgeLaterPages(
  { operation, records }: Snapshot,
  pagination: Pagination,
  names: readonly string[],
  isConcerned: (name: string) => boolean,
): Judgement | undefined {
  const { pages, replies, values } = pagination;
  const isRead = pages.slice(1).some((page) => page.length > 0) || (pagination.end === 'complete' && replies.length > 1);
  if (!isRead) return pagination.end === 'broken' ? reportedBy('response/status') : undefined;
  const filters = names.flatMap((name): readonly ParameterValues[] => (name in values ? [{ [name]: values[name] ?? null }] : []));
  const [wrongOnFirst = [], ...wrongOnLater] = pages.map((page) => nonMatchingRecords(operation, page, values));
  const wrongRecords = wrongOnLater.flat();
  const [first] = wrongRecords;
  if (first === undefined) {
    const effectiveFilters = filters.filter((filter) => nonMatchingRecords(operation, records, filter).length > 0).flatMap(Object.keys);
    return agrees(...effectiveFilters.map((name) => forgettingMutant(operation, name)));
  }
  if (wrongOnFirst.length > 0) return reportedBy('filters/sound');
  const forgottenFilter = findFailedFilter(operation, [first], values) ?? '';
  if (!isConcerned(forgottenFilter)) return undefined;
  const keys = keysOf(operation, wrongRecords);
  return contradicts({
    replies: [...replies.slice(0, 1), ...definedOf(replies[1 + wrongOnLater.findIndex((page) => page.length > 0)])],
    expected: `every page of ${operation.id} with ${describeValues(values)} must contain only records that match`,
    actual: `a later page contains ${describeRecords(operation, keys)}, which ${keys.length === 1 ? 'does' : 'do'} not match`,
    records: [first],
    mutant: forgettingMutant(operation, forgottenFilter),
    recordKeys: keys,
    paginationPlan: paginationPlanOf(pagination),
    neededFilters: [forgottenFilter],
  });
}

/** The mutant that forgets a filter on later pages. */
function forgettingMutant(list: ListOperation, name: string): MutantIdentity {
  return name === checkpointOf(list)
    ? mutantOf('checkpoint-lost', { parameter: name }, name)
    : mutantOf('filter-lost', { parameter: name }, name);
}

/** The mutant that forgets one filter on later pages, if every record there that does not match fails this filter. */
export function findForgottenFilter(
  list: ListOperation,
  { pages, values }: Pick<Pagination, 'pages' | 'values'>,
): MutantIdentity | undefined {
  const [first = [], ...laterPages] = pages;
  const wrongRecords = nonMatchingRecords(list, laterPages.flat(), values);
  if (wrongRecords.length === 0 || nonMatchingRecords(list, first, values).length > 0) return undefined;
  const forgottenFilter = findFailedFilter(list, wrongRecords, values);
  return forgottenFilter === undefined ? undefined : forgettingMutant(list, forgottenFilter);
}

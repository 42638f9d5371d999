/** Rules of the group `filters`: a filtered list has exactly the matching records, listed values are accepted, and unknown ones are not. */

import type { MutantKind } from '../../../core/mutants/mutant-catalogue.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import type { Reply } from '../evidence/call.ts';
import { collectionPlace, parameterPlace } from '../evidence/clause-places.ts';
import {
  allWithinBase,
  enumFilters,
  listedValues,
  observedValues,
  predictableFilters,
  singleFilterValues,
  takeEvenly,
} from '../evidence/filter-values.ts';
import { findHidingFilter, findMissing, findMissingFromWholeList, isAsPredicted } from '../evidence/pagination/compare-with-snapshot.ts';
import { explanationsOf, unlessExplained, wholePaginationsOf } from '../evidence/pagination/find-explaining-mutant.ts';
import { isNumbered } from '../evidence/pagination/numbered-pages.ts';
import { firstPageCall, type Pagination } from '../evidence/pagination/pagination.ts';
import { mutantsOfKinds, type PredictableMutant } from '../evidence/pagination/predict-filter-mutants.ts';
import { drawFilters } from '../evidence/random-request-values.ts';
import { readByListedValue, readSelection } from '../evidence/read-filtered-lists.ts';
import { filterBy, matchingRecords, type ParameterValues } from '../evidence/record-keys-and-filters.ts';
import { stableRecords } from '../evidence/record-readings.ts';
import type { RoundContext } from '../evidence/round-context.ts';
import { meaninglessTexts, searchCall, searchParameter } from '../evidence/search-requests.ts';
import type { Snapshot } from '../evidence/snapshot.ts';
import { describeRecords, describeValues, printParameterValue } from './describe-values.ts';
import {
  contradictSelection,
  examineSelections,
  judgeSelection,
  judgeUnmatched,
  type SelectionPlan,
} from './examinations/examine-filters.ts';
import { examineRequests, mustMatch, mustSucceed, type RequestExpectation, refusalRule } from './examinations/examine-requests.ts';
import { examineSearchWithFilter, filterBesideSearch } from './examinations/examine-search-with-filter.ts';
import { refusedTexts } from './examinations/invalid-parameter-texts.ts';
import {
  agrees,
  bySnapshot,
  type Candidate,
  candidate,
  contradicts,
  examineInTurn,
  type Judgement,
  listJudgements,
  type Rule,
  reportedBy,
  ruleAbout,
} from './rule.ts';

/** The kinds of mutants that ignore a filter. */
const ignoringKinds: readonly MutantKind[] = ['filter-ignored', 'bound-ignored', 'checkpoint-ignored', 'search-ignored'];

/** Selections by each filter. The same requests show an ignored filter and a record that is missing. In a quick run one request covers several filters. */
function singleFilterPlan(context: RoundContext, snapshot: Snapshot): SelectionPlan {
  return {
    mutants: mutantsOfKinds(context.contract, snapshot.operation, ignoringKinds),
    filterValues: context.quick ? drawFilters(context, snapshot, 1) : singleFilterValues(context, snapshot),
    fallbackRule: 'filters/sound',
    times: 1,
  };
}

/** Reads the list with each value of each enum filter, except in quick runs. */
async function readEachListedValue(context: RoundContext, snapshot: Snapshot): Promise<void> {
  if (!context.quick)
    for (const name of enumFilters(context.contract, snapshot.operation)) await readByListedValue(context, snapshot, name);
}

const soundRule = ruleAbout(isList, {
  id: 'filters/sound',
  title: 'Every record of a filtered list satisfies every filter',
  why: 'A client processes records that it did not ask for.',
  strength: 'stated',
  place: (list, contract) => (predictableFilters(contract, list).length > 0 ? list.place : undefined),
  examine: async (context, list) => {
    const snapshot = await context.snapshot(list);
    const plan = singleFilterPlan(context, snapshot);
    await readEachListedValue(context, snapshot);
    const { mutants, judge } = await examineSelections(context, list, plan);
    return { mutants, judge: () => listJudgements(judge()).filter(({ kind }) => kind === 'agrees' || kind === 'data-moved') };
  },
  judgeReplies: bySnapshot((context, snapshot) => context.replies.map((reply) => judgeRecords(context, snapshot, reply))),
});

function judgeRecords(context: RoundContext, snapshot: Snapshot, reply: Reply): Judgement | undefined {
  const { operation } = snapshot;
  const finding = judgeUnmatched(context, operation, reply, predictableFilters(context.contract, operation));
  const pagination = context.paginations.find((each) => each.end === 'complete' && each.replies.includes(reply));
  // Of one page, nobody can say that every record is returned.
  if (finding === undefined || pagination === undefined) return finding;
  const mutants = mutantsOfKinds(context.contract, operation, [...ignoringKinds, 'filter-value-mixed']);
  const [mutant] = explanationsOf(context, snapshot, pagination, mutants);
  return unlessExplained(context, snapshot, pagination, { ...finding, mutant });
}

const completeRule = ruleAbout(isList, {
  id: 'filters/complete',
  title: 'Every record that satisfies the filters is in the filtered list',
  why: 'A record that a filter drops is lost to every client that filters. No client can notice.',
  strength: 'stated',
  place: (list, contract) => (predictableFilters(contract, list).length > 0 ? collectionPlace(list) : undefined),
  examine: async (context, list) => {
    const snapshot = await context.snapshot(list);
    await examineSelections(context, list, singleFilterPlan(context, snapshot));
    await readEachListedValue(context, snapshot);
    return { mutants: predictableFilters(context.contract, list).map(lostValueMutant), judge: () => undefined };
  },
  judgeReplies: bySnapshot((context, snapshot, list) => {
    const names = predictableFilters(context.contract, list);
    return wholePaginationsOf(context, snapshot).map((pagination) => judgePagination(context, snapshot, pagination, names));
  }),
});

function lostValueMutant(name: string): Candidate {
  return candidate('filter-value-lost', `a record that ${name} can select`, { filter: name }, name);
}

function judgePagination(
  context: RoundContext,
  snapshot: Snapshot,
  pagination: Pagination,
  names: readonly string[],
): Judgement | undefined {
  const usedFilters = Object.keys(pagination.values);
  const isJudged = usedFilters.length > 0 && usedFilters.every((name) => names.includes(name));
  if (!isJudged || snapshot.pagination === pagination || snapshot.finalPagination === pagination) return undefined;
  const { expectedRecords, missing } = findMissing(context, snapshot, pagination);
  if (missing.length === 0) return expectedRecords.length === 0 ? undefined : agrees(...usedFilters.map(lostValueMutant));
  return unlessExplained(context, snapshot, pagination, contradictSelection(pagination, missing));
}

const unionRule = ruleAbout(isList, {
  id: 'filters/union',
  title: 'Several values of a filter return the records for each value',
  why: 'A client that asks for two states and gets one misses the records of the other.',
  strength: 'stated',
  place: (list, contract) => {
    const [name] = predictableFilters(contract, list).filter((each) => list.collection.filters.get(each)?.operator === 'any-of');
    return list.parameters.find((parameter) => parameter.key === name)?.place;
  },
  examine: async (context, list) => {
    const mutants = mutantsOfKinds(context.contract, list, ['filter-first-only', 'filter-last-only', 'filter-whole-text']);
    const snapshot = await context.snapshot(list);
    const filterValues = [...pairsOfValues(context, snapshot), ...drawFilters(context, snapshot, 2)];
    return examineSelections(context, list, { mutants, filterValues, fallbackRule: 'filters/complete', times: 1 });
  },
});

/** Maximum number of values of a filter from which pairs are made. */
const maxPairedValues = 6;

/** Pairs of observed values, for filters that take several values. */
function pairsOfValues(context: RoundContext, snapshot: Snapshot): readonly ParameterValues[] {
  const { operation } = snapshot;
  return predictableFilters(context.contract, operation).flatMap((name) => {
    const filter = operation.collection.filters.get(name);
    if (filter?.operator !== 'any-of') return [];
    const values = takeEvenly(observedValues(snapshot, name), maxPairedValues);
    return values.flatMap((first) =>
      values.filter((second) => second !== first).map((second): ParameterValues => ({ [name]: [first, second] })),
    );
  });
}

const conjunctionRule = ruleAbout(isList, {
  id: 'filters/conjunction',
  title: 'Several filters apply together',
  why: 'Clients combine filters. They cannot trust a combination that applies only one of them, or either of them.',
  strength: 'implied',
  place: (list, contract) =>
    predictableFilters(contract, list).length > 1 || filterBesideSearch({ contract }, list) !== undefined
      ? collectionPlace(list)
      : undefined,
  examine: async (context, list) => {
    const [only, ...others] = predictableFilters(context.contract, list);
    const besideSearch = filterBesideSearch(context, list);
    if (besideSearch !== undefined && besideSearch === only && others.length === 0)
      return examineSearchWithFilter(context, list, besideSearch);
    const mutants = mutantsOfKinds(context.contract, list, ['filters-either', 'filter-ignored-beside-other']);
    const snapshot = await context.snapshot(list);
    const filterValues = drawFilters(context, snapshot, 2);
    const plan: SelectionPlan = { mutants, filterValues, fallbackRule: 'filters/complete', times: 1 };
    const examination = await examineSelections(context, list, plan);
    if (wholePaginationsOf(context, snapshot).every((pagination) => isAsPredicted(snapshot, pagination))) return examination;
    // A mistake of two filters shows best without a third filter. The requests are sent only after a wrong result.
    const twoFilters = filterValues.filter((values) => Object.keys(values).length === 2);
    const twoFilterExamination = await examineSelections(context, list, { ...plan, filterValues: twoFilters });
    return { mutants: examination.mutants, judge: () => [examination.judge(), twoFilterExamination.judge()] };
  },
});

/** The filters of a list whose parameters list their values. */
function filtersWithListedValues(list: ListOperation): readonly string[] {
  return [...list.collection.filters.keys()].filter((name) => listedValues(list, name).length > 0);
}

const listedValuesRule = ruleAbout(isList, {
  id: 'filters/values',
  title: 'Every listed value of a filter is accepted',
  why: 'A client that reads the list state by state fails at a value that is rejected.',
  strength: 'stated',
  place: (list) => (filtersWithListedValues(list).length > 0 ? collectionPlace(list, 'filters') : undefined),
  examine: async (context, list) =>
    examineRequests(
      context,
      filtersWithListedValues(list).flatMap((name) => listedValueRequests(context, list, name)),
    ),
});

/** Requests with each listed value. In a quick run, one request has all values if the parameter takes several, or else only two values are sent. */
function listedValueRequests({ quick }: RoundContext, list: ListOperation, name: string): readonly RequestExpectation[] {
  const listed = listedValues(list, name);
  const singleSelections = listed.map((value) => filterBy(list, name, value));
  const takesList = list.collection.filters.get(name)?.operator === 'any-of';
  const selections = quick ? (takesList ? [{ [name]: listed }] : singleSelections.slice(0, 2)) : singleSelections;
  return selections.map((values) =>
    mustSucceed({ call: firstPageCall(list, values), what: describeValues(values), clause: parameterPlace(list, name) }),
  );
}

const unknownValueRule = refusalRule({
  id: 'filters/unknown-value',
  title: 'A value that a filter does not list is rejected',
  why: 'If a mistyped value is ignored, the client gets everything. If it matches nothing, the list looks empty. Clients believe both.',
  strength: 'stated',
  attempts: (contract, list) => {
    const isFirst = contract.operations.filter(isList).find((each) => filtersWithListedValues(each).length > 0) === list;
    return filtersWithListedValues(list).flatMap((name, index) => {
      const [listedValue] = listedValues(list, name);
      // A known value beside an unknown one is sent only once in a run, since servers parse all lists with the same code.
      const mixed = isFirst && index === 0 && listedValue !== undefined ? [`${printParameterValue(listedValue)},no_such_value`] : [];
      return refusedTexts(contract, list, name, ['unknown-value'], ['no_such_value', ...mixed]);
    });
  },
});

const partitionRule = ruleAbout(isList, {
  id: 'filters/partition',
  title: 'All listed values of a filter together return the unfiltered list',
  why: 'A client that reads the list state by state must end up with everything. The unfiltered list must not hide a state.',
  strength: 'implied',
  slow: true,
  place: (list, contract) => {
    const [name] = enumFilters(contract, list);
    return name === undefined ? undefined : parameterPlace(list, name);
  },
  examine: async (context, list) => {
    const snapshot = await context.snapshot(list);
    const names = enumFilters(context.contract, list);
    const mutants = names.map((name) =>
      candidate('filter-value-hidden', 'a list of some records that can be read in full', { parameter: name, value: 'some values' }, name),
    );
    return examineInTurn(context, mutants, mutants, async (mutant) => {
      const paginations = await readByListedValue(context, snapshot, names[mutants.indexOf(mutant)] ?? '');
      return () => judgeValues(context, snapshot, mutant, paginations);
    });
  },
});

/** Judges the lists of each value: their records must be in the unfiltered list, which was read before and after them. */
function judgeValues(
  context: RoundContext,
  snapshot: Snapshot,
  mutant: Candidate,
  paginations: readonly Pagination[],
): Judgement | undefined {
  const { operation } = snapshot;
  const hiddenRecords = findMissingFromWholeList(context, snapshot).filter(({ pagination }) => paginations.includes(pagination));
  const [first] = hiddenRecords;
  if (first === undefined) {
    const isSeen = paginations.some((each) => each.records.length > 0 && stableRecords(context, snapshot, each).length > 0);
    return isSeen ? agrees(mutant) : undefined;
  }
  const keys = hiddenRecords.map(({ key }) => key);
  const contradiction = contradicts({
    replies: [...first.pagination.replies.slice(0, 1), ...(snapshot.finalPagination?.replies ?? []).slice(-1)],
    expected: `${operation.id} without a filter must return ${describeRecords(operation, keys)}, which it returns with ${describeValues(first.pagination.values)}`,
    actual: `two reads of the whole list do not contain ${keys.length === 1 ? 'it' : 'them'}`,
    records: [first.record],
    mutant,
    recordKeys: keys,
  });
  const isByValue = findHidingFilter(context.contract, snapshot, hiddenRecords) !== undefined;
  return isByValue ? contradiction : reportedBy(isNumbered(operation) ? 'pages/partition' : 'paging/complete', contradiction);
}

const noMatchRule = ruleAbout(isList, {
  id: 'filters/no-match',
  title: 'Filters that match nothing return an empty list',
  why: 'A client must be able to tell a quiet day from an error.',
  strength: 'stated',
  slow: true,
  place: (list, contract) =>
    predictableFilters(contract, list).length > 1 || searchParameter(list) !== undefined ? collectionPlace(list, 'filters') : undefined,
  examine: async (context, list) => {
    const snapshot = await context.snapshot(list);
    const emptySelection = allWithinBase(snapshot, drawFilters(context, snapshot, 1)).find(
      (each) => matchingRecords(list, snapshot.records, each).length === 0,
    );
    const name = searchParameter(list);
    // This rule requires only a success for a search without matches; `search/narrows` judges its records.
    const texts = name === undefined ? [] : meaninglessTexts(context, snapshot).slice(0, 1);
    const requests = [
      ...(emptySelection === undefined ? [] : [mustMatch(list, emptySelection, firstPageCall(list, emptySelection))]),
      ...texts.map((text) => mustSucceed({ call: searchCall(context, list, text), what: `${name}=${text}` })),
    ];
    const refusedMutant = candidate('no-match-refused', 'records whose values make filters that none of them passes');
    return examineRequests(context, requests, [refusedMutant]);
  },
});

const exploredRule = ruleAbout(isList, {
  id: 'filters/explored',
  title: 'Any combination of filters gives what the snapshot predicts',
  why: 'Filters that work alone and in pairs may still fail in larger combinations, for example with a third filter or a fourth value.',
  strength: 'implied',
  slow: true,
  place: (list, contract) => (explorationMutants(contract, list).length > 0 ? collectionPlace(list, 'filters') : undefined),
  examine: async (context, list) => {
    const snapshot = await context.snapshot(list);
    const mutants = explorationMutants(context.contract, list);
    const plan: SelectionPlan = { mutants, filterValues: drawFilters(context, snapshot, 1), times: 1 };
    const { paginations, ...examination } = await examineSelections(context, list, plan);
    const smallerPaginations: Pagination[] = [];
    for (const each of paginations)
      if (!isAsPredicted(snapshot, each)) smallerPaginations.push(...(await shrinkCombination(context, snapshot, each)));
    return {
      ...examination,
      judge: () => [examination.judge(), smallerPaginations.map((each) => judgeSelection(context, snapshot, each, plan))],
    };
  },
});

/** The mistakes that only larger combinations show. */
function explorationMutants(contract: Contract, list: ListOperation): readonly PredictableMutant[] {
  return mutantsOfKinds(contract, list, ['filter-third-ignored', 'filter-members-capped']);
}

/** Shrinks a wrong combination: removes one filter after another while the result stays wrong. The snapshot predicts each right result. */
async function shrinkCombination(context: RoundContext, snapshot: Snapshot, pagination: Pagination): Promise<readonly Pagination[]> {
  const smallerPaginations: Pagination[] = [];
  let smallest = pagination;
  for (const name of Object.keys(pagination.values)) {
    const values = Object.fromEntries(Object.entries(smallest.values).filter(([each]) => each !== name));
    if (name in snapshot.base || Object.keys(values).length === 0) continue;
    const smallerPagination = await readSelection(context, snapshot, values);
    if (isAsPredicted(snapshot, smallerPagination)) continue;
    smallerPaginations.push(smallerPagination);
    smallest = smallerPagination;
  }
  return smallerPaginations;
}

/** The rules, in the order of a run. */
export const filterRules: readonly Rule[] = [
  soundRule,
  completeRule,
  unionRule,
  conjunctionRule,
  listedValuesRule,
  unknownValueRule,
  partitionRule,
  noMatchRule,
  exploredRule,
];

/**
 * Sends the filter values that kill the most mutants, and judges the replies by the snapshot at the end of the round. Only records that are known to be
 * unchanged, and those in the same exchange as their filters, count as evidence.
 */

import { isObject } from '../../../../core/json.ts';
import type { MutantId, MutantIdentity, MutantKind } from '../../../../core/mutants/mutant-catalogue.ts';
import type { Contract } from '../../../../core/openapi/contract.ts';
import { isList, type ListOperation } from '../../../../core/openapi/list-operation.ts';
import type { RuleId } from '../../../../core/results/rule-id.ts';
import { type Reply, recordsIn } from '../../evidence/call.ts';
import { filterPlace } from '../../evidence/clause-places.ts';
import { withinBase } from '../../evidence/filter-values.ts';
import { comparePagination } from '../../evidence/pagination/compare-with-snapshot.ts';
import { explainsMore, explanationOf, explanationsOf, wholePaginationsOf } from '../../evidence/pagination/find-explaining-mutant.ts';
import { largestLimit, type Pagination, paginationPlanOf } from '../../evidence/pagination/pagination.ts';
import { mutantsOfKinds, type PredictableMutant, predict } from '../../evidence/pagination/predict-filter-mutants.ts';
import { readSelection } from '../../evidence/read-filtered-lists.ts';
import {
  fieldOf,
  findFailedFilter,
  keysOf,
  nonMatchingRecords,
  type ParameterValues,
  recordKeyOf,
  toFilterArguments,
} from '../../evidence/record-keys-and-filters.ts';
import type { StableRecord } from '../../evidence/record-readings.ts';
import type { RoundContext } from '../../evidence/round-context.ts';
import type { Snapshot } from '../../evidence/snapshot.ts';
import { describeRecords, describeValues, showField } from '../describe-values.ts';
import {
  agrees,
  type Candidate,
  type Contradiction,
  contradicts,
  dataMoved,
  type Examination,
  type Judgement,
  type Judgements,
  listJudgements,
  type Rule,
  reportedBy,
  ruleAbout,
} from '../rule.ts';

/** The plan of a rule: its mutants, and the filter values that could kill them. */
export interface SelectionPlan {
  readonly mutants: readonly PredictableMutant[];
  readonly filterValues: readonly ParameterValues[];
  /** Number of observations that must contradict each mutant; more for more trust. Default: two, or one in a quick run. */
  readonly times?: number | undefined;
  /** The rule that reports a violation that no mutant explains. Default: the rule itself. */
  readonly fallbackRule?: RuleId;
}

/** An examination with the paginations that it read. */
interface SelectionExamination extends Examination {
  readonly paginations: readonly Pagination[];
}

/** Sends the filters that kill the mutants of a plan, the most effective first, and judges the replies. */
export async function examineSelections(
  context: RoundContext,
  operation: ListOperation,
  plan: SelectionPlan,
): Promise<SelectionExamination> {
  const snapshot = await context.snapshot(operation);
  const { mutants } = plan;
  const paginations: Pagination[] = [];
  const counts = new Map<MutantId, number>(mutants.map((mutant) => [mutant.id, 0]));
  const wantedTimes = plan.times ?? (context.quick ? 1 : 2);
  // Quick runs only send selections of one page.
  let choices = snapshot.isComplete ? toChoices(snapshot, plan).filter((choice) => !context.quick || choice.cost === 1) : [];
  for (;;) {
    const best = chooseNext(choices, counts, wantedTimes);
    if (best === undefined) break;
    choices = choices.filter((each) => each !== best);
    paginations.push(await readSelection(context, snapshot, best.values));
    for (const id of best.kills) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return {
    mutants: mutants.map((mutant) => withMissingData(mutant, snapshot)),
    paginations,
    judge: () => [
      paginations.map((pagination) => judgeSelection(context, snapshot, pagination, plan)),
      judgeOtherPaginations(context, snapshot, paginations, plan),
    ],
  };
}

function withMissingData(mutant: PredictableMutant, snapshot: Snapshot): Candidate {
  const missing = snapshot.isComplete
    ? mutant.missing
    : `a list that can be read in full (this one has more than ${snapshot.records.length} records, and no filter cuts out fewer)`;
  return { id: mutant.id, title: mutant.title, missing };
}

/** Filter values to send, with the mutants that they can kill. */
interface SelectionChoice {
  readonly values: ParameterValues;
  /** The mutants that would return other records. */
  readonly kills: readonly MutantId[];
  /** Number of requests. */
  readonly cost: number;
}

function toChoices(snapshot: Snapshot, { filterValues, mutants }: SelectionPlan): readonly SelectionChoice[] {
  const { operation, records } = snapshot;
  return filterValues.flatMap((filterValue) => {
    const values = withinBase(snapshot, filterValue);
    if (values === undefined) return [];
    const filterArguments = toFilterArguments(values);
    const matches = records.map(operation.collection.query.matching(filterArguments));
    const isKilled = (mutant: PredictableMutant): boolean => {
      const accepts = mutant.accepting(filterArguments);
      return records.some((record, index) => accepts(record) !== matches[index]);
    };
    const kills = mutants.filter((mutant) => isConcerned(mutant, values) && isKilled(mutant)).map(({ id }) => id);
    const size = matches.filter(Boolean).length;
    return kills.length === 0 ? [] : [{ values, kills, cost: Math.max(1, Math.ceil(size / largestLimit(operation))) }];
  });
}

/** True if the values have all parameters that a mutant changes. */
function isConcerned({ parameters }: PredictableMutant, values: ParameterValues): boolean {
  return parameters.every((name) => name in values);
}

/** The choice that kills the most living mutants for the fewest requests. */
function chooseNext(
  choices: readonly SelectionChoice[],
  counts: ReadonlyMap<MutantId, number>,
  wantedTimes: number,
): SelectionChoice | undefined {
  let best: { readonly choice: SelectionChoice; readonly score: number } | undefined;
  for (const choice of choices) {
    const openMutants = choice.kills.filter((id) => (counts.get(id) ?? 0) < wantedTimes);
    const score = openMutants.length / choice.cost;
    if (openMutants.length > 0 && score > (best?.score ?? 0)) best = { choice, score };
  }
  return best?.choice;
}

/**
 * Judges one pagination by the records that did not change while it was read. A wrong one is reported with a mutant that explains every observation of
 * its filters. If a mutant of another rule explains more, that rule reports it. If none explains it, the plan's fallback rule does, or else this rule.
 */
export function judgeSelection(
  context: RoundContext,
  snapshot: Snapshot,
  pagination: Pagination,
  plan: Pick<SelectionPlan, 'mutants' | 'fallbackRule'>,
): Judgement | undefined {
  if (pagination.end !== 'complete') return reportedBy(pagination.end === 'broken' ? 'response/status' : 'paging/progress');
  const { operation } = snapshot;
  const comparison = comparePagination(context, snapshot, pagination);
  const { stable: stableRecords, wrongRecords, filterArguments } = comparison;
  if (stableRecords.length === 0)
    return snapshot.records.length === 0 ? undefined : dataMoved(`no record of ${operation.id} stayed unchanged`);
  if (wrongRecords.length > 0) return judgeWrongSelection(context, snapshot, pagination, plan);
  const matches = operation.collection.query.matching(filterArguments);
  const killedMutants = plan.mutants.filter((mutant) => {
    const accepts = mutant.accepting(filterArguments);
    return stableRecords.some(({ record }) => accepts(record) !== matches(record));
  });
  return killedMutants.length === 0 ? undefined : agrees(...killedMutants);
}

function judgeWrongSelection(
  context: RoundContext,
  snapshot: Snapshot,
  pagination: Pagination,
  plan: Pick<SelectionPlan, 'mutants' | 'fallbackRule'>,
): Judgement {
  const { operation } = snapshot;
  const explanations = explanationsOf(context, snapshot, pagination, plan.mutants);
  const otherMutant = explanationOf(context, snapshot, pagination);
  const [mutant] = explanations;
  const finding = contradictSelection(pagination, comparePagination(context, snapshot, pagination).wrongRecords, mutant);
  if (otherMutant !== undefined && explainsMore(context, snapshot, otherMutant, mutant)) return reportedBy(otherMutant.rule, finding);
  if (mutant === undefined && plan.fallbackRule !== undefined) return reportedBy(plan.fallbackRule);
  if (mutant === undefined) return finding;
  // Of several filters, the one that a wrong record does not pass shows the mistake.
  const firstRecord = (finding.records ?? []).slice(0, 1).filter(isObject);
  const parameter = findFailedFilter(operation, firstRecord, pagination.values) ?? mutant.parameters[0];
  const clause = parameter === undefined ? undefined : filterPlace(operation, parameter);
  return {
    ...finding,
    ...showFilteredField(context, operation, finding, parameter),
    clause,
    mutants: explanations,
    neededFilters: mutant.parameters,
  };
}

/** The value by which the first record of a finding does, or does not, pass a filter. */
function showFilteredField(
  { contract }: RoundContext,
  list: ListOperation,
  { actual, records: [first] = [] }: Contradiction,
  parameter: string | undefined,
): Pick<Contradiction, 'actual' | 'field'> {
  const filter = parameter === undefined ? undefined : list.collection.filters.get(parameter);
  if (filter === undefined || !('field' in filter) || !isObject(first)) return { actual };
  return { actual: `${actual}; ${showField(contract, list, first, filter.field)}`, field: filter.field };
}

/** Judges the wrong paginations of other rules that a mutant of this rule explains. */
function judgeOtherPaginations(
  context: RoundContext,
  snapshot: Snapshot,
  paginations: readonly Pagination[],
  plan: SelectionPlan,
): readonly Judgement[] {
  const wrongPaginations = wholePaginationsOf(context, snapshot).filter(
    (pagination) => !paginations.includes(pagination) && comparePagination(context, snapshot, pagination).wrongRecords.length > 0,
  );
  return wrongPaginations
    .map((pagination) => judgeWrongSelection(context, snapshot, pagination, plan))
    .filter((finding) => finding.kind === 'contradicts' && finding.mutant !== undefined);
}

/** Makes the finding that a pagination lacks records, or contains records that do not match. */
export function contradictSelection(pagination: Pagination, wrongRecords: readonly StableRecord[], mutant?: MutantIdentity): Contradiction {
  const { operation, replies, pages } = pagination;
  const returnedKeys = new Set(keysOf(operation, pagination.records));
  const missing = wrongRecords.filter((each) => !returnedKeys.has(each.key));
  const isMissing = missing.length > 0;
  const namedRecords = isMissing ? missing : wrongRecords;
  const [first] = namedRecords;
  const recordKeys = namedRecords.map((each) => each.key);
  const [requestText, recordsText] = [`${operation.id} with ${describeValues(pagination.values)}`, describeRecords(operation, recordKeys)];
  const sharedMembers = {
    records: namedRecords.slice(0, 3).map(({ record }) => record),
    mutant,
    recordKeys,
    paginationPlan: paginationPlanOf(pagination),
  };
  if (!isMissing || first === undefined)
    return contradicts({
      replies: replies.filter((_, page) => pages[page]?.some((record) => recordKeyOf(operation, record) === first?.key)).slice(0, 1),
      expected: `${requestText} must return only records that match`,
      actual: `the response also contains ${recordsText}`,
      ...sharedMembers,
    });
  return contradicts({
    replies: [first.before.reply, ...(replies.length <= 2 ? replies : replies.slice(-1))],
    expected: `${requestText} must return ${recordsText}, as the whole list does`,
    actual: `${recordKeys.length === 1 ? 'it is' : 'they are'} missing`,
    ...sharedMembers,
  });
}

/**
 * Finds the records of a reply that do not match some of the filters that were sent. Records and filters belong to the same exchange, so a change of the
 * data cannot excuse a wrong record.
 */
export function judgeUnmatched(
  { contract }: RoundContext,
  list: ListOperation,
  reply: Reply,
  filters: readonly string[],
): Contradiction | undefined {
  const { operation, raw = [], values: sentValues = {} } = reply.call;
  if (operation.id !== list.id || raw.length > 0) return undefined;
  const values = Object.fromEntries(Object.entries(sentValues).filter(([name]) => filters.includes(name)));
  const wrongRecords = nonMatchingRecords(list, recordsIn(reply) ?? [], values);
  const [first] = wrongRecords;
  if (first === undefined) return undefined;
  const field = fieldOf(list, findFailedFilter(list, wrongRecords, values) ?? '');
  const keys = keysOf(list, wrongRecords);
  const mismatch = field === undefined ? '' : `; ${showField(contract, list, first, field)}`;
  return contradicts({
    replies: [reply],
    expected: `${list.id} with ${describeValues(values)} must return only records that match`,
    actual: `${describeRecords(list, keys)} ${keys.length === 1 ? 'does' : 'do'} not match${mismatch}`,
    records: wrongRecords.slice(0, 3),
    recordKeys: keys,
  });
}

/** A rule about filters: its texts, mutants and requests. */
interface SelectionRule extends Omit<Rule, 'clause' | 'examine'> {
  /** The kinds of mutants that the rule kills. */
  readonly kinds: readonly MutantKind[];
  /** The parameters of the filters that the rule is about. */
  readonly filters: (contract: Contract, list: ListOperation) => readonly string[];
  /** The filter values to choose from. */
  readonly filterValues: (context: RoundContext, snapshot: Snapshot, filters: readonly string[]) => readonly ParameterValues[];
  /** Number of observations that must contradict each mutant. Default: two, or one in a quick run. */
  readonly times?: number;
  /** The rule that reports a violation that no mutant explains. Default: `filters/complete`. */
  readonly fallbackRule?: RuleId;
  /** Additional findings in everything that the round has read. */
  readonly alsoJudge?: (context: RoundContext, snapshot: Snapshot) => Judgements;
  /** True for a finding that counts. Default: all count. */
  readonly isEvidence?: (finding: Judgement) => boolean;
}

/** Makes a rule about filters. Its place is that of the first filter with such a mutant. */
export function selectionRule({
  kinds,
  filters,
  filterValues,
  times,
  fallbackRule = 'filters/complete',
  alsoJudge,
  isEvidence,
  ...texts
}: SelectionRule): Rule {
  const mutantsOf = (contract: Contract, list: ListOperation): readonly PredictableMutant[] => {
    const names = filters(contract, list);
    return mutantsOfKinds(contract, list, kinds).filter(({ parameters: [name = ''] }) => names.includes(name));
  };
  return ruleAbout(isList, {
    ...texts,
    place: (list, contract) => {
      const parameter = mutantsOf(contract, list)[0]?.parameters[0];
      return parameter === undefined ? undefined : filterPlace(list, parameter);
    },
    examine: async (context, list) => {
      const snapshot = await context.snapshot(list);
      const { mutants, judge } = await examineSelections(context, list, {
        mutants: mutantsOf(context.contract, list).map((each) => predict(list, each, snapshot.records)),
        filterValues: filterValues(context, snapshot, filters(context.contract, list)),
        fallbackRule,
        times,
      });
      return {
        mutants,
        judge: () => [listJudgements(judge()).filter((finding) => isEvidence?.(finding) ?? true), alsoJudge?.(context, snapshot)],
      };
    },
  });
}

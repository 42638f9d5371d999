/**
 * Asking a list for a selection of its records, and judging the answer by the snapshot: which of the records that are known not to have changed
 * should be there, and which mutants would have given others.
 */

import type { MutantId, MutantIdentity, MutantKind } from '../../../core/mutants/mutant-catalogue.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { isList, type ListOperation } from '../../../core/openapi/list-operation.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import type { RuleId } from '../../../core/results/rule-id.ts';
import { filterPlace } from '../engine/clauses.ts';
import { keyOf, type Pagination, type ParameterValues, paginationPlanOf, toFilterArguments } from '../engine/paginate.ts';
import { mutantsOfKinds, type PredictableMutant, predict } from '../engine/predictable-mutants.ts';
import type { StableRecord } from '../engine/readings.ts';
import type { RunContext } from '../engine/run-context.ts';
import { checkpointOf, largestPage, type Snapshot } from '../engine/snapshot.ts';
import { comparePagination, explanationOf, explanationsOf, isBetterNamed, paginationsOf } from './explain-selection.ts';
import {
  agrees,
  type Candidate,
  type Contradiction,
  contradicts,
  dataMoved,
  describeRecords,
  describeValues,
  type Examination,
  reportedBy,
  type Judgement,
  type Judgements,
  listJudgements,
  type Rule,
  ruleAbout,
} from './rule.ts';

/** Plan of a rule's selections: its mutants, and the filters that could show them. */
export interface SelectionPlan {
  readonly mutants: readonly PredictableMutant[];
  readonly candidates: readonly ParameterValues[];
  /** Number of observations that must contradict each mutant; more for more trust. */
  readonly times?: number | undefined;
  /** The rule that names what none of the mutants explains. */
  readonly fallbackRule: RuleId;
}

/** Adds the filter that cuts out the snapshot; `undefined` when the values would leave it. */
export function withinBase(snapshot: Snapshot, values: ParameterValues): ParameterValues | undefined {
  const { operation, base } = snapshot;
  const checkpoint = checkpointOf(operation);
  for (const [name, value] of Object.entries(base)) {
    const wanted = values[name];
    if (wanted === undefined || wanted === value) continue;
    // A later checkpoint stays inside; any other value asks for other records.
    const isInside =
      name === checkpoint &&
      snapshot.records.every((record) => !matches(operation, record, { [name]: wanted }) || matches(operation, record, { [name]: value }));
    if (!isInside || !snapshot.records.some((record) => !matches(operation, record, { [name]: wanted }))) return undefined;
  }
  return { ...base, ...values };
}

function matches(operation: ListOperation, record: DataRecord, values: ParameterValues): boolean {
  return operation.collection.query.matches(record, toFilterArguments(values));
}

/** Asks for a selection. */
export function select(context: RunContext, { operation, as, pagination }: Snapshot, values: ParameterValues): Promise<Pagination> {
  return context.pagination({ operation, values, limit: largestPage(operation), as, maxPages: pagination.replies.length + 3 });
}

/** Makes the selections that tell the mutants of a plan from the truth, the telling ones first, and judges them. */
export async function examineSelections(context: RunContext, operation: ListOperation, plan: SelectionPlan): Promise<Examination> {
  const snapshot = await context.snapshot(operation);
  const { mutants } = plan;
  const made: Pagination[] = [];
  const counts = new Map<MutantId, number>(mutants.map((mutant) => [mutant.id, 0]));
  const wanted = plan.times ?? (context.quick ? 1 : 2);
  // In quick runs no selection is worth several pages.
  let left = snapshot.isComplete ? toChoices(snapshot, plan).filter((choice) => !context.quick || choice.cost === 1) : [];
  for (;;) {
    const best = chooseNext(left, counts, wanted);
    if (best === undefined) break;
    left = left.filter((each) => each !== best);
    made.push(await select(context, snapshot, best.values));
    for (const id of best.separates) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return {
    mutants: mutants.map((mutant) => withReason(mutant, snapshot)),
    judge: () => [
      ...made.map((pagination) => judgeSelection(context, snapshot, pagination, plan)),
      ...judgeOthers(context, snapshot, made, plan),
    ],
  };
}

function withReason(mutant: PredictableMutant, snapshot: Snapshot): Candidate {
  const missing = snapshot.isComplete
    ? mutant.missing
    : `a list that can be read whole (this one has more than ${snapshot.records.length} records, and no filter cuts out fewer)`;
  return { id: mutant.id, title: mutant.title, missing };
}

interface Choice {
  readonly values: ParameterValues;
  /** The mutants that would give other records. */
  readonly separates: readonly MutantId[];
  /** Number of requests. */
  readonly cost: number;
}

function toChoices(snapshot: Snapshot, { candidates, mutants }: SelectionPlan): readonly Choice[] {
  const { operation, records } = snapshot;
  return candidates.flatMap((candidate) => {
    const values = withinBase(snapshot, candidate);
    if (values === undefined) return [];
    const given = toFilterArguments(values);
    const truth = records.map((record) => operation.collection.query.matches(record, given));
    const separates = mutants
      .filter((mutant) => isConcerned(mutant, values) && records.some((record, index) => mutant.accepts(record, given) !== truth[index]))
      .map(({ id }) => id);
    const size = truth.filter(Boolean).length;
    return separates.length === 0 ? [] : [{ values, separates, cost: Math.max(1, Math.ceil(size / largestPage(operation))) }];
  });
}

/** A mutant reads filters wrong that must be there to be read. */
function isConcerned({ parameters }: PredictableMutant, values: ParameterValues): boolean {
  return parameters.every((name) => name in values);
}

/** The selection that tells most of the mutants that are still open, for the fewest requests. */
function chooseNext(choices: readonly Choice[], counts: ReadonlyMap<MutantId, number>, wanted: number): Choice | undefined {
  let best: { readonly choice: Choice; readonly score: number } | undefined;
  for (const choice of choices) {
    const open = choice.separates.filter((id) => (counts.get(id) ?? 0) < wanted);
    const score = open.length / choice.cost;
    if (open.length > 0 && score > (best?.score ?? 0)) best = { choice, score };
  }
  return best?.choice;
}

/**
 * Judges one selection by the records that did not change while it was read. When it is wrong, only a mutant that fits all that was seen of its filters
 * is named; what another rule names is left to it.
 */
export function judgeSelection(
  context: RunContext,
  snapshot: Snapshot,
  pagination: Pagination,
  plan: Pick<SelectionPlan, 'mutants' | 'fallbackRule'>,
): Judgement | undefined {
  if (pagination.end !== 'complete') return reportedBy(pagination.end === 'broken' ? 'response/status' : 'paging/progress');
  const { operation } = snapshot;
  const comparison = comparePagination(context, snapshot, pagination);
  const { stable: witnesses, wrong, given } = comparison;
  if (witnesses.length === 0) return snapshot.records.length === 0 ? undefined : dataMoved(`no record of ${operation.id} stayed as it was`);
  if (wrong.length > 0) return explain(context, snapshot, pagination, plan);
  const truth = (each: StableRecord): boolean => operation.collection.query.matches(each.record, given);
  const telling = plan.mutants.filter((mutant) => witnesses.some((each) => mutant.accepts(each.record, given) !== truth(each)));
  return telling.length === 0 ? undefined : agrees(...telling);
}

function explain(
  context: RunContext,
  snapshot: Snapshot,
  pagination: Pagination,
  plan: Pick<SelectionPlan, 'mutants' | 'fallbackRule'>,
): Judgement {
  const explaining = explanationsOf(context, snapshot, pagination, plan.mutants);
  const named = explanationOf(context, snapshot, pagination);
  const [mutant] = explaining;
  if (named !== undefined && isBetterNamed(context, snapshot, named, mutant)) return reportedBy(named.rule);
  if (mutant === undefined) return reportedBy(plan.fallbackRule);
  const [parameter] = mutant.parameters;
  const clause = parameter === undefined ? undefined : filterPlace(snapshot.operation, parameter);
  return {
    ...contradictSelection(pagination, comparePagination(context, snapshot, pagination).wrong, mutant),
    clause,
    mutants: explaining,
  };
}

/** Paginations that other rules made, and that a mutant of this one explains. */
function judgeOthers(context: RunContext, snapshot: Snapshot, made: readonly Pagination[], plan: SelectionPlan): readonly Judgement[] {
  const others = paginationsOf(context, snapshot).filter(
    (pagination) => !made.includes(pagination) && comparePagination(context, snapshot, pagination).wrong.length > 0,
  );
  return others.map((pagination) => explain(context, snapshot, pagination, plan)).filter((finding) => finding.kind === 'contradicts');
}

/** Fault of a selection: missing records, or else records that do not belong there. */
export function contradictSelection(pagination: Pagination, wrong: readonly StableRecord[], mutant?: MutantIdentity): Contradiction {
  const { operation, replies, pages } = pagination;
  const seen = new Set(pagination.records.map((record) => keyOf(operation, record)));
  const missing = wrong.filter((each) => !seen.has(each.key));
  const isMissing = missing.length > 0;
  const shown = isMissing ? missing : wrong;
  const [first] = shown;
  const witnesses = shown.map((each) => each.key);
  const [what, named] = [`${operation.id} with ${describeValues(pagination.values)}`, describeRecords(operation, witnesses)];
  const common = { records: shown.slice(0, 3).map(({ record }) => record), mutant, witnesses, route: paginationPlanOf(pagination) };
  if (!isMissing || first === undefined)
    return contradicts({
      replies: replies.filter((_, page) => pages[page]?.some((record) => keyOf(operation, record) === first?.key)).slice(0, 1),
      expected: `${what} must return only records that match`,
      actual: `the response also contains ${named}`,
      ...common,
    });
  return contradicts({
    replies: [first.before.reply, ...(replies.length <= 2 ? replies : replies.slice(-1))],
    expected: `${what} must return ${named}, which the list contained before and after, unchanged`,
    actual: `${named} ${witnesses.length === 1 ? 'is' : 'are'} missing`,
    ...common,
  });
}

/** A rule of this shape: its texts, and its data. */
interface SelectionRule extends Omit<Rule, 'clause' | 'examine'> {
  /** The kinds of mutants of the contract's filters that it tells from the truth. */
  readonly kinds: readonly MutantKind[];
  /** The filters that the rule is about. */
  readonly filters: (contract: Contract, list: ListOperation) => readonly string[];
  /** The selections to choose from. */
  readonly candidates: (context: RunContext, snapshot: Snapshot, filters: readonly string[]) => readonly ParameterValues[];
  /** Number of times that each mutant is killed. Default: twice. */
  readonly times?: number;
  /** The rule that names what no mutant explains; `filters/complete` unless said otherwise. */
  readonly fallbackRule?: RuleId;
  /** Findings in what other rules asked, besides those of the selections. */
  readonly alsoJudge?: (context: RunContext, snapshot: Snapshot) => Judgements;
  /** True for a finding that concerns the rule. Default: all do. */
  readonly concerns?: (finding: Judgement) => boolean;
}

/** Makes the rule of its data. It is stated where the first filter with such a mutant is. */
export function selectionRule({ kinds, filters, candidates, times, fallbackRule: otherwise, alsoJudge, concerns, ...texts }: SelectionRule): Rule {
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
        candidates: candidates(context, snapshot, filters(context.contract, list)),
        fallbackRule: otherwise ?? 'filters/complete',
        times,
      });
      return {
        mutants,
        judge: () => [listJudgements(judge()).filter((finding) => concerns?.(finding) ?? true), alsoJudge?.(context, snapshot)],
      };
    },
  });
}

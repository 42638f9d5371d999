/**
 * Asking a list for a selection of its records, and judging the answer by the replica: which of the records that are known not to have changed
 * should be there, and which rivals would have given others.
 */

import type { MutantId, MutantIdentity, MutantKind } from '../../../core/mutants/mutant-catalogue.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import type { RuleId } from '../../../core/results/rule-id.ts';
import { filterPlace } from '../engine/clauses.ts';
import {
  isList,
  keyOf,
  type ListOperation,
  type Pagination,
  type ParameterValues,
  paginationPlanOf,
  toFilterArguments,
} from '../engine/paginate.ts';
import { mutantsOfKinds, type PredictableMutant, predict } from '../engine/predictable-mutants.ts';
import type { Witness } from '../engine/readings.ts';
import type { RunContext } from '../engine/run-context.ts';
import { checkpointOf, largestPage, type Snapshot } from '../engine/snapshot.ts';
import { compareWalk, explanationOf, explanationsOf, isBetterNamed, walksOf } from './explain-selection.ts';
import {
  agrees,
  type Candidate,
  type Contradiction,
  contradicts,
  dataMoved,
  describeRecords,
  describeValues,
  type Examination,
  explainedBy,
  type Judgement,
  type Judgements,
  type Law,
  listJudgements,
  ruleAbout,
} from './rule.ts';

/** How a law makes selections: which rivals it tells from the truth, and which filters could show them. */
export interface SelectionPlan {
  readonly rivals: readonly PredictableMutant[];
  readonly candidates: readonly ParameterValues[];
  /** How many observations each rival is to contradict; more for more trust. */
  readonly times?: number | undefined;
  /** The law that names what none of the rivals explains. */
  readonly otherwise: RuleId;
}

/** Adds the filter that cuts out the universe; `undefined` when the values would leave it. */
export function withinBase(universe: Snapshot, values: ParameterValues): ParameterValues | undefined {
  const { operation, base } = universe;
  const checkpoint = checkpointOf(operation);
  for (const [name, value] of Object.entries(base)) {
    const wanted = values[name];
    if (wanted === undefined || wanted === value) continue;
    // A later checkpoint stays inside; any other value asks for other records.
    const isInside =
      name === checkpoint &&
      universe.records.every((record) => !matches(operation, record, { [name]: wanted }) || matches(operation, record, { [name]: value }));
    if (!isInside || !universe.records.some((record) => !matches(operation, record, { [name]: wanted }))) return undefined;
  }
  return { ...base, ...values };
}

function matches(operation: ListOperation, record: DataRecord, values: ParameterValues): boolean {
  return operation.collection.query.matches(record, toFilterArguments(values));
}

/** Asks for a selection. */
export function select(lab: RunContext, { operation, as, walk }: Snapshot, values: ParameterValues): Promise<Pagination> {
  return lab.walk({ operation, values, limit: largestPage(operation), as, most: walk.replies.length + 3 });
}

/** Makes the selections that tell the rivals of a plan from the truth, the telling ones first, and judges them. */
export async function examineSelections(lab: RunContext, operation: ListOperation, plan: SelectionPlan): Promise<Examination> {
  const universe = await lab.universe(operation);
  const { rivals } = plan;
  const made: Pagination[] = [];
  const counts = new Map<MutantId, number>(rivals.map((rival) => [rival.id, 0]));
  const wanted = plan.times ?? (lab.quick ? 1 : 2);
  // In quick runs no selection is worth several pages.
  let left = universe.isComplete ? toChoices(universe, plan).filter((choice) => !lab.quick || choice.cost === 1) : [];
  for (;;) {
    const best = chooseNext(left, counts, wanted);
    if (best === undefined) break;
    left = left.filter((each) => each !== best);
    made.push(await select(lab, universe, best.values));
    for (const id of best.separates) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return {
    rivals: rivals.map((rival) => withReason(rival, universe)),
    judge: () => [...made.map((walk) => judgeSelection(lab, universe, walk, plan)), ...judgeOthers(lab, universe, made, plan)],
  };
}

function withReason(rival: PredictableMutant, universe: Snapshot): Candidate {
  const missing = universe.isComplete
    ? rival.missing
    : `a list that can be read whole (this one has more than ${universe.records.length} records, and no filter cuts out fewer)`;
  return { id: rival.id, title: rival.title, missing };
}

interface Choice {
  readonly values: ParameterValues;
  /** The rivals that would give other records. */
  readonly separates: readonly MutantId[];
  /** How many requests it takes. */
  readonly cost: number;
}

function toChoices(universe: Snapshot, { candidates, rivals }: SelectionPlan): readonly Choice[] {
  const { operation, records } = universe;
  return candidates.flatMap((candidate) => {
    const values = withinBase(universe, candidate);
    if (values === undefined) return [];
    const given = toFilterArguments(values);
    const truth = records.map((record) => operation.collection.query.matches(record, given));
    const separates = rivals
      .filter((rival) => isConcerned(rival, values) && records.some((record, index) => rival.accepts(record, given) !== truth[index]))
      .map(({ id }) => id);
    const size = truth.filter(Boolean).length;
    return separates.length === 0 ? [] : [{ values, separates, cost: Math.max(1, Math.ceil(size / largestPage(operation))) }];
  });
}

/** A rival reads filters wrong that must be there to be read. */
function isConcerned({ parameters }: PredictableMutant, values: ParameterValues): boolean {
  return parameters.every((name) => name in values);
}

/** The selection that tells most of the rivals that are still open, for the fewest requests. */
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
 * Judges one selection by the records that did not change while it was read. When it is wrong, only a rival that fits all that was seen of its filters
 * is named; what another law names is left to it.
 */
export function judgeSelection(
  lab: RunContext,
  universe: Snapshot,
  walk: Pagination,
  plan: Pick<SelectionPlan, 'rivals' | 'otherwise'>,
): Judgement | undefined {
  if (walk.end !== 'complete') return explainedBy(walk.end === 'broken' ? 'response/status' : 'paging/progress');
  const { operation } = universe;
  const comparison = compareWalk(lab, universe, walk);
  const { witnesses, wrong, given } = comparison;
  if (witnesses.length === 0) return universe.records.length === 0 ? undefined : dataMoved(`no record of ${operation.id} stayed as it was`);
  if (wrong.length > 0) return explain(lab, universe, walk, plan);
  const truth = (each: Witness): boolean => operation.collection.query.matches(each.record, given);
  const telling = plan.rivals.filter((rival) => witnesses.some((each) => rival.accepts(each.record, given) !== truth(each)));
  return telling.length === 0 ? undefined : agrees(...telling);
}

function explain(lab: RunContext, universe: Snapshot, walk: Pagination, plan: Pick<SelectionPlan, 'rivals' | 'otherwise'>): Judgement {
  const explaining = explanationsOf(lab, universe, walk, plan.rivals);
  const named = explanationOf(lab, universe, walk);
  const [rival] = explaining;
  if (named !== undefined && isBetterNamed(lab, universe, named, rival)) return explainedBy(named.rule);
  if (rival === undefined) return explainedBy(plan.otherwise);
  const [parameter] = rival.parameters;
  const clause = parameter === undefined ? undefined : filterPlace(universe.operation, parameter);
  return { ...contradictSelection(walk, compareWalk(lab, universe, walk).wrong, rival), clause, rivals: explaining };
}

/** Walks that other laws made, and that a rival of this one explains. */
function judgeOthers(lab: RunContext, universe: Snapshot, made: readonly Pagination[], plan: SelectionPlan): readonly Judgement[] {
  const others = walksOf(lab, universe).filter((walk) => !made.includes(walk) && compareWalk(lab, universe, walk).wrong.length > 0);
  return others.map((walk) => explain(lab, universe, walk, plan)).filter((finding) => finding.kind === 'contradicts');
}

/** What is wrong with a selection, by the records that are missing, or else by those that do not belong there. */
export function contradictSelection(walk: Pagination, wrong: readonly Witness[], rival?: MutantIdentity): Contradiction {
  const { operation, replies, pages } = walk;
  const seen = new Set(walk.records.map((record) => keyOf(operation, record)));
  const missing = wrong.filter((each) => !seen.has(each.key));
  const isMissing = missing.length > 0;
  const shown = isMissing ? missing : wrong;
  const [first] = shown;
  const witnesses = shown.map((each) => each.key);
  const [what, named] = [`${operation.id} with ${describeValues(walk.values)}`, describeRecords(operation, witnesses)];
  const common = { records: shown.slice(0, 3).map(({ record }) => record), rival, witnesses, route: paginationPlanOf(walk) };
  if (!isMissing || first === undefined)
    return contradicts({
      replies: replies.filter((_, page) => pages[page]?.some((record) => keyOf(operation, record) === first?.key)).slice(0, 1),
      expected: `${what} gives only records that satisfy it`,
      actual: `it also gives ${named}`,
      ...common,
    });
  return contradicts({
    replies: [first.before.reply, ...(replies.length <= 2 ? replies : replies.slice(-1))],
    expected: `${what} gives ${named}, which it showed before and after, unchanged`,
    actual: `${named} ${witnesses.length === 1 ? 'is' : 'are'} missing`,
    ...common,
  });
}

/** A rule of this shape: its texts, and its data. */
interface SelectionRule extends Omit<Law, 'clause' | 'examine'> {
  /** The kinds of mutants of the contract's filters that it tells from the truth. */
  readonly kinds: readonly MutantKind[];
  /** The filters that the rule is about. */
  readonly filters: (contract: Contract, list: ListOperation) => readonly string[];
  /** The selections to choose from. */
  readonly candidates: (lab: RunContext, universe: Snapshot, filters: readonly string[]) => readonly ParameterValues[];
  /** How often each mutant is refuted; twice unless said otherwise. */
  readonly times?: number;
  /** The rule that names what no mutant explains; `filters/complete` unless said otherwise. */
  readonly otherwise?: RuleId;
  /** Findings in what other rules asked, besides those of the selections. */
  readonly alsoJudge?: (lab: RunContext, universe: Snapshot) => Judgements;
  /** Whether a finding concerns the rule; all do unless said otherwise. */
  readonly concerns?: (finding: Judgement) => boolean;
}

/** Makes the rule of its data. It is stated where the first filter with such a mutant is. */
export function selectionRule({ kinds, filters, candidates, times, otherwise, alsoJudge, concerns, ...texts }: SelectionRule): Law {
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
    examine: async (lab, list) => {
      const universe = await lab.universe(list);
      const { rivals, judge } = await examineSelections(lab, list, {
        rivals: mutantsOf(lab.contract, list).map((each) => predict(list, each, universe.records)),
        candidates: candidates(lab, universe, filters(lab.contract, list)),
        otherwise: otherwise ?? 'filters/complete',
        times,
      });
      return {
        rivals,
        judge: () => [listJudgements(judge()).filter((finding) => concerns?.(finding) ?? true), alsoJudge?.(lab, universe)],
      };
    },
  });
}

/** Turns the findings of one rule in one round into a verdict, at the end of the round. Sends nothing, and does not compare rounds. */

import type { MutantId, MutantIdentity } from '../../core/mutants/mutant-catalogue.ts';
import type { RuleId } from '../../core/results/rule-id.ts';
import type { CheckResult, Mutant, Verdict } from '../../core/results/run-result.ts';
import type { Reply } from './evidence/call.ts';
import { type Candidate, type Contradiction, describeMissing, type Examination, type Judgement, listJudgements } from './rules/rule.ts';
import { subjectOf } from './violation-fingerprint.ts';

/** Conclusion of one round on one rule applied to one operation. */
export interface RoundOutcome {
  readonly verdict: Verdict;
  readonly instances: number;
  readonly killed: readonly KilledMutant[];
  readonly alive: readonly Candidate[];
  /** Reason for any verdict but `holds`; empty for that. */
  readonly message: string;
  /** The rule that reports what is wrong, for an inconclusive check whose responses are wrong for another reason. */
  readonly reportedBy?: RuleId;
  /** Contradictions that were left to other rules, for the case that those rules find no violation. */
  readonly deferred?: readonly DeferredContradiction[];
  /** Contradictions, the most severe first; empty for any verdict but `violated`. */
  readonly contradictions: readonly Contradiction[];
  /** Present if no repetition showed the contradictions again, and no change of the data explains them. */
  readonly flaky?: NonNullable<CheckResult['flaky']>;
  /** Present when an internal error ended the check. */
  readonly failure?: Error;
  /** Time of the requests of the check in milliseconds; those that an earlier check sent take none. */
  readonly durationMs?: number;
}

/** A mutant with the replies that killed it, as few as possible. */
interface KilledMutant extends Mutant {
  readonly replies: readonly Reply[];
}

/** A contradiction that is reported only if another rule has no violation. */
interface DeferredContradiction {
  readonly by: RuleId;
  readonly contradiction: Contradiction;
}

/** An outcome without any evidence. */
export function withoutEvidence(verdict: Verdict, message: string, alive: readonly Candidate[] = []): RoundOutcome {
  return { verdict, instances: 0, killed: [], alive, message, contradictions: [] };
}

/** The outcome of a check that an internal error ended. It says nothing about the target, and the other checks go on. */
export function failedOutcome(error: unknown, ended = 'this check'): RoundOutcome & { readonly failure: Error } {
  const failure = error instanceof Error ? error : new Error(String(error));
  const message = `Internal error: ${ended} was not completed (${failure.message}). Run it again with --debug and report the output`;
  return { ...withoutEvidence('blocked', message), failure };
}

/** The outcome of a violated rule. The gravest contradiction is its message. */
export function violatedOutcome(outcome: Omit<RoundOutcome, 'verdict' | 'message'>): RoundOutcome {
  return { ...outcome, verdict: 'violated', message: outcome.contradictions.slice(0, 1).map(describeContradiction).join('') };
}

/** Expected and actual result. */
export function describeContradiction({ expected, actual, message = `${expected}; ${actual}` }: Contradiction): string {
  return message;
}

/** Judges an examination. The gravest finding decides, and a rule holds only if some mutant was killed. */
export function concludeCheck({ mutants, judge }: Examination): RoundOutcome {
  const findings = listJudgements(judge());
  const agreeing = findings.filter((finding) => finding.kind === 'agrees');
  const killers = new Map<MutantId, readonly Reply[]>();
  for (const { kills, replies = [] } of agreeing)
    for (const id of kills) {
      const known = killers.get(id) ?? [];
      killers.set(id, known.length === 0 || (replies.length > 0 && replies.length < known.length) ? replies : known);
    }
  const killedIds = new Set(killers.keys());
  const killed = mutants.flatMap(({ id, title }): readonly KilledMutant[] => {
    const replies = killers.get(id);
    return replies === undefined ? [] : [{ id, title, replies }];
  });
  const alive = mutants.filter((mutant) => !killedIds.has(mutant.id));
  const deferred = findings.flatMap((finding): readonly DeferredContradiction[] =>
    finding.kind === 'reported-elsewhere' && finding.otherwise !== undefined ? [{ by: finding.by, contradiction: finding.otherwise }] : [],
  );
  const evidence = { instances: agreeing.length, killed, alive, deferred };
  const contradictions = groupByMistake(
    findings.filter((finding): finding is Contradiction => finding.kind === 'contradicts'),
    killedIds,
  );
  if (contradictions.length > 0) return violatedOutcome({ ...evidence, contradictions });
  if (killed.length > 0) return { ...evidence, verdict: 'holds', message: '', contradictions };
  return { ...evidence, ...explainMissingVerdict(findings, alive), contradictions };
}

/** Groups contradictions by mistake, each with the mutant that explains it; the most severe first. */
function groupByMistake(found: readonly Contradiction[], killed: ReadonlySet<string>): readonly Contradiction[] {
  const contradictions = found.map((each) => withoutKilled(each, killed));
  const explained = new Map<string, number>();
  for (const { mutants } of contradictions) for (const { id } of mutants) explained.set(id, (explained.get(id) ?? 0) + 1);
  const explainedContradictions = contradictions.map(({ mutants, ...each }): Contradiction => {
    const [mutant] = mutants.toSorted((left, right) => (explained.get(right.id) ?? 0) - (explained.get(left.id) ?? 0));
    return mutant === undefined ? each : { ...each, mutants, mutant };
  });
  const groups = new Map<string, Contradiction>();
  for (const each of explainedContradictions.toSorted(byGravity)) {
    const group = groups.get(subjectOf(each));
    groups.set(
      subjectOf(each),
      group === undefined ? each : { ...group, recordKeys: [...new Set([...group.recordKeys, ...each.recordKeys])] },
    );
  }
  return [...groups.values()].map((each) => ({
    ...each,
    sameSubject: explainedContradictions.filter((one) => subjectOf(one) === subjectOf(each)),
  }));
}

/** Removes the mutants that other findings have killed from those that explain a contradiction. */
function withoutKilled(
  { mutant, mutants = mutant === undefined ? [] : [mutant], ...each }: Contradiction,
  killed: ReadonlySet<string>,
): Omit<Contradiction, 'mutant' | 'mutants'> & { readonly mutants: readonly MutantIdentity[] } {
  return { ...each, mutants: mutants.filter(({ id }) => !killed.has(id)) };
}

/** Order of contradictions: first those that a mutant explains, then those with fewer filters, fewer exchanges and shorter requests. */
function byGravity(left: Contradiction, right: Contradiction): number {
  const weight = ({ mutant, replies, paginationPlan }: Contradiction): number =>
    (mutant === undefined ? 1000 : 0) + 10 * Object.keys(paginationPlan?.values ?? {}).length + replies.length;
  const length = ({ replies }: Contradiction): number => replies.reduce((sum, { request }) => sum + request.target.length, 0);
  return weight(left) - weight(right) || length(left) - length(right);
}

function explainMissingVerdict(
  findings: readonly Judgement[],
  alive: readonly Candidate[],
): Pick<RoundOutcome, 'verdict' | 'message' | 'reportedBy'> & Partial<Pick<RoundOutcome, 'alive'>> {
  const moved = findings.find((finding) => finding.kind === 'data-moved');
  if (moved?.kind === 'data-moved') return { verdict: 'inconclusive', message: `The data changed: ${moved.what}` };
  const reportedElsewhere = findings.find((finding) => finding.kind === 'reported-elsewhere');
  if (reportedElsewhere?.kind === 'reported-elsewhere')
    return {
      verdict: 'inconclusive',
      message: `The responses are wrong in a way that ${reportedElsewhere.by} reports`,
      reportedBy: reportedElsewhere.by,
    };
  const notCompared = findings.find((finding) => finding.kind === 'not-compared');
  if (notCompared?.kind === 'not-compared') {
    const missing = `a body that can be compared: ${notCompared.reason}`;
    return {
      verdict: 'not-exercised',
      message: `The body was not compared: ${notCompared.reason}`,
      alive: alive.map((each) => ({ ...each, missing })),
    };
  }
  const missing = [...new Set(alive.map(describeMissing))];
  return {
    verdict: 'not-exercised',
    message: missing.length === 0 ? 'No response could test this' : `The data lacks ${missing.join('; ')}`,
  };
}

/** The outcome with the contradictions that were left to rules without a violation; `undefined` if there are none. */
export function takeBack(outcome: RoundOutcome, violatedRules: ReadonlySet<RuleId>): RoundOutcome | undefined {
  if (outcome.verdict === 'violated') return undefined;
  const own = (outcome.deferred ?? []).filter(({ by }) => !violatedRules.has(by)).map(({ contradiction }) => contradiction);
  const killed = new Set(outcome.killed.map(({ id }) => id));
  return own.length === 0 ? undefined : violatedOutcome({ ...outcome, contradictions: groupByMistake(own, killed) });
}

/** Corrects the message of an inconclusive check after the run: the rule that would report what is wrong may have found nothing. */
export function withoutWrongReference(outcome: RoundOutcome, violatedRules: ReadonlySet<RuleId>): RoundOutcome {
  const { verdict, reportedBy } = outcome;
  if (verdict !== 'inconclusive' || reportedBy === undefined || violatedRules.has(reportedBy)) return outcome;
  const message = `Some responses are not as predicted, but ${reportedBy}, which would report this, found no violation; the data may have changed in between`;
  return { ...outcome, message };
}

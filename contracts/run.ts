/** A whole run: a first round for all laws, and further ones for what was contradicted, so that nothing is reported that was seen only once. */

import { printPlace } from '../core/errors.ts';
import type { Operation } from '../core/operation.ts';
import type { LawResult, RunEvent } from '../core/verdict.ts';
import type { Call } from './call.ts';
import { type Printing, printCounterexample } from './counterexample.ts';
import { fingerprintOf, subjectOf } from './fingerprint.ts';
import { roomInQuickRun } from './guarded.ts';
import { Lab, type LabSettings } from './lab.ts';
import type { Contradiction, Law } from './law.ts';
import { describe, failed, type Outcome, violated, withoutEvidence } from './outcome.ts';
import { type Concluded, noSuspects, playRound, type Round, type Subject, type Suspects, suspectsOf, type Task } from './round.ts';

/** How often what was contradicted is looked at again before a run gives up on live data that keeps moving. */
const confirmations = 3;

/** What a run concluded, and its first round, whose answers show what the contract leaves open. */
export interface Played {
  readonly results: readonly LawResult[];
  readonly first: Round;
}

/** What a run is made with. */
export interface RunSettings extends LabSettings {
  /** What an earlier run asked, and what is asked again at the operations that are judged. */
  readonly again?: readonly Call[] | undefined;
  readonly printing: Printing;
  readonly tell: (event: RunEvent) => void;
}

/** Plays all rounds, the first of them in a lab that may have seen something already. The others are not judged; they ask what some subjects look at. */
export async function playRun(settings: RunSettings, lab: Lab, subjects: readonly Subject[], others?: readonly Subject[]): Promise<Played> {
  const isPlayed = ({ law }: Subject): boolean => !(settings.quick && law.slow === true);
  const tasks = subjects.filter(isPlayed).map((subject): Task => ({ ...subject, suspects: askedBefore(settings, subject) }));
  const first = await playRound(settings, lab, tasks, 'looking', settings.tell, others?.filter(isPlayed));
  const settled = await confirm(settings, first);
  const byLaw = new Map(first.concluded.map((each) => [`${each.law.id} ${each.operation.id}`, settled.get(each) ?? each.outcome]));
  const unchecked = { id: 'unchecked', title: 'the law did not hold', missing: roomInQuickRun };
  const leftOut = withoutEvidence('not-exercised', 'Quick runs leave it out', [unchecked]);
  const results = subjects.map((subject) => toResult(settings, subject, byLaw.get(`${subject.law.id} ${subject.operation.id}`) ?? leftOut));
  return { first, results };
}

/** What an earlier run asked of an operation. */
function askedBefore({ again = [] }: RunSettings, { operation }: Subject): Suspects {
  const calls = again.filter((call) => call.operation.id === operation.id);
  return calls.length === 0 ? noSuspects : { calls, routes: [] };
}

/** Looks again at what was contradicted, until each contradiction is confirmed or given up. */
async function confirm(settings: RunSettings, { concluded }: Round): Promise<ReadonlyMap<Concluded, Outcome>> {
  const settled = new Map<Concluded, Outcome>();
  const looks = new Map<Concluded, readonly Outcome[]>();
  let doubtful = concluded.filter(({ outcome }) => outcome.verdict === 'violated');
  for (const each of doubtful) looks.set(each, [each.outcome]);
  for (let attempt = 1; attempt <= confirmations && doubtful.length > 0; attempt += 1) {
    const tasks = doubtful.map((each): Task => ({ ...each, suspects: suspectsOf(each.outcome, settings) }));
    const again = await playRound(settings, new Lab(settings), tasks, 'looking again', settings.tell);
    for (const [index, each] of doubtful.entries()) {
      const now = again.concluded[index]?.outcome ?? withoutEvidence('inconclusive', 'It was not looked at again');
      const before = looks.get(each) ?? [];
      const outcome = settle(before, now, attempt === confirmations);
      looks.set(each, [...before, now]);
      if (outcome !== undefined) settled.set(each, outcome);
    }
    doubtful = doubtful.filter((each) => !settled.has(each));
  }
  return settled;
}

/** What a further look makes of what was contradicted before; `undefined` when yet another one is needed. */
function settle(before: readonly Outcome[], now: Outcome, isLast: boolean): Outcome | undefined {
  const earlier = before.flatMap((look) => look.contradictions);
  const contradictions = now.contradictions.filter((each) => earlier.some((one) => isSame(one, each)));
  if (contradictions.length > 0) return violated({ ...now, contradictions, instances: (before[0]?.instances ?? 0) + now.instances });
  if (now.verdict === 'holds') return { ...now, verdict: 'inconclusive', message: `Seen once, and not again: ${before[0]?.message ?? ''}` };
  const isOver = now.verdict === 'blocked' || now.verdict === 'not-exercised';
  if (!isLast && !isOver) return undefined;
  const because = isOver ? now.message : 'the data moved';
  return {
    ...now,
    verdict: now.verdict === 'blocked' ? 'blocked' : 'inconclusive',
    message: `Seen once, and not confirmed (${because}): ${before[0]?.message ?? ''}`,
  };
}

/** Two looks contradict a law alike when they rest on one of the same records, or on no record at all and the same thing is wrong. */
function isSame(first: Contradiction, second: Contradiction): boolean {
  if (first.witnesses.length === 0 && second.witnesses.length === 0) return subjectOf(first) === subjectOf(second);
  return first.witnesses.some((witness) => second.witnesses.includes(witness));
}

/** What is reported of a law at an operation. */
export function toResult(
  settings: Pick<RunSettings, 'contract' | 'printing' | 'tell'>,
  subject: { readonly law: Omit<Law, 'examine'>; readonly operation: Operation },
  outcome: Outcome,
): LawResult {
  let [result, failure] = [undefined as LawResult | undefined, outcome.failure];
  try {
    result = describeResult(settings, subject, outcome);
  } catch (error) {
    const ended = failed(error);
    failure = ended.failure;
    result = describeResult(settings, subject, ended);
  }
  if (failure !== undefined) settings.tell({ kind: 'failed', error: failure });
  settings.tell({ kind: 'law', result });
  return result;
}

function describeResult(
  { contract, printing }: Pick<RunSettings, 'contract' | 'printing'>,
  { law, operation }: { readonly law: Omit<Law, 'examine'>; readonly operation: Operation },
  outcome: Outcome,
): LawResult {
  const { verdict, instances, refuted, open, message, contradictions, failure } = outcome;
  const stated = (failure === undefined ? law.clause(operation, contract) : undefined) ?? operation.place;
  const violations = contradictions.map((each) => ({
    fingerprint: fingerprintOf(law.id, operation.id, each),
    message: printing.clean(describe(each)),
    ...(each.rival === undefined ? {} : { diagnosis: printing.clean(`It behaves as if ${each.rival.title}`) }),
    counterexample: printCounterexample(printing, each, each.clause ?? stated),
  }));
  const [first, ...further] = violations;
  return {
    id: law.id,
    operation: operation.id,
    title: law.title,
    source: law.rfc ?? printPlace(contradictions[0]?.clause ?? stated),
    strength: law.strength,
    verdict,
    instances,
    refuted,
    open,
    message: printing.clean(message),
    ...first,
    ...(further.length === 0 ? {} : { further }),
    ...(failure === undefined ? {} : { failed: true }),
  };
}

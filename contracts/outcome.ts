/** From what a law saw to what is said of it. */

import type { Rival, Verdict } from '../core/verdict.ts';
import type { Candidate, Contradiction, Examination, Finding } from './law.ts';

/** What one round concludes of one law at one operation. */
export interface Outcome {
  readonly verdict: Verdict;
  readonly instances: number;
  readonly refuted: readonly Rival[];
  readonly open: readonly Candidate[];
  /** Why it does not simply hold; empty when it does. */
  readonly message: string;
  readonly contradiction?: Contradiction;
}

/** An outcome without any evidence. */
export function withoutEvidence(verdict: Verdict, message: string, open: readonly Candidate[] = []): Outcome {
  return { verdict, instances: 0, refuted: [], open, message };
}

/** Judges an examination: the gravest finding counts, and a law holds only when some rival was contradicted. */
export function conclude({ rivals, judge }: Examination): Outcome {
  const findings = judge();
  const agreeing = findings.flatMap((finding) => (finding.kind === 'agrees' ? [finding] : []));
  const refutedIds = new Set(agreeing.flatMap((finding) => finding.refutes));
  const refuted = rivals.filter((rival) => refutedIds.has(rival.id)).map(({ id, title }) => ({ id, title }));
  const open = rivals.filter((rival) => !refutedIds.has(rival.id));
  const evidence = { instances: agreeing.length, refuted, open };
  const contradiction = gravest(findings, refutedIds);
  if (contradiction !== undefined)
    return { ...evidence, verdict: 'violated', message: `${contradiction.expected}; ${contradiction.actual}`, contradiction };
  if (refuted.length > 0) return { ...evidence, verdict: 'holds', message: '' };
  return { ...evidence, ...inconclusive(findings, open) };
}

/**
 * The contradiction to show: one that a rival explains says more, and then the one with the fewest exchanges and the plainest requests. Of several
 * rivals that explain it, one that something else has refuted is none.
 */
function gravest(findings: readonly Finding[], refuted: ReadonlySet<string>): Contradiction | undefined {
  const all = findings
    .filter((finding): finding is Contradiction => finding.kind === 'contradicts')
    .map((finding) => withBestRival(finding, refuted));
  const weight = (each: Contradiction): number => (each.rival === undefined ? 100 : 0) + each.replies.length;
  const length = (each: Contradiction): number => each.replies.reduce((sum, reply) => sum + reply.request.target.length, 0);
  const [first, ...rest] = all.toSorted((left, right) => weight(left) - weight(right) || length(left) - length(right));
  if (first === undefined) return undefined;
  const same = rest.filter((each) => each.rival?.id === first.rival?.id);
  return { ...first, witnesses: [...new Set([first, ...same].flatMap((each) => each.witnesses))] };
}

function withBestRival(contradiction: Contradiction, refuted: ReadonlySet<string>): Contradiction {
  const standing = (contradiction.rivals ?? []).find((rival) => !refuted.has(rival.id));
  return standing === undefined ? contradiction : { ...contradiction, rival: standing };
}

function inconclusive(findings: readonly Finding[], open: readonly Candidate[]): Pick<Outcome, 'verdict' | 'message'> {
  const moved = findings.find((finding) => finding.kind === 'moved');
  if (moved?.kind === 'moved') return { verdict: 'inconclusive', message: `The data moved: ${moved.what}` };
  const obscured = findings.find((finding) => finding.kind === 'obscured');
  if (obscured?.kind === 'obscured') return { verdict: 'inconclusive', message: `The answers differ in a way that ${obscured.by} names` };
  const missing = [...new Set(open.map((rival) => rival.missing))];
  return {
    verdict: 'not-exercised',
    message: missing.length === 0 ? 'Nothing that could show it was seen' : `The data lacks ${missing.join('; ')}`,
  };
}

/**
 * The subject and the fingerprint of a violation, which stay the same between runs. `conclude-check.ts` and `play-run.ts` compare subjects in each round, and
 * `wrong-responses-of-violation.ts` those of mutants at its end. At the end of a run, `play-run.ts` puts both into results, `waivers.ts` recognises
 * fingerprints, and `find-causes.ts` joins digests. `pact check` joins digests for each finding, and at its end for each waiver. It judges nothing, and leaves
 * causes to `find-causes.ts`.
 */

import { createHash } from 'node:crypto';
import type { Contradiction } from './rules/rule-and-findings.ts';

/** Stable name of the violation: the place and the keyword of a schema, or the mutant that explains it. */
export function subjectOf({ stableName, mutant }: Pick<Contradiction, 'stableName' | 'mutant'>): string {
  return stableName ?? mutant?.id ?? '';
}

/**
 * The subject of a violation without its operation, which is the same for one mistake at several operations: `checkpoint-ignored.updated_after` for
 * `checkpoint-ignored:listOrders.updated_after`, and `accepted` for a request of any value.
 */
export function subjectInAnyOperation(operation: string, contradiction: Pick<Contradiction, 'stableName' | 'mutant'>): string {
  const { stableName, mutant } = contradiction;
  if (stableName !== undefined || mutant === undefined) return stableName ?? '';
  const [kind = '', place = ''] = mutant.id.split(/:(.*)/s);
  if (kind === 'accepted' || kind === 'refused') return kind;
  const placeInOperation = place === operation ? '' : place.startsWith(`${operation}.`) ? place.slice(operation.length + 1) : place;
  return placeInOperation === '' ? kind : `${kind}.${placeInOperation}`;
}

/** The fingerprint of a violation: `1c9a07-e3b0c4`. Its first half stands for the rule and the operation. */
export function fingerprintOf(rule: string, operation: string, contradiction: Pick<Contradiction, 'stableName' | 'mutant'>): string {
  return joinDigests(`${rule} ${operation}`, subjectOf(contradiction));
}

/** A fingerprint in two halves, of which the first stands for the judged thing. */
export function joinDigests(judged: string, finding: string): string {
  return `${digest(judged)}-${digest(finding)}`;
}

/** True for a fingerprint of a rule at an operation. */
export function isFingerprintOf(fingerprint: string, rule: string, operation: string): boolean {
  return hasDigestOf(fingerprint, `${rule} ${operation}`);
}

/** True for a fingerprint, or an id of a cause, whose first half stands for the judged thing. */
export function hasDigestOf(fingerprint: string, judged: string): boolean {
  return fingerprint.startsWith(`${digest(judged)}-`);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 6);
}

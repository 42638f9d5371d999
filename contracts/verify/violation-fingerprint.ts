/** Names a violation by its subject and its fingerprint. Both must stay the same between runs, because waivers and baselines of users refer to them. */

import { createHash } from 'node:crypto';
import type { Contradiction } from './rules/rule.ts';

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

/** A fingerprint in two halves: the first stands for what was judged, the second for what was found. */
export function joinDigests(judged: string, finding: string): string {
  return `${digest(judged)}-${digest(finding)}`;
}

/** True for a fingerprint of a rule at an operation. */
export function isFingerprintOf(fingerprint: string, rule: string, operation: string): boolean {
  return hasDigestOf(fingerprint, `${rule} ${operation}`);
}

/** True if the first half of a fingerprint, or of the id of a cause, stands for what was judged. */
export function hasDigestOf(fingerprint: string, judged: string): boolean {
  return fingerprint.startsWith(`${digest(judged)}-`);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 6);
}

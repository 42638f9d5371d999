/** Requirements: which laws must be seen to hold, so that a run that shows too little does not pass for one that found nothing. */

import { nearest, UsageError } from '../core/errors.ts';

import type { LawResult, Verdict } from '../core/verdict.ts';
import { verdicts } from '../core/verdict.ts';
import { matchesPattern } from './pattern.ts';

/** What must hold: every law that the documents state, all laws, or those that match a pattern. */
export type Requirement = 'stated' | 'all' | readonly string[];

/** What is lacking of what was required. */
export interface Lack {
  /** The gravest verdict among the laws that were required and do not hold; `undefined` when none is lacking. */
  readonly verdict: Verdict | undefined;
  /** A sentence for each of them. */
  readonly notes: readonly string[];
}

/** How each verdict that is no verdict on the target is told. */
const words: Readonly<Record<Verdict, string>> = {
  violated: 'is violated',
  blocked: 'was blocked',
  inconclusive: 'is inconclusive',
  'not-testable': 'is not testable',
  'not-exercised': 'was not exercised',
  holds: 'holds',
};

/**
 * Reads a requirement: `stated`, `all`, or patterns for laws with commas between them.
 * @throws {UsageError} when it is empty, or a word that is almost one of these.
 */
export function readRequirement(text: string | readonly string[]): Requirement {
  if (text === 'stated' || text === 'all') return text;
  const patterns = (typeof text === 'string' ? text.split(',') : text).map((each) => each.trim());
  const wrong = patterns.find((each) => each === '' || !/[/*]/.test(each));
  if (wrong === undefined && patterns.length > 0) return patterns;
  const meant = wrong === undefined ? undefined : nearest(wrong, ['stated', 'all']);
  const advice = meant === undefined ? 'write stated, all, or laws such as paging/*,keys/missing' : `is ${meant} meant?`;
  throw new UsageError(`${wrong === undefined || wrong === '' ? 'an empty text' : wrong} requires no law; ${advice}`);
}

/**
 * Makes sure that each pattern requires something.
 * @throws {UsageError} for a pattern that matches no law of the contract.
 */
export function checkRequirement(requirement: Requirement | undefined, ids: Iterable<string>): void {
  if (requirement === undefined || typeof requirement === 'string') return;
  const known = [...new Set(ids)];
  const idle = requirement.find((pattern) => !known.some((id) => matchesPattern(pattern, id)));
  if (idle === undefined) return;
  const meant = nearest(idle, known);
  const advice = meant === undefined ? 'laws are named GROUP/NAME, and * stands for anything' : `is ${meant} meant?`;
  throw new UsageError(`${idle} is required and is no law that is judged here; ${advice}`);
}

/** What is lacking. A violation is told as one and not as a lack; one that is waived is let pass here, too. */
export function findLack(requirement: Requirement | undefined, results: readonly LawResult[]): Lack {
  if (requirement === undefined) return { verdict: undefined, notes: [] };
  const lacking = results.filter(
    (result) => isRequired(requirement, result) && result.verdict !== 'holds' && result.verdict !== 'violated',
  );
  const level = typeof requirement === 'string' ? requirement : 'by name';
  const notes = lacking.map(
    ({ id, operation, verdict, message }) => `${id} at ${operation} is required (${level}) and ${words[verdict]}: ${message}`,
  );
  return { verdict: verdicts.find((verdict) => lacking.some((result) => result.verdict === verdict)), notes };
}

function isRequired(requirement: Requirement, { id, strength }: LawResult): boolean {
  if (requirement === 'all') return true;
  return requirement === 'stated' ? strength === 'stated' : requirement.some((pattern) => matchesPattern(pattern, id));
}

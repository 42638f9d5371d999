/** Before a run, parses and checks `--require`; after it, finds the required checks that lack evidence. */

import { countNoun } from '../../core/count-noun.ts';
import { didYouMean, nearest } from '../../core/did-you-mean.ts';
import { UsageError } from '../../core/errors.ts';
import { matchesPattern } from '../../core/name-pattern.ts';
import type { SetAside } from '../../core/openapi/mending/set-aside.ts';
import { groupOf } from '../../core/results/rule-id.ts';
import { type CheckResult, countCoverage, type OperationCoverage, type Verdict, verdicts } from '../../core/results/run-result.ts';

/** What must have evidence: the rules that the documents state, every rule, those that match a pattern, or a minimum percentage of the operations. */
export type Requirement = 'stated' | 'all' | `${number}%` | readonly string[];

/** Required checks that neither hold nor are violated. */
interface EvidenceGap {
  /** The gravest verdict among them; `undefined` when there is none. */
  readonly verdict: Verdict | undefined;
  /** A sentence for each. */
  readonly notes: readonly string[];
}

/** The phrase for each verdict in a note. */
const verdictPhrases: Readonly<Record<Verdict, string>> = {
  violated: 'is violated',
  blocked: 'was blocked',
  inconclusive: 'is inconclusive',
  'not-testable': 'is not testable',
  'not-exercised': 'was not exercised',
  holds: 'holds',
};

/**
 * Reads a requirement: `stated`, `all`, or patterns for rules with commas between them.
 * @throws {UsageError} when it is empty, or a word that is almost one of these.
 */
export function readRequirement(text: string | readonly string[]): Requirement {
  if (text === 'stated' || text === 'all') return text;
  if (isShare(text)) return text;
  const patterns = (typeof text === 'string' ? text.split(',') : text).map((each) => each.trim());
  const wrongPattern = patterns.find((each) => each === '' || !/[/*]/.test(each));
  if (wrongPattern === undefined && patterns.length > 0) return patterns;
  const suggestion = wrongPattern === undefined ? undefined : nearest(wrongPattern, ['stated', 'all']);
  const advice =
    suggestion === undefined
      ? 'write stated, all, rules such as paging/*,keys/missing, or a share of the operations such as 30%'
      : `did you mean ${suggestion}?`;
  throw new UsageError(
    `${wrongPattern === undefined || wrongPattern === '' ? 'an empty value' : wrongPattern} requires no rule; ${advice}`,
  );
}

/** True for a share of the operations, in percent. */
function isShare(requirement: Requirement | string | undefined): requirement is `${number}%` {
  return typeof requirement === 'string' && /^(?:\d{1,2}|100)%$/.test(requirement);
}

/**
 * Makes sure that each pattern requires something.
 * @throws {UsageError} for a pattern that matches no rule of the contract.
 */
export function checkRequirement(requirement: Requirement | undefined, ids: Iterable<string>): void {
  if (requirement === undefined || typeof requirement === 'string') return;
  const ruleIds = [...new Set(ids)];
  const unmatched = requirement.find((pattern) => !ruleIds.some((id) => matchesPattern(pattern, id)));
  if (unmatched === undefined) return;
  const advice = didYouMean(unmatched, ruleIds, 'rules are named GROUP/NAME, and * matches anything');
  throw new UsageError(`${unmatched} is required, but it is not a rule that is checked here; ${advice}`);
}

/**
 * Missing evidence. A violation is reported as such and not as missing; a waived one is accepted. Places of the contract that are set aside are stated, and
 * were not judged.
 */
export function findEvidenceGap(
  requirement: Requirement | undefined,
  results: readonly CheckResult[],
  coverage: readonly OperationCoverage[] = [],
  setAside: readonly SetAside[] = [],
): EvidenceGap {
  const share = isShare(requirement) ? Number.parseInt(requirement, 10) : defaultShare;
  const { judged, sendable } = countCoverage(coverage);
  const isCovered = judged * 100 >= sendable * share;
  const lackingShare = isCovered
    ? []
    : [
        `Only ${judged} of the ${sendable} operations that may be called were checked, but ${share}% are required: give values with --param, or require less with --require ${Math.floor((100 * judged) / sendable)}%`,
      ];
  const { verdict, notes } = findMissingRules(requirement, results, setAside);
  return { verdict: verdict ?? (isCovered ? undefined : 'not-exercised'), notes: [...lackingShare, ...notes] };
}

/** Share of the operations that a run must judge, in percent. */
const defaultShare = 50;

function findMissingRules(
  requirement: Requirement | undefined,
  results: readonly CheckResult[],
  setAside: readonly SetAside[],
): EvidenceGap {
  if (requirement === undefined || isShare(requirement)) return { verdict: undefined, notes: [] };
  const unmetResults = results.filter(
    (result) => isRequired(requirement, result) && result.verdict !== 'holds' && result.verdict !== 'violated',
  );
  const level = typeof requirement === 'string' ? requirement : 'by name';
  const notes = unmetResults.map(
    ({ rule: id, operation, verdict, message }) =>
      `${id} in ${operation} is required (${level}) and ${verdictPhrases[verdict]}: ${message}`,
  );
  const isLacking = typeof requirement === 'string' && setAside.length > 0;
  const places = countNoun(setAside.length, 'place');
  const lacking = `${places} in the contract ${setAside.length === 1 ? 'was' : 'were'} skipped, but everything that it states is required (${level}): correct the file`;
  return {
    verdict:
      verdicts.find((verdict) => unmetResults.some((result) => result.verdict === verdict)) ?? (isLacking ? 'not-testable' : undefined),
    notes: isLacking ? [...notes, lacking] : notes,
  };
}

function isRequired(requirement: Exclude<Requirement, `${number}%`>, { rule: id, strength }: CheckResult): boolean {
  if (requirement === 'all') return true;
  if (requirement !== 'stated') return requirement.some((pattern) => matchesPattern(pattern, id));
  // No run can make a right target throttle, or be unavailable.
  return strength === 'stated' && groupOf(id) !== 'availability';
}

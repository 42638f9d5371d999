/** A comparison in words that all its reports share: counts, verdicts, who is hit, how far a change reaches, what the version should do. */

import type { Affected, Change, ChangeVerdict, Compared, ContractComparison, Level, VersionAdvice } from '../core/change.ts';
import { levels } from '../core/change.ts';
import { clip } from './excerpt.ts';
import { count } from './layout.ts';

/** So many operations are named of those that a shared change reaches. */
const namedOperations = 3;
/** Names and versions come from the files and can be of any length. */
const nameMax = 120;

/** What each level is called where it is a heading. */
export const levelTitles: Readonly<Record<Level, string>> = {
  breaking: 'Breaking',
  risky: 'Risky',
  compatible: 'Compatible',
  documentation: 'Documentation',
};

/** What was compared and what came of it: `Notes 1.2.0 → 2.0.0: 2 breaking changes, 1 risky`. */
export function describeComparison(comparison: ContractComparison): string {
  return `${describeVersions(comparison)}: ${describeCounts(comparison)}`;
}

/** Both contracts; the title once where it stayed the same, and files where there are no titles. */
export function describeVersions({ old, new: next }: ContractComparison): string {
  const [before, after] = [nameOf(old), nameOf(next)];
  return old.title === next.title && old.title !== ''
    ? `${before} → ${clip(next.version, nameMax) || 'no version'}`
    : `${before} → ${after}`;
}

/** How many changes have each level: `2 breaking changes, 1 risky, 5 compatible; 1 accepted`. */
export function describeCounts({ count: counts, accepted }: ContractComparison): string {
  const present = levels.filter((level) => counts[level] > 0);
  const parts = present.map((level, index) => (index === 0 ? count(counts[level], `${level} change`) : `${counts[level]} ${level}`));
  return `${parts.length === 0 ? 'no changes' : parts.join(', ')}${accepted.length === 0 ? '' : `; ${accepted.length} accepted`}`;
}

/** The changes of a level that nobody accepted. */
export function openChanges({ changes, accepted }: ContractComparison, level: Level): readonly Change[] {
  const settled = new Set(accepted.map(({ change }) => change));
  return changes.filter((change) => change.level === level && !settled.has(change));
}

/** Changes of one operation, of several at once, or of the contract as a whole. */
export interface OperationGroup {
  readonly title: string;
  readonly changes: readonly Change[];
}

/** Gathers changes by what they belong to, in the order in which they first occur. */
export function groupByOperation(changes: readonly Change[]): readonly OperationGroup[] {
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    const title = describePlaceOf(change);
    const group = groups.get(title);
    if (group === undefined) groups.set(title, [change]);
    else group.push(change);
  }
  return [...groups].map(([title, members]) => ({ title, changes: members }));
}

/** What a shared change reaches: `reaches 14 operations: a, b, c and 11 more`; `undefined` for one that is not shared. */
export function describeReach({ operations }: Change): string | undefined {
  return operations.length < 2 ? undefined : `reaches ${operations.length} operations: ${nameOperations(operations)}`;
}

/** Operations by name, as many as a line can hold: `a, b, c and 11 more`. `write` is asked for each name. */
export function nameOperations(operations: readonly string[], write: (name: string) => string = (name) => name): string {
  const more = operations.length - namedOperations;
  // To leave out a single one would cost as much room as its name.
  const named = operations.slice(0, more <= 1 ? undefined : namedOperations).map((operation) => write(clip(operation, nameMax)));
  return `${named.join(', ')}${more <= 1 ? '' : ` and ${more} more`}`;
}

/** What the search for a witness came to, in words; `undefined` for a change that is no matter of values. */
export function describeVerdict(change: Change): string | undefined {
  return change.verdict === undefined ? undefined : verdictWords[change.verdict](change);
}

/** The same as a sentence. */
export function describeVerdictSentence(change: Change): string | undefined {
  const words = describeVerdict(change);
  return words === undefined ? undefined : `${capitalise(words)}.`;
}

/** What changed, as a sentence that others can follow. */
export function describeText({ text }: Change): string {
  // Only a word that is surely none of the contract's own names may be written otherwise.
  const begun = /^(the|a|an|its) /.test(text) ? capitalise(text) : text;
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

/** Who is hit by a change, before the reason is given. */
export interface AffectedWords {
  /** `breaks`, `may break` or `concerns`; `why` when nobody is hit. */
  readonly verb: string;
  /** `clients and generated code`; `undefined` when nobody is hit. */
  readonly who: string | undefined;
}

/** Who is hit, in words. */
export function describeAffected({ level, affects }: Change): AffectedWords {
  if (affects.length === 0) return { verb: 'why', who: undefined };
  return { verb: level === 'breaking' ? 'breaks' : level === 'risky' ? 'may break' : 'concerns', who: joinWords(affects) };
}

/** Who is hit and how, in a sentence: `Breaks clients: …`; the reason alone when nobody is. */
export function describeReason(change: Change): string {
  const { verb, who } = describeAffected(change);
  return who === undefined ? change.reason : `${capitalise(verb)} ${who}: ${change.reason}`;
}

/** The step of the version that the changes ask for, and whether `info.version` took it. */
export function describeAdvice({ suggested, taken, isEnough, ...versions }: VersionAdvice): string {
  const [from, to] = [clip(versions.from, nameMax), clip(versions.to, nameMax)];
  const asked = suggested === 'none' ? 'The changes ask for no new version' : `The changes ask for a ${suggested} version`;
  const moved = versions.from === versions.to ? `stays ${to || 'empty'}` : `went from ${from || 'nothing'} to ${to || 'nothing'}`;
  if (taken === undefined) {
    return `${asked}; info.version ${moved}, and one of the two is no version of semver.org, so look for yourself.`;
  }
  const step = versions.from === versions.to || taken === 'none' ? '' : `, a ${taken} step`;
  return `${asked}; info.version ${moved}${step}: ${isEnough ? 'that is enough' : 'that is not enough'}.`;
}

const verdictWords: Readonly<Record<ChangeVerdict, (change: Change) => string>> = {
  witnessed: ({ witness }) =>
    witness !== undefined && witness.refusedBy === undefined
      ? 'witnessed: both contracts answer, and differently'
      : 'witnessed: one contract allows the exchange, the other refuses it',
  proved: () => 'proved: no value tells them apart',
  unwitnessed: ({ tried }) => {
    if (tried === undefined) return 'unwitnessed: a rule speaks of it, and no exchange was found that shows it';
    if (tried === 0) return 'unwitnessed: a rule speaks of it, and no valid candidate could be made to show it';
    return `unwitnessed: a rule speaks of it, and ${count(tried, 'valid candidate')} found nothing`;
  },
};

function nameOf({ title, version, file }: Compared): string {
  return `${clip(title || file, nameMax)} ${clip(version, nameMax)}`.trim();
}

function describePlaceOf({ operation, operations }: Change): string {
  if (operations.length > 1) return 'Shared by several operations';
  return operation === undefined ? 'The contract as a whole' : clip(operation, 2 * nameMax);
}

function capitalise(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function joinWords(words: readonly Affected[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

/** Sentences that the reports of `touchstone diff` share. */

import { capitalize } from '../../core/capitalize.ts';
import { countNoun } from '../../core/count-noun.ts';
import { formatLocation } from '../../core/errors.ts';
import {
  type AffectedParty,
  type Change,
  type ChangeLevel,
  type ChangeVerdict,
  type ComparedContract,
  type ContractComparison,
  changeLevels,
  unacceptedChanges,
} from '../../core/results/diff-result.ts';
import { clip } from '../clip-text.ts';

/** Number of operations named for a shared change. */
const namedOperations = 3;

/** Limit for names and versions, which come from the files. */
const nameMax = 120;

/** Headings of the levels. */
export const levelTitles: Readonly<Record<ChangeLevel, string>> = {
  security: 'Security',
  breaking: 'Breaking',
  risky: 'Risky',
  compatible: 'Compatible',
  documentation: 'Documentation',
};

/** Headline: `Notes 1.2.0 → 2.0.0: 2 breaking changes, 1 risky`. */
export function describeComparison(comparison: ContractComparison): string {
  return `${describeVersions(comparison)}: ${describeChangeCounts(comparison)}`;
}

/** Both contracts: title and versions if the title stayed the same; file names without titles. */
export function describeVersions({ old, new: next }: ContractComparison): string {
  const [before, after] = [nameContract(old), nameContract(next)];
  return old.title === next.title && old.title !== ''
    ? `${before} → ${clip(next.version, nameMax) || 'no version'}`
    : `${before} → ${after}`;
}

/** Number of changes by level: `2 breaking changes, 1 risky, 5 compatible; 1 accepted`. */
export function describeChangeCounts(comparison: ContractComparison): string {
  const { count: counts, accepted, notCompared } = comparison;
  const present = changeLevels.filter((level) => counts[level] > 0);
  const parts = present.map((level, index) => {
    const hits = unacceptedChanges(comparison, level).filter(({ consumers = [] }) => consumers.length > 0).length;
    const clause =
      hits === 0
        ? ''
        : ` (${hits === 1 && counts[level] === 1 ? 'it breaks' : `${hits} ${hits === 1 ? 'breaks' : 'break'}`} a known consumer)`;
    return `${index === 0 ? countNoun(counts[level], `${level} change`) : `${counts[level]} ${level}`}${clause}`;
  });
  return `${parts.length === 0 ? 'no changes' : parts.join(', ')}${accepted.length === 0 ? '' : `; ${accepted.length} accepted`}${notCompared.length === 0 ? '' : `; ${countNoun(notCompared.length, 'place')} not compared`}`;
}

/** Changes of one component, of one or several operations, or of the whole file. */
interface PlaceGroup {
  readonly title: string;
  readonly changes: readonly Change[];
}

/** Groups changes by the component or the operation that has them, in order of first occurrence. */
export function groupChangesByPlace(changes: readonly Change[]): readonly PlaceGroup[] {
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    const title = describePlaceOf(change);
    const group = groups.get(title);
    if (group === undefined) groups.set(title, [change]);
    else group.push(change);
  }
  return [...groups].map(([title, members]) => ({ title, changes: members }));
}

/** Operations of a shared change: `affects 14 operations: a, b, c and 11 more`; `undefined` for other changes. */
export function describeReach({ operations }: Change): string | undefined {
  return operations.length < 2 ? undefined : `affects ${operations.length} operations: ${nameOperations(operations)}`;
}

/** Names of operations in one line: `a, b, c and 11 more`. `write` formats each name. */
export function nameOperations(operations: readonly string[], write: (name: string) => string = (name) => name): string {
  const more = operations.length - namedOperations;
  // "and 1 more" would take as much room as the name.
  const named = operations.slice(0, more <= 1 ? undefined : namedOperations).map((operation) => write(clip(operation, nameMax)));
  return `${named.join(', ')}${more <= 1 ? '' : ` and ${more} more`}`;
}

/** Consumers that a change breaks: `breaks till: 3 of 41 interactions, first: an order`; `undefined` without pacts. */
export function describeConsumers({ consumers }: Change): string | undefined {
  if (consumers?.length === 0) return 'breaks no known consumer, which proves nothing about others';
  const each = consumers?.map(({ consumer, interactions, broken: [first = '', ...more] }) => {
    const share = `${more.length + 1} of ${countNoun(interactions, 'interaction')}`;
    return `${clip(consumer, nameMax)}: ${share}, first: ${clip(first, nameMax)}`;
  });
  return each && `breaks ${each.join('; ')}`;
}

/** Outcome of the witness search; `undefined` without a search. */
export function describeVerdict(change: Change): string | undefined {
  return change.verdict === undefined ? undefined : verdictWords[change.verdict](change);
}

/** A place that was not compared, with the reason. */
export function describeNotCompared({ side, place, message, operations }: ContractComparison['notCompared'][number]): string {
  const concerned = operations.length === 0 ? '' : ` (${nameOperations(operations)})`;
  return `${formatLocation(place)}, ${side} contract: ${message}${concerned}`;
}

/** The change as a complete sentence. */
export function describeText({ text }: Change): string {
  // Names from the contract keep their case.
  const begun = /^(?:the|a|an|its|keys|no|errors|clients|records|hidden|some|values) /.test(text) ? capitalize(text) : text;
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

/** A consequence in one line: where, level and sentence. */
export function describeConsequence({ operations, location, level, text }: Change['consequences'][number]): string {
  const where = [operations.length > 1 ? nameOperations(operations) : (operations[0] ?? 'the contract'), location];
  return `${where.filter((part) => part !== '').join(', ')}: ${text} (${level})`;
}

/** Verb and parties of a sentence on the affected parties. */
interface AffectedWords {
  /** `breaks`, `may break` or `concerns`; the label `why` if nobody is affected. */
  readonly verb: string;
  /** `clients and generated code`; `undefined` if nobody is affected. */
  readonly who: string | undefined;
}

/** Verb and parties for a change. */
export function describeAffected({ level, affects }: Change): AffectedWords {
  if (affects.length === 0) return { verb: 'why', who: undefined };
  return {
    verb: level === 'breaking' || level === 'security' ? 'breaks' : level === 'risky' ? 'may break' : 'concerns',
    who: joinWords(affects),
  };
}

/** The version that the changes require: `1 breaking change: bump info.version to at least 2.0.0.` */
export function describeAdvice({ version: { suggested, next, taken, isEnough, ...versions }, count: counts }: ContractComparison): string {
  const [from, to] = [clip(versions.from, nameMax), clip(versions.to, nameMax)];
  const level = changeLevels.find((each) => counts[each] > 0);
  const why = level === undefined ? 'No changes' : countNoun(counts[level], `${level} change`);
  const needed = next === undefined ? `a ${suggested} version bump` : clip(next, nameMax);
  const unreadable = `info.version ${from === to ? to || '(empty)' : `${from || '(empty)'} → ${to || '(empty)'}`} is not a semantic version (semver.org)`;
  if (suggested === 'none') return `${why}: info.version may stay ${to || 'empty'}.`;
  if (taken === undefined) return `${why}: needs ${needed}, but ${unreadable}, so check it yourself.`;
  return isEnough ? `${why}: info.version ${to} is enough.` : `${why}: bump info.version to at least ${needed}.`;
}

const verdictWords: Readonly<Record<ChangeVerdict, (change: Change) => string>> = {
  witnessed: ({ witness }) =>
    witness !== undefined && witness.refusedBy === undefined
      ? 'witnessed: the contracts require different responses'
      : 'witnessed: one contract allows the exchange, the other rejects it',
  proved: () => 'proved: no value is allowed by only one contract',
  unwitnessed: () => 'unwitnessed: a rule reports it, but no exchange was found that shows it',
};

function nameContract({ title, version, file }: ComparedContract): string {
  return `${clip(title || file, nameMax)} ${clip(version, nameMax)}`.trim();
}

/** What has a change: a component, an operation, or the whole file. */
export function describePlaceOf({ component, operation, operations }: Pick<Change, 'component' | 'operation' | 'operations'>): string {
  if (component !== undefined) return clip(component.slice(component.indexOf('/') + 1), nameMax);
  if (operations.length > 1) return 'Several operations';
  return operation === undefined ? 'The whole contract' : clip(operation, 2 * nameMax);
}

function joinWords(words: readonly AffectedParty[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

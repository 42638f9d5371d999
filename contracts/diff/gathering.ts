/** Gathering differences: what several operations share is one change, with all of them. */

import { createHash } from 'node:crypto';
import { type Change, type Level, levels } from '../../core/change.ts';
import { printPlace } from '../../core/errors.ts';
import type { Draft, Evidence } from './draft.ts';

/** How many of the operations that share a change are searched for a witness until one is found. */
const searchedMost = 3;

/** How many risky changes are searched for a witness: in a large comparison there are hundreds, and those that break come first. */
const riskyMost = 40;

/** The drafts of one change. */
interface Group {
  readonly first: Draft;
  readonly drafts: Draft[];
}

/** Turns drafts into changes, the gravest first. Witnesses are looked for as long as `goOn` says so. */
export async function gather(drafts: readonly Draft[], goOn: () => Promise<boolean>): Promise<readonly Change[]> {
  const groups = new Map<string, Group>();
  for (const draft of drafts) {
    const key = identityOf(draft);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { first: draft, drafts: [draft] });
    else group.drafts.push(draft);
  }
  const rank = (level: Level): number => levels.indexOf(level);
  const ranked = [...groups.values()].toSorted((left, right) => rank(levelOf(left)) - rank(levelOf(right)));
  const riskyFrom = ranked.findIndex((group) => levelOf(group) === 'risky');
  const changes: Change[] = [];
  for (const [index, group] of ranked.entries())
    changes.push(toChange(group, (levelOf(group) !== 'risky' || index < riskyFrom + riskyMost) && (await goOn())));
  return changes;
}

/** A change of a rule, which was judged as it was found. */
export function toRuleDrafts(change: Omit<Change, 'fingerprint'>): readonly Draft[] {
  const { verdict, witness, tried = 0 } = change;
  const found = ((): Evidence | undefined => {
    if (verdict === 'witnessed' && witness !== undefined) return { verdict, witness };
    return verdict === 'unwitnessed' ? { verdict, tried } : verdict === 'proved' ? { verdict } : undefined;
  })();
  const draft: Draft = { ...change, subject: change.text, find: found === undefined ? undefined : () => found };
  return change.operations.length === 0 ? [draft] : change.operations.map((operation) => ({ ...draft, operation }));
}

/**
 * What is the same for a difference wherever it is met: the rule, the half of the exchange, what it is about, and the lines of what changed. Where one
 * side has nothing, its place is that of whatever stands around, which another use need not share.
 */
function identityOf({ id, rule = id, direction, before, after, subject }: Draft): string {
  const hasLines = before.value !== undefined || after.value !== undefined;
  const [from, to] = [before, after].map(({ value, place }) => (value === undefined && hasLines ? '' : printPlace(place)));
  return JSON.stringify([rule, direction, from, to, subject, digest(before.value), digest(after.value)]);
}

function digest(value: Draft['before']['value']): string {
  return value === undefined ? '' : createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);
}

/** The gravest level that a difference has anywhere. */
function levelOf({ first, drafts }: Group): Level {
  return levels.find((each) => drafts.some((draft) => draft.level === each)) ?? first.level;
}

function toChange(group: Group, isSearched: boolean): Change {
  const { first, drafts } = group;
  const level = levelOf(group);
  const shown = drafts.find((draft) => draft.level === level) ?? first;
  const operations = [...new Set(drafts.flatMap(({ operation }) => operation ?? []))];
  const evidence = isSearched ? search(drafts.filter((draft) => draft.level === level)) : undefined;
  return {
    id: shown.id,
    fingerprint: fingerprintOf(shown, operations),
    level,
    operation: shown.operation,
    operations,
    direction: shown.direction,
    location: shown.location,
    before: shown.before,
    after: shown.after,
    text: shown.text,
    reason: shown.reason,
    affects: shown.affects,
    verdict: evidence?.verdict,
    ...(evidence?.verdict === 'unwitnessed' ? { tried: evidence.tried } : {}),
    witness: evidence?.verdict === 'witnessed' ? evidence.witness : undefined,
  };
}

/** The first evidence that shows something; otherwise what the searches came to together. */
function search(drafts: readonly Draft[]): Evidence | undefined {
  const searches = drafts.flatMap(({ find }) => find ?? []).slice(0, searchedMost);
  let last: Evidence | undefined;
  for (const find of searches) {
    const evidence = find();
    if (evidence.verdict !== 'unwitnessed') return evidence;
    last = { verdict: 'unwitnessed', tried: evidence.tried + (last?.verdict === 'unwitnessed' ? last.tried : 0) };
  }
  return last;
}

/** What is shared is told apart by its rule and what it is about, not by whichever operation comes first. */
function fingerprintOf(shown: Draft, operations: readonly string[]): string {
  const where = operations.length === 1 ? [shown.operation, shown.location] : ['shared', shown.location.replace(/^[^,]*/, '')];
  const parts = [shown.id, shown.direction, ...where, shown.subject, digest(shown.before.value), digest(shown.after.value)];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12);
}

/** Differences: one at one operation, with the way to look for its witness; and what several operations share, gathered into one change. */

import { createHash } from 'node:crypto';
import { type Change, type HalfOfExchange, type Level, levels, type Witness, type WitnessExchange } from '../../core/change.ts';
import { printPlace } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import type { Schema } from '../../core/schema.ts';

/** What a search for a witness came to. */
export type Evidence =
  | { readonly verdict: 'witnessed'; readonly witness: Witness }
  | { readonly verdict: 'proved' }
  | { readonly verdict: 'unwitnessed'; readonly tried: number };

/** One difference, at one operation. */
export interface Draft extends Omit<Change, 'fingerprint' | 'operations' | 'verdict' | 'tried' | 'witness'> {
  /** What tells it apart from others of the same rule at the same lines: the name or the value that it is about. */
  readonly subject: string;
  /** The rule without where it is met, for what several uses share; the id unless given. */
  readonly rule?: string;
  /** Looks for what shows it. Costly, so it is asked once for all operations that share the difference. */
  readonly find: (() => Evidence) | undefined;
}

/** The members of a draft that depend on its level alone, unless a rule has more to say. */
export function consequences(level: Level, direction: HalfOfExchange | undefined): Pick<Draft, 'reason' | 'affects'> {
  return { reason: reasons[level][direction ?? 'both'], affects: level === 'documentation' || level === 'compatible' ? [] : ['clients'] };
}

const reasons: Readonly<Record<Level, Readonly<Record<HalfOfExchange | 'both', string>>>> = {
  breaking: {
    request: 'A deployed client may still send what was allowed before, and is refused.',
    response: 'A deployed client may now receive what it was never told of.',
    both: 'A deployed client that relies on the old contract fails.',
  },
  risky: {
    request: 'Nothing that was promised is lost, but clients that sent more than that may notice.',
    response: 'Nothing that was promised is lost, but clients that relied on a hint may notice.',
    both: 'Nothing that was promised is lost, but some clients may notice.',
  },
  compatible: {
    request: 'Every request that was allowed before is still allowed.',
    response: 'Clients receive nothing that they were not told of.',
    both: 'Clients of the old contract are served as before.',
  },
  documentation: {
    request: 'No request is treated otherwise.',
    response: 'No answer changes.',
    both: 'No exchange changes.',
  },
};

/** Puts a value into an exchange. */
export type Exposure = (value: Json) => WitnessExchange;

/** Where a schema is used. */
export interface Use {
  readonly operation: string;
  /** `request-body`, `query-parameter`, `response-header` …: the first half of ids. */
  readonly subject: string;
  readonly direction: HalfOfExchange;
  /** In the reader's words. */
  readonly location: string;
  /** Whether values are written as text, as XML and forms are: a text may then hold what JSON would write otherwise. */
  readonly isText: boolean;
  readonly old: Schema;
  readonly new: Schema;
  /** Puts a value of the schema into an exchange. */
  readonly expose: Exposure;
}

/** How many of the operations that share a change are searched for a witness until one is found. */
const searchedMost = 3;

/** How many risky changes are searched for a witness: in a large comparison there are hundreds, and those that break come first. */
const riskyMost = 40;

/** Turns drafts into changes, the gravest first. Witnesses are looked for as long as `goOn` says so. */
export async function gather(drafts: readonly Draft[], goOn: () => Promise<boolean>): Promise<readonly Change[]> {
  const groups = new Map<string, Draft[]>();
  for (const draft of drafts) {
    const key = identityOf(draft);
    const group = groups.get(key) ?? [];
    group.push(draft);
    groups.set(key, group);
  }
  const ranked = levels.flatMap((level) =>
    [...groups.values()].filter((group) => levelOf(group) === level).map((group) => ({ level, group })),
  );
  const riskyFrom = ranked.findIndex(({ level }) => level === 'risky');
  const changes: Change[] = [];
  for (const [index, { level, group }] of ranked.entries())
    changes.push(...toChange(group, level, (level !== 'risky' || index < riskyFrom + riskyMost) && (await goOn())));
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
function levelOf(drafts: readonly Draft[]): Level | undefined {
  return levels.find((each) => drafts.some(({ level }) => level === each));
}

function toChange(drafts: readonly Draft[], level: Level, isSearched: boolean): readonly Change[] {
  const gravest = drafts.filter((draft) => draft.level === level);
  const [shown] = gravest;
  if (shown === undefined) return [];
  const operations = [...new Set(drafts.flatMap(({ operation }) => operation ?? []))];
  const evidence = isSearched ? search(gravest) : undefined;
  return [
    {
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
    },
  ];
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

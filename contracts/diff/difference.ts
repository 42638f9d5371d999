/**
 * Differences between two operations, and their merge into changes: a difference in a shared component becomes one change of several
 * operations. `compareContracts` calls `mergeDifferences` once, after all comparisons.
 */

import { createHash } from 'node:crypto';
import { formatLocation } from '../../core/errors.ts';
import type { Schema } from '../../core/openapi/schema.ts';
import { type Change, type ChangeLevel, changeLevels, type HalfOfExchange } from '../../core/results/contract-change.ts';
import type { AnnotationChange } from './annotations/compare-annotations.ts';
import { changeVerdict, type SearchOutcome, searchInTurn } from './witnesses/search-outcome.ts';
import type { ExchangeBuilder } from './witnesses/witness-exchange.ts';

/** A difference at one operation. */
export interface Difference extends Omit<Change, 'fingerprint' | 'operations' | 'verdict' | 'tried' | 'witness'> {
  /** The name, value or keyword that changed. Tells apart differences of one rule at the same lines. */
  readonly changedItem: string;
  /** Rule without its location, for differences in shared schemas; the id by default. */
  readonly rule?: string;
  /** Searches for a witness. The search is expensive, so `mergeDifferences` runs it for the merged change only. */
  readonly findWitness: (() => SearchOutcome) | undefined;
}

/** Default reason and affected parties of a level. */
export function defaultImpact(level: ChangeLevel, direction: HalfOfExchange | undefined): Pick<Difference, 'reason' | 'affects'> {
  return { reason: reasons[level][direction ?? 'both'], affects: level === 'documentation' || level === 'compatible' ? [] : ['clients'] };
}

const reasons: Readonly<Record<ChangeLevel, Readonly<Record<HalfOfExchange | 'both', string>>>> = {
  breaking: {
    request: 'A deployed client may still send what was allowed before, and is refused.',
    response: 'A deployed client may receive what the old contract did not allow.',
    both: 'A deployed client that relies on the old contract fails.',
  },
  risky: {
    request: 'No promise is broken, but clients that sent more than the contract allows may notice.',
    response: 'No promise is broken, but clients that relied on unpromised details may notice.',
    both: 'No promise is broken, but some clients may notice.',
  },
  compatible: {
    request: 'Every request that was allowed before is still allowed.',
    response: 'Clients receive nothing that the old contract did not allow.',
    both: 'Clients of the old contract work as before.',
  },
  documentation: {
    request: 'Requests are treated as before.',
    response: 'Responses stay the same.',
    both: 'Requests and responses stay the same.',
  },
};

/** The use of a schema in an operation. */
export interface SchemaUse {
  readonly operation: string;
  /** First half of ids: `request-body`, `query-parameter`, `response-header` … */
  readonly idPrefix: string;
  readonly direction: HalfOfExchange;
  /** Location in the exchange, as reports show it. */
  readonly location: string;
  /** True if values are written as text, as in XML and forms. A text may then stand for another JSON type. */
  readonly isText: boolean;
  readonly old: Schema;
  readonly new: Schema;
  /** Builds an exchange that carries a value of the schema. */
  readonly toExchange: ExchangeBuilder;
}

/** True if the schema describes a body. Parameters and headers travel as text. */
export function isBody({ idPrefix }: SchemaUse): boolean {
  return idPrefix.endsWith('-body');
}

/** Searches for a witness of one change, each at another of its operations. */
const searchesPerChange = 3;

/** Number of risky changes that are searched for a witness. A large comparison has hundreds of them, and breaking changes come first. */
const riskySearchesMax = 40;

/** Merges differences into changes, most severe first. Searches for witnesses until `shouldContinue` is false. */
export async function mergeDifferences(
  differences: readonly Difference[],
  shouldContinue: () => Promise<boolean>,
): Promise<readonly Change[]> {
  const groups = new Map<string, Difference[]>();
  for (const difference of differences) {
    const key = mergeKeyOf(difference);
    const group = groups.get(key) ?? [];
    group.push(difference);
    groups.set(key, group);
  }
  const ranked = changeLevels.flatMap((level) =>
    [...groups.values()].filter((group) => levelOf(group) === level).map((group) => ({ level, group })),
  );
  const firstRisky = ranked.findIndex(({ level }) => level === 'risky');
  const changes: Change[] = [];
  for (const [index, { level, group }] of ranked.entries()) {
    const isWithinLimit = level !== 'risky' || index < firstRisky + riskySearchesMax;
    changes.push(...toChange(group, level, isWithinLimit && (await shouldContinue())));
  }
  return changes;
}

/** Differences of an annotation change, one for each operation. Its search for a witness has already run. */
export function toDifferences({ outcome, ...change }: AnnotationChange): readonly Difference[] {
  const difference: Difference = {
    ...change,
    changedItem: change.location,
    findWitness: outcome === undefined ? undefined : () => outcome,
  };
  return change.operations.length === 0 ? [difference] : change.operations.map((operation) => ({ ...difference, operation }));
}

/**
 * Key for merging: rule, direction, changed item, and the places of both values. The place of an absent value differs between uses, so it
 * is no part of the key.
 */
function mergeKeyOf({ id, rule = id, direction, before, after, changedItem }: Difference): string {
  const hasValue = before.value !== undefined || after.value !== undefined;
  const [from, to] = [before, after].map(({ value, place }) => (value === undefined && hasValue ? '' : formatLocation(place)));
  return JSON.stringify([rule, direction, from, to, changedItem, digest(before.value), digest(after.value)]);
}

function digest(value: Difference['before']['value']): string {
  return value === undefined ? '' : createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);
}

/** The most severe level of a group. */
function levelOf(differences: readonly Difference[]): ChangeLevel | undefined {
  return changeLevels.find((each) => differences.some(({ level }) => level === each));
}

function toChange(differences: readonly Difference[], level: ChangeLevel, isSearched: boolean): readonly Change[] {
  const mostSevere = differences.filter((difference) => difference.level === level);
  const [shown] = mostSevere;
  if (shown === undefined) return [];
  const operations = [...new Set(differences.flatMap(({ operation }) => operation ?? []))];
  const outcome = isSearched
    ? searchInTurn(mostSevere.flatMap(({ findWitness }) => findWitness ?? []).slice(0, searchesPerChange))
    : undefined;
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
      ...changeVerdict(outcome),
    },
  ];
}

/** Fingerprint of a change. For shared changes it does not depend on which operation comes first. */
function fingerprintOf(shown: Difference, operations: readonly string[]): string {
  const where = operations.length === 1 ? [shown.operation, shown.location] : ['shared', shown.location.replace(/^[^,]*/, '')];
  const parts = [shown.id, shown.direction, ...where, shown.changedItem, digest(shown.before.value), digest(shown.after.value)];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12);
}

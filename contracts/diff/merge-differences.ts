/**
 * Merges differences into changes: a difference in a shared component is one change of several operations. Searches for witnesses are expensive, so they
 * run only here, for merged changes.
 */

import type { SourceLocation } from '../../core/errors.ts';
import { printJson } from '../../core/json.ts';
import { type Change, type ChangeLevel, type ChangeSide, changeLevels } from '../../core/results/diff-result.ts';
import type { PactCheck } from '../../core/results/pact-check-result.ts';
import { assignConsumers } from './affected-consumers.ts';
import type { EditedSide } from './component-places.ts';
import { type Difference, editKeyOf, fingerprintOf, statedAt, subjectOf } from './difference.ts';
import { printPlace } from './exchange-place.ts';
import { type Finding, foldConsequences } from './fold-consequences.ts';
import { foldSiblings } from './fold-siblings.ts';
import { joinOutcomes, type SearchOutcome, searchInTurn } from './witnesses/search-outcome.ts';

/** Searches for a witness of one change, each at another of its operations. */
const searchesPerChange = 3;

/** Number of risky changes that are searched for a witness. A large comparison has hundreds of them, and breaking changes come first. */
const riskySearchesMax = 40;

/**
 * Merges differences into changes, most severe first. Searches for witnesses until `shouldContinue` is false. With a check of pacts, each change names the
 * consumers that it breaks.
 */
export async function mergeDifferences(
  differences: readonly Difference[],
  shouldContinue: () => Promise<boolean>,
  pacts?: PactCheck,
): Promise<readonly Change[]> {
  const groups = new Map<string, Difference[]>();
  for (const difference of differences) {
    const key = mergeKeyOf(difference);
    const group = groups.get(key) ?? [];
    group.push(difference);
    groups.set(key, group);
  }
  const findings = rankBySeverity([...groups.values()].flatMap(toFinding));
  const ranked = rankBySeverity(foldConsequences(foldSiblings(findings)).toSorted(byLoss));
  const firstRisky = ranked.findIndex(({ level }) => level === 'risky');
  const consumers = pacts && assignConsumers(ranked, pacts);
  const changes: Change[] = [];
  const fingerprints = new Set<string>();
  for (const [index, finding] of ranked.entries()) {
    const isWithinLimit = finding.level !== 'risky' || index < firstRisky + riskySearchesMax;
    const change = toChange(finding, isWithinLimit && (await shouldContinue()));
    // Two findings about the same subject still need an acceptance each.
    const fingerprint = fingerprints.has(change.fingerprint) ? fingerprintOf([change.fingerprint, String(index)]) : change.fingerprint;
    fingerprints.add(fingerprint);
    changes.push({ ...change, fingerprint, ...(consumers === undefined ? {} : { consumers: consumers.get(finding) ?? [] }) });
  }
  return changes;
}

function rankBySeverity<T extends { readonly level: ChangeLevel }>(findings: readonly T[]): readonly T[] {
  return changeLevels.flatMap((level) => findings.filter((finding) => finding.level === level));
}

/** Orders findings by what clients lose: removals before additions, required before optional, used by many before used by few. */
function byLoss(left: Finding, right: Finding): number {
  return kindRank(left) - kindRank(right) || requiredRank(left) - requiredRank(right) || right.operations.length - left.operations.length;
}

function kindRank({ shown: { id } }: Finding): number {
  return /-(?:removed|renamed)$|\/(?:removed|renamed)$/.test(id) ? 0 : id.endsWith('added') ? 2 : 1;
}

function requiredRank({ shown: { id } }: Finding): number {
  return id.includes('required') ? 0 : 1;
}

/** The finding of differences with the same key, shown at the shortest place. Its level is the most severe one. */
function toFinding(differences: readonly Difference[]): readonly Finding[] {
  const level = changeLevels.find((each) => differences.some((difference) => difference.level === each));
  const [first, ...others] = differences.filter((difference) => difference.level === level);
  if (first === undefined || level === undefined) return [];
  const lengthOf = ({ at }: Difference): number => printPlace(at).length;
  const shown = others.reduce((shortest, each) => (lengthOf(each) < lengthOf(shortest) ? each : shortest), first);
  const operations = [...new Set(differences.flatMap(({ operation }) => operation ?? []))];
  // The witness should be of the shown difference, if it has one.
  const ordered = [shown, ...differences.filter((each) => each !== shown)];
  return [{ level, shown, differences: ordered, operations, members: [], consequences: [] }];
}

/** Key for merging: the edit in the file, and the half of the exchange that it shows in. */
function mergeKeyOf(difference: Difference): string {
  return printJson([difference.direction, editKeyOf(difference)]);
}

/** The most severe finding gives the change its reason and its witness. */
function toChange(finding: Finding, isSearched: boolean): Change {
  const { shown, level, members, consequences } = finding;
  const severe = [finding, ...consequences].filter((each) => each.level === level);
  const [leading = finding] = severe.filter((each) => each.shown.level === level);
  return {
    id: shown.id,
    fingerprint: fingerprintOf(finding.differences.map(subjectOf)),
    component: shown.isOfReference === true ? undefined : statedAt(shown).component,
    level,
    operation: shown.operation,
    operations: operationsOf(finding),
    ...(members.length < 2 ? {} : { members }),
    direction: shown.direction,
    location: printPlace(shown.at),
    before: sideOf(shown.before),
    after: sideOf(shown.after),
    text: shown.text,
    reason: leading.shown.reason,
    affects: leading.shown.affects,
    ...outcomeOf(isSearched ? joinOutcomes(searchEach(severe)) : undefined),
    consequences: consequences.map((each) => ({
      id: each.shown.id,
      level: each.level,
      operations: operationsOf(each),
      location: printPlace(each.shown.at),
      text: each.shown.text,
    })),
  };
}

/** The operations of a finding, first the one that its place is from. */
function operationsOf({ shown: { operation }, operations }: Finding): readonly string[] {
  return operation === undefined ? operations : [operation, ...operations.filter((each) => each !== operation)];
}

/** Runs the searches of each finding. Differences of one annotation share their search. */
function* searchEach(findings: readonly Finding[]): Generator<SearchOutcome | undefined> {
  const done = new Set<Difference['findWitness']>();
  for (const { differences, shown } of findings) {
    const searches = differences.flatMap(({ level, findWitness }) =>
      level === shown.level && findWitness !== undefined && !done.has(findWitness) ? [findWitness] : [],
    );
    for (const search of searches) done.add(search);
    yield searchInTurn([...new Set(searches)].slice(0, searchesPerChange));
  }
}

/** A side as results show it. */
function sideOf({ value, place }: EditedSide): ChangeSide {
  return { value, place: plainPlace(place) };
}

/** A place as results show it, without what states the value. */
function plainPlace({ file, line, column }: SourceLocation): SourceLocation {
  return { file, line, column };
}

/** The members of a change that hold the outcome of its search. */
function outcomeOf(outcome: SearchOutcome | undefined): Pick<Change, 'verdict' | 'witness'> {
  const witness = outcome?.verdict === 'witnessed' ? outcome.witness : undefined;
  return { verdict: outcome?.verdict, witness: witness && { ...witness, place: witness.place && plainPlace(witness.place) } };
}

/**
 * Reads the changes that a team accepts, each with a reason and, optionally, a last day, and at the end of a comparison separates them from the others.
 * Acceptance changes no level.
 */

import { nearest } from '../../core/did-you-mean.ts';
import { formatLocation, type SourceLocation, SpecError } from '../../core/errors.ts';
import { matchesPattern } from '../../core/name-pattern.ts';
import { readEntries } from '../../core/openapi/check-touchstone-file.ts';
import { type AcceptedChange, type Change, type ContractComparison, printAcceptance } from '../../core/results/diff-result.ts';
import { publishedSchemaFile } from '../../core/shipped-files.ts';

/** An entry of the file. It names the change by at least one of operation, location and fingerprint. */
export interface Acceptance {
  /** Id of the change, such as `response-body/enum-value-added`. */
  readonly id: string;
  /** Pattern that all operations of the change must match; `*` matches anything. */
  readonly operation?: string;
  /** Pattern for the location in the exchange; `*` matches anything. */
  readonly location?: string;
  /** Fingerprint of the one accepted change. */
  readonly fingerprint?: string;
  /** Why the change is accepted. */
  readonly reason: string;
  /** Last day of the acceptance (`2026-12-31`). */
  readonly expires?: string;
  /** Place of the entry in the file. */
  readonly place: SourceLocation;
}

/** Changes of a comparison, separated into accepted and open ones. */
export interface AcceptanceResult {
  /** Changes that no entry accepts, in their order. */
  readonly open: readonly Change[];
  readonly accepted: readonly AcceptedChange[];
}

/**
 * Reads an acceptance file: YAML or JSON with a list under `accepted`.
 * @throws {SpecError} for every mistake in the file, so that no entry is silently ignored.
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises';
 * import { compareContracts, readAcceptances } from 'touchstone/diff';
 *
 * const acceptances = await readAcceptances('accepted.yaml', await readFile('accepted.yaml', 'utf8'));
 * const { changes } = await compareContracts('old.openapi.yaml', 'new.openapi.yaml', { acceptances });
 * ```
 */
export async function readAcceptances(file: string, text: string): Promise<readonly Acceptance[]> {
  const entries = await readEntries(file, text, 'accepted', publishedSchemaFile('diff-acceptances'));
  return entries.map(({ entry, place }) => ({ ...(entry as unknown as Omit<Acceptance, 'place'>), place }));
}

/** Separates accepted changes from the others, as of a day (`2026-11-21`). */
export function applyAcceptances(changes: readonly Change[], acceptances: readonly Acceptance[], today: string): AcceptanceResult {
  const valid = acceptances.filter((acceptance) => !hasExpired(acceptance, today));
  const open: Change[] = [];
  const accepted: AcceptedChange[] = [];
  for (const change of changes) {
    const acceptanceOfChange = valid.find((acceptance) => matchesAcceptance(acceptance, change));
    if (acceptanceOfChange === undefined) open.push(change);
    else accepted.push({ change, reason: acceptanceOfChange.reason, expires: acceptanceOfChange.expires });
  }
  return { open, accepted };
}

/**
 * Refuses entries whose fingerprint has the former form of twelve digits, which several changes could share.
 * @throws {SpecError} at the entry, with the entries to write instead.
 */
export function refuseFormerFingerprints(
  acceptances: readonly Acceptance[],
  comparisons: readonly Pick<ContractComparison, 'changes'>[],
): void {
  const changes = comparisons.flatMap(({ changes: open }) => open);
  for (const { fingerprint, ...acceptance } of acceptances) {
    if (fingerprint?.length !== formerLength) continue;
    const matching = changes.filter((change) => matchesAcceptance(acceptance, change));
    if (matching.length === 0) continue;
    const entries = matching.map((change) => `  ${printAcceptance(change, acceptance.reason)}`);
    throw new SpecError(
      acceptance.place,
      [
        `fingerprints have a new form: write ${entries.length === 1 ? 'this entry' : 'those of these entries that you mean'}`,
        ...entries,
      ].join('\n'),
    );
  }
}

const formerLength = 12;

/** Notes on expired and unused entries with the reason, for the open and accepted changes of all contracts. Each begins with the place of its entry. */
export function explainAcceptances(
  acceptances: readonly Acceptance[],
  comparisons: readonly Pick<ContractComparison, 'changes' | 'accepted'>[],
  today: string,
): readonly string[] {
  const changes = comparisons.flatMap(({ changes: open, accepted }) => [...open, ...accepted.map(({ change }) => change)]);
  return acceptances.flatMap((acceptance) => {
    const note = explainUnused(acceptance, changes, today);
    return note === undefined ? [] : [`${formatLocation(acceptance.place)}: ${note}`];
  });
}

/**
 * True if an entry matches a change, whether or not the entry has expired. A change of several operations is accepted for all of them or
 * for none.
 */
function matchesAcceptance(acceptance: Acceptance, change: Change): boolean {
  return matchesIdentity(acceptance, change) && matchesPlace(acceptance, change);
}

/** True if all operations of a change match the pattern for operations, and its location the one for locations. */
export function matchesPlace({ operation, location }: Pick<Acceptance, 'operation' | 'location'>, change: Change): boolean {
  return matchesLocation(location, change) && (operation === undefined || reachOf(change).every((each) => matchesPattern(operation, each)));
}

function matchesLocation(location: string | undefined, change: Change): boolean {
  return location === undefined || matchesPattern(location, change.location);
}

function matchesIdentity({ id, fingerprint }: Acceptance, change: Change): boolean {
  return id === change.id && (fingerprint === undefined || fingerprint === change.fingerprint);
}

/** A change without an operation matches only patterns that match the empty text. */
function reachOf({ operations, operation = '' }: Change): readonly string[] {
  return operations.length > 0 ? operations : [operation];
}

function hasExpired({ expires }: Acceptance, today: string): boolean {
  return expires !== undefined && expires < today;
}

/** Explains an entry that accepts no change; `undefined` if it accepts one. */
function explainUnused(acceptance: Acceptance, changes: readonly Change[], today: string): string | undefined {
  const { id, expires } = acceptance;
  const count = changes.filter((change) => matchesAcceptance(acceptance, change)).length;
  if (hasExpired(acceptance, today)) {
    const meaning =
      count === 0 ? 'no change matches it any more; remove it' : `${countChanges(count)} again; fix that, or set a later date`;
    return `the acceptance of ${id} expired on ${expires ?? ''}: ${meaning}`;
  }
  if (count > 0) return undefined;
  if (acceptance.fingerprint !== undefined) return `the acceptance of ${id} is no longer needed: no change has its fingerprint; remove it`;
  const ids = new Set(changes.map((change) => change.id));
  if (ids.has(id))
    return `the acceptance of ${id} matches no change; its patterns must match the location and all operations of a change; correct it or remove it`;
  const suggestion = nearest(id, ids);
  return suggestion === undefined
    ? `the acceptance of ${id} is no longer needed: no change has its id; remove it`
    : `the acceptance of ${id} matches no change; did you mean ${suggestion}?`;
}

function countChanges(count: number): string {
  return count === 1 ? 'the change that it matches counts' : `the ${count} changes that it matches count`;
}

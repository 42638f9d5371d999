/**
 * The acceptance file: the changes that a team accepts, each with a reason and a last day. `touchstone diff --accept` reads the file, and
 * `compareContracts` applies it to the changes that it found. It sets no levels; `level-settings.ts` does.
 */

import { didYouMean, formatLocation, nearest, type SourceLocation, SpecError } from '../../core/errors.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { placeOf } from '../../core/openapi/source-positions.ts';
import { parseYaml } from '../../core/openapi/yaml.ts';
import { isCalendarDate } from '../../core/query/instant.ts';
import type { AcceptedChange, Change } from '../../core/results/contract-change.ts';
import { matchesPattern } from '../../core/results/rule-id.ts';

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
  /** Expired and unused entries with the reason. Each note begins with the place of its entry. */
  readonly notes: readonly string[];
}

/**
 * Reads an acceptance file: YAML or JSON with a list under `accepted`.
 * @throws {SpecError} for every mistake in the file, so that no entry is silently ignored.
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises';
 * import { compareContracts, readAcceptances } from 'touchstone/diff';
 *
 * const acceptances = readAcceptances('accepted.yaml', await readFile('accepted.yaml', 'utf8'));
 * const { changes } = await compareContracts('old.openapi.yaml', 'new.openapi.yaml', { acceptances });
 * ```
 */
export function readAcceptances(file: string, text: string): readonly Acceptance[] {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => !/^\s*(#.*|---\s*)?$/.test(line));
  // A file without entries is empty, or holds only comments.
  if (first < 0) return [];
  if (/^\s*(-\s|-$|\[)/.test(lines[first] ?? '')) {
    throw new SpecError(
      { file, line: first + 1, column: 1 },
      'the acceptance file must be an object with the key accepted; write accepted: in a line above the list',
    );
  }
  const root = parseYaml(file, text);
  checkKeys(root, ['accepted'], 'the acceptance file');
  const list = root['accepted'] ?? [];
  if (!Array.isArray(list)) throw new SpecError(placeIn(root, 'accepted'), 'accepted must be a list; begin each entry with a hyphen');
  return list.map((entry: Json, index) => readAcceptance(entry, placeIn(list, index)));
}

/** Separates accepted changes from the others, as of a day (`2026-11-21`). */
export function applyAcceptances(changes: readonly Change[], acceptances: readonly Acceptance[], today: string): AcceptanceResult {
  const valid = acceptances.filter((acceptance) => !hasExpired(acceptance, today));
  const open: Change[] = [];
  const accepted: AcceptedChange[] = [];
  for (const change of changes) {
    const by = valid.find((acceptance) => matchesAcceptance(acceptance, change));
    if (by === undefined) open.push(change);
    else accepted.push({ change, reason: by.reason, expires: by.expires });
  }
  const notes = acceptances.flatMap((acceptance) => {
    const note = explainUnused(acceptance, changes, today);
    return note === undefined ? [] : [`${formatLocation(acceptance.place)}: ${note}`];
  });
  return { open, accepted, notes };
}

/**
 * True if an entry matches a change, whether or not the entry has expired. A change of several operations is accepted for all of them or
 * for none.
 */
export function matchesAcceptance(acceptance: Acceptance, change: Change): boolean {
  return matchesExceptOperation(acceptance, change) && matchesPlace(acceptance, change);
}

/** True if all operations of a change match the pattern for operations, and its location the one for locations. */
export function matchesPlace({ operation, location }: Pick<Acceptance, 'operation' | 'location'>, change: Change): boolean {
  return (
    (location === undefined || matchesPattern(location, change.location)) &&
    (operation === undefined || reachOf(change).every((each) => matchesPattern(operation, each)))
  );
}

function matchesExceptOperation({ id, location, fingerprint }: Acceptance, change: Change): boolean {
  const matchesLocation = location === undefined || matchesPattern(location, change.location);
  return id === change.id && matchesLocation && (fingerprint === undefined || fingerprint === change.fingerprint);
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
  return count > 0 ? undefined : explainMismatch(acceptance, changes);
}

function explainMismatch(acceptance: Acceptance, changes: readonly Change[]): string {
  const { id, operation = '' } = acceptance;
  const partial = changes.find(
    (change) => matchesExceptOperation(acceptance, change) && reachOf(change).some((each) => matchesPattern(operation, each)),
  );
  if (partial !== undefined) {
    const unmatched = reachOf(partial).find((each) => !matchesPattern(operation, each)) ?? '';
    return `the acceptance of ${id} for ${operation} is unused: the change also affects ${unmatched}, and a change is accepted for all its operations or for none; widen the pattern, or accept fingerprint ${partial.fingerprint} alone`;
  }
  const ids = new Set(changes.map((change) => change.id));
  const suggestion = ids.has(id) ? undefined : nearest(id, ids);
  const advice = suggestion === undefined ? 'correct it or remove it' : `did you mean ${suggestion}?`;
  return `the acceptance of ${id} matches no change; ${advice}`;
}

function countChanges(count: number): string {
  return count === 1 ? 'the change that it matches counts' : `the ${count} changes that it matches count`;
}

const textKeys = ['id', 'operation', 'location', 'fingerprint', 'reason', 'expires'] as const;
const choosingKeys = ['operation', 'location', 'fingerprint'] as const;

function readAcceptance(entry: Json, place: SourceLocation): Acceptance {
  if (!isObject(entry)) {
    throw new SpecError(place, `an acceptance must be an object with an id and a reason, got ${JSON.stringify(entry)}`);
  }
  checkKeys(entry, textKeys, 'an acceptance');
  const texts: Partial<Record<(typeof textKeys)[number], string>> = {};
  for (const key of textKeys) {
    const value = entry[key];
    if (value !== undefined) texts[key] = readEntryText(entry, key, value);
  }
  const { id, reason, ...rest } = texts;
  if (id === undefined) throw new SpecError(place, 'this acceptance has no id; copy the id of the change from a report');
  if (reason === undefined) throw new SpecError(place, `this acceptance of ${id} has no reason; write why the change is accepted`);
  if (choosingKeys.every((key) => texts[key] === undefined)) {
    throw new SpecError(
      place,
      `this acceptance of ${id} would accept every change with this id; add one or more of ${choosingKeys.join(', ')}`,
    );
  }
  checkFingerprint(entry, rest.fingerprint);
  checkDay(entry, rest.expires);
  return { id, reason, ...rest, place };
}

function readEntryText(entry: JsonObject, key: string, value: Json): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  const advice = typeof value === 'number' ? 'put it in quotes' : 'write a text that is not empty';
  throw new SpecError(placeIn(entry, key), `${key} must be a text, got ${JSON.stringify(value)}; ${advice}`);
}

function checkFingerprint(entry: JsonObject, fingerprint: string | undefined): void {
  if (fingerprint === undefined || /^[0-9a-f]{12}$/.test(fingerprint)) return;
  const message = `a fingerprint must be twelve hexadecimal digits, got ${fingerprint}; copy it from a report`;
  throw new SpecError(placeIn(entry, 'fingerprint'), message);
}

function checkDay(entry: JsonObject, day: string | undefined): void {
  if (day === undefined || isCalendarDate(day)) return;
  throw new SpecError(placeIn(entry, 'expires'), `expires must be a date such as 2026-12-31, got ${day}`);
}

function checkKeys(holder: JsonObject, known: readonly string[], what: string): void {
  const unknown = Object.keys(holder).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const advice = didYouMean(unknown, known, `the known keys are ${known.join(', ')}`);
  throw new SpecError(placeIn(holder, unknown), `${what} has no key ${unknown}; ${advice}`);
}

function placeIn(holder: object, key: string | number): SourceLocation {
  return placeOf(holder, key) ?? { file: '', line: 1, column: 1 };
}

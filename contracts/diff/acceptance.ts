/** Acceptances: which changes somebody let pass, why, and until when. Read from a file, and held against the changes that were found. */

import type { AcceptedChange, Change } from '../../core/change.ts';
import { nearest, type Place, printPlace, SpecError } from '../../core/errors.ts';
import { isCalendarDate } from '../../core/instant.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { placeOf } from '../../core/origin.ts';
import { parseYaml } from '../../core/yaml.ts';
import { matchesPattern } from '../../core/rule-id.ts';

/** A change that may pass: an entry of the file. It must say which one by at least its operation, its location or its fingerprint. */
export interface Acceptance {
  /** The rule that speaks of the change, such as `response-body/enum-value-added`. */
  readonly id: string;
  /** A pattern for the operations that the change reaches, all of them; `*` stands for anything. */
  readonly operation?: string;
  /** A pattern for where in the exchange the change is; `*` stands for anything. */
  readonly location?: string;
  /** The fingerprint of the one change that is meant. */
  readonly fingerprint?: string;
  /** Why it may pass. */
  readonly reason: string;
  /** The last day on which it may (`2026-12-31`). */
  readonly expires?: string;
  /** Where the entry stands. */
  readonly place: Place;
}

/** What acceptances make of changes. */
export interface Acceptances {
  /** The changes that nobody accepted, in their order. */
  readonly open: readonly Change[];
  readonly accepted: readonly AcceptedChange[];
  /** Acceptances that do nothing, and why. Each begins with the place of the acceptance. */
  readonly notes: readonly string[];
}

/**
 * Reads a file of acceptances: YAML or JSON, with a list under `accepted`.
 * @throws {SpecError} for anything in it that would silently not do what its author meant.
 */
export function readAcceptances(file: string, text: string): readonly Acceptance[] {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => !/^\s*(#.*|---\s*)?$/.test(line));
  // Whoever takes out the last entry leaves an empty file, or comments.
  if (first < 0) return [];
  if (/^\s*(-\s|-$|\[)/.test(lines[first] ?? '')) {
    throw new SpecError({ file, line: first + 1, column: 1 }, 'acceptances are a list under accepted; write accepted: in a line above');
  }
  const root = parseYaml(file, text);
  checkKeys(root, ['accepted'], 'a file of acceptances');
  const list = root['accepted'] ?? [];
  if (!Array.isArray(list))
    throw new SpecError(whereIs(root, 'accepted'), 'accepted holds a list of acceptances; begin each with a hyphen');
  return list.map((entry: Json, index) => readAcceptance(entry, whereIs(list, index)));
}

/** Parts changes into those that are open and those that are accepted on a day (`2026-11-21`). */
export function applyAcceptances(changes: readonly Change[], acceptances: readonly Acceptance[], today: string): Acceptances {
  const valid = acceptances.filter((acceptance) => !hasExpired(acceptance, today));
  const open: Change[] = [];
  const accepted: AcceptedChange[] = [];
  for (const change of changes) {
    const by = valid.find((acceptance) => fits(acceptance, change));
    if (by === undefined) open.push(change);
    else accepted.push({ change, reason: by.reason, expires: by.expires });
  }
  const notes = acceptances.flatMap((acceptance) => {
    const note = explainIdle(acceptance, changes, today);
    return note === undefined ? [] : [`${printPlace(acceptance.place)}: ${note}`];
  });
  return { open, accepted, notes };
}

/** Whether an acceptance speaks of a change, on whatever day. A change of several operations is accepted for all of them or not at all. */
export function fits(acceptance: Acceptance, change: Change): boolean {
  const { operation } = acceptance;
  return (
    fitsBeyondOperation(acceptance, change) && (operation === undefined || reachOf(change).every((each) => matchesPattern(operation, each)))
  );
}

function fitsBeyondOperation({ id, location, fingerprint }: Acceptance, change: Change): boolean {
  const isThere = location === undefined || matchesPattern(location, change.location);
  return id === change.id && isThere && (fingerprint === undefined || fingerprint === change.fingerprint);
}

/** What belongs to no operation is met by a pattern that meets everything. */
function reachOf({ operations, operation = '' }: Change): readonly string[] {
  return operations.length > 0 ? operations : [operation];
}

function hasExpired({ expires }: Acceptance, today: string): boolean {
  return expires !== undefined && expires < today;
}

/** Why an acceptance accepts nothing; `undefined` when it does, or did until it expired and there is nothing left to accept. */
function explainIdle(acceptance: Acceptance, changes: readonly Change[], today: string): string | undefined {
  const { id, expires } = acceptance;
  const count = changes.filter((change) => fits(acceptance, change)).length;
  if (hasExpired(acceptance, today)) {
    const meaning = count === 0 ? 'it fits no change any more; remove it' : `${countChanges(count)} again; mend that, or give a later date`;
    return `the acceptance of ${id} expired on ${expires ?? ''}: ${meaning}`;
  }
  return count > 0 ? undefined : explainMisfit(acceptance, changes);
}

function explainMisfit(acceptance: Acceptance, changes: readonly Change[]): string {
  const { id, operation = '' } = acceptance;
  const wider = changes.find(
    (change) => fitsBeyondOperation(acceptance, change) && reachOf(change).some((each) => matchesPattern(operation, each)),
  );
  if (wider !== undefined) {
    const beyond = reachOf(wider).find((each) => !matchesPattern(operation, each)) ?? '';
    return `the acceptance of ${id} for ${operation} fits nothing: that change reaches ${beyond} too, and is accepted for all operations or for none; widen the pattern, or name fingerprint ${wider.fingerprint} alone`;
  }
  const ids = new Set(changes.map((change) => change.id));
  const meant = ids.has(id) ? undefined : nearest(id, ids);
  const advice = meant === undefined ? 'correct it or remove it' : `is ${meant} meant?`;
  return `the acceptance of ${id} fits no change; ${advice}`;
}

function countChanges(count: number): string {
  return count === 1 ? 'the change that it fits counts' : `the ${count} changes that it fits count`;
}

const textKeys = ['id', 'operation', 'location', 'fingerprint', 'reason', 'expires'] as const;
const choosingKeys = ['operation', 'location', 'fingerprint'] as const;

function readAcceptance(entry: Json, place: Place): Acceptance {
  if (!isObject(entry)) {
    throw new SpecError(place, `an acceptance has an id, a reason and what it is about, and this is ${JSON.stringify(entry)}`);
  }
  checkKeys(entry, textKeys, 'an acceptance');
  const texts: Partial<Record<(typeof textKeys)[number], string>> = {};
  for (const key of textKeys) {
    const value = entry[key];
    if (value !== undefined) texts[key] = readText(entry, key, value);
  }
  const { id, reason, ...rest } = texts;
  if (id === undefined) throw new SpecError(place, 'this acceptance has no id; write the rule that it is about, as reports print it');
  if (reason === undefined) throw new SpecError(place, `this acceptance of ${id} has no reason; write why the change may pass`);
  if (choosingKeys.every((key) => texts[key] === undefined)) {
    throw new SpecError(
      place,
      `this acceptance of ${id} would let pass every change of that kind; add ${choosingKeys.join(', ')} or several`,
    );
  }
  checkFingerprint(entry, rest.fingerprint);
  checkDay(entry, rest.expires);
  return { id, reason, ...rest, place };
}

function readText(entry: JsonObject, key: string, value: Json): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  const advice = typeof value === 'number' ? 'put it into quotes' : 'write a text that is not empty';
  throw new SpecError(whereIs(entry, key), `${key} is a text, and this is ${JSON.stringify(value)}; ${advice}`);
}

function checkFingerprint(entry: JsonObject, fingerprint: string | undefined): void {
  if (fingerprint === undefined || /^[0-9a-f]{12}$/.test(fingerprint)) return;
  const message = `a fingerprint is twelve hexadecimal digits, and this is ${fingerprint}; copy it from a report`;
  throw new SpecError(whereIs(entry, 'fingerprint'), message);
}

function checkDay(entry: JsonObject, day: string | undefined): void {
  if (day === undefined || isCalendarDate(day)) return;
  throw new SpecError(whereIs(entry, 'expires'), `expires is a day of the calendar such as 2026-12-31, and this is ${day}`);
}

function checkKeys(holder: JsonObject, known: readonly string[], what: string): void {
  const unknown = Object.keys(holder).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const meant = nearest(unknown, known);
  const advice = meant === undefined ? `it has ${known.join(', ')}` : `is ${meant} meant?`;
  throw new SpecError(whereIs(holder, unknown), `${what} has no ${unknown}; ${advice}`);
}

function whereIs(holder: object, key: string | number): Place {
  return placeOf(holder, key) ?? { file: '', line: 1, column: 1 };
}

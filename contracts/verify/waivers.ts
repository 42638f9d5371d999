/** Reads waivers, and at the end of a run applies them to violations, until their last day. A waiver changes what fails a run, never what was judged. */

import { withoutUndefined } from '../../core/drop-undefined.ts';
import { formatLocation, type SourceLocation } from '../../core/errors.ts';
import { isObject, type Json } from '../../core/json.ts';
import { readEntries } from '../../core/openapi/check-touchstone-file.ts';
import { placeOf } from '../../core/openapi/source-positions.ts';
import { type Cause, type CheckResult, violationsIn, type Waiver } from '../../core/results/run-result.ts';
import { publishedSchemaFile } from '../../core/shipped-files.ts';
import { findCauses, isCauseOf } from './find-causes.ts';
import { isFingerprintOf } from './violation-fingerprint.ts';

/** An entry in a waiver file: the violation, and the reason why it does not fail the run. */
export interface WaiverEntry extends Waiver {
  /** The id of a cause, or the fingerprint of one violation, as reports print them. */
  readonly fingerprint: string;
  /** Place of the entry in its file; absent if it comes from no file. */
  readonly place?: SourceLocation;
}

/** Verdicts after waivers. */
interface Waived {
  readonly checks: readonly CheckResult[];
  /** Waivers that do nothing, and why. */
  readonly notes: readonly string[];
}

/**
 * Reads a file of waivers: YAML or JSON, with a list under `waivers`.
 * @throws {SpecError} for any entry that would otherwise be silently ignored.
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises';
 * import { readWaivers, verify } from 'touchstone/verify';
 *
 * const waivers = await readWaivers('waivers.yaml', await readFile('waivers.yaml', 'utf8'));
 * const { verdict } = await verify({ contract: 'wiki', target: 'http://127.0.0.1:4010', waivers }).result;
 * ```
 */
export async function readWaivers(file: string, text: string): Promise<readonly WaiverEntry[]> {
  return (await readEntries(file, text, 'waivers', publishedSchemaFile('verify-waivers'))).map(({ entry, place }) => ({
    ...(entry as unknown as Omit<WaiverEntry, 'place'>),
    place,
  }));
}

/** The waivers of a list that was checked by the schema. */
export function toWaivers(list: Json | undefined): readonly WaiverEntry[] {
  if (!Array.isArray(list)) return [];
  return (list as readonly Json[]).filter(isObject).map((entry, index) => {
    const { fingerprint, reason, expires } = entry as unknown as Omit<WaiverEntry, 'place'>;
    const place = placeOf(list, index);
    return { fingerprint, reason, ...withoutUndefined({ expires, place }) };
  });
}

/**
 * Waives violations on a day (`2026-11-21`), and those of an earlier run. A waiver names a cause, with everything that it explains, or one violation. A
 * check with several violations shows the gravest that is not waived.
 */
export function applyWaivers(
  results: readonly CheckResult[],
  waivers: readonly WaiverEntry[],
  today: string,
  baseline: readonly CheckResult[] = [],
  allowFlaky = false,
): Waived {
  const causes = findCauses(results);
  const baselineWaivers = baseline
    .flatMap(violationsIn)
    .map(({ fingerprint }) => [fingerprint, { reason: 'the baseline has it' }] as const);
  const validWaivers = waivers.filter((entry) => !hasExpired(entry, today)).map((entry) => [entry.fingerprint, waiverOf(entry)] as const);
  const waiversByName = new Map<string, Waiver>([...baselineWaivers, ...validWaivers]);
  // Only the id of a cause waives what it explains: a violation that an earlier run did not have is new, whatever explains it.
  const waiversOfCauses = causes.flatMap(({ id, explains }) =>
    explains.map(({ fingerprint }) => [fingerprint, waiversByName.get(id)] as const),
  );
  const waiversByFingerprint = new Map([
    ...waiversByName,
    ...waiversOfCauses.flatMap(([fingerprint, waiver]) => (waiver === undefined ? [] : [[fingerprint, waiver] as const])),
  ]);
  const notes = waivers.flatMap((entry) => noteIdleWaiver(entry, today, findWaived(entry, results, causes)));
  const waived = results.map((result) => applyToCheck(result, waiversByFingerprint));
  return { checks: allowFlaky ? waived.map(waiveFlaky) : waived, notes };
}

function waiveFlaky(result: CheckResult): CheckResult {
  if (result.flaky === undefined) return result;
  const waiver: Waiver = { reason: 'flaky responses are allowed' };
  return { ...result, waiver, ...withoutUndefined({ further: result.further?.map((each) => ({ ...each, waiver })) }) };
}

function applyToCheck(result: CheckResult, waiversByFingerprint: ReadonlyMap<string, Waiver>): CheckResult {
  const violations = violationsIn(result).map((each) => {
    const waiver = waiversByFingerprint.get(each.fingerprint);
    return waiver === undefined ? each : { ...each, waiver };
  });
  if (violations.every(({ waiver }) => waiver === undefined)) return result;
  const [first, ...further] = violations.toSorted((left, right) => Number(left.waiver !== undefined) - Number(right.waiver !== undefined));
  const { diagnosis: _, further: __, ...rest } = result;
  return { ...rest, ...first, ...(further.length === 0 ? {} : { further }) };
}

/** True after the last day of a waiver. */
export function hasExpired({ expires }: WaiverEntry, today: string): boolean {
  return expires !== undefined && expires < today;
}

/** The waiver of an entry. */
export function waiverOf({ reason, expires }: WaiverEntry): Waiver {
  return { reason, ...withoutUndefined({ expires }) };
}

/** What a waiver names, in the words of its note. */
interface WaivedThing {
  readonly name: string;
  /** True if the run reports it. */
  readonly isReported: boolean;
  /** What is true of it otherwise, as a clause; `undefined` if it was not judged. */
  readonly state: string | undefined;
}

/** The note on a waiver that does nothing; none for one that waives something, or whose checks were not judged. */
export function noteIdleWaiver(entry: WaiverEntry, today: string, { name, isReported, state }: WaivedThing): readonly string[] {
  const { fingerprint, expires = '', place } = entry;
  const waiver = `${place === undefined ? '' : `${formatLocation(place)}: `}the waiver of ${fingerprint}`;
  if (hasExpired(entry, today))
    return [`${waiver} expired on ${expires}${isReported ? `, and ${name} counts again: fix it, or give a later date` : '; remove it'}`];
  return isReported || state === undefined ? [] : [`${waiver} is unused: ${name} ${state}; remove it`];
}

function findWaived({ fingerprint }: WaiverEntry, results: readonly CheckResult[], causes: readonly Cause[]): WaivedThing {
  const sameChecks = results.filter(({ rule: id, operation }) => isFingerprintOf(fingerprint, id, operation) || isCauseOf(fingerprint, id));
  const names = [...causes.map(({ id }) => id), ...sameChecks.flatMap(violationsIn).map((each) => each.fingerprint)];
  const operations = [...new Set(sameChecks.map(({ operation }) => operation))].join(', ');
  const isJudged = sameChecks.length > 0 && sameChecks.every(({ verdict }) => verdict === 'holds' || verdict === 'violated');
  const isViolated = sameChecks.some(({ verdict }) => verdict === 'violated');
  return {
    name: `${sameChecks[0]?.rule} in ${operations}`,
    isReported: names.includes(fingerprint),
    state: isJudged ? (isViolated ? 'is violated in another way' : 'holds') : undefined,
  };
}

/** Waivers: which violations are known and fail nothing for the time being, why, and until when. Read from a file, and held against verdicts. */

import { checkBySchema } from '../core/by-schema.ts';
import { type Place, printPlace, SpecError } from '../core/errors.ts';
import { isObject, type Json } from '../core/json.ts';
import { placeOf } from '../core/origin.ts';
import { publishedSchemaFile } from '../core/shipped.ts';
import type { LawResult, LawViolation, Waiver } from '../core/verdict.ts';
import { parseYaml } from '../core/yaml.ts';
import { isFingerprintOf } from './outcome.ts';

/** An entry of a file of waivers: the violation that it is about, and why it fails nothing. */
export interface WaiverEntry extends Waiver {
  /** As a report prints it. */
  readonly fingerprint: string;
  /** Where the entry stands, when it stands in a file. */
  readonly place?: Place;
}

/** What waivers make of verdicts. */
export interface Waived {
  readonly laws: readonly LawResult[];
  /** Waivers that do nothing, and why. */
  readonly notes: readonly string[];
}

/**
 * Reads a file of waivers: YAML or JSON, with a list under `waivers`.
 * @throws {SpecError} for anything in it that would silently not do what its author meant.
 */
export async function readWaivers(file: string, text: string): Promise<readonly WaiverEntry[]> {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => !/^\s*(#.*|---\s*)?$/.test(line));
  // Whoever takes out the last entry leaves an empty file, or comments.
  if (first < 0) return [];
  if (/^\s*(-\s|-$|\[)/.test(lines[first] ?? ''))
    throw new SpecError({ file, line: first + 1, column: 1 }, 'waivers are a list under waivers; write waivers: in a line above');
  const root = parseYaml(file, text, 'a file of waivers');
  await checkBySchema(publishedSchemaFile('verify-waivers'), file, root);
  return toWaivers(root['waivers']);
}

/** The waivers of a list that was checked by the schema. */
export function toWaivers(list: Json | undefined): readonly WaiverEntry[] {
  if (!Array.isArray(list)) return [];
  return (list as readonly Json[]).filter(isObject).map((entry, index) => {
    const { fingerprint, reason, expires } = entry as unknown as Omit<WaiverEntry, 'place'>;
    const place = placeOf(list, index);
    return { fingerprint, reason, ...(expires === undefined ? {} : { expires }), ...(place === undefined ? {} : { place }) };
  });
}

/**
 * Waives violations on a day (`2026-11-21`), and those of an earlier run. A law that is violated in several ways is told by the gravest that is not
 * waived.
 */
export function applyWaivers(
  results: readonly LawResult[],
  waivers: readonly WaiverEntry[],
  today: string,
  baseline: readonly LawResult[] = [],
): Waived {
  const known = baseline.flatMap(violationsIn).map(({ fingerprint }) => [fingerprint, { reason: 'the baseline has it' }] as const);
  const unexpired = waivers.filter((entry) => !hasExpired(entry, today)).map((entry) => [entry.fingerprint, toWaiver(entry)] as const);
  const valid = new Map<string, Waiver>([...known, ...unexpired]);
  const notes = waivers.flatMap((entry) => {
    const note = explain(entry, results, today);
    return note === undefined
      ? []
      : [`${entry.place === undefined ? '' : `${printPlace(entry.place)}: `}the waiver of ${entry.fingerprint} ${note}`];
  });
  return { laws: results.map((result) => applyToLaw(result, valid)), notes };
}

function applyToLaw(result: LawResult, valid: ReadonlyMap<string, Waiver>): LawResult {
  const violations = violationsIn(result).map((each) => {
    const waiver = valid.get(each.fingerprint);
    return waiver === undefined ? each : { ...each, waiver };
  });
  if (violations.every(({ waiver }) => waiver === undefined)) return result;
  const [first, ...further] = violations.toSorted((left, right) => Number(left.waiver !== undefined) - Number(right.waiver !== undefined));
  const { diagnosis: _, further: __, ...rest } = result;
  return { ...rest, ...first, ...(further.length === 0 ? {} : { further }) };
}

/** Everything that is wrong by a law, the gravest first. */
export function violationsIn({
  fingerprint,
  message,
  diagnosis,
  counterexample,
  waiver,
  further = [],
}: LawResult): readonly LawViolation[] {
  if (fingerprint === undefined || counterexample === undefined) return [];
  const first = { fingerprint, message, counterexample };
  return [{ ...first, ...(diagnosis === undefined ? {} : { diagnosis }), ...(waiver === undefined ? {} : { waiver }) }, ...further];
}

function hasExpired({ expires }: WaiverEntry, today: string): boolean {
  return expires !== undefined && expires < today;
}

function toWaiver({ reason, expires }: WaiverEntry): Waiver {
  return { reason, ...(expires === undefined ? {} : { expires }) };
}

/** Why an entry does nothing; `undefined` when it does, or when its law was not judged: what it is about may still be there. */
function explain(entry: WaiverEntry, results: readonly LawResult[], today: string): string | undefined {
  const about = results.find(({ id, operation }) => isFingerprintOf(entry.fingerprint, id, operation));
  const isThere = about !== undefined && violationsIn(about).some(({ fingerprint }) => fingerprint === entry.fingerprint);
  const name = about === undefined ? '' : `${about.id} at ${about.operation}`;
  if (hasExpired(entry, today))
    return `expired on ${entry.expires ?? ''}${isThere ? `, and ${name} counts again: mend it, or give a later date` : '; remove it'}`;
  const isGone = about !== undefined && !isThere && (about.verdict === 'holds' || about.verdict === 'violated');
  if (!isGone) return undefined;
  return `is of no use: ${name} ${about.verdict === 'holds' ? 'holds' : 'is violated in another way'}; remove it`;
}

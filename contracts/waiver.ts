/** Waivers: which violations are known and fail nothing for the time being, why, and until when. Read from a file, and held against verdicts. */

import { checkBySchema } from '../core/by-schema.ts';
import { nearest, type Place, printPlace, SpecError } from '../core/errors.ts';

import { isObject, type Json } from '../core/json.ts';
import { placeOf } from '../core/origin.ts';
import { publishedSchemaFile } from '../core/shipped.ts';
import type { LawResult, Waiver } from '../core/verdict.ts';
import { parseYaml } from '../core/yaml.ts';
import { laws } from './laws/catalogue.ts';
import { matchesPattern } from './pattern.ts';
import { watchLaws } from './watch/catalogue.ts';

/** An entry of a file of waivers: the violations that it is about, and why they fail nothing. */
export interface WaiverEntry extends Waiver {
  /** A pattern for laws; `*` stands for anything. */
  readonly law: string;
  /** A pattern for operations; all of them unless it is given. */
  readonly operation?: string;
  /** Where the entry stands, when it stands in a file. */
  readonly place?: Place;
}

/** A law at an operation, by their names. */
export interface Named {
  readonly id: string;
  readonly operation: string;
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
    const { law, operation, reason, expires } = entry as unknown as Omit<WaiverEntry, 'place'>;
    const place = placeOf(list, index);
    const extent = operation === undefined ? {} : { operation };
    return { law, ...extent, reason, ...(expires === undefined ? {} : { expires }), ...(place === undefined ? {} : { place }) };
  });
}

/**
 * Waives the violations that some entry is about on a day (`2026-11-21`). `leftOut` is what was not judged although the contract has it: an entry
 * that is about it may be of use another time.
 */
export function applyWaivers(
  results: readonly LawResult[],
  waivers: readonly WaiverEntry[],
  today: string,
  leftOut: readonly Named[] = [],
): Waived {
  const valid = waivers.filter((entry) => !hasExpired(entry, today));
  const waived = results.map((result) => {
    const by = result.verdict === 'violated' ? valid.find((entry) => fits(entry, result)) : undefined;
    return by === undefined ? result : { ...result, waiver: toWaiver(by) };
  });
  const notes = waivers.flatMap((entry) => {
    const note = hasExpired(entry, today) ? explainExpired(entry, results) : explainIdle(entry, results, leftOut);
    return note === undefined
      ? []
      : [`${entry.place === undefined ? '' : `${printPlace(entry.place)}: `}the waiver of ${describe(entry)} ${note}`];
  });
  return { laws: waived, notes };
}

function fits({ law, operation = '*' }: WaiverEntry, named: Named): boolean {
  return matchesPattern(law, named.id) && matchesPattern(operation, named.operation);
}

function hasExpired({ expires }: WaiverEntry, today: string): boolean {
  return expires !== undefined && expires < today;
}

function toWaiver({ reason, expires }: WaiverEntry): Waiver {
  return { reason, ...(expires === undefined ? {} : { expires }) };
}

function describe({ law, operation }: WaiverEntry): string {
  return operation === undefined ? law : `${law} at ${operation}`;
}

function explainExpired(entry: WaiverEntry, results: readonly LawResult[]): string {
  const count = results.filter((result) => result.verdict === 'violated' && fits(entry, result)).length;
  const counts = count === 1 ? 'the violation that it fits counts again' : `the ${count} violations that it fits count again`;
  return `expired on ${entry.expires ?? ''}: ${count === 0 ? 'it fits no violation; remove it' : `${counts}; mend that, or give a later date`}`;
}

/** Why an entry waived nothing; `undefined` when it did, or when something that it is about was not judged and may still be violated. */
function explainIdle(entry: WaiverEntry, results: readonly LawResult[], leftOut: readonly Named[]): string | undefined {
  const about = results.filter((result) => fits(entry, result));
  if (about.length === 0) return explainMisfit(entry);
  const isOpen = about.some(({ verdict }) => verdict !== 'holds') || leftOut.some((named) => fits(entry, named));
  return isOpen ? undefined : `is of no use: what it is about ${about.length === 1 ? 'holds' : 'all holds'}; remove it`;
}

/** A law of another contract is none of this run's business, but one of no contract is a slip of the pen. */
function explainMisfit({ law }: WaiverEntry): string | undefined {
  const known = [...laws, ...watchLaws].map(({ id }) => id);
  if (known.some((id) => matchesPattern(law, id))) return undefined;
  const meant = nearest(law, known);
  return `is of no use: there is no such law; ${meant === undefined ? 'touchstone laws lists them' : `is ${meant} meant?`}`;
}

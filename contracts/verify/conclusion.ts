/**
 * The conclusion of a run from its verdicts: requirements, which must be seen to hold; waivers, which let known violations pass until a day; the exit code.
 * `verify`, `--watch` and `merge` end with it.
 */

import { didYouMean, formatLocation, nearest, type SourceLocation, SpecError, UsageError } from '../../core/errors.ts';
import { isObject, type Json } from '../../core/json.ts';
import { checkBySchema } from '../../core/openapi/check-by-schema.ts';
import { placeOf } from '../../core/openapi/source-positions.ts';
import { parseYaml } from '../../core/openapi/yaml.ts';
import { matchesPattern } from '../../core/results/rule-id.ts';
import { type Cause, type CheckResult, type RunResult, type Verdict, verdicts, type Waiver } from '../../core/results/run-result.ts';
import { publishedSchemaFile } from '../../core/shipped.ts';
import { findCauses, isCauseOf, violationsIn } from './causes.ts';
import { isFingerprintOf, noteRefusedKey } from './check-outcome.ts';
import type { RunSettings } from './play-run.ts';

/** Terms that decide the exit code besides the verdicts. */
export interface Terms {
  readonly require?: Requirement | undefined;
  readonly waivers?: readonly WaiverEntry[] | undefined;
  /** The checks of an earlier run, whose violations fail nothing. */
  readonly baseline?: readonly CheckResult[] | undefined;
  /** The day in UTC, as `2026-12-31`. */
  readonly today: string;
}

/** Results of the run. */
export type Seen = Pick<RunResult, 'checks'> &
  Partial<Pick<RunResult, 'unavailable' | 'cutShort' | 'notes'>> & {
    /** True when an internal error prevented the observation of open questions. */
    readonly failed?: boolean;
  };

/** The part of a result that follows from the rest. */
type Conclusion = Pick<RunResult, 'verdict' | 'exitCode' | 'causes' | 'checks' | 'notes'>;

/** Concludes. Violations count most; then that the user stopped it, then that the target was not there, then that too little was shown. */
export function conclude(seen: Seen, { require, waivers = [], today, baseline }: Terms): Conclusion {
  const waived = applyWaivers(seen.checks, waivers, today, baseline);
  const lack = seen.unavailable === undefined ? findEvidenceGap(require, waived.checks) : { verdict: undefined, notes: [] };
  const notes = [...new Set([...(seen.notes ?? []), ...waived.notes, ...lack.notes])];
  return {
    ...weigh({ ...seen, checks: waived.checks }, lack.verdict),
    causes: findCauses(waived.checks),
    checks: waived.checks,
    ...(notes.length === 0 ? {} : { notes }),
  };
}

function weigh(
  { checks, unavailable, cutShort, failed = false }: Seen,
  lacking: Verdict | undefined,
): Pick<RunResult, 'verdict' | 'exitCode'> {
  if (checks.some((check) => check.verdict === 'violated' && check.waiver === undefined)) return { verdict: 'violated', exitCode: 1 };
  if (cutShort === 'interrupted') return { verdict: 'inconclusive', exitCode: 130 };
  if (unavailable !== undefined || cutShort === 'lost' || failed || checks.some(isBlocked)) return { verdict: 'blocked', exitCode: 3 };
  if (lacking !== undefined) return { verdict: lacking, exitCode: 4 };
  // A check without requests left is no evidence.
  return isShown(checks) && cutShort !== 'budget' ? { verdict: 'holds', exitCode: 0 } : { verdict: 'not-exercised', exitCode: 4 };
}

/** True when at least a tenth of the testable checks was exercised. A waived violation counts as exercised. */
function isShown(checks: readonly CheckResult[]): boolean {
  const shown = checks.filter(({ verdict, waiver }) => verdict === 'holds' || waiver !== undefined).length;
  return shown > 0 && shown * 10 >= checks.filter(({ verdict }) => verdict !== 'not-testable').length;
}

function isBlocked({ verdict, strength, failed }: CheckResult): boolean {
  return verdict === 'blocked' && (strength === 'stated' || failed === true);
}

/** Reason why the run ended early, with notes. A spent budget does not count for an absent target or an interrupted run. */
export function describeCut(
  { session, printing: { clean } }: RunSettings,
  isInterrupted: boolean,
  { checks, unavailable, failure }: Pick<RunResult, 'checks' | 'unavailable'> & { readonly failure?: string | undefined },
): Pick<RunResult, 'cutShort'> & { readonly notes: readonly string[] } {
  const mistake = failure === undefined ? [] : [clean(failure)];
  const notes = [...noteRefusedKey(session.replies), ...noteRedirects(session.redirects), ...mistake];
  const judged = checks.filter(({ verdict }) => verdict === 'holds' || verdict === 'violated').length;
  const left = `${judged} of ${checks.length} checks were decided until then`;
  if (isInterrupted)
    return { cutShort: 'interrupted', notes: [`The run was interrupted after ${session.requests} requests; ${left}`, ...notes] };
  if (unavailable !== undefined) return { notes: [] };
  if (session.loss !== undefined)
    return {
      cutShort: 'lost',
      notes: [clean(`The target was lost after ${session.requests} requests (${session.loss}); ${left}`), ...notes],
    };
  if (session.isSpent)
    return {
      cutShort: 'budget',
      notes: [
        session.fullness === undefined
          ? `The budget was spent after ${session.requests} requests; ${left}, and more requests may decide the rest`
          : `Nothing was asked after ${session.requests} requests, since ${session.fullness}; ${left}`,
        ...notes,
      ],
    };
  return { notes };
}

function noteRedirects(redirects: ReadonlyMap<string, number>): readonly string[] {
  const total = [...redirects.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return [];
  return [
    `The target redirected ${total} requests within its origin, at ${[...redirects.keys()].join(', ')}; each redirect counts as a request`,
  ];
}

/** Rules that must hold: all that the documents state, all, or those that match a pattern. */
export type Requirement = 'stated' | 'all' | readonly string[];

/** Required rules that do not hold. */
export interface EvidenceGap {
  /** The gravest verdict among the checks that were required and do not hold; `undefined` when none is lacking. */
  readonly verdict: Verdict | undefined;
  /** A sentence for each of them. */
  readonly notes: readonly string[];
}

/** Words for each verdict. */
const words: Readonly<Record<Verdict, string>> = {
  violated: 'is violated',
  blocked: 'was blocked',
  inconclusive: 'is inconclusive',
  'not-testable': 'is not testable',
  'not-exercised': 'was not exercised',
  holds: 'holds',
};

/**
 * Reads a requirement: `stated`, `all`, or patterns for rules with commas between them.
 * @throws {UsageError} when it is empty, or a word that is almost one of these.
 */
export function readRequirement(text: string | readonly string[]): Requirement {
  if (text === 'stated' || text === 'all') return text;
  const patterns = (typeof text === 'string' ? text.split(',') : text).map((each) => each.trim());
  const wrong = patterns.find((each) => each === '' || !/[/*]/.test(each));
  if (wrong === undefined && patterns.length > 0) return patterns;
  const meant = wrong === undefined ? undefined : nearest(wrong, ['stated', 'all']);
  const advice = meant === undefined ? 'write stated, all, or rules such as paging/*,keys/missing' : `did you mean ${meant}?`;
  throw new UsageError(`${wrong === undefined || wrong === '' ? 'an empty text' : wrong} requires no rule; ${advice}`);
}

/**
 * Makes sure that each pattern requires something.
 * @throws {UsageError} for a pattern that matches no rule of the contract.
 */
export function checkRequirement(requirement: Requirement | undefined, ids: Iterable<string>): void {
  if (requirement === undefined || typeof requirement === 'string') return;
  const known = [...new Set(ids)];
  const idle = requirement.find((pattern) => !known.some((id) => matchesPattern(pattern, id)));
  if (idle === undefined) return;
  const advice = didYouMean(idle, known, 'rules are named GROUP/NAME, and * stands for anything');
  throw new UsageError(`${idle} is required and is no rule that is judged here; ${advice}`);
}

/** Missing evidence. A violation is reported as such and not as missing; a waived one is accepted. */
export function findEvidenceGap(requirement: Requirement | undefined, results: readonly CheckResult[]): EvidenceGap {
  if (requirement === undefined) return { verdict: undefined, notes: [] };
  const lacking = results.filter(
    (result) => isRequired(requirement, result) && result.verdict !== 'holds' && result.verdict !== 'violated',
  );
  const level = typeof requirement === 'string' ? requirement : 'by name';
  const notes = lacking.map(
    ({ rule: id, operation, verdict, message }) => `${id} at ${operation} is required (${level}) and ${words[verdict]}: ${message}`,
  );
  return { verdict: verdicts.find((verdict) => lacking.some((result) => result.verdict === verdict)), notes };
}

function isRequired(requirement: Requirement, { rule: id, strength }: CheckResult): boolean {
  if (requirement === 'all') return true;
  return requirement === 'stated' ? strength === 'stated' : requirement.some((pattern) => matchesPattern(pattern, id));
}

/** An entry of a file of waivers: the violation that it is about, and why it fails nothing. */
export interface WaiverEntry extends Waiver {
  /** The id of a cause, or the fingerprint of one violation, as reports print them. */
  readonly fingerprint: string;
  /** Place of the entry in its file; absent if it comes from no file. */
  readonly place?: SourceLocation;
}

/** Verdicts after waivers. */
export interface Waived {
  readonly checks: readonly CheckResult[];
  /** Waivers that do nothing, and why. */
  readonly notes: readonly string[];
}

/**
 * Reads a file of waivers: YAML or JSON, with a list under `waivers`.
 * @throws {SpecError} for anything in it that would silently not do what its author meant.
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
  const lines = text.split('\n');
  const first = lines.findIndex((line) => !/^\s*(#.*|---\s*)?$/.test(line));
  // A file whose last entry was removed is empty, or has comments only.
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
 * Waives violations on a day (`2026-11-21`), and those of an earlier run. A waiver names a cause, with everything that it explains, or one violation. A
 * check with several violations shows the gravest that is not waived.
 */
export function applyWaivers(
  results: readonly CheckResult[],
  waivers: readonly WaiverEntry[],
  today: string,
  baseline: readonly CheckResult[] = [],
): Waived {
  const causes = findCauses(results);
  const known = baseline.flatMap(violationsIn).map(({ fingerprint }) => [fingerprint, { reason: 'the baseline has it' }] as const);
  const unexpired = waivers.filter((entry) => !hasExpired(entry, today)).map((entry) => [entry.fingerprint, toWaiver(entry)] as const);
  const named = new Map<string, Waiver>([...known, ...unexpired]);
  // Only the id of a cause waives what it explains: a violation that an earlier run did not have is new, whatever explains it.
  const explained = causes.flatMap(({ id, explains }) => explains.map(({ fingerprint }) => [fingerprint, named.get(id)] as const));
  const valid = new Map([
    ...named,
    ...explained.flatMap(([fingerprint, waiver]) => (waiver === undefined ? [] : [[fingerprint, waiver] as const])),
  ]);
  const notes = waivers.flatMap((entry) => {
    const note = explain(entry, results, causes, today);
    return note === undefined
      ? []
      : [`${entry.place === undefined ? '' : `${formatLocation(entry.place)}: `}the waiver of ${entry.fingerprint} ${note}`];
  });
  return { checks: results.map((result) => applyToCheck(result, valid)), notes };
}

function applyToCheck(result: CheckResult, valid: ReadonlyMap<string, Waiver>): CheckResult {
  const violations = violationsIn(result).map((each) => {
    const waiver = valid.get(each.fingerprint);
    return waiver === undefined ? each : { ...each, waiver };
  });
  if (violations.every(({ waiver }) => waiver === undefined)) return result;
  const [first, ...further] = violations.toSorted((left, right) => Number(left.waiver !== undefined) - Number(right.waiver !== undefined));
  const { diagnosis: _, further: __, ...rest } = result;
  return { ...rest, ...first, ...(further.length === 0 ? {} : { further }) };
}

function hasExpired({ expires }: WaiverEntry, today: string): boolean {
  return expires !== undefined && expires < today;
}

function toWaiver({ reason, expires }: WaiverEntry): Waiver {
  return { reason, ...(expires === undefined ? {} : { expires }) };
}

/** The reason why an entry does nothing; `undefined` when it does, or when its checks were not judged: the violation may still be there. */
function explain(entry: WaiverEntry, results: readonly CheckResult[], causes: readonly Cause[], today: string): string | undefined {
  const { fingerprint, expires = '' } = entry;
  const about = results.filter(({ rule: id, operation }) => isFingerprintOf(fingerprint, id, operation) || isCauseOf(fingerprint, id));
  const names = [...causes.map(({ id }) => id), ...about.flatMap(violationsIn).map((each) => each.fingerprint)];
  const isThere = names.includes(fingerprint);
  const [first] = about;
  const name = first === undefined ? '' : `${first.rule} at ${[...new Set(about.map(({ operation }) => operation))].join(', ')}`;
  if (hasExpired(entry, today))
    return `expired on ${expires}${isThere ? `, and ${name} counts again: fix it, or give a later date` : '; remove it'}`;
  const isJudged = about.length > 0 && about.every(({ verdict }) => verdict === 'holds' || verdict === 'violated');
  if (isThere || !isJudged) return undefined;
  const isViolated = about.some(({ verdict }) => verdict === 'violated');
  return `is unused: ${name} ${isViolated ? 'is violated in another way' : 'holds'}; remove it`;
}

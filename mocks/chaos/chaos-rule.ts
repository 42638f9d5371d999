/**
 * Syntax of chaos rules, the same for the option `--chaos`, the header `Mock-Chaos`, the control endpoint and users. `active-chaos.ts` reads rules at the
 * start, at each change and for each such header. For each request, `active-chaos.ts` asks which rules apply, and for their delays. It draws no effects at
 * random: `active-chaos.ts` does.
 *
 * ```text
 * rules  = rule *( ( ";" / "," ) rule )
 * rule   = "off" / kind *( share / limit )
 * kind   = "503" [ ":" CODE ]          the service is unavailable; CODE where the operation documents several
 *        / "429"                       the request is throttled
 *        / "latency" delay             the response is delayed
 *        / "reset"                     the connection is reset before any byte
 *        / "truncated"                 the connection ends in the middle of the body
 *        / "slow" speed                the body comes slowly
 * delay  = time / time ".." time / "lognormal(" median time "," spread ")"
 * time   = 200ms, 1.5s or 2m           speed = 500B/s, 2kB/s or 1MB/s
 * share  = 10%                         of the requests; without it, all requests
 * limit  = OPERATION                   an operationId, * matches anything; several are alternatives
 *        / "key=" ROLE                 a key role, with the same wildcard
 *        / "retry-after=" seconds      value of Retry-After; default one second
 * ```
 *
 * `off` disables the rules of the mock; other rules of the same text stay active.
 */

import { nearest } from '../../core/did-you-mean.ts';
import { UsageError } from '../../core/errors.ts';
import { matchesPattern } from '../../core/name-pattern.ts';

/** Longest delay and longest Retry-After, in milliseconds. */
const longestMs: number = 600_000;

/** Delay of a response. */
type Delay =
  | { readonly kind: 'fixed'; readonly ms: number }
  | { readonly kind: 'between'; readonly leastMs: number; readonly mostMs: number }
  /** Log-normal distribution: half of all delays are below the median; a greater spread has longer extremes. */
  | { readonly kind: 'lognormal'; readonly medianMs: number; readonly spread: number };

/** Kind of a disturbance. */
export type ChaosKind =
  | { readonly kind: 'throttled'; readonly retryAfterSeconds: number }
  | { readonly kind: 'unavailable'; readonly code: string | undefined }
  | { readonly kind: 'latency'; readonly delay: Delay }
  | { readonly kind: 'reset' }
  | { readonly kind: 'truncated' }
  | { readonly kind: 'slow'; readonly bytesPerSecond: number };

/** A rule. Equal texts are equal rules. */
export interface ChaosRule {
  /** Text as written, with single spaces. */
  readonly text: string;
  readonly disturbance: ChaosKind;
  /** Probability from 0 to 1. */
  readonly share: number;
  /** Patterns of operation names, `*` matches anything; empty for all operations. */
  readonly operations: readonly string[];
  /** Patterns of key roles; empty for all roles. */
  readonly roles: readonly string[];
}

/** Rules of a text. */
export interface ChaosRules {
  /** True for `off`, which disables the rules of the mock. */
  readonly isOff: boolean;
  readonly rules: readonly ChaosRule[];
}

/** Returns true if a rule applies to a key role at an operation. */
export function appliesTo({ operations, roles }: ChaosRule, operation: string, role: string): boolean {
  const matchesAny = (patterns: readonly string[], name: string): boolean =>
    patterns.length === 0 || patterns.some((pattern) => matchesPattern(pattern, name));
  return matchesAny(operations, operation) && matchesAny(roles, role);
}

/** Maximum number of rules, which bounds the work for each request. */
const maxRules = 100;

/**
 * Reads rules.
 * @throws {UsageError} with the text, the invalid part and the expected form.
 */
export function readChaosRules(text: string): ChaosRules {
  const ruleTexts = splitRules(text);
  if (ruleTexts.length === 0) throw mistake(text, 'it has no rule', `write a rule such as 503 10%, or ${kindNames}`);
  if (ruleTexts.length > maxRules) throw mistake(text, `it has ${ruleTexts.length} rules`, `write at most ${maxRules}`);
  const rules = ruleTexts.filter((ruleText) => ruleText !== 'off').map(readRule);
  return { isOff: rules.length < ruleTexts.length, rules };
}

const kindNames = '503, 429, latency, reset, truncated, slow or off';

/** Splits rules at semicolons, and at commas outside parentheses, which belong to a delay. */
function splitRules(text: string): readonly string[] {
  const ruleTexts = text.match(/(?:\([^()]*\)|[^;,])+/g) ?? [];
  return ruleTexts.map((ruleText) => ruleText.trim().replaceAll(/\s+/g, ' ')).filter((ruleText) => ruleText !== '');
}

function readRule(text: string): ChaosRule {
  const [kindText = '', ...words] = text.match(/[^\s()]*\([^()]*\)|\S+/g) ?? [];
  const draft: RuleDraft = { text, share: undefined, retryAfterSeconds: undefined, operations: [], roles: [] };
  const limitWords = kindText === 'latency' || kindText === 'slow' ? words.slice(1) : words;
  const disturbance = readDisturbance(text, kindText, words[0]);
  for (const word of limitWords) readWord(draft, word);
  if (draft.retryAfterSeconds !== undefined && disturbance.kind !== 'throttled')
    throw mistake(text, 'only 429 takes retry-after=', 'remove it, or write 429');
  const { share = 1, retryAfterSeconds = 1, operations, roles } = draft;
  return {
    text,
    share,
    operations,
    roles,
    disturbance: disturbance.kind === 'throttled' ? { ...disturbance, retryAfterSeconds } : disturbance,
  };
}

/** A partly read rule. */
interface RuleDraft {
  readonly text: string;
  share: number | undefined;
  retryAfterSeconds: number | undefined;
  readonly operations: string[];
  readonly roles: string[];
}

function readDisturbance(text: string, kindText: string, argument: string | undefined): ChaosKind {
  const [status = '', ...codes] = kindText.split(':');
  if (status === '503') return { kind: 'unavailable', code: readCode(text, codes) };
  if (status === '429' && codes.length > 0)
    throw mistake(text, `429 takes no code, but ${quote(codes.join(':'))} is given`, 'write 429 alone; the contract has its code');
  if (kindText === '429') return { kind: 'throttled', retryAfterSeconds: 1 };
  if (kindText === 'reset' || kindText === 'truncated') return { kind: kindText };
  if (kindText === 'latency') return { kind: 'latency', delay: readOr(text, argument, readDelay, delayForms) };
  if (kindText === 'slow') return { kind: 'slow', bytesPerSecond: readOr(text, argument, readSpeed, speedForms) };
  if (kindText === 'off')
    throw mistake(text, `off takes no arguments, but ${quote(argument ?? '')} follows`, 'put a semicolon between rules');
  const suggestion = nearest(kindText, ['latency', 'reset', 'truncated', 'slow', 'off', '503', '429']);
  const isStatus = /^[1-5]\d\d$/.test(status);
  const advice = isStatus ? 'the statuses of chaos are 503 and 429' : `a rule begins with ${kindNames}`;
  throw mistake(
    text,
    `${quote(kindText)} is not a kind of chaos`,
    suggestion === undefined || isStatus ? advice : `did you mean ${suggestion}?`,
  );
}

const delayForms = 'a delay such as 200ms, 50ms..400ms or lognormal(120ms,0.5), of at most 10m';
const speedForms = 'a speed such as 500B/s, 2kB/s or 1MB/s, of at least 1B/s';

function readOr<T>(text: string, word: string | undefined, read: (word: string) => T | undefined, forms: string): T {
  const value = read(word ?? '');
  if (value !== undefined) return value;
  throw mistake(text, word === undefined ? 'it ends too early' : `${quote(word)} is invalid`, `write ${forms}`);
}

function readCode(text: string, codes: readonly string[]): string | undefined {
  if (codes.length === 0) return undefined;
  const code = codes.join(':');
  if (/^[\w.-]+$/.test(code)) return code;
  throw mistake(text, `${quote(code)} is not an error code`, 'write an error code, as in 503:SERVICE_CLOSED, or 503 alone');
}

/** Reads a word after the kind: a share or a limit. */
function readWord(draft: RuleDraft, word: string): void {
  const [name = '', value] = word.split(/=(.*)/s);
  if (word.endsWith('%'))
    draft.share = requireFirst(draft, draft.share, readOr(draft.text, word, readShare, 'a share from 0% to 100%'), 'share');
  else if (value === undefined) draft.operations.push(readPattern(draft.text, word));
  else if (name === 'key') draft.roles.push(readPattern(draft.text, value));
  else if (name === 'retry-after')
    draft.retryAfterSeconds = requireFirst(draft, draft.retryAfterSeconds, readOr(draft.text, value, readSeconds, secondsForms), name);
  else throw mistake(draft.text, `${quote(name)} is not a limit`, explainLimit(name));
}

const secondsForms = `whole seconds from 0 to ${longestMs / 1000}`;

function readSeconds(text: string): number | undefined {
  return /^\d{1,3}$/.test(text) && Number(text) * 1000 <= longestMs ? Number(text) : undefined;
}

function requireFirst<T>({ text }: RuleDraft, earlierValue: T | undefined, value: T, name: string): T {
  if (earlierValue === undefined) return value;
  throw mistake(text, `it has two of ${name}`, 'write one of them, or two rules separated by a semicolon');
}

function readPattern(text: string, word: string): string {
  if (/^\d+$/.test(word)) throw mistake(text, `${quote(word)} is neither a share nor a name`, `did you mean ${word}%?`);
  if (/^[\w.:*/{}~-]+$/.test(word)) return word;
  const advice = 'write a share such as 10%, the name of an operation, key=ROLE or, after 429, retry-after=SECONDS';
  throw mistake(text, `${quote(word)} is neither a share nor a name`, advice);
}

function explainLimit(name: string): string {
  const suggestion = nearest(name, ['key', 'retry-after']);
  return suggestion === undefined ? 'the limits are key=ROLE and, after 429, retry-after=SECONDS' : `did you mean ${suggestion}=?`;
}

function mistake(text: string, problem: string, advice: string): UsageError {
  return new UsageError(`the chaos ${quote(text)} cannot be read: ${problem}; ${advice}`);
}

/** Quotes and shortens a text, which may be as long as a header. */
function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

const timeUnits: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };
const speedUnits: Readonly<Record<string, number>> = { B: 1, kB: 1000, MB: 1_000_000 };

/** Reads milliseconds from `200ms`, `1.5s` or `2m`; `undefined` for other texts and more than ten minutes. */
function readTime(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,9}(?:\.\d{1,6})?)(ms|s|m)$/.exec(text) ?? [];
  const time = Number(digits) * (timeUnits[unit] ?? Number.NaN);
  return time <= longestMs ? time : undefined;
}

/** Reads bytes per second from `500B/s`, `2kB/s` or `1MB/s`; `undefined` for other texts and less than one. */
function readSpeed(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,9}(?:\.\d{1,6})?)(B|kB|MB)\/s$/.exec(text) ?? [];
  const speed = Number(digits) * (speedUnits[unit] ?? Number.NaN);
  return speed >= 1 ? speed : undefined;
}

/** Reads a share from 0 to 1 from `10%` or `0.5%`; `undefined` for other texts and more than `100%`. */
function readShare(text: string): number | undefined {
  const digits = /^(\d{1,3}(?:\.\d{1,6})?)%$/.exec(text)?.[1];
  return digits !== undefined && Number(digits) <= 100 ? Number(digits) / 100 : undefined;
}

/** Reads a delay from `200ms`, `50ms..400ms` or `lognormal(120ms,0.5)`; `undefined` for other texts. */
function readDelay(text: string): Delay | undefined {
  const [, median, spread = ''] = /^lognormal\(\s*([^\s,()]+)\s*,\s*(\d(?:\.\d{1,6})?)\s*\)$/.exec(text) ?? [];
  if (median !== undefined) {
    const medianMs = readTime(median);
    return medianMs === undefined ? undefined : { kind: 'lognormal', medianMs, spread: Number(spread) };
  }
  const [least = '', most, ...furtherParts] = text.split('..');
  const leastMs = readTime(least);
  if (leastMs === undefined || furtherParts.length > 0) return undefined;
  if (most === undefined) return { kind: 'fixed', ms: leastMs };
  const mostMs = readTime(most);
  return mostMs === undefined || mostMs < leastMs ? undefined : { kind: 'between', leastMs, mostMs };
}

/** Computes a delay in whole milliseconds from two random numbers from 0 to 1. */
export function chooseDelay(delay: Delay, first: number, second: number): number {
  if (delay.kind === 'fixed') return Math.round(delay.ms);
  if (delay.kind === 'between') return Math.round(delay.leastMs + first * (delay.mostMs - delay.leastMs));
  // Box–Muller transform: two uniform numbers become a normally distributed one. The logarithm's argument must not be 0.
  const normallyDistributed = Math.sqrt(-2 * Math.log(1 - first)) * Math.cos(2 * Math.PI * second);
  return Math.min(longestMs, Math.round(delay.medianMs * Math.exp(delay.spread * normallyDistributed)));
}

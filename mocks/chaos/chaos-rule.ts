/** Syntax of chaos rules, the same on the command line, in the header `Mock-Chaos`, at the control endpoint and in programs. Draws nothing at random. */

import { UsageError } from '../../core/errors.ts';
import { printJson } from '../../core/json.ts';
import { matchesPattern } from '../../core/name-pattern.ts';

/** Longest delay and longest Retry-After, in milliseconds. */
const longestMs: number = 600_000;

/** Delay of a response. */
type Delay =
  | { readonly kind: 'fixed'; readonly ms: number }
  | { readonly kind: 'between'; readonly leastMs: number; readonly mostMs: number }
  /** Log-normal distribution: half of all delays are below the median; a greater spread has longer extremes. */
  | { readonly kind: 'lognormal'; readonly medianMs: number; readonly spread: number };

/** Format of the header Retry-After: seconds to wait, or a date (RFC 9110 §10.2.3). */
export type RetryAfterForm = 'seconds' | 'date';

/** Kind of a disturbance. */
export type ChaosKind =
  | { readonly kind: 'throttled'; readonly retryAfterSeconds: number; readonly form?: RetryAfterForm }
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
 *        / "as=" ( "date" / "seconds" ) form of Retry-After; by default that of the contract
 * ```
 *
 * `off` disables the rules of the mock; other rules of the same text stay active.
 * @throws {UsageError} with the text, the invalid part and the expected form.
 */
export function readChaosRules(text: string): ChaosRules {
  const ruleTexts = splitRules(text);
  if (ruleTexts.length === 0) throw mistake(text, 'it has no rule', ruleForms);
  if (ruleTexts.length > maxRules) throw mistake(text, `it has ${ruleTexts.length} rules`, `write at most ${maxRules}`);
  const rules = ruleTexts.filter((ruleText) => ruleText !== 'off').map(readRule);
  return { isOff: rules.length < ruleTexts.length, rules };
}

/** Forms of a rule, for messages. */
const ruleForms =
  'a rule is KIND [10%] [OPERATION] [key=ROLE]; a KIND is 503, 503:CODE, 429 [retry-after=SECONDS], reset, truncated, off, latency 200ms, 50ms..400ms or lognormal(120ms,0.5), or slow 2kB/s';

/** Splits rules at semicolons, and at commas outside parentheses, which belong to a delay. */
function splitRules(text: string): readonly string[] {
  const ruleTexts = text.match(/(?:\([^()]*\)|[^;,])+/g) ?? [];
  return ruleTexts.map((ruleText) => ruleText.trim().replaceAll(/\s+/g, ' ')).filter((ruleText) => ruleText !== '');
}

function readRule(text: string): ChaosRule {
  const [kindText = '', ...words] = text.match(/[^\s()]*\([^()]*\)|\S+/g) ?? [];
  const argument = ['latency', 'slow', 'off'].includes(kindText) ? words.shift() : undefined;
  const kind = readKind(kindText, argument ?? '');
  if (kind === undefined) throw unreadable(text, argument ?? kindText);
  const limits: RuleLimits = { operations: [], roles: [] };
  for (const word of words) if (!addLimit(limits, kind, word)) throw unreadable(text, word);
  const { share = 1, retryAfterSeconds, form, operations, roles } = limits;
  const throttling = { ...(retryAfterSeconds !== undefined && { retryAfterSeconds }), ...(form !== undefined && { form }) };
  return { text, share, operations, roles, disturbance: { ...kind, ...throttling } };
}

/** Reads the kind of a rule; `undefined` for another text, or an argument that the kind does not have. */
function readKind(text: string, argument: string): ChaosKind | undefined {
  if (text === '429') return { kind: 'throttled', retryAfterSeconds: 1 };
  if (text === 'reset' || text === 'truncated') return { kind: text };
  if (text === 'latency') {
    const delay = readDelay(argument);
    return delay === undefined ? undefined : { kind: 'latency', delay };
  }
  if (text === 'slow') {
    const bytesPerSecond = readSpeed(argument);
    return bytesPerSecond === undefined ? undefined : { kind: 'slow', bytesPerSecond };
  }
  const outage = /^503(?::([\w.-]+))?$/.exec(text);
  return outage === null ? undefined : { kind: 'unavailable', code: outage[1] };
}

/** Share and limits of a rule that is being read. */
interface RuleLimits {
  share?: number;
  retryAfterSeconds?: number;
  form?: RetryAfterForm;
  readonly operations: string[];
  readonly roles: string[];
}

/** Adds a word after the kind. Returns false if it is neither a share nor a limit of the kind, or is the second of its kind. */
function addLimit(limits: RuleLimits, { kind }: ChaosKind, word: string): boolean {
  const [name, value] = word.split(/=(.*)/s);
  const [share, seconds] = [readShare(word), name === 'retry-after' ? readSeconds(value) : undefined];
  if (share !== undefined && limits.share === undefined) limits.share = share;
  else if (seconds !== undefined && kind === 'throttled' && limits.retryAfterSeconds === undefined) limits.retryAfterSeconds = seconds;
  else if (name === 'as' && kind === 'throttled' && (value === 'date' || value === 'seconds')) limits.form = value;
  else if (name === 'key' && isPattern(value)) limits.roles.push(value);
  else if (isPattern(word)) limits.operations.push(word);
  else return false;
  return true;
}

/** True for the pattern of a name. Digits alone are none, since they are a share without its `%`. */
function isPattern(text: string | undefined): text is string {
  return text !== undefined && /^[\w.:*/{}~-]+$/.test(text) && !/^\d+$/.test(text);
}

/** Reads whole seconds; `undefined` for other texts and more than ten minutes. */
function readSeconds(text = ''): number | undefined {
  return /^\d{1,3}$/.test(text) && Number(text) * 1000 <= longestMs ? Number(text) : undefined;
}

function unreadable(text: string, part: string): UsageError {
  return mistake(text, `${quote(part)} is invalid`, ruleForms);
}

function mistake(text: string, problem: string, advice: string): UsageError {
  return new UsageError(`the chaos rule ${quote(text)} cannot be read: ${problem}; ${advice}`);
}

/** Quotes and shortens a text, which may be as long as a header. */
function quote(text: string): string {
  return printJson(text.length > 80 ? `${text.slice(0, 80)}…` : text);
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

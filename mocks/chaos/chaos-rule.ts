/**
 * The language of chaos, the same for the option `--chaos`, the header `Mock-Chaos` and the control endpoint.
 *
 * ```text
 * rules  = rule *( ( ";" / "," ) rule )
 * rule   = "off" / what *( share / limit )
 * what   = "503" [ ":" CODE ]          the service is unavailable; CODE where the operation documents several
 *        / "429"                       the request is throttled
 *        / "latency" delay             the answer is held back
 *        / "reset"                     the connection is reset before any byte
 *        / "truncated"                 the connection ends in the middle of the body
 *        / "slow" speed                the body comes slowly
 * delay  = time / time ".." time / "lognormal(" median time "," spread ")"
 * time   = 200ms, 1.5s or 2m           speed = 500B/s, 2kB/s or 1MB/s
 * share  = 10%                         of the requests; without it, all of them
 * limit  = OPERATION                   an operationId, * standing for anything; several are alternatives
 *        / "key=" ROLE                 the role of a key in the same way
 *        / "retry-after=" seconds      what a 429 tells to wait; without it, one second
 * ```
 *
 * `off` says that the rules that hold otherwise do not hold; rules beside it do.
 */

import { nearest, UsageError } from '../../core/errors.ts';

/** The longest time that an answer can be held back, or a client told to wait, in milliseconds. */
const longestMs: number = 600_000;

/** How long an answer is held back. */
type Delay =
  | { readonly kind: 'fixed'; readonly ms: number }
  | { readonly kind: 'between'; readonly leastMs: number; readonly mostMs: number }
  /** Half of all delays are shorter than the median; the greater the spread, the longer the longest ones. */
  | { readonly kind: 'lognormal'; readonly medianMs: number; readonly spread: number };

/** What happens to a request. */
export type ChaosKind =
  | { readonly kind: 'throttled'; readonly retryAfterSeconds: number }
  | { readonly kind: 'unavailable'; readonly code: string | undefined }
  | { readonly kind: 'latency'; readonly delay: Delay }
  | { readonly kind: 'reset' }
  | { readonly kind: 'truncated' }
  | { readonly kind: 'slow'; readonly bytesPerSecond: number };

/** A rule. The same text is the same rule wherever it stands. */
export interface ChaosRule {
  /** As it was written, with single spaces. */
  readonly text: string;
  readonly happening: ChaosKind;
  /** How often it happens, from 0 to 1. */
  readonly share: number;
  /** Names of operations, `*` standing for anything; empty for all operations. */
  readonly operations: readonly string[];
  /** Names of key roles in the same way; empty for all roles. */
  readonly roles: readonly string[];
}

/** Rules as a text gives them. */
export interface ChaosRules {
  /** Whether the text says `off`: the rules that hold otherwise do not hold. */
  readonly isOff: boolean;
  readonly rules: readonly ChaosRule[];
}

/** Whether a rule is meant for a request of a role at an operation. */
export function isMeant({ operations, roles }: ChaosRule, operation: string, role: string): boolean {
  const fits = (patterns: readonly string[], name: string): boolean =>
    patterns.length === 0 || patterns.some((pattern) => matchesOperation(pattern, name));
  return fits(operations, operation) && fits(roles, role);
}

/** Whether a name is what a pattern says, `*` standing for anything. It takes linear time, since patterns come in with requests. */
export function matchesOperation(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return pattern === name;
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
}

/** More rules than anybody writes, and few enough to be tried for each request. */
const rulesMost = 100;

/**
 * Reads rules.
 * @throws {UsageError} that names the text, the piece that is wrong, and what would be right.
 */
export function readChaos(text: string): ChaosRules {
  const pieces = splitRules(text);
  if (pieces.length === 0) throw mistake(text, 'it holds no rule', `write one such as 503 10%, or ${kinds}`);
  if (pieces.length > rulesMost) throw mistake(text, `it holds ${pieces.length} rules`, `no more than ${rulesMost} are tried`);
  const rules = pieces.filter((piece) => piece !== 'off').map(readRule);
  return { isOff: rules.length < pieces.length, rules };
}

const kinds = '503, 429, latency, reset, truncated, slow or off';

/** A comma inside parentheses belongs to a delay; any other one, and any semicolon, ends a rule. */
function splitRules(text: string): readonly string[] {
  const pieces = text.match(/(?:\([^()]*\)|[^;,])+/g) ?? [];
  return pieces.map((piece) => piece.trim().replaceAll(/\s+/g, ' ')).filter((piece) => piece !== '');
}

function readRule(text: string): ChaosRule {
  const [what = '', ...words] = text.match(/[^\s()]*\([^()]*\)|\S+/g) ?? [];
  const draft: Draft = { text, share: undefined, retryAfterSeconds: undefined, operations: [], roles: [] };
  const rest = what === 'latency' || what === 'slow' ? words.slice(1) : words;
  const happening = readHappening(text, what, words[0]);
  for (const word of rest) readWord(draft, word);
  if (draft.retryAfterSeconds !== undefined && happening.kind !== 'throttled')
    throw mistake(text, 'only 429 takes retry-after=', 'leave it out, or write 429');
  const { share = 1, retryAfterSeconds = 1, operations, roles } = draft;
  return { text, share, operations, roles, happening: happening.kind === 'throttled' ? { ...happening, retryAfterSeconds } : happening };
}

/** A rule as far as it has been read. */
interface Draft {
  readonly text: string;
  share: number | undefined;
  retryAfterSeconds: number | undefined;
  readonly operations: string[];
  readonly roles: string[];
}

function readHappening(text: string, what: string, next: string | undefined): ChaosKind {
  const [status = '', ...codes] = what.split(':');
  if (status === '503') return { kind: 'unavailable', code: readCode(text, codes) };
  if (status === '429' && codes.length > 0)
    throw mistake(text, `429 takes no code, and ${quote(codes.join(':'))} is given`, 'write 429 alone; its code is the documented one');
  if (what === '429') return { kind: 'throttled', retryAfterSeconds: 1 };
  if (what === 'reset' || what === 'truncated') return { kind: what };
  if (what === 'latency') return { kind: 'latency', delay: readOr(text, next, readDelay, delayForms) };
  if (what === 'slow') return { kind: 'slow', bytesPerSecond: readOr(text, next, readSpeed, speedForms) };
  if (what === 'off') throw mistake(text, `off stands alone, and ${quote(next ?? '')} follows it`, 'put a semicolon between rules');
  const meant = nearest(what, ['latency', 'reset', 'truncated', 'slow', 'off', '503', '429']);
  const isStatus = /^[1-5]\d\d$/.test(status);
  const advice = isStatus ? 'the statuses of chaos are 503 and 429' : `a rule begins with ${kinds}`;
  throw mistake(text, `${quote(what)} is no chaos`, meant === undefined || isStatus ? advice : `is ${meant} meant?`);
}

const delayForms = 'a delay such as 200ms, 50ms..400ms or lognormal(120ms,0.5), of at most 10m';
const speedForms = 'a speed such as 500B/s, 2kB/s or 1MB/s, of at least 1B/s';

function readOr<T>(text: string, word: string | undefined, read: (word: string) => T | undefined, forms: string): T {
  const value = read(word ?? '');
  if (value !== undefined) return value;
  throw mistake(text, word === undefined ? 'it stops too early' : `${quote(word)} is not what is expected`, `write ${forms}`);
}

function readCode(text: string, codes: readonly string[]): string | undefined {
  if (codes.length === 0) return undefined;
  const code = codes.join(':');
  if (/^[\w.-]+$/.test(code)) return code;
  throw mistake(text, `${quote(code)} is no code`, 'write the code of the failure, as in 503:SERVICE_CLOSED, or 503 alone');
}

/** A word after what happens: a share or a limit. */
function readWord(draft: Draft, word: string): void {
  const [name = '', value] = word.split(/=(.*)/s);
  if (word.endsWith('%')) draft.share = once(draft, draft.share, readOr(draft.text, word, readShare, 'a share from 0% to 100%'), 'share');
  else if (value === undefined) draft.operations.push(readPattern(draft.text, word));
  else if (name === 'key') draft.roles.push(readPattern(draft.text, value));
  else if (name === 'retry-after')
    draft.retryAfterSeconds = once(draft, draft.retryAfterSeconds, readOr(draft.text, value, readSeconds, secondsForms), name);
  else throw mistake(draft.text, `${quote(name)} is no limit`, explainLimit(name));
}

const secondsForms = `whole seconds from 0 to ${longestMs / 1000}`;

function readSeconds(text: string): number | undefined {
  return /^\d{1,3}$/.test(text) && Number(text) * 1000 <= longestMs ? Number(text) : undefined;
}

function once<T>({ text }: Draft, before: T | undefined, value: T, what: string): T {
  if (before === undefined) return value;
  throw mistake(text, `it has two of ${what}`, 'write one of them, or two rules with a semicolon between');
}

function readPattern(text: string, word: string): string {
  if (/^\d+$/.test(word)) throw mistake(text, `${quote(word)} is neither a share nor a name`, `is ${word}% meant?`);
  if (/^[\w.:*/{}~-]+$/.test(word)) return word;
  const advice = 'what follows is a share such as 10%, the name of an operation, key=ROLE or, after 429, retry-after=SECONDS';
  throw mistake(text, `${quote(word)} is neither a share nor a name`, advice);
}

function explainLimit(name: string): string {
  const meant = nearest(name, ['key', 'retry-after']);
  return meant === undefined ? 'the limits are key=ROLE and, after 429, retry-after=SECONDS' : `is ${meant}= meant?`;
}

function mistake(text: string, what: string, wayOut: string): UsageError {
  return new UsageError(`the chaos ${quote(text)} cannot be read: ${what}; ${wayOut}`);
}

/** A text may be as long as a header, and a message is read by people. */
function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

const timeUnits: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };
const speedUnits: Readonly<Record<string, number>> = { B: 1, kB: 1000, MB: 1_000_000 };

/** Milliseconds of `200ms`, `1.5s` or `2m`; `undefined` for anything else, and beyond ten minutes. */
function readTime(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,9}(?:\.\d{1,6})?)(ms|s|m)$/.exec(text) ?? [];
  const time = Number(digits) * (timeUnits[unit] ?? Number.NaN);
  return time <= longestMs ? time : undefined;
}

/** Bytes in a second of `500B/s`, `2kB/s` or `1MB/s`; `undefined` for anything else, and for less than one. */
function readSpeed(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,9}(?:\.\d{1,6})?)(B|kB|MB)\/s$/.exec(text) ?? [];
  const speed = Number(digits) * (speedUnits[unit] ?? Number.NaN);
  return speed >= 1 ? speed : undefined;
}

/** A part of 1, from `10%` or `0.5%`; `undefined` for anything else, and beyond `100%`. */
function readShare(text: string): number | undefined {
  const digits = /^(\d{1,3}(?:\.\d{1,6})?)%$/.exec(text)?.[1];
  return digits !== undefined && Number(digits) <= 100 ? Number(digits) / 100 : undefined;
}

/** A delay of `200ms`, `50ms..400ms` or `lognormal(120ms,0.5)`; `undefined` for anything else. */
export function readDelay(text: string): Delay | undefined {
  const [, median, spread = ''] = /^lognormal\(\s*([^\s,()]+)\s*,\s*(\d(?:\.\d{1,6})?)\s*\)$/.exec(text) ?? [];
  if (median !== undefined) {
    const medianMs = readTime(median);
    return medianMs === undefined ? undefined : { kind: 'lognormal', medianMs, spread: Number(spread) };
  }
  const [least = '', most, ...more] = text.split('..');
  const leastMs = readTime(least);
  if (leastMs === undefined || more.length > 0) return undefined;
  if (most === undefined) return { kind: 'fixed', ms: leastMs };
  const mostMs = readTime(most);
  return mostMs === undefined || mostMs < leastMs ? undefined : { kind: 'between', leastMs, mostMs };
}

/** The delay in whole milliseconds that two numbers from 0 to 1 choose. */
export function chooseDelay(delay: Delay, first: number, second: number): number {
  if (delay.kind === 'fixed') return Math.round(delay.ms);
  if (delay.kind === 'between') return Math.round(delay.leastMs + first * (delay.mostMs - delay.leastMs));
  // Box and Muller's way from two even numbers to one of the normal distribution; the first must not be 0.
  const normal = Math.sqrt(-2 * Math.log(1 - first)) * Math.cos(2 * Math.PI * second);
  return Math.min(longestMs, Math.round(delay.medianMs * Math.exp(delay.spread * normal)));
}

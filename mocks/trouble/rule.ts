/** What a rule of trouble is: what happens, how often, at which operations, and to whose requests. */

/** How long an answer is held back. */
export type Delay =
  | { readonly kind: 'fixed'; readonly ms: number }
  | { readonly kind: 'between'; readonly leastMs: number; readonly mostMs: number }
  /** Half of all delays are shorter than the median; the greater the spread, the longer the longest ones. */
  | { readonly kind: 'lognormal'; readonly medianMs: number; readonly spread: number };

/** What happens to a request. */
export type Happening =
  | { readonly kind: 'throttled'; readonly retryAfterSeconds: number }
  | { readonly kind: 'unavailable'; readonly code: string | undefined }
  | { readonly kind: 'latency'; readonly delay: Delay }
  | { readonly kind: 'reset' }
  | { readonly kind: 'truncated' }
  | { readonly kind: 'slow'; readonly bytesPerSecond: number };

/** A rule. The same text is the same rule wherever it stands. */
export interface Rule {
  /** As it was written, with single spaces. */
  readonly text: string;
  readonly happening: Happening;
  /** How often it happens, from 0 to 1. */
  readonly share: number;
  /** Names of operations, `*` standing for anything; empty for all operations. */
  readonly operations: readonly string[];
  /** Names of key roles in the same way; empty for all roles. */
  readonly roles: readonly string[];
}

/** Rules as a text gives them. */
export interface RuleList {
  /** Whether the text says `off`: the rules that hold otherwise do not hold. */
  readonly isOff: boolean;
  readonly rules: readonly Rule[];
}

/** Whether a rule is meant for a request of a role at an operation. */
export function isMeant({ operations, roles }: Rule, operation: string, role: string): boolean {
  const fits = (patterns: readonly string[], name: string): boolean =>
    patterns.length === 0 || patterns.some((pattern) => matchesPattern(pattern, name));
  return fits(operations, operation) && fits(roles, role);
}

/** Whether a name is what a pattern says, `*` standing for anything. It takes linear time, since patterns come in with requests. */
export function matchesPattern(pattern: string, name: string): boolean {
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

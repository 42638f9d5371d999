/** The chaos rules in force, which can change while the mock runs, and the effects that each request draws from them. Knows no rate limit. */

import { createHash } from 'node:crypto';
import { didYouMean } from '../../core/did-you-mean.ts';
import { UsageError } from '../../core/errors.ts';
import { headerOf } from '../../core/http/exchange.ts';
import { isArray, printJson } from '../../core/json.ts';
import { matchesPattern } from '../../core/name-pattern.ts';
import { codesOf } from '../handler/error-response.ts';
import type { ServedApi } from '../handler/served-api.ts';
import type { ChaosContext } from './chaos-decision.ts';
import { appliesTo, type ChaosKind, type ChaosRule, type ChaosRules, chooseDelay, readChaosRules } from './chaos-rule.ts';

/** Chaos rules of a mock, which can change while it runs. Each change restarts the random choices, so that it is reproducible. */
export interface Chaos {
  /** Returns the active rules, as written. */
  readonly list: () => readonly string[];
  /** Replaces the active rules; `off` or an empty list removes them all. */
  readonly set: (rules: string | readonly string[]) => void;
  /** Adds rules to the active ones. */
  readonly add: (rules: string | readonly string[]) => void;
  /** Removes all rules. */
  readonly clear: () => void;
  /** Restores the rules from the start of the mock. */
  readonly reset: () => void;
}

/** Effect of a rule on a request. */
export interface ChaosEffect {
  /** Text of the rule, as written. */
  readonly rule: string;
  /** True if the rule is from the header Mock-Chaos of the request. */
  readonly isOwn: boolean;
  readonly disturbance: ChaosKind;
  /** Delay of the response in milliseconds; 0 without a latency rule. */
  readonly delayMs: number;
}

/** Effects of all rules on a request, or the reason why its header is invalid. */
type ChaosResult = { readonly effects: readonly ChaosEffect[] } | { readonly refused: string };

/** Chaos rules with the function that applies them to requests. */
export interface ActiveChaos extends Chaos {
  /** Draws the effects on a request. Repetitions are counted, so that a retry gets a new random choice. */
  readonly drawEffects: (context: ChaosContext) => ChaosResult;
}

/** Header with rules for a single request. */
const headerName = 'mock-chaos';

/**
 * Creates the chaos of a mock with its first rules.
 * @throws {UsageError} for an invalid rule or an unknown name. `set` and `add` throw it too, and then change nothing.
 */
export function createActiveChaos(seed: number, firstRules: string | readonly string[], names: () => ChaosNames): ActiveChaos {
  const counts = new RequestCounts();
  const initialRules = readMockRules(firstRules, names()).rules;
  let activeRules = initialRules;
  const change = (next: readonly ChaosRule[]): void => {
    activeRules = next;
    counts.forget();
  };
  const drawEffects = (context: ChaosContext): ChaosResult => {
    const text = headerOf(context.request.headers, headerName);
    if (text === undefined && activeRules.length === 0) return noEffects;
    const headerRules = text === undefined ? noRules : readHeaderRules(text, names());
    if ('refused' in headerRules) return headerRules;
    const applicableRules = [...(headerRules.isOff ? [] : activeRules), ...headerRules.rules].filter((rule) =>
      appliesTo(rule, context.operation, context.role),
    );
    if (applicableRules.length === 0) return noEffects;
    const request = counts.count(context);
    return { effects: applicableRules.flatMap((rule) => applyRule(seed, rule, request, headerRules.rules.includes(rule))) };
  };
  return {
    list: () => activeRules.map((rule) => rule.text),
    set: (texts) => change(readMockRules(texts, names()).rules),
    add: (texts) => {
      const { isOff, rules: addedRules } = readMockRules(texts, names());
      change([...(isOff ? [] : activeRules), ...addedRules]);
    },
    clear: () => change([]),
    reset: () => change(initialRules),
    drawEffects,
  };
}

const noRules: ChaosRules = { isOff: false, rules: [] };
const noEffects: ChaosResult = { effects: [] };

function readMockRules(texts: string | readonly string[], names: ChaosNames): ChaosRules {
  const lists = (typeof texts === 'string' ? [texts] : requireTexts(texts)).map((text) => readKnownRules(text, names));
  return { isOff: lists.some(({ isOff }) => isOff), rules: lists.flatMap(({ rules }) => rules) };
}

/** Checks the type at run time, for callers in JavaScript and for JSON bodies. */
function requireTexts(texts: readonly string[]): readonly string[] {
  if (isArray(texts) && texts.every((text) => typeof text === 'string')) return texts;
  throw new UsageError(`chaos: ${printJson(texts)} is neither a string nor a list of strings; write, for example, "503 10%"`);
}

function readKnownRules(text: string, names: ChaosNames): ChaosRules {
  const rules = readChaosRules(text);
  for (const rule of rules.rules) checkChaosNames(rule, names);
  return rules;
}

function readHeaderRules(text: string, names: ChaosNames): ChaosRules | { readonly refused: string } {
  try {
    return readKnownRules(text, names);
  } catch (error) {
    if (error instanceof UsageError) return { refused: `Mock-Chaos: ${error.message}.` };
    throw error;
  }
}

function applyRule(seed: number, { text, share, disturbance }: ChaosRule, request: string, isOwn: boolean): readonly ChaosEffect[] {
  const [decision, first, second] = draw(seed, text, request);
  if (decision >= share) return [];
  const delayMs = disturbance.kind === 'latency' ? chooseDelay(disturbance.delay, first, second) : 0;
  return [{ rule: text, isOwn, disturbance, delayMs }];
}

/** Maximum number of counted requests. Beyond it, the least recent one is forgotten. */
const maxCountedRequests = 4096;

/** Counts repetitions of each request by key role, so that a retry gets a new random choice. */
class RequestCounts {
  private readonly counts = new Map<string, number>();

  /** Counts a request by key role, and returns a digest of request and count. Digests bound the memory for long targets. */
  count({ role, request }: ChaosContext): string {
    const identity = digest([role, request.method, request.target]).toString('base64url');
    const count = (this.counts.get(identity) ?? 0) + 1;
    this.counts.delete(identity);
    this.counts.set(identity, count);
    const [oldest] = this.counts.keys();
    if (this.counts.size > maxCountedRequests && oldest !== undefined) this.counts.delete(oldest);
    return `${identity} ${count}`;
  }

  forget(): void {
    this.counts.clear();
  }
}

/** Draws three pseudo-random numbers from 0 to below 1 for a rule and a request. */
function draw(seed: number, rule: string, request: string): readonly [number, number, number] {
  const bytes = digest(['chaos', String(seed), rule, request]);
  const numberAt = (offset: number): number => bytes.readUIntBE(offset, 6) / 2 ** 48;
  return [numberAt(0), numberAt(6), numberAt(12)];
}

/** Hashes a list of texts. As JSON, different lists are always different inputs. */
function digest(parts: readonly string[]): Buffer {
  return createHash('sha256').update(printJson(parts)).digest();
}

/** Names that rules may use. */
interface ChaosNames {
  readonly operations: readonly string[];
  readonly roles: readonly string[];
  /** Error codes that operations document for 503. */
  readonly codes: readonly string[];
}

/** Lists the operations, key roles and codes of some APIs, with the roles of requests without a valid key. */
export function listChaosNames(apis: readonly Pick<ServedApi, 'contract' | 'keys'>[]): ChaosNames {
  return {
    operations: apis.flatMap(({ contract }) => contract.operations.map((operation) => operation.id)),
    roles: [...new Set([...apis.flatMap(({ keys }) => [...keys.byRole.keys()]), 'anybody', 'stranger'])],
    codes: [...new Set(apis.flatMap(({ contract }) => contract.operations.flatMap((operation) => codesOf(contract, operation, 503))))],
  };
}

/**
 * Checks the names of a rule. A rule with a typing error would never apply.
 * @throws {UsageError} with the rule, the unknown name and a suggestion.
 */
function checkChaosNames({ text, operations, roles, disturbance }: ChaosRule, names: ChaosNames): void {
  for (const name of operations) requireKnownName(text, name, names.operations, 'operation');
  for (const name of roles) requireKnownName(text, name, names.roles, 'key role');
  if (disturbance.kind === 'unavailable' && disturbance.code !== undefined)
    requireKnownName(text, disturbance.code, names.codes, 'code of a 503');
}

function requireKnownName(text: string, pattern: string, knownNames: readonly string[], kindOfName: string): void {
  if (knownNames.some((name) => matchesPattern(pattern, name))) return;
  const list = knownNames.length === 0 ? 'the mock has none' : `there are ${knownNames.slice(0, 20).join(', ')}`;
  const advice = didYouMean(pattern, knownNames, list);
  throw new UsageError(`the chaos rule ${printJson(text)} is invalid: no ${kindOfName} is called ${pattern}; ${advice}`);
}

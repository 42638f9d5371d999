/** Chaos on request: the rules that hold for every request of a mock, those that a request brings along, and what each request meets of both. */

import { createHash } from 'node:crypto';
import { nearest, UsageError } from '../../core/errors.ts';
import { headerOf } from '../../core/http/exchange.ts';
import { isObject } from '../../core/json.ts';
import { certainSchemas, schemasAt } from '../../core/openapi/schema.ts';
import type { ServedApi } from '../handler/served-api.ts';
import type { ChaosContext } from './chaos-decision.ts';
import { type ChaosKind, type ChaosRule, type ChaosRules, chooseDelay, isMeant, matchesOperation, readChaos } from './chaos-rule.ts';

/** The standing rules of a mock, which can be changed while it runs. A change begins the chances anew, so that it can be repeated. */
export interface Chaos {
  /** The rules that hold, as they were written. */
  readonly list: () => readonly string[];
  /** Puts rules in place of those that hold; `off`, or an empty list, leaves none. */
  readonly set: (rules: string | readonly string[]) => void;
  /** Lets rules hold beside those that hold already. */
  readonly add: (rules: string | readonly string[]) => void;
  /** Leaves no rule. */
  readonly clear: () => void;
  /** As it was when the mock was started. */
  readonly reset: () => void;
}

/** What a rule does to a request. */
export interface ChaosEffect {
  /** The rule, as it was written. */
  readonly rule: string;
  /** Whether the request asked for it itself. */
  readonly isOwn: boolean;
  readonly happening: ChaosKind;
  /** How long the answer is held back, if that is what happens. */
  readonly delayMs: number;
}

/** What a request meets of all rules, or why the rules that it brings along cannot be read. */
type Encounter = { readonly blows: readonly ChaosEffect[] } | { readonly refused: string };

/** Standing rules, and the one place where requests meet them. */
export interface ChaosSource extends Chaos {
  /** Each request is counted, so that a retry meets its own chance. */
  readonly meet: (asked: ChaosContext) => Encounter;
}

/** The header by which a request brings rules for itself alone. */
const header = 'mock-chaos';

/**
 * The chaos of a mock, with the rules that it starts with.
 * @throws {UsageError} for a text that is no rule, or names what the mock does not have; `set` and `add` do the same, and change nothing then.
 */
export function createChaos(seed: number, rules: string | readonly string[], subjects: () => Subjects): ChaosSource {
  const counts = new RequestCounts();
  const initial = readStanding(rules, subjects()).rules;
  let standing = initial;
  const change = (next: readonly ChaosRule[]): void => {
    standing = next;
    counts.forget();
  };
  const meet = (asked: ChaosContext): Encounter => {
    const text = headerOf(asked.request.headers, header);
    if (text === undefined && standing.length === 0) return noBlows;
    const own = text === undefined ? noRules : readOwn(text, subjects());
    if ('refused' in own) return own;
    const meant = [...(own.isOff ? [] : standing), ...own.rules].filter((rule) => isMeant(rule, asked.operation, asked.role));
    if (meant.length === 0) return noBlows;
    const request = counts.count(asked);
    return { blows: meant.flatMap((rule) => strike(seed, rule, request, own.rules.includes(rule))) };
  };
  return {
    list: () => standing.map((rule) => rule.text),
    set: (texts) => change(readStanding(texts, subjects()).rules),
    add: (texts) => {
      const { isOff, rules: added } = readStanding(texts, subjects());
      change([...(isOff ? [] : standing), ...added]);
    },
    clear: () => change([]),
    reset: () => change(initial),
    meet,
  };
}

const noRules: ChaosRules = { isOff: false, rules: [] };
const noBlows: Encounter = { blows: [] };

function readStanding(texts: string | readonly string[], subjects: Subjects): ChaosRules {
  const lists = (typeof texts === 'string' ? [texts] : requireTexts(texts)).map((text) => readChecked(text, subjects));
  return { isOff: lists.some(({ isOff }) => isOff), rules: lists.flatMap(({ rules }) => rules) };
}

/** A program in JavaScript has no compiler that tells it, and neither has a body of JSON. */
function requireTexts(texts: readonly string[]): readonly string[] {
  if (Array.isArray(texts) && texts.every((text) => typeof text === 'string')) return texts;
  throw new UsageError(`chaos: ${JSON.stringify(texts)} is neither a text nor a list of texts; write one such as "503 10%"`);
}

function readChecked(text: string, subjects: Subjects): ChaosRules {
  const list = readChaos(text);
  for (const rule of list.rules) checkSubjects(rule, subjects);
  return list;
}

function readOwn(text: string, subjects: Subjects): ChaosRules | { readonly refused: string } {
  try {
    return readChecked(text, subjects);
  } catch (error) {
    if (error instanceof UsageError) return { refused: `Mock-Chaos: ${error.message}.` };
    throw error;
  }
}

function strike(seed: number, { text, share, happening }: ChaosRule, request: string, isOwn: boolean): readonly ChaosEffect[] {
  const [decision, first, second] = draw(seed, text, request);
  if (decision >= share) return [];
  const delayMs = happening.kind === 'latency' ? chooseDelay(happening.delay, first, second) : 0;
  return [{ rule: text, isOwn, happening, delayMs }];
}

/** How many requests are remembered; beyond that, the one that was sent longest ago is forgotten and counts anew. */
const remembered = 4096;

/** Counts how often each role sent each request, so that a retry meets its own chance. */
class RequestCounts {
  private readonly counts = new Map<string, number>();

  /** Counts a request: who sent what, and for which time. A digest stands for it, since a target may be as long as its sender likes. */
  count({ role, request }: ChaosContext): string {
    const identity = digest([role, request.method, request.target]).toString('base64url');
    const count = (this.counts.get(identity) ?? 0) + 1;
    this.counts.delete(identity);
    this.counts.set(identity, count);
    const [oldest] = this.counts.keys();
    if (this.counts.size > remembered && oldest !== undefined) this.counts.delete(oldest);
    return `${identity} ${count}`;
  }

  forget(): void {
    this.counts.clear();
  }
}

/** Three numbers of at least 0 and below 1: what one rule of a mock draws for one request. */
function draw(seed: number, rule: string, request: string): readonly [number, number, number] {
  const bytes = digest(['chaos', String(seed), rule, request]);
  const numberAt = (offset: number): number => bytes.readUIntBE(offset, 6) / 2 ** 48;
  return [numberAt(0), numberAt(6), numberAt(12)];
}

/** The parts as JSON, so that no two lists of parts are the same text. */
function digest(parts: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

/** The names that rules may use. */
interface Subjects {
  readonly operations: readonly string[];
  readonly roles: readonly string[];
  /** The codes that some operation documents for 503. */
  readonly codes: readonly string[];
}

/** The names of some APIs. Requests without a key, or with a wrong one, have roles too. */
export function listChaosOperations(apis: readonly Pick<ServedApi, 'contract' | 'keys'>[]): Subjects {
  return {
    operations: apis.flatMap(({ contract }) => contract.operations.map((operation) => operation.id)),
    roles: [...new Set([...apis.flatMap(({ keys }) => [...keys.byRole.keys()]), 'anybody', 'stranger'])],
    codes: [...new Set(apis.flatMap(listCodes))],
  };
}

function listCodes({ contract }: Pick<ServedApi, 'contract'>): readonly string[] {
  const { error, closed } = contract;
  if (error === undefined) return [];
  const contents = contract.operations.flatMap((operation) => [...(operation.responses.get('503')?.content.values() ?? [])]);
  const schemas = contents
    .flatMap(({ schema }) => schemasAt(closed, schema, error.code))
    .flatMap((schema) => certainSchemas(closed, schema))
    .filter(isObject);
  const values = schemas.flatMap((schema) => [schema['const'], ...(Array.isArray(schema['enum']) ? schema['enum'] : [])]);
  return values.filter((value): value is string => typeof value === 'string');
}

/**
 * Checks that every name of a rule is one that the mock knows: a rule with a slip in it would wait for ever.
 * @throws {UsageError} that names the rule, the name and what is near.
 */
function checkSubjects({ text, operations, roles, happening }: ChaosRule, known: Subjects): void {
  for (const name of operations) check(text, name, known.operations, 'operation');
  for (const name of roles) check(text, name, known.roles, 'key role');
  if (happening.kind === 'unavailable' && happening.code !== undefined) check(text, happening.code, known.codes, 'code of a 503');
}

function check(text: string, pattern: string, known: readonly string[], what: string): void {
  if (known.some((name) => matchesOperation(pattern, name))) return;
  const meant = nearest(pattern, known);
  const list = known.length === 0 ? 'there is none here' : `there are ${known.slice(0, 20).join(', ')}`;
  const advice = meant === undefined ? list : `is ${meant} meant?`;
  throw new UsageError(`the chaos ${JSON.stringify(text)} cannot be: no ${what} is called ${pattern}; ${advice}`);
}

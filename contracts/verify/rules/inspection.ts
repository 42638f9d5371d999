/**
 * Examinations for rules that check every reply of a round, by the contract or by a search for credentials. The response, availability and conditional
 * rules call them, and other rules call `isCovered`. They send nothing.
 */

import { checkResponse, type ResponseViolation } from '../../../core/http/check-response.ts';
import { splitTarget } from '../../../core/http/exchange.ts';
import type { Json } from '../../../core/json.ts';
import { getOrCompute } from '../../../core/memo.ts';
import type { MutantId, MutantIdentity } from '../../../core/mutants/mutant-catalogue.ts';
import { type Operation, routeTo } from '../../../core/openapi/operation.ts';
import { toPointer } from '../../../core/pointer.ts';
import type { Reply } from '../engine/call.ts';
import type { RunContext } from '../engine/run-context.ts';
import {
  type AnswerPart,
  agrees,
  type Candidate,
  type Contradiction,
  contradicts,
  type Examination,
  type Judgement,
  shownBy,
} from './rule.ts';

/** Judges one reply; returns `undefined` for a reply that the rule is not about. */
type Inspection = (reply: Reply) => Judgement | readonly Judgement[] | undefined;

/** Makes an examination that judges every reply of an operation. */
export function inspectReplies(context: RunContext, operation: Operation, mutants: readonly Candidate[], inspect: Inspection): Examination {
  return {
    mutants,
    isPassive: true,
    judge: () => context.replies.flatMap((reply) => (reply.call.operation.id === operation.id ? shownBy(inspect(reply), [reply]) : [])),
  };
}

/** Cached violations, because several rules check the same reply. */
const checked = new WeakMap<Reply, readonly ResponseViolation[]>();

/** The violations of the contract in a reply. */
export function violationsOf(context: RunContext, reply: Reply): readonly ResponseViolation[] {
  return getOrCompute(checked, reply, () => checkResponse(context.contract, reply));
}

/** Makes a finding for each violation in a reply, with its place in the contract. */
export function breaks(reply: Reply, violations: readonly ResponseViolation[], mutant?: MutantIdentity): readonly Contradiction[] {
  return violations.map((violation) =>
    contradicts({
      replies: [reply],
      expected: violation.expected,
      actual: violation.actual,
      message: violation.message,
      pointer: violation.part === 'body' ? violation.path : undefined,
      about: `${withoutIndexes(violation.path)} ${violation.kind}`.trim(),
      clause: violation.place,
      part: partOf(violation),
      mutant,
    }),
  );
}

function partOf({ part, path }: ResponseViolation): AnswerPart {
  if (part === 'status') return 'answer';
  if (part === 'header') return `header ${path.toLowerCase()}`;
  return path === '' ? 'body' : `body ${withoutIndexes(path)}`;
}

/** A pointer without indexes: the same member of another record is the same violation. */
function withoutIndexes(path: string): string {
  return path.replaceAll(/\/\d+(?=\/|$)/g, '/*');
}

/** Judges a reply by the violations that concern a rule. */
export function inspectViolations(
  context: RunContext,
  reply: Reply,
  isConcerned: (violation: ResponseViolation) => boolean,
  killed: readonly MutantId[],
): readonly Judgement[] {
  const violations = violationsOf(context, reply).filter(isConcerned);
  return violations.length === 0 ? [agrees(...killed)] : breaks(reply, violations);
}

/** Maximum length of a judged request target. Web servers refuse longer ones before the API reads them. */
const longestTarget = 2000;

const covered = new WeakMap<Reply, boolean>();

/** True if the contract covers a reply: its request reaches the operation, and no web server refuses it before. */
export function isCovered({ contract }: RunContext, reply: Reply): boolean {
  const known = covered.get(reply);
  if (known !== undefined) return known;
  const { method, target } = reply.request;
  const route = routeTo(contract.operations, method, target);
  const result = route.kind === 'operation' && route.operation.id === reply.call.operation.id && isOrdinaryTarget(target);
  covered.set(reply, result);
  return result;
}

function isOrdinaryTarget(target: string): boolean {
  const { path, query } = splitTarget(target);
  if (target.length > longestTarget || /%(?:2f|5c)/i.test(path)) return false;
  const [plainPath, plainQuery] = [decode(path), decode(query)];
  if (plainPath === undefined || plainQuery === undefined) return false;
  const hasDots = plainPath.split('/').some((segment) => segment === '.' || segment === '..');
  return !hasDots && !hasControls(plainPath + plainQuery);
}

/** True for a text with control characters such as NUL. */
function hasControls(text: string): boolean {
  return [...text].some((character) => character < ' ' || character === '\u007F');
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    // A web server may refuse invalid percent-encoding itself, so the reply says nothing about the API.
    return undefined;
  }
}

/** The part of a reply that a rule checks. */
export interface InspectedPart {
  /** True for a reply that the rule is about. */
  readonly concerns: (reply: Reply) => boolean;
  /** True for a violation that the rule reports. */
  readonly violations: (violation: ResponseViolation, reply: Reply) => boolean;
  readonly mutant: Candidate;
}

/** Makes an examination of one part of every documented reply of an operation. */
export function inspectPart(context: RunContext, operation: Operation, { concerns, violations, mutant }: InspectedPart): Examination {
  return inspectReplies(context, operation, [mutant], (reply): readonly Judgement[] | undefined => {
    if (!isCovered(context, reply) || !concerns(reply)) return undefined;
    // An undocumented status has no schema to judge the rest by.
    if (violationsOf(context, reply).some(({ part }) => part === 'status')) return undefined;
    return inspectViolations(context, reply, (each) => violations(each, reply), [mutant.id]);
  });
}

/** A value that looks like a credential or a payment provider’s reference. */
export interface CredentialFinding {
  /** JSON Pointer into the body. */
  readonly pointer: string;
  /** The kind of credential: `a bearer token`. */
  readonly what: string;
}

/** Patterns of credentials. They match whole values, because a text that mentions a credential is none. */
const credentialPatterns: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  { what: 'a secret key of a payment provider', pattern: /^(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,}$/ },
  { what: 'a secret of a webhook', pattern: /^whsec_[A-Za-z0-9+/=]{16,}$/ },
  { what: 'a client secret of a payment provider', pattern: /^(?:pi|seti)_[A-Za-z0-9]{14,}_secret_[A-Za-z0-9]{10,}$/ },
  { what: 'a private key', pattern: /^-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/ },
  { what: 'an access key of a cloud provider', pattern: /^(?:AKIA|ASIA)[A-Z0-9]{16}$/ },
  { what: 'a bearer token', pattern: /^Bearer [A-Za-z0-9._~+/-]{20,}=*$/ },
  { what: 'a signed token (JWT)', pattern: /^eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{16,}$/ },
];

/** References of payment providers. Small letters, capitals and digits are all required, so that names with an underscore do not match. */
const reference = /^(?:ch|py|pi|pm|tok|cus|seti|txn|src|re)_(?=[A-Za-z0-9]*[a-z])(?=[A-Za-z0-9]*[A-Z])(?=[A-Za-z0-9]*\d)[A-Za-z0-9]{14,}$/;

/** Names of members that hold a credential, in small letters and without marks between words. */
const credentialNames: ReadonlySet<string> = new Set([
  'password',
  'passwd',
  'passwordhash',
  'clientsecret',
  'apisecret',
  'secretkey',
  'webhooksecret',
  'accesstoken',
  'refreshtoken',
  'privatekey',
]);

const cardNames: ReadonlySet<string> = new Set(['cardnumber', 'creditcard', 'creditcardnumber', 'ccnumber', 'cardpan', 'pan']);

/** The values of a body that look like a credential, except at exempt pointers. */
export function findCredentials(body: Json, exempt: readonly string[]): readonly CredentialFinding[] {
  const found: CredentialFinding[] = [];
  visitTexts(body, [], (text, keys) => {
    const what = classifyText(text, keys);
    if (what === undefined) return;
    const pointer = toPointer(keys);
    if (!exempt.includes(pointer)) found.push({ pointer, what });
  });
  return found;
}

type Keys = readonly (string | number)[];

/** Calls `visit` with every text of a value. The array of keys is reused: copy it to keep it. */
function visitTexts(value: Json, keys: (string | number)[], visit: (text: string, keys: Keys) => void): void {
  if (typeof value === 'string') visit(value, keys);
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) {
      keys.push(name);
      visitTexts(member as Json, keys, visit);
      keys.pop();
    }
}

function classifyText(value: string, keys: Keys): string | undefined {
  const shape = credentialPatterns.find(({ pattern }) => pattern.test(value));
  if (shape !== undefined) return shape.what;
  if (reference.test(value)) return "a payment provider's reference";
  const name = plainName(keys.at(-1));
  if (cardNames.has(name) && isCardNumber(value)) return 'the number of a payment card';
  // Secrets for guests, such as the password of a wireless network, are no credentials of the service.
  const isForGuests = keys.some((key) => /wi-?fi|wlan|guest|hotspot/i.test(String(key)));
  return credentialNames.has(name) && !isForGuests && isShown(value)
    ? `a member named ${String(keys.at(-1))}, which holds a credential`
    : undefined;
}

function plainName(key: string | number | undefined): string {
  return String(key ?? '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
}

/** False for a masked value, and for a word such as `unset` that only tells if there is one. */
function isShown(value: string): boolean {
  return (
    value.trim().length >= 4 &&
    !/[*•…‹‥·]|x{4}|\.{3}|redacted|hidden|masked/i.test(value) &&
    !/^(?:unset|none|null|true|false|required)$/i.test(value)
  );
}

/** Checks the Luhn digit (ISO/IEC 7812-1, annex B) of 13 to 19 digits that start like those of a card. */
function isCardNumber(text: string): boolean {
  const digits = text.replaceAll(/[ -]/g, '');
  if (!/^[3-6]\d{12,18}$/.test(digits)) return false;
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** Rules about single answers: every ordinary answer of the run is judged by the contract, and searched for values that look like a credential. */

import { checkResponse, type ResponseViolation } from '../../../core/http/check-response.ts';
import { splitTarget } from '../../../core/http/exchange.ts';
import type { Json } from '../../../core/json.ts';
import type { MutantId, MutantIdentity } from '../../../core/mutants/mutant-catalogue.ts';
import { type Operation, routeTo } from '../../../core/openapi/operation.ts';
import { toPointer } from '../../../core/pointer.ts';
import type { Reply } from '../engine/call.ts';
import type { RunContext } from '../engine/run-context.ts';
import { agrees, type Candidate, type Contradiction, contradicts, type Examination, type Judgement } from './rule.ts';

/** Judgement of one answer by a rule; none for an answer that the rule does not concern. */
type Inspection = (reply: Reply) => Judgement | readonly Judgement[] | undefined;

/** Looks at every answer of an operation. */
export function inspectReplies(context: RunContext, operation: Operation, mutants: readonly Candidate[], inspect: Inspection): Examination {
  return {
    mutants,
    isPassive: true,
    judge: () => context.replies.flatMap((reply) => (reply.call.operation.id === operation.id ? (inspect(reply) ?? []) : [])),
  };
}

const checked = new WeakMap<Reply, readonly ResponseViolation[]>();

/** Violations of an answer by the contract alone. */
export function violationsOf(context: RunContext, reply: Reply): readonly ResponseViolation[] {
  const known = checked.get(reply) ?? checkResponse(context.contract, reply);
  checked.set(reply, known);
  return known;
}

/** The findings that an answer breaks the contract, each with the line that says so. */
export function breaks(reply: Reply, violations: readonly ResponseViolation[], mutant?: MutantIdentity): readonly Contradiction[] {
  return violations.map((violation) =>
    contradicts({
      replies: [reply],
      expected: violation.expected,
      actual: violation.actual,
      // A place in one record is the same place in any other one.
      about: `${violation.path.replaceAll(/\/\d+(?=\/|$)/g, '/*')} ${violation.kind}`.trim(),
      clause: violation.place,
      mutant,
    }),
  );
}

/** Findings about an answer by those of its violations that a rule is about. */
export function inspectViolations(
  context: RunContext,
  reply: Reply,
  isConcerned: (violation: ResponseViolation) => boolean,
  refutes: readonly MutantId[],
): readonly Judgement[] {
  const violations = violationsOf(context, reply).filter(isConcerned);
  return violations.length === 0 ? [agrees(...refutes)] : breaks(reply, violations);
}

/** Web servers refuse requests that are longer than this or that hold unusual bytes, before an API sees them. */
const longestTarget = 2000;

const covered = new WeakMap<Reply, boolean>();

/**
 * True for an answer that the contract covers: the request leads to its operation, and nothing in it is odd for the web
 * itself.
 */
export function isCovered({ contract }: RunContext, reply: Reply): boolean {
  const known = covered.get(reply);
  if (known !== undefined) return known;
  const { method, target } = reply.request;
  const route = routeTo(contract.operations, method, target);
  const result = route.kind === 'operation' && route.operation.id === reply.call.operation.id && isPlain(target);
  covered.set(reply, result);
  return result;
}

function isPlain(target: string): boolean {
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
    // An escape that means no character is for the web server to refuse, so what comes back says nothing about the API.
    return undefined;
  }
}

/** Subject of a rule in single answers. */
export interface InspectedPart {
  /** The answers that it looks at. */
  readonly concerns: (reply: Reply) => boolean;
  readonly violations: (violation: ResponseViolation, reply: Reply) => boolean;
  readonly mutant: Candidate;
}

/** Looks at one part of all documented answers of an operation. */
export function inspectPart(context: RunContext, operation: Operation, { concerns, violations, mutant }: InspectedPart): Examination {
  return inspectReplies(context, operation, [mutant], (reply): readonly Judgement[] | undefined => {
    if (!isCovered(context, reply) || !concerns(reply)) return undefined;
    // Of an answer whose status is not documented nothing else is known.
    if (violationsOf(context, reply).some(({ part }) => part === 'status')) return undefined;
    return inspectViolations(context, reply, (each) => violations(each, reply), [mutant.id]);
  });
}

/** A value that looks like a credential or a payment provider’s reference. The shapes are few and strict, so that nothing else is taken for one. */
export interface CredentialFinding {
  /** JSON Pointer into the body. */
  readonly pointer: string;
  /** Kind of credential, as a noun. */
  readonly what: string;
}

/** The whole value must look like this: a text that only mentions one is no credential. */
const shapes: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  { what: 'a secret key of a payment provider', pattern: /^(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,}$/ },
  { what: 'a secret of a webhook', pattern: /^whsec_[A-Za-z0-9+/=]{16,}$/ },
  { what: 'a client secret of a payment provider', pattern: /^(?:pi|seti)_[A-Za-z0-9]{14,}_secret_[A-Za-z0-9]{10,}$/ },
  { what: 'a private key', pattern: /^-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/ },
  { what: 'an access key of a cloud provider', pattern: /^(?:AKIA|ASIA)[A-Z0-9]{16}$/ },
  { what: 'a bearer token', pattern: /^Bearer [A-Za-z0-9._~+/-]{20,}=*$/ },
  { what: 'a signed token (JWT)', pattern: /^eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{16,}$/ },
];

/** References of payment providers: small and capital letters and digits, so that words with an underscore are none. */
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

/** Values of a body that look like a credential; what stands at an exempt pointer is not looked at. */
export function findCredentials(body: Json, exempt: readonly string[]): readonly CredentialFinding[] {
  const found: CredentialFinding[] = [];
  visitTexts(body, [], (text, keys) => {
    const what = suspect(text, keys);
    if (what === undefined) return;
    const pointer = toPointer(keys);
    if (!exempt.includes(pointer)) found.push({ pointer, what });
  });
  return found;
}

type Keys = readonly (string | number)[];

/** Visits every text of a value. The keys are those of the moment: whoever keeps them copies them. */
function visitTexts(value: Json, keys: (string | number)[], visit: (text: string, keys: Keys) => void): void {
  if (typeof value === 'string') visit(value, keys);
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) {
      keys.push(name);
      visitTexts(member as Json, keys, visit);
      keys.pop();
    }
}

function suspect(value: string, keys: Keys): string | undefined {
  const shape = shapes.find(({ pattern }) => pattern.test(value));
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

/** A value that is masked, or that only tells whether there is one, shows nothing. */
function isShown(value: string): boolean {
  return (
    value.trim().length >= 4 &&
    !/[*•…‹‥·]|x{4}|\.{3}|redacted|hidden|masked/i.test(value) &&
    !/^(?:unset|none|null|true|false|required)$/i.test(value)
  );
}

/** Luhn's check (ISO/IEC 7812-1, annex B) over 13 to 19 digits of a kind of card that there is. */
function isCardNumber(text: string): boolean {
  const digits = text.replaceAll(/[ -]/g, '');
  if (!/^[3-6]\d{12,18}$/.test(digits)) return false;
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

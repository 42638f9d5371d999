/**
 * Finds values in a body that look like leaked credentials, payment references or card numbers, by their shapes and the names of their members. Never returns
 * the value itself.
 */

import type { Json } from '../../../../core/json.ts';
import { toPointer } from '../../../../core/pointer.ts';

/** A value that looks like a credential or a payment provider’s reference. */
interface CredentialFinding {
  /** JSON Pointer into the body. */
  readonly pointer: string;
  /** The kind of credential: `a bearer token`. */
  readonly what: string;
}

/** Patterns of credentials. They match from the beginning of a value, because a text that mentions a credential is none. */
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
const providerReference =
  /^(?:ch|py|pi|pm|tok|cus|seti|txn|src|re)_(?=[A-Za-z0-9]*[a-z])(?=[A-Za-z0-9]*[A-Z])(?=[A-Za-z0-9]*\d)[A-Za-z0-9]{14,}$/;

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
export function findCredentials(body: Json, exemptPointers: readonly string[]): readonly CredentialFinding[] {
  const findings: CredentialFinding[] = [];
  visitTexts(body, [], (text, keys) => {
    const what = classifyText(text, keys);
    if (what === undefined) return;
    const pointer = toPointer(keys);
    if (!exemptPointers.includes(pointer)) findings.push({ pointer, what });
  });
  return findings;
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
  if (providerReference.test(value)) return "a payment provider's reference";
  const name = plainName(keys.at(-1));
  if (cardNames.has(name) && isCardNumber(value)) return 'the number of a payment card';
  // Secrets for guests, such as the password of a wireless network, are no credentials of the service.
  const isForGuests = keys.some((key) => /wi-?fi|wlan|guest|hotspot/i.test(String(key)));
  return credentialNames.has(name) && !isForGuests && isRealValue(value)
    ? `a member named ${String(keys.at(-1))}, which holds a credential`
    : undefined;
}

function plainName(key: string | number | undefined): string {
  return String(key ?? '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
}

/** False for a masked value, a very short one, and a word such as `unset` that only tells if there is one. */
function isRealValue(value: string): boolean {
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

/**
 * Values that look like a credential or like a payment provider's reference. They are few and strict: whatever could be something
 * else is left alone.
 */

import type { Json } from '../core/json.ts';
import { toPointer } from '../core/pointer.ts';

/** A value that should not be shown. */
export interface Suspicion {
  /** Where it stands in the body, as a JSON Pointer. */
  readonly pointer: string;
  /** What it looks like, as a noun. */
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
export function findCredentials(body: Json, exempt: readonly string[]): readonly Suspicion[] {
  const found: Suspicion[] = [];
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
  // What guests may know, such as the password of a wireless network, is no credential of the service.
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

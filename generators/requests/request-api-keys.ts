/** The API keys that a request carries: which alternatives of `security` the caller can satisfy, and how a key is written into its carrier. */

import { UsageError } from '../../core/errors.ts';
import type { Credential, Operation } from '../../core/openapi/operation.ts';
import { encodeText } from '../../core/parameters/query-string.ts';
import { type SpellingChoices, varyHeaderName } from './equivalent-spellings.ts';

/** A key, and the credential with its carrier. */
interface CarriedKey {
  readonly credential: Credential;
  readonly secret: string;
  /** The replacement in printed requests. */
  readonly shown: string;
}

/** The keys of a request; empty for an anonymous one. */
export type CarriedKeys = readonly CarriedKey[];

/**
 * The documented alternatives of `security` for which the caller has all keys; only the anonymous one when there are none.
 * @throws {UsageError} when a header cannot carry a key.
 */
export function carriedKeysFor(
  operation: Operation,
  { keys }: { readonly keys?: (credential: Credential) => string | undefined },
): readonly CarriedKeys[] {
  const keyChoices = operation.security.flatMap((alternative) => {
    const carriedKeys = alternative.flatMap((credential): CarriedKeys => {
      const secret = keys?.(credential);
      if (secret !== undefined) requireWritable(credential, secret);
      return secret === undefined ? [] : [{ credential, secret, shown: `$${credential.scheme}` }];
    });
    return carriedKeys.length === alternative.length ? [carriedKeys] : [];
  });
  return keyChoices.length === 0 ? [[]] : keyChoices;
}

/** True when the operation allows anonymous requests. */
export function isOpenToAll({ security }: Operation): boolean {
  return security.length === 0 || security.some((alternative) => alternative.length === 0);
}

/** A written key. */
type PlacedKey =
  | { readonly in: 'header'; readonly text: readonly [string, string] }
  | { readonly in: 'query' | 'cookie'; readonly text: string };

/**
 * Writes a key into its carrier, or its replacement if the request is only printed. The scheme name is case-insensitive (RFC 9110
 * §11.1).
 */
export function placeKey({ credential: { carrier }, secret, shown }: CarriedKey, choices: SpellingChoices, isShown: boolean): PlacedKey {
  const writeSecret = (encode: (text: string) => string): string => (isShown ? shown : encode(secret));
  const unchanged = (text: string): string => text;
  if ('word' in carrier) {
    const word = [carrier.word, carrier.word.toLowerCase(), carrier.word.toUpperCase()][choices.next(3)] ?? carrier.word;
    const value = `${word} ${writeSecret(carrier.word === 'Basic' ? encodeBasic : unchanged)}`.trimEnd();
    return { in: 'header', text: [varyHeaderName('Authorization', choices), value] };
  }
  if (carrier.in === 'header') return { in: 'header', text: [varyHeaderName(carrier.name, choices), writeSecret(unchanged)] };
  if (carrier.in === 'query') return { in: 'query', text: `${encodeText(carrier.name)}=${writeSecret(encodeText)}` };
  return { in: 'cookie', text: `${carrier.name}=${writeSecret(encodeCookie)}` };
}

/** A name and a password, which may be empty (RFC 7617 §2). */
function encodeBasic(secret: string): string {
  return Buffer.from(secret.includes(':') ? secret : `${secret}:`).toString('base64');
}

/** Servers differ in decoding cookies, so characters that a cookie allows are not encoded (RFC 6265 §4.1.1). */
function encodeCookie(secret: string): string {
  return /^[!#-+\--:<-[\]-~]*$/.test(secret) ? secret : encodeText(secret);
}

function requireWritable({ scheme, carrier }: Credential, secret: string): void {
  const isInHeader = carrier.in === 'header' || (carrier.in === 'authorization' && carrier.word !== 'Basic');
  if (secret !== '' && (!isInHeader || /^[!-~]([ -~]*[!-~])?$/.test(secret))) return;
  // A message must never contain the key.
  throw new UsageError(`the key for ${scheme} is empty or has characters that a header cannot carry; give it as it was issued`);
}

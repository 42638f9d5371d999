/** Who asks: the keys that a request carries, in each of the documented ways. */

import { UsageError } from '../../core/errors.ts';
import type { Credential, Operation } from '../../core/operation.ts';
import { encodeText } from '../../core/style.ts';
import type { ChoiceStream } from './choice-stream.ts';
import type { RequestOptions } from './generated-request.ts';
import { respellHeader } from './spelling.ts';

/** A key in its place: a header, a pair of the query or a cookie. */
export interface CarriedKey {
  readonly credential: Credential;
  /** The key itself. */
  readonly secret: string;
  /** What stands for it where requests are printed. */
  readonly shown: string;
}

/** The keys that a request carries together; none for an anonymous one. */
export type Proof = readonly CarriedKey[];

/** Where the keys of a request stand. */
export interface KeyPlaces {
  readonly headers: readonly (readonly [string, string])[];
  readonly query: readonly string[];
  readonly cookies: readonly string[];
}

/**
 * The ways of showing who asks, out of those that the operation documents and the caller has the keys for. Without any there is only the request
 * without a key.
 * @throws {UsageError} when a key cannot stand in a header.
 */
export function proofsFor(operation: Operation, { keys }: RequestOptions): readonly Proof[] {
  const proofs = operation.security.flatMap((alternative) => {
    const carried = alternative.flatMap((credential): Proof => {
      const secret = keys?.(credential);
      if (secret !== undefined) requireWritable(credential, secret);
      return secret === undefined ? [] : [{ credential, secret, shown: `$${credential.scheme}` }];
    });
    return carried.length === alternative.length ? [carried] : [];
  });
  return proofs.length === 0 ? [[]] : proofs;
}

/** Whether the operation answers requests without a key. */
export function isOpenToAll({ security }: Operation): boolean {
  return security.length === 0 || security.some((alternative) => alternative.length === 0);
}

/**
 * Puts each key where its credential says; what stands for it, if the request is only shown. The word before a key is read in any case
 * (RFC 9110 §11.1).
 */
export function placeKeys(proof: Proof, stream: ChoiceStream, isShown: boolean): KeyPlaces {
  const placed = proof.map((carried) => placeKey(carried, stream, isShown));
  return {
    headers: placed.flatMap(({ headers }) => headers),
    query: placed.flatMap(({ query }) => query),
    cookies: placed.flatMap(({ cookies }) => cookies),
  };
}

const nowhere: KeyPlaces = { headers: [], query: [], cookies: [] };

function placeKey({ credential: { carrier }, secret, shown }: CarriedKey, stream: ChoiceStream, isShown: boolean): KeyPlaces {
  const written = (encode: (text: string) => string): string => (isShown ? shown : encode(secret));
  const asItIs = (text: string): string => text;
  if ('word' in carrier) {
    const word = [carrier.word, carrier.word.toLowerCase(), carrier.word.toUpperCase()][stream.next(3)] ?? carrier.word;
    const value = `${word} ${written(carrier.word === 'Basic' ? encodeBasic : asItIs)}`.trimEnd();
    return { ...nowhere, headers: [[respellHeader('Authorization', stream), value]] };
  }
  if (carrier.in === 'header') return { ...nowhere, headers: [[respellHeader(carrier.name, stream), written(asItIs)]] };
  if (carrier.in === 'query') return { ...nowhere, query: [`${encodeText(carrier.name)}=${written(encodeText)}`] };
  return { ...nowhere, cookies: [`${carrier.name}=${written(encodeCookie)}`] };
}

/** A name and a password, of which the latter may be empty (RFC 7617 §2). */
function encodeBasic(secret: string): string {
  return Buffer.from(secret.includes(':') ? secret : `${secret}:`).toString('base64');
}

/** Servers differ in whether they decode cookies, so what a cookie can hold as it is stays so (RFC 6265 §4.1.1). */
function encodeCookie(secret: string): string {
  return /^[!#$&-*\-./0-:<-[\]-~]*$/.test(secret) ? secret : encodeText(secret);
}

function requireWritable({ scheme, carrier }: Credential, secret: string): void {
  const isInHeader = carrier.in === 'header' || (carrier.in === 'authorization' && carrier.word !== 'Basic');
  if (secret !== '' && (!isInHeader || /^[!-~]([ -~]*[!-~])?$/.test(secret))) return;
  // The key itself must not appear in a message.
  throw new UsageError(`the key for ${scheme} is empty or has characters that a header cannot carry; give it as it was issued`);
}

/** Keys that differ from a right one only in case, or lack its end. A server must refuse them, and outputs must hide them like the key itself. */

import { writeKey } from '../../../core/http/key-of-request.ts';
import type { Secret } from '../../../core/redaction/redact-secrets.ts';
import type { Call } from './call.ts';
import { anonymous, type Key, type Keyring } from './callers.ts';

/** The call with a given key in the first documented carrier; `undefined` if that carrier cannot send a single key. */
export function withKey(call: Call, key: string): Call | undefined {
  const credentials = call.operation.security.find((alternative) => alternative.length > 0);
  const [credential, ...others] = credentials ?? [];
  if (credential === undefined || others.length > 0) return undefined;
  // With Basic, the key is a part of base64 text, in which no output would recognise it.
  if (key !== '' && credential.carrier.in === 'authorization' && credential.carrier.word === 'Basic') return undefined;
  const { headers, query } = writeKey(credential, key);
  return { ...call, as: anonymous, headers: { ...call.headers, ...headers }, raw: [...(call.raw ?? []), ...query] };
}

/** A key that is nearly right. */
interface NearlyRightKey {
  /** The kind of mutant that accepts it. */
  readonly kind: 'key-case-ignored' | 'key-beginning-accepted';
  readonly value: string;
  /** Written in a shell, the name makes the value from the variable of the key. */
  readonly secret: Secret;
}

/** Number of characters cut from the end of a key. */
const charactersCut = 4;

/** The keys nearly like a right one, which a server must refuse. */
export function nearlyRightKeysOf({ variable, value }: Key): readonly NearlyRightKey[] {
  const swapped = swapCase(value);
  const beginning = value.slice(0, -charactersCut);
  const nearlyRightKeys: readonly NearlyRightKey[] = [
    {
      kind: 'key-case-ignored',
      value: swapped,
      secret: { name: `(printf %s $${variable} | tr a-zA-Z A-Za-z)`, value: swapped },
    },
    {
      kind: 'key-beginning-accepted',
      value: beginning,
      secret: { name: `(printf %.${beginning.length}s $${variable})`, value: beginning },
    },
  ];
  // The case of hexadecimal digits has no meaning. The beginning of a short key occurs in texts by chance.
  return nearlyRightKeys.filter(({ kind }) =>
    kind === 'key-case-ignored' ? swapped !== value && !/^[\da-f-]*$/i.test(value) : beginning.length >= 12,
  );
}

/** The nearly right keys of a run, as secrets that no output may show. */
export function nearlyRightSecrets(keys: Keyring): readonly Secret[] {
  return [...keys.values()].flatMap((key) => nearlyRightKeysOf(key).map(({ secret }) => secret));
}

function swapCase(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));
}

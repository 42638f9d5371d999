/** Operations that need a key: which of them a run looks at, how a key of one’s own is sent to them, and keys that are nearly right. */

import type { Operation } from '../core/operation.ts';
import type { Secret } from '../core/redaction.ts';
import { type Call, nobody } from './call.ts';
import type { Key, Keyring } from './keyring.ts';
import type { Lab } from './lab.ts';
import { needsKey } from './sample.ts';

/** What is lacking where a run with few requests does not look. */
export const roomInQuickRun = 'room in a quick run';

/** The operation whose keys stand for all others where one is enough: a list, which needs nothing to be known. */
export function firstGuarded({ contract }: Lab): Operation | undefined {
  const guarded = contract.operations.filter((operation) => operation.method === 'GET' && needsKey(operation));
  return guarded.find((operation) => operation.collection !== undefined) ?? guarded[0];
}

/** Whether a run looks at an operation for a law about all operations alike. */
export function isLookedAt(lab: Lab, operation: Operation): boolean {
  return !lab.quick || firstGuarded(lab)?.id === operation.id;
}

/** The call with a key that is in no keyring, in the first documented carrier; `undefined` when that takes no single key. */
export function withKey(call: Call, key: string): Call | undefined {
  const credentials = call.operation.security.find((alternative) => alternative.length > 0);
  const [credential, ...others] = credentials ?? [];
  if (credential === undefined || others.length > 0) return undefined;
  const { carrier } = credential;
  const asNobody = { ...call, as: nobody };
  if (carrier.in === 'query')
    return { ...asNobody, raw: [...(call.raw ?? []), `${encodeURIComponent(carrier.name)}=${encodeURIComponent(key)}`] };
  if (carrier.in === 'authorization' && carrier.word === 'Basic') return undefined;
  const [name, text] =
    carrier.in === 'authorization'
      ? ['authorization', `${carrier.word} ${key}`]
      : carrier.in === 'header'
        ? [carrier.name, key]
        : ['cookie', `${carrier.name}=${key}`];
  return { ...asNobody, headers: { ...call.headers, [name]: text } };
}

/** A key that is nearly right. */
export interface KeyVariant {
  /** The kind of mutant that takes it for the key. */
  readonly kind: 'key-case-ignored' | 'key-beginning-accepted';
  readonly value: string;
  /** Written in a shell, the name makes the value from the variable of the key. */
  readonly secret: Secret;
}

/** How much of a key is left out: enough to be another key, too little to be any other key. */
const leftOut = 4;

/** The variants of a key that a server must not take for it. */
export function variantsOf({ variable, value }: Key): readonly KeyVariant[] {
  const swapped = swapCase(value);
  const beginning = value.slice(0, -leftOut);
  const variants: readonly KeyVariant[] = [
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
  // Hexadecimal digits mean the same in either case; and half of a short key would be found in texts by chance.
  return variants.filter((variant) =>
    variant.kind === 'key-case-ignored' ? swapped !== value && !/^[\da-f-]*$/i.test(value) : beginning.length >= 12,
  );
}

/** Every variant of every key, as secrets that no output may show. */
export function variantSecrets(keys: Keyring): readonly Secret[] {
  return [...keys.values()].flatMap((key) => variantsOf(key).map(({ secret }) => secret));
}

function swapCase(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));
}

/** Keys that are nearly right. They are as secret as the keys themselves, so they are only sent where outputs know to hide them. */

import type { Secret } from '../core/redaction.ts';
import type { Key, Keyring } from './keyring.ts';

/** A key that is nearly right. */
export interface KeyVariant {
  readonly id: string;
  /** What the server would do that took it for the key: a clause after `as if`. */
  readonly title: string;
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
      id: 'case-ignored',
      title: 'keys were compared without regard to upper and lower case',
      value: swapped,
      secret: { name: `(printf %s $${variable} | tr a-zA-Z A-Za-z)`, value: swapped },
    },
    {
      id: 'beginning-compared',
      title: 'the beginning of a key were as good as the whole',
      value: beginning,
      secret: { name: `(printf %.${beginning.length}s $${variable})`, value: beginning },
    },
  ];
  // Hexadecimal digits mean the same in either case; and half of a short key would be found in texts by chance.
  return variants.filter((variant) =>
    variant.id === 'case-ignored' ? swapped !== value && !/^[\da-f-]*$/i.test(value) : beginning.length >= 12,
  );
}

/** Every variant of every key, as secrets that no output may show. */
export function variantSecrets(keys: Keyring): readonly Secret[] {
  return [...keys.values()].flatMap((key) => variantsOf(key).map(({ secret }) => secret));
}

function swapCase(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));
}

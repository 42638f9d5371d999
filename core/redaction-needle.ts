/** What is looked for in a text to find a secret: the secret itself, and what base64 and hexadecimal make of its bytes. */

/** A text that must not appear, however its characters are escaped. */
export interface Needle {
  /** The name of the secret. */
  readonly name: string;
  readonly text: string;
  readonly coding: 'plain' | 'base64' | 'base64url' | 'hex';
  /** How many code units before and after the needle carry a few bits of the secret as well. */
  readonly before: 0 | 1;
  readonly after: 0 | 1;
  /** Whether only a whole word counts, and only without escapes. */
  readonly isWord: boolean;
}

/**
 * Values that are shorter occur by chance, in numbers, in words and most of all in base64; hiding each occurrence would make a report unreadable and
 * hide nothing. They count only where they stand alone.
 */
const leastLength = 6;

/** Everything that gives a secret away. */
export function needlesOf(name: string, value: string): readonly Needle[] {
  const plain = { name, text: value, coding: 'plain', before: 0, after: 0, isWord: value.length < leastLength } as const;
  if (plain.isWord) return [plain];
  return [plain, ...bytesOf(value).flatMap((bytes) => [...hexNeedles(name, bytes), ...base64Needles(name, bytes)])];
}

/** The bytes of a text in UTF-8, and in Latin-1 if they differ: header fields are often sent and read so. */
function bytesOf(value: string): readonly Buffer[] {
  const isLatin = /^[\0-\u00ff]*$/.test(value);
  const isAscii = /^[\0-\u007f]*$/.test(value);
  return [Buffer.from(value, 'utf8'), ...(isLatin && !isAscii ? [Buffer.from(value, 'latin1')] : [])];
}

function hexNeedles(name: string, bytes: Buffer): readonly Needle[] {
  const text = bytes.toString('hex');
  return [text, text.toUpperCase()].map((each) => ({ name, text: each, coding: 'hex', before: 0, after: 0, isWord: false }));
}

/** Inside longer data a secret begins at the first, second or third byte of a group of three, and each gives other characters. */
function base64Needles(name: string, bytes: Buffer): readonly Needle[] {
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const end = Math.floor(((offset + bytes.length) * 8) / 6);
    const text = encoded.slice(Math.ceil((offset * 8) / 6), end);
    const edges = { before: offset === 0 ? 0 : 1, after: (offset + bytes.length) % 3 === 0 ? 0 : 1, isWord: false } as const;
    const urlText = text.replaceAll('+', '-').replaceAll('/', '_');
    const needle: Needle = { name, text, coding: 'base64', ...edges };
    return urlText === text ? [needle] : [needle, { ...needle, text: urlText, coding: 'base64url' }];
  });
}

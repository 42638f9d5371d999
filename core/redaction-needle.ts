/** What is looked for in a text to find a secret: the secret itself, and what base64 and hexadecimal make of its bytes. */

import { normalForm } from './redaction-reading.ts';

/** Something that gives a secret away. */
export interface Needle {
  /** The name of the secret. */
  readonly name: string;
  readonly coding: 'plain' | 'base64' | 'hex';
  /** As it is written. */
  readonly value: string;
  /** In normal form; as it is written where hardly anything would be left. */
  readonly text: string;
  /** `part`: any long run of it. `whole`: all of it, with nothing between. `literal`: as it is written. `word`: so, and standing alone. */
  readonly counts: 'part' | 'whole' | 'literal' | 'word';
  /** How many characters before and after it hold some bits of the secret, and some of its surroundings. */
  readonly edges: readonly [before: number, after: number];
}

/** So many letters and digits in a row give a secret away: a log that cuts or masks a key shows fewer. */
export const runLength = 12;

/**
 * Values that are shorter occur by chance, in numbers, in words and most of all in base64; hiding each occurrence would make a report unreadable and
 * hide nothing. They count only where they stand alone.
 */
const leastLength = 6;

/** Everything that gives a secret away. */
export function needlesOf(name: string, value: string): readonly Needle[] {
  if (value.length < leastLength) return [{ name, coding: 'plain', text: value, counts: 'word', edges: [0, 0], value }];
  const coded = bytesOf(value).flatMap((bytes) => [needle(name, 'hex', bytes.toString('hex')), ...base64Needles(name, bytes)]);
  return [needle(name, 'plain', value), ...coded];
}

function needle(name: string, coding: Needle['coding'], value: string, edges: Needle['edges'] = [0, 0]): Needle {
  const { text } = normalForm(value);
  const counts = text.length >= runLength ? 'part' : text.length >= leastLength ? 'whole' : 'literal';
  return { name, coding, text: counts === 'literal' ? value : text, counts, edges, value };
}

/** The bytes of a text in UTF-8, and in Latin-1 if they differ: header fields are often sent and read so. */
function bytesOf(value: string): readonly Buffer[] {
  const isLatin = /^[\0-\u00ff]*$/.test(value);
  const isAscii = /^[\0-\u007f]*$/.test(value);
  return [Buffer.from(value, 'utf8'), ...(isLatin && !isAscii ? [Buffer.from(value, 'latin1')] : [])];
}

/** Inside longer data a secret begins at the first, second or third byte of a group of three, and each gives other characters (RFC 4648 §4, §5). */
function base64Needles(name: string, bytes: Buffer): readonly Needle[] {
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const [start, end] = [(offset * 8) / 6, ((offset + bytes.length) * 8) / 6];
    const edges = [Number(!Number.isInteger(start)), Number(!Number.isInteger(end))] as const;
    return needle(name, 'base64', encoded.slice(Math.ceil(start), Math.floor(end)), edges);
  });
}

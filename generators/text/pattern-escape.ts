/** Reads what stands behind a backslash, and the classes in brackets. */

import { escapedClasses, pointsWithProperty } from './character-class.ts';
import { type CodePoints, invert, noCodePoints, onePoint, unite } from './code-points.ts';
import type { PatternReader } from './pattern-reader.ts';

const controls: ReadonlyMap<string, number> = new Map([
  ['f', 0x0c],
  ['n', 0x0a],
  ['r', 0x0d],
  ['t', 0x09],
  ['v', 0x0b],
]);

/** What one escape or one member of a class stands for; `point` when it is a single character, which may begin a range. */
export interface ClassMember {
  readonly set: CodePoints;
  readonly point: number | undefined;
}

/** Reads an escape that stands for characters, inside a class or outside; the backslash is consumed already. */
export function readCharacterEscape(reader: PatternReader): ClassMember {
  const property = reader.unicode ? reader.match(/([pP])\{([^}]*)\}/) : undefined;
  if (property !== undefined) {
    const set = pointsWithProperty(property[2] ?? '');
    return { set: property[1] === 'P' ? invert(set) : set, point: undefined };
  }
  const named = reader.match(/[dDwWsS]/);
  const set = escapedClasses.get(named?.[0] ?? '');
  if (set !== undefined) return { set, point: undefined };
  return single(readEscapedPoint(reader));
}

/** Reads a class; its opening bracket is consumed already. */
export function readClass(reader: PatternReader): CodePoints {
  const negative = reader.eat('^');
  const sets: CodePoints[] = [];
  while (!reader.eat(']')) {
    const first = readMember(reader);
    // A hyphen that ends the class stands for itself.
    if (!reader.sees('-') || reader.sees('-]')) {
      sets.push(first.set);
      continue;
    }
    reader.eat('-');
    const last = readMember(reader);
    // Beside a class such as \w a hyphen is no range (only without the flag u).
    if (first.point === undefined || last.point === undefined) sets.push(first.set, onePoint(0x2d), last.set);
    else sets.push([first.point, last.point]);
  }
  const set = sets.length === 0 ? noCodePoints : unite(...sets);
  return negative ? invert(set) : set;
}

function readMember(reader: PatternReader): ClassMember {
  if (!reader.eat('\\')) return single(reader.next());
  return reader.eat('b') ? single(0x08) : readCharacterEscape(reader);
}

function readEscapedPoint(reader: PatternReader): number {
  const control = reader.match(/c([A-Za-z])/);
  if (control !== undefined) return (control[1] ?? '').charCodeAt(0) % 32;
  if (reader.sees('c')) throw reader.unknown('\\c without a letter');
  const hexadecimal = readHexadecimal(reader);
  if (hexadecimal !== undefined) return hexadecimal;
  if (reader.match(/0(?!\d)/) !== undefined) return 0;
  if (reader.match(/\d/) !== undefined) throw reader.unknown('an octal escape');
  const letter = reader.match(/[fnrtv]/);
  return controls.get(letter?.[0] ?? '') ?? reader.next();
}

/** `\x41`, `\u0041`, `\u{1F600}`, and with the flag u a pair of surrogates, which is one character. */
function readHexadecimal(reader: PatternReader): number | undefined {
  if (reader.unicode) {
    const braced = reader.match(/u\{([0-9A-Fa-f]+)\}/);
    if (braced !== undefined) return Number.parseInt(braced[1] ?? '', 16);
    const pair = reader.match(/u([Dd][89ABab][0-9A-Fa-f]{2})\\u([Dd][C-Fc-f][0-9A-Fa-f]{2})/);
    if (pair !== undefined) {
      const [high, low] = [Number.parseInt(pair[1] ?? '', 16), Number.parseInt(pair[2] ?? '', 16)];
      return 0x10000 + (high - 0xd800) * 0x400 + (low - 0xdc00);
    }
  }
  const plain = reader.match(/x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})/);
  return plain === undefined ? undefined : Number.parseInt(plain[1] ?? plain[2] ?? '', 16);
}

function single(point: number): ClassMember {
  return { set: onePoint(point), point };
}

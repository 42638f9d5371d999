/** Text of which nothing is known but its length: words mostly, and now and then what trips programs up. */

import type { Chance } from '../source/dice.ts';
import { pointAt } from './code-points.ts';
import { type Draft, pick, wantsEdge } from './draft.ts';
import { selectionOf } from './taste.ts';

/** Thirty-two letters, so that five random bits are one; frequent ones come twice. */
const letters = 'abcdefghijklmnopqrstuvwxyzaeinor';

const pairs: readonly string[] = [...letters].flatMap((first) => [...letters].map((second) => first + second));

/** Texts that programs take for something else, or write and read back wrongly. */
const pitfalls: readonly [string, ...string[]] = [
  ...(['', ' ', '0', '-1', '1e3', 'null', 'true', 'undefined', 'NaN', '[]', '{}', '"', "'", '\\', '\\n', '\n', '\t', '\u0000'] as const),
  ...['a b', ' a', 'a ', 'A', 'é', 'e\u0301', 'ß', 'ı', 'Ω', '文字', 'שלום', 'مرحبا', '\u202eabc', '\ufeffa', '\u2028', '\ufffd', '\uffff'],
  ...[
    '😀',
    '👩‍👩‍👧',
    '🇮🇹',
    '𝒜',
    '%00',
    '%2e',
    '&amp;',
    '<b>',
    '{{a}}',
    '$(a)',
    '../a',
    "' or '1'='1",
    '2024-02-30',
    '__proto__',
    'constructor',
  ],
];

const anything = selectionOf([0, 0xd7ff, 0xe000, 0x10ffff]);

const usualLength = 10;
const sometimesLength = 40;
const reasonableLength = 1_000;
const farLength = 10_000;

/** Draws texts of a length between the two, which counts code points. */
export function draftFreeText(minLength: number, maxLength: number): Draft {
  const usual = Math.min(maxLength, minLength + usualLength);
  const sometimes = Math.min(maxLength, minLength + sometimesLength);
  const edges = [minLength, longestOf(maxLength) ?? sometimes] as const;
  const far = maxLength > reasonableLength ? Math.max(minLength, Math.min(maxLength, farLength)) : undefined;
  const draw = (chance: Chance, biasFactor: number | undefined): string => {
    if (wantsEdge(chance, biasFactor)) return drawEdge(edges, far, chance);
    const kind = chance.nextInt(0, 31);
    const length = chance.nextInt(minLength, kind === 0 ? sometimes : usual);
    if (kind < 22) return drawWord(length, chance);
    if (kind < 27) return drawWords(length, chance);
    if (kind < 30) return drawAnything(length, chance);
    return tailor(pick(pitfalls, chance), minLength, maxLength, chance);
  };
  return { isSure: true, all: undefined, isWhole: false, simplest: () => listSimplest(minLength, maxLength), draw };
}

function longestOf(maxLength: number): number | undefined {
  return maxLength <= reasonableLength ? maxLength : undefined;
}

function drawEdge(edges: readonly [number, number], far: number | undefined, chance: Chance): string {
  const choice = chance.nextInt(0, 255);
  // Very long texts are wanted, but they are slow to make and to send.
  if (choice === 0 && far !== undefined) return drawWord(far, chance);
  const length = pick(edges, chance);
  return choice < 192 ? drawWord(length, chance) : drawAnything(length, chance);
}

function drawWord(length: number, chance: Chance): string {
  let text = '';
  let left = length;
  for (let luck = 0, bits = 0; left > 1; left -= 2, bits -= 10, luck >>>= 10) {
    if (bits === 0) {
      luck = chance.nextInt(0, 0x3fffffff);
      bits = 30;
    }
    text += pairs[luck & 1023] ?? '';
  }
  return left === 1 ? text + letters.charAt(chance.nextInt(0, 31)) : text;
}

/** Words with capitals, digits and spaces between, as names and notes have them. */
function drawWords(length: number, chance: Chance): string {
  const word = drawWord(length, chance);
  if (length < 3) return word.toUpperCase();
  const cut = chance.nextInt(1, length - 2);
  const head = `${word.slice(0, 1).toUpperCase()}${word.slice(1, cut)}`;
  return chance.nextInt(0, 3) === 0 ? `${head}${chance.nextInt(0, 9)}${word.slice(cut + 1)}` : `${head} ${word.slice(cut + 1)}`;
}

function drawAnything(length: number, chance: Chance): string {
  let text = '';
  for (let left = length; left > 0; left -= 1) {
    const luck = chance.nextInt(0, 0x3fffffff);
    const kind = anything.odd[(luck >>> 4) % anything.odd.length];
    const isOdd = (luck & 3) === 0 && kind !== undefined;
    text += isOdd ? String.fromCodePoint(pointAt(kind.set, chance.nextInt(0, kind.count - 1))) : letters.charAt((luck >>> 8) & 31);
  }
  return text;
}

/** Makes a text long enough by letters behind it, and short enough by leaving out its end. */
function tailor(text: string, minLength: number, maxLength: number, chance: Chance): string {
  const points = [...text];
  if (points.length > maxLength) return points.slice(0, maxLength).join('');
  return text + drawWord(Math.max(0, minLength - points.length), chance);
}

/** Letters from a to z at the last place: what is excepted are single texts, so one of the first will do. */
function* listSimplest(minLength: number, maxLength: number): Generator<string> {
  for (let length = minLength; length <= Math.min(maxLength, minLength + 2); length += 1) {
    if (length === 0) yield '';
    else for (const letter of letters.slice(0, 26)) yield 'a'.repeat(length - 1) + letter;
  }
}

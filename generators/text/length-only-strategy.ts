/**
 * Draws strings for schemas that restrict nothing but the length: words, and strings that programs tend to misread. It does not know excluded values; those are
 * filtered later.
 */

import { isAtEdge, type RandomNumbers } from '../sources/random-numbers.ts';
import { characterWeights, drawUnusual } from './character-weights.ts';
import { scalarValues } from './code-point-sets.ts';
import { drawnLengths, pick, type TextStrategy } from './text-strategy.ts';

/** The letters; frequent ones occur twice. */
const letters = 'abcdefghijklmnopqrstuvwxyzaeinor';

/** Texts that programs misread, miswrite or misinterpret. */
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

/** The strategy for texts of `minLength` to `maxLength` code points. */
export function freeTextStrategy(minLength: number, maxLength: number): TextStrategy {
  const usualMax = Math.min(maxLength, minLength + drawnLengths.usual);
  const occasionalMax = Math.min(maxLength, minLength + drawnLengths.occasional);
  const edgeCases = [minLength, longestOf(maxLength) ?? occasionalMax] as const;
  const rareLength = maxLength > drawnLengths.reasonable ? Math.max(minLength, Math.min(maxLength, drawnLengths.rare)) : undefined;
  const draw = (random: RandomNumbers, bias: number | undefined): string => {
    if (isAtEdge(random, bias)) return drawEdge(edgeCases, rareLength, random);
    const kind = random.nextInt(0, 31);
    const length = random.nextInt(minLength, kind === 0 ? occasionalMax : usualMax);
    if (kind < 22) return drawWord(length, random);
    if (kind < 27) return drawWords(length, random);
    if (kind < 30) return drawAnything(length, random);
    return fitLength(pick(pitfalls, random), minLength, maxLength, random);
  };
  return { isReliable: true, all: undefined, isComplete: false, simplest: () => listSimplest(minLength, maxLength), draw };
}

function longestOf(maxLength: number): number | undefined {
  return maxLength <= drawnLengths.reasonable ? maxLength : undefined;
}

function drawEdge(edgeCases: readonly [number, number], rareLength: number | undefined, random: RandomNumbers): string {
  const choice = random.nextInt(0, 255);
  // Very long texts are rare: they are slow to make and to send.
  if (choice === 0 && rareLength !== undefined) return drawWord(rareLength, random);
  const length = pick(edgeCases, random);
  return choice < 192 ? drawWord(length, random) : drawAnything(length, random);
}

function drawWord(length: number, random: RandomNumbers): string {
  let text = '';
  for (let lettersLeft = length; lettersLeft > 0; lettersLeft -= 1) text += letters.charAt(random.nextInt(0, letters.length - 1));
  return text;
}

/** Words with capitals, digits and spaces, like names and notes. */
function drawWords(length: number, random: RandomNumbers): string {
  const word = drawWord(length, random);
  if (length < 3) return word.toUpperCase();
  const cut = random.nextInt(1, length - 2);
  const head = `${word.slice(0, 1).toUpperCase()}${word.slice(1, cut)}`;
  return random.nextInt(0, 3) === 0 ? `${head}${random.nextInt(0, 9)}${word.slice(cut + 1)}` : `${head} ${word.slice(cut + 1)}`;
}

function drawAnything(length: number, random: RandomNumbers): string {
  return Array.from({ length }, () => (random.nextInt(0, 3) === 0 ? drawUnusual(anyCharacter.unusual, random) : drawWord(1, random))).join(
    '',
  );
}

/** Pads a text with letters, or cuts its end. */
function fitLength(text: string, minLength: number, maxLength: number, random: RandomNumbers): string {
  const points = [...text];
  if (points.length > maxLength) return points.slice(0, maxLength).join('');
  return text + drawWord(Math.max(0, minLength - points.length), random);
}

/**
 * The shortest strings first: a, b, … z, then aa, ab, … A schema can exclude only individual strings here, so one of these few is almost always allowed.
 */
function* listSimplest(minLength: number, maxLength: number): Generator<string> {
  for (let length = minLength; length <= Math.min(maxLength, minLength + 2); length += 1) {
    if (length === 0) yield '';
    else for (const letter of letters.slice(0, 26)) yield 'a'.repeat(length - 1) + letter;
  }
}

const anyCharacter = characterWeights(scalarValues);

/**
 * Strategies that draw texts without an automaton: free texts, texts written from a pattern, and damaged texts. choose-strategy.ts selects among them.
 * Their texts are candidates: those of patterns and damaged ones must be checked.
 */

import { isAtEdge, type RandomNumbers } from '../sources/scalar-generator.ts';
import { characterWeights, drawCharacter, drawUnusual } from './character-weights.ts';
import { scalarValues } from './code-points.ts';
import type { Pattern, PatternNode } from './pattern-syntax.ts';

/** A way to draw texts, mostly or always accepted ones. */
export interface TextStrategy {
  /** True when every text is accepted; otherwise each is checked. */
  readonly isReliable: boolean;
  /** All texts, the simplest first, when they are few. */
  readonly all: readonly string[] | undefined;
  /** True when `all` is complete, so that an empty list proves that there is no text. */
  readonly isComplete: boolean;
  /** Candidates for the simplest text, best first. */
  readonly simplest: () => Iterable<string>;
  readonly draw: (random: RandomNumbers, biasFactor: number | undefined) => string;
}

/** A random member. */
export function pick<T>(from: readonly [T, ...(readonly T[])], random: RandomNumbers): T {
  return from[random.nextInt(0, from.length - 1)] ?? from[0];
}

/** A type guard for lists with members. */
export function isFilled<T>(list: readonly T[]): list is readonly [T, ...(readonly T[])] {
  return list.length > 0;
}

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

const usualLength = 10;
const sometimesLength = 40;
const reasonableLength = 1_000;
const farLength = 10_000;

/** The strategy for texts of `minLength` to `maxLength` code points. */
export function freeTextStrategy(minLength: number, maxLength: number): TextStrategy {
  const usual = Math.min(maxLength, minLength + usualLength);
  const sometimes = Math.min(maxLength, minLength + sometimesLength);
  const edgeCases = [minLength, longestOf(maxLength) ?? sometimes] as const;
  const far = maxLength > reasonableLength ? Math.max(minLength, Math.min(maxLength, farLength)) : undefined;
  const draw = (random: RandomNumbers, biasFactor: number | undefined): string => {
    if (isAtEdge(random, biasFactor)) return drawEdge(edgeCases, far, random);
    const kind = random.nextInt(0, 31);
    const length = random.nextInt(minLength, kind === 0 ? sometimes : usual);
    if (kind < 22) return drawWord(length, random);
    if (kind < 27) return drawWords(length, random);
    if (kind < 30) return drawAnything(length, random);
    return fitLength(pick(pitfalls, random), minLength, maxLength, random);
  };
  return { isReliable: true, all: undefined, isComplete: false, simplest: () => listSimplest(minLength, maxLength), draw };
}

function longestOf(maxLength: number): number | undefined {
  return maxLength <= reasonableLength ? maxLength : undefined;
}

function drawEdge(edgeCases: readonly [number, number], far: number | undefined, random: RandomNumbers): string {
  const choice = random.nextInt(0, 255);
  // Very long texts are rare: they are slow to make and to send.
  if (choice === 0 && far !== undefined) return drawWord(far, random);
  const length = pick(edgeCases, random);
  return choice < 192 ? drawWord(length, random) : drawAnything(length, random);
}

function drawWord(length: number, random: RandomNumbers): string {
  let text = '';
  for (let left = length; left > 0; left -= 1) text += letters.charAt(random.nextInt(0, letters.length - 1));
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
  return Array.from({ length }, () => (random.nextInt(0, 3) === 0 ? drawUnusual(anything.unusual, random) : drawWord(1, random))).join('');
}

/** Pads a text with letters, or cuts its end. */
function fitLength(text: string, minLength: number, maxLength: number, random: RandomNumbers): string {
  const points = [...text];
  if (points.length > maxLength) return points.slice(0, maxLength).join('');
  return text + drawWord(Math.max(0, minLength - points.length), random);
}

/** Letters from a to z at the last position. Only single texts are excluded, so one of the first is allowed. */
function* listSimplest(minLength: number, maxLength: number): Generator<string> {
  for (let length = minLength; length <= Math.min(maxLength, minLength + 2); length += 1) {
    if (length === 0) yield '';
    else for (const letter of letters.slice(0, 26)) yield 'a'.repeat(length - 1) + letter;
  }
}

const anything = characterWeights(scalarValues);

/** A strategy that writes texts from the syntax tree of a pattern. Look-around is mostly ignored, so every text is checked. */
export function patternStrategy({ root }: Pattern): TextStrategy {
  const draw = (random: RandomNumbers): string => {
    const reach = random.nextInt(0, 7) === 0 ? 40 : 4;
    const text = write(root, { random, reach, written: new Map() });
    return random.nextInt(0, 1) === 0 ? text : surround(text, root, random);
  };
  return { isReliable: false, all: undefined, isComplete: false, simplest: () => [], draw };
}

/** The state of writing: repetitions above the minimum, and the last text of each node. */
interface WritingState {
  readonly random: RandomNumbers;
  readonly reach: number;
  readonly written: Map<PatternNode, string>;
}

function write(node: PatternNode, writing: WritingState): string {
  const text = writeNew(node, writing);
  writing.written.set(node, text);
  return text;
}

function writeNew(node: PatternNode, writing: WritingState): string {
  const { random, reach, written } = writing;
  switch (node.kind) {
    case 'set':
      return node.set.length === 0 ? '' : drawCharacter(characterWeights(node.set), random.nextInt(0, 0x3fffffff), random);
    case 'sequence':
      return node.parts.map((part) => write(part, writing)).join('');
    case 'choice': {
      const option = node.options[random.nextInt(0, node.options.length - 1)];
      return option === undefined ? '' : write(option, writing);
    }
    case 'repeat': {
      const rounds = node.min + random.nextInt(0, Math.min(reach, node.max - node.min));
      return Array.from({ length: rounds }, () => write(node.body, writing)).join('');
    }
    case 'behind':
      return node.negative ? '' : write(node.body, writing);
    case 'reference': {
      const group = node.groups[node.group];
      return group === undefined ? '' : (written.get(group) ?? '');
    }
    default:
      return '';
  }
}

/** Adds a few characters before and after an unanchored pattern. */
function surround(text: string, root: PatternNode, random: RandomNumbers): string {
  const parts = root.kind === 'sequence' ? root.parts : [root];
  const before = parts.at(0)?.kind === 'start' ? '' : writeAnything(random);
  return before + text + (parts.at(-1)?.kind === 'end' ? '' : writeAnything(random));
}

function writeAnything(random: RandomNumbers): string {
  return Array.from({ length: random.nextInt(0, 4) }, () => drawCharacter(anything, random.nextInt(0, 0x3fffffff), random)).join('');
}

/** Characters that usually make a text invalid. */
const damagingCharacters: readonly [string, ...string[]] = ['g', ...'Z09 -.:/@%{([*\\"\né😀'];

/** A strategy for texts that are invalid for a format: damaged texts and listed ones. Each is checked. */
export function invalidTextStrategy(base: TextStrategy, valid: TextStrategy | undefined, invalidTexts: readonly string[]): TextStrategy {
  const draw = (random: RandomNumbers, biasFactor: number | undefined): string => {
    const kind = random.nextInt(0, 7);
    if (kind < 2 && isFilled(invalidTexts)) return pick(invalidTexts, random);
    if (kind < 5 && valid !== undefined) return damage(valid.draw(random, biasFactor), random);
    if (kind === 5) return damage(base.draw(random, biasFactor), random);
    return base.draw(random, biasFactor);
  };
  const simplest = function* (): Generator<string> {
    yield* base.simplest();
    yield* invalidTexts;
  };
  return { isReliable: false, all: base.all, isComplete: base.isComplete, simplest, draw };
}

/** Replaces, removes, doubles or inserts one character, or cuts off the end. */
function damage(text: string, random: RandomNumbers): string {
  const points = [...text];
  const at = random.nextInt(0, points.length);
  const [before, here, after] = [points.slice(0, at), points.slice(at, at + 1), points.slice(at + 1)];
  switch (random.nextInt(0, 5)) {
    case 0:
      return [...before, ...after].join('');
    case 1:
      return [...before, ...here, ...here, ...after].join('');
    case 2:
      return before.join('');
    case 3:
      return [...before, pick(damagingCharacters, random), ...here, ...after].join('');
    default:
      return [...before, pick(damagingCharacters, random), ...after].join('');
  }
}

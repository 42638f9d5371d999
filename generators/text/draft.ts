/** Drafts: ways to draw texts that mostly or always have what is wanted. */

import { type Chance, isAtEdge } from '../source/source.ts';
import { pointAt, scalarValues } from './code-points.ts';
import type { Pattern, PatternNode } from './pattern.ts';
import { drawCharacter, selectionOf } from './taste.ts';

/** A way to draw texts. */
export interface Draft {
  /** Whether every text drawn is accepted; otherwise the draws are judged. */
  readonly isSure: boolean;
  /** Every text there can be, the simplest first, when they are few. */
  readonly all: readonly string[] | undefined;
  /** Whether `all` leaves nothing out, so that where it is empty nothing is left. */
  readonly isWhole: boolean;
  /** Candidates for the simplest text, the best first. */
  readonly simplest: () => Iterable<string>;
  readonly draw: (chance: Chance, biasFactor: number | undefined) => string;
}

/** One of several, each as likely. */
export function pick<T>(from: readonly [T, ...(readonly T[])], chance: Chance): T {
  return from[chance.nextInt(0, from.length - 1)] ?? from[0];
}

/** Whether a list has members, as its type. */
export function isFilled<T>(list: readonly T[]): list is readonly [T, ...(readonly T[])] {
  return list.length > 0;
}

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
    if (isAtEdge(chance, biasFactor)) return drawEdge(edges, far, chance);
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

const anything = selectionOf(scalarValues);

/** Draws texts that mostly match one pattern; what stands ahead or behind without being consumed is hardly heeded, so every draw is judged. */
export function draftSyntax({ root }: Pattern): Draft {
  const draw = (chance: Chance): string => {
    const reach = chance.nextInt(0, 7) === 0 ? 40 : 4;
    const text = write(root, { chance, reach, written: new Map() });
    return chance.nextInt(0, 1) === 0 ? text : surround(text, root, chance);
  };
  return { isSure: false, all: undefined, isWhole: false, simplest: () => [], draw };
}

/** What is being written: how many rounds of a repetition are drawn beyond the least, and what each piece came to last. */
interface Writing {
  readonly chance: Chance;
  readonly reach: number;
  readonly written: Map<PatternNode, string>;
}

function write(node: PatternNode, writing: Writing): string {
  const text = writeNew(node, writing);
  writing.written.set(node, text);
  return text;
}

function writeNew(node: PatternNode, writing: Writing): string {
  const { chance, reach, written } = writing;
  switch (node.kind) {
    case 'set':
      return node.set.length === 0 ? '' : drawCharacter(selectionOf(node.set), chance.nextInt(0, 0x3fffffff), chance);
    case 'sequence':
      return node.parts.map((part) => write(part, writing)).join('');
    case 'choice': {
      const option = node.options[chance.nextInt(0, node.options.length - 1)];
      return option === undefined ? '' : write(option, writing);
    }
    case 'repeat': {
      const rounds = node.min + chance.nextInt(0, Math.min(reach, node.max - node.min));
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

/** Puts a few characters before and after, where the pattern is not anchored. */
function surround(text: string, root: PatternNode, chance: Chance): string {
  const parts = root.kind === 'sequence' ? root.parts : [root];
  const before = parts.at(0)?.kind === 'start' ? '' : writeAnything(chance);
  return before + text + (parts.at(-1)?.kind === 'end' ? '' : writeAnything(chance));
}

function writeAnything(chance: Chance): string {
  return Array.from({ length: chance.nextInt(0, 4) }, () => drawCharacter(anything, chance.nextInt(0, 0x3fffffff), chance)).join('');
}

/** What spoils a text when it is put somewhere into it. */
const spoilers: readonly [string, ...string[]] = ['g', ...'Z09 -.:/@%{([*\\"\né😀'];

/** Draws from a draft and from a list of wrong texts, and spoils what it draws. Which of these are really wrong is for the judge to say. */
export function draftNearMisses(base: Draft, valid: Draft | undefined, wrong: readonly string[]): Draft {
  const draw = (chance: Chance, biasFactor: number | undefined): string => {
    const kind = chance.nextInt(0, 7);
    if (kind < 2 && isFilled(wrong)) return pick(wrong, chance);
    if (kind < 5 && valid !== undefined) return spoil(valid.draw(chance, biasFactor), chance);
    if (kind === 5) return spoil(base.draw(chance, biasFactor), chance);
    return base.draw(chance, biasFactor);
  };
  const simplest = function* (): Generator<string> {
    yield* base.simplest();
    yield* wrong;
  };
  return { isSure: false, all: base.all, isWhole: base.isWhole, simplest, draw };
}

/** One character replaced, left out, doubled or put in, or the end cut off. */
function spoil(text: string, chance: Chance): string {
  const points = [...text];
  const at = chance.nextInt(0, points.length);
  const [before, here, after] = [points.slice(0, at), points.slice(at, at + 1), points.slice(at + 1)];
  switch (chance.nextInt(0, 5)) {
    case 0:
      return [...before, ...after].join('');
    case 1:
      return [...before, ...here, ...here, ...after].join('');
    case 2:
      return before.join('');
    case 3:
      return [...before, pick(spoilers, chance), ...here, ...after].join('');
    default:
      return [...before, pick(spoilers, chance), ...after].join('');
  }
}

/** Which texts have which words, and which words stand beside each other: made once, and any piece of a text is found without reading the texts. */

import { foldText } from '../../core/fold.ts';
import { Integers } from './growing.ts';
import { eachBit, hasBit, intersect, Places, rowOf, setBit } from './places.ts';

/** Texts that may have what was looked for. */
export interface Sightings {
  readonly has: (text: number) => boolean;
  /** Whether each of them has it for certain; otherwise it has all parts of it, and must be looked at. */
  readonly isCertain: boolean;
}

/** How many lines are remembered: those that texts of one list share come early, and often. */
const linesKept = 5_000;

/** By how many parts of what is wanted texts are chosen: a few leave hardly any, and a client may send thousands. */
const partsMost = 8;

/** A word, and the pairs that it begins, by the word behind it. The end of a line is an empty word. */
interface Word {
  readonly text: string;
  readonly places: Places;
  readonly pairs: Map<Word, Pair[]>;
}

/** Neighbours in a line with what stands between them. */
interface Pair {
  readonly left: string;
  readonly gap: string;
  readonly right: string;
  readonly places: Places;
}

/**
 * The words of texts, which are numbered from 0 on. Texts are made of lines, and many of them of the same ones: words are noted by line, and lines by text.
 */
export class WordIndex {
  readonly #isFolded: boolean;
  readonly #words = new Map<string, Word>();
  readonly #lineEnd: Word;
  /** The numbers of the lines that are remembered. */
  readonly #known = new Map<string, number>();
  /** By line: the first text that has it, and the others where it is remembered. */
  readonly #first = new Integers();
  readonly #others = new Map<number, Places>();
  #lines = 0;
  #texts = 0;

  /** An index; where it is folded, neither case nor accents count. */
  constructor(isFolded: boolean) {
    this.#isFolded = isFolded;
    this.#lineEnd = this.#wordOf('');
  }

  /** Notes the words of a text. A text may come in parts, one after the other; the next text has a greater number. */
  add(text: number, part: string): void {
    this.#texts = text + 1;
    // No word goes on in the next line.
    for (const line of part.split('\n')) {
      const known = this.#known.get(line);
      if (known === undefined) this.#addLine(line, text);
      else this.#others.get(known)?.add(text);
    }
  }

  /** The texts that may contain something; `undefined` when it has no word to look for. */
  find(wanted: string): Sightings | undefined {
    const plain = this.#isFolded ? foldText(wanted) : wanted;
    const parts = split(plain);
    const words = parts.filter((_, at) => at % 2 === 1);
    const gaps = parts.filter((_, at) => at % 2 === 0);
    // What goes on in the next line is looked for word by word.
    const isOneLine = !plain.includes('\n');
    const tests = isOneLine && plain !== words[0] ? testPairs(words, gaps) : [];
    const searches = tests.length > 0 ? tests.map((isFit) => () => this.#withPair(isFit)) : words.map((word) => () => this.#withWord(word));
    const [first, ...rest] = searches.slice(0, partsMost);
    if (first === undefined) return undefined;
    const selected = this.#textsWith(first());
    for (const search of rest) intersect(selected, this.#textsWith(search()));
    // Parts that are all there may stand in different places.
    return { has: (text) => hasBit(selected, text), isCertain: isOneLine && searches.length === 1 };
  }

  #withWord(piece: string): Uint32Array {
    const selected = rowOf(this.#lines);
    for (const { text, places } of this.#words.values()) if (text.includes(piece)) places.mark(selected);
    return selected;
  }

  #withPair(isFit: (pair: Pair) => boolean): Uint32Array {
    const selected = rowOf(this.#lines);
    for (const { pairs } of this.#words.values())
      for (const pair of [...pairs.values()].flat()) if (isFit(pair)) pair.places.mark(selected);
    return selected;
  }

  /** The texts that have one of some lines. */
  #textsWith(lines: Uint32Array): Uint32Array {
    const selected = rowOf(this.#texts);
    const first = this.#first.finish();
    eachBit(lines, (line) => {
      setBit(selected, first[line] ?? 0);
      this.#others.get(line)?.mark(selected);
    });
    return selected;
  }

  /** Notes the words and the pairs of a line. It is done for every line of a million texts, hence by loops. */
  #addLine(line: string, text: number): void {
    const number = this.#lines;
    this.#lines += 1;
    this.#first.push(text);
    if (this.#known.size < linesKept) {
      this.#known.set(line, number);
      this.#others.set(number, new Places());
    }
    const parts = split(this.#isFolded ? foldText(line) : line);
    let left = this.#lineEnd;
    for (let at = 0; at < parts.length; at += 2) {
      const word = parts[at + 1];
      const right = word === undefined ? this.#lineEnd : this.#wordOf(word);
      if (word !== undefined) right.places.add(number);
      const gap = parts[at] ?? '';
      if (gap !== '') this.#pairOf(left, gap, right).places.add(number);
      left = right;
    }
  }

  #wordOf(text: string): Word {
    const known = this.#words.get(text);
    if (known !== undefined) return known;
    const word: Word = { text, places: new Places(), pairs: new Map() };
    this.#words.set(text, word);
    return word;
  }

  #pairOf(left: Word, gap: string, right: Word): Pair {
    const pairs = left.pairs.get(right);
    for (const pair of pairs ?? []) if (pair.gap === gap) return pair;
    const pair: Pair = { left: left.text, gap, right: right.text, places: new Places() };
    if (pairs === undefined) left.pairs.set(right, [pair]);
    else pairs.push(pair);
    return pair;
  }
}

/** The words of a text, which are runs of letters and digits, and what stands before, between and behind them: a gap and a word in turns. */
function split(text: string): readonly string[] {
  return text.split(/([\p{L}\p{N}]+)/u);
}

/** What a pair is like that may be a part of what is wanted, for each gap in it. The words at its ends may be parts of longer ones. */
function testPairs(words: readonly string[], gaps: readonly string[]): readonly ((pair: Pair) => boolean)[] {
  const isOpenFirst = gaps[0] === '';
  const isOpenLast = gaps.at(-1) === '';
  const isLeft = (word: string, at: number): boolean => (at === 0 && isOpenFirst ? word.endsWith(words[at] ?? '') : word === words[at]);
  const isRight = (word: string, at: number): boolean =>
    at === words.length - 1 && isOpenLast ? word.startsWith(words[at] ?? '') : word === words[at];
  return gaps.flatMap((gap, at) => {
    if (gap === '' || words.length === 0) return [];
    if (at === 0) return [(pair: Pair) => pair.gap.endsWith(gap) && isRight(pair.right, at)];
    if (at === words.length) return [(pair: Pair) => pair.gap.startsWith(gap) && isLeft(pair.left, at - 1)];
    return [(pair: Pair) => pair.gap === gap && isLeft(pair.left, at - 1) && isRight(pair.right, at)];
  });
}

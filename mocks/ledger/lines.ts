/** The lines of texts, laid down so that whatever stands in one of them is found without making the texts again. */

import { foldText } from '../../core/fold.ts';
import { Integers } from './growing.ts';
import { hasBit, intersect, Places, rowOf, setBit } from './places.ts';

/** Texts that may have what was looked for. */
export interface Sightings {
  readonly has: (text: number) => boolean;
  /** Whether each of them has it for certain; otherwise it has all lines of it, and must be looked at. */
  readonly isCertain: boolean;
}

/** How many lines are remembered, each of which is then laid down once: those that texts of one list share come early, and often. */
const linesKept = 5_000;

/** By how many lines of what is wanted texts are chosen: a few leave hardly any, and a client may send thousands. */
const linesMost = 8;

/** How many bytes of other lines lie together. */
const sheetBytes = 1024 * 1024;

/** The lines of texts, which are numbered from 0 on. */
export class LineIndex {
  readonly #isFolded: boolean;
  /** Lines that are remembered, as they were given, and folded with the texts that have them. */
  readonly #known = new Map<string, { readonly line: string; readonly texts: Places }>();
  readonly #sheets: Sheet[] = [];
  #texts = 0;

  /** An index; where it is folded, neither case nor accents count. */
  constructor(isFolded: boolean) {
    this.#isFolded = isFolded;
  }

  /** Lays a text down. It may come in parts, one after the other; the next text has a greater number. */
  add(text: number, part: string): void {
    this.#texts = text + 1;
    for (const given of part.split('\n')) {
      const known = this.#known.get(given);
      if (known === undefined) this.#addLine(given, text);
      else known.texts.add(text);
    }
  }

  /** The texts that may contain something; `undefined` when that cannot be told from their lines. */
  find(wanted: string): Sightings | undefined {
    const plain = this.#fold(wanted);
    // Half a character is found in a text, but not in its bytes.
    const lines = /\p{Surrogate}/u.test(plain) ? [] : plain.split('\n');
    const [first, ...rest] = lines.filter((line) => line !== '').slice(0, linesMost);
    if (first === undefined) return undefined;
    const found = this.#withLine(first);
    for (const line of rest) intersect(found, this.#withLine(line));
    // What stands for half a character in the bytes may be asked for as itself.
    return { has: (text) => hasBit(found, text), isCertain: lines.length === 1 && !plain.includes('\ufffd') };
  }

  #fold(text: string): string {
    return this.#isFolded ? foldText(text) : text;
  }

  #addLine(given: string, text: number): void {
    const line = this.#fold(given);
    if (this.#known.size < linesKept) {
      const texts = new Places();
      texts.add(text);
      this.#known.set(given, { line, texts });
      return;
    }
    if (this.#sheets.at(-1)?.take(line, text) === true) return;
    const sheet = new Sheet(Math.max(sheetBytes, mostBytes(line)));
    sheet.take(line, text);
    this.#sheets.push(sheet);
  }

  /** The texts that have something in one of their lines. */
  #withLine(piece: string): Uint32Array {
    const found = rowOf(this.#texts);
    for (const { line, texts } of this.#known.values()) if (line.includes(piece)) texts.mark(found);
    const bytes = Buffer.from(piece);
    for (const sheet of this.#sheets) sheet.mark(bytes, found);
    return found;
  }
}

/** Lines one below the other. Nothing that is looked for goes on in the next one. */
class Sheet {
  readonly #bytes: Buffer;
  #length = 0;
  /** By line: where it begins, and the text that has it. */
  readonly #starts = new Integers();
  readonly #texts = new Integers();

  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafeSlow(size);
  }

  /** Whether there was room for a line. */
  take(line: string, text: number): boolean {
    if (this.#length + mostBytes(line) > this.#bytes.length) return false;
    this.#starts.push(this.#length);
    this.#texts.push(text);
    this.#length += this.#bytes.write(`${line}\n`, this.#length);
    return true;
  }

  /** Sets the bits of the texts in whose lines some bytes stand. */
  mark(wanted: Buffer, found: Uint32Array): void {
    const bytes = this.#bytes.subarray(0, this.#length);
    const [starts, texts] = [this.#starts.finish(), this.#texts.finish()];
    for (let at = bytes.indexOf(wanted); at >= 0; ) {
      const line = lineAt(starts, at);
      setBit(found, texts[line] ?? 0);
      const next = starts[line + 1];
      at = next === undefined ? -1 : bytes.indexOf(wanted, next);
    }
  }
}

/** The bytes that a line takes at most, with its end. */
function mostBytes(line: string): number {
  return 3 * line.length + 1;
}

/** The last line that begins at a place or before it. */
function lineAt(starts: Int32Array, place: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

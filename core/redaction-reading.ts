/** Readings of a text: as it is written, below layers of escapes, and in normal form; each knows the way back to the text. */

/** The notations that write characters as escapes. */
export type Notation = 'percent' | 'json' | 'html' | 'quoted-printable';

/** A stretch of a text, in code units. */
export type Stretch = readonly [start: number, end: number];

/** A text that was rewritten. */
export interface Rewritten {
  readonly text: string;
  /** The stretch of the text before that a stretch comes from: escapes and characters as a whole. */
  readonly placeOf: (start: number, end: number) => Stretch;
}

/** A text below some layers of escapes. */
export interface Reading extends Rewritten {
  /** The notations that were taken off, the outermost first. */
  readonly layers: readonly Notation[];
}

/** A URL in JSON in HTML. */
const layersMax = 3;

/** A text that mixes all notations at every depth would be read very often; no honest text is. */
const readingsMax = 40;

/** The text as it is written, and then below its escapes, each reading once; lazily, since most texts have none. */
export function* readingsOf(text: string): Generator<Reading, void, undefined> {
  const seen = new Set([text]);
  const readings: Reading[] = [{ text, layers: [], placeOf: (start, end) => [start, end] }];
  for (const reading of readings) {
    yield reading;
    for (const notation of notations) {
      const { text: below, placeOf } = rewrite(reading.text, ...escapes[notation]);
      if (reading.layers.length >= layersMax || seen.has(below) || seen.size >= readingsMax) continue;
      seen.add(below);
      readings.push({
        text: below,
        layers: [...reading.layers, notation],
        placeOf: (...stretch) => reading.placeOf(...placeOf(...stretch)),
      });
    }
  }
}

/**
 * The normal form: letters and digits alone, without case, width and accents. What is invisible, and what a key is grouped or wrapped by, falls away.
 * @example normalForm('Sk-Ｌｉｖｅ 4\u200b7').text // 'sklive47'
 */
export function normalForm(text: string): Rewritten {
  // The dotted capital I is the only character whose small letter is longer.
  const folded = text.replaceAll('\u0130', 'i').toLowerCase();
  const plain = folded.replaceAll(/[\0-/:-`{-\x7f]+/g, '').replaceAll(/[^\0-\x7f]/gu, fold);
  return rewrite(folded, /[\0-/:-`{-\x7f]+|[^\0-\x7f]/gu, (piece) => (piece.charCodeAt(0) < 0x80 ? '' : fold(piece)), plain);
}

function fold(character: string): string {
  return character
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The pieces of a text that are written as escapes in a notation, and what each means. */
type Escapes = readonly [pattern: RegExp, meaningOf: (written: string) => string];

/** RFC 3986 §2.1, RFC 8259 §7 with those of JavaScript, HTML §13.5, RFC 2045 §6.7. */
const escapes: Readonly<Record<Notation, Escapes>> = {
  percent: [/(?:%[0-9a-f]{2})+/gi, (run) => textOf(run.replaceAll('%', ''))],
  json: [
    /\\(?:u[0-9a-f]{4}|x[0-9a-f]{2}|.)/gis,
    ([, letter = '', ...digits]) => (digits.length > 0 ? characterOf(digits.join(''), 16) : (controls[letter] ?? letter)),
  ],
  html: [/&(?:#\d{1,9}|#x[0-9a-f]{1,8}|[a-z][a-z0-9]{1,13}(?=;));?/gi, (reference) => referred(reference.slice(1).replace(';', ''))],
  'quoted-printable': [/(?:=[0-9a-f]{2})+|=[\t ]*\r?\n/gi, (run) => (/\s/.test(run) ? '' : textOf(run.replaceAll('=', '')))],
};

const notations = Object.keys(escapes) as readonly Notation[];

const controls: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Bytes in UTF-8, or in Latin-1 where they are none: servers write either. */
function textOf(hex: string): string {
  const bytes = Buffer.from(hex, 'hex');
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? bytes.toString('latin1') : text;
}

/** What a reference of HTML stands for. Of the names only letters count, which lose their accents anyway, and what is an escape itself. */
function referred(reference: string): string {
  if (/^#x/i.test(reference)) return characterOf(reference.slice(2), 16);
  if (reference.startsWith('#')) return characterOf(reference.slice(1), 10);
  return named[reference.toLowerCase()] ?? /^([a-z])(?:grave|acute|circ|tilde|uml|ring|cedil|slash)$/i.exec(reference)?.[1] ?? '';
}

const named: Readonly<Record<string, string>> = { amp: '&', num: '#', percnt: '%', bsol: '\\', quot: '"', apos: "'", lt: '<', gt: '>' };

function characterOf(digits: string, base: 10 | 16): string {
  const code = Number.parseInt(digits, base);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** A piece that was replaced: where it stood, and where its meaning stands. */
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly at: number;
  readonly length: number;
}

const beginning: Piece = { start: 0, end: 0, at: 0, length: 0 };

/** Writes each piece as what it means. Where pieces stood is found out when somebody asks: most texts hold no secret. */
function rewrite(
  text: string,
  pattern: RegExp,
  meaningOf: (piece: string) => string,
  written: string = text.replace(pattern, meaningOf),
): Rewritten {
  let known: readonly Piece[] | undefined;
  const unitAt = (unit: number): Stretch => {
    known ??= listPieces(text, pattern, meaningOf);
    const { start, end, at, length } = lastUpTo(known, unit);
    if (unit < at + length) return [start, end];
    const plain = end + unit - at - length;
    return [plain, plain + 1];
  };
  return { text: written, placeOf: (start, end) => [unitAt(start)[0], unitAt(end - 1)[1]] };
}

function listPieces(text: string, pattern: RegExp, meaningOf: (piece: string) => string): readonly Piece[] {
  const pieces: Piece[] = [];
  for (const { 0: piece, index: start } of text.matchAll(pattern)) {
    const last = pieces.at(-1) ?? beginning;
    pieces.push({ start, end: start + piece.length, at: last.at + last.length + start - last.end, length: meaningOf(piece).length });
  }
  return pieces;
}

/** The last piece whose meaning begins at a position or before it. */
function lastUpTo(pieces: readonly Piece[], position: number): Piece {
  let [low, high] = [0, pieces.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((pieces[middle]?.at ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return pieces[low - 1] ?? beginning;
}

/** Redaction: keeps secrets out of every text that is shown or kept, however the text encodes them. */

/** The notations that write characters as escapes. */
type Notation = 'percent' | 'json' | 'html' | 'quoted-printable';

/** A stretch of a text, in code units. */
type Stretch = readonly [start: number, end: number];

/** A text that was rewritten. */
interface Rewritten {
  readonly text: string;
  /** The stretch of the text before that a stretch comes from: escapes and characters as a whole. */
  readonly placeOf: (start: number, end: number) => Stretch;
}

/** A text below some layers of escapes. */
interface Reading extends Rewritten {
  /** The notations that were taken off, the outermost first. */
  readonly layers: readonly Notation[];
}

/** A URL in JSON in HTML. */
const layersMax = 3;

/** A text that mixes all notations at every depth would be read very often; no honest text is. */
const readingsMax = 40;

/** The text as it is written, and then below its escapes, each reading once; lazily, since most texts have none. */
function* readingsOf(text: string): Generator<Reading, void, undefined> {
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
function normalForm(text: string): Rewritten {
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

/** Character of an HTML reference. Only names of letters, which lose their accents anyway, and of escape characters count. */
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

/** Something that gives a secret away. */
interface Needle {
  /** The name of the secret. */
  readonly name: string;
  readonly coding: 'plain' | 'base64' | 'hex';
  /** As it is written. */
  readonly value: string;
  /** In normal form; as it is written where hardly anything would be left. */
  readonly text: string;
  /** `part`: any long run of it. `whole`: all of it, with nothing between. `literal`: as it is written. `word`: so, and standing alone. */
  readonly counts: 'part' | 'whole' | 'literal' | 'word';
  /** Number of characters before and after it that mix bits of the secret with bits of its surroundings. */
  readonly edges: readonly [before: number, after: number];
}

/** So many letters and digits in a row give a secret away: a log that cuts or masks a key shows fewer. */
const runLength = 12;

/**
 * Values that are shorter occur by chance, in numbers, in words and most of all in base64; hiding each occurrence would make a report unreadable and
 * hide nothing. They count only where they stand alone.
 */
const leastLength = 6;

/** Everything that gives a secret away. */
function needlesOf(name: string, value: string): readonly Needle[] {
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

/** A value that must not be shown. */
export interface Secret {
  /** Shown in its place, as `$NAME`. */
  readonly name: string;
  readonly value: string;
}

/** Finds and hides secrets in texts. */
export interface Redactor {
  /** The text with `$NAME` in place of each secret and of each long part of one, in whatever encoding. */
  readonly clean: (text: string) => string;
  /** A secret that the text holds whole, and how it is encoded there, such as `plain`, `percent` or `base64 in json`. */
  readonly find: (text: string) => { readonly name: string; readonly encoding: string } | undefined;
}

/**
 * Makes a redactor for these secrets. What is invisible, the case and width of letters, and whatever is no letter or digit are not looked at, so that a
 * key is found in small letters, in groups or over several lines; a part of twelve letters and digits is enough. Escapes of URLs, JSON, HTML and
 * quoted-printable are undone, three layers deep; base64 and hexadecimal are known alone or inside longer data.
 * @example createRedactor([{ name: 'KEY', value: 'sk-1234567890ab' }]).clean('key: SK%2D12345 67890AB') // 'key: $KEY'
 */
export function createRedactor(secrets: readonly Secret[]): Redactor {
  const known = new Map(
    secrets
      .filter(({ value }) => value !== '')
      .map(({ name, value }) => [value, name] as const)
      .toReversed(),
  );
  const search = createSearch([...known].flatMap(([value, name]) => needlesOf(name, value)));
  return {
    clean: (text) => cleanText(text, search),
    find: (text) => {
      for (const { needle, isWhole, layers } of search(text)) {
        if (!isWhole) continue;
        const encodings = [...(needle.coding === 'plain' ? [] : [needle.coding]), ...layers.toReversed()];
        return { name: needle.name, encoding: encodings.length === 0 ? 'plain' : encodings.join(' in ') };
      }
      return undefined;
    },
  };
}

/** A needle that was found, or a part of it. */
interface Finding {
  readonly needle: Needle;
  readonly isWhole: boolean;
  /** True when the decoded text equals the needle. */
  readonly isExact: boolean;
  /** In the original text. */
  readonly stretch: Stretch;
  readonly layers: readonly Notation[];
}

/** Occurrence of a needle in a decoded text. */
type Place = Pick<Finding, 'needle' | 'isWhole' | 'stretch'>;

type Search = (text: string) => Generator<Finding, void, undefined>;

/** A stretch of a needle at which a search begins. */
interface Block {
  readonly needle: Needle;
  readonly at: number;
}

/** Every run contains a block of half its length that begins at a multiple of that length: only there a text is looked up. */
const blockLength = runLength / 2;

function createSearch(needles: readonly Needle[]): Search {
  const blocks = new Map<string, Block[]>();
  for (const needle of needles.filter(({ counts }) => counts === 'part'))
    for (let at = 0; at + blockLength <= needle.text.length; at += 1) {
      const text = needle.text.slice(at, at + blockLength);
      blocks.set(text, [...(blocks.get(text) ?? []), { needle, at }]);
    }
  const short = needles.filter(({ counts }) => counts !== 'part');
  return function* search(text) {
    if (needles.length === 0) return;
    for (const { layers, placeOf, text: read } of readingsOf(text)) {
      const normal = normalForm(read);
      const found = [...runsIn(normal, blocks), ...short.flatMap((needle) => placesOf(needle, read, normal, layers))];
      for (const { needle, isWhole, stretch } of found)
        yield { needle, isWhole, isExact: read.slice(...stretch) === needle.value, stretch: placeOf(...stretch), layers };
    }
  };
}

/** The runs that a text in normal form shares with the needles; of those that begin alike, the longest. */
function* runsIn({ text, placeOf }: Rewritten, blocks: ReadonlyMap<string, readonly Block[]>): Generator<Place> {
  const reached = new Map<Needle, number>();
  for (let from = 0; from + blockLength <= text.length; from += blockLength) {
    const runs = (blocks.get(text.slice(from, from + blockLength)) ?? []).map((block) => ({ ...block, ...extend(text, from, block) }));
    for (const { needle, start, end } of runs.toSorted((left, right) => right.end - right.start - left.end + left.start)) {
      const isWhole = end - start === needle.text.length;
      // A part without a digit is a word, such as the name of a scope that a key begins with.
      const isTelling = isWhole || (end - start >= runLength && /\d/.test(text.slice(start, end)));
      if (!isTelling || end <= (reached.get(needle) ?? 0)) continue;
      reached.set(needle, end);
      const [before, after] = isWhole ? needle.edges : [0, 0];
      yield { needle, isWhole, stretch: placeOf(Math.max(0, start - before), Math.min(text.length, end + after)) };
    }
  }
}

/** Length of the match with a needle around a block. */
function extend(text: string, from: number, { needle, at }: Block): { readonly start: number; readonly end: number } {
  let [before, after] = [0, blockLength];
  while (before < Math.min(from, at) && text[from - before - 1] === needle.text[at - before - 1]) before += 1;
  while (at + after < needle.text.length && text[from + after] === needle.text[at + after]) after += 1;
  return { start: from - before, end: from + after };
}

/** Occurrences of a short needle in a text. */
function placesOf(needle: Needle, read: string, normal: Rewritten, layers: readonly Notation[]): readonly Place[] {
  const { text, counts, value } = needle;
  const within = counts === 'whole' ? normal.text : read;
  const stretches: Stretch[] = [];
  for (let at = within.indexOf(text); at >= 0; at = within.indexOf(text, at + 1))
    stretches.push(counts === 'whole' ? normal.placeOf(at, at + text.length) : [at, at + text.length]);
  return stretches
    .filter(([start, end]) => (counts === 'word' ? layers.length === 0 && standsAlone(read, start, end) : end - start <= value.length))
    .map((stretch) => ({ needle, isWhole: true, stretch }));
}

function standsAlone(text: string, start: number, end: number): boolean {
  return !/[a-z0-9]/i.test(`${text[start - 1] ?? ''}${text[end] ?? ''}`);
}

/** A name may itself hold a secret, or make one together with its surroundings; what is put in place then says nothing, or nothing is left. */
const nameless = '‹secret›';

function cleanText(text: string, search: Search): string {
  const named = replaceFindings(text, search, (name) => `$${name}`);
  if (named === text) return text;
  const cleaned = replaceFindings(named, search, () => nameless);
  return cleaned === named || replaceFindings(cleaned, search, () => '') === cleaned ? cleaned : nameless;
}

function replaceFindings(text: string, search: Search, show: (name: string) => string): string {
  const pieces: string[] = [];
  let shown = 0;
  for (const { stretch, name } of joinFindings([...search(text)])) {
    pieces.push(text.slice(shown, stretch[0]), show(name));
    shown = stretch[1];
  }
  return shown === 0 ? text : [...pieces, text.slice(shown)].join('');
}

/** Findings that overlap are hidden together, under the name of the longest; of secrets that differ in letter case alone, of the one that is written. */
function joinFindings(findings: readonly Finding[]): readonly { readonly stretch: Stretch; readonly name: string }[] {
  const joined: { stretch: Stretch; name: string; weight: number }[] = [];
  for (const { stretch, needle, isExact } of findings.toSorted(
    (left, right) => left.stretch[0] - right.stretch[0] || right.stretch[1] - left.stretch[1],
  )) {
    const [start, end] = stretch;
    const weight = end - start + (isExact ? 0.5 : 0);
    const last = joined.at(-1);
    if (last === undefined || start >= last.stretch[1]) {
      joined.push({ stretch, name: needle.name, weight });
      continue;
    }
    last.stretch = [last.stretch[0], Math.max(last.stretch[1], end)];
    if (weight > last.weight) Object.assign(last, { name: needle.name, weight });
  }
  return joined;
}

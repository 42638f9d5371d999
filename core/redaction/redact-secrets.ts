/** Replaces secrets, such as keys, in texts before they are printed or stored, also where they are encoded. Personal data stays. */

import { bisect } from '../bisect.ts';

/** Notations that write characters as escapes. */
type Notation = 'percent' | 'json' | 'html' | 'quoted-printable';

/** A range of a text, in code units. */
type Range = readonly [start: number, end: number];

/** A text that was rewritten. */
interface RewrittenText {
  readonly text: string;
  /** Returns the range of the earlier text that a range comes from. An escape counts as a whole. */
  readonly rangeBefore: (start: number, end: number) => Range;
}

/** A text after some layers of escapes were decoded. */
interface DecodedText extends RewrittenText {
  /** The decoded notations, the outermost first. */
  readonly layers: readonly Notation[];
}

/** Limit of layers, enough for a URL in JSON in HTML. */
const maxLayers = 3;

/** Limit of decoded texts, which only a hostile text reaches. */
const maxDecodings = 40;

/** Yields the text, and then every text that decoding its escapes gives, each once. It is lazy, since most texts have no escapes. */
function* decodingsOf(text: string): Generator<DecodedText, void, undefined> {
  const decodedTexts = new Set([text]);
  const decodings: DecodedText[] = [{ text, layers: [], rangeBefore: (start, end) => [start, end] }];
  for (const decoding of decodings) {
    yield decoding;
    for (const notation of notations) {
      const { text: decoded, rangeBefore } = rewrite(decoding.text, ...escapes[notation]);
      if (decoding.layers.length >= maxLayers || decodedTexts.has(decoded) || decodedTexts.size >= maxDecodings) continue;
      decodedTexts.add(decoded);
      decodings.push({
        text: decoded,
        layers: [...decoding.layers, notation],
        rangeBefore: (...range) => decoding.rangeBefore(...rangeBefore(...range)),
      });
    }
  }
}

/**
 * Returns the normal form: letters and digits only, without case, width and accents. Invisible characters, separators and line breaks are removed.
 * @example normalForm('Sk-Ｌｉｖｅ 4\u200b7').text // 'sklive47'
 */
function normalForm(text: string): RewrittenText {
  // The dotted capital I is the only character whose small letter is longer.
  const lowerCase = text.replaceAll('\u0130', 'i').toLowerCase();
  const normalText = lowerCase.replaceAll(/[\0-/:-`{-\x7f]+/g, '').replaceAll(/[^\0-\x7f]/gu, foldCharacter);
  return rewrite(
    lowerCase,
    /[\0-/:-`{-\x7f]+|[^\0-\x7f]/gu,
    (piece) => (piece.charCodeAt(0) < 0x80 ? '' : foldCharacter(piece)),
    normalText,
  );
}

function foldCharacter(character: string): string {
  return character
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The pattern of a notation's escapes, and the function that decodes one. */
type Escapes = readonly [pattern: RegExp, meaningOf: (written: string) => string];

/** RFC 3986 §2.1, RFC 8259 §7 with those of JavaScript, HTML §13.5, RFC 2045 §6.7. */
const escapes: Readonly<Record<Notation, Escapes>> = {
  percent: [/(?:%[0-9a-f]{2})+/gi, (run) => textOf(run.replaceAll('%', ''))],
  json: [
    /\\(?:u[0-9a-f]{4}|x[0-9a-f]{2}|.)/gis,
    ([, letter = '', ...digits]) => (digits.length > 0 ? characterOf(digits.join(''), 16) : (controls[letter] ?? letter)),
  ],
  html: [/&(?:#\d{1,9}|#x[0-9a-f]{1,8}|[a-z][a-z0-9]{1,13}(?=;));?/gi, (reference) => decodeReference(reference.slice(1).replace(';', ''))],
  'quoted-printable': [/(?:=[0-9a-f]{2})+|=[\t ]*\r?\n/gi, (run) => (/\s/.test(run) ? '' : textOf(run.replaceAll('=', '')))],
};

const notations = Object.keys(escapes) as readonly Notation[];

const controls: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Decodes bytes as UTF-8, or as Latin-1 if they are not UTF-8: servers send both. */
function textOf(hex: string): string {
  const bytes = Buffer.from(hex, 'hex');
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? bytes.toString('latin1') : text;
}

/** Decodes an HTML character reference. Only names of letters and of escape characters are known; letters lose their accents. */
function decodeReference(reference: string): string {
  if (/^#x/i.test(reference)) return characterOf(reference.slice(2), 16);
  if (reference.startsWith('#')) return characterOf(reference.slice(1), 10);
  return namedCharacters[reference.toLowerCase()] ?? /^([a-z])(?:grave|acute|circ|tilde|uml|ring|cedil|slash)$/i.exec(reference)?.[1] ?? '';
}

const namedCharacters: Readonly<Record<string, string>> = {
  amp: '&',
  num: '#',
  percnt: '%',
  bsol: '\\',
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
};

function characterOf(digits: string, base: 10 | 16): string {
  const code = Number.parseInt(digits, base);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** A replaced piece: its range in the earlier text, and the position and length of its replacement in the new one. */
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly newStart: number;
  readonly length: number;
}

const noPiece: Piece = { start: 0, end: 0, newStart: 0, length: 0 };

/** Replaces each piece by its meaning. Positions are computed on demand, since most texts contain no secret. */
function rewrite(
  text: string,
  pattern: RegExp,
  replacementOf: (piece: string) => string,
  rewritten: string = text.replace(pattern, replacementOf),
): RewrittenText {
  let pieces: readonly Piece[] | undefined;
  const unitBefore = (unit: number): Range => {
    pieces ??= listPieces(text, pattern, replacementOf);
    const allPieces = pieces;
    // The last piece whose replacement begins at the unit or before it.
    const { start, end, newStart, length } =
      allPieces[bisect(allPieces.length, (index) => (allPieces[index]?.newStart ?? 0) > unit) - 1] ?? noPiece;
    if (unit < newStart + length) return [start, end];
    const position = end + unit - newStart - length;
    return [position, position + 1];
  };
  return { text: rewritten, rangeBefore: (start, end) => [unitBefore(start)[0], unitBefore(end - 1)[1]] };
}

function listPieces(text: string, pattern: RegExp, replacementOf: (piece: string) => string): readonly Piece[] {
  const pieces: Piece[] = [];
  for (const { 0: piece, index: start } of text.matchAll(pattern)) {
    const lastPiece = pieces.at(-1) ?? noPiece;
    pieces.push({
      start,
      end: start + piece.length,
      newStart: lastPiece.newStart + lastPiece.length + start - lastPiece.end,
      length: replacementOf(piece).length,
    });
  }
  return pieces;
}

/** A text to search for: a secret in one coding. */
interface Needle {
  /** The name of the secret. */
  readonly name: string;
  readonly coding: 'plain' | 'base64' | 'hex';
  /** The coded secret. */
  readonly value: string;
  /** The searched text: the coded secret in normal form, or unchanged if its normal form is very short. */
  readonly text: string;
  /**
   * Match that gives the secret away: any long `part` in normal form, the `whole` normal form, the `literal` value, or the value as a separate `word`.
   */
  readonly match: 'part' | 'whole' | 'literal' | 'word';
  /** Number of characters before and after it that share bits with the secret, in base64. */
  readonly edges: readonly [before: number, after: number];
}

/** Number of letters and digits in a row that give a secret away. Logs that shorten or mask keys show fewer. */
const runLength = 12;

/** Shorter secrets also occur by chance in other texts, so only separate words are replaced. */
const minLength = 6;

/** Lists the needles of a secret: plain, hexadecimal and base64. */
function needlesOf(name: string, value: string): readonly Needle[] {
  if (value.length < minLength) return [{ name, coding: 'plain', text: value, match: 'word', edges: [0, 0], value }];
  const codedNeedles = bytesOf(value).flatMap((bytes) => [createNeedle(name, 'hex', bytes.toString('hex')), ...base64Needles(name, bytes)]);
  return [createNeedle(name, 'plain', value), ...codedNeedles];
}

function createNeedle(name: string, coding: Needle['coding'], value: string, edges: Needle['edges'] = [0, 0]): Needle {
  const { text } = normalForm(value);
  const match = text.length >= runLength ? 'part' : text.length >= minLength ? 'whole' : 'literal';
  return { name, coding, text: match === 'literal' ? value : text, match, edges, value };
}

/** Encodes a text in UTF-8, and in Latin-1 if that differs: header fields often use it. */
function bytesOf(value: string): readonly Buffer[] {
  const isLatin = /^[\0-\u00ff]*$/.test(value);
  const isAscii = /^[\0-\u007f]*$/.test(value);
  return [Buffer.from(value, 'utf8'), ...(isLatin && !isAscii ? [Buffer.from(value, 'latin1')] : [])];
}

/** Base64 encodes groups of three bytes (RFC 4648 §4, §5), so a secret inside longer data has three codings. */
function base64Needles(name: string, bytes: Buffer): readonly Needle[] {
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const [start, end] = [(offset * 8) / 6, ((offset + bytes.length) * 8) / 6];
    const edges = [Number(!Number.isInteger(start)), Number(!Number.isInteger(end))] as const;
    return createNeedle(name, 'base64', encoded.slice(Math.ceil(start), Math.floor(end)), edges);
  });
}

/** A value that must not be shown. */
export interface Secret {
  /** Shown in its place, as `$NAME`. */
  readonly name: string;
  readonly value: string;
}

/** Finds and replaces secrets in texts. */
export interface Redactor {
  /** Replaces each secret, and each long part of one, by `$NAME`. */
  readonly clean: (text: string) => string;
  /** Returns a secret that the text contains as a whole, with its encoding, such as `plain`, `percent` or `base64 in json`. */
  readonly find: (text: string) => { readonly name: string; readonly encoding: string } | undefined;
}

/**
 * Creates a redactor. It ignores the case and width of letters, and all characters except letters and digits; so it finds a key in lower case, in groups
 * or on several lines. A part of twelve letters and digits is enough. It decodes escapes of URLs, JSON, HTML and quoted-printable, three layers deep, and
 * knows base64 and hexadecimal, also inside longer data.
 * @example createRedactor([{ name: 'KEY', value: 'sk-1234567890ab' }]).clean('key: SK%2D12345 67890AB') // 'key: $KEY'
 */
export function createRedactor(secrets: readonly Secret[]): Redactor {
  const nameByValue = new Map(
    secrets
      .filter(({ value }) => value !== '')
      .map(({ name, value }) => [value, name] as const)
      .toReversed(),
  );
  const search = createSearch([...nameByValue].flatMap(([value, name]) => needlesOf(name, value)));
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

/** A match of a needle, or of a part of it, in the original text. */
interface SecretMatch {
  readonly needle: Needle;
  readonly isWhole: boolean;
  /** True if the decoded text equals the coded secret. */
  readonly isExact: boolean;
  readonly range: Range;
  readonly layers: readonly Notation[];
}

/** A match in a decoded text. */
type DecodedMatch = Pick<SecretMatch, 'needle' | 'isWhole' | 'range'>;

type Search = (text: string) => Generator<SecretMatch, void, undefined>;

/** A block of a needle, at which a search begins. */
interface Block {
  readonly needle: Needle;
  readonly offset: number;
}

/** Every run of `runLength` contains a block of half its length at a multiple of that length. So it is enough to look up the text at these positions. */
const blockLength = runLength / 2;

function createSearch(needles: readonly Needle[]): Search {
  const blocks = new Map<string, Block[]>();
  for (const needle of needles.filter(({ match }) => match === 'part'))
    for (let offset = 0; offset + blockLength <= needle.text.length; offset += 1) {
      const text = needle.text.slice(offset, offset + blockLength);
      blocks.set(text, [...(blocks.get(text) ?? []), { needle, offset: offset }]);
    }
  const shortNeedles = needles.filter(({ match }) => match !== 'part');
  return function* search(text) {
    if (needles.length === 0) return;
    for (const { layers, rangeBefore, text: decoded } of decodingsOf(text)) {
      const normal = normalForm(decoded);
      const matches = [...runsIn(normal, blocks), ...shortNeedles.flatMap((needle) => matchesOf(needle, decoded, normal, layers))];
      for (const { needle, isWhole, range } of matches)
        yield { needle, isWhole, isExact: decoded.slice(...range) === needle.value, range: rangeBefore(...range), layers };
    }
  };
}

/** Yields the runs that a text in normal form shares with the needles; of several runs at one block, the longest. */
function* runsIn({ text, rangeBefore }: RewrittenText, blocks: ReadonlyMap<string, readonly Block[]>): Generator<DecodedMatch> {
  const reachedEnds = new Map<Needle, number>();
  for (let blockStart = 0; blockStart + blockLength <= text.length; blockStart += blockLength) {
    const runs = (blocks.get(text.slice(blockStart, blockStart + blockLength)) ?? []).map((block) => ({
      ...block,
      ...extend(text, blockStart, block),
    }));
    for (const { needle, start, end } of runs.toSorted((left, right) => right.end - right.start - left.end + left.start)) {
      const isWhole = end - start === needle.text.length;
      // A part without a digit is a word, such as the name of a scope at the beginning of a key.
      const isSecret = isWhole || (end - start >= runLength && /\d/.test(text.slice(start, end)));
      if (!isSecret || end <= (reachedEnds.get(needle) ?? 0)) continue;
      reachedEnds.set(needle, end);
      const [before, after] = isWhole ? needle.edges : [0, 0];
      yield { needle, isWhole, range: rangeBefore(Math.max(0, start - before), Math.min(text.length, end + after)) };
    }
  }
}

/** Extends the match with a needle to both sides of a block. */
function extend(text: string, blockStart: number, { needle, offset }: Block): { readonly start: number; readonly end: number } {
  let [before, after] = [0, blockLength];
  while (before < Math.min(blockStart, offset) && text[blockStart - before - 1] === needle.text[offset - before - 1]) before += 1;
  while (offset + after < needle.text.length && text[blockStart + after] === needle.text[offset + after]) after += 1;
  return { start: blockStart - before, end: blockStart + after };
}

/** Finds a short needle in a decoded text. */
function matchesOf(needle: Needle, decoded: string, normal: RewrittenText, layers: readonly Notation[]): readonly DecodedMatch[] {
  const { text, match, value } = needle;
  const searchedText = match === 'whole' ? normal.text : decoded;
  const ranges: Range[] = [];
  for (let at = searchedText.indexOf(text); at >= 0; at = searchedText.indexOf(text, at + 1))
    ranges.push(match === 'whole' ? normal.rangeBefore(at, at + text.length) : [at, at + text.length]);
  return ranges
    .filter(([start, end]) => (match === 'word' ? layers.length === 0 && isSeparateWord(decoded, start, end) : end - start <= value.length))
    .map((range) => ({ needle, isWhole: true, range }));
}

function isSeparateWord(text: string, start: number, end: number): boolean {
  return !/[a-z0-9]/i.test(`${text[start - 1] ?? ''}${text[end] ?? ''}`);
}

/** Replacement without a name, for names that contain a secret, or form one with the text around them. */
const namelessReplacement = '‹secret›';

/** Replaces secrets by their names. If the result still contains a secret, it is replaced without a name; if even that fails, the whole text. */
function cleanText(text: string, search: Search): string {
  const withNames = replaceMatches(text, search, (name) => `$${name}`);
  if (withNames === text) return text;
  const withoutNames = replaceMatches(withNames, search, () => namelessReplacement);
  return withoutNames === withNames || replaceMatches(withoutNames, search, () => '') === withoutNames ? withoutNames : namelessReplacement;
}

function replaceMatches(text: string, search: Search, show: (name: string) => string): string {
  const pieces: string[] = [];
  let copiedEnd = 0;
  for (const { range, name } of joinMatches([...search(text)])) {
    pieces.push(text.slice(copiedEnd, range[0]), show(name));
    copiedEnd = range[1];
  }
  return copiedEnd === 0 ? text : [...pieces, text.slice(copiedEnd)].join('');
}

/** Joins overlapping matches under the name of the longest one. If secrets differ only in letter case, the exact match wins. */
function joinMatches(matches: readonly SecretMatch[]): readonly { readonly range: Range; readonly name: string }[] {
  const joinedMatches: { range: Range; name: string; weight: number }[] = [];
  for (const { range, needle, isExact } of matches.toSorted(
    (left, right) => left.range[0] - right.range[0] || right.range[1] - left.range[1],
  )) {
    const [start, end] = range;
    const weight = end - start + (isExact ? 0.5 : 0);
    const lastMatch = joinedMatches.at(-1);
    if (lastMatch === undefined || start >= lastMatch.range[1]) {
      joinedMatches.push({ range, name: needle.name, weight });
      continue;
    }
    lastMatch.range = [lastMatch.range[0], Math.max(lastMatch.range[1], end)];
    if (weight > lastMatch.weight) Object.assign(lastMatch, { name: needle.name, weight });
  }
  return joinedMatches;
}

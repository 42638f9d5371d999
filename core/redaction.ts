/** Redaction: keeps secrets out of every text that is shown or kept, however the text encodes them. */

import { type Notation, normalForm, type Rewritten, readingsOf, type Stretch } from './redaction-reading.ts';

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
  /** Whether it is the needle to the letter, below the layers. */
  readonly isExact: boolean;
  /** In the original text. */
  readonly stretch: Stretch;
  readonly layers: readonly Notation[];
}

/** Where a reading holds a needle. */
type Place = Pick<Finding, 'needle' | 'isWhole' | 'stretch'>;

type Search = (text: string) => Generator<Finding, void, undefined>;

/** A stretch of a needle at which a search begins. */
interface Block {
  readonly needle: Needle;
  readonly at: number;
}

/** So many letters and digits in a row give a secret away: a log that cuts or masks a key shows fewer. */
const runLength = 12;

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

/** How far a text agrees with a needle around a block. */
function extend(text: string, from: number, { needle, at }: Block): { readonly start: number; readonly end: number } {
  let [before, after] = [0, blockLength];
  while (before < Math.min(from, at) && text[from - before - 1] === needle.text[at - before - 1]) before += 1;
  while (at + after < needle.text.length && text[from + after] === needle.text[at + after]) after += 1;
  return { start: from - before, end: from + after };
}

/** Where a text holds a short needle. */
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
  /** How many characters before and after it hold some bits of the secret, and some of its surroundings. */
  readonly edges: readonly [before: number, after: number];
}

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

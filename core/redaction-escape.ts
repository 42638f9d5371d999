/** Escapes: the other spellings of a character that a URL, a form, JSON or HTML may carry, and what each stands for. */

/** The notations that write characters as escapes. */
export type Notation = 'percent' | 'form' | 'json' | 'html';

/** One escape in a text. */
export interface Escape {
  readonly notation: Notation;
  /** What it stands for: one character, as one or two code units. */
  readonly meaning: string;
  /** How many code units of the text it takes. */
  readonly length: number;
}

/** Whether an escape may begin with this code unit. */
export function beginsEscape(unit: number): boolean {
  return unit === percentSign || unit === plus || unit === backslash || unit === ampersand;
}

/** Every reading of the escape that begins at a position, the likeliest first; none when there is no escape. */
export function escapesAt(text: string, at: number): readonly Escape[] {
  const unit = text.charCodeAt(at);
  if (unit === percentSign) return percentEscapes(text, at);
  if (unit === backslash) return jsonEscapes(text, at);
  if (unit === ampersand) return htmlEscapes(text, at);
  return unit === plus ? [{ notation: 'form', meaning: ' ', length: 1 }] : [];
}

const [percentSign, plus, backslash, ampersand] = [0x25, 0x2b, 0x5c, 0x26];

/** How often a percent sign may itself be encoded: a URL in a URL in a URL. */
const percentDepthMax = 3;

function percentEscapes(text: string, at: number): readonly Escape[] {
  const found: Escape[] = [];
  for (let depth = 1; depth <= percentDepthMax; depth += 1) {
    const first = byteAt(text, at, depth);
    if (first === undefined) break;
    found.push(...readCharacter(text, at, depth, first));
  }
  return found;
}

/** A byte above 127 begins a character of UTF-8, or is one of Latin-1: servers write either. */
function readCharacter(text: string, at: number, depth: number, first: number): readonly Escape[] {
  const size = byteSize(depth);
  const alone: Escape = { notation: 'percent', meaning: String.fromCharCode(first), length: size };
  const count = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 1;
  if (count === 1) return [alone];
  const bytes = Array.from({ length: count }, (_, index) => byteAt(text, at + index * size, depth) ?? 0);
  const meaning = Buffer.from(bytes).toString('utf8');
  return meaning.includes('\ufffd') ? [alone] : [{ notation: 'percent', meaning, length: count * size }, alone];
}

/** The byte that is percent-encoded so many times at a position: `%41`, `%2541`, `%252541`. */
function byteAt(text: string, at: number, depth: number): number | undefined {
  const start = at + byteSize(depth) - 2;
  if (text.charCodeAt(at) !== percentSign || !text.startsWith('25'.repeat(depth - 1), at + 1)) return undefined;
  const digits = text.slice(start, start + 2);
  return /^[0-9a-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : undefined;
}

function byteSize(depth: number): number {
  return 1 + 2 * depth;
}

function jsonEscapes(text: string, at: number): readonly Escape[] {
  const letter = text[at + 1] ?? '';
  const short = shortEscapes.get(letter);
  if (short !== undefined) return short;
  const width = letter === 'u' ? 4 : letter === 'x' ? 2 : 0;
  const digits = text.slice(at + 2, at + 2 + width);
  if (width === 0 || digits.length < width || !/^[0-9a-f]+$/i.test(digits)) return [];
  return [{ notation: 'json', meaning: String.fromCharCode(Number.parseInt(digits, 16)), length: 2 + width }];
}

/** Those of JSON (RFC 8259 §7) and the apostrophe of JavaScript, by their second character. */
const shortEscapes: ReadonlyMap<string, readonly Escape[]> = new Map(
  ['""', '\\\\', '//', "''", 'b\b', 'f\f', 'n\n', 'r\r', 't\t'].map(([letter = '', meaning = '']) => [
    letter,
    [{ notation: 'json', meaning, length: 2 }],
  ]),
);

function htmlEscapes(text: string, at: number): readonly Escape[] {
  const reference = referencePattern.exec(text.slice(at, at + referenceMax));
  if (reference === null) return [];
  const [all, name, decimal, hexadecimal] = reference;
  const meaning = name === undefined ? characterOf(decimal, hexadecimal) : (entities.get(name) ?? entities.get(name.toLowerCase()));
  return meaning === undefined ? [] : [{ notation: 'html', meaning, length: all.length }];
}

/** Browsers read numbers without a semicolon too. */
const referencePattern = /^&(?:([a-z][a-z0-9]{1,13});|#0{0,8}(\d{1,7});?|#x0{0,8}([0-9a-f]{1,6});?)/i;
const referenceMax = 20;

function characterOf(decimal: string | undefined, hexadecimal: string | undefined): string | undefined {
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

/** The named characters of HTML among ASCII, beginning with those that every encoder uses. */
const asciiEntities: readonly (readonly [string, string])[] = [
  ...([
    ['amp', '&'],
    ['lt', '<'],
    ['gt', '>'],
    ['quot', '"'],
    ['apos', "'"],
    ['plus', '+'],
    ['sol', '/'],
    ['equals', '='],
  ] as const),
  ...([
    ['percnt', '%'],
    ['num', '#'],
    ['dollar', '$'],
    ['excl', '!'],
    ['ast', '*'],
    ['midast', '*'],
    ['lpar', '('],
    ['rpar', ')'],
  ] as const),
  ...([
    ['comma', ','],
    ['period', '.'],
    ['colon', ':'],
    ['semi', ';'],
    ['quest', '?'],
    ['commat', '@'],
    ['lsqb', '['],
  ] as const),
  ...([
    ['lbrack', '['],
    ['bsol', '\\'],
    ['rsqb', ']'],
    ['rbrack', ']'],
    ['hat', '^'],
    ['lowbar', '_'],
    ['underbar', '_'],
  ] as const),
  ...([
    ['grave', '`'],
    ['lcub', '{'],
    ['lbrace', '{'],
    ['verbar', '|'],
    ['vert', '|'],
    ['rcub', '}'],
    ['rbrace', '}'],
  ] as const),
  ...([
    ['tab', '\t'],
    ['newline', '\n'],
  ] as const),
];

/** The named characters of Latin-1 in their order, from U+00A0 on. */
const latinNames = [
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr',
  'deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest',
  'Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml',
  'ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig',
  'agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml',
  'eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml',
].flatMap((row) => row.split(' '));

const entities: ReadonlyMap<string, string> = new Map([
  ...asciiEntities,
  ...latinNames.map((name, index) => [name, String.fromCharCode(0xa0 + index)] as const),
]);

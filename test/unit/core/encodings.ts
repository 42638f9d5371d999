/** Every way in which an answer may write a text, made independently of the redactor: for tests that hide keys in them. */

/** An encoding, and which characters of the text it applies to; base64 and hexadecimal apply to all. */
export interface Encoding {
  readonly name: string;
  /** Encodes a text; the mask says for each character whether it is written as an escape, where that is a choice. */
  readonly write: (text: string, mask: readonly boolean[]) => string;
}

/** Writes chosen characters as escapes, and one of them always. */
function each(encode: (character: string) => string, always = ''): Encoding['write'] {
  return (text, mask) =>
    [...text]
      .map((character, index) => ((mask[index % mask.length] ?? true) || character === always ? encode(character) : character))
      .join('');
}

const hex = (value: number, width: number): string => value.toString(16).padStart(width, '0');

const percent = (character: string): string => [...Buffer.from(character)].map((byte) => `%${hex(byte, 2)}`).join('');
const percentUpper = (character: string): string => percent(character).toUpperCase();
const jsonUnits = (character: string): string =>
  Array.from({ length: character.length }, (_, index) => `\\u${hex(character.charCodeAt(index), 4)}`).join('');
const named: Readonly<Record<string, string>> = {
  ...{
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&apos;',
    '+': '&plus;',
    '/': '&sol;',
    '=': '&equals;',
    '%': '&percnt;',
  },
  ...{ '\\': '&bsol;', é: '&eacute;', Ü: '&Uuml;', '½': '&frac12;' },
};

/** Those that turn one text into another. */
export const encodings: readonly Encoding[] = [
  { name: 'plain', write: (text) => text },
  { name: 'percent, lower case', write: each(percent) },
  { name: 'percent, upper case', write: each(percentUpper) },
  { name: 'percent twice', write: (text, mask) => each(percent)(text, mask).replaceAll('%', '%25') },
  { name: 'percent three times', write: (text, mask) => each(percentUpper)(text, mask).replaceAll('%', '%25').replaceAll('%', '%25') },
  { name: 'encodeURIComponent', write: (text) => encodeURIComponent(text) },
  { name: 'form', write: (text) => new URLSearchParams({ key: text }).toString().slice(4) },
  { name: 'JSON', write: (text) => JSON.stringify(text).slice(1, -1) },
  { name: 'JSON units', write: each(jsonUnits) },
  { name: 'JSON with solidus', write: (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/') },
  { name: 'JSON in JSON', write: (text) => JSON.stringify(JSON.stringify(text)).slice(3, -3) },
  { name: 'HTML named', write: each((character) => named[character] ?? character) },
  { name: 'HTML decimal', write: each((character) => `&#${character.codePointAt(0)};`) },
  { name: 'HTML hexadecimal', write: each((character) => `&#x${(character.codePointAt(0) ?? 0).toString(16)};`) },
  {
    name: 'HTML of JSON',
    // A writer of HTML that leaves an ampersand alone would not be read back.
    write: (text, mask) => each((character) => named[character] ?? character, '&')(JSON.stringify(text).slice(1, -1), mask),
  },
  { name: 'hex', write: (text) => Buffer.from(text).toString('hex') },
  { name: 'HEX', write: (text) => Buffer.from(text).toString('hex').toUpperCase() },
  { name: 'base64', write: (text) => Buffer.from(text).toString('base64') },
  { name: 'base64url', write: (text) => Buffer.from(text).toString('base64url') },
  { name: 'base64 of Bearer', write: (text) => Buffer.from(`Bearer ${text}`).toString('base64') },
  { name: 'base64 of user', write: (text) => Buffer.from(`me:${text}:`).toString('base64') },
  { name: 'base64 of one before', write: (text) => Buffer.from(`!${text}ab`).toString('base64url') },
  { name: 'base64 with escaped solidus', write: (text) => Buffer.from(`me:${text}`).toString('base64').replaceAll('/', '\\/') },
  { name: 'base64 in a URL', write: (text) => encodeURIComponent(Buffer.from(`x${text}`).toString('base64')) },
  {
    name: 'base64 in a URL in JSON',
    write: (text) => JSON.stringify({ url: `https:\\/\\/h?k=${encodeURIComponent(Buffer.from(text).toString('base64'))}` }),
  },
];

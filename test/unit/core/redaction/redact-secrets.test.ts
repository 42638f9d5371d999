/** Secrets are replaced in every encoding; everything else stays. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../../../core/redaction/redact-secrets.ts';

/** An encoding, and which characters of the text it applies to; base64 and hexadecimal apply to all. */
interface Encoding {
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
const marks = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos', '+': 'plus', '/': 'sol', '%': 'percnt', '\\': 'bsol' };
const names: Readonly<Record<string, string>> = { ...marks, é: 'eacute', Ü: 'Uuml' };
const named = (character: string): string => (names[character] === undefined ? character : `&${names[character]};`);

/** Every way in which an answer may write a text, made independently of the redactor. */
const encodings: readonly Encoding[] = [
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
  { name: 'HTML named', write: each(named) },
  { name: 'HTML decimal', write: each((character) => `&#${character.codePointAt(0)};`) },
  { name: 'HTML hexadecimal', write: each((character) => `&#x${(character.codePointAt(0) ?? 0).toString(16)};`) },
  {
    name: 'HTML of JSON',
    // A writer of HTML that leaves an ampersand alone would not be read back.
    write: (text, mask) => each(named, '&')(JSON.stringify(text).slice(1, -1), mask),
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

const key = 'sk_live/4+9=Q%w&7"z';

/** Characters that some encoding treats differently from others, and some that all do. */
const characters = fc.constantFrom(...'abcXYZ0123456789_-.~+/=%&"\'\\<>?#; éÜ½語😀', '$', '\u001f', '25', '%4', '&a', '\\u');
const keys = fc
  .string({ unit: characters, minLength: 24, maxLength: 60 })
  .filter((value) => value.replaceAll(/[^a-z0-9]/gi, '').length >= 16);
const surroundings = fc.oneof(fc.string({ unit: characters, maxLength: 30 }), fc.string({ maxLength: 30 }));
const masks = fc.oneof(fc.constant([true]), fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }));

/** The text as each reader would decode it, over and over. */
function decodings(text: string): readonly string[] {
  const percent = text.replace(/(%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
  const json = text.replace(/\\(?:u([0-9a-f]{4})|(.))/gi, (_, code: string | undefined, letter: string) =>
    code === undefined ? letter : String.fromCharCode(Number.parseInt(code, 16)),
  );
  const html = text.replace(/&#(?:(\d+)|x([0-9a-f]+));/gi, (_, decimal: string | undefined, hexadecimal: string) =>
    String.fromCodePoint(Math.min(0x10ffff, decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal))),
  );
  return [text, percent, text.replaceAll('+', ' '), json, html];
}

describe('a redactor', () => {
  it.each(encodings)('hides a key written as $name', ({ write }) => {
    for (const value of [key, 'back\\slash\\u00_\\xyz\\&#6_%4']) {
      const redactor = createRedactor([{ name: 'KEY', value }]);
      for (const mask of [[true], [true, false], [false]]) {
        const written = write(value, mask);
        expect(redactor.clean(`before ${written} after`)).toMatch(/^before .*\$KEY.* after$/s);
        expect(redactor.find(`x=${written}`)).toMatchObject({ name: 'KEY' });
      }
    }
  });

  it('hides any key in any encoding in any surroundings', () => {
    const encoding = fc.constantFrom(...encodings);
    // A backslash before the text makes an escape of its first character, and text that looks like one is none.
    const examples = encodings.map((each): [string, Encoding, boolean[], string, string] => [
      'aaaaabbbbbcccccd\\dd',
      each,
      [true],
      '\\',
      '',
    ]);
    fc.assert(
      fc.property(keys, encoding, masks, surroundings, surroundings, (value, { write }, mask, before, after) => {
        const redactor = createRedactor([{ name: 'K', value }]);
        const written = write(value, mask);
        const text = `${before}${written}${after}`;
        const cleaned = redactor.clean(text);
        expect(redactor.find(cleaned)).toBeUndefined();
        expect(decodings(cleaned).filter((decoded) => decoded.includes(value))).toEqual([]);
        if (written.length > 16) expect(cleaned).not.toContain(written);
      }),
      { numRuns: 150, seed: 1, examples },
    );
  });

  it('leaves a text alone that holds no key', () => {
    fc.assert(
      fc.property(fc.string({ unit: characters, maxLength: 200 }), (text) => {
        fc.pre(!text.includes('QQQQ'));
        expect(createRedactor([{ name: 'K', value: 'QQQQ-QQQQ-QQQQ' }]).clean(text)).toBe(text);
      }),
      { seed: 1, numRuns: 50 },
    );
  });

  it.each([
    ['abc/def+ghi', 'abc/def+ghi', 'plain'],
    ['abc/def+ghi', 'abc%2Fdef+ghi', 'percent'],
    ['abc/def+ghi', 'abc\\/def+ghi', 'json'],
    ['abc/def+ghi', 'abc&#47;def+ghi', 'html'],
    ['abc/def+ghi', Buffer.from('abc/def+ghi').toString('base64'), 'base64'],
    ['abc/def+ghi', Buffer.from('abc/def+ghi').toString('hex'), 'hex'],
    ['abc/def+ghi', 'abc/def ghj', undefined],
    ['abc/def+ghi', 'abc%2fdef\\u002bghi', 'json in percent'],
    ['abc def ghi', 'abc+def+ghi', 'plain'],
    ['???>>>???>>>', Buffer.from('???>>>???>>>').toString('base64url'), 'base64'],
    ['???>>>???>>>', encodeURIComponent(Buffer.from('???>>>???>>>').toString('base64')), 'base64 in percent'],
  ])('tells how a key is encoded: %s as %s is %s', (value, text, encoding) => {
    const found = encoding === undefined ? undefined : { name: 'K', encoding };
    expect(createRedactor([{ name: 'K', value }]).find(text)).toEqual(found);
  });

  it('reads Latin-1 where a server does', () => {
    const { clean: hide } = createRedactor([{ name: 'K', value: 'clé-secrète' }]);
    expect(hide('cl%E9-secr%e8te')).toBe('$K');
    expect(hide(Buffer.from('clé-secrète', 'latin1').toString('hex'))).toBe('$K');
    expect(hide(`${Buffer.from('clé-secrète', 'latin1').toString('base64')}`)).toMatch(/^\$K.?=?$/);
  });
});

describe('a key that was changed on its way', () => {
  const key = 'sk_live-4fQ9zT7b2cX1m8Ld';
  const { clean, find } = createRedactor([{ name: 'KEY', value: key }]);

  it.each([
    ['in small letters', key.toLowerCase()],
    ['in capitals', key.toUpperCase()],
    ['wrapped over lines', key.replaceAll(/.{7}/g, '$&\r\n  ')],
    ['wrapped over lines inside JSON', JSON.stringify(key.replaceAll(/.{7}/g, '$&\n')).slice(1, -1)],
    ['grouped by spaces', key.replaceAll(/.{4}/g, '$& ').trim()],
    ['grouped by dashes', key.replaceAll(/.{4}/g, '$&-')],
    ['with zero-width characters', [...key].join('\u200b')],
    ['with soft hyphens', [...key].join('\u00ad')],
    ['in full-width letters', key.replaceAll(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0))],
    ['as quoted-printable', key.replaceAll(/[^a-z]/g, (letter) => `=${hex(letter.charCodeAt(0), 2).toUpperCase()}`)],
    ['as quoted-printable with soft breaks', key.replaceAll(/.{6}/g, '$&=\r\n')],
    ['as base64 with breaks', Buffer.from(key).toString('base64').replaceAll(/.{8}/g, '$&\n')],
  ])('is hidden %s', (_, written) => {
    expect(find(written)?.name).toBe('KEY');
    expect(clean(`key: "${written}"`)).toMatch(/^key: "\$KEY[\s=-]*"$/);
  });

  it.each([
    ['cut at its end', key.slice(0, 16), '$KEY'],
    ['cut at its beginning', key.slice(-16), '$KEY'],
    ['cut and in small letters', `${key.toLowerCase().slice(0, 16)}…`, '$KEY…'],
    ['masked in its middle', `${key.slice(0, 14)}***${key.slice(-4)}`, `$KEY***${key.slice(-4)}`],
  ])('is hidden %s', (_, written, shown) => {
    expect(clean(`<${written}>`)).toBe(`<${shown}>`);
  });

  it('is shown where hardly any of it is left', () => {
    const text = `${key.slice(0, 7)}…${key.slice(-4)}`;
    expect(clean(text)).toBe(text);
  });

  it('is not found in part', () => {
    expect(find(key.slice(0, -1))).toBeUndefined();
  });
});

describe('several secrets', () => {
  /** A redactor of secrets that are given as a table of names and values. */
  const hiding = (secrets: Readonly<Record<string, string>>): ((text: string) => string) =>
    createRedactor(Object.entries(secrets).map(([name, value]) => ({ name, value }))).clean;

  it.each<readonly [string, Readonly<Record<string, string>>, string, string]>([
    ['the longest of those that begin alike', { SHORT: 'abcdefgh', LONG: 'abcdefghijkl' }, 'abcdefghijkl abcdefgh', '$LONG $SHORT'],
    ['the longest, given in another order', { LONG: 'abcdefghijkl', SHORT: 'abcdefgh' }, 'abcdefghijkl abcdefgh', '$LONG $SHORT'],
    ['all of those that overlap', { LEFT: 'abcdefgh', RIGHT: 'efghijklmn' }, '<abcdefghijklmn>', '<$RIGHT>'],
    [
      'one inside another, also when only the inner one is encoded',
      { INNER: 'inner/key', OUTER: 'x-inner/key-x' },
      'x-inner%2Fkey-x inner%2Fkey',
      '$OUTER $INNER',
    ],
    ['no empty ones', { EMPTY: '' }, 'anything', 'anything'],
    ['nothing when there is none', {}, 'anything', 'anything'],
    ['a value by the first name that has it', { ONE: 'same-value', TWO: 'same-value' }, 'same-value', '$ONE'],
    ['a secret beside its name', { FIRST: 'first-secret', SECOND: 'second-secret' }, '{"a":"second%2Dsecret!"}', '{"a":"$SECOND!"}'],
  ])('are hidden: %s', (_, secrets, text, cleaned) => {
    expect(hiding(secrets)(text)).toBe(cleaned);
  });

  it.each([
    [{ TOP_SECRET: 'TOP_SECRET' }, 'it is TOP_SECRET', 'TOP_SECRET'],
    [{ AA: 'first-secret', BB: 'left$AAright' }, 'leftfirst-secretright', 'left$AAright'],
  ])('do not show one by the name of another, nor by what comes together around a name: %j', (secrets, text, shown) => {
    expect(hiding(secrets as Readonly<Record<string, string>>)(text)).not.toContain(shown);
  });
});

describe('a short secret', () => {
  const short = createRedactor([{ name: 'PIN', value: '4711' }]);

  it('is hidden where it stands alone', () => {
    expect(short.clean('pin=4711, "4711" and 4711.')).toBe('pin=$PIN, "$PIN" and $PIN.');
  });

  it('is not looked for inside words, numbers and encodings', () => {
    const text = `147110 a4711 ${Buffer.from('4711').toString('base64')} %34711 4%3711`;
    expect(short.clean(text)).toBe(text);
  });
});

describe('the work of a redactor', () => {
  const row = { url: 'https://host/1', text: '"quoted" & <b>bold</b> 100%' };
  const texts: Readonly<Record<string, (size: number) => string>> = {
    'one letter': (size) => 'a'.repeat(size),
    'percent signs': (size) => '%'.repeat(size),
    'encoded percent signs': (size) => '%25'.repeat(size / 3),
    ampersands: (size) => '&amp;'.repeat(size / 5),
    backslashes: (size) => '\\'.repeat(size),
    'near misses': (size) => 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac'.repeat(size / 40),
    base64: (size) => Buffer.from('some data that goes on and on/+'.repeat(size / 40)).toString('base64'),
    JSON: (size) => JSON.stringify(Array.from({ length: size / 80 }, () => row)).replaceAll('/', '\\/'),
  };
  const values = [`${'a'.repeat(40)}b`, '%%%%%%%%%%%%x', '&&&&&&&&&&&&x', '\\\\\\\\\\\\x', 'sk_live_0123456789abcdef'];
  const { clean: hide } = createRedactor(values.map((value, index) => ({ name: `K${index}`, value })));

  /** Milliseconds of processor time that a text takes. */
  function workFor(text: string): number {
    const before = process.cpuUsage();
    expect(hide(text).length).toBeLessThanOrEqual(text.length);
    return process.cpuUsage(before).user / 1000;
  }

  it.each(Object.entries(texts))('grows with the text and no faster, for a long text of %s', (_, textOf) => {
    const short = workFor(textOf(4_000));
    // With the square of the text it would grow by 25. A little work is not measured exactly.
    expect(workFor(textOf(20_000))).toBeLessThan(12 * short + 100);
  });
});

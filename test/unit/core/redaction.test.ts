/** Secrets do not get through, in any encoding; everything else does. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../../core/redaction.ts';
import { encodings } from './encodings.ts';

const key = 'sk_live/4+9=Q%w&7"z';
const { clean, find } = createRedactor([{ name: 'KEY', value: key }]);

/** Characters that some encoding treats differently from others, and some that all do. */
const characters = fc.constantFrom(...'abcXYZ0123456789_-.~+/=%&"\'\\<>?#; éÜ½語😀', '$', '\u001f', '25', '%4', '&a', '\\u');
const keys = fc.string({ unit: characters, minLength: 8, maxLength: 60 }).filter((value) => value.trim() === value);
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
    for (const mask of [[true], [true, false], [false, true, true], [false]]) {
      const written = write(key, mask);
      expect(clean(`before ${written} after`)).toMatch(/^before .*\$KEY.* after$/s);
      expect(find(`x=${written}`)).toMatchObject({ name: 'KEY' });
    }
  });

  it('hides any key in any encoding in any surroundings', () => {
    const encoding = fc.constantFrom(...encodings);
    fc.assert(
      fc.property(keys, encoding, masks, surroundings, surroundings, (value, { write }, mask, before, after) => {
        const redactor = createRedactor([{ name: 'K', value }]);
        const written = write(value, mask);
        const text = `${before}${written}${after}`;
        const cleaned = redactor.clean(text);
        expect(redactor.find(text)?.name).toBe('K');
        expect(redactor.find(cleaned)).toBeUndefined();
        expect(decodings(cleaned).filter((decoded) => decoded.includes(value))).toEqual([]);
        if (written.length > 16) expect(cleaned).not.toContain(written);
      }),
      { numRuns: 1500, seed: 1 },
    );
  });

  it('leaves a text alone that holds no key', () => {
    fc.assert(
      fc.property(fc.string({ unit: characters, maxLength: 200 }), (text) => {
        fc.pre(!text.includes('QQQQ'));
        expect(createRedactor([{ name: 'K', value: 'QQQQ-QQQQ-QQQQ' }]).clean(text)).toBe(text);
      }),
      { seed: 1 },
    );
  });

  it('shows what stands around a key, and each occurrence by its name', () => {
    const two = createRedactor([
      { name: 'FIRST', value: 'first-secret' },
      { name: 'SECOND', value: 'second-secret' },
    ]);
    expect(two.clean('{"a":"first-secret","b":["second%2Dsecret","first-secret!"]}')).toBe('{"a":"$FIRST","b":["$SECOND","$FIRST!"]}');
  });

  it('tells how a key is encoded', () => {
    const { find: look } = createRedactor([{ name: 'K', value: 'abc/def+ghi' }]);
    expect(look('abc/def+ghi')).toEqual({ name: 'K', encoding: 'plain' });
    expect(look('abc%2Fdef+ghi')).toEqual({ name: 'K', encoding: 'percent' });
    expect(look('abc\\/def+ghi')).toEqual({ name: 'K', encoding: 'json' });
    expect(look('abc&#47;def+ghi')).toEqual({ name: 'K', encoding: 'html' });
    expect(look(Buffer.from('abc/def+ghi').toString('base64'))).toEqual({ name: 'K', encoding: 'base64' });
    expect(look(Buffer.from('abc/def+ghi').toString('hex'))).toEqual({ name: 'K', encoding: 'hex' });
    expect(look('abc/def ghi')).toBeUndefined();
    expect(createRedactor([{ name: 'K', value: 'abc def ghi' }]).find('abc+def+ghi')).toEqual({ name: 'K', encoding: 'form' });
    const slashes = createRedactor([{ name: 'K', value: '???>>>???>>>' }]);
    expect(slashes.find(Buffer.from('???>>>???>>>').toString('base64url'))).toEqual({ name: 'K', encoding: 'base64url' });
    expect(slashes.find(Buffer.from('???>>>???>>>').toString('base64').replaceAll('/', '\\/'))).toEqual({
      name: 'K',
      encoding: 'base64 in json',
    });
  });

  it('reads Latin-1 where a server does', () => {
    const { clean: hide } = createRedactor([{ name: 'K', value: 'clé-secrète' }]);
    expect(hide('cl%E9-secr%e8te')).toBe('$K');
    expect(hide(Buffer.from('clé-secrète', 'latin1').toString('hex'))).toBe('$K');
    expect(hide(`${Buffer.from('clé-secrète', 'latin1').toString('base64')}`)).toMatch(/^\$K=?$/);
  });
});

describe('several secrets', () => {
  it('hides the longest of those that begin alike, in whatever order they are given', () => {
    const secrets = [
      { name: 'SHORT', value: 'abcdefgh' },
      { name: 'LONG', value: 'abcdefghijkl' },
    ];
    for (const given of [secrets, secrets.toReversed()]) {
      expect(createRedactor(given).clean('abcdefghijkl abcdefgh')).toBe('$LONG $SHORT');
    }
  });

  it('leaves nothing of secrets that overlap', () => {
    const { clean: hide } = createRedactor([
      { name: 'LEFT', value: 'abcdefgh' },
      { name: 'RIGHT', value: 'efghijklmn' },
    ]);
    expect(hide('<abcdefghijklmn>')).toBe('<$RIGHT>');
  });

  it('hides one inside another, also when only the inner one is encoded', () => {
    const { clean: hide } = createRedactor([
      { name: 'INNER', value: 'inner/key' },
      { name: 'OUTER', value: 'x-inner/key-x' },
    ]);
    expect(hide('x-inner%2Fkey-x inner%2Fkey')).toBe('$OUTER $INNER');
  });

  it('ignores empty ones, and names a value by the first that has it', () => {
    expect(createRedactor([{ name: 'EMPTY', value: '' }]).clean('anything')).toBe('anything');
    expect(createRedactor([]).find('anything')).toBeUndefined();
    const twice = createRedactor([
      { name: 'ONE', value: 'same-value' },
      { name: 'TWO', value: 'same-value' },
    ]);
    expect(twice.clean('same-value')).toBe('$ONE');
  });

  it('does not show a secret by the name of another, nor by what comes together around a name', () => {
    expect(createRedactor([{ name: 'TOP_SECRET', value: 'TOP_SECRET' }]).clean('it is TOP_SECRET')).not.toContain('TOP_SECRET');
    const joined = createRedactor([
      { name: 'AA', value: 'first-secret' },
      { name: 'BB', value: 'left$AAright' },
    ]);
    expect(joined.clean('leftfirst-secretright')).not.toContain('left$AAright');
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
  const size = 1_000_000;
  const texts: Readonly<Record<string, string>> = {
    'one letter': 'a'.repeat(size),
    'percent signs': '%'.repeat(size),
    'encoded percent signs': '%25'.repeat(size / 3),
    ampersands: '&amp;'.repeat(size / 5),
    backslashes: '\\'.repeat(size),
    'near misses': 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac'.repeat(size / 40),
    base64: Buffer.from('some data that goes on and on/+'.repeat(24_000)).toString('base64'),
    JSON: JSON.stringify(
      Array.from({ length: 12_000 }, (_, id) => ({ id, url: `https://host/${id}`, text: '"quoted" & <b>bold</b> 100%' })),
    ).replaceAll('/', '\\/'),
  };
  const values = [`${'a'.repeat(40)}b`, '%%%%%%%%%%%%x', '&&&&&&&&&&&&x', '\\\\\\\\\\\\x', 'sk_live_0123456789abcdef'];
  const { clean: hide } = createRedactor(values.map((value, index) => ({ name: `K${index}`, value })));

  it.each(Object.entries(texts))('grows with the text and no faster: a megabyte of %s', (_, text) => {
    const started = performance.now();
    expect(hide(text)).toBe(text);
    expect(performance.now() - started).toBeLessThan(6000);
  });
});

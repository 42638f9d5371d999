/** YAML 1.2 is parsed to JSON values. Aliases, keys and nesting have limits. */

import { describe, expect, it } from 'vitest';
import { formatLocation } from '../../../../core/errors.ts';
import { maxNesting } from '../../../../core/json.ts';
import { parseYaml } from '../../../../core/openapi/loading/yaml.ts';
import { mistakeOf, positionOf } from '../../../helpers/contracts/contract-text.ts';

function read(text: string): unknown {
  return parseYaml('a.yaml', text);
}

describe('the values of a file', () => {
  it.each([
    ['text: yes\nquoted: "200"', { text: 'yes', quoted: '200' }],
    ['number: 1.5\nhex: 0x1F\ntruth: true', { number: 1.5, hex: 31, truth: true }],
    ['none: null\nempty:', { none: null, empty: null }],
    ['list: [1, [2]]\nday: 2026-10-03', { list: [1, [2]], day: '2026-10-03' }],
    ['folded: >-\n  a\n  b', { folded: 'a b' }],
    ['responses:\n  200: a\n  404: b\ntrue: c', { responses: { 200: 'a', 404: 'b' }, true: 'c' }],
    ['a: &a { b: [1] }\nc: *a', { a: { b: [1] }, c: { b: [1] } }],
    ['a: &nothing null\nb: *nothing', { a: null, b: null }],
    ['{ "list": [1, { "a": null }], "a/b": "ü\\n" }', { list: [1, { a: null }], 'a/b': 'ü\n' }],
  ])('of %j are those that YAML 1.2 writes', (text, values) => {
    expect(read(`${text}\n`)).toEqual(values);
  });

  it('keep the order of the file, and a member called __proto__ as a member', () => {
    expect(Object.keys(parseYaml('a.yaml', 'z: 1\na: 2\nm: 3\n'))).toEqual(['z', 'a', 'm']);
    const a = parseYaml('a.yaml', 'a: { __proto__: { polluted: true }, constructor: 1 }\n')['a'] as object;
    expect(Object.keys(a)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(a)).toBe(Object.prototype);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

describe('a file that is not a contract', () => {
  it.each([
    ['a merge key', 'a: &a { b: 1 }\nc:\n  <<: *a\n  d: 2\n', '<<', ['<<', 'merge key', '$ref']],
    ['a duplicate key', 'a: 1\nb: 2\na: 3\n', 'a: 3', ['already has the key a']],
    ['a duplicate key in braces', 'a: { b: 1, c: 2, b: 3 }\n', 'b: 3', ['already has the key']],
    ['a key that is the same text as another', 'a:\n  200: a\n  "200": b\n', '"200"', ['already has the key 200']],
    ['a bracket that is never closed', 'a:\n  b: [1, 2\nc: 3\n', 'c: 3', ['not valid YAML']],
    ['a tab for indentation', 'a:\n\tb: 2\n', '\tb', ['not valid YAML', 'ab']],
    ['a second document', 'a: 1\n---\nb: 2\n', '---', ['several YAML documents']],
    ['an alias without an anchor', 'a: 1\nb: *nowhere\n', '*nowhere', ['*nowhere', 'anchor']],
    ['an anchor inside itself', 'a: &a { b: *a }\n', '*a }', ['*a']],
    ['infinity', 'a: 1\nb: .inf\n', '.inf', ['Infinity', 'finite number']],
    ['not a number', 'a: [1, .nan]\n', '.nan', ['NaN']],
    ['a key that is a list', '? [a, b]\n: 1\n', '[a, b]', ['key']],
    ['UTF-16', Buffer.from('a: 1\n', 'utf16le').toString('utf8'), '', ['not in UTF-8']],
    ['UTF-16 with its mark', Buffer.from('\ufeffa: 1\n', 'utf16le').toString('utf8'), '', ['not in UTF-8']],
    ['no content', '', '', ['object']],
    ['nothing but a comment', '# nothing\n', '', ['object']],
    ['a list', '- a\n', '', ['object']],
    ['a text', 'text\n', '', ['object']],
  ])('because of %s is reported where that stands', async (_, text, piece, words) => {
    const mistake = await mistakeOf(Promise.resolve().then(() => read(text)));
    expect(formatLocation(mistake.place)).toBe(`a.yaml:${piece === '' ? '1:1' : positionOf(text, piece)}`);
    for (const word of words) expect(mistake.message).toContain(word);
  });
});

describe('values', () => {
  const flow = (depth: number): string => `${'{a: '.repeat(depth)}1${'}'.repeat(depth)}`;
  const block = (depth: number): string => Array.from({ length: depth }, (_, level) => `${' '.repeat(level)}a:\n`).join('');
  /** Each anchor holds the one before, so that no line is nested and the value is. */
  const aliased = (depth: number): string =>
    Array.from({ length: depth }, (_, at) => `k${at}: &a${at} [${at === 0 ? '' : `*a${at - 1}`}]\n`).join('');

  it.each([
    ['in braces', flow],
    ['by indentation', block],
    ['by aliases', aliased],
  ])('may be nested deep %s, and no deeper', async (_, nested) => {
    expect(() => read(nested(maxNesting - 1))).not.toThrow();
    const mistake = await mistakeOf(Promise.resolve().then(() => read(nested(maxNesting + 1))));
    expect(mistake.message).toMatch(new RegExp(`^a\\.yaml:\\d+:\\d+: .*no more than ${maxNesting} levels`));
  });

  it('that are nested in ten thousand braces are refused', () => {
    expect(() => read(flow(10_000))).toThrow(`no more than ${maxNesting} levels`);
  });
});

/** A contract file becomes plain values that remember where they stand, and what cannot be one is told with its place. */

import { describe, expect, it } from 'vitest';
import { createDocument, loadDocument, placeBelow } from '../../../core/document.ts';
import { printPlace, UsageError } from '../../../core/errors.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { copyOrigin } from '../../../core/origin.ts';
import { valueAt } from '../../../core/pointer.ts';
import { documentOf, mistakeOf, positionOf, readerOf } from '../../helpers/contract-text.ts';

function objectAt(root: Json, pointer: string): JsonObject {
  const value = valueAt(root, pointer);
  if (!isObject(value)) throw new Error(`there is no object at ${pointer}`);
  return value;
}

describe('the values of a file', () => {
  it('are those that YAML 1.2 writes', async () => {
    const { root } = await documentOf(
      'text: yes\nquoted: "200"\nnumber: 1.5\nhex: 0x1F\nnone: null\nempty:\ntruth: true\nlist: [1, [2]]\nday: 2026-10-03\nfolded: >-\n  a\n  b\n',
    );
    expect(root).toEqual({
      text: 'yes',
      quoted: '200',
      number: 1.5,
      hex: 31,
      none: null,
      empty: null,
      truth: true,
      list: [1, [2]],
      day: '2026-10-03',
      folded: 'a b',
    });
  });

  it('are those that JSON writes', async () => {
    const value = { openapi: '3.1.0', list: [1, { a: null }], 'a/b': 'ü\n"' };
    expect((await documentOf(JSON.stringify(value, null, 2))).root).toEqual(value);
  });

  it('have text for keys, whatever YAML would read them as', async () => {
    const { root } = await documentOf('responses:\n  200: a\n  404: b\ntrue: c\n');
    expect(Object.entries(root)).toEqual([
      ['responses', { 200: 'a', 404: 'b' }],
      ['true', 'c'],
    ]);
  });

  it('may be shared by an alias', async () => {
    const { root } = await documentOf('a: &a { b: [1] }\nc: *a\n');
    expect(root).toEqual({ a: { b: [1] }, c: { b: [1] } });
  });

  it('may be a shared null', async () => {
    const { root } = await documentOf('a: &nothing null\nb: *nothing\n');
    expect(root).toEqual({ a: null, b: null });
  });

  it('keep a member called __proto__ as a member', async () => {
    const { root } = await documentOf('a: { __proto__: { polluted: true }, constructor: 1 }\n');
    const a = objectAt(root, '/a');
    expect(Object.keys(a)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(a)).toBe(Object.prototype);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('keep the order of the file', async () => {
    expect(Object.keys((await documentOf('z: 1\na: 2\nm: 3\n')).root)).toEqual(['z', 'a', 'm']);
  });
});

describe('the place of a value', () => {
  const text = 'a: 1\nb:\n  c: { d: x, e: [f, { g: h }] }\n  "long key": |\n    text\n';

  it('is where the value begins', async () => {
    const document = await documentOf(text);
    expect(printPlace(document.place(document.root))).toBe('api.yaml:1:1');
    expect(printPlace(document.place(objectAt(document.root, '/b')))).toBe('api.yaml:3:3');
    expect(printPlace(document.place(objectAt(document.root, '/b/c')))).toBe('api.yaml:3:6');
    expect(printPlace(document.place(objectAt(document.root, '/b/c/e/1')))).toBe('api.yaml:3:21');
  });

  it('is with a key where that member stands', async () => {
    const document = await documentOf(text);
    expect(printPlace(document.place(objectAt(document.root, '/b'), 'long key'))).toBe('api.yaml:4:3');
    expect(printPlace(document.place(objectAt(document.root, '/b/c'), 'e'))).toBe('api.yaml:3:14');
    const list = valueAt(document.root, '/b/c/e');
    expect(printPlace(document.place(list as readonly Json[], 1))).toBe('api.yaml:3:21');
  });

  it('is the place of the whole for a member that is missing', async () => {
    const document = await documentOf(text);
    expect(printPlace(document.place(objectAt(document.root, '/b/c'), 'missing'))).toBe('api.yaml:3:6');
  });

  it('may be asked for along a path of keys, as deep as there is something', async () => {
    const document = await documentOf(text);
    const at = (...keys: readonly (string | number)[]): string => printPlace(placeBelow(document, document.root, keys));
    expect([at(), at('b'), at('b', 'c', 'e'), at('b', 'c', 'e', 1, 'g')]).toEqual(
      ['1:1', '2:1', '3:14', '3:23'].map((place) => `api.yaml:${place}`),
    );
    expect([at('b', 'c', 'd', 'deeper'), at('b', 'nope', 'deeper')]).toEqual(['api.yaml:3:8', 'api.yaml:3:3']);
    expect(printPlace(placeBelow(document, undefined, ['a']))).toBe('api.yaml:1:1');
  });

  it('counts lines of files with carriage returns alike', async () => {
    const document = await documentOf(text.replaceAll('\n', '\r\n'));
    expect(printPlace(document.place(objectAt(document.root, '/b/c'), 'e'))).toBe('api.yaml:3:14');
  });

  it('is given to a copy, in this document and in one made of the copy', async () => {
    const document = await documentOf(text);
    const original = objectAt(document.root, '/b/c');
    const copy = { ...original };
    copyOrigin(original, copy);
    expect(printPlace(createDocument('api.yaml', new Map([['api.yaml', copy]])).place(copy, 'd'))).toBe('api.yaml:3:8');
  });
});

describe('a file that is not a contract', () => {
  it.each([
    ['a merge key', 'a: &a { b: 1 }\nc:\n  <<: *a\n  d: 2\n', '<<', ['<<', 'merge key', '$ref']],
    ['a duplicate key', 'a: 1\nb: 2\na: 3\n', 'a: 3', ['not valid YAML', 'unique']],
    ['a duplicate key in braces', 'a: { b: 1, c: 2, b: 3 }\n', 'b: 3', ['unique']],
    ['a bracket that is never closed', 'a:\n  b: [1, 2\nc: 3\n', 'c: 3', ['not valid YAML']],
    ['a tab for indentation', 'a:\n\tb: 2\n', '\tb', ['not valid YAML', 'ab']],
    ['a second document', 'a: 1\n---\nb: 2\n', '---', ['not valid YAML', 'multiple documents']],
    ['an alias without an anchor', 'a: 1\nb: *nowhere\n', '*nowhere', ['*nowhere', 'anchor']],
    ['an anchor inside itself', 'a: &a { b: *a }\n', '*a }', ['*a']],
    ['infinity', 'a: 1\nb: .inf\n', '.inf', ['Infinity', 'finite number']],
    ['not a number', 'a: [1, .nan]\n', '.nan', ['NaN']],
    ['a key that is a list', '? [a, b]\n: 1\n', '[a, b]', ['key']],
  ])('because of %s is told where that stands', async (_, text, piece, words) => {
    const mistake = await mistakeOf(documentOf(text));
    expect(printPlace(mistake.place)).toBe(`api.yaml:${positionOf(text, piece)}`);
    for (const word of words) expect(mistake.message).toContain(word);
  });

  it.each(['', '# nothing\n', '- a\n', 'text\n', '5\n'])('because it holds no object is told: %j', async (text) => {
    const mistake = await mistakeOf(documentOf(text));
    expect(mistake.message).toMatch(/^api\.yaml:1:1: .*object/);
  });

  it('because it cannot be read is told as a mistake of the caller, with the reason and the way out', async () => {
    const loading = loadDocument('nowhere.yaml', readerOf({}));
    await expect(loading).rejects.toThrow(UsageError);
    await expect(loading).rejects.toThrow(/^nowhere\.yaml cannot be read \(ENOENT\); name an OpenAPI 3\.1 file/);
  });

  it('is read from the disk unless another reader is given', async () => {
    await expect(loadDocument('/nowhere/at/all.yaml')).rejects.toThrow(/all\.yaml cannot be read \(ENOENT\)/);
  });
});

/** Places by identity: of what was read, of its members, of copies, and of what takes a value's place. */

import { describe, expect, it } from 'vitest';
import { copyOrigin, createSource, placeAt, placeOf, setOrigin, setPlace } from '../../../core/origin.ts';
import { parseYaml } from '../../../core/yaml.ts';

describe('the place of an offset', () => {
  it.each([
    ['the first character', 0, '1:1'],
    ['the end of the first line', 2, '1:3'],
    ['the beginning of the second line', 3, '2:1'],
    ['a carriage return before a line break', 5, '2:3'],
    ['an empty line', 7, '3:1'],
    ['the last line', 10, '4:3'],
    ['the end of the file', 11, '4:4'],
    ['what lies behind it', 99, '4:92'],
    ['what lies before the file', -1, '1:1'],
  ])('of %s', (_, offset, expected) => {
    const { file, line, column } = placeAt(createSource('a.yaml', 'ab\ncd\r\n\nefg'), offset);
    expect([file, `${line}:${column}`]).toEqual(['a.yaml', expected]);
  });

  it('is that of a search from line to line, for every offset', () => {
    const text = 'a\n\nbcd\n\n\ne\nfghij';
    const source = createSource('a.json', text);
    for (let offset = 0; offset <= text.length; offset += 1) {
      const before = text.slice(0, offset).split('\n');
      expect(placeAt(source, offset)).toEqual({ file: 'a.json', line: before.length, column: (before.at(-1) ?? '').length + 1 });
    }
  });

  it('is on line 1 of an empty file', () => {
    expect(placeAt(createSource('a.yaml', ''), 0)).toEqual({ file: 'a.yaml', line: 1, column: 1 });
  });
});

describe('the place', () => {
  it('of a value that no file holds is unknown', () => {
    expect(placeOf({})).toBeUndefined();
    expect(placeOf({ a: 1 }, 'a')).toBeUndefined();
  });

  it('of a member is told by its key, in lists by its index', () => {
    const source = createSource('a.yaml', 'abcdefgh');
    const [object, list] = [{}, []];
    setOrigin(object, source, 1, { keys: ['x', '10', '2'], offsets: [3, 4, 5] });
    setOrigin(list, source, 2, { keys: undefined, offsets: [6, 7] });
    const columns = [placeOf(object), placeOf(object, 'x'), placeOf(object, 10), placeOf(object, '2'), placeOf(object, 'none')];
    expect(columns.map((place) => place?.column)).toEqual([2, 4, 5, 6, 2]);
    expect([placeOf(list), placeOf(list, 1), placeOf(list, '0'), placeOf(list, 2)].map((place) => place?.column)).toEqual([3, 8, 7, 3]);
  });

  it('may be given to a value that replaces another', () => {
    const value = { not: {} };
    setPlace(value, { file: 'a.yaml', line: 7, column: 9 });
    expect([placeOf(value), placeOf(value, 'not')]).toEqual([
      { file: 'a.yaml', line: 7, column: 9 },
      { file: 'a.yaml', line: 7, column: 9 },
    ]);
  });
});

describe('the place of a copy', () => {
  const original = parseYaml('a.yaml', 'b: 1\nc: 2\nd: 3\n');

  it('is that of its original, members included', () => {
    const copy = { c: 3 };
    copyOrigin(original, copy);
    expect(placeOf(copy, 'c')).toEqual({ file: 'a.yaml', line: 2, column: 1 });
  });

  it('of what no file holds stays unknown', () => {
    const copy = {};
    copyOrigin({}, copy);
    expect(placeOf(copy)).toBeUndefined();
  });

  it('of what was given a place is that place, new names or not', () => {
    const [value, copy] = [{}, {}];
    setPlace(value, { file: 'a.yaml', line: 7, column: 9 });
    copyOrigin(value, copy, new Map([['a', 'b']]));
    expect(placeOf(copy, 'a')?.line).toBe(7);
  });

  it('tells a member with a new name where the old one is written', () => {
    const copy = { e: 1, b: 2 };
    copyOrigin(
      original,
      copy,
      new Map([
        ['e', 'c'],
        ['b', 'd'],
        ['f', 'missing'],
      ]),
    );
    const lines = ['e', 'b', 'c', 'd', 'f'].map((key) => placeOf(copy, key)?.line);
    expect(lines).toEqual([2, 3, 2, 3, 1]);
    expect(placeOf(original, 'b')?.line).toBe(1);
  });
});

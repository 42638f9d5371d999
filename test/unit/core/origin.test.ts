/** Places by identity: of what was read, of its members, of copies, and of what takes a value's place. */

import { describe, expect, it } from 'vitest';
import { copyOrigin, createSource, placeAt, placeOf, setOrigin, setPlace } from '../../../core/origin.ts';
import { parseYaml } from '../../../core/yaml.ts';

describe('the place of an offset', () => {
  it('is that of a search from line to line, for every offset', () => {
    const text = 'a\n\nbcd\r\n\n\ne\nfghij';
    const source = createSource('a.json', text);
    for (let offset = 0; offset <= text.length; offset += 1) {
      const before = text.slice(0, offset).split('\n');
      expect(placeAt(source, offset)).toEqual({ file: 'a.json', line: before.length, column: (before.at(-1) ?? '').length + 1 });
    }
  });

  it.each([
    ['behind the file', 'ab\nefg', 99, '2:97'],
    ['before the file', 'ab\nefg', -1, '1:1'],
    ['in an empty file', '', 0, '1:1'],
  ])('is known %s', (_, text, offset, expected) => {
    const { line, column } = placeAt(createSource('a.yaml', text), offset);
    expect(`${line}:${column}`).toBe(expected);
  });
});

describe('the place', () => {
  it('of a value that no file holds is unknown, and so is that of its copy', () => {
    const copy = {};
    copyOrigin({}, copy);
    expect([placeOf({}), placeOf({ a: 1 }, 'a'), placeOf(copy)]).toEqual([undefined, undefined, undefined]);
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
    expect(placeOf(value)).toEqual({ file: 'a.yaml', line: 7, column: 9 });
    expect(placeOf(value, 'not')).toEqual({ file: 'a.yaml', line: 7, column: 9 });
  });
});

describe('the place of a copy', () => {
  const original = parseYaml('a.yaml', 'b: 1\nc: 2\nd: 3\n');

  it('is that of its original, members included', () => {
    const copy = { c: 3 };
    copyOrigin(original, copy);
    expect(placeOf(copy, 'c')).toEqual({ file: 'a.yaml', line: 2, column: 1 });
  });

  it('of what was given a place is that place, new names or not', () => {
    const [value, copy] = [{}, {}];
    setPlace(value, { file: 'a.yaml', line: 7, column: 9 });
    copyOrigin(value, copy, new Map([['a', 'b']]));
    expect(placeOf(copy, 'a')?.line).toBe(7);
  });

  it('tells a member with a new name where the old one is written', () => {
    const copy = { e: 1, b: 2 };
    copyOrigin(original, copy, new Map(Object.entries({ e: 'c', b: 'd', f: 'missing' })));
    const lines = ['e', 'b', 'c', 'd', 'f'].map((key) => placeOf(copy, key)?.line);
    expect(lines).toEqual([2, 3, 2, 3, 1]);
    expect(placeOf(original, 'b')?.line).toBe(1);
  });
});

/** The places that YAML values have: of the value, of its members, and of what takes its place. */

import { describe, expect, it } from 'vitest';
import { copyOrigin, parseYaml, placeOf, setPlace } from '../../core/yaml.ts';

describe('the place', () => {
  it('of a value that no file holds is unknown', () => {
    expect(placeOf({})).toBeUndefined();
    expect(placeOf({ a: 1 }, 'a')).toBeUndefined();
  });

  it('of a copy is that of its original, members included', () => {
    const original = parseYaml('a.yaml', 'b: 1\nc: 2\n');
    const copy = { c: 3 };
    copyOrigin(original, copy);
    expect(placeOf(copy, 'c')).toEqual({ file: 'a.yaml', line: 2, column: 1 });
  });

  it('of a copy of what no file holds stays unknown', () => {
    const copy = {};
    copyOrigin({}, copy);
    expect(placeOf(copy)).toBeUndefined();
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

/** Paths of matching rules: how they are read, where they lead, and which of them weighs most. */

import { describe, expect, it } from 'vitest';
import { beginsAt, leadsTo, parseBodyPath, printPath, weightOf } from '../../../core/pact-path.ts';

const path = (text: string): NonNullable<ReturnType<typeof parseBodyPath>> => parseBodyPath(text) ?? { text, steps: ['(none)'] };

describe('a path', () => {
  it.each([
    ['$', []],
    ['$.a.b', ['a', 'b']],
    ['$.a[0].b', ['a', 0, 'b']],
    ['$.a[*].b', ['a', '*', 'b']],
    ['$.a.*', ['a', '*']],
    ["$['a.b']['c d']", ['a.b', 'c d']],
    ['$["a"]', ['a']],
    ["$['it\\'s']", ["it's"]],
    ['$.changed-at', ['changed-at']],
    ['a.b', ['a', 'b']],
  ])('%s is read', (text, steps) => {
    expect(parseBodyPath(text)).toEqual({ text, steps });
  });

  it.each(['$.', '$.a[', '$.a]', '$..a', '$.a[b]', "$['a"])('%s is none', (text) => {
    expect(parseBodyPath(text)).toBeUndefined();
  });

  it.each([[[]], [['a', 0, 'b']], [['a.b', "it's"]]])('of the keys %j is printed as it is read', (keys) => {
    expect(parseBodyPath(printPath(keys))?.steps).toEqual(keys);
  });

  it('leads to places, and begins at those above them', () => {
    expect(leadsTo(path('$.a[*].b'), ['a', 3, 'b'])).toBe(true);
    expect(leadsTo(path('$.a[*]'), ['a', 3, 'b'])).toBe(false);
    expect(beginsAt(path('$.a[*]'), ['a', 3, 'b'])).toBe(true);
    expect(beginsAt(path('$.b'), ['a', 3, 'b'])).toBe(false);
  });

  it('weighs more the longer and the more exact it is', () => {
    const ordered = ['$.*', '$.a', '$.a[*].b', '$.a[0].b'];
    const weights = ordered.map((text) => weightOf(path(text)));
    expect(weights.toSorted((left, right) => left - right)).toEqual(weights);
    expect(new Set(weights).size).toBe(ordered.length);
  });
});

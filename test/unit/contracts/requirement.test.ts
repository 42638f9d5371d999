/** Requirements: what is read of them, what is lacking, and what they make of the exit code. */

import { describe, expect, test } from 'vitest';
import { checkRequirement, findLack, readRequirement } from '../../../contracts/requirement.ts';
import { gapOf, lawOf, violationOf } from '../../helpers/reports/sample-results.ts';

describe('reading', () => {
  test.each([
    ['stated', 'stated'],
    ['all', 'all'],
    ['paging/*,keys/missing', ['paging/*', 'keys/missing']],
    ['*', ['*']],
    [
      ['paging/*', ' keys/x '],
      ['paging/*', 'keys/x'],
    ],
  ])('%j', (text, requirement) => expect(readRequirement(text)).toEqual(requirement));

  test.each([
    ['state', 'state requires no law; is stated meant?'],
    ['everything', 'everything requires no law; write stated, all, or laws such as paging/*,keys/missing'],
    ['paging/*,', 'an empty text requires no law; write'],
    [[], 'an empty text requires no law; write'],
  ])('%j is refused', (text, message) => expect(() => readRequirement(text)).toThrow(message));

  test('a pattern that requires nothing is refused, and a level never is', () => {
    expect(() => checkRequirement(['paging/*', 'keys/mising'], ['paging/once', 'keys/missing'])).toThrow(
      'keys/mising is required and is no law that is judged here; is keys/missing meant?',
    );
    expect(() => checkRequirement('all', [])).not.toThrow();
    expect(() => checkRequirement(undefined, [])).not.toThrow();
  });
});

describe('what is lacking', () => {
  const implied = gapOf('pages/echo', 'listNotes', 'two pages');
  const laws = [
    lawOf(),
    violationOf({ id: 'keys/missing' }),
    { ...implied, strength: 'implied' as const },
    lawOf({ id: 'order/within', verdict: 'inconclusive', refuted: [], message: 'The data moved: id 4' }),
  ];

  test('is named with its operation, its verdict and what was lacking; a violation is none', () => {
    expect(findLack('all', laws)).toEqual({
      verdict: 'inconclusive',
      notes: [
        'pages/echo at listNotes is required (all) and was not exercised: The data lacks two pages',
        'order/within at listNotes is required (all) and is inconclusive: The data moved: id 4',
      ],
    });
  });

  test('is looked for among what is required alone', () => {
    expect(findLack('stated', laws).notes).toHaveLength(1);
    expect(findLack(['pages/*'], laws)).toMatchObject({ verdict: 'not-exercised', notes: [expect.stringContaining('(by name)')] });
    expect(findLack(['filters/*'], laws)).toEqual({ verdict: undefined, notes: [] });
    expect(findLack(undefined, laws)).toEqual({ verdict: undefined, notes: [] });
  });
});

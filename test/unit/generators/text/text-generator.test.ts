/** A text domain becomes a generator or a reason. Drawn texts are in the domain, reach its boundaries and are reproducible. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText, type TextDomain } from '../../../../generators/text/text-domain.ts';
import { textGenerator } from '../../../../generators/text/text-generator.ts';
import { randomPattern } from './random-pattern.ts';
import { drawMany, lengthOf, sourceFor } from './text-drawing.ts';

function reasonFor(domain: Partial<TextDomain>): string {
  const outcome = textGenerator({ ...anyText, ...domain });
  return outcome.kind === 'generator' ? 'generator' : `${outcome.kind}: ${outcome.why}`;
}

describe('a source', () => {
  it('draws texts that random patterns match, and texts that they do not match', () => {
    fc.assert(
      fc.property(randomPattern, randomPattern, (first, second) => {
        for (const domain of [
          { patterns: [first] },
          { notPatterns: [first] },
          { patterns: [first], notPatterns: [second], maxLength: 6 },
        ]) {
          const outcome = textGenerator({ ...anyText, ...domain });
          if (outcome.kind !== 'generator') continue;
          const { generator: source } = outcome;
          const drawn = [...drawMany(source, 6), ...drawMany(source, 4, 2), source.simplest];
          expect(drawn.filter((text) => !source.accepts(text))).toEqual([]);
        }
      }),
      { seed: 11, numRuns: 50 },
    );
  });

  it('is opened for most random patterns: whatever has a text among a few short ones', () => {
    fc.assert(
      fc.property(randomPattern, (pattern) => {
        const expression = new RegExp(pattern, 'u');
        const has = ['', 'a', 'b', '1', '-', 'é', 'a1', '1a', 'bb', 'a-a'].some((text) => expression.test(text));
        if (has) expect(reasonFor({ patterns: [pattern] })).toBe('generator');
      }),
      { seed: 12, numRuns: 150 },
    );
  });

  it('draws the same texts for the same seed, in whatever order sources were opened and used', () => {
    const domain = { patterns: ['^(?=.*[A-Z])(?=.*\\d)[A-Za-z\\d]{8,}$'] };
    const first = drawMany(sourceFor(domain), 50, 3);
    drawMany(sourceFor(domain), 500);
    sourceFor({ formats: ['uri'] });
    expect(drawMany(sourceFor(domain), 50, 3)).toEqual(first);
    expect(drawMany(sourceFor({ ...domain, notPatterns: ['^$'] }), 50, 3)).toEqual(first);
  });

  it('reaches the shortest and the longest text, and all lengths between', () => {
    for (const domain of [{}, { patterns: ['^[a-z]*$'] }, { patterns: ['^.{2,9}$'] }, { notPatterns: ['x'] }]) {
      const lengths = new Set(drawMany(sourceFor({ minLength: 3, maxLength: 7, ...domain }), 200).map(lengthOf));
      expect([...lengths].sort()).toEqual([3, 4, 5, 6, 7]);
    }
  });

  it('goes to far edgeCases when it is biased', () => {
    const lengths = (pattern: string, maxLength: number): readonly number[] =>
      drawMany(sourceFor({ patterns: [pattern], maxLength }), 200, 2).map(lengthOf);
    expect(lengths('^[\\w-]{1,255}$', Number.POSITIVE_INFINITY)).toEqual(expect.arrayContaining([1, 255]));
    expect(lengths('^[a-z]+$', 800)).toEqual(expect.arrayContaining([1, 800]));
    expect(lengths('^(?:ab)*$', 801)).toEqual(expect.arrayContaining([0, 800]));
  });

  it('seldom goes to lengths of thousands', () => {
    const lengths = drawMany(sourceFor({ patterns: ['^.+$'], maxLength: 2_000 }), 1_000, 2).map(lengthOf);
    expect(lengths.filter((length) => length === 2_000).length).toBeGreaterThan(0);
    expect(lengths.filter((length) => length === 2_000).length).toBeLessThan(50);
  });

  it('draws characters beyond ASCII where a class allows them, and readable ones mostly', () => {
    for (const pattern of ['^.{8}$', '^\\W{8}$', '^\\D{8}$', '^[^a-z]{8}$', '^\\S{8}$']) {
      const text = drawMany(sourceFor({ patterns: [pattern] }), 300).join('');
      expect(text).toMatch(/[\u0080-\uffff]/);
      expect(text).toMatch(/\p{Cs}|[\u{10000}-\u{10ffff}]/u);
      expect(text.replace(/[^ -~]/gu, '').length).toBeGreaterThan(text.length / 2);
    }
  });

  it('takes every way that a pattern has, however many there are', () => {
    const words = Array.from({ length: 90 }, (_, index) => `${String.fromCodePoint(0x4e00 + index)}${index}`);
    const source = sourceFor({ patterns: [`^(?:${words.join('|')}|[a-z]{2,3}x)+$`] });
    const drawn = drawMany(source, 3_000).join();
    expect(words.filter((word) => !drawn.includes(word))).toEqual([]);
  });

  it('never draws half of a surrogate pair', () => {
    const drawn = [...drawMany(sourceFor({}), 3_000, 3), ...drawMany(sourceFor({ patterns: ['[^a]'] }), 1_000, 3)];
    expect(drawn.filter((text) => /[\ud800-\udfff]/u.test(text))).toEqual([]);
  });

  it('of few texts knows how many there are, and draws each', () => {
    const source = sourceFor({ patterns: ['^(?:foo|ba|quux)$'], excluded: new Set(['foo']) });
    expect(source.size).toBe(2);
    expect(new Set(drawMany(source, 50))).toEqual(new Set(['ba', 'quux']));
    expect(sourceFor({ maxLength: 0 }).size).toBe(1);
    expect(sourceFor({ patterns: ['^\\d{2}$'] }).size).toBe(100);
    expect(sourceFor({ patterns: ['^\\d{3}$'] }).size).toBe(Number.POSITIVE_INFINITY);
    expect(sourceFor({ patterns: ['^(a)?b\\1$'] }).size).toBe(2);
  });

  it.each([
    [{}, ''],
    [{ minLength: 3 }, 'aaa'],
    [{ excluded: new Set(['']) }, 'a'],
    [{ patterns: ['^[A-Z]+$'] }, 'A'],
    [{ patterns: ['^\\d{3}$'] }, '000'],
    [{ patterns: ['[^a]'] }, 'b'],
    [{ patterns: ['^[!-~]$'], notPatterns: ['\\w'] }, '!'],
    [{ patterns: ['^(?=.*[A-Z])(?=.*\\d)[A-Za-z\\d]{4,}$'] }, 'aaA0'],
    [{ patterns: ['^a*$'], minLength: 2, excluded: new Set(['aa']) }, 'aaa'],
    [{ formats: ['date-time'] }, '2000-01-01T00:00:00Z'],
    [{ formats: ['date'], patterns: ['^1850'] }, '1850-01-01'],
  ] as const)('of %j is simplest at %s', (domain, simplest) => {
    expect(sourceFor(domain).simplest).toBe(simplest);
  });
});

describe('a domain without texts', () => {
  it('is reported as empty only when no short text is in it, for random domains', () => {
    const characters = ['a', 'b', '1', '-', ' ', '\n', 'é'];
    const texts = [
      '',
      ...characters,
      ...characters.flatMap((left) => characters.map((right) => left + right)),
      'aaa',
      'ab1',
      '1-1',
      ' a ',
      'bbbb',
    ];
    const domain = fc.record({
      patterns: fc.array(randomPattern, { minLength: 1, maxLength: 2 }),
      notPatterns: fc.array(randomPattern, { maxLength: 1 }),
      minLength: fc.integer({ min: 0, max: 3 }),
      maxLength: fc.integer({ min: 1, max: 4 }),
      excluded: fc.subarray(['', 'a', 'b', 'é']).map((members) => new Set(members)),
    });
    let empty = 0;
    fc.assert(
      fc.property(domain, (random) => {
        const outcome = textGenerator({ ...anyText, ...random });
        if (outcome.kind !== 'empty') return;
        empty += 1;
        const accepted = texts.filter(
          (text) =>
            text.length >= random.minLength &&
            text.length <= random.maxLength &&
            !random.excluded.has(text) &&
            random.patterns.every((pattern) => new RegExp(pattern, 'u').test(text)) &&
            !random.notPatterns.some((pattern) => new RegExp(pattern, 'u').test(text)),
        );
        expect(accepted).toEqual([]);
      }),
      { seed: 13, numRuns: 150 },
    );
    expect(empty).toBeGreaterThan(30);
  });

  it.each([
    [{ patterns: ['^a$', '^b$'] }, 'no text matches ^a$ and matches ^b$'],
    [{ patterns: ['^a{3}$', 'a'], maxLength: 2 }, 'no text matches ^a{3}$, matches a and is at most 2 long'],
    [{ patterns: ['^a{3}$'], minLength: 4, notPatterns: ['b'] }, 'no text matches ^a{3}$, does not match b and is at least 4 long'],
    [{ minLength: 2, maxLength: 1, patterns: ['a'] }, 'no text matches a, is at least 2 long and is at most 1 long'],
    [{ patterns: ['^(?:aa)*$'], minLength: 5, maxLength: 5 }, 'no text matches ^(?:aa)*$, is at least 5 long and is at most 5 long'],
    [{ patterns: ['^a+$'], notPatterns: ['^a*$'] }, 'no text matches ^a+$ and does not match ^a*$'],
    [{ patterns: ['^\\-+$'], maxLength: 0 }, 'no text matches ^\\-+$ and is at most 0 long'],
    [{ patterns: ['^(?!a).*$', '^a'] }, 'no text matches ^(?!a).*$ and matches ^a'],
    [{ patterns: ['a^'] }, 'no text matches a^'],
    [{ notPatterns: [''] }, 'no text does not match '],
    [{ maxLength: 0, excluded: new Set(['']) }, 'no text is at most 0 long and is none of ""'],
    [{ formats: ['date'], maxLength: 9 }, 'no text is a valid date and is at most 9 long'],
    [{ formats: ['ipv4', 'uuid'] }, 'no text is a valid ipv4 and is a valid uuid'],
    [{ maxLength: 0, notFormats: ['uri-reference'] }, 'no text is not a valid uri-reference and is at most 0 long'],
  ] as const)('%j is empty, and its conditions are named', (domain, why) => {
    expect(reasonFor(domain)).toBe(`empty: ${why}`);
  });
});

describe('a domain whose texts cannot be generated', () => {
  it.each([
    [{ patterns: ['('] }, 'unsupported: Invalid regular expression: /(/: Unterminated group'],
    [{ patterns: ['a.{30}$', 'b.{31}$', 'c.{32}$'] }, 'matches a.{30}$, matches b.{31}$ and matches c.{32}$ is too large'],
    [{ patterns: ['^(\\d{40})-\\1$', '^[1-3]{40}'] }, 'no strategy generates a text that matches ^(\\d{40})-\\1$ and matches ^[1-3]{40}'],
    [{ minLength: 1_000_000 }, 'texts of 1000000 characters are too long'],
    [{ patterns: ['\\-\\01'] }, 'an octal escape'],
  ] as const)('%j is unsupported, with the reason', (domain, why) => {
    expect(reasonFor(domain)).toMatch(/^unsupported: /);
    expect(reasonFor(domain)).toContain(why);
  });

  it('come as texts all the same where a cheaper way is known', () => {
    for (const domain of [
      { patterns: ['^.*a.{1,1000}$'] },
      { notPatterns: ['^.*a.{1,1000}$'] },
      { patterns: ['^(?<year>\\d{4})-\\k<year>$'] },
    ]) {
      const source = sourceFor(domain);
      expect(drawMany(source, 200, 3).filter((text) => !source.accepts(text))).toEqual([]);
    }
  });
});

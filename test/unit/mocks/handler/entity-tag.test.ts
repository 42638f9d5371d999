/** Entity tags and If-None-Match, case by case (RFC 9110 §8.8.3 and §13.1.2). */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gzipTag, matchesTag, strongTag } from '../../../../mocks/handler/entity-tag.ts';

describe('a strong tag', () => {
  it('is an entity-tag in quotes, the same for the same bytes', () => {
    expect(strongTag('{"a":1}')).toMatch(/^"[\x21\x23-\x7e]{20,}"$/);
    expect(strongTag('{"a":1}')).toBe(strongTag('{"a":1}'));
  });

  it('differs for a single different character', () => {
    const texts = Array.from({ length: 500 }, (_, index) => `{"a":${index}}`);
    expect(new Set(texts.map(strongTag)).size).toBe(500);
  });

  it('differs for characters with the same low byte', () => {
    expect(strongTag('é')).not.toBe(strongTag('Ã©'));
  });
});

describe('the tag of a compressed response', () => {
  it('is another tag of the same strength', () => {
    expect(gzipTag('"a"')).toBe('"a-gzip"');
    expect(gzipTag('W/"a"')).toBe('W/"a-gzip"');
  });
});

describe('If-None-Match', () => {
  const hits: readonly (readonly [title: string, field: string])[] = [
    ['the tag itself', '"a,b"'],
    ['the tag, weakly', 'W/"a,b"'],
    ['any tag', '*'],
    ['any tag with spaces around it', ' * '],
    ['a list that begins with it', '"a,b", "x"'],
    ['a list that ends with it', '"x","a,b"'],
    ['a list with it in the middle, weakly', '"x", W/"a,b", "y"'],
    ['spaces and tabs around the commas', '"x" \t,\t "a,b"\t, "y"'],
    ['empty members of a list', ',, "x", , "a,b",'],
    ['empty members at the end', '"a,b", ,'],
    ['a tag without characters beside it', '"", "a,b"'],
    ['the tag of the compressed form', '"a,b-gzip"'],
    ['the tag of the compressed form, weakly and in a list', '"x", W/"a,b-gzip"'],
    ['bytes above ASCII in another tag', '"\u00e9", "a,b"'],
  ];
  it.each(hits)('matches: %s', (_, field) => {
    expect(matchesTag(field, '"a,b"')).toBe(true);
    expect(matchesTag(field, 'W/"a,b"')).toBe(true);
  });

  const misses: readonly (readonly [title: string, field: string])[] = [
    ['nothing', ''],
    ['another tag', '"b"'],
    ['a tag in another case', '"A,B"'],
    ['half of a tag that holds a comma', '"a'],
    ['the halves of a tag that holds a comma', '"a","b"'],
    ['the tag without quotes', 'a,b'],
    ['the tag in single quotes', "'a,b'"],
    ['a lower-case mark of weakness, which is none', 'w/"a,b"'],
    ['a mark of weakness apart from its tag', 'W/ "a,b"'],
    ['a quote that never ends', '"x", "a,b'],
    ['tags without a comma between them', '"x" "a,b"'],
    ['text between the tags', '"x"; "a,b"'],
    ['a list with a star in it', '*, "x"'],
    ['two stars', '**'],
    ['a star in quotes', '"*"'],
    ['a space inside the tag', '"a, b"'],
    ['an escape that RFC 9110 does not know', '"a\\,b"'],
    ['the suffix of the compressed form alone', '"-gzip"'],
  ];
  it.each(misses)('does not match: %s', (_, field) => {
    expect(matchesTag(field, '"a,b"')).toBe(false);
  });

  it('matches nothing if a part of it is malformed', () => {
    expect(matchesTag('"a", b', '"a"')).toBe(false);
    expect(matchesTag('b, "a"', '"a"')).toBe(false);
  });

  it('matches every list with the tag, and no other list', () => {
    const opaque = fc.string({ unit: fc.constantFrom('a', 'b', ',', '*', 'W', '/', '-', '\\'), maxLength: 4 });
    const tag = fc.record({ weak: fc.boolean(), opaque }).map((each) => ({ ...each, text: `${each.weak ? 'W/' : ''}"${each.opaque}"` }));
    const separator = fc.constantFrom(',', ', ', ' ,', ' , ,', ',\t');
    fc.assert(
      fc.property(fc.array(tag, { maxLength: 5 }), opaque, fc.infiniteStream(separator), (tags, wanted, separators) => {
        const field = tags.map((each, index) => (index === 0 ? each.text : `${separators.next().value}${each.text}`)).join('');
        const expected = tags.some((each) => each.opaque === wanted || each.opaque === `${wanted}-gzip`);
        expect(matchesTag(field, `"${wanted}"`)).toBe(expected);
      }),
      { seed: 1, numRuns: 150 },
    );
  });

  it('is parsed in linear time, also if it is malformed', () => {
    const before = process.cpuUsage();
    matchesTag(`"x"${' '.repeat(60_000)}`, '"a"');
    matchesTag(', '.repeat(30_000), '"a"');
    matchesTag('"'.repeat(60_000), '"a"');
    // In processor time, which other programs do not take.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000);
  });
});

/** Patterns are parsed as the engine reads them. Patterns of public OpenAPI documents open quickly and draw matching texts. */

import { describe, expect, it } from 'vitest';
import { isExact, looksAround, parsePattern } from '../../../../generators/text/pattern-syntax.ts';
import { drawMany, sourceFor } from './text-drawing.ts';

describe('a pattern', () => {
  it('that the flag u accepts is read with it, others without', () => {
    expect(parsePattern('^[a-z]$').regExp.flags).toBe('u');
    expect(parsePattern('^[a-z\\-_]$').regExp.flags).toBe('u');
    expect(parsePattern('^\\-$').regExp.flags).toBe('');
  });

  it('that no RegExp accepts is refused by the engine', () => {
    expect(() => parsePattern('(')).toThrow(SyntaxError);
    expect(() => parsePattern('a{2,1}')).toThrow(SyntaxError);
  });

  it.each([
    ['\\-\\1', 'a reference to no group'],
    ['\\-\\01', 'an octal escape'],
    ['\\-\\c1', '\\c without a letter'],
  ])('%s holds a construct that is named as not understood', (source, what) => {
    expect(() => parsePattern(source)).toThrow(what);
  });

  it.each([
    ['^\\-u{2}\\u{2}$', '-uuuu'],
    ['^\\-\\p{2}$', '-pp'],
    ['^\\-a{,2}$', '-a{,2}'],
    ['^\\-]}{$', '-]}{'],
    ['^\\-[\\w-a]$', '--'],
    ['^\\-\\k$', '-k'],
    ['^\\_\\x4$', '_x4'],
  ])('without the flag u is read as Annex B of ECMA-262 has it: %s', (source, text) => {
    expect(new RegExp(source).test(text)).toBe(true);
    const source_ = sourceFor({ patterns: [source] });
    expect(source_.accepts(text)).toBe(true);
    expect(drawMany(source_, 100).every((drawn) => new RegExp(source).test(drawn))).toBe(true);
  });

  it('says whether it is exact, and whether it looks around', () => {
    expect(isExact(parsePattern('(a)\\1').root)).toBe(false);
    expect(isExact(parsePattern('(?<!a)b').root)).toBe(false);
    expect(isExact(parsePattern('a\\b').root)).toBe(false);
    expect(isExact(parsePattern('(?!a)b').root)).toBe(true);
    expect(looksAround(parsePattern('^(?:a|[b])*$').root)).toBe(false);
    expect(looksAround(parsePattern('^(?:a|(?=b))*$').root)).toBe(true);
  });
});

const met: readonly (readonly [what: string, pattern: string])[] = [
  ['a UUID', '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$'],
  [
    'a semantic version',
    '^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-((?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\\+([0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*))?$',
  ],
  ['a SHA-1', '^[0-9a-f]{40}$'],
  ['a name with escaped signs', '^[a-zA-Z0-9_.\\-]*$'],
  ['a web address', '^https?://.+'],
  ['a duration', '^P(?!$)(\\d+Y)?(\\d+M)?(\\d+W)?(\\d+D)?(T(?=\\d)(\\d+H)?(\\d+M)?(\\d+S)?)?$'],
  ['text that is not blank', '^(?!\\s*$).+'],
  ['text without a word', '^((?!foo).)*$'],
  ['a path segment', '^[^\\s/]+$'],
  ['something to see', '\\S'],
  ['letters of any script', '^\\p{L}+$'],
  ['a time of day', '^([01]\\d|2[0-3]):[0-5]\\d$'],
  ['a JSON web token', '^[A-Za-z0-9-_=]+\\.[A-Za-z0-9-_=]+\\.?[A-Za-z0-9-_.+/=]*$'],
  ['base64', '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$'],
  ['a long base64 key', '^[A-Za-z0-9+/=]{32,}$'],
  ['a schedule', '^(\\*|[0-5]?\\d|\\*/\\d{1,2}) (\\*|[01]?\\d|2[0-3]) (\\*|[12]?\\d|3[01]) (\\*|[1-9]|1[0-2]) (\\*|[0-6])$'],
  ['a resource name', '^arn:[\\w+=/,.@-]+:[\\w+=/,.@-]+:[\\w+=/,.@-]*:[0-9]+:[\\w+=,.@-]+(/[\\w+=,.@-]+)*$'],
  ['long text', '^.{0,10000}$'],
  ['an identifier', '^[\\w-]{1,255}$'],
  ['a password', '^(?=.*[A-Z])(?=.*\\d)(?=.*[^\\w\\s])\\S{8,64}$'],
  ['a DNS label', '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$'],
  ['a label that does not end with a hyphen', '^[a-z][a-z0-9-]*(?<!-)$'],
  ['a host name', '^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$'],
  ['a phone number', '^\\+?[1-9]\\d{1,14}$'],
  ['a colour', '^#?([a-fA-F0-9]{6}|[a-fA-F0-9]{3})$'],
  ['a file name', '^.*\\.(jpg|png|gif)$'],
  ['text without control characters', '^[^\\x00-\\x1F\\x7F]*$'],
  ['a number as text', '^-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?$'],
  ['an IPv4 network', '^((25[0-5]|2[0-4]\\d|1?\\d?\\d)\\.){3}(25[0-5]|2[0-4]\\d|1?\\d?\\d)(/(3[0-2]|[12]?\\d))?$'],
  ['a whole word', '\\bfoo\\b'],
  ['a quoted text', '^(["\']).*\\1$'],
  ['a MIME type', '^[\\w!#$&^.+-]{1,127}/[\\w!#$&^.+-]{1,127}(;\\s*\\w+=(\\w+|"[^"]*"))*$'],
  ['a data URI', '^data:\\w+/[-+.\\w]+;base64,.*'],
  ['a language tag', '^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\\d{3}))?$'],
];

/** With the flag u, as JSON Schema wants it; without it where an escape is not allowed with it. */
function readAsValidatorsDo(pattern: string): RegExp {
  return new RegExp(pattern, pattern.includes('_.\\-') || pattern.includes('9-_=') ? '' : 'u');
}

describe('a pattern as public documents have it', () => {
  it.each(met)('%s: %s', (_, pattern) => {
    const expression = readAsValidatorsDo(pattern);
    const source = sourceFor({ patterns: [pattern] });
    const drawn = [...drawMany(source, 150), ...drawMany(source, 50, 2), source.simplest];
    expect(drawn.filter((text) => !expression.test(text))).toEqual([]);
    expect(new Set(drawn).size).toBeGreaterThan(40);
    const others = drawMany(sourceFor({ notPatterns: [pattern] }), 50, 3);
    expect(others.filter((text) => expression.test(text))).toEqual([]);
  });
});

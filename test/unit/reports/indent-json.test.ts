/** Indented JSON keeps every significant character, even of a truncated text. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indentJson } from '../../../reports/indent-json.ts';

describe('JSON in lines', () => {
  it('is as JSON.stringify writes it', () => {
    fc.assert(
      fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())), fc.nat(4), (value, space) => {
        // A space between tokens means nothing, whatever there was of it.
        expect(indentJson(JSON.stringify(value, undefined, space))).toBe(JSON.stringify(value, undefined, 2));
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it('keeps numbers and names as they were sent', () => {
    expect(indentJson('{"a":12345678901234567890.10,"a":1E5}')).toBe('{\n  "a": 12345678901234567890.10,\n  "a": 1E5\n}');
  });

  it('keeps a cut text, and what says that it was cut', () => {
    expect(indentJson('{"a":["b {","c… (4711 characters)')).toBe('{\n  "a": [\n    "b {",\n    "c… (4711 characters)');
    expect(indentJson('{"a":1… (4711 characters)')).toBe('{\n  "a": 1… (4711 characters)');
    expect(indentJson(']}}{"a":1}')).toBe(']}}{"a":1}');
  });

  it('leaves any other text alone', () => {
    for (const text of ['', 'null', '<p>{ }</p>', 'a {']) expect(indentJson(text)).toBe(text);
  });

  it('ends on whatever a target sends', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', ' ', 'a', '\n') }), (text) => {
        expect(indentJson(`{${text}`).replaceAll(/\s/g, '')).toBe(`{${text}`.replaceAll(/\s/g, ''));
      }),
      { seed: 2, numRuns: 500 },
    );
  });
});

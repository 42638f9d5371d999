/** Random regular expressions, and short texts to match with them. */

import fc from 'fast-check';

const pieces = [
  ...['a', 'b', '1', '-', ' ', 'é', '😀', '.', '\\d', '\\w', '\\s', '\\D', '\\W', '\\S', '[ab]', '[^a]', '[a-c1]', '[^\\w]', '[\\s-]'],
  ...['\\u{1F600}', '\\x61', '^', '$', '[^]', '[]', '\\n'],
];
const quantifiers = ['*', '+', '?', '{2}', '{1,3}', '{0,2}', '{2,}', '*?', '+?', '??'];

const tied = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...pieces),
    fc.tuple(tie('pattern'), tie('pattern')).map(([left, right]) => `${left}${right}`),
    fc.tuple(tie('pattern'), tie('pattern')).map(([left, right]) => `(${left}|${right})`),
    fc.tuple(tie('pattern'), fc.constantFrom(...quantifiers)).map(([body, quantifier]) => `(?:${body})${quantifier}`),
    tie('pattern').map((body) => `(?=${body})`),
    tie('pattern').map((body) => `(?!${body})`),
    tie('pattern').map((body) => `^${body}$`),
  ),
}));

/** Expressions that are valid with the flag u and have neither references nor look-behind nor word boundaries. */
export const randomPattern: fc.Arbitrary<string> = tied.pattern;

/** Texts of a few characters that the pieces of the expressions tell apart. */
export const shortText: fc.Arbitrary<string> = fc
  .array(fc.constantFrom('a', 'b', '1', '-', ' ', '\n', 'é', '😀'), { maxLength: 5 })
  .map((characters) => characters.join(''));

/**
 * True for texts that may be tried: V8 looks around even inside a code point beyond the basic plane, which no text of the language does.
 */
export function isComparable(pattern: string, text: string): boolean {
  return !/\(\?[=!]/.test(pattern) || !text.includes('😀');
}

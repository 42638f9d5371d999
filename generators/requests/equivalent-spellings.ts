/** Equivalent spellings of a request: escapes, `+` for a space, orders of pairs, header names in another case. Shrinking ends at the plain spelling. */

import { type Arbitrary, array, nat } from 'fast-check';
import type { Parameter } from '../../core/parameters/parse-parameter.ts';

/** Numbers that choose spellings one after another. An empty list always chooses the plain one. */
export type SpellingNumbers = readonly number[];

/** An arbitrary of such numbers, which shrinks to the plain spelling. */
export const spellingNumbers: Arbitrary<SpellingNumbers> = array(nat({ max: 11 }), { maxLength: 12 });

/** Chooses spellings by the numbers, one after another. */
export class SpellingChoices {
  readonly #numbers: SpellingNumbers;
  #usedCount = 0;

  constructor(numbers: SpellingNumbers) {
    this.#numbers = numbers;
  }

  /** The index of one of `ways` spellings; 0 is the plain and most frequent one. */
  next(ways: number): number {
    const number = this.#numbers[this.#usedCount % Math.max(1, this.#numbers.length)] ?? 0;
    this.#usedCount += 1;
    return number < ways ? number : 0;
  }

  /** A list in its own order (the plain one), or in another. */
  shuffle<T>(list: readonly T[]): readonly T[] {
    const rankedItems = list.map((item) => ({ item, rank: this.next(list.length) }));
    return rankedItems.toSorted((left, right) => left.rank - right.rank).map(({ item }) => item);
  }
}

/** Writes the printed text of a parameter in an equivalent way. */
export function varySpelling(parameter: Parameter, text: string, choices: SpellingChoices): string {
  const { style } = parameter;
  if (style.in === 'header') return style.shape === 'list' ? text.replaceAll(',', () => (choices.next(2) === 1 ? ', ' : ',')) : text;
  // A matrix segment contains the name of the parameter, which must not vary.
  const isEncodable = style.style !== 'matrix';
  return text.replace(/%[0-9A-F]{2}|[\s\S]/g, (token) => {
    const isEscape = token.length === 3;
    if (isEscape) return varyEscape(parameter, token, choices);
    if (isEncodable && /[A-Za-z0-9_~-]/.test(token)) return [token, encode(token), encode(token).toLowerCase()][choices.next(3)] ?? token;
    return token === ',' && mayEncodeComma(parameter) ? ([',', '%2C', '%2c'][choices.next(3)] ?? token) : token;
  });
}

/** Writes a header name in another case (RFC 9110 §5.1). */
export function varyHeaderName(name: string, choices: SpellingChoices): string {
  return [name, name.toLowerCase(), name.toUpperCase()][choices.next(3)] ?? name;
}

/** Characters that a query or path may contain unencoded and that separate nothing here (RFC 3986 §3.3 and §3.4). */
const plainMarks: Readonly<Record<'query' | 'path', string>> = { query: ":@!$'()*/?", path: ":@!$'()*" };

function varyEscape({ style }: Parameter, token: string, choices: SpellingChoices): string {
  const character = decodeAscii(token);
  const marks = style.in === 'query' || style.in === 'path' ? plainMarks[style.in] : '';
  const plainText =
    character === ' ' && style.in === 'query'
      ? '+'
      : character !== undefined && (marks.includes(character) || (style.style === 'deepObject' && '[]'.includes(character)))
        ? character
        : token;
  return [token, token.toLowerCase(), plainText][choices.next(3)] ?? token;
}

/** The character of an escape; `undefined` for a byte of a longer one. */
function decodeAscii(token: string): string | undefined {
  const code = Number.parseInt(token.slice(1), 16);
  return code < 128 ? String.fromCharCode(code) : undefined;
}

function encode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** True when a comma between values may be encoded, since no value contains one. */
function mayEncodeComma({ style }: Parameter): boolean {
  return style.in === 'query' && style.style === 'form' && style.delimiterIsSafe && style.shape === 'list' && !style.explode;
}

/** What is known of a string, and how it is judged and told. */

import { checksText, toleratesText } from '../../core/format.ts';
import type { Pattern } from './pattern.ts';

/** What is known of a string: a conjunction. */
export interface TextFacts {
  /** The least length, in code points. */
  readonly minLength: number;
  /** The greatest length, in code points; may be infinite. */
  readonly maxLength: number;
  /** Regular expressions that are found in the text: JSON Schema's `pattern`, which is not anchored. */
  readonly patterns: readonly string[];
  /** Regular expressions that are not found in the text. */
  readonly notPatterns: readonly string[];
  /** Names of formats that the text is valid for. */
  readonly formats: readonly string[];
  /** Names of formats that the text is not valid for. */
  readonly notFormats: readonly string[];
  /** Texts that it is not. */
  readonly except: ReadonlySet<string>;
}

/** Nothing is known of a string. */
export const anyText: TextFacts = {
  minLength: 0,
  maxLength: Infinity,
  patterns: [],
  notPatterns: [],
  formats: [],
  notFormats: [],
  except: new Set(),
};

/** The facts with their patterns read. */
export interface ReadFacts extends Omit<TextFacts, 'patterns' | 'notPatterns'> {
  readonly patterns: readonly Pattern[];
  readonly notPatterns: readonly Pattern[];
}

/** The facts with the engine's reading of their patterns. */
interface JudgedFacts extends Omit<TextFacts, 'patterns' | 'notPatterns'> {
  readonly patterns: readonly Pick<Pattern, 'regExp'>[];
  readonly notPatterns: readonly Pick<Pattern, 'regExp'>[];
}

/** Judges texts by the facts, as a validator would: with the engine's regular expressions and the real checks of the formats. */
export function judgeBy(facts: JudgedFacts): (text: string) => boolean {
  const formats = facts.formats.map(checksText);
  const notFormats = facts.notFormats.map(toleratesText);
  return (text) =>
    hasLength(text, facts.minLength, facts.maxLength) &&
    !facts.except.has(text) &&
    facts.patterns.every(({ regExp }) => regExp.test(text)) &&
    facts.notPatterns.every(({ regExp }) => !regExp.test(text)) &&
    // A format without a check accepts every text.
    formats.every((check) => check?.(text) ?? true) &&
    notFormats.every((check) => !(check?.(text) ?? true));
}

/** The facts as the end of a sentence: `no text …`. */
export function describeFacts(facts: Omit<ReadFacts, 'formats' | 'notFormats'> & Partial<ReadFacts>): string {
  const { formats = [], notFormats = [] } = facts;
  const clauses = [
    ...facts.patterns.map(({ source }) => `matches ${source}`),
    ...facts.notPatterns.map(({ source }) => `does not match ${source}`),
    ...formats.map((format) => `is a valid ${format}`),
    ...notFormats.map((format) => `is not a valid ${format}`),
    ...(facts.minLength > 0 ? [`is at least ${facts.minLength} long`] : []),
    ...(Number.isFinite(facts.maxLength) ? [`is at most ${facts.maxLength} long`] : []),
    ...(facts.except.size > 0
      ? [
          `is none of ${[...facts.except]
            .slice(0, 5)
            .map((text) => JSON.stringify(text))
            .join(', ')}${facts.except.size > 5 ? ', …' : ''}`,
        ]
      : []),
  ];
  const last = clauses.at(-1) ?? 'exists';
  return clauses.length < 2 ? last : `${clauses.slice(0, -1).join(', ')} and ${last}`;
}

/** The number of code points of a text: the length that JSON Schema counts. */
export function lengthOf(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length - 1; i += 1) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) length -= 1;
  }
  return length;
}

function hasLength(text: string, min: number, max: number): boolean {
  // A code point takes one or two units, which often settles it without counting.
  if (text.length < min || text.length > 2 * max) return false;
  if (text.length >= 2 * min && text.length <= max) return true;
  const length = lengthOf(text);
  return length >= min && length <= max;
}

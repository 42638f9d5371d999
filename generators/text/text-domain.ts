/** The texts of a domain: their conditions, their membership test, and their description in messages. */

import { printJson } from '../../core/json.ts';
import { lenientTextCheckOf, textCheckOf } from '../../core/openapi/formats.ts';
import { compileExpression } from '../../core/safe-regexp.ts';

/** The strings that meet all of these conditions. */
export interface TextDomain {
  /** Minimum length in code points. */
  readonly minLength: number;
  /** Maximum length in code points; may be infinite. */
  readonly maxLength: number;
  /** Regular expressions that match somewhere in the text, as JSON Schema's unanchored `pattern` does. */
  readonly patterns: readonly string[];
  /** Regular expressions that match nowhere in the text. */
  readonly notPatterns: readonly string[];
  /** Formats that the text is valid for. Each has a check, as those of `notFormats`. */
  readonly formats: readonly string[];
  /** Formats that the text is invalid for. */
  readonly notFormats: readonly string[];
  readonly excluded: ReadonlySet<string>;
}

/** The domain of every string. */
export const anyText: TextDomain = {
  minLength: 0,
  maxLength: Infinity,
  patterns: [],
  notPatterns: [],
  formats: [],
  notFormats: [],
  excluded: new Set(),
};

/**
 * The membership test, as a validator applies it: regular expressions of the engine and real format checks.
 * @throws {SyntaxError} when the engine rejects a pattern.
 */
export function textPredicate(domain: TextDomain): (text: string) => boolean {
  const patterns = domain.patterns.map(compileExpression);
  const notPatterns = domain.notPatterns.map(compileExpression);
  const formats = domain.formats.flatMap((format) => textCheckOf(format) ?? []);
  const notFormats = domain.notFormats.flatMap((format) => lenientTextCheckOf(format) ?? []);
  return (text) =>
    hasLength(text, domain.minLength, domain.maxLength) &&
    !domain.excluded.has(text) &&
    patterns.every((pattern) => pattern.test(text)) &&
    notPatterns.every((pattern) => !pattern.test(text)) &&
    formats.every((check) => check(text)) &&
    notFormats.every((check) => !check(text));
}

/** The domain as the end of a sentence: `no text …`. */
export function describeTextDomain(domain: TextDomain): string {
  const clauses = [
    ...domain.patterns.map((pattern) => `matches ${pattern}`),
    ...domain.notPatterns.map((pattern) => `does not match ${pattern}`),
    ...domain.formats.map((format) => `is a valid ${format}`),
    ...domain.notFormats.map((format) => `is not a valid ${format}`),
    ...(domain.minLength > 0 ? [`is at least ${domain.minLength} long`] : []),
    ...(Number.isFinite(domain.maxLength) ? [`is at most ${domain.maxLength} long`] : []),
    ...(domain.excluded.size > 0
      ? [
          `is none of ${[...domain.excluded]
            .slice(0, 5)
            .map((text) => printJson(text))
            .join(', ')}${domain.excluded.size > 5 ? ', …' : ''}`,
        ]
      : []),
  ];
  const last = clauses.at(-1) ?? 'exists';
  return clauses.length < 2 ? last : `${clauses.slice(0, -1).join(', ')} and ${last}`;
}

/** The length in code points, as JSON Schema counts it. */
function lengthOf(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length - 1; i += 1) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) length -= 1;
  }
  return length;
}

function hasLength(text: string, min: number, max: number): boolean {
  // A code point has one or two units, so most texts need no counting.
  if (text.length < min || text.length > 2 * max) return false;
  if (text.length >= 2 * min && text.length <= max) return true;
  const length = lengthOf(text);
  return length >= min && length <= max;
}

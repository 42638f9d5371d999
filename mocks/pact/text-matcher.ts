/** Matchers for texts: the patterns, formats and lists of a schema as regular expressions that every Pact implementation reads. */

import type { JsonObject } from '../../core/json.ts';
import type { Promised } from './promise.ts';

/** Formats that a regular expression says. Each accepts all that the format does, and what no calendar has besides. */
const formats: Readonly<Record<string, string>> = {
  'date-time': '^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?([Zz]|[+-]\\d{2}:\\d{2})$',
  'date-time-local': '^\\d{4}-\\d{2}-\\d{2}[T ]\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?$',
  date: '^\\d{4}-\\d{2}-\\d{2}$',
};

/** The matchers of a text, which all hold; none when any text will do. */
export function textMatchers({
  values,
  patterns,
  formats: named,
}: Pick<Promised, 'values' | 'patterns' | 'formats'>): readonly JsonObject[] {
  const texts = values?.filter((value) => typeof value === 'string');
  if (texts !== undefined && texts.length > 0) return [toMatcher(`^(${texts.map(escapeText).join('|')})$`)];
  const known = named.flatMap((name) => (Object.hasOwn(formats, name) ? [formats[name] ?? ''] : []));
  return [...known, ...patterns.filter(isPortable).map(toPortable)].map(toMatcher);
}

function toMatcher(regex: string): JsonObject {
  return { match: 'regex', regex };
}

function escapeText(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/**
 * Whether a pattern means the same everywhere: the engines of Pact know neither look-around nor references to groups, have other words for characters
 * by number, and read a bracket within brackets otherwise.
 */
function isPortable(pattern: string): boolean {
  return !/\(\?(?!:)|\\[1-9ckuxpPbB]|\[[^\]]*\[|&&|\[\^?\]/.test(pattern);
}

/** A slash needs no escape, and some engines refuse one. */
function toPortable(pattern: string): string {
  return pattern.replaceAll('\\/', '/');
}

/** Rules for keywords about the form of texts: `pattern`, `format`, and what texts encode. */

import type { Json } from '../../core/json.ts';
import { demandsOf, type Effect, effectOf, type SchemaEdit, show, sides, type Two } from './schema-edit.ts';
import type { View } from './schema-view.ts';

/** Compares patterns, formats and encodings. */
export function compareTexts(two: Two): void {
  comparePatterns(two);
  compareFormats(two);
  for (const keyword of ['contentEncoding', 'contentMediaType']) compareEncoding(two, keyword);
}

function statedIn(view: View, keyword: string): readonly Json[] {
  return (view.keywords.get(keyword) ?? []).map(({ value }) => value);
}

function isSame(two: Two, keyword: string): boolean {
  return JSON.stringify(statedIn(two.old, keyword).toSorted()) === JSON.stringify(statedIn(two.new, keyword).toSorted());
}

/** A pattern describes what texts look like; hardly any client checks those that it receives. */
const patternLevels = { response: 'risky' } as const;

function comparePatterns(two: Two): void {
  if (isSame(two, 'pattern')) return;
  const [before, after] = [statedIn(two.old, 'pattern'), statedIn(two.new, 'pattern')];
  const demands = demandsOf(two, 'pattern');
  const effect = compared(two, demands);
  two.report({
    ...sides(two, 'pattern'),
    rule: before.length === 0 ? 'pattern-added' : after.length === 0 ? 'pattern-removed' : 'pattern-changed',
    effect,
    subject: 'pattern',
    text: `the pattern changed from ${before.map(show).join(' and ') || 'nothing'} to ${after.map(show).join(' and ') || 'nothing'}`,
    demands,
    ...(effect === 'narrower' ? {} : { levels: patternLevels }),
    ...(effect === 'narrower' ? {} : { reason: 'Only clients that check what texts look like notice.' }),
  });
}

/** What a change of demands does, as far as it is proved that no text is lost, or none is gained. */
function compared(two: Two, { old = true, new: next = true }: NonNullable<SchemaEdit['demands']>): Effect {
  return effectOf(!two.includes(old, next), !two.includes(next, old));
}

/** Formats whose values are all values of another (OpenAPI 3.1 §4.4, OpenAPI format registry). */
const within: Readonly<Record<string, readonly string[]>> = {
  int8: ['int16', 'int32', 'int64'],
  int16: ['int32', 'int64'],
  int32: ['int64'],
  uint8: ['int16', 'int32', 'int64', 'uint16', 'uint32', 'uint64'],
  uint16: ['int32', 'int64', 'uint32', 'uint64'],
  uint32: ['int64', 'uint64'],
  float: ['double'],
  email: ['idn-email'],
  hostname: ['idn-hostname'],
  uri: ['uri-reference', 'iri', 'iri-reference'],
  'uri-reference': ['iri-reference'],
  iri: ['iri-reference'],
};

/** Formats that tell tools how to show or to carry a text, and say nothing of which texts there are. */
const hints: ReadonlySet<string> = new Set(['password', 'binary', 'byte', 'html', 'markdown', 'commonmark', 'textarea']);

function compareFormats(two: Two): void {
  if (isSame(two, 'format')) return;
  const [before, after] = [statedIn(two.old, 'format').map(String), statedIn(two.new, 'format').map(String)];
  const isHint = [...before, ...after].every((format) => hints.has(format)) && (before.length === 0 || after.length === 0);
  two.report({
    ...sides(two, 'format'),
    rule: before.length === 0 ? 'format-added' : after.length === 0 ? 'format-removed' : 'format-changed',
    effect: formatEffect(before, after),
    subject: 'format',
    text: `the format changed from ${before.join(' and ') || 'nothing'} to ${after.join(' and ') || 'nothing'}`,
    demands: demandsOf(two, 'format'),
    ...(isHint ? { levels: { request: 'risky', response: 'risky' } as const } : {}),
  });
}

function formatEffect(before: readonly string[], after: readonly string[]): Effect {
  if (before.length === 0) return 'narrower';
  if (after.length === 0) return 'wider';
  const isInside = (some: readonly string[], others: readonly string[]): boolean =>
    others.every((other) => some.some((format) => format === other || (within[format] ?? []).includes(other)));
  return effectOf(!isInside(before, after), !isInside(after, before));
}

function compareEncoding(two: Two, keyword: string): void {
  if (isSame(two, keyword)) return;
  two.report({
    ...sides(two, keyword),
    rule: keyword === 'contentEncoding' ? 'content-encoding-changed' : 'content-media-type-changed',
    effect: 'both',
    subject: keyword,
    text: `${keyword} changed from ${statedIn(two.old, keyword).map(show).join() || 'nothing'} to ${statedIn(two.new, keyword).map(show).join() || 'nothing'}`,
    reason: 'Whoever decodes the text decodes it wrongly.',
  });
}

/** Rules for keywords that allow and forbid nothing: defaults, marks, words for people, promises of an end, and extensions. */

import type { Level } from '../../core/change.ts';
import { isCalendarDate } from '../../core/instant.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { type SchemaEdit, show, sides, type Two, toKebab, valuesOf, verbOf } from './schema-edit.ts';

type Judged = Pick<SchemaEdit, 'levels' | 'reason'>;

/** The same level in both halves of an exchange. */
function always(level: Level, reason?: string): Judged {
  return { levels: { request: level, response: level }, ...(reason === undefined ? {} : { reason }) };
}

const hidden = 'Which half of an exchange carries it changed, and not what is allowed there.';

/** By keyword. */
const notes: Readonly<Record<string, Judged>> = {
  title: always('documentation'),
  description: always('documentation'),
  $comment: always('documentation'),
  example: always('documentation'),
  examples: always('documentation'),
  externalDocs: always('documentation'),
  xml: always('risky', 'Bodies in XML are written otherwise.'),
  default: {
    levels: { request: 'risky', response: 'compatible' },
    reason: 'A request that leaves it out may come to mean something else.',
  },
  deprecated: always('compatible'),
  readOnly: always('compatible', hidden),
  writeOnly: always('compatible', hidden),
  discriminator: always('compatible', 'It tells readers which schema to expect; what is allowed is told by the schemas.'),
  contentSchema: always('risky'),
};

/** Compares what is neither a demand nor a structure. */
export function compareNotes(two: Two): void {
  for (const keyword of new Set([...two.old.keywords.keys(), ...two.new.keywords.keys()])) {
    const judged = notes[keyword] ?? (keyword.startsWith('x-') ? always('documentation') : undefined);
    const [old, next] = [valuesOf(two.old, keyword), valuesOf(two.new, keyword)];
    if (judged === undefined || two.comparedElsewhere.has(keyword) || JSON.stringify(old) === JSON.stringify(next)) continue;
    if (keyword === 'x-extensible-enum') compareExtensible(two, old[0], next[0]);
    else if (keyword === 'x-sunset') compareSunset(two, old[0], next[0]);
    else reportNote(two, keyword, judged, old[0], next[0]);
  }
}

function reportNote(two: Two, keyword: string, judged: Judged, before: Json | undefined, after: Json | undefined): void {
  const verb = verbOf(before, after);
  const isShort = typeof before !== 'object' && typeof after !== 'object' && keyword !== 'description';
  const happened = verb === 'changed' ? verb : `was ${verb}`;
  two.report({
    ...sides(two, keyword),
    rule: `${keyword.startsWith('x-') ? `extension-${keyword}` : toKebab(keyword).replace('$', '')}-${verb}`,
    effect: 'none',
    text: isShort ? `${keyword} changed from ${show(before)} to ${show(after)}` : `${keyword} ${happened}`,
    ...judged,
  });
}

/** The day on which a property ends. */
function compareSunset(two: Two, before: Json | undefined, after: Json | undefined): void {
  const isUnreadable = after !== undefined && endingOf({ 'x-sunset': after }).kind === 'unreadable';
  const isWithdrawn = after === undefined && valuesOf(two.new, 'deprecated')[0] === true;
  two.report({
    ...sides(two, 'x-sunset'),
    rule: isUnreadable ? 'sunset-unreadable' : isWithdrawn ? 'sunset-removed' : 'sunset-changed',
    effect: 'none',
    text: isUnreadable
      ? `the day of its end, ${show(after)}, is no date`
      : `the day of its end changed from ${show(before)} to ${show(after)}`,
    ...(isUnreadable || isWithdrawn ? always('breaking', 'Nobody can prepare for an end that is not told.') : always('compatible')),
  });
}

/** Lists that may grow: a client sends only what is listed, so what goes is missed. */
function compareExtensible(two: Two, before: Json | undefined, after: Json | undefined): void {
  const listIn = (value: Json | undefined): ReadonlySet<string> => {
    const list = Array.isArray(value) ? (value as readonly Json[]) : isObject(value) ? Object.keys(value) : [];
    return new Set(list.map((each) => JSON.stringify(each)));
  };
  const [old, next] = [listIn(before), listIn(after)];
  for (const value of new Set([...old, ...next])) {
    const isGone = !next.has(value);
    if (old.has(value) && (!isGone || next.size === 0)) continue;
    two.report({
      ...sides(two, 'x-extensible-enum'),
      rule: `extensible-enum-value-${isGone ? 'removed' : 'added'}`,
      effect: 'none',
      subject: value,
      text: `the value ${value} is ${isGone ? 'gone from' : 'new in'} the extensible list`,
      levels: { request: isGone ? 'breaking' : 'compatible', response: 'compatible' },
    });
  }
}

/** What was promised of an end. */
export type Ending =
  | { readonly kind: 'none' }
  | { readonly kind: 'deprecated' }
  | { readonly kind: 'dated'; readonly day: string }
  | { readonly kind: 'unreadable'; readonly text: string };

/** The promise of an end that something carries: `deprecated`, or the day of it in `x-sunset`. */
export function endingOf(value: JsonObject): Ending {
  const sunset = value['x-sunset'];
  if (sunset === undefined) return { kind: value['deprecated'] === true ? 'deprecated' : 'none' };
  // A date, or the date of an instant.
  const text = String(sunset);
  const day = /^(\d{4}-\d{2}-\d{2})(?:[T ].*)?$/.exec(text)?.[1];
  return day !== undefined && isCalendarDate(day) ? { kind: 'dated', day } : { kind: 'unreadable', text };
}

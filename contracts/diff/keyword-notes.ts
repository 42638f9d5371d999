/** Rules for keywords that allow and forbid nothing: defaults, marks, words for people, and extensions. */

import type { HalfOfExchange, Level } from '../../core/change.ts';
import { isObject, type Json } from '../../core/json.ts';
import { endingOf } from './ending.ts';
import { show, sides, type Two } from './schema-edit.ts';

type Levels = Partial<Readonly<Record<HalfOfExchange, Level>>>;

interface Note {
  readonly rule: string;
  readonly levels: Levels;
  readonly reason?: string;
}

const words: Levels = { request: 'documentation', response: 'documentation' };
const marks: Levels = { request: 'compatible', response: 'compatible' };

const notes: Readonly<Record<string, Note>> = {
  title: { rule: 'title', levels: words },
  description: { rule: 'description', levels: words },
  $comment: { rule: 'comment', levels: words },
  example: { rule: 'example', levels: words },
  examples: { rule: 'examples', levels: words },
  externalDocs: { rule: 'external-docs', levels: words },
  xml: { rule: 'xml', levels: { request: 'risky', response: 'risky' }, reason: 'Bodies in XML are written otherwise.' },
  default: {
    rule: 'default',
    levels: { request: 'risky', response: 'compatible' },
    reason: 'A request that leaves it out may come to mean something else.',
  },
  deprecated: { rule: 'deprecated', levels: marks },
  readOnly: { rule: 'read-only', levels: marks, reason: 'Which half of an exchange carries it changed, and not what is allowed there.' },
  writeOnly: { rule: 'write-only', levels: marks, reason: 'Which half of an exchange carries it changed, and not what is allowed there.' },
  discriminator: {
    rule: 'discriminator',
    levels: marks,
    reason: 'It tells readers which schema to expect; what is allowed is told by the schemas.',
  },
  contentSchema: { rule: 'content-schema', levels: { request: 'risky', response: 'risky' } },
};

/** Compares what is neither a demand nor a structure. */
export function compareNotes(two: Two): void {
  const named = new Set([...two.old.keywords.keys(), ...two.new.keywords.keys()]);
  for (const keyword of named) {
    const note = notes[keyword] ?? (keyword.startsWith('x-') ? noteOfExtension(keyword) : undefined);
    if (note === undefined || two.comparedElsewhere.has(keyword)) continue;
    const [before, after] = [two.old, two.new].map((view) => view.keywords.get(keyword)?.map(({ value }) => value));
    if (JSON.stringify(before) === JSON.stringify(after)) continue;
    if (keyword === 'x-extensible-enum') compareExtensible(two);
    else if (keyword === 'x-sunset') compareSunset(two, before?.[0], after?.[0]);
    else reportNote(two, keyword, note, before?.[0], after?.[0]);
  }
}

function reportNote(two: Two, keyword: string, note: Note, before: Json | undefined, after: Json | undefined): void {
  const verb = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
  const isShort = typeof before !== 'object' && typeof after !== 'object' && keyword !== 'description';
  two.report({
    ...sides(two, keyword),
    rule: `${note.rule}-${verb}`,
    effect: 'none',
    subject: keyword,
    text: isShort
      ? `${keyword} changed from ${show(before)} to ${show(after)}`
      : `${keyword} ${verb === 'changed' ? 'changed' : `was ${verb}`}`,
    levels: note.levels,
    ...(note.reason === undefined ? {} : { reason: note.reason }),
  });
}

/** The day on which a property ends. */
function compareSunset(two: Two, before: Json | undefined, after: Json | undefined): void {
  const isUnreadable = after !== undefined && endingOf({ 'x-sunset': after }).kind === 'unreadable';
  const isWithdrawn = after === undefined && two.new.keywords.get('deprecated')?.[0]?.value === true;
  const level = isUnreadable || isWithdrawn ? 'breaking' : 'compatible';
  two.report({
    ...sides(two, 'x-sunset'),
    rule: isUnreadable ? 'sunset-unreadable' : isWithdrawn ? 'sunset-removed' : 'sunset-changed',
    effect: 'none',
    subject: 'x-sunset',
    text: isUnreadable
      ? `the day of its end, ${show(after)}, is no date`
      : `the day of its end changed from ${show(before)} to ${show(after)}`,
    levels: { request: level, response: level },
    ...(level === 'breaking' ? { reason: 'Nobody can prepare for an end that is not told.' } : {}),
  });
}

function noteOfExtension(keyword: string): Note {
  return { rule: `extension-${keyword}`, levels: words };
}

/** Lists that may grow: a client sends only what is listed, so what goes is missed. */
function compareExtensible(two: Two): void {
  const [old, next] = [two.old, two.new].map((view) => {
    const value = view.keywords.get('x-extensible-enum')?.[0]?.value;
    return new Set(
      (Array.isArray(value) ? (value as readonly Json[]) : isObject(value) ? Object.keys(value) : []).map((each) => JSON.stringify(each)),
    );
  });
  for (const value of old ?? [])
    if (next?.has(value) === false && next.size > 0)
      two.report({
        ...sides(two, 'x-extensible-enum'),
        rule: 'extensible-enum-value-removed',
        effect: 'none',
        subject: value,
        text: `the value ${value} is gone from the extensible list`,
        levels: { request: 'breaking', response: 'compatible' },
      });
  for (const value of next ?? [])
    if (old?.has(value) !== true)
      two.report({
        ...sides(two, 'x-extensible-enum'),
        rule: 'extensible-enum-value-added',
        effect: 'none',
        subject: value,
        text: `the value ${value} is new in the extensible list`,
        levels: { request: 'compatible', response: 'compatible' },
      });
}

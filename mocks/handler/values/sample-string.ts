/**
 * Makes texts that people can look at: by their format, else by the name of the member, else the word `string`. If none of these matches the pattern, the text
 * comes from the pattern.
 */

import type { JsonObject } from '../../../core/json.ts';
import { compileExpression } from '../../../core/safe-regexp.ts';
import { prismSample } from '../prism/load-prism.ts';
import type { Draw } from './draw.ts';

interface Variation {
  readonly nowMs: number;
  readonly draw?: Draw | undefined;
}

interface StringOptions extends Variation {
  readonly patternText: (bounds: JsonObject) => string | undefined;
}

/** A text within its bounds. */
export function sampleString(bounds: JsonObject, name: string, options: StringOptions): string {
  const { format, pattern } = bounds;
  const known = typeof format === 'string' ? formatted(format, bounds, options) : undefined;
  const candidates = known === undefined ? [named(name, options), options.draw?.oneOf(words) ?? 'string'] : spellings(known, bounds);
  const fitting = candidates.flatMap((text) => (text === undefined ? [] : [fitLength(text, bounds, known !== undefined)]));
  if (typeof pattern !== 'string') return fitting[0] ?? '';
  return fitting.find((text) => matches(pattern, text)) ?? options.patternText(bounds) ?? fitting[0] ?? '';
}

/** An instant with and without milliseconds, as far as it fits; other texts as they are. */
function spellings(text: string, { maxLength }: JsonObject): readonly string[] {
  const shorter = text.replace(/(T\S+)\.\d+Z$/, '$1Z');
  return shorter === text ? [text] : [text, shorter].filter(({ length }) => typeof maxLength !== 'number' || length <= maxLength);
}

function matches(pattern: string, text: string): boolean {
  try {
    return compileExpression(pattern).test(text);
  } catch {
    // A pattern that cannot be compiled is reported when the response is judged.
    return true;
  }
}

/** A text of a format; Prism's, except for dates near the clock. */
function formatted(format: string, bounds: JsonObject, { nowMs, draw }: Variation): string | undefined {
  // With milliseconds, as many servers print instants: some clients demand them, and few refuse them.
  const instant = new Date(nowMs - (draw?.whole(0, 30 * 86_400) ?? 0) * 1000).toISOString();
  if (format === 'date-time') return instant;
  if (format === 'date') return instant.slice(0, 10);
  if (format === 'time') return instant.slice(11).replace('.000Z', 'Z');
  if (format === 'duration') return `P${draw?.whole(1, 30) ?? 1}D`;
  if (format === 'byte' || format === 'base64') return Buffer.from(draw?.oneOf(words) ?? 'string').toString('base64');
  if (format === 'decimal') return '1.00';
  if (format === 'url') return 'https://example.com';
  const varied = draw === undefined ? undefined : variedFormat(format, draw);
  if (varied !== undefined) return varied;
  const text = prismSample()({ type: 'string', format, ...lengths(bounds) });
  return knownFormats.has(format) ? String(text) : undefined;
}

const knownFormats = new Set(
  'email idn-email password ipv4 ipv6 hostname idn-hostname iri iri-reference uri uri-reference uri-template uuid json-pointer relative-json-pointer regex'.split(
    ' ',
  ),
);

function lengths({ minLength, maxLength }: JsonObject): { readonly minLength?: number; readonly maxLength?: number } {
  return { ...(typeof minLength === 'number' ? { minLength } : {}), ...(typeof maxLength === 'number' ? { maxLength } : {}) };
}

function variedFormat(format: string, draw: Draw): string | undefined {
  const byte = (): number => draw.whole(0, 255);
  const hex = (length: number): string => Array.from({ length }, () => draw.whole(0, 15).toString(16)).join('');
  const makers: Readonly<Record<string, () => string>> = {
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
    email: () => `${draw.oneOf(people)?.[0].toLowerCase()}${draw.whole(1, 99)}@example.com`,
    ipv4: () => `192.168.${byte()}.${byte()}`,
    uri: () => `https://example.com/${draw.oneOf(words)}/${draw.whole(1, 999)}`,
    hostname: () => `${draw.oneOf(words)}.example.com`,
  };
  return makers[format]?.();
}

/** A text by the name of its member. */
function named(name: string, { nowMs, draw }: Variation): string | undefined {
  const plain = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[-\s.]+/g, '_');
  const rule = rules.find(([pattern]) => pattern.test(plain));
  if (rule === undefined) return undefined;
  const person = draw?.oneOf(people) ?? people[0];
  return rule[1]({ nowMs, draw, first: person?.[0] ?? '', last: person?.[1] ?? '' });
}

interface Hints extends Variation {
  readonly first: string;
  readonly last: string;
}

/** What the last words of a name usually hold. */
const rules: readonly (readonly [RegExp, (hints: Hints) => string])[] = [
  [/(^|_)e?mail(_address)?$/, ({ first, last }) => `${first}.${last}@example.com`.toLowerCase()],
  [/(^|_)(first|given)_?name$/, ({ first }) => first],
  [/(^|_)(last|family|sur)_?name$/, ({ last }) => last],
  [/^(full|display|customer|contact|author|owner)_?name$|^name$/, ({ first, last }) => `${first} ${last}`],
  [/(^|_)(user_?name|login|nick_?name)$/, ({ first }) => first.toLowerCase()],
  [/(^|_)(phone|mobile|fax)(_?number)?$/, ({ draw }) => `+1-202-555-0${draw?.whole(100, 199) ?? 142}`],
  [/(^|_)city$/, ({ draw }) => draw?.oneOf(cities)?.[0] ?? 'Berlin'],
  [/(^|_)country_?code$/, ({ draw }) => draw?.oneOf(cities)?.[2] ?? 'DE'],
  [/(^|_)country$/, ({ draw }) => draw?.oneOf(cities)?.[1] ?? 'Germany'],
  [/(^|_)(street|address|address_?line_?1|street_?address)$/, ({ draw }) => `${draw?.whole(1, 99) ?? 12} Main Street`],
  [/(^|_)(zip|zip_?code|postal_?code|post_?code)$/, ({ draw }) => String(draw?.whole(10_000, 99_999) ?? 10_115)],
  [/(^|_)currency(_?code)?$/, ({ draw }) => draw?.oneOf(['EUR', 'USD', 'GBP', 'JPY']) ?? 'EUR'],
  [/(^|_)(locale|language|lang)$/, () => 'en'],
  [/(^|_)time_?zone$/, () => 'Europe/Berlin'],
  [/(^|_)(url|uri|link|href|website|homepage)$/, ({ draw }) => `https://example.com${draw === undefined ? '' : `/${draw.whole(1, 999)}`}`],
  [/(^|_)(uuid|guid)$/, ({ draw }) => (draw === undefined ? uuid : (variedFormat('uuid', draw) ?? uuid))],
  [
    /(^|_)(created|updated|deleted|modified|started|finished|expires|published)(_at|_on|_time)?$|_at$|(^|_)timestamp$/,
    (hints) => formatted('date-time', {}, hints) ?? '',
  ],
  [/(^|_)date$/, (hints) => formatted('date', {}, hints) ?? ''],
  [/(^|_)(colou?r)$/, () => '#336699'],
];

const uuid = '5b8e2c1a-7d4f-4a9e-8c3b-2f6d1e0a9b7c';

const people: readonly (readonly [string, string])[] = [
  ['Ada', 'Lovelace'],
  ['Alan', 'Turing'],
  ['Grace', 'Hopper'],
  ['Edsger', 'Dijkstra'],
  ['Barbara', 'Liskov'],
  ['Donald', 'Knuth'],
];

const cities: readonly (readonly [string, string, string])[] = [
  ['Berlin', 'Germany', 'DE'],
  ['Rome', 'Italy', 'IT'],
  ['Lisbon', 'Portugal', 'PT'],
  ['Oslo', 'Norway', 'NO'],
  ['Kyoto', 'Japan', 'JP'],
];

const words: readonly string[] = 'amber birch cedar delta ember fjord grove harbor island juniper lagoon meadow'.split(' ');

/** A text that is neither too short nor too long. Formats are not lengthened, since that would break them. */
function fitLength(text: string, { minLength, maxLength }: JsonObject, isFormatted: boolean): string {
  const least = typeof minLength === 'number' ? Math.min(minLength, 100_000) : 0;
  const longer = text.length >= least || isFormatted ? text : text.repeat(Math.ceil(least / text.length)).slice(0, least);
  return typeof maxLength === 'number' && longer.length > maxLength ? longer.slice(0, maxLength) : longer;
}

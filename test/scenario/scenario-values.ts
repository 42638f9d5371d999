/** Values of an answer: their kinds and order, the place of one in the answer, and the values that earlier steps saved. */

import type { ScenarioAnswer } from './scenario-http.ts';
import { ScenarioError } from './scenario-source.ts';

/** A JSON object. */
export type ObjectValue = Readonly<Record<string, unknown>>;

/** True for a JSON object (neither an array nor null). */
export const isObject = (value: unknown): value is ObjectValue => typeof value === 'object' && value !== null && !Array.isArray(value);

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/;

/** True for a date-time with an offset from UTC. */
const isInstant = (value: unknown): value is string => typeof value === 'string' && INSTANT.test(value) && !Number.isNaN(Date.parse(value));

/** True for a day of the calendar, written YYYY-MM-DD. */
const isDate = (value: unknown): boolean => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && isRealDay(value);

/** The kinds that `!any` knows, by the name a scenario uses. */
export const KINDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  'non-empty string': (value) => typeof value === 'string' && value !== '',
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  object: isObject,
  array: (value) => Array.isArray(value),
  instant: isInstant,
  date: isDate,
  time: (value) => typeof value === 'string' && /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value),
  timestamp: (value) => typeof value === 'string' && isDate(value.slice(0, 10)) && /^.{10} (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(value),
  null: (value) => value === null,
  absent: (value) => value === undefined,
};

/** Negative when `a` comes first, 0 when neither does, and undefined when the two cannot be compared. Instants compare as instants. */
export const compareValues = (a: unknown, b: unknown): number | undefined => {
  if (isInstant(a) && isInstant(b)) return Date.parse(a) - Date.parse(b);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : Number(a > b);
  return undefined;
};

/** True for equal JSON values, whatever the order of their members. */
export const sameValue = (a: unknown, b: unknown): boolean => {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, index) => sameValue(item, b[index]));
  if (!isObject(a) || !isObject(b)) return a === b;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && sameValue(a[name], b[name]));
};

const PERSONAL: readonly string[] = ['name', 'phone', 'email', 'notes'];

/** A value as a message prints it; what could be somebody's name, address or notes is left out. */
export const show = (value: unknown, at = ''): string => {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string' && PERSONAL.includes(at.slice(at.lastIndexOf('/') + 1))) return '‹personal›';
  return JSON.stringify(value, (key, member: unknown) => (PERSONAL.includes(key) && typeof member === 'string' ? '‹personal›' : member));
};

// Date.parse rolls 30 February over to March in some spellings, so the day is read back and compared.
const isRealDay = (day: string): boolean => {
  const milliseconds = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().slice(0, 10) === day;
};

/** The result of a step: the answer to one request, or the list that a pagination gathered. */
export interface StepOutcome {
  /** The answer of a single request; a pagination has none. */
  readonly answer: ScenarioAnswer | undefined;
  /** The parsed body of the answer, or the list that the pagination gathered. */
  readonly body: unknown;
  /** The keys that went out with the request, in case the answer repeats one. */
  readonly sentKeys: readonly string[];
}

/** A place of an outcome, as written. */
export type OutcomePlace = string;

const FORM = /^(?:body|record|(?:record )?\/\S*|header [a-z0-9-]+)$/;

/** Checks the spelling of a place. */
export const parsePlace = (text: string, where: string): OutcomePlace => {
  if (FORM.test(text)) return text;
  throw new ScenarioError(
    `${where}: "${text}" is no place; write /a/pointer, body, record, record /a/pointer or header name (in small letters)`,
  );
};

/** The value at a place, or undefined when there is none. */
export const readPlace = (outcome: StepOutcome, place: OutcomePlace): unknown => {
  if (place === 'body') return outcome.body;
  if (place.startsWith('header ')) return outcome.answer?.headers[place.slice('header '.length)];
  if (place.startsWith('record')) return readPointer(recordOf(outcome.body), place.slice('record'.length).trim());
  return readPointer(outcome.body, place);
};

/** The value that a JSON pointer leads to, or undefined when it leads nowhere; the empty pointer is the value itself. */
export const readPointer = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((inner, segment) => {
      const name = segment.replaceAll('~1', '/').replaceAll('~0', '~');
      if (Array.isArray(inner)) return inner[Number(name)];
      return isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined;
    }, value);

// The documents do not say where the record of a single read sits: in `data.order`, in `data` itself, or at the top.
const RECORD_PLACES: readonly string[] = ['/data/order', '/data/reservation', '/data', ''];

/** The record of a single read, at the first of the places it may sit; it is known by its `id` or `slug`. */
export const recordOf = (body: unknown): unknown =>
  RECORD_PLACES.map((pointer) => readPointer(body, pointer)).find(
    (candidate) => isObject(candidate) && (Object.hasOwn(candidate, 'id') || Object.hasOwn(candidate, 'slug')),
  );

/** Values by the name they were saved under. */
export type Saved = ReadonlyMap<string, unknown>;

/** The value of a reference such as `orders` or `orders/0/id`; a name that nothing was saved under is an error. */
export const recall = (saved: Saved, reference: string): unknown => {
  const slash = reference.indexOf('/');
  const name = slash < 0 ? reference : reference.slice(0, slash);
  if (!saved.has(name))
    throw new Error(`nothing is saved under the name "${name}"; saved so far: ${[...saved.keys()].join(', ') || 'nothing'}`);
  const value = readPointer(saved.get(name), slash < 0 ? '' : reference.slice(slash));
  if (value === undefined) throw new Error(`the saved value "${reference}" does not exist`);
  return value;
};

/** Fills `{name}` in a path, percent-encoded unless it says `{name as written}`; letters beyond ASCII that the scenario itself wrote are encoded too. */
export const fillPath = (template: string, saved: Saved): string =>
  fill(template, (inner) => (inner.endsWith(AS_WRITTEN) ? readingOf(inner, saved) : encodeURIComponent(readingOf(inner, saved)))).replace(
    /[^\u0021-\u007e]+/g,
    encodeURIComponent,
  );

/** Fills `{name}` in a header's value, as it is. */
export const fillHeader = (template: string, saved: Saved): string => fill(template, (inner) => readingOf(inner, saved));

const fill = (template: string, read: (inner: string) => string): string =>
  template.replace(/\{([^{}]+)\}/g, (_, inner: string) => read(inner));

const AS_WRITTEN = ' as written';

const READINGS: Readonly<Record<string, (text: string) => string>> = {
  [AS_WRITTEN]: (text) => text,
  ' in UTC': (text) => toUtc(text),
  ' in capitals': (text) => text.toUpperCase(),
  ' last word': (text) => text.replace(/^.*[\s-](?=\S)/s, ''),
  ' as weak': (text) => `W/${text.replace(/^W\//, '')}`,
  ' cut short': (text) => text.slice(0, Math.floor(text.length / 2)),
  ' tampered with': (text) => tamper(text),
};

/** The words that may follow a name inside braces, each with its space in front. */
export const READING_NAMES: readonly string[] = Object.keys(READINGS);

const readingOf = (inner: string, saved: Saved): string => {
  const reading = Object.entries(READINGS).find(([suffix]) => inner.endsWith(suffix));
  const value = recall(saved, reading === undefined ? inner : inner.slice(0, -reading[0].length));
  if (typeof value !== 'string' && typeof value !== 'number')
    throw new Error(`{${inner}} is neither a text nor a number but ${show(value)}`);
  return reading === undefined ? String(value) : reading[1](String(value));
};

const toUtc = (text: string): string => {
  if (!isInstant(text)) throw new Error(`"${text}" is no date-time with an offset, so it has no spelling in UTC`);
  // The fraction is kept as it was written: a checkpoint that lost digits would be another instant.
  const fraction = /\.\d+/.exec(text)?.[0] ?? '';
  return `${new Date(Date.parse(text)).toISOString().slice(0, 19)}${fraction}Z`;
};

const tamper = (text: string): string => {
  const middle = Math.floor(text.length / 2);
  return `${text.slice(0, middle)}${text[middle] === 'A' ? 'B' : 'A'}${text.slice(middle + 1)}`;
};

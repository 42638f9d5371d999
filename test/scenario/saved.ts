/** Knows the values that earlier steps saved, and fills them into the paths and headers of later ones. */
import { readPointer } from './place.ts';
import { isInstant, show } from './value.ts';

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

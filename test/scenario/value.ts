/** Knows plain JSON values: what kind they are, which of two comes first, whether two are the same, and how to print one. */

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object (neither an array nor null). */
export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/;

/** Whether a value is a date-time that names its offset from UTC. */
export const isInstant = (value: unknown): value is string =>
  typeof value === 'string' && INSTANT.test(value) && !Number.isNaN(Date.parse(value));

/** Whether a value is a day of the calendar, written YYYY-MM-DD. */
export const isDate = (value: unknown): boolean => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && isRealDay(value);

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

/** Whether two JSON values say the same, whatever the order of their members. */
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

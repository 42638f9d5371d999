/** Dates and times by a format of Java, as Pact's matchers read them: each field alone, so 31 February is a date, and one digit stands for two. */

import { escapeExpression } from '../../../core/safe-regexp.ts';

/** A format as a pattern, and as Pact reads it. */
interface DateFormat {
  /** A pattern of texts that surely have the format. */
  readonly pattern: string;
  readonly matches: (text: string) => boolean;
}

/** One field of a format. Pact takes as much text as `taken` matches, and accepts it if it matches `allowed`. */
interface Field {
  readonly taken: string;
  readonly allowed: string;
  /** Pact ignores the case of words, but not that of literals and offsets. */
  readonly flags?: 'u';
  readonly part?: 'year' | 'month' | 'day';
  /** Spellings of the twelve months. */
  readonly months?: readonly string[];
}

/** Converts a format; `undefined` if Pact knows a letter that this check does not, such as the names of time zones. */
export function readDateFormat(format: string): DateFormat | undefined {
  const fields: Field[] = [];
  for (const [piece] of format.matchAll(/'(?:[^']|'')*'|([A-Za-z])\1*|[^A-Za-z']+/g)) {
    const field = /^[A-Za-z]/.test(piece) ? fieldOf(piece) : literal(unquote(piece));
    if (field === undefined) return undefined;
    fields.push(field);
  }
  const isCalendarDate = (['month', 'day'] as const).every((part) => fields.some((field) => field.part === part));
  const hasYear = fields.some(({ part }) => part === 'year');
  // Without a year, Pact takes one that is no leap year.
  const groups = calendar.filter(({ year: leapYears }) => hasYear || leapYears === undefined);
  const patterns = isCalendarDate ? groups.map((group) => patternOf(fields, group)) : [patternOf(fields)];
  return {
    pattern: `^(?:${patterns.join('|')})$`,
    matches: (text) => {
      const parts = partsOf(text, fields);
      return parts !== undefined && (!isCalendarDate || isInCalendar(parts, fields));
    },
  };
}

/** Days that certainly exist, grouped by the length of the month. */
interface DaysOfMonths {
  /** Indexes of the months. */
  readonly months: readonly number[];
  readonly day: string;
  readonly year?: string;
}

const calendar: readonly DaysOfMonths[] = [
  { months: [0, 2, 4, 6, 7, 9, 11], day: '0?[1-9]|[12]\\d|3[01]' },
  { months: [3, 5, 8, 10], day: '0?[1-9]|[12]\\d|30' },
  { months: [1], day: '0?[1-9]|1\\d|2[0-8]' },
  { months: [1], day: '29', year: '\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00' },
];

function patternOf(fields: readonly Field[], group?: DaysOfMonths): string {
  const written = fields.map(({ allowed, part, months: spellings }, index) => {
    const month = group?.months.map((each) => spellings?.[each] ?? allowed).join('|');
    const limited = { month, day: group?.day, year: group?.year }[part ?? 'year'];
    const pattern = part === undefined ? allowed : (limited ?? allowed);
    const isBeforeDigits = fields[index + 1]?.taken.startsWith('\\d') === true;
    // Pact takes two digits where it can, so between digits only full fields are certain.
    return `(?:${isBeforeDigits ? pattern.replaceAll('0?', '0').replace(/\\d\{1,(\d+)\}/, '\\d{$1}') : pattern})`;
  });
  return written.join('');
}

/** Splits a text by the fields; `undefined` if it does not have them. */
function partsOf(text: string, fields: readonly Field[]): ReadonlyMap<Field['part'], string> | undefined {
  const parts = new Map<Field['part'], string>();
  let rest = text;
  for (const { taken, allowed, part, flags = 'iu' } of fields) {
    const [taking] = new RegExp(`^(?:${taken})`, flags).exec(rest) ?? [];
    if (taking === undefined || !new RegExp(`^(?:${allowed})$`, flags).test(taking)) return undefined;
    parts.set(part, taking);
    rest = rest.slice(taking.length);
  }
  return rest === '' ? parts : undefined;
}

function isInCalendar(parts: ReadonlyMap<Field['part'], string>, fields: readonly Field[]): boolean {
  const spellings = fields.find(({ part }) => part === 'month')?.months ?? [];
  const month = spellings.findIndex((spelling) => new RegExp(`^(?:${spelling})$`, 'iu').test(parts.get('month') ?? ''));
  const date = new Date(0);
  date.setUTCFullYear(Number(parts.get('year') ?? 1970), month, Number(parts.get('day')));
  return date.getUTCMonth() === month;
}

function unquote(piece: string): string {
  if (piece === "''") return "'";
  return piece.startsWith("'") ? piece.slice(1, -1).replaceAll("''", "'") : piece;
}

function fieldOf(piece: string): Field | undefined {
  const { length } = piece;
  const field = Object.hasOwn(fieldsByLetter, piece.charAt(0)) ? fieldsByLetter[piece.charAt(0)]?.(length) : undefined;
  return field ?? offsets[piece];
}

function literal(text: string): Field {
  const taken = escapeExpression(text);
  return { taken, allowed: taken, flags: 'u' };
}

function digits(count: number, allowed: string = `\\d{1,${count}}`): Field {
  return { taken: `\\d{1,${count}}`, allowed };
}

function words(list: readonly string[]): Field {
  return { taken: list.join('|'), allowed: list.join('|') };
}

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const shortMonths = months.map((name) => name.slice(0, 3));
const shortDays = days.map((name) => name.slice(0, 3));

/** Two digits of a number. */
const two = (allowed: string) => (): Field => digits(2, allowed);
const year = (length: number): Field => ({ ...digits(length), part: 'year' });
const monthNumbers = Array.from({ length: 12 }, (_, index) => (index < 9 ? `0?${index + 1}` : String(index + 1)));
const monthNumber: Field = { ...digits(2, monthNumbers.join('|')), part: 'month', months: monthNumbers };
const monthName = (names: readonly string[]): Field => ({ ...words(names), part: 'month', months: names });
const many = (): Field => ({ taken: '\\d+', allowed: '\\d+' });

/** Fields by their letter and the number of letters. */
const fieldsByLetter: Readonly<Record<string, (length: number) => Field>> = {
  y: year,
  Y: year,
  u: year,
  M: (length) => (length <= 2 ? monthNumber : monthName(length === 3 ? shortMonths : months)),
  L: () => monthNumber,
  d: () => ({ ...digits(2, '0?[1-9]|[12]\\d|3[01]'), part: 'day' }),
  E: (length) => words(length <= 3 ? shortDays : days),
  a: () => words(['AM', 'PM']),
  G: () => words(['AD', 'BC']),
  H: two('0?\\d|1\\d|2[0-3]'),
  k: two('0?[1-9]|1\\d|2[0-4]'),
  h: two('0?[1-9]|1[0-2]'),
  K: two('0?\\d|1[01]'),
  m: two('0?\\d|[1-5]\\d'),
  s: two('0?\\d|[1-5]\\d|60'),
  S: (length) => digits(length),
  n: many,
  A: many,
  N: many,
};

/** Pact reads the hours of an offset as those before noon, so +12:00 is none. */
const hours = '(?:0\\d|1[01])';
const minutes = '[0-5]\\d';

/** Offsets from UTC. `taken` ends before digits that belong to no offset. */
const offsets: Readonly<Record<string, Field>> = {
  X: offset(`Z|[+-]${hours}(?:${minutes})?`),
  XX: offset(`Z|[+-]${hours}${minutes}`),
  XXX: offset(`Z|[+-]${hours}:${minutes}`),
  x: offset(`[+-]${hours}(?:${minutes})?`),
  xx: offset(`[+-]${hours}${minutes}`),
  xxx: offset(`[+-]${hours}:${minutes}`),
  Z: offset(`[+-]${hours}${minutes}`),
  ZZ: offset(`[+-]${hours}${minutes}`),
  ZZZ: offset(`[+-]${hours}${minutes}`),
};

function offset(allowed: string): Field {
  return { taken: allowed, allowed, flags: 'u' };
}

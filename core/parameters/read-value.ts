/** Converts the text of a parameter to a typed value: strictly, in the one spelling that `String` prints, or as a lenient server would, such as ` 5`. */

import { isNumber, isObject, type Json, readNumber } from '../json.ts';
import { parseInstant } from '../query/instants.ts';

/** The type of a parameter's value, or of the members of a list. */
export type ValueKind = 'integer' | 'number' | 'boolean' | 'string' | 'date-time';

/** Converts a text to a value of the first kind that accepts it; `undefined` if none does. */
export function readStrictly(kinds: readonly ValueKind[], text: string): Json | undefined {
  for (const kind of kinds) {
    const value = strictReaders[kind](text);
    if (value !== undefined) return value;
  }
  return undefined;
}

const strictReaders: Readonly<Record<ValueKind, (text: string) => Json | undefined>> = {
  integer: (text) => (/^(-?[1-9]\d*|0)$/.test(text) && isInt64(text) ? readNumber(text) : undefined),
  number: (text) => (/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) && Number.isFinite(Number(text)) ? readNumber(text) : undefined),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  string: (text) => text,
  'date-time': (text) => (parseInstant(text) === undefined ? undefined : text),
};

/** True for the text of an integer of 64 bits. Longer texts are not parsed, since that takes time. */
function isInt64(text: string): boolean {
  const digits = /^[+-]?\d{1,19}(?=\.0*$|$)/.exec(text)?.[0];
  return digits !== undefined && BigInt.asIntN(64, BigInt(digits)) === BigInt(digits);
}

/** Lists the value kinds that the `type` and `format` of a schema allow. Without a type, the first listed value decides, else it is a string. */
export function valueKindsOf(schema: Json | undefined): readonly ValueKind[] {
  if (!isObject(schema)) return ['string'];
  const types = [schema['type']]
    .flat()
    .filter((type) => type === 'integer' || type === 'number' || type === 'boolean' || type === 'string');
  const kinds = types.map((type): ValueKind => (type === 'string' && schema['format'] === 'date-time' ? 'date-time' : type));
  // A string accepts every text, so it comes last.
  if (kinds.length > 0) return kinds.toSorted((left, right) => Number(left === 'string') - Number(right === 'string'));
  const [first] = Array.isArray(schema['enum']) ? schema['enum'] : [schema['const']];
  return [isNumber(first) ? 'number' : typeof first === 'boolean' ? 'boolean' : 'string'];
}

/** The value that a lenient server would read, and why a strict one refuses the text. */
interface LenientReading {
  readonly value: Json;
  readonly because: string;
}

/**
 * Reads a text as a lenient server would; `undefined` if even that one refuses it. Never called for a text that the strict reader accepts. API documents
 * do not mention such spellings, so the reaction is an open question (`sloppy` of `x-invalid`).
 */
export function readLeniently(kind: ValueKind, text: string, allowed: readonly Json[]): LenientReading | undefined {
  const allowedValue = findIgnoringCase(text, allowed);
  if (allowedValue !== undefined) return { value: allowedValue, because: 'it is spelled in a different case or with spaces' };
  return kind === 'string' && text === text.trim() ? undefined : lenientReaders[kind](text.trim());
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'on', '1'].map((word) => [word, true] as const),
  ...['false', 'no', 'off', '0'].map((word) => [word, false] as const),
]);

const lenientReaders: Readonly<Record<ValueKind, (text: string) => LenientReading | undefined>> = {
  integer: (text) => {
    if (!/^[+-]?\d+(\.0*)?$/.test(text)) return undefined;
    // Adding zero turns -0 into 0.
    const value = Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, Number(text) + 0));
    return { value, because: isInt64(text) ? 'it is not written as a plain integer' : 'it is too large for an integer of 64 bits' };
  },
  number: (text) => {
    if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) || !Number.isFinite(Number(text))) return undefined;
    return { value: Number(text), because: 'it is not written as a plain number' };
  },
  boolean: (text) => {
    const value = booleans.get(text.toLowerCase());
    return value === undefined ? undefined : { value, because: 'it is not written as true or false' };
  },
  'date-time': readInstantLeniently,
  // A lenient server only removes the spaces around a text.
  string: (text) => ({ value: text, because: 'there are spaces around it' }),
};

/** Reads a date-time without an offset, a date without a time, or one with a space instead of an unencoded `+`. A missing offset means UTC. */
function readInstantLeniently(text: string): LenientReading | undefined {
  const match = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?\s*(Z|[+-]?\d\d(?::?\d\d)?)?$/i.exec(text);
  if (match === null) return undefined;
  const [, date = '', time = '00:00:00', offset = 'Z'] = match;
  const seconds = time.length === 5 ? `${time}:00` : time;
  return {
    value: `${date}T${seconds}${spellOffset(offset)}`,
    because: 'it is not a full date-time with T and an offset such as +02:00 (a + must be sent as %2B)',
  };
}

function spellOffset(offset: string): string {
  if (offset.toUpperCase() === 'Z') return 'Z';
  const signedOffset = /^[+-]/.test(offset) ? offset : `+${offset}`;
  const minutes = signedOffset.slice(3).replace(':', '');
  return `${signedOffset.slice(0, 3)}:${minutes === '' ? '00' : minutes}`;
}

function findIgnoringCase(text: string, allowed: readonly Json[]): Json | undefined {
  const lowerCaseText = text.trim().toLowerCase();
  return allowed.find((value) => typeof value === 'string' && value.toLowerCase() === lowerCaseText);
}

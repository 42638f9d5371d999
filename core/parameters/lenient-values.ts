/**
 * Converts the text of a parameter to the value that a lenient server would read, such as ` 5` or `TRUE`. `parameter.ts` calls it for texts that
 * `strict-values.ts` refuses. It decides no response.
 */

import type { Json } from '../json.ts';
import type { ValueKind } from './strict-values.ts';

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
  if (allowedValue !== undefined) return { value: allowedValue, because: 'it is spelled in another case or with spaces' };
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
    return {
      value,
      because: Number.isSafeInteger(value) ? 'it is not written as a plain integer' : 'it is too large for an exact integer (2^53)',
    };
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

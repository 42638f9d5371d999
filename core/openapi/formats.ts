/** The formats that a contract may name: those of ajv-formats, with dates and times checked against the real calendar. */

import type { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats, { type FormatName } from 'ajv-formats';
import { isCalendarDate, isLocalDateTime, parseInstant } from '../query/instant.ts';

/**
 * Three differ from ajv-formats: `date-time` wants `T` and a full offset as RFC 3339 does, `date` and `date-time` accept only days that exist,
 * and `date-time-local` is the OpenAPI registry's date-time without an offset.
 */
const overrides: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['date-time', (text: string) => parseInstant(text) !== undefined],
  ['date', isCalendarDate],
  ['date-time-local', isLocalDateTime],
]);

/** Teaches a validator every format. */
export function addFormats(ajv: Ajv2020): void {
  // The package is CommonJS: under nodenext its function is the member `default` of what is imported.
  ajvFormats.default(ajv);
  for (const [name, validate] of overrides) ajv.addFormat(name, { type: 'string', validate });
}

/** Check of strings of a format; `undefined` for an unknown format, or one of numbers. */
export function checksText(format: string): ((text: string) => boolean) | undefined {
  return overrides.get(format) ?? checksCustomarily(format);
}

/**
 * Check of strings of a format by the most tolerant validators. Where ours is stricter than what is customary, as with `2024-01-01 12:00:00Z`, a text
 * that should be wrong for everybody must be wrong by both.
 */
export function toleratesText(format: string): ((text: string) => boolean) | undefined {
  const [strict, customary] = [overrides.get(format), checksCustomarily(format)];
  if (strict === undefined || customary === undefined) return strict ?? customary;
  return (text) => strict(text) || customary(text);
}

function checksCustomarily(format: string): ((text: string) => boolean) | undefined {
  const known = lookUp(format);
  if (known instanceof RegExp) return (text) => known.test(text);
  if (isCheck(known)) return known;
  if (!isDefinition(known) || known.type === 'number') return undefined;
  const { validate } = known;
  return isCheck(validate) ? validate : undefined;
}

/** Check of numbers of a format; `undefined` for an unknown format, or one of strings. */
export function checksNumber(format: string): ((value: number) => boolean) | undefined {
  if (overrides.has(format)) return undefined;
  const known = lookUp(format);
  return isDefinition(known) && known.type === 'number' && isCheck(known.validate) ? known.validate : undefined;
}

/** Format of ajv-formats. Only own names count: the table behind `get` inherits others, such as `toString`. */
function lookUp(format: string): unknown {
  if (format in Object.prototype) return undefined;
  try {
    return ajvFormats.default.get(format as FormatName);
  } catch {
    // The only error that `get` throws says that the name is unknown; an unknown format checks nothing.
    return undefined;
  }
}

function isCheck(value: unknown): value is (given: unknown) => boolean {
  return typeof value === 'function';
}

function isDefinition(value: unknown): value is { readonly type?: unknown; readonly validate?: unknown } {
  return typeof value === 'object' && value !== null;
}

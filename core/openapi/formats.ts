/** The checks of the keyword `format`: those of ajv-formats, with stricter dates and times. */

import type { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats, { type FormatName } from 'ajv-formats';
import { isInteger, type JsonNumber } from '../json.ts';
import { isCalendarDate, isLocalDateTime, parseInstant } from '../query/instants.ts';

/**
 * Formats that differ from ajv-formats: `date-time` requires `T` and a full offset (RFC 3339), `date` and `date-time` require an existing day, and
 * `date-time-local` is the date-time without an offset of the OpenAPI registry.
 */
const overrides: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['date-time', (text: string) => parseInstant(text) !== undefined],
  ['date', isCalendarDate],
  ['date-time-local', isLocalDateTime],
]);

/** Adds all formats to a validator. */
export function addFormats(ajv: Ajv2020): void {
  // The package is CommonJS, so its function is the member `default` of the imported module.
  ajvFormats.default(ajv);
  for (const [name, validate] of overrides) ajv.addFormat(name, { type: 'string', validate });
  ajv.addFormat('int64', {
    type: 'number',
    validate: (value: JsonNumber) => isInteger(value) && value >= leastInt64 && value <= greatestInt64,
  });
}

/** The bounds of the format `int64`. */
export const leastInt64: bigint = -(2n ** 63n);
export const greatestInt64: bigint = 2n ** 63n - 1n;

/** Returns the test of a format for strings; `undefined` for an unknown format, or a format of numbers. */
export function textCheckOf(format: string): ((text: string) => boolean) | undefined {
  return overrides.get(format) ?? checksByAjv(format);
}

/**
 * Returns a test that also accepts texts of more lenient validators, such as `2024-01-01 12:00:00Z`. Invalid examples must fail it, so that every
 * validator rejects them.
 */
export function lenientTextCheckOf(format: string): ((text: string) => boolean) | undefined {
  const [strictTest, ajvTest] = [overrides.get(format), checksByAjv(format)];
  if (strictTest === undefined || ajvTest === undefined) return strictTest ?? ajvTest;
  return (text) => strictTest(text) || ajvTest(text);
}

function checksByAjv(format: string): ((text: string) => boolean) | undefined {
  const definition = lookUp(format);
  if (definition instanceof RegExp) return (text) => definition.test(text);
  if (isCheck(definition)) return definition;
  if (!isDefinition(definition) || definition.type === 'number') return undefined;
  const { validate } = definition;
  return isCheck(validate) ? validate : undefined;
}

/** Returns the definition of a format in ajv-formats. Its table inherits names such as `toString`, which are not formats. */
function lookUp(format: string): unknown {
  if (format in Object.prototype) return undefined;
  try {
    return ajvFormats.default.get(format as FormatName);
  } catch {
    // `get` throws only for unknown names, and an unknown format checks nothing.
    return undefined;
  }
}

function isCheck(value: unknown): value is (instance: unknown) => boolean {
  return typeof value === 'function';
}

function isDefinition(value: unknown): value is { readonly type?: unknown; readonly validate?: unknown } {
  return typeof value === 'object' && value !== null;
}

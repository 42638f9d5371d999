/** The formats that a contract may name: those of ajv-formats, with dates and times checked against the real calendar. */

import type { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { isCalendarDate, isLocalDateTime, parseInstant } from './instant.ts';

/**
 * Teaches a validator every format. Three differ from ajv-formats: `date-time` wants `T` and a full offset as RFC 3339 does,
 * `date` and `date-time` accept only days that exist, and `date-time-local` is the OpenAPI registry's date-time without an offset.
 */
export function addFormats(ajv: Ajv2020): void {
  // The package is CommonJS: under nodenext its function is the member `default` of what is imported.
  ajvFormats.default(ajv);
  ajv.addFormat('date-time', { type: 'string', validate: (text: string) => parseInstant(text) !== undefined });
  ajv.addFormat('date', { type: 'string', validate: isCalendarDate });
  ajv.addFormat('date-time-local', { type: 'string', validate: isLocalDateTime });
}

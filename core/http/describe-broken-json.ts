/**
 * Describes bodies that should be JSON and are not: an HTML page, or a body that ends too early or has a mistake. `check-response.ts` calls it for each body
 * that does not parse, unless the body is empty or too deep. It quotes and repairs nothing; `lines-around-place.ts` shows the lines around the mistake.
 */

import { findJsonMistake } from '../openapi/json-parser.ts';

/** Describes a body that is not JSON, as a clause after "the body": `ends too early, in line 3 at column 17`. */
export function describeBrokenJson(body: string): string {
  if (body.trim() === '') return 'has only white space';
  if (/^\s*<(?:!doctype html|html|head|body)\b/i.test(body)) return 'is an HTML page';
  const offset = findJsonMistake(body) ?? 0;
  const linesBefore = body.slice(0, offset).split(/\r\n|\r|\n/);
  const place = `in line ${linesBefore.length} at column ${(linesBefore.at(-1) ?? '').length + 1}`;
  return offset === body.length ? `ends too early, ${place}` : `is not JSON ${place}`;
}

import { findJsonMistake } from '../openapi/loading/json-parser.ts';

/** Describes a body that is not JSON, as a clause after "the body": `ends too early, in line 3 at column 17`. Nothing of the body is quoted. */
export function describeBrokenJson(body: string): string {
  if (body.trim() === '') return 'has only white space';
  if (/^\s*<(?:!doctype html|html|head|body)\b/i.test(body)) return 'is an HTML page';
  const offset = findJsonMistake(body) ?? 0;
  const linesBefore = body.slice(0, offset).split(/\r\n|\r|\n/);
  const place = `in line ${linesBefore.length} at column ${(linesBefore.at(-1) ?? '').length + 1}`;
  return offset === body.length ? `ends too early, ${place}` : `is not JSON ${place}`;
}

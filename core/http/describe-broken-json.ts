/**
 * Describes bodies that should be JSON and are not: an HTML page, a warning of PHP, or a body that ends too early. `check-response.ts` calls it for each body
 * that does not parse, unless the body is empty or too deep. It repairs nothing; `lines-around-place.ts` shows the lines around the mistake.
 */

import { readJson } from '../json.ts';
import { findJsonMistake } from '../openapi/json-parser.ts';

/** Longest text that a description quotes. A longer one is never cut: half a secret would not be recognised as one. */
const longestQuote = 100;

/** A body that is not JSON: what it is, as a clause after "the body", and the offset of the first mistake. */
interface BrokenJson {
  readonly description: string;
  readonly offset: number;
}

/** Describes a body that is not JSON: `ends too early, in line 3 at column 17`. */
export function describeBrokenJson(body: string): BrokenJson {
  const offset = findJsonMistake(body) ?? 0;
  return {
    description: (describers.map((describe) => describe(body)).find((each) => each !== undefined) ?? describeMistake)(body, offset),
    offset: offset,
  };
}

type Sentence = (body: string, offset: number) => string;

/** Each returns the sentence for one kind of body, or `undefined` for another kind. */
const describers: readonly ((body: string) => Sentence | undefined)[] = [
  (body) => (body.trim() === '' ? (): string => 'has only white space' : undefined),
  (body) => (/^\uFEFF/.test(body) ? describeMark : undefined),
  (body) => (/^\s*<(?:!doctype html|html|head|body)\b/i.test(body) ? describePage : undefined),
  (body) => (phpMessage.test(body) ? describeWarning : undefined),
  (body) => (/^\s*<\?xml/i.test(body) ? (): string => 'is XML' : undefined),
  (body) => (findJsonMistake(body) === body.length ? (text, offset): string => `ends too early, ${placeOf(text, offset)}` : undefined),
];

/** A message of PHP, at the beginning of a line. Its words are in bold unless html_errors is off. */
const phpMessage = /^(?:<br \/>\s*)?(?:<b>)?(?:PHP )?(Warning|Notice|Deprecated|Fatal error|Parse error)(?:<\/b>)?: {1,2}(.*)$/im;

function describeMark(body: string): string {
  const isJson = readJson(body.slice(1)) !== undefined;
  return `begins with a byte order mark (U+FEFF)${isJson ? ', and is JSON after it' : ''}`;
}

function describePage(body: string): string {
  const [, title = ''] = /<title>([^<]*)<\/title>/i.exec(body) ?? [];
  return `is an HTML page${quote(title)}`;
}

function describeWarning(body: string): string {
  const [, kind = '', text = ''] = phpMessage.exec(body) ?? [];
  const start = body.search(/[{[]/);
  const isBefore = start >= 0 && body.search(phpMessage) < start;
  return `has a PHP ${kind.toLowerCase()}${isBefore ? ' before the JSON' : ' in it'}${quote(text.replaceAll(/<[^>]*>/g, ''))}`;
}

function describeMistake(body: string, offset: number): string {
  const end = body.slice(0, offset).trimEnd();
  if (end !== '' && readJson(end) !== undefined) return `has text after the JSON, ${placeOf(body, offset)}`;
  const start = body.search(/[{[]/);
  const isAfterText = start > 0 && body.slice(0, start).trim() !== '' && readJson(body.slice(start)) !== undefined;
  return isAfterText ? `has text before the JSON, ${placeOf(body, offset)}` : `is not JSON ${placeOf(body, offset)}`;
}

function quote(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line === '' || line.length > longestQuote ? '' : `: ${line}`;
}

function placeOf(body: string, offset: number): string {
  const linesBefore = body.slice(0, offset).split(/\r\n|\r|\n/);
  return `in line ${linesBefore.length} at column ${(linesBefore.at(-1) ?? '').length + 1}`;
}

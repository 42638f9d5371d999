/** Reads the cases of Prism's own test harness, and compares a response with what a case expects. */

import fs from 'node:fs';
import path from 'node:path';
import { isArray, isObject, type Json, readJson } from '../../../../core/json.ts';

/** A case: a document, the options of the server, a command of curl, and the response. */
export interface HarnessCase {
  readonly name: string;
  readonly document: string;
  readonly options: readonly string[];
  readonly command: readonly string[];
  readonly expected: RawResponse;
  /** True if only the kind of the values counts, since Prism draws them at random. */
  readonly isLoose: boolean;
}

/** A response as text. */
export interface RawResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** The cases below the folder that TOUCHSTONE_CASES names; none without it. */
export function harnessCases(environment: Readonly<Record<string, string | undefined>> = process.env): readonly HarnessCase[] {
  const folder = path.join(environment['TOUCHSTONE_CASES'] ?? '', 'prism-harness');
  if (environment['TOUCHSTONE_CASES'] === undefined || !fs.existsSync(folder)) return [];
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.txt'));
  return files.sort().map((file) => readCase(file, fs.readFileSync(path.join(folder, file), 'utf8')));
}

function readCase(name: string, text: string): HarnessCase {
  const parts = new Map<string, string>();
  for (const [, title = '', content = ''] of text.matchAll(/^====([\w-]+)====\n(.*?)(?=^====|$(?![\s\S]))/gms)) parts.set(title, content);
  const words = splitWords(parts.get('server')?.trim() ?? '');
  return {
    name,
    document: parts.get('spec') ?? '',
    options: words.filter((word, index) => index > 0 && word !== '-p' && word !== '4010' && !word.includes('document')),
    command: splitWords(parts.get('command')?.trim() ?? ''),
    expected: parseResponse((parts.get('expect') ?? parts.get('expect-loose') ?? parts.get('expect-keysOnly') ?? '').trim()),
    isLoose: !parts.has('expect'),
  };
}

/** Splits a command line as a shell does, without any expansion. */
function splitWords(line: string): readonly string[] {
  const words = line.matchAll(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/gs);
  return [...words].map(([word]) =>
    word.replaceAll(
      /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/gs,
      (_, single?: string, double?: string, escaped?: string) => single ?? double?.replaceAll(/\\(["\\])/g, '$1') ?? escaped ?? '',
    ),
  );
}

/** Parses a response as curl prints it with `-i`. */
export function parseResponse(text: string): RawResponse {
  const [, head = '', body = ''] = /^(.*?)(?:\r?\n\r?\n(.*))?$/s.exec(text) ?? [];
  const [statusLine = '', ...fields] = head.split(/\r?\n/);
  const headers = fields.map((field) => [field.split(':', 1)[0]?.toLowerCase() ?? '', field.replace(/^[^:]*:\s*/, '')] as const);
  return { status: Number(statusLine.split(' ')[1]), headers: new Map(headers), body: body.trim() };
}

/** What differs from the expected response, as sentences. The headers of Prism's own errors and their bodies may have another form. */
export function differences({ expected, isLoose }: HarnessCase, actual: RawResponse): readonly string[] {
  const found: string[] = [];
  if (actual.status !== expected.status) found.push(`status ${actual.status} instead of ${expected.status}`);
  const [type, expectedType] = [mediaType(actual), mediaType(expected)];
  if (expectedType !== undefined && type !== expectedType) found.push(`type ${type} instead of ${expectedType}`);
  const isOwnError = expected.body.includes('stoplight.io/prism/errors#');
  const matches = isLoose ? isAlike : isEqual;
  if (!isOwnError && expected.body !== '' && !matches(expected.body, actual.body))
    found.push(`body ${actual.body} instead of ${expected.body}`);
  return found;
}

function mediaType({ headers }: RawResponse): string | undefined {
  return headers.get('content-type')?.split(';')[0]?.trim();
}

function isEqual(expected: string, actual: string): boolean {
  const [left, right] = [readJson(expected), readJson(actual)];
  return left === undefined ? expected === actual : JSON.stringify(left) === JSON.stringify(right);
}

/** True if the names of all members and the kinds of all values are the expected ones. */
function isAlike(expected: string, actual: string): boolean {
  const [left, right] = [readJson(expected), readJson(actual)];
  if (left !== undefined) return right !== undefined && hasShapeOf(left, right);
  const names = (text: string): string => [...text.matchAll(/<\/?[\w:]+/g)].join();
  return names(expected) === names(actual);
}

function hasShapeOf(expected: Json, actual: Json): boolean {
  if (isArray(expected)) return isArray(actual);
  if (!isObject(expected)) return typeof expected === typeof actual;
  return (
    isObject(actual) && Object.entries(expected).every(([name, value]) => actual[name] !== undefined && hasShapeOf(value, actual[name]))
  );
}

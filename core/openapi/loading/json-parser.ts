/**
 * Parses JSON files (RFC 8259) into plain values with known positions, fast enough for many megabytes. It is stricter than `JSON.parse`: a repeated key is a
 * mistake.
 */

import { type JSONPath, type JSONVisitor, type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';
import { SpecError, startOf } from '../../errors.ts';
import { isObject, isTooDeep, type Json, type JsonObject, maxNesting, printJson, readNumber } from '../../json.ts';
import { createSource, placeAt, type SourceText, setOrigin } from '../source-positions.ts';

/** Message for values that are nested too deeply. */
export const tooDeepMessage: string = `values are nested too deeply here; no more than ${maxNesting} levels are allowed, so move inner values elsewhere and use $ref`;

/**
 * Parses the text of a JSON file. `description` names the kind of file with its article, for messages.
 * @throws {SpecError} if it is not JSON, a key is repeated, a number is too large, values are nested too deeply, or the text is not an object.
 */
export function parseJsonText(file: string, text: string, description = 'an OpenAPI document'): JsonObject {
  requireUtf8(file, text);
  refuseConflict(file, text);
  if (text.trim() === '') throw new SpecError(startOf(file), 'this is not valid JSON: the file is empty');
  // Editors do not count a byte order mark as a column.
  const textWithoutMark = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const builder = new ValueBuilder(createSource(file, textWithoutMark));
  visit(textWithoutMark, visitorOf(builder, textWithoutMark), { disallowComments: true });
  if (builder.mistake !== undefined) throw builder.mistake;
  if (isObject(builder.result)) return builder.result;
  throw new SpecError(startOf(file), `${description} must be an object; this file contains another value`);
}

/** The offset of the first mistake in a text that should be JSON; its length if the text ends too early, and `undefined` if it is JSON. */
export function findJsonMistake(text: string): number | undefined {
  let mistakeOffset: number | undefined;
  const onError = (code: ParseErrorCode, offset: number): void => {
    // A string that the end of the text cuts off means that the text ends too early.
    const isAtEnd = printParseErrorCode(code) === 'UnexpectedEndOfString' && !text.slice(offset).includes('\n');
    mistakeOffset ??= isAtEnd || text.slice(offset).trim() === '' ? text.length : offset;
  };
  // Deeper, the parser would exceed the stack.
  if (!isTooDeep(text)) visit(text, { onError }, { disallowComments: true });
  return mistakeOffset;
}

/**
 * Replaces values of a JSON text; all its other characters stay. `replacementAt` gets the path of each value except `null`, and is not asked about
 * the inside of a replaced one.
 */
export function replaceJsonValues(text: string, replacementAt: (path: JSONPath) => string | undefined): string {
  const pieces: string[] = [];
  let copiedEnd = 0;
  let isReplacing = false;
  const begin = (offset: number, _length: number, _line: number, _column: number, pathOf: () => JSONPath): boolean => {
    const replacement = replacementAt(pathOf());
    if (replacement === undefined) return true;
    pieces.push(text.slice(copiedEnd, offset), replacement);
    isReplacing = true;
    return false;
  };
  const end = (offset: number, length: number): void => {
    if (isReplacing) copiedEnd = offset + length;
    isReplacing = false;
  };
  visit(text, {
    onObjectBegin: begin,
    onArrayBegin: begin,
    onLiteralValue: (value, offset, length, line, column, pathOf) => {
      if (value !== null && !begin(offset, length, line, column, pathOf)) end(offset, length);
    },
    onObjectEnd: end,
    onArrayEnd: end,
  });
  return [...pieces, text.slice(copiedEnd)].join('');
}

/**
 * Refuses texts in another encoding, which look unusual when they are decoded as UTF-8.
 * @throws {SpecError} for UTF-16 and UTF-32.
 */
export function requireUtf8(file: string, text: string): void {
  if (/^\ufffd\ufffd|^[^\0]\0[^\0]\0|^\0[^\0]\0[^\0]/.test(text))
    throw new SpecError(startOf(file), 'this file is not in UTF-8; it looks like UTF-16: save it as UTF-8');
}

/**
 * Refuses a file with an unresolved merge of git. Its markers at the start of a line are neither JSON nor the YAML of an object.
 * @throws {SpecError} at the first marker.
 */
export function refuseConflict(file: string, text: string): void {
  if (!text.includes('<<<<<<< ')) return;
  const line = text.split('\n').findIndex((each) => each.startsWith('<<<<<<< '));
  if (line < 0) return;
  const message = 'this file has a merge conflict, marked by <<<<<<<, ======= and >>>>>>>; resolve it, and remove the markers';
  throw new SpecError({ file, line: line + 1, column: 1 }, message);
}

function visitorOf(builder: ValueBuilder, text: string): JSONVisitor {
  return {
    onObjectBegin: (offset) => builder.open({}, offset),
    onArrayBegin: (offset) => builder.open([], offset),
    onObjectProperty: (name, offset) => builder.name(name, offset),
    onLiteralValue: (value: Json, offset, length) => {
      const literal = text.slice(offset, offset + length);
      if (value === Infinity || value === -Infinity) builder.noteNumber(literal, offset);
      builder.put(typeof value === 'number' ? readNumber(literal) : value, offset);
    },
    onObjectEnd: () => builder.close(),
    onArrayEnd: () => builder.close(),
    onError: (code, offset, length) => builder.refuse(code, text.slice(offset, offset + length), offset),
  };
}

/** An unfinished object or array, with the offsets of its members so far. An array has no keys. */
interface UnfinishedValue {
  readonly value: Record<string, Json> | Json[];
  readonly offset: number;
  readonly keys: string[] | undefined;
  readonly offsets: number[];
}

/** Builds the values and records their positions. */
class ValueBuilder {
  private readonly source: SourceText;
  private readonly openValues: UnfinishedValue[] = [];
  result: Json = null;
  /** The first mistake in valid JSON, such as a repeated key. It is thrown at the end, since a syntax error is more important. */
  mistake: SpecError | undefined;

  constructor(source: SourceText) {
    this.source = source;
  }

  open(value: Record<string, Json> | Json[], offset: number): void {
    if (this.openValues.length >= maxNesting) throw new SpecError(placeAt(this.source, offset), tooDeepMessage);
    this.put(value, offset);
    this.openValues.push({ value, offset, keys: Array.isArray(value) ? undefined : [], offsets: [] });
  }

  close(): void {
    const closedValue = this.openValues.pop();
    if (closedValue === undefined) return;
    // Copies need less memory than arrays that grew.
    setOrigin(closedValue.value, this.source, closedValue.offset, {
      keys: closedValue.keys?.slice(),
      offsets: closedValue.offsets.slice(),
    });
  }

  name(key: string, offset: number): void {
    const holder = this.openValues.at(-1);
    if (holder === undefined) return;
    if (Object.hasOwn(holder.value, key)) this.mistake ??= this.repeatedKeyError(holder, key, offset);
    holder.keys?.push(key);
    holder.offsets.push(offset);
  }

  put(value: Json, offset: number): void {
    const holder = this.openValues.at(-1);
    if (holder === undefined) this.result = value;
    else if (Array.isArray(holder.value)) {
      holder.value.push(value);
      holder.offsets.push(offset);
    } else putMember(holder.value, holder.keys?.at(-1) ?? '', value);
  }

  noteNumber(literal: string, offset: number): void {
    const message = `${shorten(literal)} is larger than a number can be (about 1.8e308); write a smaller number or a string`;
    this.mistake ??= new SpecError(placeAt(this.source, offset), message);
  }

  refuse(code: ParseErrorCode, token: string, offset: number): never {
    const toSentence = sentences.get(printParseErrorCode(code)) ?? ((refused: string): string => `${refused} is not allowed here`);
    const sentence = token === '' ? 'the file ends too early; it may be cut off' : toSentence(shorten(token));
    throw new SpecError(placeAt(this.source, offset), `this is not valid JSON: ${sentence}`);
  }

  private repeatedKeyError(holder: UnfinishedValue, key: string, offset: number): SpecError {
    const line = placeAt(this.source, holder.offsets[holder.keys?.indexOf(key) ?? 0] ?? 0).line;
    return new SpecError(
      placeAt(this.source, offset),
      `this object already has the key ${printJson(shorten(key))}, at line ${line}; rename or remove one of them`,
    );
  }
}

/** Sets a member. An assignment to `__proto__` would set the prototype instead, so that member is defined. */
export function putMember(object: Record<string, Json>, key: string, value: Json): void {
  if (key === '__proto__') Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}

function shorten(text: string): string {
  const line = text.split(/[\r\n]/, 1)[0] ?? '';
  return line.length > 40 ? `${line.slice(0, 40)}…` : line;
}

/** Messages by kind of error, for the text at its position. */
const sentences: ReadonlyMap<string, (found: string) => string> = new Map([
  [
    'InvalidSymbol',
    (found) => `${found} is not a value; write strings and keys in double quotes; the only words without quotes are true, false and null`,
  ],
  ['InvalidNumberFormat', (found) => `${found} is not a number`],
  ['UnexpectedEndOfNumber', (found) => `the number ${found} is incomplete; digits must follow`],
  ['PropertyNameExpected', (found) => `expected a key in double quotes, found ${found}; is there an extra comma before it?`],
  ['ValueExpected', (found) => `expected a value, found ${found}; is there an extra comma?`],
  ['ColonExpected', (found) => `expected a colon after the key, found ${found}`],
  ['CommaExpected', (found) => `expected a comma before ${found}`],
  ['CloseBraceExpected', (found) => `expected a closing }, found ${found}`],
  ['CloseBracketExpected', (found) => `expected a closing ], found ${found}`],
  ['EndOfFileExpected', (found) => `the value ends before ${found}; remove the text after it`],
  ['InvalidCommentToken', (found) => `${found} is a comment, which JSON does not allow; remove it`],
  ['UnexpectedEndOfString', (found) => `the string ${found} has no closing double quote; add it`],
  ['InvalidUnicode', (found) => `${found} has a \\u that is not followed by four hexadecimal digits`],
  ['InvalidEscapeCharacter', (found) => `${found} has an unknown escape; write \\\\ for a backslash`],
  ['InvalidCharacter', (found) => `${found} has a control character; write it as an escape such as \\n or \\t`],
]);

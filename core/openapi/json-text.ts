/** JSON (RFC 8259) into plain values that remember where they stand, fast enough for files of many megabytes. The only door for the JSON scanner. */

import { type JSONVisitor, type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';
import { SpecError } from '../errors.ts';
import { depthMost, isObject, type Json, type JsonObject } from '../json.ts';
import { createSource, placeAt, type SourceText, setOrigin } from './source-positions.ts';

/** Text that is not JSON; it may still be something else, such as a flow mapping of YAML. */
export class JsonSyntaxError extends SpecError {}

/** Message for values nested more deeply. */
export const tooDeep: string = `values are nested too deeply here, and no more than ${depthMost} levels can be walked; take the inner ones out and use $ref`;

/**
 * Reads the text of a JSON file into plain values that remember where they stand. `what` is what the file should be, for the message.
 * @throws {JsonSyntaxError} when it is not JSON.
 * @throws {SpecError} when an object has a key twice, a number is too large, values are nested too deeply, or the whole is not an object.
 */
export function parseJsonText(file: string, text: string, what = 'an OpenAPI document'): JsonObject {
  requireUtf8(file, text);
  // A byte order mark is not part of the text, and no editor counts it.
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const builder = new Builder(createSource(file, plain));
  visit(plain, visitorOf(builder, plain), { disallowComments: true });
  if (builder.mistake !== undefined) throw builder.mistake;
  if (isObject(builder.result)) return builder.result;
  throw new SpecError({ file, line: 1, column: 1 }, `${what} is an object, and this file holds none`);
}

/**
 * Refuses what was read as UTF-8 and is none: each other encoding leaves its own marks.
 * @throws {SpecError} for UTF-16 and UTF-32.
 */
export function requireUtf8(file: string, text: string): void {
  if (/^\ufffd\ufffd|^[^\0]\0[^\0]\0|^\0[^\0]\0[^\0]/.test(text))
    throw new SpecError({ file, line: 1, column: 1 }, 'this file is not in UTF-8; it looks like UTF-16: save it as UTF-8');
}

function visitorOf(builder: Builder, text: string): JSONVisitor {
  return {
    onObjectBegin: (offset) => builder.open({}, offset),
    onArrayBegin: (offset) => builder.open([], offset),
    onObjectProperty: (name, offset) => builder.name(name, offset),
    onLiteralValue: (value: Json, offset, length) => {
      if (value === Infinity || value === -Infinity) builder.noteNumber(text.slice(offset, offset + length), offset);
      builder.put(value, offset);
    },
    onObjectEnd: () => builder.close(),
    onArrayEnd: () => builder.close(),
    onError: (code, offset, length) => builder.refuse(code, text.slice(offset, offset + length), offset),
  };
}

/** An object that is being read, or an array, which has no keys; with the places of the members that it has so far. */
interface Open {
  readonly value: Record<string, Json> | Json[];
  readonly at: number;
  readonly keys: string[] | undefined;
  readonly offsets: number[];
}

/** Puts the values together, from the outside in, and notes where each stands. */
class Builder {
  private readonly source: SourceText;
  private readonly opened: Open[] = [];
  result: Json = null;
  /** The first thing that is wrong in what is JSON so far. It waits for the end: the whole may be no JSON at all. */
  mistake: SpecError | undefined;

  constructor(source: SourceText) {
    this.source = source;
  }

  open(value: Record<string, Json> | Json[], offset: number): void {
    if (this.opened.length >= depthMost) throw new SpecError(placeAt(this.source, offset), tooDeep);
    this.put(value, offset);
    this.opened.push({ value, at: offset, keys: Array.isArray(value) ? undefined : [], offsets: [] });
  }

  close(): void {
    const closed = this.opened.pop();
    if (closed === undefined) return;
    // Arrays that grew have room for more; copies have not.
    setOrigin(closed.value, this.source, closed.at, { keys: closed.keys?.slice(), offsets: closed.offsets.slice() });
  }

  name(key: string, offset: number): void {
    const holder = this.opened.at(-1);
    if (holder === undefined) return;
    if (Object.hasOwn(holder.value, key)) this.mistake ??= this.repeated(holder, key, offset);
    holder.keys?.push(key);
    holder.offsets.push(offset);
  }

  put(value: Json, offset: number): void {
    const holder = this.opened.at(-1);
    if (holder === undefined) this.result = value;
    else if (Array.isArray(holder.value)) {
      holder.value.push(value);
      holder.offsets.push(offset);
    } else putMember(holder.value, holder.keys?.at(-1) ?? '', value);
  }

  noteNumber(written: string, offset: number): void {
    const message = `${shorten(written)} is larger than a number can be (about 1.8e308); write a smaller number or a string`;
    this.mistake ??= new SpecError(placeAt(this.source, offset), message);
  }

  refuse(code: ParseErrorCode, written: string, offset: number): never {
    const say = sentences.get(printParseErrorCode(code)) ?? ((found: string): string => `${found} does not belong here`);
    throw new JsonSyntaxError(
      placeAt(this.source, offset),
      `this is not valid JSON: ${say(written === '' ? 'the end of the file' : shorten(written))}`,
    );
  }

  private repeated(holder: Open, key: string, offset: number): SpecError {
    const line = placeAt(this.source, holder.offsets[holder.keys?.indexOf(key) ?? 0] ?? 0).line;
    const way = 'keys must be unique, so rename or remove one of them';
    return new SpecError(
      placeAt(this.source, offset),
      `the key ${JSON.stringify(shorten(key))} stands in this object already, at line ${line}; ${way}`,
    );
  }
}

/** A member called `__proto__` must be defined: to assign it would set what the object inherits from, and leave no member. */
function putMember(object: Record<string, Json>, key: string, value: Json): void {
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
    (found) => `${found} is no value; strings and keys stand in double quotes, and the only bare words are true, false and null`,
  ],
  ['InvalidNumberFormat', (found) => `${found} is no number`],
  ['UnexpectedEndOfNumber', (found) => `the number ${found} stops too early; digits must follow`],
  ['PropertyNameExpected', (found) => `a key in double quotes is expected, and ${found} stands here; is there a comma too many before it?`],
  ['ValueExpected', (found) => `a value is expected, and ${found} stands here; is there a comma too many?`],
  ['ColonExpected', (found) => `a colon is expected after the key, and ${found} stands here`],
  ['CommaExpected', (found) => `a comma is expected before ${found}`],
  ['CloseBraceExpected', (found) => `a closing } is expected, and ${found} stands here`],
  ['CloseBracketExpected', (found) => `a closing ] is expected, and ${found} stands here`],
  ['EndOfFileExpected', (found) => `the value ends before ${found}, and nothing may follow it`],
  ['InvalidCommentToken', (found) => `${found} is a comment, and JSON has none; remove it`],
  ['UnexpectedEndOfString', (found) => `the string ${found} is never closed; add its double quote`],
  ['InvalidUnicode', (found) => `${found} has a \\u that is not followed by four hexadecimal digits`],
  ['InvalidEscapeCharacter', (found) => `${found} has a backslash before a character that needs none; write \\\\ for a backslash itself`],
  ['InvalidCharacter', (found) => `${found} has a control character; write it as an escape such as \\n or \\t`],
]);

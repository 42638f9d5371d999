/** JSON files are parsed to the same values as with JSON.parse, with their positions. Other texts are refused with a clear message. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatLocation, SpecError } from '../../../core/errors.ts';
import { isObject, type Json, type JsonObject, maxNesting, printJson, readJson } from '../../../core/json.ts';
import { parseJsonText } from '../../../core/openapi/loading/json-parser.ts';
import { rawOf } from '../../../core/openapi/raw-document.ts';
import { placeOf } from '../../../core/openapi/source-positions.ts';
import { valueAt } from '../../../core/pointer.ts';
import { documentOf, mistakeOf, positionOf } from '../../helpers/contracts/contract-text.ts';

function read(text: string): JsonObject {
  return parseJsonText('a.json', text);
}

function mistakeIn(text: string): SpecError {
  try {
    read(text);
  } catch (error) {
    if (error instanceof SpecError) return error;
    throw error;
  }
  throw new Error('this was read, and it is a mistake');
}

/** Position of the value at a pointer, or of its member with the key. */
function whereIn(root: Json, pointer: string, key?: string | number): string {
  const value = valueAt(root, pointer);
  const place = typeof value === 'object' && value !== null ? placeOf(value, key) : undefined;
  return place === undefined ? 'unknown' : `${place.line}:${place.column}`;
}

/** Every object and array of a value. */
function* holders(value: Json): Generator<JsonObject | readonly Json[]> {
  if (typeof value !== 'object' || value === null) return;
  yield value;
  for (const member of Object.values(value)) yield* holders(member);
}

/** Objects with members of all kinds, keys such as `__proto__` and `10` among them. */
const anyKey = fc.string({ unit: fc.constantFrom(...'aZ0"\\/ \n\t\u0000\u007F\u2028é\u0301語\uE000😀') });
const anyObject = fc.dictionary(fc.oneof(anyKey, fc.constantFrom('__proto__', '10', '2', 'constructor')), fc.jsonValue(), {
  noNullPrototype: true,
});

/** The text that begins at a place. */
function textAt(text: string, place: { readonly line: number; readonly column: number } | undefined): string {
  if (place === undefined) return '';
  return (text.split('\n')[place.line - 1] ?? '').slice(place.column - 1);
}

describe('the values of JSON', () => {
  it('are those that JSON.parse gives, in the same order', () => {
    fc.assert(
      fc.property(anyObject, fc.constantFrom('', '  ', '\t'), (value, indentation) => {
        const text = JSON.stringify(value, null, indentation);
        const found = read(text);
        expect(printJson(found)).toBe(JSON.stringify(JSON.parse(text)));
        expect(Object.getPrototypeOf(found)).toBe(Object.prototype);
      }),
      { seed: 1, numRuns: 60 },
    );
  });

  it.each([
    ['numbers', '{"a":-0,"b":1e3,"c":1234567890123456,"d":0.1,"e":5e-324,"f":1E+2}'],
    ['escapes', String.raw`{"a":"\"\\\/\b\f\n\r\té😀","\u0061b":"\ud800"}`],
    ['white space', ' \t\r\n{ \n"a"\t:\r[ ] , "b" : { } }\n\n '],
    ['keys that look like numbers', '{"b":1,"2":2,"1":3,"01":4,"":5}'],
    ['line separators inside strings', '{"a":"\u2028\u2029\u007f\u00a0"}'],
  ])('may be %s', (_, text) => {
    const [found, expected] = [read(text), JSON.parse(text) as JsonObject];
    expect(found).toEqual(expected);
    expect(Object.keys(found)).toEqual(Object.keys(expected));
  });

  it('keep a member called __proto__ as a member', () => {
    const { a } = read('{"a":{"__proto__":{"polluted":true},"constructor":1}}') as { readonly a: JsonObject };
    expect(Object.keys(a)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(a)).toBe(Object.prototype);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('may follow a byte order mark, which no column counts', () => {
    const root = read('\uFEFF{"a": 1}');
    expect([root, placeOf(root, 'a')?.column]).toEqual([{ a: 1 }, 2]);
  });
});

it.each([
  [true, [{}, { a: 1 }, Object.create(null)]],
  [false, [null, [], [{}], 'a', '', 0, true, undefined]],
])('an object of JSON has members or none, and is neither null nor a list nor a plain value: %s', (expected, values) => {
  for (const value of values as Json[]) expect(isObject(value)).toBe(expected);
});

describe('the place of a value of JSON', () => {
  it('is that of the holder for a member that is missing, and of the key as it is written', () => {
    const root = read('{\n  "a": [ {"c": null}, [\n    2, "x"] ],\n  "10": 3, "9": 4\n}\n');
    expect([whereIn(root, '/a/0', 'd'), whereIn(root, '/a/1', 1), whereIn(root, '', '9')]).toEqual(['2:10', '3:8', '4:12']);
  });

  it('is where its text begins, for every value and member', () => {
    fc.assert(
      fc.property(anyObject, (value) => {
        const written = JSON.stringify(value, null, 1);
        for (const holder of holders(read(written))) expect(misplacedIn(written, holder)).toEqual([]);
      }),
      { seed: 1, numRuns: 60 },
    );
  });
});

/** The parts of an object or a list, itself first, whose text does not begin at their place. */
function misplacedIn(written: string, holder: JsonObject | readonly Json[]): readonly string[] {
  const isList = Array.isArray(holder);
  const own: readonly [string, boolean] = ['itself', textAt(written, placeOf(holder)).startsWith(isList ? '[' : '{')];
  const members = Object.entries(holder).map(([key, member]): readonly [string, boolean] => {
    const begins = printJson(isList ? member : key);
    return [key, textAt(written, placeOf(holder, key)).startsWith(isList ? (begins[0] ?? '') : begins)];
  });
  return [own, ...members].filter(([, isThere]) => !isThere).map(([name]) => name);
}

describe('text that is not JSON', () => {
  it.each([
    ['a comma too many', '{"a": 1,\n}', '}', ['key in double quotes', 'extra comma']],
    ['a comma too many in a list', '{"a": [1, ]}', ']}', ['expected a value', 'extra comma']],
    ['a comma that is missing', '{"a": 1\n"b": 2}', '"b"', ['expected a comma before "b"']],
    ['a colon that is missing', '{"a" 1}', '1', ['expected a colon', 'found 1']],
    ['a value that is missing', '{"a": }', '}', ['expected a value']],
    ['a key without quotes', '{a: 1}', 'a:', ['a is not a value', 'double quotes']],
    ['single quotes', "{'a': 1}", "'a'", ["'a' is not a value"]],
    ['a brace that is never closed', '{"a": {"b": 1}', '\0', ['the file ends too early; it may be cut off']],
    ['a bracket that is never closed', '{"a": [1}', '}', ['expected a comma before }']],
    ['no text', ' ', ' ', ['the file is empty']],
    ['text that follows', '{"a": 1} x', 'x', ['x is not a value']],
    ['a second value', '{"a": 1}\n{}', '{}', ['ends before {', 'remove the text']],
    ['a comment', '{ // why\n"a": 1}', '// why', ['// why is a comment', 'JSON does not allow']],
    ['a long comment', '{ /* why\n */"a": 1}', '/* why', ['is a comment']],
    ['a string that is never closed', '{"a": "b\n}', '"b', ['"b has no closing']],
    ['an escape that is none', String.raw`{"a": "\x41"}`, String.raw`"\x`, ['backslash']],
    ['an escape that stops', String.raw`{"a": "\u00"}`, String.raw`"\u`, ['four hexadecimal digits']],
    ['a tab inside a string', '{"a": "b\tc"}', '"b', ['control character']],
    ['a number with a leading zero', '{"a": 012}', '12}', ['expected a comma before 12']],
    ['a number that stops', '{"a": 1.}', '1.}', ['1. is incomplete']],
    ['a plus sign', '{"a": +1}', '+1', ['+1 is not a value']],
    ['Not a Number', '{"a": NaN}', 'NaN', ['NaN is not a value']],
  ])('because of %s is reported where that stands', (_, text, piece, words) => {
    const mistake = mistakeIn(text);
    expect(formatLocation(mistake.place)).toBe(`a.json:${positionOf(`${text}\0`, piece)}`);
    for (const word of ['not valid JSON', ...words]) expect(mistake.message).toContain(word);
  });

  it('is exactly what JSON.parse refuses as well', () => {
    const pieces = fc.constantFrom(
      ...['{', '}', '[', ']', ',', ':', '"', '\\', '0', '1', '-', '.', 'e', 'true', 'nul', ' ', '\n', '\t', 'u', '/', '\0'],
    );
    const edits = fc.array(fc.tuple(fc.nat(), fc.nat(3), pieces), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(anyObject, edits, (value, changes) => {
        const text = changes.reduce((now, [at, cut, piece]) => {
          const start = at % (now.length + 1);
          return now.slice(0, start) + piece + now.slice(start + cut);
        }, JSON.stringify(value));
        expect([text, isJson(() => read(text))]).toEqual([text, isJson(() => JSON.parse(text))]);
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});

/** True when a reader accepts a text as JSON. It may still refuse it for a repeated key. */
function isJson(reading: () => unknown): boolean {
  try {
    reading();
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    if (error instanceof SpecError) return !error.message.includes('not valid JSON');
    throw error;
  }
}

describe('JSON that is no contract', () => {
  it('because a key stands twice is reported with both places', () => {
    const mistake = mistakeIn('{\n "a": {\n  "b": 1,\n  "c": 2, "\\u0062": 3 } }');
    expect(mistake.message).toMatch(/^a\.json:4:11: this object already has the key "b", at line 3;/);
  });

  it.each(['__proto__', 'toString', '10'])('is not taken for one with the key %s twice when it stands there once', (key) => {
    expect(Object.keys(read(`{"${key}": 1, "b": 2}`))).toContain(key);
    expect(mistakeIn(`{"${key}": 1, "b": 2, "${key}": 1}`).message).toContain(', at line 1');
  });

  it.each([
    ['{"a": 1, "a": 1e999 ;}', /^a\.json:1:21: this is not valid JSON/],
    ['{"a": 1e999}', /^a\.json:1:7: 1e999 is larger than a number can be/],
    ['{"a": -1e999}', /^a\.json:1:7: -1e999 is larger than a number can be/],
    ['[1]', /^a\.json:1:1: .*object/],
    ['null', /^a\.json:1:1: .*object/],
    ['5', /^a\.json:1:1: .*object/],
  ])('is reported where it stands, and first that it is not JSON: %s', (text, message) => {
    expect(mistakeIn(text).message).toMatch(message);
  });

  it.each([
    ['objects', '{"a":', '}'],
    ['lists', '[', ']'],
  ])('because its %s are nested too deeply is reported, however deep they are', (_, open, close) => {
    const nested = (depth: number): string => `{"x":${open.repeat(depth)}0${close.repeat(depth)}}`;
    expect(() => read(nested(maxNesting - 1))).not.toThrow();
    for (const depth of [maxNesting, 50_000]) {
      const mistake = mistakeIn(nested(depth));
      expect(mistake.message).toContain(`no more than ${maxNesting} levels`);
      expect(mistake.place.column).toBe(6 + open.length * (maxNesting - 1));
    }
  });
});

describe('a file that begins like JSON', () => {
  it('is read as JSON, whatever its name', async () => {
    const document = await documentOf('{\n  "a": "\\/",\n\t"b": [1]\n}');
    expect(rawOf(document).root).toEqual({ a: '/', b: [1] });
    expect(formatLocation(document.place(rawOf(document).root, 'b'))).toBe('api.yaml:3:2');
  });

  it.each([
    ['those of its syntax', '{ a: 1 }', /^api\.yaml:1:3: this is not valid JSON/],
    ['what is wrong with it beside its syntax', '{"a": 1, "a": 2}', /^api\.yaml:1:10: this object already has the key "a"/],
  ])('has its mistakes reported: %s', async (_, text, message) => {
    expect((await mistakeOf(documentOf(text))).message).toMatch(message);
  });

  it.each(['other.json', 'OTHER.JSON'])('has the mistakes of JSON reported where it is called %s', async (name) => {
    const mistake = await mistakeOf(documentOf(`a: { $ref: '${name}#/x' }\n`, { [name]: '{\n "x": { "y" 1 }}' }));
    expect(mistake.message).toMatch(new RegExp(`^${name}:2:13: this is not valid JSON: expected a colon`));
  });
});

describe('the value of a body', () => {
  it('is JSON of every kind, and undefined for what is none', () => {
    expect(['null', '0', '"a"', '[]', '{"a":1}'].map(readJson)).toEqual([null, 0, 'a', [], { a: 1 }]);
    expect(['', '<html>', '{"a":', 'undefined'].map(readJson)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('is undefined where it is nested deeper than can be walked, brackets in strings aside', () => {
    const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(readJson(nested(maxNesting))).toBeDefined();
    expect(readJson(nested(maxNesting + 1))).toBeUndefined();
    expect(readJson(`[${'[],'.repeat(2 * maxNesting)}"${'['.repeat(2 * maxNesting)}\\"["]`)).toBeDefined();
    expect(readJson('{"a":'.repeat(100_000))).toBeUndefined();
  });
});

/** Excerpts of bodies: the lines around a value, with the numbers that an editor shows. */

import { describe, expect, it } from 'vitest';
import { excerptBody, excerptFile, printExcerpt } from '../../../core/excerpt.ts';
import { describeBrokenJson } from '../../../core/http/describe-broken-json.ts';

const orders = Array.from({ length: 40 }, (_, id) => ({ id, code: `c${id}`, name: 'n', a: 1, b: [], c: {}, status: 'open', last: true }));
const body = JSON.stringify({ meta: { page: 1 }, data: { orders } });
const print = (text: string, pointer?: string): readonly string[] => printExcerpt(excerptBody(text, pointer));

describe('an excerpt of JSON', () => {
  it('has the lines around a value, and those that open what contains it', () => {
    expect(print(body, '/data/orders/7/status')).toEqual([
      '   1 {',
      '     …',
      '   5   "data": {',
      '   6     "orders": [',
      '     …',
      '  77       {',
      '  78         "id": 7,',
      '  79         "code": "c7",',
      '  80         "name": "n",',
      '     …',
      '  82         "b": [],',
      '  83         "c": {},',
      '> 84         "status": "open",',
      '  85         "last": true',
      '  86       },',
    ]);
  });

  it('counts lines as the indented body has them', () => {
    const lines = JSON.stringify(JSON.parse(body), undefined, 2).split('\n');
    for (const pointer of ['/data/orders/39/last', '/data/orders/12', '/meta/page', '/data']) {
      const excerpt = excerptBody(body, pointer);
      expect(excerpt.of).toBe(lines.length);
      for (const { number, text } of excerpt.lines) expect(lines[number - 1]).toBe(text);
      expect(excerpt.lines.some(({ marked }) => marked)).toBe(true);
    }
  });

  it('marks the object that lacks a member, and goes no deeper than the body does', () => {
    const marked = excerptBody(body, '/data/orders/3/absent').lines.filter((line) => line.marked);
    expect(marked[0]).toMatchObject({ number: 37, text: '      {' });
  });

  it('is the beginning without a place', () => {
    expect(print('{"a":1}')).toEqual([' 1 {', ' 2   "a": 1', ' 3 }']);
    expect(excerptBody(body).lines.map(({ number }) => number)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
    expect(excerptBody('')).toEqual({ lines: [], of: 0 });
  });

  it('cuts long lines', () => {
    expect(excerptBody(JSON.stringify({ a: 'x'.repeat(1000) }), '/a').lines[1]?.text).toMatch(/^ {2}"a": "x{100,}…$/);
  });
});

describe('an excerpt of a text that is not JSON', () => {
  it('has the lines around the first mistake', () => {
    const text = '{\n "one": 1,\n "two": 2,\n "three": oops,\n "four": 4,\n "five": 5,\n "six": 6\n}';
    expect(print(text)).toEqual([' 2  "one": 1,', ' 3  "two": 2,', '>4  "three": oops,', ' 5  "four": 4,', ' 6  "five": 5,']);
  });

  it('has the part of a long line around it', () => {
    const [line] = excerptBody(`["${'x'.repeat(500)}",!"${'y'.repeat(500)}"]`).lines;
    expect(line?.text).toMatch(/^…x{78}",!"y+…$/);
  });
});

describe('a body that is not JSON', () => {
  const page = '<!DOCTYPE html>\n<html><head><title>502 Bad\nGateway</title></head></html>';
  it.each([
    [' \n', 'has only white space'],
    ['\uFEFF{"a":1}', 'is not JSON in line 1 at column 1'],
    [page, 'is an HTML page'],
    ['PHP Notice:  Undefined variable\n{"a":1}', 'is not JSON in line 1 at column 1'],
    ['{"a":1,\n "b": [1, 2', 'ends too early, in line 2 at column 12'],
    ['{"a": "text without an en', 'ends too early, in line 1 at column 26'],
    ['ok {"a":1}', 'is not JSON in line 1 at column 1'],
    ['{"a":1}\n{"b":2}', 'is not JSON in line 2 at column 1'],
    ['{"a": undefined}', 'is not JSON in line 1 at column 7'],
    ["{'a': 1}", 'is not JSON in line 1 at column 2'],
  ])('is described by what it is: %j', (body, what) => {
    expect(describeBrokenJson(body)).toBe(what);
  });
});

describe('an excerpt of a file', () => {
  it('has the lines around a line, without their common indentation, and keys hidden', () => {
    const text = 'paths:\r\n  /notes:\r\n    get:\r\n      summary: secret\r\n      tags: [a]\r\n';
    const hide = (line: string): string => line.replace('secret', '$KEY');
    expect(printExcerpt(excerptFile(text, 4, hide))).toEqual([' 2 /notes:', ' 3   get:', '>4     summary: $KEY', ' 5     tags: [a]']);
    expect(printExcerpt(excerptFile('a: 1', 1, hide))).toEqual(['>1 a: 1']);
  });
});

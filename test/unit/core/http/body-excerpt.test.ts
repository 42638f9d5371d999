/** Excerpts of bodies: the lines around a value, with the numbers that an editor shows. */

import { describe, expect, it } from 'vitest';
import { excerptBody, printExcerpt } from '../../../../core/http/body-excerpt.ts';

const orders = Array.from({ length: 40 }, (_, id) => ({ id, code: `c${id}`, name: 'n', a: 1, b: [], c: {}, status: 'open', last: true }));
const body = JSON.stringify({ meta: { page: 1 }, data: { orders } });
const print = (text: string, pointer?: string, at?: number): readonly string[] => printExcerpt(excerptBody(text, pointer, at));

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

describe('an excerpt of another text', () => {
  it('has the lines around an offset', () => {
    const text = 'one\ntwo\nthree\nfour\nfive\nsix\nseven';
    expect(print(text, '', text.indexOf('four'))).toEqual(
      ['   …', '  2 two', '  3 three', '> 4 four', '  5 five', '  6 six'].map((line) => line.replace(/^( |>) (?=\d)/, '$1')),
    );
  });

  it('has the part of a long line around it', () => {
    const [line] = excerptBody(`${'x'.repeat(500)}!${'y'.repeat(500)}`, '', 500).lines;
    expect(line?.text).toMatch(/^…x{80}!y{78}…$/);
  });
});

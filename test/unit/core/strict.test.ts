/** A typed value has one strict spelling, and every strict spelling is read back as what it was. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../core/json.ts';
import { kindsOf, readStrictly, type ValueKind } from '../../../core/strict.ts';

describe('the strict reading', () => {
  it.each<readonly [ValueKind, string, Json]>([
    ['integer', '0', 0],
    ['integer', '5', 5],
    ['integer', '-5', -5],
    ['integer', '9007199254740991', 9_007_199_254_740_991],
    ['number', '5', 5],
    ['number', '-0.5', -0.5],
    ['number', '1e2', 100],
    ['number', '1.5E-3', 0.0015],
    ['boolean', 'true', true],
    ['boolean', 'false', false],
    ['string', '', ''],
    ['string', ' 5', ' 5'],
    ['date-time', '2026-10-03T16:10:30+02:00', '2026-10-03T16:10:30+02:00'],
    ['date-time', '2026-10-03t14:10:30z', '2026-10-03t14:10:30z'],
  ])('as %s of %j is %j', (kind, text, value) => {
    expect(readStrictly([kind], text)).toBe(value);
  });

  it.each<readonly [ValueKind, readonly string[]]>([
    [
      'integer',
      [
        '',
        '007',
        '+5',
        '5.0',
        '5.',
        ' 5',
        '5 ',
        '1e2',
        '-0',
        '0x10',
        '1_000',
        '1,000',
        'abc',
        '٥',
        '--5',
        '9007199254740992',
        '-9007199254740993',
      ],
    ],
    ['number', ['', '007', '+5', '5.', '.5', ' 5', '1e', 'NaN', 'Infinity', '-Infinity', '1e999', '0x10', '1,5', 'abc']],
    ['boolean', ['', 'TRUE', 'True', '1', '0', 'yes', 'constructor', 'toString', ' true']],
    [
      'date-time',
      ['', 'abc', '2026-10-03', '2026-10-03T16:10:30', '2026-10-03T16:10:30 02:00', '2026-02-30T00:00:00Z', '2026-10-03T16:10:30+0200'],
    ],
  ])('as %s is refused to %j', (kind, texts) => {
    expect(texts.filter((text) => readStrictly([kind], text) !== undefined)).toEqual([]);
  });

  it('takes the first kind that fits', () => {
    expect(readStrictly(['integer', 'string'], '5')).toBe(5);
    expect(readStrictly(['integer', 'string'], '05')).toBe('05');
    expect(readStrictly(['integer', 'boolean'], 'abc')).toBeUndefined();
  });

  it('is the inverse of printing', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), (integer, number, truth) => {
        expect(readStrictly(['integer'], String(integer))).toBe(integer + 0);
        expect(readStrictly(['number'], String(number))).toBe(number + 0);
        expect(readStrictly(['boolean'], String(truth))).toBe(truth);
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});

describe('the kinds of value', () => {
  it.each<readonly [Json, readonly ValueKind[]]>([
    [{ type: 'integer' }, ['integer']],
    [{ type: ['integer', 'null'] }, ['integer']],
    [{ type: ['string', 'integer'] }, ['integer', 'string']],
    [{ type: 'string', format: 'date-time' }, ['date-time']],
    [{ type: 'string', format: 'date' }, ['string']],
    [{}, ['string']],
    [true, ['string']],
    [{ enum: ['a', 'b'] }, ['string']],
    [{ enum: [1, 2] }, ['number']],
    [{ const: true }, ['boolean']],
    [{ type: 'number', enum: [1, 2] }, ['number']],
  ])('that %j allows are %j', (schema, kinds) => {
    expect(kindsOf(schema)).toEqual(kinds);
  });
});

/** The values that a lenient server would read from texts that a strict one refuses. */

import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../core/json.ts';
import type { ValueKind } from '../../../../core/parameters/read-value.ts';
import { readLeniently } from '../../../../core/parameters/read-value.ts';

describe('a lenient reader', () => {
  it.each<readonly [ValueKind, Readonly<Record<string, Json>>]>([
    ['integer', { '007': 7, '+5': 5, '5.0': 5, '5.': 5, ' 5': 5, '5\t': 5, '-007': -7, '-0': 0 }],
    ['number', { '+1.5': 1.5, '.5': 0.5, '5.': 5, ' 5 ': 5 }],
    ['boolean', { TRUE: true, 1: true, no: false, ' Off ': false }],
    ['date-time', { '2026-10-03T16:10:30': '2026-10-03T16:10:30Z', '2026-10-03': '2026-10-03T00:00:00Z' }],
    ['date-time', { '2026-10-03T16:10': '2026-10-03T16:10:00Z', '2026-10-03 16:10:30Z': '2026-10-03T16:10:30Z' }],
    ['date-time', { '2026-10-03T16:10:30 02:00': '2026-10-03T16:10:30+02:00', ' 2026-10-03T16:10:30Z ': '2026-10-03T16:10:30Z' }],
    ['date-time', { '2026-10-03T16:10:30+0200': '2026-10-03T16:10:30+02:00', '2026-10-03T16:10:30+02': '2026-10-03T16:10:30+02:00' }],
    ['date-time', { '2026-10-03T16:10:30.25 -02:00': '2026-10-03T16:10:30.25-02:00' }],
  ])('makes %s of sloppy texts: %j', (kind, values) => {
    for (const [text, value] of Object.entries(values)) expect(readLeniently(kind, text, [])?.value).toBe(value);
  });

  it.each<readonly [ValueKind, readonly string[]]>([
    ['integer', ['abc', '', '5.5', '1e2', '0x10', '5 6', '--5', '٥']],
    ['number', ['abc', '', '.', 'NaN', 'Infinity', '1,5']],
    ['boolean', ['abc', '', '2', 'constructor', 'toString', '__proto__']],
    ['date-time', ['abc', '', '16:10', '10/03/2026', 'yesterday', '1790000000']],
    ['string', ['abc', '']],
  ])('makes no %s of %j', (kind, texts) => {
    expect(texts.filter((text) => readLeniently(kind, text, []) !== undefined)).toEqual([]);
  });

  it.each([
    ['READY', 'ready'],
    [' Ready ', 'ready'],
    ['No_Show', 'no_show'],
    ['inprogress', 'InProgress'],
    ['noshow', undefined],
    ['no-show', undefined],
    ['readyy', undefined],
    ['', undefined],
  ])('folds case and spaces of listed values: %j is %s', (text, value) => {
    expect(readLeniently('string', text, ['ready', 'no_show', 'InProgress'])?.value).toBe(value);
  });

  it('says in which way the spelling is sloppy', () => {
    expect(readLeniently('integer', '007', [])?.because).toContain('plain integer');
    expect(readLeniently('integer', '9223372036854775808', [])?.because).toContain('64 bits');
    expect(readLeniently('date-time', '2026-10-03', [])?.because).toContain('+02:00');
    expect(readLeniently('string', 'READY', ['ready'])?.because).toContain('case');
  });
});

/** Sloppy spellings are those that a lenient reader makes sense of; what no reading rescues is none of them. */

import { describe, expect, it } from 'vitest';
import type { Json } from '../../../core/json.ts';
import { readLeniently } from '../../../core/sloppy.ts';
import type { ValueKind } from '../../../core/strict.ts';

function lenient(kind: ValueKind, text: string, allowed: readonly Json[] = []): Json | undefined {
  return readLeniently(kind, text, allowed)?.value;
}

describe('a lenient reader', () => {
  it.each<readonly [ValueKind, string, Json]>([
    ['integer', '007', 7],
    ['integer', '+5', 5],
    ['integer', '5.0', 5],
    ['integer', '5.', 5],
    ['integer', ' 5', 5],
    ['integer', '5\t', 5],
    ['integer', '-007', -7],
    ['number', '+1.5', 1.5],
    ['number', '.5', 0.5],
    ['number', '5.', 5],
    ['number', ' 5 ', 5],
    ['boolean', 'TRUE', true],
    ['boolean', '1', true],
    ['boolean', 'no', false],
    ['boolean', ' Off ', false],
    ['date-time', '2026-10-03T16:10:30', '2026-10-03T16:10:30Z'],
    ['date-time', '2026-10-03', '2026-10-03T00:00:00Z'],
    ['date-time', '2026-10-03T16:10', '2026-10-03T16:10:00Z'],
    ['date-time', '2026-10-03 16:10:30Z', '2026-10-03T16:10:30Z'],
    ['date-time', '2026-10-03T16:10:30 02:00', '2026-10-03T16:10:30+02:00'],
    ['date-time', '2026-10-03T16:10:30+0200', '2026-10-03T16:10:30+02:00'],
    ['date-time', '2026-10-03T16:10:30.25 -02:00', '2026-10-03T16:10:30.25-02:00'],
    ['date-time', ' 2026-10-03T16:10:30Z ', '2026-10-03T16:10:30Z'],
    ['date-time', '2026-10-03T16:10:30+02', '2026-10-03T16:10:30+02:00'],
  ])('reads the %s %j as %j', (kind, text, value) => {
    expect(lenient(kind, text)).toBe(value);
  });

  it.each<readonly [ValueKind, readonly string[]]>([
    ['integer', ['abc', '', '5.5', '1e2', '0x10', '5 6', '--5', '٥']],
    ['number', ['abc', '', '.', 'NaN', 'Infinity', '1,5']],
    ['boolean', ['abc', '', '2', 'constructor', 'toString', '__proto__']],
    ['date-time', ['abc', '', '16:10', '10/03/2026', 'yesterday', '1790000000']],
    ['string', ['abc', '']],
  ])('makes no %s of %j', (kind, texts) => {
    expect(texts.filter((text) => lenient(kind, text) !== undefined)).toEqual([]);
  });

  it('reads minus nothing as nothing', () => {
    expect(lenient('integer', '-0')).toBe(0);
  });

  it('folds case and spaces of listed values', () => {
    const allowed = ['ready', 'no_show', 'InProgress'];
    expect(['READY', ' Ready ', 'No_Show', 'inprogress'].map((text) => lenient('string', text, allowed))).toEqual([
      'ready',
      'ready',
      'no_show',
      'InProgress',
    ]);
    expect(['noshow', 'no-show', 'readyy', ''].map((text) => lenient('string', text, allowed))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('says in which way the spelling is sloppy', () => {
    expect(readLeniently('integer', '007', [])?.because).toContain('plain integer');
    expect(readLeniently('integer', '9007199254740993', [])?.because).toContain('2^53');
    expect(readLeniently('date-time', '2026-10-03', [])?.because).toContain('+02:00');
    expect(readLeniently('string', 'READY', ['ready'])?.because).toContain('case');
  });
});

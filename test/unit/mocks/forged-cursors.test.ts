/** Cursors that are signed rightly and say something odd: anybody can sign, since the key follows from the seed. */

import { expect, it } from 'vitest';
import { type CursorContent, createCursorCodec } from '../../../mocks/handler/cursor.ts';

const codec = createCursorCodec(1, 'Parcels');
const content: CursorContent = { operation: 'listParcels', tenant: 'north', position: ['2026-03-29', 7], fixed: { status: ['a', 'b'] } };

it('read what they wrote', () => {
  expect(codec.decode(codec.encode(content))).toEqual(content);
  expect(codec.decode(codec.encode({ ...content, position: null }))).toEqual({ ...content, position: null });
});

it.each([
  { operation: 1 },
  { operation: undefined },
  { tenant: null },
  { position: {} },
  { position: 'x' },
  { position: [[1]] },
  { position: [{}] },
  { fixed: null },
  { fixed: [] },
  { fixed: { status: {} } },
  { fixed: { status: [['a']] } },
])('with %j are none', (odd) => {
  expect(codec.decode(codec.encode({ ...content, ...odd } as CursorContent))).toBeUndefined();
});

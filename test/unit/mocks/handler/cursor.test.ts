/** Cursors: their content is read back, and changed cursors are refused. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../core/json.ts';
import { type CursorContent, createCursorCodec } from '../../../../mocks/handler/cursor.ts';

const content: CursorContent = {
  operation: 'listThings',
  tenant: 'full',
  position: ['2026-03-29T16:00:00+02:00', 4711],
  fixed: { state: ['open', 'closed'], since: null },
};

const codec = createCursorCodec(1, 'Things');

const anyContent: fc.Arbitrary<CursorContent> = fc.record({
  operation: fc.string(),
  tenant: fc.string({ unit: 'grapheme' }),
  position: fc.array(
    fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constant(null),
    ) as fc.Arbitrary<Json>,
  ),
  fixed: fc.dictionary(
    fc.string().filter((name) => name !== '__proto__'),
    fc.oneof(fc.string(), fc.constant(null)),
    { noNullPrototype: true },
  ),
});

/** Characters that stand in cursors, and some that do not: padding, the other base64 alphabet, a space, a letter with an accent, nothing. */
const replacements = ['A', 'Z', 'a', 'z', '0', '9', '-', '_', '.', '=', '+', '/', ' ', 'é', ''];

describe('a cursor', () => {
  it('is read back with the same content', () => {
    expect(codec.decode(codec.encode({ ...content, position: null }))).toEqual({ ...content, position: null });
    // JSON knows no negative zero, and no order of records needs one.
    const written = (value: CursorContent): unknown => JSON.parse(JSON.stringify(value));
    fc.assert(
      fc.property(anyContent, (any) => {
        expect(codec.decode(codec.encode(any))).toEqual(written(any));
      }),
      { seed: 1, numRuns: 100 },
    );
  });

  it('needs no escaping in a URL, with any content', () => {
    fc.assert(
      fc.property(anyContent, (any) => {
        expect(codec.encode(any)).toMatch(/^[A-Za-z0-9._-]+$/);
      }),
      { seed: 2, numRuns: 80 },
    );
  });

  it('is the same text for the same content, and another text for other content', () => {
    expect(codec.encode({ ...content })).toBe(codec.encode(content));
    const others: readonly CursorContent[] = [
      { ...content, operation: 'listOthers' },
      { ...content, tenant: 'other' },
      { ...content, position: [4711, '2026-03-29T16:00:00+02:00'] },
      { ...content, fixed: { ...content.fixed, since: '2026-01-01' } },
    ];
    expect(new Set([content, ...others].map((each) => codec.encode(each))).size).toBe(5);
  });

  // Anybody can sign a cursor, since the key follows from the seed.
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
    { fixed: { state: {} } },
    { fixed: { state: [['a']] } },
  ])('is refused with %j, rightly signed', (odd) => {
    expect(codec.decode(codec.encode({ ...content, ...odd } as CursorContent))).toBeUndefined();
  });

  it('is refused with any character replaced, removed or added', () => {
    const text = codec.encode(content);
    const damaged = Array.from({ length: text.length + 1 }, (_, index) => index).flatMap((index) =>
      replacements.flatMap((character) => [
        text.slice(0, index) + character + text.slice(index + 1),
        text.slice(0, index) + character + text.slice(index),
      ]),
    );
    const others = damaged.filter((each) => each !== text);
    expect(others.length).toBeGreaterThan(1000);
    expect(others.filter((each) => codec.decode(each) !== undefined)).toEqual([]);
  });

  it('is refused if it is truncated, doubled, or without one of its parts', () => {
    const text = codec.encode(content);
    const [payload = '', signature = ''] = text.split('.');
    const cut = Array.from({ length: text.length }, (_, length) => text.slice(0, length));
    const wrong = [...cut, text + text, `${text}.`, `${text}.${signature}`, `.${signature}`, payload, signature, `${signature}.${payload}`];
    expect(wrong.filter((each) => codec.decode(each) !== undefined)).toEqual([]);
  });

  it('is refused with other content under the same signature', () => {
    const [, signature = ''] = codec.encode(content).split('.');
    const [payload = ''] = codec.encode({ ...content, tenant: 'other' }).split('.');
    expect(codec.decode(`${payload}.${signature}`)).toBeUndefined();
  });

  it('is accepted only with the same seed and by the same API', () => {
    const text = codec.encode(content);
    expect(createCursorCodec(1, 'Things').decode(text)).toEqual(content);
    expect(createCursorCodec(2, 'Things').decode(text)).toBeUndefined();
    expect(createCursorCodec(1, 'Thing').decode(text)).toBeUndefined();
    expect(createCursorCodec(11, 'Things').decode(text)).toBeUndefined();
  });

  it('is not any text without a signature', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(codec.decode(text)).toBeUndefined();
      }),
      { seed: 3, numRuns: 150 },
    );
  });
});

/** The index of lines has every text that contains what is wanted, and nothing else where it says so. */

import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { foldText } from '../../../../core/fold.ts';
import { LineIndex } from '../../../../mocks/ledger/lines.ts';

const word = fc.constantFrom('sale', 'salemi', 'Àncora', 'ancora', 'è', 'e', 'II', 'faro2', 'ΣΟΦΟΣ', '𝒳y', 'ß');
const gap = fc.constantFrom(' ', '\n', ', ', '<p>', '’', '-');
const text = fc.array(fc.tuple(word, gap), { maxLength: 6 }).map((pieces) => pieces.flat().join(''));
const texts = fc.array(fc.array(text, { maxLength: 2 }), { minLength: 1, maxLength: 80 });
/** Pieces of texts that may be there, cut anywhere, and others. */
const wanted = fc.oneof(
  fc.tuple(text, fc.nat(20), fc.nat(12)).map(([whole, from, length]) => whole.slice(from % (whole.length + 1)).slice(0, length)),
  fc.constantFrom('', ' ', '<p>', 'sal', 'ale', 'faro2', 'xyzzy', 'ncora è', 'e, '),
);

function indexOf(all: readonly (readonly string[])[], isFolded: boolean): LineIndex {
  const index = new LineIndex(isFolded);
  for (const [number, parts] of all.entries()) for (const part of parts) index.add(number, part);
  return index;
}

describe.each([true, false])('an index that is folded: %s', (isFolded) => {
  const plain = (each: string): string => (isFolded ? foldText(each) : each);

  it('finds whatever contains what is wanted, and only that where it is certain', () => {
    let certain = 0;
    fc.assert(
      fc.property(texts, wanted, (all, piece) => {
        const found = indexOf(all, isFolded).find(piece);
        for (const [number, parts] of all.entries()) {
          const contains = parts.some((part) => plain(part).includes(plain(piece)));
          if (contains) expect(found?.has(number) ?? true).toBe(true);
          else if (found?.isCertain === true) expect(found.has(number)).toBe(false);
        }
        certain += found?.isCertain === true ? 1 : 0;
      }),
      { numRuns: 120, seed: 21 },
    );
    expect(certain).toBeGreaterThan(15);
  });

  it('finds in many lines as in few, also those that it does not remember', () => {
    const all = Array.from({ length: 9000 }, (_, number) => [`riga n. ${number}\n${number % 3 === 0 ? 'una di tre' : 'comune'}\ncomune`]);
    const index = indexOf(all, isFolded);
    for (const piece of ['riga', 'comune', 'tre', 'di tre', 'n. 8', '8999', 'n. 4321', 'una d']) {
      const found = index.find(piece);
      expect(found?.isCertain).toBe(true);
      const wrong = all.flatMap(([text = ''], number) => (text.includes(piece) === found?.has(number) ? [] : [number]));
      expect(wrong).toEqual([]);
    }
  });

  it('is certain of what stands in one line, and looks at texts that have all lines of what has several', () => {
    const index = indexOf([['Il sale, grosso'], ['il Sale e basta'], ['sale\ne il sale']], isFolded);
    const find = (wanted: string): readonly unknown[] => [
      index.find(wanted)?.isCertain,
      ...[0, 1, 2].map((number) => index.find(wanted)?.has(number)),
    ];
    expect(find('sal')).toEqual([true, true, isFolded, true]);
    expect(find('le e b')).toEqual([true, false, true, false]);
    expect(find('ale, ')).toEqual([true, true, false, false]);
    expect(find(' sale,')).toEqual([true, true, false, false]);
    expect(find('sale\ne')).toEqual([false, true, isFolded, true]);
    expect(find(' ')).toEqual([true, true, true, true]);
    for (const wanted of ['', '\n', '\ud835']) expect(index.find(wanted)).toBeUndefined();
    // Bytes have the same for each half of a character, and for the sign that stands for one.
    expect(indexOf([['\ufffd']], isFolded).find('\ufffd')?.isCertain).toBe(false);
  });

  it('looks for the first of very many lines only, and leaves the rest to whoever looks at the text', () => {
    const index = indexOf([['sale\nbasta'], ['altro']], isFolded);
    const looks = vi.spyOn(String.prototype, 'includes');
    const found = index.find('sale\n'.repeat(16_000));
    const looked = looks.mock.calls.length;
    looks.mockRestore();
    expect(looked).toBeLessThan(100);
    expect([found?.isCertain, found?.has(0), found?.has(1)]).toEqual([false, true, false]);
  });

  it('finds in lines that are longer than what lies together otherwise', () => {
    const all = Array.from({ length: 5100 }, (_, number) => [`riga ${number} ${number > 5089 ? 'è'.repeat(400_000) : ''}fine`]);
    const index = indexOf(all, isFolded);
    const found = index.find(isFolded ? 'ee' : 'èè');
    expect(all.flatMap((_, number) => (found?.has(number) === true ? [number] : []))).toEqual(
      Array.from({ length: 10 }, (_, at) => 5090 + at),
    );
    expect(index.find('5099 ')?.has(5099)).toBe(true);
  });
});

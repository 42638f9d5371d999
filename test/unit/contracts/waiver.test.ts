/** Waivers: what is read of a file of them, which violations they let pass, and what is said of those that do nothing. */

import { describe, expect, test } from 'vitest';
import { applyWaivers, readWaivers, type WaiverEntry } from '../../../contracts/waiver.ts';
import { gapOf, lawOf, violationOf } from '../../helpers/results.ts';

const today = '2026-06-15';
const violated = violationOf();
const entry = (changes: Partial<WaiverEntry> = {}): WaiverEntry => ({ law: 'filters/sound', reason: 'known', ...changes });

describe('a file', () => {
  test('lists entries, in YAML or in JSON, with their places', async () => {
    const yaml = "waivers:\n  - law: filters/*\n    operation: listNotes\n    reason: ticket 7\n    expires: '2026-12-31'\n";
    expect(await readWaivers('w.yaml', yaml)).toEqual([
      {
        law: 'filters/*',
        operation: 'listNotes',
        reason: 'ticket 7',
        expires: '2026-12-31',
        place: { file: 'w.yaml', line: 2, column: 5 },
      },
    ]);
    expect(await readWaivers('w.json', '{"waivers":[{"law":"a/b","reason":"r"}]}')).toMatchObject([{ law: 'a/b', reason: 'r' }]);
  });

  test.each(['', '# nothing left\n', '---\n', 'waivers:\n', 'waivers: []\n'])('may have none: %j', async (text) => {
    expect(await readWaivers('w.yaml', text)).toEqual([]);
  });

  test.each([
    ['- law: a/b\n', 'w.yaml:1:1: waivers are a list under waivers'],
    ['waiver:\n  - law: a/b\n', 'w.yaml:1:1: the file must not have waiver; is waivers meant?'],
    ['waivers:\n  - law: a/b\n    reson: x\n', 'w.yaml:3:5: waivers.0 must not have reson; is reason meant?'],
    ['waivers:\n  - law: a/b\n', "w.yaml:2:5: waivers.0 must have required property 'reason'"],
    ['waivers:\n  - law: a/b\n    reason: ""\n', 'w.yaml:3:5: waivers.0.reason must match pattern'],
    ['waivers:\n  - law: a/b\n    reason: 7\n', 'w.yaml:3:5: waivers.0.reason must be string; found 7'],
    ['waivers:\n  - law: a/b\n    reason: x\n    expires: 2026-02-30\n', 'w.yaml:4:5: waivers.0.expires must match format "date"'],
    ['waivers:\n  law: a/b\n', 'w.yaml:1:1: waivers must be array,null; found something else'],
  ])('is refused at its line: %j', async (text, message) => {
    await expect(readWaivers('w.yaml', text)).rejects.toThrow(message);
  });
});

describe('a violation', () => {
  test.each([
    [entry(), true],
    [entry({ law: 'filters/*', operation: 'list*' }), true],
    [entry({ law: '*' }), true],
    [entry({ operation: 'getNote' }), false],
    [entry({ law: 'filters' }), false],
    [entry({ expires: today }), true],
    [entry({ expires: '2026-06-14' }), false],
  ])('%# is waived by what fits it, up to the last day', (waiver, isWaived) => {
    const [law] = applyWaivers([violated], [waiver], today).laws;
    expect(law).toEqual(
      isWaived
        ? { ...violated, waiver: { reason: 'known', ...(waiver.expires === undefined ? {} : { expires: waiver.expires }) } }
        : violated,
    );
  });

  test('is waived by the first entry that fits, and nothing else is ever waived', () => {
    const { laws } = applyWaivers(
      [violated, gapOf('filters/sound', 'x', 'data')],
      [entry({ reason: 'one' }), entry({ reason: 'two' })],
      today,
    );
    expect(laws.map(({ waiver }) => waiver?.reason)).toEqual(['one', undefined]);
  });
});

describe('an entry that does nothing', () => {
  const place = { file: 'w.yaml', line: 3, column: 5 };
  const notesOf = (results: Parameters<typeof applyWaivers>[0], waiver: WaiverEntry, leftOut = [] as { id: string; operation: string }[]) =>
    applyWaivers(results, [{ ...waiver, place }], today, leftOut).notes;

  test('since it has expired, is told with what that means', () => {
    expect(notesOf([violated], entry({ expires: '2026-06-01' }))).toEqual([
      'w.yaml:3:5: the waiver of filters/sound expired on 2026-06-01: the violation that it fits counts again; mend that, or give a later date',
    ]);
    expect(notesOf([lawOf()], entry({ operation: 'listNotes', expires: '2026-06-01' }))).toEqual([
      'w.yaml:3:5: the waiver of filters/sound at listNotes expired on 2026-06-01: it fits no violation; remove it',
    ]);
  });

  test('since what it is about holds, is told; one whose law was not judged is not', () => {
    expect(notesOf([lawOf()], entry())).toEqual([
      'w.yaml:3:5: the waiver of filters/sound is of no use: what it is about holds; remove it',
    ]);
    expect(notesOf([lawOf(), gapOf('filters/sound', 'other', 'data')], entry())).toEqual([]);
    expect(notesOf([lawOf()], entry(), [{ id: 'filters/sound', operation: 'elsewhere' }])).toEqual([]);
    expect(notesOf([], entry())).toEqual([]);
    expect(notesOf([], entry({ law: 'watch/*' }))).toEqual([]);
    expect(notesOf([violated], entry())).toEqual([]);
  });

  test('since there is no such law, is told with the one that may be meant', () => {
    expect(notesOf([lawOf()], entry({ law: 'filters/soudn' }))).toEqual([
      'w.yaml:3:5: the waiver of filters/soudn is of no use: there is no such law; is filters/sound meant?',
    ]);
  });
});

/** Waivers: what is read of a file of them, which violations they let pass, and what is said of those that do nothing. */

import { describe, expect, test } from 'vitest';
import { fingerprintOf } from '../../../contracts/outcome.ts';
import { applyWaivers, readWaivers, type WaiverEntry } from '../../../contracts/waiver.ts';
import type { LawViolation } from '../../../core/verdict.ts';
import { counterexample, gapOf, lawOf, violationOf } from '../../helpers/reports/sample-results.ts';

const today = '2026-06-15';
const violated = violationOf();
const fingerprint = violated.fingerprint ?? '';
const entry = (changes: Partial<WaiverEntry> = {}): WaiverEntry => ({ fingerprint, reason: 'known', ...changes });

/** Another thing that is wrong by the same law at the same operation. */
const other: LawViolation = {
  fingerprint: fingerprintOf(violated.id, violated.operation, { about: 'colour' }),
  message: 'colour=red is ignored',
  counterexample,
};

describe('a file', () => {
  test('lists entries, in YAML or in JSON, with their places', async () => {
    const yaml = "waivers:\n  - fingerprint: 1c9a07-e3b0c4\n    reason: ticket 7\n    expires: '2026-12-31'\n";
    const place = { file: 'w.yaml', line: 2, column: 5 };
    expect(await readWaivers('w.yaml', yaml)).toEqual([{ fingerprint: '1c9a07-e3b0c4', reason: 'ticket 7', expires: '2026-12-31', place }]);
    const json = '{"waivers":[{"fingerprint":"123456-123456","reason":"r"}]}';
    expect(await readWaivers('w.json', json)).toMatchObject([{ fingerprint: '123456-123456', reason: 'r' }]);
  });

  test.each(['', '# nothing left\n', '---\n', 'waivers:\n', 'waivers: []\n'])('may have none: %j', async (text) => {
    expect(await readWaivers('w.yaml', text)).toEqual([]);
  });

  const some = 'fingerprint: 1c9a07-e3b0c4';
  test.each([
    [`- ${some}\n`, 'w.yaml:1:1: waivers are a list under waivers'],
    [`waiver:\n  - ${some}\n`, 'w.yaml:1:1: the file must not have waiver; is waivers meant?'],
    [`waivers:\n  - ${some}\n    reson: x\n`, 'w.yaml:3:5: waivers.0 must not have reson; is reason meant?'],
    [`waivers:\n  - ${some}\n`, "w.yaml:2:5: waivers.0 must have required property 'reason'"],
    [`waivers:\n  - ${some}\n    reason: ""\n`, 'w.yaml:3:5: waivers.0.reason must match pattern'],
    [`waivers:\n  - ${some}\n    reason: 7\n`, 'w.yaml:3:5: waivers.0.reason must be string; found 7'],
    [`waivers:\n  - ${some}\n    reason: x\n    expires: 2026-02-30\n`, 'w.yaml:4:5: waivers.0.expires must match format "date"'],
    [`waivers:\n  ${some}\n`, 'w.yaml:1:1: waivers must be array,null; found something else'],
    ['waivers:\n  - fingerprint: filters/sound\n    reason: x\n', 'w.yaml:2:5: waivers.0.fingerprint must match pattern'],
  ])('is refused at its line: %j', async (text, message) => {
    await expect(readWaivers('w.yaml', text)).rejects.toThrow(message);
  });
});

describe('a violation', () => {
  test.each([
    [entry(), true],
    [entry({ fingerprint: other.fingerprint }), false],
    [entry({ expires: today }), true],
    [entry({ expires: '2026-06-14' }), false],
  ])('%# is waived by its fingerprint, up to the last day', (waiver, isWaived) => {
    const [law] = applyWaivers([violated], [waiver], today).laws;
    const expires = waiver.expires === undefined ? {} : { expires: waiver.expires };
    expect(law).toEqual(isWaived ? { ...violated, waiver: { reason: 'known', ...expires } } : violated);
  });

  test('hides no other one of the same law: that one is told in its place', () => {
    const [law] = applyWaivers([{ ...violated, further: [other] }], [entry()], today).laws;
    expect(law).toMatchObject({ verdict: 'violated', ...other, further: [{ fingerprint, waiver: { reason: 'known' } }] });
    expect(law?.waiver).toBeUndefined();
    expect(law?.diagnosis).toBeUndefined();
  });

  test('of which all are waived is waived', () => {
    const both = [entry(), entry({ fingerprint: other.fingerprint, reason: 'too' })];
    expect(applyWaivers([{ ...violated, further: [other] }], both, today).laws[0]).toMatchObject({
      fingerprint,
      waiver: { reason: 'known' },
      further: [{ fingerprint: other.fingerprint, waiver: { reason: 'too' } }],
    });
  });

  test('that a baseline has is waived, and a new one is not', () => {
    const baseline = [violationOf(), lawOf({ id: 'filters/union' })];
    const fresh = violationOf({ id: 'filters/union' });
    const { laws, notes } = applyWaivers([violated, fresh, { ...violated, further: [other] }], [], today, baseline);
    expect(laws.map(({ waiver }) => waiver?.reason)).toEqual(['the baseline has it', undefined, undefined]);
    expect(notes).toEqual([]);
  });
});

describe('an entry that does nothing', () => {
  const place = { file: 'w.yaml', line: 3, column: 5 };
  const notesOf = (results: Parameters<typeof applyWaivers>[0], waiver: WaiverEntry) =>
    applyWaivers(results, [{ ...waiver, place }], today).notes;

  test('since it has expired, is told with what that means', () => {
    expect(notesOf([violated], entry({ expires: '2026-06-01' }))).toEqual([
      `w.yaml:3:5: the waiver of ${fingerprint} expired on 2026-06-01, and filters/sound at listNotes counts again: mend it, or give a later date`,
    ]);
    expect(notesOf([lawOf()], entry({ expires: '2026-06-01' }))).toEqual([
      `w.yaml:3:5: the waiver of ${fingerprint} expired on 2026-06-01; remove it`,
    ]);
  });

  test('since its law holds, or is violated in another way, is told; one whose law was not judged is not', () => {
    const start = `w.yaml:3:5: the waiver of ${fingerprint} is of no use: filters/sound at listNotes`;
    expect(notesOf([lawOf()], entry())).toEqual([`${start} holds; remove it`]);
    expect(notesOf([violationOf({ fingerprint: other.fingerprint })], entry())).toEqual([`${start} is violated in another way; remove it`]);
    expect(notesOf([gapOf('filters/sound', 'listNotes', 'data')], entry())).toEqual([]);
    expect(notesOf([lawOf({ operation: 'other' })], entry())).toEqual([]);
    expect(notesOf([violated], entry())).toEqual([]);
  });
});

/** Conclusions of a run: the reason that decides the exit code, requirements that are not met, and waivers of a file. */

import { describe, expect, test } from 'vitest';
import { concludeRun, type RunFindings, type Terms } from '../../../../contracts/verify/conclude-run.ts';
import { findCauses } from '../../../../contracts/verify/find-causes.ts';
import { checkRequirement, findEvidenceGap, readRequirement } from '../../../../contracts/verify/required-checks.ts';
import { fingerprintOf } from '../../../../contracts/verify/violation-fingerprint.ts';
import { applyWaivers, readWaivers, type WaiverEntry } from '../../../../contracts/verify/waivers.ts';
import type { CheckViolation, WrongResponse } from '../../../../core/results/run-result.ts';
import { checkOf, counterexample, gapOf, violationOf } from '../../../helpers/reports/sample-results.ts';

const gap = gapOf('pages/echo', 'listNotes', 'two pages');
const blocked = checkOf({ verdict: 'blocked', killed: [], message: 'listNotes is not available (503)' });
const { fingerprint = '' } = violationOf();
const waived = [{ fingerprint, reason: 'known' }];

describe('the exit code', () => {
  test.each<readonly [what: string, seen: Partial<RunFindings>, terms: Partial<Terms>, verdict: string, exitCode: number]>([
    ['something holds', {}, {}, 'holds', 0],
    ['nothing holds', { checks: [gap] }, {}, 'not-exercised', 4],
    ['almost nothing holds', { checks: [checkOf(), ...Array.from({ length: 10 }, () => gap)] }, {}, 'not-exercised', 4],
    ['a tenth holds', { checks: [checkOf(), ...Array.from({ length: 9 }, () => gap)] }, {}, 'holds', 0],
    [
      'what is not testable is not counted',
      { checks: [checkOf(), ...Array.from({ length: 20 }, () => checkOf({ verdict: 'not-testable', killed: [], message: 'a key' }))] },
      {},
      'holds',
      0,
    ],
    ['nothing was judged', { checks: [] }, {}, 'not-exercised', 4],
    ['a violation', { checks: [checkOf(), violationOf()] }, {}, 'violated', 1],
    ['a violation that is waived', { checks: [violationOf()] }, { waivers: waived }, 'holds', 0],
    [
      'a violation whose waiver has expired',
      { checks: [violationOf()] },
      { waivers: [{ fingerprint, reason: 'r', expires: '2026-01-01' }] },
      'violated',
      1,
    ],
    ['a lack', { checks: [checkOf(), gap] }, { require: 'all' }, 'not-exercised', 4],
    ['no lack of what is required', { checks: [checkOf(), gap] }, { require: ['filters/*'] }, 'holds', 0],
    ['a waived violation is no lack', { checks: [checkOf(), violationOf()] }, { require: 'all', waivers: waived }, 'holds', 0],
    ['violations win over all else', { checks: [violationOf(), blocked, gap], cutShort: 'interrupted' }, { require: 'all' }, 'violated', 1],
    [
      'an interruption wins over what is blocked',
      { checks: [blocked, gap], cutShort: 'interrupted' },
      { require: 'all' },
      'inconclusive',
      130,
    ],
    ['what is blocked wins over a lack', { checks: [checkOf(), blocked, gap] }, { require: 'all' }, 'blocked', 3],
    ['what is blocked and only implied', { checks: [checkOf(), { ...blocked, strength: 'implied' }] }, {}, 'holds', 0],
    [
      'a check that failed, though only implied',
      { checks: [checkOf(), { ...blocked, strength: 'implied', failed: true }] },
      {},
      'blocked',
      3,
    ],
    ['a look at open questions that failed', { checks: [checkOf()], hasInternalError: true }, {}, 'blocked', 3],
    ['a target that was lost', { cutShort: 'lost' }, {}, 'blocked', 3],
    ['a target that is not there', { checks: [], unavailable: 'Nothing listens' }, { require: 'all' }, 'blocked', 3],
    ['a budget that was spent', { cutShort: 'budget' }, {}, 'not-exercised', 4],
  ])('%s', (_, seen, terms, verdict, exitCode) => {
    expect(concludeRun({ checks: [checkOf()], ...seen }, { today: '2026-06-15', ...terms })).toMatchObject({ verdict, exitCode });
  });
});

test('notes come once each, and are absent when there is none', () => {
  expect(concludeRun({ checks: [checkOf()] }, { today: '2026-06-15' })).not.toHaveProperty('notes');
  const seen = { checks: [gap], notes: ['before', 'before'] };
  expect(concludeRun(seen, { today: '2026-06-15', require: 'all' }).notes).toEqual(['before', expect.stringContaining('pages/echo')]);
  expect(concludeRun({ checks: [], unavailable: 'gone' }, { today: '2026-06-15', require: 'all' })).not.toHaveProperty('notes');
});

describe('reading a requirement', () => {
  test.each([
    ['stated', 'stated'],
    ['all', 'all'],
    ['paging/*,keys/missing', ['paging/*', 'keys/missing']],
    ['*', ['*']],
    [
      ['paging/*', ' keys/x '],
      ['paging/*', 'keys/x'],
    ],
  ])('%j', (text, requirement) => expect(readRequirement(text)).toEqual(requirement));

  test.each([
    ['state', 'state requires no rule; did you mean stated?'],
    [
      'everything',
      'everything requires no rule; write stated, all, rules such as paging/*,keys/missing, or a share of the operations such as 30%',
    ],
    ['paging/*,', 'an empty value requires no rule; write'],
    [[], 'an empty value requires no rule; write'],
  ])('%j is refused', (text, message) => expect(() => readRequirement(text)).toThrow(message));

  test('a pattern that requires nothing is refused, and a level never is', () => {
    expect(() => checkRequirement(['paging/*', 'keys/mising'], ['paging/once', 'keys/missing'])).toThrow(
      'keys/mising is required, but it is not a rule that is checked here; did you mean keys/missing?',
    );
    expect(() => checkRequirement('all', [])).not.toThrow();
    expect(() => checkRequirement(undefined, [])).not.toThrow();
  });
});

describe('what is lacking', () => {
  const implied = gapOf('pages/echo', 'listNotes', 'two pages');
  const rules = [
    checkOf(),
    violationOf({ rule: 'keys/missing' }),
    { ...implied, strength: 'implied' as const },
    checkOf({ rule: 'order/within', verdict: 'inconclusive', killed: [], message: 'The data changed: id 4' }),
  ];

  test('is named with its operation, its verdict and what was lacking; a violation is none', () => {
    expect(findEvidenceGap('all', rules)).toEqual({
      verdict: 'inconclusive',
      notes: [
        'pages/echo in listNotes is required (all) and was not exercised: The data lacks two pages',
        'order/within in listNotes is required (all) and is inconclusive: The data changed: id 4',
      ],
    });
  });

  test('is looked for among what is required alone', () => {
    expect(findEvidenceGap('stated', rules).notes).toHaveLength(1);
    expect(findEvidenceGap(['pages/*'], rules)).toMatchObject({ verdict: 'not-exercised', notes: [expect.stringContaining('(by name)')] });
    expect(findEvidenceGap(['filters/*'], rules)).toEqual({ verdict: undefined, notes: [] });
    expect(findEvidenceGap(undefined, rules)).toEqual({ verdict: undefined, notes: [] });
  });
});

const today = '2026-06-15';
const violated = violationOf();

/** A wrong answer to `listNotes`. */
const wrongAnswer: WrongResponse = {
  operation: 'listNotes',
  request: '00000001',
  parameters: ['tag'],
  status: 200,
  part: 'records',
  mutants: [],
};

const entry = (changes: Partial<WaiverEntry> = {}): WaiverEntry => ({ fingerprint, reason: 'known', ...changes });

/** Another violation of the same rule at the same operation. */
const other: CheckViolation = {
  fingerprint: fingerprintOf(violated.rule, violated.operation, { stableName: 'colour' }),
  subject: 'colour',
  message: 'colour=red is ignored',
  counterexample,
  evidence: [],
};

describe('a file of waivers', () => {
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
    [`- ${some}\n`, 'w.yaml:1:1: a file of waivers, which has a list under the key waivers, must be an object'],
    [`waiver:\n  - ${some}\n`, 'w.yaml:1:1: the file must not have waiver; did you mean waivers?'],
    [`waivers:\n  - ${some}\n    reson: x\n`, 'w.yaml:3:5: waivers.0 must not have reson; did you mean reason?'],
    [`waivers:\n  - ${some}\n`, "w.yaml:2:5: waivers.0 must have required property 'reason'"],
    [`waivers:\n  - ${some}\n    reason: ""\n`, 'w.yaml:3:5: waivers.0.reason must not be empty; found ""'],
    [`waivers:\n  - ${some}\n    reason: 7\n`, 'w.yaml:3:5: waivers.0.reason must be string; found 7; write it in quotes'],
    [`waivers:\n  - ${some}\n    reason: x\n    expires: 2026-02-30\n`, 'w.yaml:4:5: waivers.0.expires must match format "date"'],
    [`waivers:\n  ${some}\n`, 'w.yaml:1:1: waivers must be array or null; found an object'],
    [
      'waivers:\n  - fingerprint: filters/sound\n    reason: x\n',
      'w.yaml:2:5: waivers.0.fingerprint must be a fingerprint as reports print it, such as 1c9a07-e3b0c4; found "filters/sound"',
    ],
  ])('is refused at its line: %j', async (text, message) => {
    await expect(readWaivers('w.yaml', text)).rejects.toThrow(message);
  });
});

describe('a violation and its waiver', () => {
  test.each([
    [entry(), true],
    [entry({ fingerprint: other.fingerprint }), false],
    [entry({ expires: today }), true],
    [entry({ expires: '2026-06-14' }), false],
  ])('%# is waived by its fingerprint, up to the last day', (waiver, isWaived) => {
    const [rule] = applyWaivers([violated], [waiver], today).checks;
    const expires = waiver.expires === undefined ? {} : { expires: waiver.expires };
    expect(rule).toEqual(isWaived ? { ...violated, waiver: { reason: 'known', ...expires } } : violated);
  });

  test('hides no other one of the same rule: that one is reported in its place', () => {
    const [rule] = applyWaivers([{ ...violated, further: [other] }], [entry()], today).checks;
    expect(rule).toMatchObject({ verdict: 'violated', ...other, further: [{ fingerprint, waiver: { reason: 'known' } }] });
    expect(rule?.waiver).toBeUndefined();
    expect(rule?.diagnosis).toBeUndefined();
  });

  test('of which all are waived is waived', () => {
    const both = [entry(), entry({ fingerprint: other.fingerprint, reason: 'too' })];
    expect(applyWaivers([{ ...violated, further: [other] }], both, today).checks[0]).toMatchObject({
      fingerprint,
      waiver: { reason: 'known' },
      further: [{ fingerprint: other.fingerprint, waiver: { reason: 'too' } }],
    });
  });

  test('that a baseline has is waived, and a new one is not', () => {
    const baseline = [violationOf(), checkOf({ rule: 'filters/union' })];
    const fresh = violationOf({ rule: 'filters/union' });
    const { checks: rules, notes } = applyWaivers([violated, fresh, { ...violated, further: [other] }], [], today, baseline);
    expect(rules.map(({ waiver }) => waiver?.reason)).toEqual(['the baseline has it', undefined, undefined]);
    expect(notes).toEqual([]);
  });
});

describe('a waiver of a cause', () => {
  const [cause] = findCauses([violated]);

  const consequence = violationOf({ rule: 'filters/explored', fingerprint: '493e30-00000f', evidence: [wrongAnswer] });
  const checks = [violationOf({ evidence: [wrongAnswer] }), consequence];

  test('waives everything that the cause explains', () => {
    const waived = applyWaivers(checks, [entry({ fingerprint: cause?.id ?? '' })], today);
    expect(waived.checks.map(({ waiver }) => waiver?.reason)).toEqual(['known', 'known']);
    expect(waived.notes).toEqual([]);
  });

  test('differs from a waiver of a violation and from a baseline, which leave what it explains', () => {
    const reasons = [applyWaivers(checks, [entry()], today), applyWaivers(checks, [], today, [violated])].map((waived) =>
      waived.checks.map(({ waiver }) => waiver?.reason),
    );
    expect(reasons).toEqual([
      ['known', undefined],
      ['the baseline has it', undefined],
    ]);
  });

  test('is reported when the cause is gone', () => {
    const { notes } = applyWaivers([checkOf()], [entry({ fingerprint: cause?.id ?? '' })], today);
    expect(notes).toEqual([`the waiver of ${cause?.id} is unused: filters/sound in listNotes holds; remove it`]);
  });
});

describe('a waiver that does nothing', () => {
  const place = { file: 'w.yaml', line: 3, column: 5 };
  const notesOf = (results: Parameters<typeof applyWaivers>[0], waiver: WaiverEntry) =>
    applyWaivers(results, [{ ...waiver, place }], today).notes;

  test('is reported when it has expired', () => {
    expect(notesOf([violated], entry({ expires: '2026-06-01' }))).toEqual([
      `w.yaml:3:5: the waiver of ${fingerprint} expired on 2026-06-01, and filters/sound in listNotes counts again: fix it, or give a later date`,
    ]);
    expect(notesOf([checkOf()], entry({ expires: '2026-06-01' }))).toEqual([
      `w.yaml:3:5: the waiver of ${fingerprint} expired on 2026-06-01; remove it`,
    ]);
  });

  test('is reported when its rule holds or is violated in another way, and not when its rule was not judged', () => {
    const start = `w.yaml:3:5: the waiver of ${fingerprint} is unused: filters/sound in listNotes`;
    expect(notesOf([checkOf()], entry())).toEqual([`${start} holds; remove it`]);
    expect(notesOf([violationOf({ fingerprint: other.fingerprint })], entry())).toEqual([`${start} is violated in another way; remove it`]);
    expect(notesOf([gapOf('filters/sound', 'listNotes', 'data')], entry())).toEqual([]);
    expect(notesOf([checkOf({ operation: 'other' })], entry())).toEqual([]);
    expect(notesOf([violated], entry())).toEqual([]);
  });
});

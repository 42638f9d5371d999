/** Conclusions: which of several reasons decides the exit code. */

import { describe, expect, test } from 'vitest';
import { conclude, type Seen, type Terms } from '../../../contracts/conclusion.ts';
import { gapOf, lawOf, violationOf } from '../../helpers/reports/sample-results.ts';

const gap = gapOf('pages/echo', 'listNotes', 'two pages');
const blocked = lawOf({ verdict: 'blocked', refuted: [], message: 'listNotes is not available (503)' });
const { fingerprint = '' } = violationOf();
const waived = [{ fingerprint, reason: 'known' }];

describe('the exit code', () => {
  test.each<readonly [what: string, seen: Partial<Seen>, terms: Partial<Terms>, verdict: string, exitCode: number]>([
    ['something holds', {}, {}, 'holds', 0],
    ['nothing holds', { laws: [gap] }, {}, 'not-exercised', 4],
    ['almost nothing holds', { laws: [lawOf(), ...Array.from({ length: 10 }, () => gap)] }, {}, 'not-exercised', 4],
    ['a tenth holds', { laws: [lawOf(), ...Array.from({ length: 9 }, () => gap)] }, {}, 'holds', 0],
    [
      'what is not testable is not counted',
      { laws: [lawOf(), ...Array.from({ length: 20 }, () => lawOf({ verdict: 'not-testable', refuted: [], message: 'a key' }))] },
      {},
      'holds',
      0,
    ],
    ['nothing was judged', { laws: [] }, {}, 'not-exercised', 4],
    ['a violation', { laws: [lawOf(), violationOf()] }, {}, 'violated', 1],
    ['a violation that is waived', { laws: [violationOf()] }, { waivers: waived }, 'holds', 0],
    [
      'a violation whose waiver has expired',
      { laws: [violationOf()] },
      { waivers: [{ fingerprint, reason: 'r', expires: '2026-01-01' }] },
      'violated',
      1,
    ],
    ['a lack', { laws: [lawOf(), gap] }, { require: 'all' }, 'not-exercised', 4],
    ['no lack of what is required', { laws: [lawOf(), gap] }, { require: ['filters/*'] }, 'holds', 0],
    ['a waived violation is no lack', { laws: [lawOf(), violationOf()] }, { require: 'all', waivers: waived }, 'holds', 0],
    ['violations win over all else', { laws: [violationOf(), blocked, gap], cutShort: 'interrupted' }, { require: 'all' }, 'violated', 1],
    [
      'an interruption wins over what is blocked',
      { laws: [blocked, gap], cutShort: 'interrupted' },
      { require: 'all' },
      'inconclusive',
      130,
    ],
    ['what is blocked wins over a lack', { laws: [lawOf(), blocked, gap] }, { require: 'all' }, 'blocked', 3],
    ['what is blocked and only implied', { laws: [lawOf(), { ...blocked, strength: 'implied' }] }, {}, 'holds', 0],
    ['a check that failed, though only implied', { laws: [lawOf(), { ...blocked, strength: 'implied', failed: true }] }, {}, 'blocked', 3],
    ['a look at open questions that failed', { laws: [lawOf()], failed: true }, {}, 'blocked', 3],
    ['a target that was lost', { cutShort: 'lost' }, {}, 'blocked', 3],
    ['a target that is not there', { laws: [], unavailable: 'Nothing listens' }, { require: 'all' }, 'blocked', 3],
    ['a budget that was spent', { cutShort: 'budget' }, {}, 'not-exercised', 4],
  ])('%s', (_, seen, terms, verdict, exitCode) => {
    expect(conclude({ laws: [lawOf()], ...seen }, { today: '2026-06-15', ...terms })).toMatchObject({ verdict, exitCode });
  });
});

test('notes come once each, and are absent when there is none', () => {
  expect(conclude({ laws: [lawOf()] }, { today: '2026-06-15' })).not.toHaveProperty('notes');
  const seen = { laws: [gap], notes: ['before', 'before'] };
  expect(conclude(seen, { today: '2026-06-15', require: 'all' }).notes).toEqual(['before', expect.stringContaining('pages/echo')]);
  expect(conclude({ laws: [], unavailable: 'gone' }, { today: '2026-06-15', require: 'all' })).not.toHaveProperty('notes');
});

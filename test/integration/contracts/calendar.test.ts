/**
 * Odd calendars raise no alarm: clock changes within the data, zones far from UTC or off the hour, one moment written in several ways, records at midnight
 * and in the hour that is skipped or repeated.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verify } from '../../../contracts/verify/verify.ts';
import type { CheckResult } from '../../../core/results/run-result.ts';
import { startMock } from '../../../mocks/start-mock.ts';
import { contractOf, namedKeys } from '../../helpers/engine.ts';
import { falseAlarms, judgeSecond } from '../../helpers/judged-servers.ts';
import type { SecondOptions } from '../../second/second-server.ts';

/** The rules about days and moments that any record exercises. */
const about = ['ranges/*', 'sync/inclusive', 'sync/sound', 'sync/offsets', 'sync/within-day', 'sync/fractions', 'order/*', 'paging/ties'];

/** Those of them for which odd calendars have the data. */
const telling = ['own-field', 'inclusive', 'offsets', 'within-day', 'ties'];

const decided = (rules: readonly CheckResult[], operation: string): readonly string[] =>
  rules.filter((rule) => rule.operation === operation && rule.verdict === 'holds').map(({ rule: id }) => id.split('/')[1] ?? '');

const spans: readonly (readonly [SecondOptions['calendar'], string, string])[] = [
  ['autumn', 'Europe/Rome', 'zone'],
  ['date-line', 'Pacific/Apia', 'zone'],
  ['autumn', 'Asia/Kathmandu', 'mixed-microseconds'],
];

test.each(spans)(
  'a correct server in the %s of %s, moments written in the way %s',
  { timeout: 60_000 },
  async (calendar, zone, written) => {
    const choices = { zone, 'changed-at': written };
    const result = await judgeSecond(
      { api: 'business', data: 'few', ...(calendar === undefined ? {} : { calendar }), choices },
      { only: about },
    );
    expect(falseAlarms(result)).toEqual([]);
    expect(decided(result.checks, 'listReservations')).toEqual(expect.arrayContaining(telling));
    const ownField = result.checks.find(({ rule: id }) => id === 'ranges/own-field');
    expect(ownField?.killed.some((mutant) => /UTC/.test(mutant.title))).toBe(true);
  },
);

/** Day, time and zone of a booking, and its last change as shown. */
const bookings: readonly (readonly [string, string, string, string])[] = [
  // Clocks of Rome go forward at one o'clock UTC: three of these are one moment, and no two are written alike.
  ['2026-03-28', '23:59', 'Europe/Rome', '2026-03-29T01:59:59+01:00'],
  ['2026-03-29', '00:00', 'Europe/Rome', '2026-03-29T03:00:00+02:00'],
  ['2026-03-29', '02:30', 'Europe/Rome', '2026-03-29T01:00:00Z'],
  ['2026-03-29', '03:00', 'Europe/Rome', '2026-03-28T21:00:00-04:00'],
  // They go back: the first two of these show the same clock time, an hour apart.
  ['2026-10-24', '23:59', 'Europe/Rome', '2026-10-25T02:30:00+02:00'],
  ['2026-10-25', '02:30', 'Europe/Rome', '2026-10-25T02:30:00+01:00'],
  ['2026-10-25', '23:59', 'Europe/Rome', '2026-10-24T23:59:59.999999+02:00'],
  ['2026-03-08', '00:00', 'America/New_York', '2026-03-08T01:59:59.5-05:00'],
  ['2026-03-08', '23:59', 'America/New_York', '2026-03-08T03:00:00-04:00'],
  ['2026-11-01', '01:30', 'America/New_York', '2026-11-01T01:30:00-04:00'],
  ['2026-11-01', '00:00', 'America/New_York', '2026-11-01T01:30:00-05:00'],
  // The same moment to the microsecond, in two years.
  ['2025-12-31', '23:59', 'Asia/Kathmandu', '2025-12-31T18:15:00.000001Z'],
  ['2026-01-01', '00:00', 'Asia/Kathmandu', '2026-01-01T00:00:00.000001+05:45'],
  ['2026-01-01', '00:00', 'Pacific/Apia', '2026-01-01T00:00:00+13:00'],
  ['2025-12-31', '23:59', 'Pacific/Apia', '2025-12-31T10:59:59.999Z'],
  ['2024-02-29', '00:00', 'Asia/Kathmandu', '2024-02-29T23:59:59.123456+05:45'],
];

const sources = bookings.map(([date, time, timezone, changed], index) => ({
  id: 700 + index,
  status: ['pending', 'confirmed'][index % 2],
  source: 'phone',
  customer: { id: 1, name: 'Ada Esempio', phone: '+39 055 0100193', email: 'ada.esempio@example.com' },
  schedule: { date, time, people: 2, timezone },
  notes: '',
  changed_at: changed,
}));

describe('own data of a mock', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'touchstone-calendar-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(['descending', 'ascending'])('in many offsets and four precisions, %s', { timeout: 60_000 }, async (direction) => {
    const file = join(folder, `${direction}.json`);
    writeFileSync(file, JSON.stringify({ contract: 'business', collections: { reservations: sources } }));
    await using mock = await startMock({ contracts: ['business'], data: [file], profile: { 'reservations-direction': direction } });
    const given = { keys: namedKeys({ full: mock.keys['full'] ?? '' }), only: about, skip: ['listOrders'] };
    const { checks: rules } = await verify({ contract: await contractOf('business'), target: mock.url, ...given }).result;
    expect(rules.filter(({ verdict }) => verdict === 'violated').map(({ rule: id, message }) => `${id}: ${message}`)).toEqual([]);
    expect(decided(rules, 'listReservations')).toEqual(expect.arrayContaining(telling));
  });
});

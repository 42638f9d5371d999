/** The second server's clocks change at the right instants, and its data cover unusual days and hours. */

import { expect, test } from 'vitest';
import { calendars, day, spannedDays, zoneOffset } from '../../second/instants.ts';
import { at, rowsOf, withSecondServer } from '../../second/second-client.ts';
import { choices } from '../../second/server-setup.ts';

const quarterDay = day / 4;

/** Minutes that the zone is ahead of UTC, as this machine knows it. */
function knownOffset(format: Intl.DateTimeFormat, milliseconds: number): number {
  const parts = new Map(format.formatToParts(milliseconds).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  return (Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute')) - milliseconds) / 60_000;
}

test.each(choices.zone)('%s is ahead of UTC as it really is, in every span', (zone) => {
  const numeric = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...numeric });
  const wrong = Object.values(calendars).flatMap(({ first }) =>
    Array.from({ length: spannedDays * 4 }, (_, index) => first * day + index * quarterDay).filter(
      (instant) => zoneOffset(zone, instant) !== knownOffset(format, instant / 1000),
    ),
  );
  expect(wrong).toEqual([]);
});

test.each([
  ['spring', 'Europe/Rome', ['2026-03-29T01:59:59+01:00', '2026-03-29T03:00:00+02:00', '2026-03-29T03:00:01+02:00'], '2026-03-29'],
  ['spring', 'America/New_York', ['2026-03-08T01:59:59-05:00', '2026-03-08T03:00:00-04:00'], '2026-03-08'],
  ['autumn', 'Europe/Rome', ['2026-10-25T02:30:00+02:00', '2026-10-25T02:30:00+01:00', '2026-10-24T23:59:59+02:00'], '2026-10-25'],
  ['autumn', 'America/New_York', ['2026-11-01T01:30:00-04:00', '2026-11-01T01:30:00-05:00'], '2026-11-01'],
  ['date-line', 'Pacific/Apia', ['2011-12-29T23:59:59-10:00', '2011-12-31T00:00:00+14:00'], '2011-12-30'],
] as const)('records change around the odd moments of the %s in %s', async (calendar, zone, moments, date) => {
  await withSecondServer({ api: 'business', data: 'few', calendar, choices: { zone } }, async (client) => {
    const rows = (await client.paginate('reservations/index.php?limit=100')).flatMap(rowsOf);
    expect(rows.map((row) => row['changed_at'])).toEqual(expect.arrayContaining([...moments]));
    const odd = rows.map((row) => at(row, 'schedule')).filter((schedule) => schedule['date'] === date);
    expect(odd.length).toBeGreaterThan(1);
    expect(rows).toHaveLength(40);
  });
});

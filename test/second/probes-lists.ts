/** Knows, for each deviation of the business API's lists, a reading that a correct server answers differently. */

import { at, type Client, idsOf, rowsOf } from './client.ts';
import type { Probe } from './probe.ts';

const orders = 'orders/index.php?limit=100';
const reservations = 'reservations/index.php?limit=100';

/** The bodies of several reads. */
function reads(...paths: readonly string[]): Probe['observe'] {
  return async (client) => {
    const answers = [];
    for (const path of paths) answers.push((await client.get(path)).text);
    return answers;
  };
}

function walk(path: string): Probe['observe'] {
  return async (client) => idsOf(await client.walk(path));
}

/** The changed_at of a record in the middle of the first page, one that shares it with others if there is one. */
async function tiedInstant(client: Client, path: string): Promise<string> {
  const instants = rowsOf(JSON.parse((await client.get(path)).text)).map((row) => String(row['changed_at']));
  const tied = instants.find((instant, index) => index > 3 && instants.indexOf(instant) !== index);
  return encodeURIComponent(tied ?? instants[5] ?? '');
}

function since(path: string): Probe['observe'] {
  return async (client) => idsOf(await client.walk(`${path}&updated_after=${await tiedInstant(client, path)}`));
}

/** A walk in pages that a filter holds together, after which its records tell whether it held. */
function filteredWalk(path: string): Probe['observe'] {
  return async (client) => (await client.walk(path)).flatMap(rowsOf).map((row) => [row['id'], row['status'], row['changed_at']]);
}

const noon = encodeURIComponent('2024-03-10T12:00:00+01:00');

/** The probes; together they name every deviation of the lists. */
export const listProbes: readonly Probe[] = [
  { faults: ['date-to-exclusive', 'dates-by-change', 'date-alone-ignored'], observe: walk(`${reservations}&date_to=2024-03-10`) },
  {
    faults: ['dates-in-utc'],
    observe: reads(...['01', '05', '09', '13', '17', '21'].map((day) => `${reservations}&date_to=2024-03-${day}`)),
  },
  { faults: ['date-from-exclusive'], observe: walk(`${reservations}&date_from=2024-02-29`) },
  { faults: ['single-day-refused'], observe: reads(`${reservations}&date_from=2024-02-29&date_to=2024-02-29`) },
  { faults: ['inverted-accepted', 'inverted-swapped'], observe: reads(`${reservations}&date_from=2024-03-20&date_to=2024-03-10`) },
  { faults: ['impossible-date-accepted'], observe: reads(`${reservations}&date_from=2024-02-30`) },
  { faults: ['empty-range-absent'], observe: reads(`${reservations}&date_from=2030-01-01`) },
  { faults: ['updated-after-exclusive', 'updated-after-some-ties', 'updated-after-by-day'], observe: since(orders) },
  { faults: ['updated-after-lost'], observe: filteredWalk(`orders/index.php?limit=9&updated_after=${noon}`) },
  {
    faults: ['updated-after-to-the-second'],
    options: { choices: { 'changed-at': 'microseconds' } },
    observe: async (client) => idsOf(await client.walk(`${orders}&updated_after=${await tiedInstant(client, orders)}`)),
  },
  {
    faults: ['updated-after-offset-ignored', 'updated-after-as-text'],
    observe: walk(`${orders}&updated_after=${encodeURIComponent('2024-03-10T20:00:00+10:00')}`),
  },
  { faults: ['updated-after-grace'], observe: soonAfter },
  { faults: ['updated-after-fraction'], options: { choices: { 'changed-at': 'utc' } }, observe: justBefore },
  { faults: ['updated-after-no-cancelled'], observe: walk(`${orders}&updated_after=${noon}`) },
  { faults: ['updated-after-any-text'], observe: reads(`${orders}&updated_after=yesterday`) },
  { faults: ['updated-after-future'], observe: reads(`${orders}&updated_after=2999-01-01T00:00:00Z`) },
  {
    faults: ['status-first-only', 'status-last-only', 'status-ignored', 'status-leaves-out', 'foreign-in-filtered-list'],
    observe: walk(`${orders}&status=pending,ready`),
  },
  { faults: ['status-not-with-checkpoint'], observe: walk(`${orders}&status=pending&updated_after=${noon}`) },
  { faults: ['either-filter', 'channel-ignored'], observe: walk(`${orders}&status=pending&channel=table`) },
  { faults: ['cancelled-with-rejected'], observe: walk(`${orders}&status=cancelled`) },
  { faults: ['no-show-never-found', 'no-show-refused'], observe: reads(`${orders}&status=no_show`) },
  { faults: ['unknown-status-ignored', 'unknown-status-empty'], observe: reads(`${orders}&status=pending,eaten`) },
  { faults: ['no-match-absent'], observe: reads(`${orders}&status=pending&updated_after=2025-01-01T00:00:00Z`) },
  { faults: ['second-filter-with-two'], observe: walk(`${orders}&status=pending,ready,confirmed&updated_after=${noon}&channel=table`) },
  { faults: ['limit-clamped'], observe: reads('orders/index.php?limit=101') },
  { faults: ['limit-zero-default'], observe: reads('orders/index.php?limit=0') },
  { faults: ['limit-hundred-refused', 'limit-plus-one'], observe: reads(orders) },
  { faults: ['default-twenty'], observe: reads('orders/index.php') },
  {
    faults: [
      'edge-skipped',
      'edge-repeated',
      'small-pages-stop',
      'next-cursor-missing',
      'cursor-unusable',
      'stops-at-hundred',
      'ties-skipped',
    ],
    observe: walk('orders/index.php?limit=6'),
  },
  { faults: ['walk-in-a-circle'], observe: walk(orders) },
  { faults: ['more-by-length'], observe: walkMarks('orders/index.php?limit=64'), options: { data: 'same-instant' } },
  { faults: ['filters-lost'], observe: filteredWalk('orders/index.php?limit=5&status=pending') },
  { faults: ['damaged-cursor-restarts'], observe: reads('orders/index.php?cursor=abc') },
  { faults: ['tie-order-ascending', 'order-by-id', 'order-inside-pages'], observe: walk('reservations/index.php?limit=10') },
  { faults: ['foreign-in-list'], observe: reads(orders) },
  { faults: ['foreign-by-cursor'], observe: withForeignCursor },
];

function walkMarks(path: string): Probe['observe'] {
  return async (client) => (await client.walk(path)).map((page) => at(page, 'data', 'page')['has_more']);
}

async function withForeignCursor(client: Client): Promise<unknown> {
  const page: unknown = JSON.parse((await client.get('orders/index.php?limit=3', { role: 'other' })).text);
  const cursor = String(at(page, 'data', 'page')['next_cursor']);
  return (await client.get(`orders/index.php?limit=3&cursor=${encodeURIComponent(cursor)}`)).text;
}

/** Checkpoints at every instant of a page: some record changed soon before one of them. */
async function soonAfter(client: Client): Promise<unknown> {
  const seen = [];
  for (const row of rowsOf(JSON.parse((await client.get('orders/index.php?limit=30')).text))) {
    const page = await client.get(`${orders}&updated_after=${encodeURIComponent(String(row['changed_at']))}`);
    seen.push(rowsOf(JSON.parse(page.text)).length);
  }
  return seen;
}

/** A checkpoint less than a microsecond before an observed instant. */
async function justBefore(client: Client): Promise<unknown> {
  const [, , row] = rowsOf(JSON.parse((await client.get(orders)).text));
  const before = new Date(Date.parse(String(row?.['changed_at'])) - 1000).toISOString().replace('.000Z', '.9999999Z');
  return rowsOf(JSON.parse((await client.get(`${orders}&updated_after=${before}`)).text)).map(({ id }) => id);
}

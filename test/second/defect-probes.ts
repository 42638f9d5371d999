/** For each defect of the second server, a read that a server without it answers differently. */

import { connect } from 'node:net';
import type { LiveData } from './live-data.ts';
import { answers, at, idsOf, type JsonRecord, type Probe, rowsOf, type SecondClient } from './second-client.ts';

const orders = 'orders/index.php?limit=100';
const firstOrder = 'orders/view.php?code=A-1';
const bearer = async (client: SecondClient, path: string): Promise<unknown> => {
  const key = client.server.keys['full'] ?? '';
  return await client.get(path, { role: 'nobody', headers: { authorization: `Bearer ${key}` } });
};

/** The first records of a list, as some role sees them. */
async function listed(client: SecondClient, role: string, path = orders): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return rowsOf(JSON.parse((await client.get(path, { role })).text));
}

/** A record of another business by each of its identifiers. */
async function foreign(client: SecondClient): Promise<unknown> {
  const [order] = await listed(client, 'other');
  const code = encodeURIComponent(String(order?.['code']));
  const path = `orders/view.php?id=${String(order?.['id'])}`;
  const tag = String((await client.get(path, { role: 'other' })).headers['etag']);
  const reads = [
    await client.get(path),
    await client.get(`orders/view.php?code=${code}`),
    await client.get(path, { headers: { 'if-none-match': tag } }),
  ];
  return reads.map((answer) => [answer.status, answer.text.replace(/req_\w+/, '')]);
}

/** A record with its own tag, without a key and without the scope. */
async function withTag(client: SecondClient): Promise<unknown> {
  const tag = String((await client.get(firstOrder)).headers['etag']);
  const statuses = [];
  for (const role of ['nobody', 'without:orders.read', 'full'])
    statuses.push((await client.get(firstOrder, { role, headers: { 'if-none-match': tag } })).status);
  return statuses;
}

/** The details of all listed orders and reservations: how they answer, and their tags. */
async function details(client: SecondClient): Promise<unknown> {
  const seen = [];
  for (const row of (await listed(client, 'full')).slice(0, 12)) {
    const byId = await client.get(`orders/view.php?id=${String(row['id'])}`);
    const byCode = await client.get(`orders/view.php?code=${encodeURIComponent(String(row['code']))}`);
    seen.push([byId.status, byId.text, byId.headers['etag'], byCode.status, byCode.text]);
  }
  return seen;
}

/** The bytes after the head of a 304. */
async function bytesOfUnchanged(client: SecondClient): Promise<unknown> {
  const tag = String((await client.get(firstOrder)).headers['etag']);
  const lines = [
    `GET /api/integrations/v1/${firstOrder} HTTP/1.1`,
    'host: localhost',
    `x-service-api-key: ${client.server.keys['full'] ?? ''}`,
    `if-none-match: ${tag}`,
  ];
  return await new Promise((resolve, reject) => {
    const socket = connect(client.server.port, '127.0.0.1', () => socket.write(`${lines.join('\r\n')}\r\nconnection: close\r\n\r\n`));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8');
    });
    socket.on('error', reject);
    socket.on('end', () => resolve(text.split('\r\n\r\n')[1]));
  });
}

/** Changes the first order between two reads of it. */
function changeBeforeTheSecond(moment: number, data: LiveData): void {
  if (moment === 2) data.update('orders', 'A', data.keys('orders', 'A')[0] ?? 0);
}

const absent = 'orders/view.php?id=77777777';
const anyTag = { headers: { 'if-none-match': '"anything"' } };
const unknown = { role: 'nobody', headers: { 'x-service-api-key': 'k2_never_issued_0000000000' } };

/** The probes of single reads, keys and answers; together they name each such defect. */
export const readProbes: readonly Probe[] = [
  { defects: ['tag-of-id'], options: { changes: changeBeforeTheSecond }, observe: answers([firstOrder], [firstOrder]) },
  { defects: ['foreign-by-id', 'foreign-by-code', 'foreign-disclosed', 'foreign-forbidden', 'foreign-unchanged'], observe: foreign },
  { defects: ['missing-key-accepted', 'missing-key-forbidden', 'bare-unauthorized'], observe: answers(['whoami.php', { role: 'nobody' }]) },
  { defects: ['unknown-key-accepted', 'key-echoed'], observe: answers(['orders/index.php?limit=1', unknown]) },
  { defects: ['expired-key-accepted'], observe: answers(['orders/index.php?limit=1', { role: 'expired' }]) },
  { defects: ['bearer-refused', 'carriers-differ'], observe: (client) => bearer(client, firstOrder) },
  {
    defects: ['scope-unchecked', 'scope-unauthorized', 'key-echoed-encoded'],
    observe: answers(['reservations/index.php?limit=1', { role: 'without:reservations.read' }]),
  },
  { defects: ['unchanged-before-key', 'unchanged-before-scope', 'never-unchanged'], observe: withTag },
  {
    defects: ['no-request-id', 'other-invalid-code', 'invalid-is-bad-request', 'id-zero-absent'],
    observe: answers(['orders/view.php?id=0']),
  },
  { defects: ['error-ok-true', 'other-absent-code', 'request-id-constant', 'gone', 'absent-empty'], observe: answers([absent]) },
  { defects: ['key-in-identity', 'credential-shown'], observe: answers(['whoami.php']) },
  {
    defects: ['provider-reference', 'html-content-type', 'id-as-text', 'totals-as-text', 'changed-at-no-offset', 'status-unlisted'],
    observe: answers([orders]),
  },
  { defects: ['code-crash'], observe: answers([`orders/view.php?code=${encodeURIComponent('Ä-3/24')}`]) },
  {
    defects: [
      'bare-tag',
      'tag-missing',
      'changed-at-missing',
      'detail-differs',
      'code-gives-neighbour',
      'tag-constant',
      'tag-of-instant',
      'tag-per-request',
    ],
    observe: answers([firstOrder]),
  },
  { defects: ['detail-stale', 'detail-missing', 'place-varies'], observe: details },
  { defects: ['id-prefix-read', 'huge-id-crash'], observe: answers(['orders/view.php?id=103abc'], ['orders/view.php?id=3000000000']) },
  { defects: ['both-accepted', 'none-accepted'], observe: answers(['orders/view.php?id=103&code=A-1'], ['orders/view.php']) },
  { defects: ['manifest-without-menu'], observe: answers(['menus/manifest.php', { role: 'no-menu' }]) },
  { defects: ['code-not-decoded'], observe: answers(['orders/view.php?code=%41-1']) },
  { defects: ['code-wildcard', 'code-quote-crash'], observe: answers(['orders/view.php?code=%25'], ["orders/view.php?code='%20OR%201=1"]) },
  { defects: ['code-prefix'], observe: answers(['orders/view.php?code=TK']) },
  { defects: ['unchanged-with-body'], observe: bytesOfUnchanged },
  {
    defects: ['unchanged-other-tag'],
    observe: async (client) => {
      const tag = String((await client.get(firstOrder)).headers['etag']);
      return await client.get(firstOrder, { headers: { 'if-none-match': tag } });
    },
  },
  { defects: ['always-unchanged'], observe: answers([firstOrder, anyTag]) },
  { defects: ['failure-unchanged'], observe: answers([absent, anyTag]) },
  { defects: ['invalid-unchanged'], observe: answers(['orders/view.php?id=0', anyTag]) },
  { defects: ['retry-after-missing'], options: { rateLimit: 1 }, observe: answers([orders]) },
  { defects: ['not-ready-html'], options: { notReady: 1 }, observe: answers([orders]) },
];

const reservations = 'reservations/index.php?limit=100';

/** The bodies of several reads. */
function reads(...paths: readonly string[]): Probe['observe'] {
  return async (client) => {
    const answers = [];
    for (const path of paths) answers.push((await client.get(path)).text);
    return answers;
  };
}

function paginated(path: string): Probe['observe'] {
  return async (client) => idsOf(await client.paginate(path));
}

/** The changed_at of a record in the middle of the first page, one that shares it with others if there is one. */
async function tiedInstant(client: SecondClient, path: string): Promise<string> {
  const instants = rowsOf(JSON.parse((await client.get(path)).text)).map((row) => String(row['changed_at']));
  const tied = instants.find((instant, index) => index > 3 && instants.indexOf(instant) !== index);
  return encodeURIComponent(tied ?? instants[5] ?? '');
}

function since(path: string): Probe['observe'] {
  return async (client) => idsOf(await client.paginate(`${path}&updated_after=${await tiedInstant(client, path)}`));
}

/** All pages of a filtered list, with the fields that show whether the filter held on each of them. */
function paginatedFields(path: string): Probe['observe'] {
  return async (client) => (await client.paginate(path)).flatMap(rowsOf).map((row) => [row['id'], row['status'], row['changed_at']]);
}

const noon = encodeURIComponent('2024-03-10T12:00:00+01:00');

/** The probes of the lists; together they name each of their defects. */
export const listProbes: readonly Probe[] = [
  { defects: ['date-to-exclusive', 'dates-by-change', 'date-alone-ignored'], observe: paginated(`${reservations}&date_to=2024-03-10`) },
  {
    defects: ['dates-in-utc'],
    observe: reads(...['01', '05', '09', '13', '17', '21'].map((day) => `${reservations}&date_to=2024-03-${day}`)),
  },
  { defects: ['date-from-exclusive'], observe: paginated(`${reservations}&date_from=2024-02-29`) },
  { defects: ['single-day-refused'], observe: reads(`${reservations}&date_from=2024-02-29&date_to=2024-02-29`) },
  { defects: ['inverted-accepted', 'inverted-swapped'], observe: reads(`${reservations}&date_from=2024-03-20&date_to=2024-03-10`) },
  { defects: ['impossible-date-accepted'], observe: reads(`${reservations}&date_from=2024-02-30`) },
  { defects: ['empty-range-absent'], observe: reads(`${reservations}&date_from=2030-01-01`) },
  { defects: ['updated-after-exclusive', 'updated-after-some-ties', 'updated-after-by-day'], observe: since(orders) },
  { defects: ['updated-after-lost'], observe: paginatedFields(`orders/index.php?limit=9&updated_after=${noon}`) },
  {
    defects: ['updated-after-to-the-second'],
    options: { choices: { 'changed-at': 'microseconds' } },
    observe: async (client) => idsOf(await client.paginate(`${orders}&updated_after=${await tiedInstant(client, orders)}`)),
  },
  {
    defects: ['updated-after-offset-ignored', 'updated-after-as-text'],
    observe: paginated(`${orders}&updated_after=${encodeURIComponent('2024-03-10T20:00:00+10:00')}`),
  },
  { defects: ['updated-after-grace'], observe: soonAfter },
  { defects: ['updated-after-fraction'], options: { choices: { 'changed-at': 'utc' } }, observe: justBefore },
  { defects: ['updated-after-no-cancelled'], observe: paginated(`${orders}&updated_after=${noon}`) },
  { defects: ['updated-after-any-text'], observe: reads(`${orders}&updated_after=yesterday`) },
  { defects: ['updated-after-future'], observe: reads(`${orders}&updated_after=2999-01-01T00:00:00Z`) },
  {
    defects: ['status-first-only', 'status-last-only', 'status-ignored', 'status-leaves-out', 'foreign-in-filtered-list'],
    observe: paginated(`${orders}&status=pending,ready`),
  },
  { defects: ['status-not-with-checkpoint'], observe: paginated(`${orders}&status=pending&updated_after=${noon}`) },
  { defects: ['either-filter', 'channel-ignored'], observe: paginated(`${orders}&status=pending&channel=table`) },
  { defects: ['cancelled-with-rejected'], observe: paginated(`${orders}&status=cancelled`) },
  { defects: ['no-show-never-found', 'no-show-refused'], observe: reads(`${orders}&status=no_show`) },
  { defects: ['unknown-status-ignored', 'unknown-status-empty'], observe: reads(`${orders}&status=pending,eaten`) },
  { defects: ['no-match-absent'], observe: reads(`${orders}&status=pending&updated_after=2025-01-01T00:00:00Z`) },
  {
    defects: ['second-filter-with-two'],
    observe: paginated(`${orders}&status=pending,ready,confirmed&updated_after=${noon}&channel=table`),
  },
  { defects: ['limit-clamped'], observe: reads('orders/index.php?limit=101') },
  { defects: ['limit-zero-default'], observe: reads('orders/index.php?limit=0') },
  { defects: ['limit-hundred-refused', 'limit-plus-one'], observe: reads(orders) },
  { defects: ['default-twenty'], observe: reads('orders/index.php') },
  {
    defects: [
      'edge-skipped',
      'edge-repeated',
      'small-pages-stop',
      'next-cursor-missing',
      'cursor-unusable',
      'stops-at-hundred',
      'ties-skipped',
    ],
    observe: paginated('orders/index.php?limit=6'),
  },
  { defects: ['pages-in-a-circle'], observe: paginated(orders) },
  { defects: ['more-by-length'], observe: paginatedMarks('orders/index.php?limit=64'), options: { data: 'same-instant' } },
  { defects: ['filters-lost'], observe: paginatedFields('orders/index.php?limit=5&status=pending') },
  { defects: ['damaged-cursor-restarts'], observe: reads('orders/index.php?cursor=abc') },
  { defects: ['tie-order-ascending', 'order-by-id', 'order-inside-pages'], observe: paginated('reservations/index.php?limit=10') },
  { defects: ['foreign-in-list'], observe: reads(orders) },
  { defects: ['foreign-by-cursor'], observe: withForeignCursor },
];

function paginatedMarks(path: string): Probe['observe'] {
  return async (client) => (await client.paginate(path)).map((page) => at(page, 'data', 'page')['has_more']);
}

async function withForeignCursor(client: SecondClient): Promise<unknown> {
  const page: unknown = JSON.parse((await client.get('orders/index.php?limit=3', { role: 'other' })).text);
  const cursor = String(at(page, 'data', 'page')['next_cursor']);
  return (await client.get(`orders/index.php?limit=3&cursor=${encodeURIComponent(cursor)}`)).text;
}

/** Checkpoints at every instant of a page: some record changed soon before one of them. */
async function soonAfter(client: SecondClient): Promise<unknown> {
  const seen = [];
  for (const row of rowsOf(JSON.parse((await client.get('orders/index.php?limit=30')).text))) {
    const page = await client.get(`${orders}&updated_after=${encodeURIComponent(String(row['changed_at']))}`);
    seen.push(rowsOf(JSON.parse(page.text)).length);
  }
  return seen;
}

/** A checkpoint less than a microsecond before an observed instant. */
async function justBefore(client: SecondClient): Promise<unknown> {
  const [, , row] = rowsOf(JSON.parse((await client.get(orders)).text));
  const before = new Date(Date.parse(String(row?.['changed_at'])) - 1000).toISOString().replace('.000Z', '.9999999Z');
  return rowsOf(JSON.parse((await client.get(`${orders}&updated_after=${before}`)).text)).map(({ id }) => id);
}

/** All pages of a list until an empty one, at most thirty. */
export async function allPages(client: SecondClient, path: string): Promise<readonly JsonRecord[]> {
  const pages: JsonRecord[] = [];
  for (let page = 1; page <= 30; page += 1) {
    const body: JsonRecord = JSON.parse((await client.get(`${path}&page=${page}`)).text);
    if (rowsOf(body).length === 0) break;
    pages.push(body);
  }
  return pages;
}

async function hiddenSingle(client: SecondClient): Promise<unknown> {
  return (await client.get(`wiki/${encodeURIComponent(client.server.hidden[0] ?? '')}`)).text;
}

/** The probes of the wiki API; together they name each of its defects. */
export const wikiProbes: readonly Probe[] = [
  {
    defects: ['hidden-listed', 'hidden-counted', 'total-of-page', 'total-of-pages'],
    observe: answers(['wiki?limit=100'], ['wiki?limit=100&page=2']),
  },
  { defects: ['hidden-listed-by-type', 'type-ignored', 'type-leaves-out'], observe: answers(['wiki?type=personaggio&limit=100']) },
  {
    defects: ['hidden-searched', 'q-ignored', 'q-finds-nothing'],
    observe: answers(['wiki?q=nero&limit=100'], ['wiki?q=segreto&limit=100']),
  },
  { defects: ['hidden-shown', 'hidden-disclosed'], observe: hiddenSingle },
  {
    defects: [
      'page-two-repeats',
      'page-edge-lost',
      'page-ignored',
      'small-pages-end',
      'limit-ignored',
      'limit-one-more',
      'pages-from-zero',
    ],
    observe: async (client) => idsOf(await allPages(client, 'wiki?limit=8')),
  },
  { defects: ['page-text-crash', 'limit-zero-crash'], observe: answers(['wiki?page=abc'], ['wiki?limit=0']) },
  { defects: ['limit-echo-constant', 'page-echo-constant'], observe: answers(['wiki?limit=7&page=2']) },
  {
    defects: ['default-twenty-entries', 'version-missing', 'order-per-request', 'body-listed', 'updated-at-iso'],
    observe: answers(['wiki']),
  },
  { defects: ['beyond-crash', 'beyond-first'], observe: answers(['wiki?page=999']) },
  { defects: ['type-or-q'], observe: answers(['wiki?type=arma&q=nero']) },
  { defects: ['weapons-refused', 'brands-never-found'], observe: answers(['wiki?type=arma'], ['wiki?type=brand']) },
  { defects: ['no-match-not-found', 'q-blank-matches'], observe: answers(['wiki?q=zzzzqqqq']) },
  { defects: ['search-unprocessable', 'search-crash'], observe: answers(['wiki?q=a'], ["wiki?q=d'oro"]) },
  {
    defects: ['slug-prefix', 'slug-wildcard', 'slug-not-decoded'],
    observe: answers(['wiki/drago-ner'], ['wiki/drago-ner%25'], ['wiki/%64rago-nero']),
  },
  {
    defects: ['slug-crash', 'absent-null', 'absent-other-code', 'error-without-ok', 'error-as-text'],
    observe: answers(["wiki/no.such'entry"]),
  },
  { defects: ['title-differs', 'key-demanded', 'body-missing', 'entry-html'], observe: answers(['wiki/drago-nero']) },
  {
    defects: ['entry-missing'],
    observe: async (client) => {
      const [brand] = rowsOf(JSON.parse((await client.get('wiki?type=brand')).text));
      return (await client.get(`wiki/${encodeURIComponent(String(brand?.['slug']))}`)).status;
    },
  },
];

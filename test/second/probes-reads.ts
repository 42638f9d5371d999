/** Knows, for each deviation of the business API's single reads, keys and answers, a reading that a correct server answers differently. */

import { connect } from 'node:net';
import { type Client, rowsOf } from './client.ts';
import { answers, type Probe } from './probe.ts';
import type { MutableWorld } from './world.ts';

const orders = 'orders/index.php?limit=100';
const firstOrder = 'orders/view.php?code=A-1';
const bearer = async (client: Client, path: string): Promise<unknown> => {
  const key = client.server.keys['full'] ?? '';
  return await client.get(path, { role: 'nobody', headers: { authorization: `Bearer ${key}` } });
};

/** The first records of a list, as some role sees them. */
async function listed(client: Client, role: string, path = orders): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return rowsOf(JSON.parse((await client.get(path, { role })).text));
}

/** A record of another business by each of its identifiers. */
async function foreign(client: Client): Promise<unknown> {
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
async function withTag(client: Client): Promise<unknown> {
  const tag = String((await client.get(firstOrder)).headers['etag']);
  const statuses = [];
  for (const role of ['nobody', 'without:orders.read', 'full'])
    statuses.push((await client.get(firstOrder, { role, headers: { 'if-none-match': tag } })).status);
  return statuses;
}

/** The details of all listed orders and reservations: how they answer, and their tags. */
async function details(client: Client): Promise<unknown> {
  const seen = [];
  for (const row of (await listed(client, 'full')).slice(0, 12)) {
    const byId = await client.get(`orders/view.php?id=${String(row['id'])}`);
    const byCode = await client.get(`orders/view.php?code=${encodeURIComponent(String(row['code']))}`);
    seen.push([byId.status, byId.text, byId.headers['etag'], byCode.status, byCode.text]);
  }
  return seen;
}

/** What the wire carries after the head of a 304. */
async function bytesOfUnchanged(client: Client): Promise<unknown> {
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
function changeBeforeTheSecond(moment: number, world: MutableWorld): void {
  if (moment === 2) world.update('orders', 'A', world.keys('orders', 'A')[0] ?? 0);
}

const absent = 'orders/view.php?id=77777777';
const anyTag = { headers: { 'if-none-match': '"anything"' } };
const unknown = { role: 'nobody', headers: { 'x-service-api-key': 'k2_never_issued_0000000000' } };

/** The probes; together they name every deviation besides the lists. */
export const readProbes: readonly Probe[] = [
  { faults: ['tag-of-id'], options: { chaos: changeBeforeTheSecond }, observe: answers([firstOrder], [firstOrder]) },
  { faults: ['foreign-by-id', 'foreign-by-code', 'foreign-told', 'foreign-forbidden', 'foreign-unchanged'], observe: foreign },
  { faults: ['missing-key-accepted', 'missing-key-forbidden', 'bare-unauthorized'], observe: answers(['whoami.php', { role: 'nobody' }]) },
  { faults: ['unknown-key-accepted', 'key-echoed'], observe: answers(['orders/index.php?limit=1', unknown]) },
  { faults: ['expired-key-accepted'], observe: answers(['orders/index.php?limit=1', { role: 'expired' }]) },
  { faults: ['bearer-refused', 'carriers-differ'], observe: (client) => bearer(client, firstOrder) },
  {
    faults: ['scope-unchecked', 'scope-unauthorized', 'key-echoed-encoded'],
    observe: answers(['reservations/index.php?limit=1', { role: 'without:reservations.read' }]),
  },
  { faults: ['unchanged-before-key', 'unchanged-before-scope', 'never-unchanged'], observe: withTag },
  {
    faults: ['no-request-id', 'other-invalid-code', 'invalid-is-bad-request', 'id-zero-absent'],
    observe: answers(['orders/view.php?id=0']),
  },
  { faults: ['error-ok-true', 'other-absent-code', 'request-id-constant', 'gone', 'absent-empty'], observe: answers([absent]) },
  { faults: ['key-in-identity', 'credential-shown'], observe: answers(['whoami.php']) },
  {
    faults: ['provider-reference', 'html-content-type', 'id-as-text', 'totals-as-text', 'changed-at-no-offset', 'status-unlisted'],
    observe: answers([orders]),
  },
  { faults: ['code-crash'], observe: answers([`orders/view.php?code=${encodeURIComponent('Ä-3/24')}`]) },
  {
    faults: [
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
  { faults: ['detail-stale', 'detail-missing', 'place-varies'], observe: details },
  { faults: ['id-prefix-read', 'huge-id-crash'], observe: answers(['orders/view.php?id=103abc'], ['orders/view.php?id=3000000000']) },
  { faults: ['both-accepted', 'none-accepted'], observe: answers(['orders/view.php?id=103&code=A-1'], ['orders/view.php']) },
  { faults: ['manifest-without-menu'], observe: answers(['menus/manifest.php', { role: 'no-menu' }]) },
  { faults: ['code-not-decoded'], observe: answers(['orders/view.php?code=%41-1']) },
  { faults: ['code-wildcard', 'code-quote-crash'], observe: answers(['orders/view.php?code=%25'], ["orders/view.php?code='%20OR%201=1"]) },
  { faults: ['code-prefix'], observe: answers(['orders/view.php?code=TK']) },
  { faults: ['unchanged-with-body'], observe: bytesOfUnchanged },
  {
    faults: ['unchanged-other-tag'],
    observe: async (client) => {
      const tag = String((await client.get(firstOrder)).headers['etag']);
      return await client.get(firstOrder, { headers: { 'if-none-match': tag } });
    },
  },
  { faults: ['always-unchanged'], observe: answers([firstOrder, anyTag]) },
  { faults: ['failure-unchanged'], observe: answers([absent, anyTag]) },
  { faults: ['invalid-unchanged'], observe: answers(['orders/view.php?id=0', anyTag]) },
  { faults: ['retry-after-missing'], options: { rateLimit: 1 }, observe: answers([orders]) },
  { faults: ['not-ready-html'], options: { notReady: 1 }, observe: answers([orders]) },
];

/** Finds out, from answers alone, which choice a server made for each open question. */

import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { valueAt } from '../../core/pointer.ts';
import { ask, type Reply } from './plain-client.ts';
import { business, recordsOf, target, wiki, withKey } from './request-targets.ts';

/** A server, its keys, and the slugs of its hidden entries. */
interface Server {
  readonly port: number;
  readonly keys: Readonly<Record<string, string>>;
  readonly hiddenRecords: readonly string[];
}

/** Returns the name of the observed choice. */
type Observer = (server: Server) => Promise<string>;

/** Questions whose answer shows only under chaos. A mock without chaos rules never shows it. */
const unseen: readonly string[] = ['which-not-ready', 'retry-after-form'];

/** Choices that look alike unless requests are throttled or the server is unavailable. */
const alike: Readonly<Record<string, string>> = { 'limit-first': 'key-first', 'service-first': 'key-first' };

/**
 * The observed choice of a server; `expected` if its answers cannot show it.
 * @throws if there is no observer for the question.
 */
export async function observe(server: Server, contract: string, question: string, expected: string): Promise<string> {
  const observer = (contract === 'business' ? businessObservers : wikiObservers)[question];
  if (unseen.includes(question)) return expected;
  if (observer === undefined) throw new Error(`there is no observer for the question ${question} of ${contract}`);
  const seen = await observer(server);
  return seen === alike[expected] ? expected : seen;
}

/** Reads with the key of a role. */
export function read(server: Server, path: string, query: Readonly<Record<string, string | number>> = {}, role = 'full'): Promise<Reply> {
  return ask(server, target(path, query), withKey(server.keys[role]));
}

/** The observer of each question whose answer shows. */
const businessObservers: Readonly<Record<string, Observer>> = {
  'success-ok': async (server) => {
    const bodies = await Promise.all(
      [business.identity, business.manifest, business.menu, business.orders].map((path) => read(server, path)),
    );
    const values = new Set(bodies.map((reply) => reply.at('/ok')));
    if (values.size !== 1) return 'sometimes';
    return values.has(true) ? 'present' : 'absent';
  },
  'order-place': async (server) =>
    placeOf(await detail(server, business.orders, '/data/orders', business.order), {
      'data-order': '/data/order',
      data: '/data',
      root: '',
    }),
  'reservation-place': async (server) =>
    placeOf(await detail(server, business.reservations, '/data/reservations', business.reservation), {
      'data-reservation': '/data/reservation',
      data: '/data',
      root: '',
    }),
  'head-place': async (server) => {
    const reply = await read(server, business.orders);
    return `${reply.at('/schema_version') === undefined ? '' : 'top'}${reply.at('/data/business') === undefined ? '' : 'data'}`;
  },
  'no-table': async (server) => emptiness(await orders(server, { channel: 'takeaway' }), '/service', 'table'),
  unpaid: async (server) => emptiness(await orders(server), '/payment', 'paid_at'),
  'unknown-customer': async (server) => emptiness(await orders(server), '/customer', 'phone'),
  'empty-notes': async (server) => emptiness(await reservations(server), '', 'notes'),
  'no-assignment': async (server) => emptiness(await reservations(server), '', 'table_assignment'),
  'assignment-offset': async (server) => {
    const times = (await reservations(server))
      .map((each) => valueAt(each, '/table_assignment/starts_at'))
      .filter((time) => typeof time === 'string');
    return times.every((time) => /T\d\d:\d\d:\d\d$/.test(time)) ? 'local' : 'offset';
  },
  'last-cursor': async (server) => {
    const page = (await read(server, business.orders, { limit: 1, updated_after: '2999-01-01T00:00:00Z' })).at('/data/page');
    const [next] = isObject(page) && Object.hasOwn(page, 'next_cursor') ? [page['next_cursor']] : ['absent'];
    return next === null ? 'null' : next === 'absent' ? 'absent' : 'given';
  },
  'orders-order': async (server) => {
    const all = await orders(server);
    if (isFalling(all.map((order) => Number(order['id'])))) return 'id-first';
    return isFalling(all.map((order) => Date.parse(String(order['changed_at'])))) ? 'changed-first' : 'neither';
  },
  'reservations-direction': async (server) => {
    const moments = (await reservations(server)).map((each) => Date.parse(String(each['changed_at'])));
    return isFalling(moments) ? 'descending' : isFalling(moments.map((moment) => -moment)) ? 'ascending' : 'neither';
  },
  'changed-filters': async (server) => {
    const first = await read(server, business.orders, { limit: 1, channel: 'table' });
    const reply = await read(server, business.orders, {
      limit: 100,
      channel: 'takeaway',
      cursor: String(first.at('/data/page/next_cursor')),
    });
    if (reply.status !== 200) return 'refused';
    const channels = new Set(recordsOf(reply, '/data/orders').map((order) => order['channel']));
    return channels.size === 1 && channels.has('takeaway') ? 'parameters-win' : channels.size === 1 ? 'cursor-wins' : 'neither';
  },
  'sloppy-values': async (server) => {
    const reply = await ask(server, `${business.orders}?limit=03`, withKey(server.keys['full']));
    if (reply.status !== 200) return 'refused';
    return recordsOf(reply, '/data/orders').length === 3 ? 'accepted' : 'ignored';
  },
  'undeclared-parameters': async (server) =>
    (await read(server, business.orders, { unheard_of: 1 })).status === 200 ? 'ignored' : 'refused',
  'etag-strength': async (server) => {
    const details = [await detail(server, business.orders, '/data/orders', business.order), await read(server, business.menu)];
    const tags = details.map((reply) => String(reply.headers.etag));
    return tags.every((tag) => tag.startsWith('W/"')) ? 'weak' : tags.every((tag) => tag.startsWith('"')) ? 'strong' : 'neither';
  },
  'no-menu-code': async (server) => String((await read(server, business.menu, {}, 'no-menu')).at('/error/code')),
  'identity-scope-name': async (server) => {
    const scopes = (await read(server, business.identity)).text;
    return scopes.includes('"identity.read"') ? 'identity-read' : 'identity';
  },
  'menu-scope-name': async (server) => ((await read(server, business.identity)).text.includes('"menus.read"') ? 'menus-read' : 'menu'),
  precedence: async (server) =>
    (await read(server, business.orders, { limit: 0 }, 'without:orders.read')).status === 422 ? 'query-first' : 'key-first',
};

async function orders(server: Server, query: Readonly<Record<string, string>> = {}): Promise<readonly JsonObject[]> {
  return recordsOf(await read(server, business.orders, { ...query, limit: 100 }), '/data/orders');
}

async function reservations(server: Server): Promise<readonly JsonObject[]> {
  return recordsOf(await read(server, business.reservations, { limit: 100 }), '/data/reservations');
}

/** The first record of a list, read alone. */
async function detail(server: Server, list: string, items: string, path: string): Promise<Reply> {
  const [first] = recordsOf(await read(server, list, { limit: 1 }), items);
  return read(server, path, { id: Number(first?.['id']) });
}

/** The name of the place of the record in a body. */
function placeOf(reply: Reply, places: Readonly<Record<string, string>>): string {
  const found = Object.entries(places).filter(([, place]) => reply.at(`${place}/changed_at`) !== undefined);
  return found.map(([name]) => name).join(' and ');
}

/** Form of an absent value in these records; `given` when every record has a value. */
function emptiness(records: readonly JsonObject[], holder: string, member: string): string {
  if (records.length === 0) throw new Error(`there is no record that could be without ${member}, so nothing can be observed`);
  const spellings = new Set(records.map((record) => spellEmpty(valueAt(record, holder), member)));
  return [...spellings].filter((spelling) => spelling !== 'given').join(' and ') || 'given';
}

function spellEmpty(holder: Json | undefined, member: string): string {
  if (!isObject(holder) || !Object.hasOwn(holder, member)) return 'absent';
  return holder[member] === null ? 'null' : 'given';
}

function isFalling(values: readonly number[]): boolean {
  return values.length > 2 && values.every((value, index) => index === 0 || value <= Number(values[index - 1]));
}

function list(server: Server, query: Readonly<Record<string, string | number>> = {}): Promise<Reply> {
  return ask(server, target(wiki, query));
}

async function entries(server: Server, query: Readonly<Record<string, string | number>> = {}): Promise<readonly JsonObject[]> {
  return recordsOf(await list(server, { limit: 100, ...query }), '/data');
}

/** The observer of each question whose answer shows. */
const wikiObservers: Readonly<Record<string, Observer>> = {
  'hidden-entry': async (server) => {
    const statuses = await Promise.all(
      server.hiddenRecords.map(async (slug) => (await ask(server, `${wiki}/${encodeURIComponent(slug)}`)).status),
    );
    const [status] = new Set(statuses).size === 1 ? statuses : [];
    return { 404: 'absent', 403: 'forbidden', 401: 'unauthenticated' }[status ?? 0] ?? `statuses ${statuses.join(', ')}`;
  },
  'entries-order': async (server) => {
    const all = await entries(server);
    const isSorted = (field: string, sign: number): boolean =>
      all.every((entry, index) => index === 0 || sign * compare(String(all[index - 1]?.[field]), String(entry[field])) <= 0);
    const orders = { 'by-title': isSorted('title', 1), 'by-slug': isSorted('slug', 1), 'latest-first': isSorted('updated_at', -1) };
    return Object.entries(orders)
      .filter(([, sorted]) => sorted)
      .map(([name]) => name)
      .join(' and ');
  },
  'q-rules': async (server) => {
    const [first] = await entries(server);
    const whole = await ask(server, `${wiki}/${encodeURIComponent(String(first?.['slug']))}`);
    const body = String(whole.at('/data/body_public')).replaceAll(/<[^>]*>/g, ' ');
    const [phrase = ''] = /\p{L}{3,} \p{L}{2,} \p{L}{3,}/u.exec(body) ?? [];
    if ((await entries(server, { q: phrase })).length > 0) return 'title-and-body';
    return (await entries(server, { q: String(first?.['title']).toUpperCase() })).length > 0 ? 'title' : 'title-as-written';
  },
  'total-counts': async (server) => {
    const [all, some] = [await list(server), await list(server, { type: 'arma' })];
    return all.at('/meta/total') === some.at('/meta/total') ? 'overall' : 'filtered';
  },
  'smallest-page': async (server) => ((await list(server, { page: 0 })).status === 200 ? 'any' : 'one'),
  'largest-limit': async (server) => ((await list(server, { limit: 5000 })).at('/meta/limit') === 5000 ? 'none' : 'hundred'),
  'page-beyond': async (server) => {
    const reply = await list(server, { page: 100_000 });
    if (reply.status !== 200) return { 404: 'absent', 400: 'invalid' }[reply.status] ?? String(reply.status);
    return recordsOf(reply, '/data').length === 0 ? 'empty' : 'last';
  },
  'bad-parameters': async (server) => {
    const reply = await list(server, { limit: -5 });
    if (reply.status !== 200) return 'refused';
    if (reply.at('/meta/limit') === 1) return 'clamped';
    return reply.at('/meta/limit') === (await list(server)).at('/meta/limit') ? 'ignored' : 'neither';
  },
  'undeclared-parameters': async (server) => ((await list(server, { unheard_of: 1 })).status === 200 ? 'ignored' : 'refused'),
};

function compare(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1;
}

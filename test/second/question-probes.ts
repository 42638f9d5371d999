/** For each open question of the API documents, a read that tells its answers apart. */

import { answers, at, type Probe, type SecondClient } from './second-client.ts';

const order = 'orders/view.php?code=A-1';
const list = 'orders/index.php?limit=100';
const noKey = { role: 'nobody' };

/** The first page, then the second with something else beside its cursor. */
function continued(first: string, next: string, role = 'full'): Probe['observe'] {
  return async (client) => {
    const page: unknown = JSON.parse((await client.get(first, { role })).text);
    const cursor = encodeURIComponent(String(at(page, 'data', 'page')['next_cursor']));
    const seen = [];
    for (let turn = 0; turn < 2; turn += 1) {
      const answer = await client.get(`${next}&cursor=${cursor}`);
      seen.push([answer.status, answer.text.replace(/req_\w+/, '')]);
    }
    return seen;
  };
}

/** A record with its own tag, alone, in a list, as a weak one, and with a star. */
function conditional(path: string): Probe['observe'] {
  return async (client) => {
    const tag = String((await client.get(path)).headers['etag']);
    const seen: unknown[] = [tag];
    for (const sent of [tag, `"other", ${tag}`, '*', `W/${tag}`]) {
      const answer = await client.get(path, { headers: { 'if-none-match': sent } });
      seen.push([answer.status, answer.headers['etag']]);
    }
    return seen;
  };
}

/** The orders of both businesses. */
const bothBusinesses = answers([list], [list, { role: 'other' }]);

/** Both carriers, each with a key of another business. */
async function twoKeys(client: SecondClient): Promise<unknown> {
  const answer = await client.get('whoami.php', { headers: { authorization: `Bearer ${client.server.keys['other'] ?? ''}` } });
  return [answer.status, answer.text];
}

/** The cursor alone tells the styles apart. */
const cursors = answers(['orders/index.php?limit=3']);

const everyError = answers(
  ['orders/index.php?limit=0', noKey],
  ['orders/index.php?limit=0', { role: 'without:orders.read' }],
  ['orders/view.php?id=999999999&code=x'],
);

/** The probe of each question of the business API. */
export const businessChoiceProbes: Readonly<Record<string, Pick<Probe, 'observe' | 'options'>>> = {
  'orders-order': { observe: answers([list]) },
  'reservations-direction': { observe: answers(['reservations/index.php']) },
  'head-place': { observe: answers([list]) },
  'business-type': { observe: answers([list]) },
  'schema-version-type': { observe: answers([list]) },
  'detail-place': { observe: answers([order]) },
  'success-ok': { observe: answers([list]) },
  'takeaway-table': { observe: answers([list]) },
  unpaid: { observe: answers([list]) },
  'guest-contact': { observe: answers([list]) },
  'empty-notes': { observe: answers(['reservations/index.php']) },
  'no-assignment': { observe: answers(['reservations/index.php']) },
  'last-cursor': { observe: answers(['orders/index.php?status=pending']) },
  'cursor-alphabet': { observe: cursors },
  'cursor-style': { observe: cursors },
  'cursor-again': { observe: continued('orders/index.php?limit=3', 'orders/index.php?limit=3') },
  'cursor-other-limit': { observe: continued('orders/index.php?limit=3', 'orders/index.php?limit=4') },
  'damaged-cursor': { observe: answers(['orders/index.php?cursor=abc']) },
  'foreign-cursor': { observe: continued('orders/index.php?limit=3', 'orders/index.php?limit=3', 'other') },
  'changed-filters': { observe: continued('orders/index.php?limit=3&status=pending', 'orders/index.php?limit=3&status=ready') },
  'csv-order': { observe: continued('orders/index.php?limit=3&status=pending,ready', 'orders/index.php?limit=3&status=ready,pending') },
  'short-pages': { observe: async (client) => (await client.paginate('orders/index.php?limit=58')).length },
  'loose-spelling': { observe: answers(['orders/index.php?limit=007'], ['orders/index.php?status=%20PENDING,,']) },
  undeclared: { observe: answers(['orders/index.php?limit=1&colour=red']) },
  precedence: { options: { notReady: 3 }, observe: everyError },
  'two-keys': { observe: twoKeys },
  codes: { observe: bothBusinesses },
  'code-case': { observe: answers(['orders/view.php?code=a-1']) },
  ids: { observe: bothBusinesses },
  etag: { observe: conditional(order) },
  'if-none-match': { observe: conditional(order) },
  'not-modified-tag': { observe: conditional(order) },
  'manifest-tag': { observe: conditional('menus/manifest.php') },
  'changed-at': { observe: answers([list]) },
  zone: { observe: answers(['reservations/index.php']) },
  'assignment-times': { observe: answers(['reservations/index.php']) },
  fulfillment: { observe: answers([list]) },
  'scope-names': { observe: answers(['whoami.php']) },
  'identity-body': { observe: answers(['whoami.php']) },
  'no-menu-code': { observe: answers(['menus/current.php', { role: 'no-menu' }]) },
  'not-ready-code': { options: { notReady: 1 }, observe: answers([list], ['whoami.php']) },
  'rate-scope': { options: { rateLimit: 2 }, observe: answers([list], [list, { role: 'other' }]) },
  'retry-after': { options: { rateLimit: 1 }, observe: answers([list]) },
  challenge: { observe: answers([list, noKey]) },
};

const listEntries = { observe: answers(['wiki'], ['wiki?limit=500'], ['wiki?page=99'], ['wiki?type=arma&limit=2']) };
const strange = {
  observe: answers(
    ['wiki?type=cibo'],
    ['wiki?type=ARMA'],
    ['wiki?limit=0'],
    ['wiki?page=abc'],
    ['wiki?limit=007'],
    ['wiki?limit=2&limit=3'],
  ),
};
const searches = { observe: answers(['wiki?q=NERO'], ['wiki?q=ner'], ['wiki?q=Parola7'], ['wiki?q=']) };

/** The probe of each question of the wiki API. */
export const wikiChoiceProbes: Readonly<Record<string, Pick<Probe, 'observe' | 'options'>>> = {
  'hidden-entry': { observe: async (client) => (await client.get(`wiki/${encodeURIComponent(client.server.hidden[0] ?? '')}`)).text },
  'unknown-type': strange,
  'type-case': strange,
  'bad-number': strange,
  'loose-number': strange,
  'repeated-parameter': strange,
  'undeclared-parameter': { observe: answers(['wiki?colour=red']) },
  'limit-cap': listEntries,
  'page-beyond': listEntries,
  total: listEntries,
  'entries-order': listEntries,
  'q-fields': searches,
  'q-case': searches,
  'q-style': searches,
  'empty-q': searches,
  'error-meta': { observe: answers(['wiki/none']) },
  'slug-case': { observe: answers(['wiki/DRAGO-NERO']) },
  'broken-escape': { observe: answers(['wiki/%zz']) },
  'trailing-slash': { observe: answers(['wiki/']) },
};

/** The probe of each question of the wire, for either API. */
export function wireChoiceProbes(path: string): Readonly<Record<string, Pick<Probe, 'observe'>>> {
  const zipped = answers([path, { headers: { 'accept-encoding': 'gzip' } }]);
  const outside = answers(['/somewhere'], [path, { method: 'POST' }], [path, { method: 'HEAD' }]);
  return {
    'content-type': { observe: answers([path]) },
    'json-text': { observe: answers([path]) },
    'extra-fields': { observe: answers([path]) },
    gzip: { observe: zipped },
    chunked: { observe: zipped },
    connection: {
      observe: async (client) => (await fetch(`${client.server.url}/somewhere`)).headers.get('connection'),
    },
    'head-method': { observe: outside },
    'other-methods': { observe: outside },
    outside: { observe: outside },
  };
}

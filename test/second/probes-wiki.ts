/** Knows, for each deviation of the wiki API, a reading that a correct server answers differently. */

import { type Client, idsOf, type Json, rowsOf } from './client.ts';
import { answers, type Probe } from './probe.ts';

/** All pages of a list until an empty one, at most thirty. */
export async function allPages(client: Client, path: string): Promise<readonly Json[]> {
  const pages: Json[] = [];
  for (let page = 1; page <= 30; page += 1) {
    const body: Json = JSON.parse((await client.get(`${path}&page=${page}`)).text);
    if (rowsOf(body).length === 0) break;
    pages.push(body);
  }
  return pages;
}

async function hiddenSingle(client: Client): Promise<unknown> {
  return (await client.get(`wiki/${encodeURIComponent(client.server.hidden[0] ?? '')}`)).text;
}

/** The probes; together they name every deviation of the wiki API. */
export const wikiProbes: readonly Probe[] = [
  {
    faults: ['hidden-listed', 'hidden-counted', 'total-of-page', 'total-of-pages'],
    observe: answers(['wiki?limit=100'], ['wiki?limit=100&page=2']),
  },
  { faults: ['hidden-listed-by-type', 'type-ignored', 'type-leaves-out'], observe: answers(['wiki?type=personaggio&limit=100']) },
  {
    faults: ['hidden-searched', 'q-ignored', 'q-finds-nothing'],
    observe: answers(['wiki?q=nero&limit=100'], ['wiki?q=segreto&limit=100']),
  },
  { faults: ['hidden-shown', 'hidden-told'], observe: hiddenSingle },
  {
    faults: ['page-two-repeats', 'page-edge-lost', 'page-ignored', 'small-pages-end', 'limit-ignored', 'limit-one-more', 'pages-from-zero'],
    observe: async (client) => idsOf(await allPages(client, 'wiki?limit=8')),
  },
  { faults: ['page-text-crash', 'limit-zero-crash'], observe: answers(['wiki?page=abc'], ['wiki?limit=0']) },
  { faults: ['limit-echo-constant', 'page-echo-constant'], observe: answers(['wiki?limit=7&page=2']) },
  {
    faults: ['default-twenty-entries', 'version-missing', 'order-per-request', 'body-listed', 'updated-at-iso'],
    observe: answers(['wiki']),
  },
  { faults: ['beyond-crash', 'beyond-first'], observe: answers(['wiki?page=999']) },
  { faults: ['type-or-q'], observe: answers(['wiki?type=arma&q=nero']) },
  { faults: ['weapons-refused', 'brands-never-found'], observe: answers(['wiki?type=arma'], ['wiki?type=brand']) },
  { faults: ['no-match-not-found', 'q-blank-matches'], observe: answers(['wiki?q=zzzzqqqq']) },
  { faults: ['search-unprocessable', 'search-crash'], observe: answers(['wiki?q=a'], ["wiki?q=d'oro"]) },
  {
    faults: ['slug-prefix', 'slug-wildcard', 'slug-not-decoded'],
    observe: answers(['wiki/drago-ner'], ['wiki/drago-ner%25'], ['wiki/%64rago-nero']),
  },
  {
    faults: ['slug-crash', 'absent-null', 'absent-other-code', 'error-without-ok', 'error-as-text'],
    observe: answers(["wiki/no.such'entry"]),
  },
  { faults: ['title-differs', 'key-demanded', 'body-missing', 'entry-html'], observe: answers(['wiki/drago-nero']) },
  {
    faults: ['entry-missing'],
    observe: async (client) => {
      const [brand] = rowsOf(JSON.parse((await client.get('wiki?type=brand')).text));
      return (await client.get(`wiki/${encodeURIComponent(String(brand?.['slug']))}`)).status;
    },
  },
];

/** Which choice of each open question a server of the wiki API has made, found out from its answers alone. */

import type { JsonObject } from '../../core/json.ts';
import { ask, type Reply } from './client.ts';
import { recordsOf, target, wiki } from './targets.ts';

/** A server, and slugs of entries that it hides. */
export interface WikiServer {
  readonly port: number;
  readonly hiddenSlugs: readonly string[];
}

/** Finds out the name of the choice. */
export type WikiObserver = (server: WikiServer) => Promise<string>;

function list(server: WikiServer, query: Readonly<Record<string, string | number>> = {}): Promise<Reply> {
  return ask(server, target(wiki, query));
}

async function entries(server: WikiServer, query: Readonly<Record<string, string | number>> = {}): Promise<readonly JsonObject[]> {
  return recordsOf(await list(server, { limit: 100, ...query }), '/data');
}

/** The observer of each question whose answer shows. */
export const wikiObservers: Readonly<Record<string, WikiObserver>> = {
  'hidden-entry': async (server) => {
    const statuses = await Promise.all(
      server.hiddenSlugs.map(async (slug) => (await ask(server, `${wiki}/${encodeURIComponent(slug)}`)).status),
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
    return reply.at('/meta/limit') === 30 ? 'ignored' : 'clamped';
  },
  'undeclared-parameters': async (server) => ((await list(server, { unheard_of: 1 })).status === 200 ? 'ignored' : 'refused'),
};

function compare(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1;
}

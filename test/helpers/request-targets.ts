/** Request targets of the two APIs of the package, and pagination of their lists. */

import { isObject, type JsonObject } from '../../core/json.ts';
import { ask, type Fields, type Reply } from './plain-client.ts';

/** Paths of the business API. */
export const business = {
  identity: '/api/integrations/v1/whoami.php',
  manifest: '/api/integrations/v1/menus/manifest.php',
  menu: '/api/integrations/v1/menus/current.php',
  orders: '/api/integrations/v1/orders/index.php',
  order: '/api/integrations/v1/orders/view.php',
  reservations: '/api/integrations/v1/reservations/index.php',
  reservation: '/api/integrations/v1/reservations/view.php',
} as const;

/** Path of the list of the wiki API. The path of an entry adds its slug. */
export const wiki = '/api/v1/wiki';

/** The header that carries a key. */
export function withKey(key: string | undefined, more: Fields = {}): Fields {
  return { 'x-service-api-key': key ?? 'no such role', ...more };
}

/** A target with query parameters, encoded. */
export function target(path: string, query: Readonly<Record<string, string | number>>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

/** The records at a place of an answer. */
export function recordsOf(reply: Reply, pointer: string): readonly JsonObject[] {
  const found = reply.at(pointer);
  if (reply.status !== 200 || !Array.isArray(found)) throw new Error(`there is no list at ${pointer} of ${reply.status} ${reply.text}`);
  return found.filter(isObject);
}

/** A list that is paginated by cursors. */
export interface CursorPagination {
  readonly path: string;
  readonly items: string;
  readonly query?: Readonly<Record<string, string | number>>;
}

/** Pointers to the records of each list of the business API. */
export const cursorLists: readonly CursorPagination[] = [
  { path: business.orders, items: '/data/orders' },
  { path: business.reservations, items: '/data/reservations' },
];

/** Follows the cursors of a list to its end. The servers take turns in answering the pages. */
export async function paginate(
  servers: readonly { readonly port: number }[],
  { path, items, query = {} }: CursorPagination,
  headers: Fields,
): Promise<readonly Reply[]> {
  const pages: Reply[] = [];
  let cursor: string | undefined;
  do {
    const server = servers[pages.length % servers.length];
    if (server === undefined) throw new Error('a pagination needs a server');
    const page = await ask(server, target(path, { ...query, ...(cursor === undefined ? {} : { cursor }) }), headers);
    recordsOf(page, items);
    pages.push(page);
    const next = page.at('/data/page/next_cursor');
    cursor = page.at('/data/page/has_more') === true && typeof next === 'string' ? next : undefined;
    if (pages.length > 500) throw new Error(`the pagination over ${path} does not end`);
  } while (cursor !== undefined);
  return pages;
}

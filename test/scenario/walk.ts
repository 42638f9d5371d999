/** Follows a list from its first page to its last, by cursors or by page numbers, and gathers every item. */
import { readPointer } from './place.ts';
import type { HttpAnswer } from './request.ts';
import { isObject, sameValue, show } from './value.ts';

/** Fetches one page. */
export type FetchPage = (path: string) => Promise<HttpAnswer>;

const MOST_PAGES = 5000;

/** All items of a list; a page that breaks off the walk (no 200, no cursor although there is more, too many items) is an error. */
export const walk = async (path: string, fetchPage: FetchPage): Promise<readonly unknown[]> => {
  const items: unknown[] = [];
  const asked = new Set<string>();
  for (let next: NextPage | undefined = { path, beyond: false }; next !== undefined; ) {
    if (asked.has(next.path)) throw new Error(`the walk goes in circles: it came to ${next.path} again`);
    if (asked.size === MOST_PAGES) throw new Error(`the walk did not end within ${MOST_PAGES} pages`);
    asked.add(next.path);
    const answer = await fetchPage(next.path);
    if (next.beyond && bringsNothing(answer, items)) return items;
    const page = readPage(next.path, answer);
    items.push(...page.items);
    next = followingPage(path, page, items.length);
  }
  return items;
};

interface NextPage {
  readonly path: string;
  /** Whether all items that the list claims to have are gathered already. */
  readonly beyond: boolean;
}

// A full page may be the last one, and whether `total` is right is to be proved, so the walk asks for one page more. What a
// page past the end answers is open: nothing, the last page again or an error are all an end; new items are not.
const bringsNothing = ({ status, json }: HttpAnswer, gathered: readonly unknown[]): boolean => {
  if (status === 400 || status === 404) return true;
  const data = readPointer(json, '/data');
  return Array.isArray(data) && data.every((item) => gathered.some((other) => sameValue(item, other)));
};

interface Page {
  readonly body: unknown;
  readonly items: readonly unknown[];
  readonly path: string;
}

const readPage = (path: string, { status, json }: HttpAnswer): Page => {
  if (status !== 200) throw new Error(`the page ${path}: expected status 200, but came ${status} ${show(json)}`);
  const data = readPointer(json, '/data');
  const lists = Array.isArray(data) ? [data] : Object.values(isObject(data) ? data : {}).filter((member) => Array.isArray(member));
  const [items] = lists;
  if (items === undefined || lists.length > 1) throw new Error(`the page ${path}: expected one list in /data, but came ${lists.length}`);
  const limit = Number(parametersOf(path).get('limit') ?? Number.POSITIVE_INFINITY);
  if (items.length > limit) throw new Error(`the page ${path}: expected at most ${limit} items, but came ${items.length}`);
  return { body: json, items, path };
};

const followingPage = (first: string, page: Page, gathered: number): NextPage | undefined =>
  readPointer(page.body, '/data/page') === undefined ? byNumber(first, page, gathered) : byCursor(first, page);

const byCursor = (first: string, { body, path }: Page): NextPage | undefined => {
  const more = readPointer(body, '/data/page/has_more');
  if (typeof more !== 'boolean') throw new Error(`the page ${path}: expected true or false at /data/page/has_more, but came ${show(more)}`);
  if (!more) return undefined;
  const cursor = readPointer(body, '/data/page/next_cursor');
  if (typeof cursor === 'string' && cursor !== '') return { path: withParameter(first, 'cursor', cursor), beyond: false };
  throw new Error(`the page ${path}: has_more is true, so expected a text at /data/page/next_cursor, but came ${show(cursor)}`);
};

const byNumber = (first: string, { body, items, path }: Page, gathered: number): NextPage | undefined => {
  const total = readPointer(body, '/meta/total');
  const limit = readPointer(body, '/meta/limit');
  if (typeof total !== 'number' || typeof limit !== 'number') {
    throw new Error(`the page ${path}: expected numbers at /meta/total and /meta/limit, but came ${show(total)} and ${show(limit)}`);
  }
  if (items.length < limit) return undefined;
  const following = Number(parametersOf(path).get('page') ?? 1) + 1;
  return { path: withParameter(first, 'page', String(following)), beyond: gathered >= total };
};

const parametersOf = (path: string): URLSearchParams => new URLSearchParams(path.split('?')[1] ?? '');

const withParameter = (path: string, name: string, value: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`;

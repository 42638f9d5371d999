/** Knows how the list of wiki entries is filtered, ordered, counted and cut into pages. */

import { type EntryRow, updatedAt } from './data-entries.ts';
import { Failure, type Reply } from './reply.ts';
import { searcher } from './search.ts';
import type { Setup } from './setup.ts';
import { badRequest, type EntryQuery } from './wiki-query.ts';
import type { PageEdge } from './world.ts';

/** What a list request saw: the entries, and where its page ended. */
export interface EntryList {
  readonly reply: Reply;
  readonly edge: PageEdge | undefined;
}

/** An entry as the list shows it. */
export function entrySummary(setup: Setup, entry: EntryRow): Readonly<Record<string, unknown>> {
  const shown = updatedAt(entry.changed);
  return {
    slug: entry.slug,
    title: entry.title,
    type: entry.type,
    visibility: entry.visibility,
    icon_path: `icons/${entry.type}/${entry.rank % 40}.png`,
    updated_at: setup.faulty('updated-at-iso') ? `${shown.replace(' ', 'T')}Z` : shown,
  };
}

/** Answers the list, whose entries come in their order. */
export function listEntries(setup: Setup, all: readonly EntryRow[], query: EntryQuery): EntryList {
  const found = matching(setup, all, query);
  if (found.length === 0 && setup.faulty('no-match-not-found')) throw new Failure(404, 'NOT_FOUND', 'Nothing was found');
  const page = pageInForce(setup, query, found.length);
  const start = startOf(setup, query, page, found.length);
  const length = (setup.faulty('limit-ignored') ? 30 : query.limit) + (setup.faulty('limit-one-more') ? 1 : 0);
  const reachable = setup.faulty('small-pages-end') && query.limit < 10 ? 60 : found.length;
  const rows = found.slice(Math.max(start, 0), Math.min(start + length, reachable));
  const last = rows.at(-1);
  const next = found[start + length];
  const meta = {
    ...(setup.faulty('version-missing') ? {} : { version: 'v1' }),
    page: setup.faulty('page-echo-constant') ? 1 : page,
    limit: setup.faulty('limit-echo-constant') ? 30 : query.limit,
    total: total(setup, all, found, rows.length, query.limit),
  };
  const data = rows.map((entry) =>
    setup.faulty('body-listed') ? { ...entrySummary(setup, entry), body_public: entry.body } : entrySummary(setup, entry),
  );
  const edge = last === undefined || next === undefined ? undefined : { list: 'entries', tenant: '', last: last.slug, next: next.slug };
  return { reply: { status: 200, json: { ok: true, data, meta } }, edge };
}

function matching(setup: Setup, all: readonly EntryRow[], query: EntryQuery): readonly EntryRow[] {
  const { type, q } = query;
  const ofType = (entry: EntryRow): boolean => type === undefined || typeFits(setup, entry, type);
  const found = q === undefined ? () => true : searcher(setup, q);
  const either = setup.faulty('type-or-q') && type !== undefined && q !== undefined;
  const visible = (entry: EntryRow): boolean => entry.visibility === 'public' || showsHidden(setup, query);
  const rows = all.filter((entry) => visible(entry) && (either ? ofType(entry) || found(entry) : ofType(entry) && found(entry)));
  return rows.length === 0 && q !== undefined && setup.faulty('q-blank-matches') ? all.filter(visible) : rows;
}

function showsHidden(setup: Setup, query: EntryQuery): boolean {
  if (setup.faulty('hidden-listed')) return true;
  return (query.type !== undefined && setup.faulty('hidden-listed-by-type')) || (query.q !== undefined && setup.faulty('hidden-searched'));
}

function typeFits(setup: Setup, entry: EntryRow, type: string): boolean {
  if (entry.type !== type || (setup.faulty('brands-never-found') && type === 'brand')) return false;
  return !setup.faulty('type-leaves-out') || entry.rank % 2 === 0;
}

function pageInForce(setup: Setup, { page, limit }: EntryQuery, found: number): number {
  const last = Math.max(1, Math.ceil(found / limit));
  if (page <= last) return page;
  if (setup.faulty('beyond-crash')) throw new Failure(500, 'SERVER_ERROR', 'undefined offset');
  const choice = setup.choice('page-beyond');
  if (choice === '404') throw new Failure(404, 'NOT_FOUND', `The last page is ${last}`);
  if (choice === '400') throw badRequest(`page must be at most ${last}`);
  return choice === 'last' ? last : page;
}

function startOf(setup: Setup, query: EntryQuery, page: number, found: number): number {
  if (setup.faulty('page-ignored')) return 0;
  const start = (page - 1) * query.limit;
  if (setup.faulty('beyond-first') && start >= found) return 0;
  if (setup.faulty('pages-from-zero') && query.pageGiven) return start + query.limit;
  if (page > 1 && setup.faulty('page-two-repeats')) return start - 1;
  return page > 1 && setup.faulty('page-edge-lost') ? start + 1 : start;
}

function total(setup: Setup, all: readonly EntryRow[], found: readonly EntryRow[], onPage: number, limit: number): number {
  if (setup.faulty('total-of-page')) return onPage;
  if (setup.faulty('total-of-pages')) return Math.ceil(found.length / limit);
  if (setup.choice('total') === 'overall')
    return all.filter((entry) => entry.visibility === 'public' || setup.faulty('hidden-counted')).length;
  return setup.faulty('hidden-counted') ? found.length + all.filter((entry) => entry.visibility !== 'public').length : found.length;
}

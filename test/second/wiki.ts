/** Knows the wiki API as a whole: its two paths, its single entries, and how its failures look. */

import type { Api } from './api.ts';
import { escapesLetters, likePattern } from './codes.ts';
import { type EntryRow, entryTable } from './data-entries.ts';
import { type Asked, Failure, header, type Reply } from './reply.ts';
import type { Setup } from './setup.ts';
import type { Trouble } from './trouble.ts';
import { entrySummary, listEntries } from './wiki-list.ts';
import { entrySorter } from './wiki-order.ts';
import { badRequest, readEntryQuery } from './wiki-query.ts';
import { mutableWorld, type PageEdge } from './world.ts';

const listPath = '/api/v1/wiki';

/** Opens the API. */
export function makeWiki(setup: Setup, trouble: Trouble): Api {
  const table = entryTable(setup);
  const rows = (): Iterable<EntryRow> => table.rows('').values();
  const isList = (path: string): boolean => path === listPath || (path === `${listPath}/` && setup.choice('trailing-slash') === 'list');
  const sorted = entrySorter(setup, table);
  let edge: PageEdge | undefined;
  return {
    has: (path) => isList(path) || /^\/api\/v1\/wiki\/[^/]+$/.test(path),
    answer: (asked) => {
      trouble(asked, undefined);
      edge = undefined;
      if (!isList(asked.path)) return single(setup, asked, [...rows()]);
      const list = listEntries(setup, sorted(asked.moment), readEntryQuery(setup, asked));
      edge = list.edge;
      return list.reply;
    },
    fail: (failure) => failed(setup, failure),
    world: mutableWorld([table], [''], () => edge),
    keys: {},
    hidden: () => [...rows()].filter((entry) => entry.visibility !== 'public').map((entry) => entry.slug),
  };
}

function single(setup: Setup, asked: Asked, entries: readonly EntryRow[]): Reply {
  if (setup.faulty('key-demanded') && header(asked, 'authorization') === undefined)
    throw new Failure(401, 'UNAUTHORIZED', 'This needs a key');
  const stranger = [...asked.query.keys()][0];
  if (stranger !== undefined && setup.choice('undeclared-parameter') === 'refused')
    throw badRequest(`${stranger} is not a parameter of this path`);
  const raw = asked.path.slice(listPath.length + 1);
  const entry = find(setup, entries, decoded(setup, raw), raw);
  if (entry === undefined || (setup.faulty('entry-missing') && entry.type === 'brand')) return absent(setup);
  if (entry.visibility !== 'public' && !setup.faulty('hidden-shown')) throw refusedHidden(setup, entry);
  const shown = setup.faulty('title-differs') ? { ...entry, title: entry.title.toUpperCase() } : entry;
  const body = setup.faulty('body-missing') ? {} : { body_public: entry.body };
  const headers = setup.faulty('entry-html') ? { headers: { 'content-type': 'text/html; charset=utf-8' } } : {};
  return { status: 200, ...headers, json: { ok: true, data: { ...entrySummary(setup, shown), ...body }, meta: meta(setup) } };
}

function decoded(setup: Setup, raw: string): string {
  try {
    return decodeURIComponent(raw);
  } catch {
    if (setup.choice('broken-escape') === '400') throw badRequest('The path holds a broken escape');
    throw new Failure(404, 'NOT_FOUND', 'There is no such entry');
  }
}

function find(setup: Setup, entries: readonly EntryRow[], slug: string, raw: string): EntryRow | undefined {
  if (setup.faulty('slug-crash') && /[.'"]/.test(slug))
    throw new Failure(500, 'SERVER_ERROR', 'syntax error near the end of the statement');
  if (setup.faulty('slug-not-decoded') && escapesLetters(raw)) return undefined;
  const exact = entries.find((entry) => entry.slug === slug);
  if (exact !== undefined) return exact;
  const visible = entries.filter((entry) => entry.visibility === 'public');
  if (setup.choice('slug-case') === 'insensitive') return entries.find((entry) => entry.slug.toLowerCase() === slug.toLowerCase());
  if (setup.faulty('slug-prefix')) return visible.find((entry) => entry.slug.startsWith(slug));
  return setup.faulty('slug-wildcard') ? visible.find((entry) => likePattern(slug).test(entry.slug)) : undefined;
}

function absent(setup: Setup): Reply {
  if (setup.faulty('absent-null')) return { status: 200, json: { ok: true, data: null, meta: meta(setup) } };
  throw new Failure(404, setup.faulty('absent-other-code') ? 'ENTRY_NOT_FOUND' : 'NOT_FOUND', 'There is no such entry');
}

function refusedHidden(setup: Setup, entry: EntryRow): Failure {
  const status = Number(setup.choice('hidden-entry'));
  const codes: Readonly<Record<number, string>> = { 401: 'UNAUTHORIZED', 403: 'FORBIDDEN' };
  const usual = status === 404 ? 'There is no such entry' : 'This entry is not public';
  return new Failure(status, codes[status] ?? 'NOT_FOUND', setup.faulty('hidden-told') ? `${entry.title}: ${entry.body}` : usual);
}

function failed(setup: Setup, { status, code, message, headers }: Failure): Reply {
  const ok = setup.faulty('error-without-ok') ? {} : { ok: false };
  const error = setup.faulty('error-as-text') ? message : { code, message };
  const about = setup.choice('error-meta') === 'present' ? { meta: { version: 'v1' } } : {};
  return { status, headers, json: { ...ok, error, ...about } };
}

function meta(setup: Setup): Readonly<Record<string, unknown>> {
  return setup.faulty('version-missing') ? {} : { version: 'v1' };
}

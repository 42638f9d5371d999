/** The wiki API as a whole: its list, its search, its single entries and its error envelope. */

import type { Admission } from './access.ts';
import type { Api } from './http-messages.ts';
import { ApiError, header, type OutgoingReply, type ReceivedRequest } from './http-messages.ts';
import { type LiveTable, liveData, type PageEdge } from './live-data.ts';
import { draw } from './seeded-draws.ts';
import type { Setup } from './server-setup.ts';
import { escapesLetters, likePattern } from './single-records.ts';
import { type EntryRow, entryTable, typesByFrequency, updatedAt } from './wiki-records.ts';

/** The parameters of one request of the list. */
interface EntryQuery {
  readonly type: string | undefined;
  readonly q: string | undefined;
  readonly limit: number;
  readonly page: number;
  /** True when page was given: only defects distinguish it from the default. */
  readonly pageGiven: boolean;
}

/** The refusal of a parameter. */
function badRequest(message: string): ApiError {
  return new ApiError(400, 'BAD_REQUEST', message);
}

/** Reads the query or refuses it. */
function readEntryQuery(setup: Setup, request: ReceivedRequest): EntryQuery {
  const unknown = [...request.query.keys()].find((name) => !['type', 'q', 'limit', 'page'].includes(name));
  if (unknown !== undefined && setup.choice('undeclared-parameter') === 'refused')
    throw badRequest(`${unknown} is not a parameter of this path`);
  const page = value(setup, request, 'page');
  return {
    type: readType(setup, value(setup, request, 'type')),
    q: readSearch(setup, value(setup, request, 'q')),
    limit: readLimit(setup, value(setup, request, 'limit')),
    page: readPage(setup, page),
    pageGiven: page !== undefined,
  };
}

function value(setup: Setup, request: ReceivedRequest, name: string): string | undefined {
  const values = request.query.getAll(name);
  const choice = setup.choice('repeated-parameter');
  if (values.length > 1 && choice === 'refused') throw badRequest(`${name} is given more than once`);
  return choice === 'first' ? values[0] : values.at(-1);
}

function readType(setup: Setup, text: string | undefined): string | undefined {
  if (text === undefined || text === '' || setup.has('type-ignored')) return undefined;
  const read = setup.choice('type-case') === 'insensitive' ? text.toLowerCase() : text;
  const known = typesByFrequency.some((type) => type === read) && !(setup.has('weapons-refused') && read === 'arma');
  if (known) return read;
  const choice = setup.has('weapons-refused') && read === 'arma' ? '400' : setup.choice('unknown-type');
  if (choice === '400') throw badRequest(`type must be one of ${typesByFrequency.join(', ')}`);
  if (choice === '404') throw new ApiError(404, 'NOT_FOUND', 'There is no such type');
  return choice === 'ignored' ? undefined : read;
}

function readSearch(setup: Setup, text: string | undefined): string | undefined {
  if (text === undefined || setup.has('q-ignored')) return undefined;
  if (setup.has('search-crash') && /[%'"]/.test(text))
    throw new ApiError(500, 'SERVER_ERROR', 'syntax error near the end of the statement');
  if (setup.has('search-unprocessable') && text.length === 1) throw new ApiError(422, 'BAD_REQUEST', 'q is too short');
  if (text.trim() !== '') return text;
  const choice = setup.choice('empty-q');
  if (choice === 'refused') throw badRequest('q is empty');
  // A text that no entry holds.
  return choice === 'all' ? undefined : '\u0000';
}

function readLimit(setup: Setup, text: string | undefined): number {
  const usual = setup.has('default-twenty-entries') ? 20 : 30;
  if (setup.has('limit-zero-crash') && text === '0') throw new ApiError(500, 'SERVER_ERROR', 'division by zero');
  const read = text === undefined ? usual : (positive(setup, 'limit', text) ?? usual);
  const cap = setup.choice('limit-cap');
  if (cap === 'none') return read;
  if (cap !== 'refused-over-100') return Math.min(read, Number(cap));
  if (read > 100) throw badRequest('limit must be at most 100');
  return read;
}

function readPage(setup: Setup, text: string | undefined): number {
  if (text === undefined) return 1;
  if (setup.has('page-text-crash') && /[^\d\s+.-]/.test(text))
    throw new ApiError(500, 'SERVER_ERROR', 'unsupported operand types: string * int');
  return positive(setup, 'page', text) ?? 1;
}

/** A whole number from 1 on; undefined where the server ignores what it cannot use. */
function positive(setup: Setup, name: string, text: string): number | undefined {
  const number = /^\s*[+-]?\d+(\.0+)?\s*$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number) && number >= 1) {
    if (/^[1-9]\d*$/.test(text)) return number;
    const loose = setup.choice('loose-number');
    if (loose === 'refused') throw badRequest(`${name} is not spelled as a plain number`);
    return loose === 'accepted' ? number : undefined;
  }
  const choice = setup.choice('bad-number');
  if (choice === 'refused') throw badRequest(`${name} must be a whole number from 1 on`);
  return choice === 'clamped' && number < 1 ? 1 : undefined;
}

/** The predicate of a search. */
function searcher(setup: Setup, q: string): (entry: EntryRow) => boolean {
  if (setup.has('q-finds-nothing')) return () => false;
  const fold = (text: string): string => (setup.choice('q-case') === 'folded' ? text.toLowerCase() : text);
  const searched = (entry: EntryRow): string =>
    fold(setup.choice('q-fields') === 'title' ? entry.title : `${entry.title} ${plain(entry.body)}`);
  const wanted = fold(q.trim());
  if (setup.choice('q-style') === 'substring') return (entry) => searched(entry).includes(wanted);
  const words = wordsOf(wanted);
  return (entry) => {
    const present = new Set(wordsOf(searched(entry)));
    return words.length > 0 && words.every((word) => present.has(word));
  };
}

function wordsOf(text: string): readonly string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

/** The text of a body without its marks. */
function plain(body: string): string {
  return body.replace(/<[^>]*>/g, ' ').replaceAll('&mdash;', ' ');
}

/** The reply to a list request, and the end of its page. */
interface EntryList {
  readonly reply: OutgoingReply;
  readonly edge: PageEdge | undefined;
}

/** An entry as the list shows it. */
function entrySummary(setup: Setup, entry: EntryRow): Readonly<Record<string, unknown>> {
  const shown = updatedAt(entry.changed);
  return {
    slug: entry.slug,
    title: entry.title,
    type: entry.type,
    visibility: entry.visibility,
    icon_path: `icons/${entry.type}/${entry.rank % 40}.png`,
    updated_at: setup.has('updated-at-iso') ? `${shown.replace(' ', 'T')}Z` : shown,
  };
}

/** Answers the list, whose entries come in their order. */
function listEntries(setup: Setup, all: readonly EntryRow[], query: EntryQuery): EntryList {
  const found = matching(setup, all, query);
  if (found.length === 0 && setup.has('no-match-not-found')) throw new ApiError(404, 'NOT_FOUND', 'Nothing was found');
  const page = pageInForce(setup, query, found.length);
  const start = startOf(setup, query, page, found.length);
  const length = (setup.has('limit-ignored') ? 30 : query.limit) + (setup.has('limit-one-more') ? 1 : 0);
  const reachable = setup.has('small-pages-end') && query.limit < 10 ? 60 : found.length;
  const rows = found.slice(Math.max(start, 0), Math.min(start + length, reachable));
  const last = rows.at(-1);
  const next = found[start + length];
  const meta = {
    ...(setup.has('version-missing') ? {} : { version: 'v1' }),
    page: setup.has('page-echo-constant') ? 1 : page,
    limit: setup.has('limit-echo-constant') ? 30 : query.limit,
    total: total(setup, all, found, rows.length, query.limit),
  };
  const data = rows.map((entry) =>
    setup.has('body-listed') ? { ...entrySummary(setup, entry), body_public: entry.body } : entrySummary(setup, entry),
  );
  const edge = last === undefined || next === undefined ? undefined : { list: 'entries', tenant: '', last: last.slug, next: next.slug };
  return { reply: { status: 200, json: { ok: true, data, meta } }, edge };
}

function matching(setup: Setup, all: readonly EntryRow[], query: EntryQuery): readonly EntryRow[] {
  const { type, q } = query;
  const ofType = (entry: EntryRow): boolean => type === undefined || typeFits(setup, entry, type);
  const found = q === undefined ? () => true : searcher(setup, q);
  const either = setup.has('type-or-q') && type !== undefined && q !== undefined;
  const visible = (entry: EntryRow): boolean => entry.visibility === 'public' || showsHidden(setup, query);
  const rows = all.filter((entry) => visible(entry) && (either ? ofType(entry) || found(entry) : ofType(entry) && found(entry)));
  return rows.length === 0 && q !== undefined && setup.has('q-blank-matches') ? all.filter(visible) : rows;
}

function showsHidden(setup: Setup, query: EntryQuery): boolean {
  if (setup.has('hidden-listed')) return true;
  return (query.type !== undefined && setup.has('hidden-listed-by-type')) || (query.q !== undefined && setup.has('hidden-searched'));
}

function typeFits(setup: Setup, entry: EntryRow, type: string): boolean {
  if (entry.type !== type || (setup.has('brands-never-found') && type === 'brand')) return false;
  return !setup.has('type-leaves-out') || entry.rank % 2 === 0;
}

function pageInForce(setup: Setup, { page, limit }: EntryQuery, found: number): number {
  const last = Math.max(1, Math.ceil(found / limit));
  if (page <= last) return page;
  if (setup.has('beyond-crash')) throw new ApiError(500, 'SERVER_ERROR', 'undefined offset');
  const choice = setup.choice('page-beyond');
  if (choice === '404') throw new ApiError(404, 'NOT_FOUND', `The last page is ${last}`);
  if (choice === '400') throw badRequest(`page must be at most ${last}`);
  return choice === 'last' ? last : page;
}

function startOf(setup: Setup, query: EntryQuery, page: number, found: number): number {
  if (setup.has('page-ignored')) return 0;
  const start = (page - 1) * query.limit;
  if (setup.has('beyond-first') && start >= found) return 0;
  if (setup.has('pages-from-zero') && query.pageGiven) return start + query.limit;
  if (page > 1 && setup.has('page-two-repeats')) return start - 1;
  return page > 1 && setup.has('page-edge-lost') ? start + 1 : start;
}

function total(setup: Setup, all: readonly EntryRow[], found: readonly EntryRow[], onPage: number, limit: number): number {
  if (setup.has('total-of-page')) return onPage;
  if (setup.has('total-of-pages')) return Math.ceil(found.length / limit);
  if (setup.choice('total') === 'overall')
    return all.filter((entry) => entry.visibility === 'public' || setup.has('hidden-counted')).length;
  return setup.has('hidden-counted') ? found.length + all.filter((entry) => entry.visibility !== 'public').length : found.length;
}

/** Gives the entries in their order; the moment counts only for a server that has none. */
function entrySorter(setup: Setup, table: LiveTable<EntryRow>): (moment: number) => readonly EntryRow[] {
  let kept: readonly EntryRow[] | undefined;
  let version = -1;
  return (moment) => {
    if (kept === undefined || version !== table.version() || setup.has('order-per-request')) {
      kept = [...table.rows('').values()].sort(ordering(setup, moment));
      version = table.version();
    }
    return kept;
  };
}

function ordering(setup: Setup, moment: number): (one: EntryRow, other: EntryRow) => number {
  const scramble = (entry: EntryRow): number => draw(setup.seed, entry.rank, entry.slug.length, moment);
  if (setup.has('order-per-request')) return by((entry) => scramble(entry), true);
  switch (setup.choice('entries-order')) {
    case 'slug':
      return by((entry) => entry.slug, true);
    case 'updated':
      return by((entry) => entry.changed, false);
    case 'scrambled':
      return by((entry) => entry.rank, true);
    default:
      return by((entry) => entry.title, true);
  }
}

/** Compares by one value and then by slug, so that equal values keep their order. */
function by(value: (entry: EntryRow) => string | number, ascending: boolean): (one: EntryRow, other: EntryRow) => number {
  return (one, other) => {
    const [left, right] = [value(one), value(other)];
    if (left !== right) return left < right === ascending ? -1 : 1;
    return one.slug < other.slug ? -1 : 1;
  };
}

const listPath = '/api/v1/wiki';

/** Opens the API. */
export function makeWiki(setup: Setup, admit: Admission): Api {
  const table = entryTable(setup);
  const rows = (): Iterable<EntryRow> => table.rows('').values();
  const isList = (path: string): boolean => path === listPath || (path === `${listPath}/` && setup.choice('trailing-slash') === 'list');
  const sorted = entrySorter(setup, table);
  let edge: PageEdge | undefined;
  return {
    has: (path) => isList(path) || /^\/api\/v1\/wiki\/[^/]+$/.test(path),
    answer: (request) => {
      admit(request, undefined);
      edge = undefined;
      if (!isList(request.path)) return single(setup, request, [...rows()]);
      const list = listEntries(setup, sorted(request.moment), readEntryQuery(setup, request));
      edge = list.edge;
      return list.reply;
    },
    fail: (failure) => failed(setup, failure),
    data: liveData([table], [''], () => edge),
    keys: {},
    hidden: () => [...rows()].filter((entry) => entry.visibility !== 'public').map((entry) => entry.slug),
  };
}

function single(setup: Setup, request: ReceivedRequest, entries: readonly EntryRow[]): OutgoingReply {
  if (setup.has('key-demanded') && header(request, 'authorization') === undefined)
    throw new ApiError(401, 'UNAUTHORIZED', 'This needs a key');
  const unknown = [...request.query.keys()][0];
  if (unknown !== undefined && setup.choice('undeclared-parameter') === 'refused')
    throw badRequest(`${unknown} is not a parameter of this path`);
  const raw = request.path.slice(listPath.length + 1);
  const entry = find(setup, entries, decoded(setup, raw), raw);
  if (entry === undefined || (setup.has('entry-missing') && entry.type === 'brand')) return absent(setup);
  if (entry.visibility !== 'public' && !setup.has('hidden-shown')) throw refusedHidden(setup, entry);
  const shown = setup.has('title-differs') ? { ...entry, title: entry.title.toUpperCase() } : entry;
  const body = setup.has('body-missing') ? {} : { body_public: entry.body };
  const headers = setup.has('entry-html') ? { headers: { 'content-type': 'text/html; charset=utf-8' } } : {};
  return { status: 200, ...headers, json: { ok: true, data: { ...entrySummary(setup, shown), ...body }, meta: meta(setup) } };
}

function decoded(setup: Setup, raw: string): string {
  try {
    return decodeURIComponent(raw);
  } catch {
    if (setup.choice('broken-escape') === '400') throw badRequest('The path holds a broken escape');
    throw new ApiError(404, 'NOT_FOUND', 'There is no such entry');
  }
}

function find(setup: Setup, entries: readonly EntryRow[], slug: string, raw: string): EntryRow | undefined {
  if (setup.has('slug-crash') && /[.'"]/.test(slug)) throw new ApiError(500, 'SERVER_ERROR', 'syntax error near the end of the statement');
  if (setup.has('slug-not-decoded') && escapesLetters(raw)) return undefined;
  const exact = entries.find((entry) => entry.slug === slug);
  if (exact !== undefined) return exact;
  const visible = entries.filter((entry) => entry.visibility === 'public');
  if (setup.choice('slug-case') === 'insensitive') return entries.find((entry) => entry.slug.toLowerCase() === slug.toLowerCase());
  if (setup.has('slug-prefix')) return visible.find((entry) => entry.slug.startsWith(slug));
  return setup.has('slug-wildcard') ? visible.find((entry) => likePattern(slug).test(entry.slug)) : undefined;
}

function absent(setup: Setup): OutgoingReply {
  if (setup.has('absent-null')) return { status: 200, json: { ok: true, data: null, meta: meta(setup) } };
  throw new ApiError(404, setup.has('absent-other-code') ? 'ENTRY_NOT_FOUND' : 'NOT_FOUND', 'There is no such entry');
}

function refusedHidden(setup: Setup, entry: EntryRow): ApiError {
  const status = Number(setup.choice('hidden-entry'));
  const codes: Readonly<Record<number, string>> = { 401: 'UNAUTHORIZED', 403: 'FORBIDDEN' };
  const usual = status === 404 ? 'There is no such entry' : 'This entry is not public';
  return new ApiError(status, codes[status] ?? 'NOT_FOUND', setup.has('hidden-disclosed') ? `${entry.title}: ${entry.body}` : usual);
}

function failed(setup: Setup, { status, code, message, headers }: ApiError): OutgoingReply {
  const ok = setup.has('error-without-ok') ? {} : { ok: false };
  const error = setup.has('error-as-text') ? message : { code, message };
  const about = setup.choice('error-meta') === 'present' ? { meta: { version: 'v1' } } : {};
  return { status, headers, json: { ...ok, error, ...about } };
}

function meta(setup: Setup): Readonly<Record<string, unknown>> {
  return setup.has('version-missing') ? {} : { version: 'v1' };
}

/** The paths of the business API: the scope that each needs, the answer that it gives, and the order in which errors are found. */

import { type Admission, type Identity, sentKey } from './access.ts';
import { businessShape, identityShape, manifestOf, menuOf, type Shape } from './business-json.ts';
import { type BusinessQuery, declared, readListQuery } from './business-parameters.ts';
import { type BusinessRow, tenants } from './business-records.ts';
import { ApiError, header, type OutgoingReply, type ReceivedRequest } from './http-messages.ts';
import type { ListKind } from './list-filters.ts';
import { makeListing, type RecordPage } from './list-pagination.ts';
import type { LiveTable, PageEdge } from './live-data.ts';
import type { Setup } from './server-setup.ts';
import { conditionally, type Single, type TaggedContent, tagOf, unchanged } from './single-records.ts';

/** One path: the scope that it needs, and how it reads and answers. */
export interface BusinessRoute {
  readonly scope: string;
  /** Reads the query and gives what answers it, or refuses it. */
  readonly read: (request: ReceivedRequest) => (identity: Identity) => OutgoingReply;
  readonly single?: Single;
  /** True when the request holds a tag of this path, with whatever key. */
  readonly holdsTag: (request: ReceivedRequest) => boolean;
}

type Step = 'admission' | 'key' | 'scope' | 'query';

const usualPrecedence: readonly Step[] = ['key', 'admission', 'scope', 'query'];

const precedences: Readonly<Record<string, readonly Step[]>> = {
  'admission-first': ['admission', 'key', 'scope', 'query'],
  'query-first': ['query', 'key', 'admission', 'scope'],
  'query-before-scope': ['key', 'admission', 'query', 'scope'],
};

/** The results of the steps that are done. */
interface RequestState {
  readonly identity?: Identity;
  readonly answer?: (identity: Identity) => OutgoingReply;
}

/** The parts of the server that check a request. */
interface RouteContext {
  readonly setup: Setup;
  readonly identify: (request: ReceivedRequest) => Identity;
  readonly admit: Admission;
}

/** Answers a request, or throws the first error that its server's order of precedence meets. */
export function answerByPrecedence(context: RouteContext, request: ReceivedRequest, route: BusinessRoute): OutgoingReply {
  const { setup } = context;
  const early = earlyReply(context, request, route);
  if (early !== undefined) return early;
  let known: RequestState = {};
  for (const step of precedences[setup.choice('precedence')] ?? usualPrecedence)
    known = { ...known, ...resultOf(context, step, request, route, known) };
  const { identity, answer } = known;
  if (identity === undefined || answer === undefined) throw new Error('Each order of precedence must hold the key and the query');
  return answer(identity);
}

/** The reply of a server that looks at the tag first, by a defect. */
function earlyReply(context: RouteContext, request: ReceivedRequest, route: BusinessRoute): OutgoingReply | undefined {
  const { setup } = context;
  if (setup.has('unchanged-before-key') && holds(route, request)) return { status: 304 };
  if (setup.has('unchanged-before-scope') && holds(route, request)) {
    context.identify(request);
    return { status: 304 };
  }
  return undefined;
}

function resultOf(context: RouteContext, step: Step, request: ReceivedRequest, route: BusinessRoute, known: RequestState): RequestState {
  if (step === 'key') return { identity: context.identify(request) };
  if (step === 'query') return { answer: readQuery(context.setup, request, route, known.identity) };
  if (step === 'admission') context.admit(request, sentKey(context.setup, request));
  else if (known.identity !== undefined) checkScope(context.setup, known.identity, route.scope);
  return {};
}

function holds(route: BusinessRoute, request: ReceivedRequest): boolean {
  try {
    return header(request, 'if-none-match') !== undefined && route.holdsTag(request);
  } catch (error) {
    // A query that is refused holds no tag; its refusal comes in its own turn.
    if (error instanceof ApiError) return false;
    throw error;
  }
}

function checkScope(setup: Setup, identity: Identity, scope: string): void {
  if (identity.scopes.includes(scope) || (scope === 'reservations.read' && setup.has('scope-unchecked'))) return;
  if (setup.has('scope-unauthorized')) throw new ApiError(401, 'UNAUTHORIZED', 'The API key is missing, invalid or expired');
  throw new ApiError(403, 'FORBIDDEN', 'The API key does not open this part of the service');
}

function readQuery(
  setup: Setup,
  request: ReceivedRequest,
  route: BusinessRoute,
  identity: Identity | undefined,
): (identity: Identity) => OutgoingReply {
  try {
    return route.read(request);
  } catch (error) {
    const { single } = route;
    if (!(error instanceof ApiError) || single === undefined) throw error;
    if (setup.has('invalid-unchanged') && header(request, 'if-none-match') !== undefined) return () => ({ status: 304 });
    // Some servers look the record up before they notice that the rest of the query is wrong.
    const looksFirst =
      setup.choice('precedence') === 'absent-first' && identity !== undefined && single.clearlyAbsent(identity.tenant, request);
    if (!looksFirst) throw error;
    return (known) => single.answer(known.tenant, { id: Number(request.query.get('id')) }, request);
  }
}

/** A list as the API answers it. */
interface ListAnswers {
  readonly read: (request: ReceivedRequest) => BusinessQuery;
  readonly answer: (tenant: string, query: BusinessQuery) => OutgoingReply;
}

/** Opens a list of the API, and reports the end of each page. */
export function makeListAnswers<R extends BusinessRow>(
  setup: Setup,
  kind: ListKind<R>,
  table: LiveTable<R>,
  shape: (row: R) => Shape,
  onEdge: (edge: PageEdge | undefined) => void,
): ListAnswers {
  const listing = makeListing(setup, kind, table);
  return {
    read: (request) => readListQuery(setup, request, kind.filters),
    answer: (tenant, query) => {
      const page = listing.page(tenant, query);
      onEdge(page.edge);
      refuseEmpty(setup, kind, page, query);
      const foreignFirst = setup.has('foreign-in-list') && query.cursor === undefined ? foreignRows(table, tenant) : [];
      const shown = [...page.rows, ...foreignFirst].map((row) => withId(setup, shape(row)));
      const content = { [kind.name]: shown, page: pageShape(setup, page) };
      return { status: 200, ...labelled(setup), json: envelope(setup, kind.name, tenant, content) };
    },
  };
}

function refuseEmpty<R extends BusinessRow>(setup: Setup, kind: ListKind<R>, page: RecordPage<R>, query: BusinessQuery): void {
  if (page.rows.length > 0 || page.more) return;
  const { updatedAfter, statuses, channels, dateFrom, dateTo } = query.filters;
  const dated = dateFrom !== undefined || dateTo !== undefined;
  const filtered = dated || statuses !== undefined || channels !== undefined || updatedAfter !== undefined;
  if ((dated && setup.has('empty-range-absent')) || (filtered && setup.has('no-match-absent'))) {
    throw new ApiError(404, kind.name === 'orders' ? 'ORDER_NOT_FOUND' : 'RESERVATION_NOT_FOUND', 'Nothing was found');
  }
}

function foreignRows<R extends BusinessRow>(table: LiveTable<R>, tenant: string): readonly R[] {
  const first = table
    .rows(tenant === 'A' ? 'B' : 'A')
    .values()
    .next().value;
  return first === undefined ? [] : [first];
}

function withId(setup: Setup, shown: Shape): Shape {
  return setup.has('id-as-text') ? { ...shown, id: String(shown['id']) } : shown;
}

function pageShape<R extends BusinessRow>(setup: Setup, page: RecordPage<R>): Shape {
  if (page.more) return { ...(page.cursor === undefined ? { next_cursor: null } : { next_cursor: page.cursor }), has_more: true };
  const choice = setup.choice('last-cursor');
  if (choice === 'absent') return { has_more: false };
  if (choice === 'given') return { next_cursor: page.cursor ?? '', has_more: false };
  return { next_cursor: choice === 'empty' ? '' : null, has_more: false };
}

function labelled(setup: Setup): { readonly headers?: Readonly<Record<string, string>> } {
  return setup.has('html-content-type') ? { headers: { 'content-type': 'text/html; charset=utf-8' } } : {};
}

/** The list of orders also says its version and its business, at a place that is an open question. */
function envelope(setup: Setup, name: string, tenant: string, content: Shape): unknown {
  const ok = setup.choice('success-ok') === 'present' ? { ok: true } : {};
  if (name !== 'orders') return { ...ok, data: content };
  const version = setup.choice('schema-version-type') === 'string' ? '1.0' : 1;
  const head = { schema_version: version, business: businessShape(setup, tenant) };
  return setup.choice('head-place') === 'top' ? { ...ok, ...head, data: content } : { ...ok, data: { ...head, ...content } };
}

/** A list. */
export function listRoute(scope: string, list: ListAnswers): BusinessRoute {
  return {
    scope,
    read: (request) => {
      const query = list.read(request);
      return (identity) => list.answer(identity.tenant, query);
    },
    holdsTag: () => false,
  };
}

/** A single read. */
export function singleRoute(scope: string, single: Single): BusinessRoute {
  return {
    scope,
    single,
    read: (request) => {
      const lookup = single.read(request);
      return (identity) => single.answer(identity.tenant, lookup, request);
    },
    holdsTag: single.holdsTag,
  };
}

/** The path that shows the owner of a key. */
export function identityRoute(setup: Setup): BusinessRoute {
  return {
    scope: 'identity',
    read: (request) => {
      declared(setup, request, []);
      return (identity) => {
        const shown = identityShape(setup, identity, sentKey(setup, request) ?? '');
        const bare = setup.choice('identity-body') === 'bare';
        return { status: 200, json: bare ? { ...okShape(setup), ...shown } : { ...okShape(setup), data: shown } };
      };
    },
    holdsTag: () => false,
  };
}

/** The full menu, a conditional read. */
export function menuRoute(setup: Setup, revision: (tenant: string) => number): BusinessRoute {
  const tagged = (tenant: string): TaggedContent | undefined => {
    const menu = menuOf(tenant, revision(tenant));
    return menu === undefined ? undefined : { json: { ...okShape(setup), data: menu }, kind: 'menu', id: tenant.charCodeAt(0), changed: 0 };
  };
  return {
    scope: 'menu',
    read: (request) => {
      declared(setup, request, []);
      return ({ tenant }) => {
        const menu = tagged(tenant);
        if (menu === undefined) throw noMenu(setup);
        return conditionally(setup, request, menu);
      };
    },
    holdsTag: (request) =>
      tenants.some((tenant) => {
        const menu = tagged(tenant);
        return menu !== undefined && unchanged(setup, request, tagOf(setup, menu, request.moment));
      }),
  };
}

/** The version of the menu. */
export function manifestRoute(setup: Setup, revision: (tenant: string) => number): BusinessRoute {
  return {
    scope: 'menu',
    read: (request) => {
      declared(setup, request, []);
      return ({ tenant }) => {
        const manifest = manifestOf(setup, tenant, revision(tenant));
        if (manifest === undefined) throw noMenu(setup);
        const json = { ...okShape(setup), data: manifest };
        const choice = setup.choice('manifest-tag');
        if (choice === 'absent') return { status: 200, json };
        const content = { json, kind: 'manifest', id: tenant.charCodeAt(0), changed: 0 };
        if (choice === 'conditional') return conditionally(setup, request, content);
        return { status: 200, headers: { etag: tagOf(setup, content, request.moment) }, json };
      };
    },
    holdsTag: () => false,
  };
}

function noMenu(setup: Setup): ApiError {
  return new ApiError(404, setup.choice('no-menu-code'), 'This business has no menu');
}

function okShape(setup: Setup): Shape {
  return setup.choice('success-ok') === 'present' ? { ok: true } : {};
}

/** The JSON of a record, without the field that a defect leaves out. */
export function withoutChange(setup: Setup, shown: Shape): Shape {
  if (!setup.has('changed-at-missing')) return shown;
  const { changed_at: _, ...rest } = shown;
  return rest;
}

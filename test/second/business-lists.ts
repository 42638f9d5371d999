/** Knows how the lists of the business API answer: the envelope around a page, with each open question of it answered. */

import type { ListKind } from './list-kind.ts';
import { type ListQuery, readListQuery } from './list-query.ts';
import { makeListing, type Page } from './listing.ts';
import { businessShape } from './menu.ts';
import type { Row } from './record.ts';
import { type Asked, Failure, type Reply } from './reply.ts';
import type { Setup } from './setup.ts';
import type { Shape } from './shapes.ts';
import type { PageEdge, Table } from './world.ts';

/** A list as the API answers it. */
export interface ListAnswers {
  readonly read: (asked: Asked) => ListQuery;
  readonly answer: (tenant: string, query: ListQuery) => Reply;
}

/** Opens a list of the API; whoever wants to know where pages end is told. */
export function makeListAnswers<R extends Row>(
  setup: Setup,
  kind: ListKind<R>,
  table: Table<R>,
  shape: (row: R) => Shape,
  onEdge: (edge: PageEdge | undefined) => void,
): ListAnswers {
  const listing = makeListing(setup, kind, table);
  return {
    read: (asked) => readListQuery(setup, asked, kind.filters),
    answer: (tenant, query) => {
      const page = listing.page(tenant, query);
      onEdge(page.edge);
      refuseEmpty(setup, kind, page, query);
      const strangers = setup.faulty('foreign-in-list') && query.cursor === undefined ? strangersOf(table, tenant) : [];
      const shown = [...page.rows, ...strangers].map((row) => withId(setup, shape(row)));
      const content = { [kind.name]: shown, page: pageShape(setup, page) };
      return { status: 200, ...labelled(setup), json: envelope(setup, kind.name, tenant, content) };
    },
  };
}

function refuseEmpty<R extends Row>(setup: Setup, kind: ListKind<R>, page: Page<R>, query: ListQuery): void {
  if (page.rows.length > 0 || page.more) return;
  const { updatedAfter, statuses, channels, dateFrom, dateTo } = query.filters;
  const dated = dateFrom !== undefined || dateTo !== undefined;
  const filtered = dated || statuses !== undefined || channels !== undefined || updatedAfter !== undefined;
  if ((dated && setup.faulty('empty-range-absent')) || (filtered && setup.faulty('no-match-absent'))) {
    throw new Failure(404, kind.name === 'orders' ? 'ORDER_NOT_FOUND' : 'RESERVATION_NOT_FOUND', 'Nothing was found');
  }
}

function strangersOf<R extends Row>(table: Table<R>, tenant: string): readonly R[] {
  const first = table
    .rows(tenant === 'A' ? 'B' : 'A')
    .values()
    .next().value;
  return first === undefined ? [] : [first];
}

function withId(setup: Setup, shown: Shape): Shape {
  return setup.faulty('id-as-text') ? { ...shown, id: String(shown['id']) } : shown;
}

function pageShape<R extends Row>(setup: Setup, page: Page<R>): Shape {
  if (page.more) return { ...(page.cursor === undefined ? { next_cursor: null } : { next_cursor: page.cursor }), has_more: true };
  const choice = setup.choice('last-cursor');
  if (choice === 'absent') return { has_more: false };
  if (choice === 'given') return { next_cursor: page.cursor ?? '', has_more: false };
  return { next_cursor: choice === 'empty' ? '' : null, has_more: false };
}

function labelled(setup: Setup): { readonly headers?: Readonly<Record<string, string>> } {
  return setup.faulty('html-content-type') ? { headers: { 'content-type': 'text/html; charset=utf-8' } } : {};
}

/** The list of orders also says its version and its business, at a place that is an open question. */
function envelope(setup: Setup, name: string, tenant: string, content: Shape): unknown {
  const ok = setup.choice('success-ok') === 'present' ? { ok: true } : {};
  if (name !== 'orders') return { ...ok, data: content };
  const version = setup.choice('schema-version-type') === 'string' ? '1.0' : 1;
  const head = { schema_version: version, business: businessShape(setup, tenant) };
  return setup.choice('head-place') === 'top' ? { ...ok, ...head, data: content } : { ...ok, data: { ...head, ...content } };
}

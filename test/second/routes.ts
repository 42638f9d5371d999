/** Knows what each path of the business API reads and answers. */

import type { ListAnswers } from './business-lists.ts';
import { conditionally, type Tagged, tagOf, unchanged } from './conditional.ts';
import { tenants } from './data-rows.ts';
import { sentKey } from './keys.ts';
import { identityShape, manifestOf, menuOf } from './menu.ts';
import { declared } from './parameters.ts';
import { Failure } from './reply.ts';
import type { Setup } from './setup.ts';
import type { Shape } from './shapes.ts';
import type { Single } from './single.ts';
import type { Route } from './turns.ts';

/** A list. */
export function listRoute(scope: string, list: ListAnswers): Route {
  return {
    scope,
    read: (asked) => {
      const query = list.read(asked);
      return (identity) => list.answer(identity.tenant, query);
    },
    holdsTag: () => false,
  };
}

/** A single read. */
export function singleRoute(scope: string, single: Single): Route {
  return {
    scope,
    single,
    read: (asked) => {
      const lookup = single.read(asked);
      return (identity) => single.answer(identity.tenant, lookup, asked);
    },
    holdsTag: single.holdsTag,
  };
}

/** Who a key belongs to. */
export function identityRoute(setup: Setup): Route {
  return {
    scope: 'identity',
    read: (asked) => {
      declared(setup, asked, []);
      return (identity) => {
        const shown = identityShape(setup, identity, sentKey(setup, asked) ?? '');
        const bare = setup.choice('identity-body') === 'bare';
        return { status: 200, json: bare ? { ...okShape(setup), ...shown } : { ...okShape(setup), data: shown } };
      };
    },
    holdsTag: () => false,
  };
}

/** The full menu, a conditional read. */
export function menuRoute(setup: Setup, revision: (tenant: string) => number): Route {
  const tagged = (tenant: string): Tagged | undefined => {
    const menu = menuOf(tenant, revision(tenant));
    return menu === undefined ? undefined : { json: { ...okShape(setup), data: menu }, kind: 'menu', id: tenant.charCodeAt(0), changed: 0 };
  };
  return {
    scope: 'menu',
    read: (asked) => {
      declared(setup, asked, []);
      return ({ tenant }) => {
        const menu = tagged(tenant);
        if (menu === undefined) throw noMenu(setup);
        return conditionally(setup, asked, menu);
      };
    },
    holdsTag: (asked) =>
      tenants.some((tenant) => {
        const menu = tagged(tenant);
        return menu !== undefined && unchanged(setup, asked, tagOf(setup, menu, asked.moment));
      }),
  };
}

/** The version of the menu. */
export function manifestRoute(setup: Setup, revision: (tenant: string) => number): Route {
  return {
    scope: 'menu',
    read: (asked) => {
      declared(setup, asked, []);
      return ({ tenant }) => {
        const manifest = manifestOf(setup, tenant, revision(tenant));
        if (manifest === undefined) throw noMenu(setup);
        const json = { ...okShape(setup), data: manifest };
        const choice = setup.choice('manifest-tag');
        if (choice === 'absent') return { status: 200, json };
        const content = { json, kind: 'manifest', id: tenant.charCodeAt(0), changed: 0 };
        if (choice === 'conditional') return conditionally(setup, asked, content);
        return { status: 200, headers: { etag: tagOf(setup, content, asked.moment) }, json };
      };
    },
    holdsTag: () => false,
  };
}

function noMenu(setup: Setup): Failure {
  return new Failure(404, setup.choice('no-menu-code'), 'This business has no menu');
}

function okShape(setup: Setup): Shape {
  return setup.choice('success-ok') === 'present' ? { ok: true } : {};
}

/** A record as it is shown, less the field that a deviation forgets. */
export function withoutChange(setup: Setup, shown: Shape): Shape {
  if (!setup.faulty('changed-at-missing')) return shown;
  const { changed_at: _, ...rest } = shown;
  return rest;
}

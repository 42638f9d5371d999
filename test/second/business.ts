/** Knows the business API as a whole: its paths with their scopes, and in which order a request's errors are found. */

import type { Api } from './api.ts';
import { businessErrors } from './business-errors.ts';
import { makeListAnswers } from './business-lists.ts';
import { businessTables } from './business-world.ts';
import { tenants } from './data-rows.ts';
import { makeKeyring } from './keys.ts';
import { ordersKind, reservationsKind } from './list-kind.ts';
import { Failure } from './reply.ts';
import { identityRoute, listRoute, manifestRoute, menuRoute, singleRoute, withoutChange } from './routes.ts';
import type { Setup } from './setup.ts';
import { orderDetail, orderSummary, reservationShape } from './shapes.ts';
import { makeSingle } from './single.ts';
import type { Trouble } from './trouble.ts';
import { answerInTurn, type Route } from './turns.ts';
import { mutableWorld, type PageEdge } from './world.ts';

const prefix = '/api/integrations/v1';

/** Opens the API. */
export function makeBusiness(setup: Setup, trouble: Trouble): Api {
  const tables = businessTables(setup);
  const keyring = makeKeyring(setup);
  const gate = { setup, identify: keyring.identify, trouble };
  let edge: PageEdge | undefined;
  const onEdge = (reached: PageEdge | undefined): void => {
    edge = reached;
  };
  const orders = makeListAnswers(setup, ordersKind, tables.orders, (row) => orderSummary(setup, row), onEdge);
  const reservations = makeListAnswers(setup, reservationsKind, tables.reservations, (row) => reservationShape(setup, row), onEdge);
  const order = makeSingle(
    setup,
    { name: 'order', absent: 'ORDER_NOT_FOUND', byCode: true, shape: (row) => withoutChange(setup, orderDetail(setup, row)) },
    tables.orders,
  );
  const reservation = makeSingle(
    setup,
    {
      name: 'reservation',
      absent: 'RESERVATION_NOT_FOUND',
      byCode: false,
      shape: (row) => withoutChange(setup, reservationShape(setup, row)),
    },
    tables.reservations,
  );
  const revision = (tenant: string): number => tables.menus.rows(tenant).get('menu')?.revision ?? 0;
  const routes = new Map<string, Route>([
    [`${prefix}/whoami.php`, identityRoute(setup)],
    [`${prefix}/menus/manifest.php`, manifestRoute(setup, revision)],
    [`${prefix}/menus/current.php`, menuRoute(setup, revision)],
    [`${prefix}/orders/index.php`, listRoute('orders.read', orders)],
    [`${prefix}/orders/view.php`, singleRoute('orders.read', order)],
    [`${prefix}/reservations/index.php`, listRoute('reservations.read', reservations)],
    [`${prefix}/reservations/view.php`, singleRoute('reservations.read', reservation)],
  ]);
  return {
    has: (path) => routes.has(path),
    answer: (asked) => {
      const route = routes.get(asked.path);
      if (route === undefined) throw new Failure(404, 'NOT_FOUND', 'There is no such path');
      edge = undefined;
      return answerInTurn(gate, asked, route);
    },
    fail: businessErrors(setup),
    world: mutableWorld([tables.orders, tables.reservations, tables.menus], tenants, () => edge),
    keys: keyring.byRole,
    hidden: () => [],
  };
}

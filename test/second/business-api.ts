/** The business API as a whole: its tables, its paths and its error envelope. */

import { createHash } from 'node:crypto';
import { type Admission, makeKeyring, sentKey } from './access.ts';
import { orderDetail, orderSummary, reservationShape } from './business-json.ts';
import { businessTables, tenants } from './business-records.ts';
import {
  answerByPrecedence,
  type BusinessRoute,
  identityRoute,
  listRoute,
  makeListAnswers,
  manifestRoute,
  menuRoute,
  singleRoute,
  withoutChange,
} from './business-routes.ts';
import type { Api } from './http-messages.ts';
import { ApiError, type OutgoingReply, type ReceivedRequest } from './http-messages.ts';
import { ordersKind, reservationsKind } from './list-filters.ts';
import { liveData, type PageEdge } from './live-data.ts';
import type { Setup } from './server-setup.ts';
import { makeSingle } from './single-records.ts';

/** Makes the answers to failures. */
function businessErrors(setup: Setup): (failure: ApiError, request: ReceivedRequest) => OutgoingReply {
  return (failure, request) => {
    const { status, headers } = failure;
    if (status === 503 && setup.has('not-ready-html')) {
      return { status, headers, text: { type: 'text/html', content: '<h1>Service Unavailable</h1>' } };
    }
    if (status === 401 && setup.has('bare-unauthorized')) return { status, headers, json: { message: failure.message } };
    return { status, headers, json: envelope(setup, failure, request) };
  };
}

function envelope(setup: Setup, { status, code, message }: ApiError, request: ReceivedRequest): unknown {
  const id = setup.has('request-id-constant') ? 'req_0' : requestId(setup.seed, request.moment);
  const error = { code, message: `${message}${echoed(setup, status, request)}`, request_id: id };
  if (status === 422 && setup.has('no-request-id')) return { ok: false, error: { code, message } };
  return { ok: status === 404 && setup.has('error-ok-true'), error };
}

function requestId(seed: number, moment: number): string {
  return `req_${createHash('sha256').update(`request ${seed} ${moment}`).digest('hex').slice(0, 20)}`;
}

function echoed(setup: Setup, status: number, request: ReceivedRequest): string {
  const key = sentKey(setup, request);
  if (status !== 403 || key === undefined || !setup.has('key-echoed-encoded')) return '';
  return ` (${Buffer.from(key).toString('base64')})`;
}

const prefix = '/api/integrations/v1';

/** Opens the API. */
export function makeBusiness(setup: Setup, admit: Admission): Api {
  const tables = businessTables(setup);
  const keyring = makeKeyring(setup);
  const context = { setup, identify: keyring.identify, admit };
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
  const routes = new Map<string, BusinessRoute>([
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
    answer: (request) => {
      const route = routes.get(request.path);
      if (route === undefined) throw new ApiError(404, 'NOT_FOUND', 'There is no such path');
      edge = undefined;
      return answerByPrecedence(context, request, route);
    },
    fail: businessErrors(setup),
    data: liveData([tables.orders, tables.reservations, tables.menus], tenants, () => edge),
    keys: keyring.byRole,
    hidden: () => [],
  };
}

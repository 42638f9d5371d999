/** What the documents of both APIs say about operations: statuses, codes, parameters and scopes. Written from the documents (§4, §5, §7). */

import type { Json } from '../../../core/json.ts';

/** What a document says about one operation. */
export interface OperationFacts {
  readonly path: string;
  /** The role in the security requirement; none when the operation needs no key. */
  readonly scope: string | undefined;
  /** Status → the codes that its body may carry; a 200 or 304 carries none, and `open` stands for a code that is not shown. */
  readonly statuses: Readonly<Record<string, readonly string[] | 'open'>>;
  /** Whether a 200 carries an ETag. */
  readonly etag: boolean;
  readonly parameters: readonly ParameterFacts[];
}

/** What a document says about one parameter. */
export interface ParameterFacts {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly default?: Json;
  readonly accepts: readonly Json[];
  readonly refuses: readonly Json[];
}

const everywhere = {
  '200': [],
  '401': ['UNAUTHORIZED'],
  '403': ['FORBIDDEN'],
  '429': ['RATE_LIMITED'],
  '503': ['API_NOT_READY', 'ORDERS_NOT_READY'],
};
const noMenu = { '404': 'open' } as const;
const unchanged = { '304': [] };
const invalid = { '422': ['INVALID_QUERY'] };

const limit: ParameterFacts = {
  name: 'limit',
  in: 'query',
  required: false,
  default: 50,
  accepts: [1, 50, 100],
  refuses: [0, 101, -1, 1.5, '5', null],
};
const cursor: ParameterFacts = { name: 'cursor', in: 'query', required: false, accepts: ['anything'], refuses: [5, null] };
const updatedAfter: ParameterFacts = {
  name: 'updated_after',
  in: 'query',
  required: false,
  accepts: ['2026-10-03T16:10:30+02:00', '2026-10-03T14:10:30Z'],
  refuses: ['yesterday', '2026-02-30T00:00:00Z', '2026-10-03T25:10:00Z', 1790962841],
};
const channels: ParameterFacts = {
  name: 'channel',
  in: 'query',
  required: false,
  accepts: [['takeaway'], ['takeaway', 'table']],
  refuses: [['delivery'], 'table'],
};
const orderStatuses: ParameterFacts = {
  name: 'status',
  in: 'query',
  required: false,
  accepts: [['pending', 'confirmed', 'preparing', 'ready', 'completed', 'cancelled', 'rejected', 'no_show'], ['ready']],
  refuses: [['shipped'], ['ready', 'shipped'], 'ready'],
};
const reservationStatuses: ParameterFacts = {
  name: 'status',
  in: 'query',
  required: false,
  accepts: [['pending', 'confirmed', 'cancelled', 'rejected', 'completed', 'no_show'], ['pending']],
  refuses: [['preparing'], ['pending', 'ready'], 'pending'],
};
const day = {
  in: 'query',
  required: false,
  accepts: ['2026-10-10', '2024-02-29'],
  refuses: ['2026-02-30', '10.10.2026', '2026-10-10T00:00:00Z', 20261010],
};
const id: ParameterFacts = { name: 'id', in: 'query', required: false, accepts: [1, 4711], refuses: [0, -1, 1.5, 'abc'] };
const code: ParameterFacts = { name: 'code', in: 'query', required: false, accepts: ['TDN-4711', '4711'], refuses: [4711] };
const ifNoneMatch: ParameterFacts = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  accepts: ['"3f9a"', 'W/"3f9a"', '*'],
  refuses: [5],
};

/** The operations of the business API. */
export const businessOperations: Readonly<Record<string, OperationFacts>> = {
  getIdentity: { path: '/api/integrations/v1/whoami.php', scope: 'identity', statuses: everywhere, etag: false, parameters: [] },
  getMenuManifest: {
    path: '/api/integrations/v1/menus/manifest.php',
    scope: 'menu',
    statuses: { ...everywhere, ...noMenu },
    etag: false,
    parameters: [],
  },
  getMenu: {
    path: '/api/integrations/v1/menus/current.php',
    scope: 'menu',
    statuses: { ...everywhere, ...noMenu, ...unchanged },
    etag: true,
    parameters: [ifNoneMatch],
  },
  listOrders: {
    path: '/api/integrations/v1/orders/index.php',
    scope: 'orders.read',
    statuses: { ...everywhere, ...invalid },
    etag: false,
    parameters: [limit, cursor, updatedAfter, orderStatuses, channels],
  },
  getOrder: {
    path: '/api/integrations/v1/orders/view.php',
    scope: 'orders.read',
    statuses: { ...everywhere, ...invalid, ...unchanged, '404': ['ORDER_NOT_FOUND'] },
    etag: true,
    parameters: [id, code, ifNoneMatch],
  },
  listReservations: {
    path: '/api/integrations/v1/reservations/index.php',
    scope: 'reservations.read',
    statuses: { ...everywhere, ...invalid },
    etag: false,
    parameters: [limit, cursor, updatedAfter, reservationStatuses, { ...day, name: 'date_from' }, { ...day, name: 'date_to' }],
  },
  getReservation: {
    path: '/api/integrations/v1/reservations/view.php',
    scope: 'reservations.read',
    statuses: { ...everywhere, ...invalid, ...unchanged, '404': ['RESERVATION_NOT_FOUND'] },
    etag: true,
    parameters: [{ ...id, required: true }, ifNoneMatch],
  },
};

const wikiStatuses = {
  '200': [],
  '400': ['BAD_REQUEST'],
  '401': ['UNAUTHORIZED'],
  '403': ['FORBIDDEN'],
  '404': ['NOT_FOUND'],
  '500': ['SERVER_ERROR'],
};

/** The operations of the wiki API. */
export const wikiOperations: Readonly<Record<string, OperationFacts>> = {
  listEntries: {
    path: '/api/v1/wiki',
    scope: undefined,
    statuses: wikiStatuses,
    etag: false,
    parameters: [
      {
        name: 'type',
        in: 'query',
        required: false,
        accepts: ['creature', 'luogo', 'reperto', 'personaggio', 'brand', 'arma'],
        refuses: ['dragon', 5],
      },
      { name: 'q', in: 'query', required: false, accepts: ['sale', ''], refuses: [5] },
      // The smallest and the largest values are not shown, so nothing but the type is refused.
      { name: 'limit', in: 'query', required: false, default: 30, accepts: [1, 5000, 0], refuses: [1.5, 'abc'] },
      { name: 'page', in: 'query', required: false, default: 1, accepts: [1, 5000, 0], refuses: [1.5, 'abc'] },
    ],
  },
  getEntry: {
    path: '/api/v1/wiki/{slug}',
    scope: undefined,
    statuses: wikiStatuses,
    etag: false,
    parameters: [{ name: 'slug', in: 'path', required: true, accepts: ['lupo-di-sale'], refuses: [5] }],
  },
};

/** The contract files document exactly the operations, statuses, codes, parameters and scopes that the documents of the APIs name (§4, §5, §7). */

import { beforeAll, describe, expect, it } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { follow } from '../../../core/openapi/raw-document.ts';
import { toPointer, valueAt } from '../../../core/pointer.ts';
import { type ContractFile, contractNames, readContract } from './contract-file.ts';

/** Facts of a document about one operation. */
interface OperationFacts {
  readonly path: string;
  /** The role in the security requirement; none when the operation needs no key. */
  readonly scope: string | undefined;
  /** Status → the codes that its body may carry; a 200 or 304 carries none, and `open` stands for a code that is not shown. */
  readonly statuses: Readonly<Record<string, readonly string[] | 'open'>>;
  /** True when a 200 carries an ETag. */
  readonly etag: boolean;
  readonly parameters: readonly ParameterFacts[];
}

/** Facts of a document about one parameter. */
interface ParameterFacts {
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

const inQuery = { in: 'query', required: false } as const;
const orderStates = ['pending', 'confirmed', 'preparing', 'ready', 'completed', 'cancelled', 'rejected', 'no_show'];
const reservationStates = ['pending', 'confirmed', 'cancelled', 'rejected', 'completed', 'no_show'];
const [instants, noInstants] = [
  ['2026-10-03T16:10:30+02:00', '2026-10-03T14:10:30Z'],
  ['yesterday', '2026-02-30T00:00:00Z', '2026-10-03T25:10:00Z', 1790962841],
];
const tags = ['"3f9a"', 'W/"3f9a"', '*'];

const limit: ParameterFacts = { ...inQuery, name: 'limit', default: 50, accepts: [1, 50, 100], refuses: [0, 101, -1, 1.5, '5', null] };
const cursor: ParameterFacts = { ...inQuery, name: 'cursor', accepts: ['anything'], refuses: [5, null] };
const updatedAfter: ParameterFacts = { ...inQuery, name: 'updated_after', accepts: instants, refuses: noInstants };
const channels: ParameterFacts = {
  ...inQuery,
  name: 'channel',
  accepts: [['takeaway'], ['takeaway', 'table']],
  refuses: [['delivery'], 'table'],
};
const orderStatuses: ParameterFacts = {
  ...inQuery,
  name: 'status',
  accepts: [orderStates, ['ready']],
  refuses: [['shipped'], ['ready', 'shipped'], 'ready'],
};
const reservationStatuses: ParameterFacts = {
  ...inQuery,
  name: 'status',
  accepts: [reservationStates, ['pending']],
  refuses: [['preparing'], ['pending', 'ready'], 'pending'],
};
const days = { accepts: ['2026-10-10', '2024-02-29'], refuses: ['2026-02-30', '10.10.2026', '2026-10-10T00:00:00Z', 20261010] };
const [dateFrom, dateTo] = [{ ...inQuery, ...days, name: 'date_from' } as const, { ...inQuery, ...days, name: 'date_to' } as const];
const id: ParameterFacts = { ...inQuery, name: 'id', accepts: [1, 4711], refuses: [0, -1, 1.5, 'abc'] };
const code: ParameterFacts = { ...inQuery, name: 'code', accepts: ['TDN-4711', '4711'], refuses: [4711] };
const ifNoneMatch: ParameterFacts = { name: 'If-None-Match', in: 'header', required: false, accepts: tags, refuses: [5] };

/** The operations of the business API. */
const businessOperations: Readonly<Record<string, OperationFacts>> = {
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
    parameters: [limit, cursor, updatedAfter, reservationStatuses, dateFrom, dateTo],
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
const wikiOperations: Readonly<Record<string, OperationFacts>> = {
  listEntries: {
    path: '/api/v1/wiki',
    scope: undefined,
    statuses: wikiStatuses,
    etag: false,
    parameters: [
      { ...inQuery, name: 'type', accepts: ['creature', 'luogo', 'reperto', 'personaggio', 'brand', 'arma'], refuses: ['dragon', 5] },
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

const operations: Readonly<Record<(typeof contractNames)[number], Readonly<Record<string, OperationFacts>>>> = {
  business: businessOperations,
  wiki: wikiOperations,
};

/** The errors that a request identifier would be expected in; harmless where it is not. */
function failure(code: string): JsonObject {
  return { ok: false, error: { code, message: 'Something went wrong.', request_id: 'r-1' } };
}

function keysOf(value: Json | undefined): readonly string[] {
  return isObject(value) ? Object.keys(value) : [];
}

describe.each(contractNames)('the operations of the %s API', (name) => {
  let contract: ContractFile;
  beforeAll(async () => {
    contract = await readContract(name);
  });
  const facts = Object.entries(operations[name]).map(([operationId, each]) => ({ operationId, ...each }));
  const everyCode = [...new Set(facts.flatMap(({ statuses }) => Object.values(statuses).flat()))].filter((code) => code !== 'open');

  /** Pointer to a response of an operation, `$ref` followed. */
  const responsePointer = (path: string, status: string): string => {
    const reference = contract.at(toPointer(['paths', path, 'get', 'responses', status, '$ref']));
    return String(reference).slice(1);
  };

  const requiredHeaders = (path: string, status: string): readonly string[] => {
    const headers = contract.at(`${responsePointer(path, status)}/headers`);
    const followed = Object.entries(isObject(headers) ? headers : {}).map(
      ([header, value]) => [header, follow(contract.document, value)] as const,
    );
    return followed.filter(([, value]) => valueAt(value, '/required') === true).map(([header]) => header);
  };

  it('are these and no others, and all of them use GET (§1, §4)', () => {
    const paths = contract.at('/paths');
    expect(keysOf(paths)).toEqual(facts.map(({ path }) => path));
    for (const { path, operationId } of facts) {
      expect(keysOf(contract.at(toPointer(['paths', path])))).toEqual(['get']);
      expect(contract.at(toPointer(['paths', path, 'get', 'operationId']))).toBe(operationId);
      expect(contract.at(toPointer(['paths', path, 'get', 'requestBody']))).toBeUndefined();
    }
  });

  describe.each(facts)('$operationId', ({ path, scope, statuses, etag, parameters }) => {
    it('accepts the key in either header, with its scope (§5)', () => {
      const own = contract.at(toPointer(['paths', path, 'get', 'security'])) ?? contract.at('/security');
      expect(own).toEqual(scope === undefined ? [] : [{ serviceKey: [scope] }, { bearer: [scope] }]);
    });

    it('has the statuses of the tables and no others (§4, §7)', () => {
      expect([...keysOf(contract.at(toPointer(['paths', path, 'get', 'responses'])))].sort()).toEqual(Object.keys(statuses).sort());
    });

    it.each(Object.entries(statuses))('answers %s with its codes only (§7)', (status, codes) => {
      const content = contract.at(`${responsePointer(path, status)}/content`);
      if (status === '304') expect(content).toBeUndefined();
      if (Number(status) < 400) return;
      const schema = `${responsePointer(path, status)}/content/application~1json/schema`;
      const accepted = everyCode.filter((code) => contract.judge(schema, failure(code)).length === 0);
      expect(accepted).toEqual(codes === 'open' ? everyCode : everyCode.filter((code) => codes.includes(code)));
      expect(contract.judge(schema, { ...failure(accepted[0] ?? ''), ok: true })).not.toEqual([]);
    });

    it('carries an ETag with a 200 where it can be read conditionally, and Retry-After with a 429 (§4, rule 4; §7)', () => {
      const expected = Object.keys(statuses).flatMap((status) => {
        if (status === '429') return ['429 Retry-After'];
        return status === '200' && etag ? ['200 ETag'] : [];
      });
      expect(Object.keys(statuses).flatMap((status) => requiredHeaders(path, status).map((header) => `${status} ${header}`))).toEqual(
        expected,
      );
    });

    it('has these parameters and no others (§4)', () => {
      const declared = contract.at(toPointer(['paths', path, 'get', 'parameters'])) ?? [];
      const followed = (declared as readonly Json[]).map((each) => follow(contract.document, each) as JsonObject);
      expect(followed.map(({ name, in: place, required }) => [name, place, required === true])).toEqual(
        parameters.map(({ name, in: place, required }) => [name, place, required]),
      );
    });

    it.each(parameters)('$name: bounds, values and default (§4, §8)', ({ name: parameter, accepts, refuses, ...fact }) => {
      const declared = (contract.at(toPointer(['paths', path, 'get', 'parameters'])) ?? []) as readonly JsonObject[];
      const pointer = declared.map(({ $ref }) => String($ref).slice(1)).find((each) => contract.at(`${each}/name`) === parameter);
      const schema = `${pointer ?? ''}/schema`;
      for (const value of accepts) expect(contract.judge(schema, value), JSON.stringify(value)).toEqual([]);
      for (const value of refuses) expect(contract.judge(schema, value), JSON.stringify(value)).not.toEqual([]);
      expect(contract.at(`${schema}/default`)).toEqual(fact.default);
      // A list is separated by commas in one parameter; tools disagree on what holds unless `explode` is stated.
      if (contract.at(`${schema}/type`) === 'array') {
        expect([contract.at(`${pointer}/style`), contract.at(`${pointer}/explode`)]).toEqual(['form', false]);
      }
    });
  });
});

it('the business API takes the same key from two headers, and refuses what its document calls invalid (§5, rule 1; §7)', async () => {
  const contract = await readContract('business');
  expect(contract.at('/components/securitySchemes/serviceKey/name')).toBe('X-SERVICE-API-Key');
  expect(contract.at('/components/securitySchemes/bearer')).toMatchObject({ type: 'http', scheme: 'bearer' });
  const stated = ['malformed', 'out-of-range', 'unknown-value', 'broken-rule', 'damaged-cursor'];
  expect(stated.map((each) => contract.at(`/x-invalid/${each}`))).toEqual(stated.map(() => 'refused'));
});

/** The contract files document exactly the operations, statuses, codes, parameters and scopes that the documents of the APIs name. */

import { beforeAll, describe, expect, it } from 'vitest';
import { follow } from '../../../core/document.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { toPointer, valueAt } from '../../../core/pointer.ts';
import { type ContractFile, contractNames, readContract } from './contract-file.ts';
import { businessOperations, type OperationFacts, wikiOperations } from './operation-facts.ts';

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

  /** Where a response of an operation stands, `$ref` followed. */
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

describe('the rules of the business API', () => {
  let contract: ContractFile;
  beforeAll(async () => {
    contract = await readContract('business');
  });
  const rules = (operationId: string, extension: string): Json | undefined =>
    contract.at(toPointer(['paths', businessOperations[operationId]?.path ?? '', 'get', extension]));

  it('names an order by exactly one of id and code (§4)', () => {
    expect(rules('getOrder', 'x-parameter-rules')).toEqual([{ 'exactly-one-of': ['id', 'code'] }]);
    expect(valueAt(rules('getOrder', 'x-resource'), '/by')).toEqual({ id: '/id', code: '/code' });
    expect(valueAt(rules('getReservation', 'x-resource'), '/by')).toEqual({ id: '/id' });
  });

  it('refuses a date_to before date_from (§8)', () => {
    expect(rules('listReservations', 'x-parameter-rules')).toEqual([{ ordered: ['date_from', 'date_to'] }]);
  });

  it('compares filters inclusively with these fields (§4)', () => {
    const shared = { updated_after: { from: '/changed_at' }, status: { 'any-of': '/status' } };
    expect(valueAt(rules('listOrders', 'x-collection'), '/filters')).toEqual({ ...shared, channel: { 'any-of': '/channel' } });
    const dates = { date_from: { from: '/schedule/date' }, date_to: { to: '/schedule/date' } };
    expect(valueAt(rules('listReservations', 'x-collection'), '/filters')).toEqual({ ...shared, ...dates });
  });

  it('sorts reservations by last change, then by id descending, and keeps every filter fixed while paging (§4, rules 1 and 2)', () => {
    const order = valueAt(rules('listReservations', 'x-collection'), '/order') as readonly JsonObject[];
    expect(order.map(({ by }) => by)).toEqual(['/changed_at', '/id']);
    expect(order[1]?.['direction']).toBe('descending');
    expect(valueAt(rules('listOrders', 'x-collection'), '/page/fixed')).toEqual(['updated_after', 'status', 'channel']);
    expect(valueAt(rules('listReservations', 'x-collection'), '/page/fixed')).toEqual(['updated_after', 'status', 'date_from', 'date_to']);
  });

  it('refuses what the documents call invalid, and leaves open what they do not name (§7)', () => {
    const stated = ['malformed', 'out-of-range', 'unknown-value', 'broken-rule', 'damaged-cursor'];
    expect(stated.map((each) => contract.at(`/x-invalid/${each}`))).toEqual(stated.map(() => 'refused'));
    expect(contract.at('/x-invalid/sloppy')).toEqual({ unspecified: 'sloppy-values' });
    expect(contract.at('/x-api/tenancy')).toBe('key');
  });

  it('takes the same key from two headers (§5, rule 1)', () => {
    expect(contract.at('/components/securitySchemes/serviceKey/name')).toBe('X-SERVICE-API-Key');
    expect([contract.at('/components/securitySchemes/bearer/type'), contract.at('/components/securitySchemes/bearer/scheme')]).toEqual([
      'http',
      'bearer',
    ]);
  });
});

describe('the rules of the wiki API', () => {
  it('compare type, and leave the search and the fate of hidden entries open (§4, §5)', async () => {
    const contract = await readContract('wiki');
    const collection = contract.at(toPointer(['paths', '/api/v1/wiki', 'get', 'x-collection']));
    expect(valueAt(collection, '/filters')).toEqual({ type: { equals: '/type' }, q: { matches: { unspecified: 'q-rules' } } });
    expect(valueAt(collection, '/visible')).toEqual({ field: '/visibility', shown: ['public'], hidden: { unspecified: 'hidden-entry' } });
    expect(valueAt(collection, '/page/echo')).toEqual({ limit: '/meta/limit', page: '/meta/page' });
    expect(valueAt(collection, '/page/total')).toBe('/meta/total');
  });
});

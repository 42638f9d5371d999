/** Failures: the documented code and the error format of the API. */

import { describe, expect, it } from 'vitest';
import type { Operation } from '../../../../core/openapi/operation.ts';
import { createErrorResponse } from '../../../../mocks/handler/error-response.ts';
import type { DraftResponse } from '../../../../mocks/handler/prepare-response.ts';
import type { ServedApi } from '../../../../mocks/handler/served-api.ts';
import { fixture } from '../../../helpers/judged-mock.ts';
import { createDirectMock, datasetOf, serveApi, serveText } from '../../../helpers/served.ts';

function operationOf(api: ServedApi, id: string): Operation {
  const found = api.contract.operations.find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`there is no operation ${id}`);
  return found;
}

function fail(api: ServedApi, id: string | undefined, status: number): DraftResponse {
  return createErrorResponse(api, id === undefined ? undefined : operationOf(api, id), status, { message: 'Because.' });
}

describe('a failure of the business API', async () => {
  const api = await serveApi('business');

  it.each([
    ['listOrders', 401, 'UNAUTHORIZED'],
    ['listOrders', 403, 'FORBIDDEN'],
    ['listOrders', 422, 'INVALID_QUERY'],
    ['listOrders', 429, 'RATE_LIMITED'],
    ['getOrder', 404, 'ORDER_NOT_FOUND'],
    ['getReservation', 404, 'RESERVATION_NOT_FOUND'],
    ['getMenu', 404, 'MENU_NOT_FOUND'],
    ['getMenuManifest', 404, 'MENU_NOT_FOUND'],
    ['getIdentity', 503, 'API_NOT_READY'],
    ['getIdentity', 500, 'INTERNAL_ERROR'],
    [undefined, 404, 'NOT_FOUND'],
    [undefined, 401, 'UNAUTHORIZED'],
    [undefined, 405, 'METHOD_NOT_ALLOWED'],
    [undefined, 431, 'HEADERS_TOO_LARGE'],
    [undefined, 418, 'ERROR'],
  ])('of %s with %i carries %s', (id, status, code) => {
    const { body } = fail(api, id, status);
    expect(body).toEqual({ ok: false, error: { code, message: 'Because.', request_id: expect.stringMatching(/^request-\d+$/) } });
  });

  it('has a new request id each time', () => {
    const bodies = [1, 2, 3].map(() => JSON.stringify(fail(api, 'listOrders', 401).body));
    expect(new Set(bodies).size).toBe(3);
  });

  it('has the code of the profile', async () => {
    const other = await serveApi('business', { profile: { 'no-menu-code': 'NOT_FOUND', 'which-not-ready': 'orders' } });
    expect(fail(other, 'getMenu', 404).body).toMatchObject({ error: { code: 'NOT_FOUND' } });
    expect(fail(other, 'getMenu', 503).body).toMatchObject({ error: { code: 'ORDERS_NOT_READY' } });
  });

  it('has WWW-Authenticate with 401 only (RFC 9110 §11.6.1)', () => {
    expect(fail(api, 'listOrders', 401).headers).toEqual({ 'www-authenticate': 'Bearer realm="Business Integration API"' });
    for (const status of [400, 403, 404, 422, 500]) expect(fail(api, 'listOrders', status).headers).toEqual({});
  });

  it('has the given headers', () => {
    const { headers } = createErrorResponse(api, undefined, 405, { message: 'No.', headers: { allow: 'GET' } });
    expect(headers).toEqual({ allow: 'GET' });
  });
});

describe('a failure of the wiki API', async () => {
  const api = await serveApi('wiki');

  it.each([
    [undefined, 404, 'NOT_FOUND'],
    [undefined, 405, 'METHOD_NOT_ALLOWED'],
    [undefined, 500, 'SERVER_ERROR'],
    ['getEntry', 500, 'SERVER_ERROR'],
    ['getEntry', 404, 'NOT_FOUND'],
    ['listEntries', 400, 'BAD_REQUEST'],
    ['getEntry', 401, 'UNAUTHORIZED'],
    ['getEntry', 403, 'FORBIDDEN'],
  ])('of %s with %i carries %s and no identifier of the request', (id, status, code) => {
    expect(fail(api, id, status).body).toEqual({ ok: false, error: { code, message: 'Because.' } });
  });
});

describe('a failure of any other API', () => {
  it('has the error format of the contract, with its constants', async () => {
    const api = await serveApi(fixture('library'));
    expect(fail(api, 'readBook', 404).body).toEqual({ outcome: 'failed', fault: { reason: 'no-such-book', text: 'Because.' } });
    expect(fail(api, undefined, 405).body).toEqual({ outcome: 'failed', fault: { reason: 'METHOD_NOT_ALLOWED', text: 'Because.' } });
  });

  it('has a plain code if the contract documents no code', async () => {
    const api = await serveApi(fixture('parcels'));
    expect(fail(api, 'readParcel', 404).body).toEqual({ code: 'NOT_FOUND', detail: 'Because.', trace: 'request-1' });
  });

  it('has a challenge without invalid characters, for any title of the API (RFC 9110 §5.5)', async () => {
    const api = await serveApi(fixture('parcels'));
    const challenge = fail(api, 'readParcel', 401).headers['www-authenticate'];
    expect(challenge).toMatch(/^ApiKey realm="[\x20-\x21\x23-\x5b\x5d-\x7e]*"$/);
    expect(challenge).toContain('Parcels');
  });

  it('has the format of RFC 9457 if the contract has none', async () => {
    const { headers, body } = fail(await serveApi(fixture('plain')), undefined, 404);
    expect(headers['content-type']).toBe('application/problem+json');
    expect(body).toEqual({ type: 'about:blank', title: 'Not found', status: 404, detail: 'Because.' });
  });
});

describe('a failure of a contract with problem details (RFC 9457)', async () => {
  const problem = (status: number, type: string): string => `
          description: No.
          content:
            application/problem+json:
              schema:
                allOf:
                  - $ref: '#/components/schemas/Problem'
                  - required: [status]
                    properties: { status: { const: ${status} }, type: { const: '${type}' } }`;
  const api = await serveText(
    `
openapi: 3.1.0
jsonSchemaDialect: https://json-schema.org/draft/2020-12/schema
info: { title: Problems, version: '1' }
x-api: { error: { schema: '#/components/schemas/Problem', code: /type, message: /detail } }
paths:
  /things/{id}:
    get:
      operationId: readThing
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      x-resource: { name: things, at: '', by: { id: /id } }
      responses:
        '200': { description: Yes., content: { application/json: { schema: { type: object, properties: { id: { type: integer } } } } } }
        '400':${problem(400, 'urn:wrong')}
        '404':${problem(404, 'urn:missing')}
components:
  schemas:
    Problem: { type: object, required: [type, detail], properties: { type: { type: string }, detail: { type: string } } }
`,
    { dataset: () => datasetOf([{ id: 1 }]) },
  );
  const mock = createDirectMock([api]);

  it.each([
    ['/things/2', 404, 'urn:missing'],
    ['/things/x', 400, 'urn:wrong'],
  ])('has their media type and what each of them fixes: %s', async (target, status, type) => {
    const reply = await mock.get(target);
    expect(reply.status).toBe(status);
    expect(reply.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(reply.at()).toEqual({ type, status, detail: expect.any(String) });
  });
});

/** Several APIs behind one address: which of them answers, in whose envelope, and what a failure inside looks like. */

import { describe, expect, it } from 'vitest';
import type { HttpResponse } from '../../../../core/http/exchange.ts';
import type { Json } from '../../../../core/json.ts';
import { createMock, type Mock } from '../../../../mocks/handler/mock.ts';
import { draftToHttpResponse, preparedToHttpResponse } from '../../../../mocks/handler/prepare-response.ts';
import type { ServedApi } from '../../../../mocks/handler/served-api.ts';
import { styles, thingsContract } from '../../../helpers/contracts/things-contract.ts';
import { fixture } from '../../../helpers/judged-mock.ts';
import { business, wiki } from '../../../helpers/request-targets.ts';
import { datasetOf, serveApi, serveText } from '../../../helpers/served.ts';

function mockOf(apis: readonly ServedApi[], errors: unknown[] = []): Mock {
  return createMock(
    apis.map((api) => ({ api })),
    (error) => errors.push(error),
  );
}

async function get(mock: Mock, target: string, method = 'GET'): Promise<HttpResponse> {
  return preparedToHttpResponse(await mock.respond(mock.receive({ method, target, headers: {} })));
}

function bodyOf(response: HttpResponse): Json {
  return JSON.parse(response.body) as Json;
}

describe('an unknown path', async () => {
  const apis = [await serveApi('business'), await serveApi('wiki'), await serveApi(fixture('library')), await serveApi(fixture('parcels'))];

  it.each([
    ['/api/v1/wikis', 'wiki'],
    ['/api/v1/wiki/a/b', 'wiki'],
    ['/api/v1', 'wiki'],
    ['/api/integrations/v1/orders', 'business'],
    ['/api/integrations/v1/orders/index.php/', 'business'],
    ['/api/integrations', 'business'],
    ['/books/1/2', 'library'],
    ['/v2/none', 'parcels'],
  ])('%s is answered in the envelope of %s, which shares its longest beginning', async (path, expected) => {
    for (const order of [apis, apis.toReversed()]) {
      const response = await get(mockOf(order), path);
      expect(response.status).toBe(404);
      expect(envelopeOf(bodyOf(response))).toBe(expected);
    }
  });

  it('without common segments is answered by the first API', async () => {
    expect(envelopeOf(bodyOf(await get(mockOf(apis), '/nothing')))).toBe('business');
    expect(envelopeOf(bodyOf(await get(mockOf(apis.toReversed()), '/nothing')))).toBe('parcels');
  });

  it.each([
    ['/api/integrations/v1/orders/idnex.php', '/api/integrations/v1/orders/index.php'],
    ['/api/integrations/v1/orders/index.php/', '/api/integrations/v1/orders/index.php'],
    ['/api/integrations/v1/orders', '/api/integrations/v1/orders/index.php'],
    ['/api/v1/wikki/basilisk', '/api/v1/wiki/{slug}'],
    ['/orders/view.php?id=1', '/api/integrations/v1/orders/view.php'],
    ['/menus/manifest.php', '/api/integrations/v1/menus/manifest.php'],
  ])('%s is answered with the path that is meant', async (path, meant) => {
    const { body } = await get(mockOf(apis), path);
    expect(body).toContain(`No API of this mock has this path; did you mean ${meant}?`);
  });

  it.each(['/', '/nothing/like/it', `/${'a'.repeat(60_000)}`])('%.30s resembles no path', async (path) => {
    expect((await get(mockOf(apis), path)).body).toContain('No API of this mock has this path."');
  });

  it('is not repeated in the answer, since it may contain secrets', async () => {
    const response = await get(mockOf(apis), '/api/v1/my-secret?key=my-secret');
    expect(response.status).toBe(404);
    expect(response.body).not.toContain('secret');
  });
});

/** Whose envelope a failure has. */
function envelopeOf(body: Json): string {
  const text = JSON.stringify(body);
  if (text.includes('"request_id"')) return 'business';
  if (text.includes('"outcome"')) return 'library';
  return text.includes('"trace"') ? 'parcels' : 'wiki';
}

describe('a known path', async () => {
  const mock = mockOf([await serveApi('business'), await serveApi('wiki')]);

  it('is answered by its API', async () => {
    expect((await get(mock, wiki)).status).toBe(200);
    expect((await get(mock, business.orders)).status).toBe(401);
  });

  it('answers another method with 405, the allowed methods, and the error format of its API', async () => {
    for (const [path, expected] of [
      [wiki, 'wiki'],
      [business.orders, 'business'],
      [`${wiki}/anything`, 'wiki'],
    ] as const) {
      const response = await get(mock, path, 'DELETE');
      expect(response.status).toBe(405);
      expect(response.headers['allow']).toBe('GET, HEAD, OPTIONS');
      expect(envelopeOf(bodyOf(response))).toBe(expected);
    }
  });

  it('may be percent-encoded (RFC 3986 §6.2.2)', async () => {
    expect((await get(mock, '/api/v1/%77iki')).status).toBe(200);
    expect((await get(mock, '/api/v1/wiki%2F')).status).toBe(404);
  });

  it('wins over a template of another API', async () => {
    const literal = await serveText(thingsContract({ page: styles.offset }), { dataset: () => datasetOf([]) });
    const anything = '{ name: anything, in: path, required: true, schema: { type: string } }';
    const open = thingsContract({ page: styles.offset, parameters: [anything] }).replace('  /things:', "  '/{anything}':");
    const template = await serveText(open, { dataset: () => datasetOf([{ id: 1 }]) });
    for (const apis of [
      [literal, template],
      [template, literal],
    ]) {
      expect(bodyOf(await get(mockOf(apis), '/things'))).toMatchObject({ things: [] });
      expect(bodyOf(await get(mockOf(apis), '/others'))).toMatchObject({ things: [{ id: 1 }] });
      expect((await get(mockOf(apis), '/things', 'POST')).status).toBe(405);
    }
  });
});

describe('Vary', () => {
  it('names the headers that carry a key, so that no cache gives one caller the answer of another (RFC 9110 §12.5.5)', async () => {
    const mock = mockOf([await serveApi('business'), await serveApi('wiki'), await serveApi(fixture('parcels'))]);
    const varyOf = async (target: string): Promise<unknown> => (await get(mock, target)).headers['vary'];
    expect(await varyOf(business.orders)).toBe('X-SERVICE-API-Key, Authorization, Accept-Encoding, Prefer');
    expect(await varyOf(wiki)).toBe('Accept-Encoding, Prefer');
    // A key in the query is part of the target, by which every cache keeps answers apart.
    expect(await varyOf('/v2/parcels')).toBe('Accept-Encoding, Prefer');
  });
});

describe('an internal error', async () => {
  const business1 = await serveApi('business');
  const library = await serveApi(fixture('library'));
  /** The API with content that cannot be read, as long as a function says why. */
  const failing = (api: ServedApi, why: () => string | undefined): ServedApi => ({
    ...api,
    dataset: {
      tenants: api.dataset.tenants,
      at: (nowMs) => {
        const message = why();
        if (message !== undefined) throw new Error(message);
        return api.dataset.at(nowMs);
      },
    },
  });

  it('is answered with 500 in the error format of its API, and reported to the listener only', async () => {
    const errors: unknown[] = [];
    const mock = mockOf(
      [business1, library].map((api) => failing(api, () => 'the cellar is flooded')),
      errors,
    );
    const response = await get(mock, business.orders);
    expect(response.status).toBe(500);
    expect(bodyOf(response)).toMatchObject({ ok: false, error: { code: 'INTERNAL_ERROR', request_id: expect.any(String) } });
    expect(response.body).not.toContain('cellar');
    expect(bodyOf(await get(mock, '/books'))).toMatchObject({ outcome: 'failed', fault: { reason: 'INTERNAL_ERROR' } });
    expect(errors.map(String)).toEqual(['Error: the cellar is flooded', 'Error: the cellar is flooded']);
  });

  it('has the documented code', async () => {
    const mock = mockOf([failing(await serveApi('wiki'), () => 'no')]);
    expect(bodyOf(await get(mock, wiki))).toMatchObject({ error: { code: 'SERVER_ERROR' } });
  });

  it('of one request does not affect others', async () => {
    let broken = true;
    const mock = mockOf([failing(library, () => (broken ? 'not yet' : undefined))]);
    expect((await get(mock, '/books')).status).toBe(500);
    broken = false;
    expect((await get(mock, '/books')).status).toBe(200);
  });

  it('never rejects, also if the listener fails', async () => {
    const mock = createMock([{ api: failing(library, () => 'first') }], () => {
      throw new Error('second');
    });
    expect((await get(mock, '/books')).status).toBe(500);
  });
});

describe('a refusal without a request', () => {
  it('has the error format of the first API', async () => {
    const mock = mockOf([await serveApi('wiki'), await serveApi('business')]);
    const response = draftToHttpResponse(mock.refuse(431, 'Too much.'));
    expect(response.status).toBe(431);
    expect(bodyOf(response)).toEqual({ ok: false, error: { code: 'HEADERS_TOO_LARGE', message: 'Too much.' } });
  });
});

describe('an operation that documents no status for a wrong request', async () => {
  const list = `operationId: find
      x-collection: { name: things, items: /things, key: /id, order: [{ by: /id, direction: ascending }], filters: {}, page: { style: offset, limit: limit, offset: offset, total: /total } }
      parameters:
        - { name: limit, in: query, schema: { type: integer, maximum: 10 } }
        - { name: offset, in: query, schema: { type: integer } }
      requestBody: { content: { application/json: { schema: { type: object, required: [text] } } } }
      responses:
        '200': { description: Things., content: { application/json: { schema: { type: object, properties: { total: { type: integer }, things: { type: array, items: { type: object, properties: { id: { type: integer } } } } } } } } }`;
  const api = await serveText(`openapi: 3.1.0\ninfo: { title: Find, version: '1' }\npaths:\n  /things:\n    post:\n      ${list}\n`, {
    dataset: () => datasetOf([{ id: 1 }]),
  });
  const mock = mockOf([api]);

  it.each([
    ['/things?limit=11', '{"text":"a"}', ['limit=11 is not accepted: it must be <= 10.']],
    ['/things', '{}', ["The body must have required property 'text'."]],
    ['/things?limit=11', '{', ['limit=11 is not accepted: it must be <= 10.', 'The body ends too early, in line 1 at column 2.']],
  ])('answers %s with the body %s, and says what was wrong', async (target, body, messages) => {
    const headers = { 'content-type': 'application/json' };
    const { status, context } = await mock.respond(mock.receive({ method: 'POST', target, headers, body }));
    expect([status, context?.problems.map(({ message }) => message)]).toEqual([200, messages]);
  });
});

it('a JSON body that would take too long to parse is not judged, and the response says so', async () => {
  const json = '{ content: { application/json: { schema: { type: object, required: [text] } } } }';
  const api = await serveText(
    `openapi: 3.1.0\ninfo: { title: Large, version: '1' }\npaths:\n  /things: { post: { operationId: add, requestBody: ${json}, responses: { '204': { description: Added. } } } }\n`,
  );
  const mock = mockOf([api]);
  const body = JSON.stringify({ other: 'x'.repeat(1_000_000) });
  const headers = { 'content-type': 'application/json' };
  const response = await mock.respond(mock.receive({ method: 'POST', target: '/things', headers, body }));
  const note = 'the body is not checked: it has 1000012 characters, but JSON is only checked up to 1000000';
  expect([response.status, response.headers['mock-note'], response.context?.setAside]).toEqual([204, note, [note]]);
});

/** A file without annotations: its examples answer, and its keys and parameters are still checked. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startMock } from '../../../mocks/start-mock.ts';
import { fixture, startJudgedMock } from '../../helpers/judged-mock.ts';
import { ask } from '../../helpers/plain-client.ts';

describe('a file without annotations', async () => {
  const mock = await startJudgedMock({ contracts: [fixture('plain')], fixedKeys: true });
  afterAll(() => mock.close());

  it('is answered with its first example, or with what its schema suggests', async () => {
    expect((await ask(mock, '/greeting')).at()).toEqual({ text: 'Good morning' });
    const room = (await ask(mock, '/rooms/7')).at();
    expect(room).toEqual({ seats: expect.any(Number), name: expect.any(String) });
    expect((await ask(mock, '/rooms/7')).at()).toEqual(room);
  });

  it.each(['application/json', 'text/html, application/json;q=0.5', 'garbage', '*/*', ''])('has JSON for Accept: %s', async (accept) => {
    expect((await ask(mock, '/greeting', { accept })).at()).toEqual({ text: 'Good morning' });
    expect((await ask(mock, '/rooms/7', { accept })).status).toBe(200);
  });

  it('gives any example that is asked for', async () => {
    expect((await ask(mock, '/greeting', { prefer: 'example=evening' })).at()).toEqual({ text: 'Good evening' });
    expect(await ask(mock, '/greeting', { prefer: 'code=503' })).toMatchObject({ status: 503, text: '{"reason":"asleep"}' });
  });

  it('has keys where its operations ask for some, and no hidden records', () => {
    expect(Object.keys(mock.keys)).toEqual(['full', 'expired', 'without:open']);
    expect(mock.hiddenRecords).toEqual([]);
  });

  it('refuses a wrong parameter where it documents how, in the documented shape', async () => {
    const reply = await ask(mock, '/rooms/attic');
    expect(reply.status).toBe(400);
    expect(reply.at()).toEqual({ why: expect.any(String) });
  });

  it('looks at the key and at its scope, and answers in the documented shape', async () => {
    const statuses = [];
    for (const role of ['full', 'expired', 'without:open', 'nobody']) {
      const reply = await ask(mock, '/vault?shelf=1', { 'x-key': mock.keys[role] ?? 'wrong' });
      statuses.push(reply.status);
      if (reply.status !== 200) expect(reply.at()).toEqual({ why: expect.any(String) });
    }
    expect(statuses).toEqual([200, 401, 403, 401]);
    expect((await ask(mock, '/vault?shelf=1')).headers['www-authenticate']).toMatch(/^ApiKey /);
  });

  it('answers what it does not have with a failure in JSON', async () => {
    for (const [path, method, status] of [
      ['/none', 'GET', 404],
      ['/greeting', 'POST', 405],
    ] as const) {
      const reply = await ask(mock, path, {}, method);
      expect(reply.status).toBe(status);
      expect(reply.headers['content-type']).toMatch('application/problem+json');
      expect(reply.at()).toMatchObject({ status, detail: expect.any(String) });
    }
  });
});

describe('a file that says nothing about keys and refusals', async () => {
  // No contract checks this mock: its refusals are not documented.
  const mock = await startMock({ contracts: [fixture('plain')] });
  afterAll(() => mock.close());

  it('has one key, and takes any credential of the documented form', async () => {
    expect(Object.keys(mock.keys)).toEqual(['full']);
    expect((await ask(mock, '/vault?shelf=1', { 'x-key': 'anything' })).at()).toEqual({ gold: 3 });
    expect((await ask(mock, '/vault?shelf=1')).status).toBe(401);
  });

  it('refuses a wrong parameter with the status of Prism, and says why', async () => {
    const reply = await ask(mock, '/vault?shelf=upper', { 'x-key': 'anything' });
    expect([reply.status, reply.headers['content-type']]).toEqual([422, 'application/problem+json; charset=utf-8']);
    expect(reply.at('/validation')).toEqual([expect.objectContaining({ location: ['query', 'shelf'], code: 'type' })]);
    expect(reply.headers['sl-violations']).toContain('"location":["request","query","shelf"]');
  });

  it('has no representation but its own', async () => {
    for (const accept of ['text/html', 'application/json;q=0'])
      expect((await ask(mock, '/greeting', { accept })).at()).toMatchObject({ status: 406 });
  });
});

describe('a file with a body and a server', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-shop-'));
  const file = join(folder, 'shop.openapi.yaml');
  const failure =
    '{ description: Bad., content: { application/json: { schema: { type: object, required: [detail], properties: { detail: { type: string } } } } } }';
  writeFileSync(
    file,
    `openapi: 3.1.0
info: { title: Shop, version: '1' }
servers: [{ url: 'https://{host}.example.com/v{major}/', variables: { host: { default: api }, major: { default: '2' } } }]
paths:
  /things:
    post:
      requestBody:
        required: true
        content:
          application/json: { schema: { type: object, required: [name], properties: { name: { type: string, minLength: 2 } } } }
          text/csv: {}
      responses:
        '201': { description: Made., content: { application/json: { schema: { type: object, properties: { id: { type: integer } } } } } }
        '400': ${failure}
    patch:
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses: { '204': { description: Done. } }
  /labels/{id}:
    get: { parameters: [{ name: id, in: path, required: true, style: label, schema: { type: integer } }], responses: { '204': { description: Found. } } }
  /matrices/{id}:
    get: { parameters: [{ name: id, in: path, required: true, style: matrix, schema: { type: integer } }], responses: { '204': { description: Found. } } }
`,
  );
  // No contract checks this mock: its refusals are not documented, and its paths are not those of the file.
  const mock = await startMock({ contracts: [file] });
  afterAll(async () => {
    await mock.close();
    rmSync(folder, { recursive: true });
  });
  const send = async (body: string, type = 'application/json', method = 'POST', path = '/things'): Promise<readonly [number, unknown]> => {
    const answer = await fetch(`${mock.url}${path}`, { method, headers: { 'content-type': type }, ...(body === '' ? {} : { body }) });
    return [answer.status, ((await answer.json().catch(() => undefined)) as { detail?: string } | undefined)?.detail];
  };

  it.each([
    ['not json', 'Request body is not JSON in line 1 at column 1'],
    ['{}', "Request body must have required property 'name'"],
    ['{"name":"x"}', 'Request body property name must not have fewer than 2 characters'],
    ['', 'Body parameter is required'],
    ['['.repeat(600), 'Request body of 600 characters is nested deeper than 500 levels'],
  ])('refuses the body %j in its own error shape', async (body, reason) => {
    expect(await send(body)).toEqual([400, reason]);
  });

  it('takes the right bodies, and no other types', async () => {
    expect((await send('{"name":"xy"}'))[0]).toBe(201);
    expect((await send('{"name":"xy"}', 'application/json; charset=utf-8'))[0]).toBe(201);
    expect((await send('a,b', 'text/csv'))[0]).toBe(201);
    expect(await send('<a/>', 'text/xml')).toEqual([400, 'Supported content types: application/json,text/csv']);
    expect((await send('x'.repeat(10_000_001)))[0]).toBe(413);
  });

  it('refuses a wrong body where no refusal is documented, and takes none where none is needed', async () => {
    expect([(await send('7', 'application/json', 'PATCH'))[0], (await send('', 'application/json', 'PATCH'))[0]]).toEqual([422, 204]);
  });

  it('judges a body without a type by the first documented one', async () => {
    const post = (text: string): Promise<Response> => fetch(`${mock.url}/things`, { method: 'POST', body: new TextEncoder().encode(text) });
    expect([(await post('{}')).status, (await post('{"name":"xy"}')).status]).toEqual([400, 201]);
  });

  it.each([
    ['/labels/.5', 204],
    ['/labels/5', 422],
    ['/labels/.x', 422],
    ['/matrices/;id=5', 204],
    ['/matrices/5', 422],
  ])('reads a path segment in its style: %s', async (path, status) => {
    expect((await fetch(`${mock.url}${path}`)).status).toBe(status);
  });

  it('is served below the address of its server too', async () => {
    expect((await send('{"name":"xy"}', 'application/json', 'POST', '/v2/things'))[0]).toBe(201);
    expect((await send('{"name":"xy"}', 'application/json', 'POST', '/v3/things'))[0]).toBe(404);
    expect((await fetch(`${mock.url}/v2/things`, { method: 'OPTIONS' })).headers.get('allow')).toBe('POST, PATCH, OPTIONS');
  });
});

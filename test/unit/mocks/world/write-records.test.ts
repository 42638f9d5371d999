import { describe, expect, test } from 'vitest';
import { parseJson, printJson } from '../../../../core/json.ts';
import { serveText } from '../../../helpers/served.ts';
import { objectOf, openWorld, recordsOf, type WorldMock } from '../../../helpers/world-mock.ts';

/** Members of both directions: plain, through `allOf`, and in a branch. */
const members = `
      type: object
      required: [id, name, password]
      properties:
        id: { type: integer, format: int64, readOnly: true }
        name: { type: string }
        password: { type: string, writeOnly: true }
        role: { type: string, enum: [user, admin], readOnly: true }
        big: { type: integer, format: int64 }
        method: { oneOf: [{ $ref: '#/components/schemas/Card' }, { $ref: '#/components/schemas/Bank' }] }
      allOf: [{ properties: { secret: { type: object, properties: { pin: { type: string, writeOnly: true }, hint: { type: string } } } } }]`;

const text = `openapi: 3.1.0
info: { title: Users, version: '1' }
components:
  schemas:
    User: ${members}
    Card: { type: object, required: [kind], properties: { kind: { const: card }, cvc: { type: string, writeOnly: true } } }
    Cat: { type: object, required: [t], properties: { t: { type: string }, meow: { type: string, examples: [purr] } } }
    Dog: { type: object, required: [t], properties: { t: { type: string }, bark: { type: string, examples: [wuff] }, age: { type: integer, examples: [3] } } }
    Bank: { type: object, required: [kind], properties: { kind: { const: bank }, iban: { type: string } } }
paths:
  /users:
    get: { operationId: listUsers, responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/User' } } } } } } }
    post: { operationId: addUser, requestBody: &body { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/User' } } } }, responses: { '201': &user { description: One., content: { application/json: { schema: { $ref: '#/components/schemas/User' } } } } } }
  /users/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getUser, responses: { '200': *user, '404': { description: None. } } }
    put: { operationId: replaceUser, requestBody: *body, responses: { '200': *user } }
  /pay:
    post:
      operationId: pay
      requestBody: { required: true, content: { application/json: { schema: &pay { oneOf: [{ $ref: '#/components/schemas/Card' }, { $ref: '#/components/schemas/Bank' }] } } } }
      responses: { '200': { description: One., content: { application/json: { schema: *pay } } } }
  /feed:
    post:
      operationId: feed
      requestBody: { required: true, content: { application/json: { schema: &pet { oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }], discriminator: { propertyName: t } } } } }
      responses: { '200': { description: One., content: { application/json: { schema: *pet } } } }
  /echo:
    post: { operationId: echo, requestBody: *body, responses: { '200': *user } }
`;

const sent = {
  id: 999,
  name: 'Zed',
  password: 'x1',
  role: 'admin',
  secret: { pin: 'x2', hint: 'h' },
  method: { kind: 'card', cvc: 'x3' },
};

async function open(): Promise<WorldMock> {
  return openWorld(await serveText(text));
}

describe('members of one direction', () => {
  test.each(['POST /users', 'PUT /users/3', 'POST /echo'])('no response to %s shows what only requests have', async (line) => {
    const { ask } = await open();
    const answers = [await ask(line, sent), await ask('GET /users'), await ask('GET /users/3'), await ask('GET /users/21')];
    expect(printJson(answers.map(({ json }) => json ?? null))).not.toMatch(/x[123]/);
    expect(objectOf(answers[0] as never)).toMatchObject({ name: 'Zed', secret: { hint: 'h' }, method: { kind: 'card' } });
  });

  test('what only the server writes is ignored, and stays when the rest is replaced', async () => {
    const { ask } = await open();
    const before = objectOf(await ask('GET /users/3'));
    expect(objectOf(await ask('POST /users', sent))).toMatchObject({ id: 21, role: 'user' });
    const replaced = objectOf(await ask('PUT /users/3', { ...sent, role: 'nobody' }));
    expect(replaced).toMatchObject({ id: 3, role: before['role'], name: 'Zed' });
    expect(recordsOf(await ask('GET /users')).filter(({ id }) => id === 999)).toEqual([]);
  });
});

test('integers beyond 2^53 keep all digits', async () => {
  const { ask } = await open();
  const big = parseJson('4611686018427387904');
  for (const line of ['POST /users', 'PUT /users/3', 'POST /echo'])
    expect(objectOf(await ask(line, { name: 'Zed', password: 'x1', big }))['big']).toBe(big);
});

test.each([
  ['POST /pay', { kind: 'bank', iban: 'X1' }, { kind: 'bank', iban: 'X1' }],
  ['POST /feed', { t: 'Dog', bark: 'x' }, { t: 'Dog', bark: 'x', age: 3 }],
  ['POST /feed', { t: 'Cat' }, { t: 'Cat', meow: 'purr' }],
])('%s responds with the branch of its request', async (line, body, expected) => {
  const { ask } = await open();
  expect((await ask(line, body)).json).toEqual(expected);
  expect((await ask(line, body)).json).toEqual(expected);
});

/** The pact of a client that writes to a plain file's mock: `pact check` and `pact verify` accept it there, with what only a set-up can create left to that. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { checkPacts } from '../../../../contracts/pact/check/check-pacts.ts';
import { verifyPacts } from '../../../../contracts/pact/verify/verify-pacts.ts';
import { loadContract } from '../../../../core/openapi/contract.ts';
import { parsePact } from '../../../../core/pact/parse-pact.ts';
import { startMock } from '../../../../mocks/start-mock.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-writing-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = join(folder, 'notes.yaml');
const note =
  '{ type: object, required: [id, text], properties: { id: { type: integer, readOnly: true }, text: { type: string, minLength: 1 } } }';
writeFileSync(
  file,
  `openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  /notes:
    get: { operationId: listNotes, responses: { '200': { description: x, content: { application/json: { schema: { type: array, items: &note ${note} } } } } } }
    post:
      operationId: addNote
      requestBody: { required: true, content: { application/json: { schema: *note } } }
      responses: { '201': { description: x, content: { application/json: { schema: *note } } }, '400': { description: x } }
  /notes/{id}:
    get:
      operationId: readNote
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { '200': { description: x, content: { application/json: { schema: *note } } }, '404': { description: x } }
`,
);

it('is accepted by the check and the verification', { timeout: 60_000 }, async () => {
  await using mock = await startMock({ contracts: [file], recordPacts: true });
  const post = (text: string): Promise<Response> =>
    fetch(`${mock.url}/notes`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ text }) });
  const [listed] = (await (await fetch(`${mock.url}/notes`)).json()) as readonly { readonly id: number }[];
  await fetch(`${mock.url}/notes/${listed?.id}`);
  const { id } = (await (await post('Buy milk')).json()) as { readonly id: number };
  await fetch(`${mock.url}/notes/${id}`);
  expect((await post('')).status).toBe(400);

  const pact = parsePact('client.json', mock.recordPact({ consumer: 'client' }).text);
  expect(pact.interactions.map(({ request, response, states }) => [request.method, response.status, request.body, states.length])).toEqual([
    ['GET', 200, undefined, 0],
    ['POST', 201, { text: 'Buy milk' }, 0],
    ['POST', 400, { text: '' }, 0],
    ['GET', 200, undefined, 0],
    ['GET', 200, undefined, 1],
  ]);
  const contract = await loadContract(file);
  const { expectations, pacts } = await checkPacts({ pairs: [{ pact, contract }] });
  expect(pacts.flatMap(({ interactions }) => interactions.flatMap(({ findings }) => findings))).toEqual([]);
  expect(expectations.notCompared).toBe(0);
  await using fresh = await startMock({ contracts: [file] });
  const { interactions } = await verifyPacts({ pairs: [{ pact, contract }], target: fresh.url });
  expect(interactions.map(({ verdict, reason = '' }) => `${verdict} ${reason.replace(/ .*/, '')}`.trim())).toEqual([
    'passed',
    'not-exercised POST',
    'not-exercised POST',
    'passed',
    'not-exercised the',
  ]);
});

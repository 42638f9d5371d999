/** A file without annotations is judged as far as possible: each GET is sent, with values from the file or from lists. */

import { describe, expect, it } from 'vitest';
import { verify } from '../../../contracts/verify/verify.ts';
import type { RunResult } from '../../../core/results/run-result.ts';
import { loadText } from '../../helpers/contracts/contract-text.ts';
import { type Answer, type FakeTarget, fakeTarget } from '../../helpers/engine.ts';

// What stands below an extension is no schema.
const pet =
  '{ type: object, x-policy: { $ref: "#/x-policies/none" }, required: [id, name], properties: { id: { type: integer }, name: { type: string } } }';
const contract = await loadText(`openapi: 3.0.3
info: { title: Pets, version: '1' }
paths:
  /pets:
    get:
      operationId: listPets
      responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: ${pet} } } } } }
  /pets/{petId}:
    get:
      operationId: getPet
      parameters: [{ name: petId, in: path, required: true, schema: { type: integer } }]
      responses: { '200': { description: One., content: { application/json: { schema: ${pet} } } } }
  /stores/{city}:
    get:
      operationId: getStore
      parameters:
        - { name: city, in: path, required: true, schema: { type: string }, examples: { one: { value: Bari } } }
        - { name: day, in: query, required: true, schema: { type: string, enum: [today, tomorrow] } }
      responses: { '200': { description: A store. } }
  /owners/{owner}:
    get:
      operationId: getOwner
      parameters: [{ name: owner, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: An owner. } }
`);

async function judge(answer: (path: string) => Answer, only: readonly string[] = []): Promise<{ result: RunResult; target: FakeTarget }> {
  const target = fakeTarget((request) => answer(request.target));
  const { result } = verify({ contract, target: 'http://target.example', only, connect: () => target });
  return { result: await result, target };
}

const good = (path: string): Answer => ({ body: path === '/pets' ? [{ id: 7, name: 'Rex' }] : { id: 7, name: 'Rex' } });

describe.each([
  ['everything', []],
  ['answers alone', ['response/*']],
] as const)('a run that judges %s', (_, only) => {
  it('asks each GET whose parameters are known, and none with an empty path', async () => {
    const { result, target } = await judge(good, only);
    expect([...new Set(target.requests.map((request) => request.target))].toSorted()).toEqual([
      '/pets',
      '/pets/7',
      '/pets/987654321',
      '/pets/not-what-is-asked',
      '/stores/Bari',
      '/stores/Bari?day=not-what-is-asked',
      '/stores/Bari?day=today',
      '/stores/Bari?day=tomorrow',
      '/stores/Bari?day[]=1',
      '/stores/no-such-record-4711?day=today',
    ]);
    expect([result.verdict, result.exitCode]).toEqual(['holds', 0]);
    const owner = result.checks.filter(({ operation }) => operation === 'getOwner');
    expect(new Set(owner.map(({ verdict }) => verdict))).toEqual(new Set(['not-exercised']));
  });

  it('finds what one of them answers wrongly', async () => {
    const { result } = await judge((path) => (path === '/pets/7' ? { body: { id: '7' } } : good(path)), only);
    expect(result.checks.filter(({ verdict }) => verdict === 'violated').map(({ rule: id, operation }) => `${id} ${operation}`)).toEqual([
      'response/schema getPet',
    ]);
  });

  it('does not call a server good that fails everywhere', async () => {
    const { result } = await judge(() => ({ status: 500, body: { error: 'down' } }), only);
    expect(result.exitCode).toBeGreaterThan(0);
  });
});

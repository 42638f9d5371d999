/** Requests of witnesses, sent to mocks of both contracts: the responses show what the finding claims. */

import { beforeAll, expect, test } from 'vitest';
import { addMockResponses } from '../../../../cli/diff/add-mock-responses.ts';
import { compareLoadedContracts } from '../../../../contracts/diff/compare-contracts.ts';
import { loadContractPair } from '../../../../contracts/diff/load-contract-pair.ts';
import type { JsonObject } from '../../../../core/json.ts';
import type { ContractComparison } from '../../../../core/results/diff-result.ts';
import { openEdited } from './edited-contract.ts';
import { combinedEdits, type ReviewedEdit, singleEdits } from './reviewed-edits.ts';

async function answered(edit: ReviewedEdit): Promise<ContractComparison> {
  const versions = await openEdited(edit);
  return addMockResponses(await compareLoadedContracts(versions, { today: '2026-11-21' }), versions);
}

const security = [{ key: [] }];

function documentWith(post: JsonObject): JsonObject {
  const paths = { '/things': { post: { ...post, responses: { '200': { description: 'ok' } } } } };
  const securitySchemes = { key: { type: 'apiKey', in: 'header', name: 'x-key' } };
  return { openapi: '3.1.0', info: { title: 'things', version: '1.0.0' }, paths, components: { securitySchemes } };
}

const comparisons = new Map<string, ContractComparison>();

/** Edits of each kind whose witnesses mocks are asked about, and one whose witness they are not. */
const asked = [
  'a smaller maximum',
  'a filter for one value only',
  'a removed state',
  'a required parameter',
  'a removed operation',
  'a renamed parameter',
  'an exclusive last day',
  'no tie-breaker',
  'the other direction',
  'a wider visibility',
  'a required parameter, an exclusive checkpoint',
  'an open order',
];

beforeAll(async () => {
  const edits = [...singleEdits, ...combinedEdits].filter(({ title }) => asked.includes(title));
  for (const edit of edits) comparisons.set(edit.title, await answered(edit));
  expect([...comparisons.keys()].toSorted()).toEqual(asked.toSorted());
}, 300_000);

test('every request that only the old contract allows gets a success from the old mock and a refusal from the new one', () => {
  let requests = 0;
  for (const { changes, notes } of comparisons.values()) {
    expect(notes.filter((note) => note.startsWith('A mock could not respond'))).toEqual([]);
    for (const { witness, text } of changes) {
      const isRequest = witness?.exchange.request !== undefined && witness.exchange.response === undefined;
      if (!isRequest || witness.refusedBy !== 'new') continue;
      requests += 1;
      const { old, new: next } = witness.mockResponses ?? {};
      expect({ text, old: old?.status }).toEqual({ text, old: 200 });
      expect(next?.status).toBeGreaterThanOrEqual(400);
      expect(next).not.toEqual(old);
    }
  }
  expect(requests).toBeGreaterThan(5);
});

test.each([
  ['a parameter of the query', 'business', '/reservations/view.php:', '/reservations/one.php:'],
  ['one of several parameters', 'business', '/orders/view.php:', '/orders/one.php:'],
  ['a part of the path', 'wiki', '/wiki/{slug}:', '/pages/{slug}:'],
] as const)('both mocks hold the record that a request names: %s', async (_, contract, path, instead) => {
  const { changes } = await answered({ title: 'a renamed operation', contract, edits: [[path, instead]], findings: [] });
  const witness = changes.find(({ id }) => id === 'operation/renamed')?.witness;
  expect(witness?.mockResponses).toMatchObject({ old: { status: 200 }, new: { status: 404 } });
});

test('a record is held even if its identity is the refused value', async () => {
  const { changes } = await answered({
    title: 'a largest identity',
    contract: 'business',
    edits: [['minimum: 1', 'minimum: 1000000', 'name: id\n']],
    findings: [],
  });
  const witness = changes.find(({ witness: each }) => each?.keyword === 'minimum')?.witness;
  expect(witness?.exchange.request?.target).toMatch(new RegExp(`id=${String(witness?.value)}$`));
  expect(witness?.mockResponses?.old.status).toBe(200);
});

test('mocks with the records of a witness return what the witness claims', () => {
  let witnesses = 0;
  for (const { changes } of comparisons.values()) {
    for (const { witness: { records, mockResponses } = {}, text } of changes) {
      if (records === undefined || mockResponses === undefined) continue;
      witnesses += 1;
      const { old, new: next } = mockResponses;
      expect({ text, old: old.returned, new: next.returned ?? null }).toEqual({ text, old: records.before, new: records.after });
    }
  }
  expect(witnesses).toBeGreaterThan(5);
});

test('no mock is asked about a point that a contract leaves open', () => {
  const [change] = comparisons.get('an open order')?.changes ?? [];
  expect(change?.witness?.records).toBeDefined();
  expect(change?.witness?.mockResponses).toBeUndefined();
});

test('no mock is asked about plain files', async () => {
  const texts = new Map([{}, { security }].map((post, index) => [`${index}.json`, JSON.stringify(documentWith(post))]));
  const versions = await loadContractPair('0.json', '1.json', (file) => Promise.resolve(texts.get(file) ?? ''));
  const comparison = await compareLoadedContracts(versions, { today: '2026-11-21' });
  expect(await addMockResponses(comparison, versions)).toBe(comparison);
});

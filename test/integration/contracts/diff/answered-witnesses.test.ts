/** Requests of witnesses, sent to mocks of both contracts: the responses show what the finding claims. */

import { beforeAll, expect, test } from 'vitest';
import { addMockResponses } from '../../../../cli/diff/add-mock-responses.ts';
import { compareOpenedContracts } from '../../../../contracts/diff/compare-contracts.ts';
import type { ContractComparison } from '../../../../core/results/diff-result.ts';
import { openEdited } from './edited-contract.ts';
import { combinedEdits, type ReviewedEdit, singleEdits } from './reviewed-edits.ts';

/** Requests that the old contract allows, but that its mock refuses, by the title of the edit. */
const exceptions: Readonly<Record<string, string>> = {
  'a renamed operation': 'the mock has no reservation with the id 1; the responses differ in the error code',
};

async function answered(edit: ReviewedEdit): Promise<ContractComparison> {
  const versions = await openEdited(edit);
  return addMockResponses(await compareOpenedContracts(versions, { today: '2026-11-21' }), versions);
}

const comparisons = new Map<string, ContractComparison>();

beforeAll(async () => {
  for (const edit of [...singleEdits, ...combinedEdits]) comparisons.set(edit.title, await answered(edit));
}, 300_000);

test('every request that only the old contract allows gets a success from the old mock and a refusal from the new one', () => {
  let requests = 0;
  for (const [title, { changes, notes }] of comparisons) {
    expect(notes.filter((note) => note.startsWith('A mock failed'))).toEqual([]);
    for (const { witness, text } of changes) {
      const isRequest = witness?.exchange.request !== undefined && witness.exchange.response === undefined;
      if (!isRequest || witness.refusedBy !== 'new') continue;
      requests += 1;
      const { old, new: next } = witness.mockResponses ?? {};
      expect({ text, old: old?.status }).toEqual({ text, old: exceptions[title] === undefined ? 200 : 404 });
      expect(next?.status).toBeGreaterThanOrEqual(400);
      expect(next).not.toEqual(old);
    }
  }
  expect(requests).toBeGreaterThan(5);
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

/** Requests of witnesses, sent to mocks of both contracts: the answers show what the finding claims. */

import { expect, test } from 'vitest';
import { answerWitnesses } from '../../../../cli/diff/witness-answers.ts';
import { compareOpenedContracts } from '../../../../contracts/diff/compare-contracts.ts';
import type { ContractComparison } from '../../../../core/results/contract-change.ts';
import { openEdited } from './edited-contract.ts';
import { combinedEdits, type ReviewedEdit, singleEdits } from './reviewed-edits.ts';

/** Requests that the old contract allows, but that its mock refuses, by the title of the edit. */
const exceptions: Readonly<Record<string, string>> = {
  'a renamed operation': 'the mock has no reservation with the id 1; the answers differ in the error code',
};

async function answered(edit: ReviewedEdit): Promise<ContractComparison> {
  const [old, next] = await openEdited(edit);
  return answerWitnesses(await compareOpenedContracts(old, next, { today: '2026-11-21' }), old, next);
}

test('every request that only the old contract allows gets a success from the old mock and a refusal from the new one', async () => {
  let requests = 0;
  for (const edit of [...singleEdits, ...combinedEdits]) {
    const { changes, notes } = await answered(edit);
    expect(notes.filter((note) => note.startsWith('A mock failed'))).toEqual([]);
    for (const { witness, text } of changes) {
      const isRequest = witness?.exchange.request !== undefined && witness.exchange.response === undefined;
      if (!isRequest || witness.refusedBy !== 'new') continue;
      requests += 1;
      const { old, new: next } = witness.answers ?? {};
      const isException = exceptions[edit.title] !== undefined;
      expect({ text, old: old?.status }).toEqual({ text, old: isException ? 404 : 200 });
      expect(next?.status).toBeGreaterThanOrEqual(400);
      expect(next).not.toEqual(old);
    }
  }
  expect(requests).toBeGreaterThan(5);
}, 300_000);

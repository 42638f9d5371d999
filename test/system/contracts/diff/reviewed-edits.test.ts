/** One finding for one edit, with its level and its sentence: single edits and combined ones. Edits without effect have no finding and no note. */

import { describe, expect, test } from 'vitest';
import { compareLoadedContracts } from '../../../../contracts/diff/compare-contracts.ts';
import type { ContractComparison } from '../../../../core/results/diff-result.ts';
import { renderDiffJson } from '../../../../reports/diff/diff-json.ts';
import { complaintsAboutReport } from '../../../helpers/reports/report-schema.ts';
import { openEdited } from './edited-contract.ts';
import { combinedEdits, type ReviewedEdit, rareEdits, singleEdits } from './reviewed-edits.ts';

async function compare(edit: ReviewedEdit): Promise<ContractComparison> {
  return compareLoadedContracts(await openEdited(edit), { today: '2026-11-21' });
}

describe.each([
  ['single edits', singleEdits, 40],
  ['rare edits', rareEdits, 11],
  ['combined edits', combinedEdits, 10],
] as const)('%s', (_, edits, number) => {
  test(`are ${number}`, () => expect(new Set(edits.map(({ title }) => title)).size).toBe(number));

  test.each(edits.map((edit) => [edit.title, edit] as const))(
    '%s',
    async (_title, edit) => {
      const comparison = await compare(edit);
      expect(complaintsAboutReport('diff', JSON.parse(renderDiffJson(comparison)))).toEqual([]);
      const { changes, notes } = comparison;
      expect(notes).toEqual([]);
      expect(changes.map(({ level }) => level)).toEqual(edit.findings.map(([level]) => level));
      expect(new Map(changes.map(({ level, text }) => [text, level]))).toEqual(
        new Map(edit.findings.map(([level, text]) => [text, level])),
      );
    },
    60_000,
  );
});

test('a witness of one of two edits is not explained by the other', async () => {
  const edit = combinedEdits.find(({ title }) => title === 'a new state, a renamed property');
  if (edit === undefined) throw new Error('there is no such edit');
  const { changes } = await compare(edit);
  expect(changes.map(({ witness }) => witness?.pointer.split('/').at(-1)).toSorted()).toEqual(['status', 'totals']);
});

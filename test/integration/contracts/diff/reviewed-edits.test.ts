/** One finding for one edit, with its level and its sentence: forty single edits and ten combined ones. */

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { compareContracts } from '../../../../contracts/diff/compare-contracts.ts';
import type { ContractComparison } from '../../../../core/results/contract-change.ts';
import { contractFile } from '../../../../core/shipped.ts';
import { combinedEdits, type ReviewedEdit, singleEdits, type TextEdit } from './reviewed-edits.ts';

/** Removes examples, which take half of the loading time and have no rules. */
function withoutExamples(text: string): string {
  return text.replace(/^( +)examples?:.*\n(?:\1 +.*\n|\n)*/gm, '');
}

function applyEdit(text: string, [piece, instead, behind = '']: TextEdit): string {
  const from = text.indexOf(behind);
  const rest = text.slice(from).replace(piece, instead.replaceAll('$', '$$$$'));
  if (from < 0 || rest === text.slice(from)) throw new Error(`${String(piece)} is not in the contract`);
  return text.slice(0, from) + rest;
}

async function compare({ contract, edits }: ReviewedEdit): Promise<ContractComparison> {
  const folder = path.dirname(contractFile(contract));
  const text = withoutExamples(await readFile(contractFile(contract), 'utf8'));
  const texts = new Map([
    [path.join(folder, 'old.yaml'), text],
    [path.join(folder, 'new.yaml'), edits.reduce(applyEdit, text)],
  ]);
  const [old = '', next = ''] = [...texts.keys()];
  const read = (file: string): Promise<string> => Promise.resolve(texts.get(file)).then((found) => found ?? readFile(file, 'utf8'));
  return compareContracts(old, next, { today: '2026-11-21', read });
}

describe.each([
  ['single edits', singleEdits, 40],
  ['combined edits', combinedEdits, 10],
] as const)('%s', (_, edits, number) => {
  test(`are ${number}`, () => expect(new Set(edits.map(({ title }) => title)).size).toBe(number));

  test.each(edits.map((edit) => [edit.title, edit] as const))(
    '%s',
    async (_title, edit) => {
      const { changes } = await compare(edit);
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

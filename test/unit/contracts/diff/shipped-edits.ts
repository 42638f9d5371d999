/** Edits of the shipped contracts: each is reported exactly once for each half of an exchange that it reaches, with its level, its line and a witness. */

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { compareOpenedContracts, openForComparison } from '../../../../contracts/diff/compare-contracts.ts';
import type { Change, ChangeLevel } from '../../../../core/change.ts';
import type { Document, ReadText } from '../../../../core/document.ts';
import { editDocument } from '../../../../core/edit.ts';
import { contractFile } from '../../../../core/shipped.ts';
import { addedAt, type ContractEdit, editsOf } from './contract-edits.ts';
import { type Reach, reachOf } from './reach.ts';
import { confirmWitness } from './witnesses/confirm-witness.ts';

const beside = 'A schema that holds together with this one says the same already, so that nothing changes.';

/** Edits that change nothing, by a pattern for the contract and their titles. */
const idle: readonly (readonly [RegExp, string])[] = [
  [/schemas\/(Identity|Menu\w*|Success|Entry(Page|Body)|OrderPage|OrderBody|Reservation(Page|Body))\/type: null is new/, beside],
  [/wiki \/components\/schemas\/Error\/properties\/error\/properties\/code\/type: null is new/, beside],
  [/schemas\/EntryPage\/properties\/(data|meta)\/type: null is new/, beside],
  [/schemas\/Entry(Page|Body)\/required: (data|meta) is required now/, beside],
  [/schema\/allOf\/1\/(properties\/error\/)?required: (error|code) is required now/, beside],
];

/** What breaks and cannot be shown: a header is written as a text, and `null` has none of its own. */
const unwritable = /components\/headers\/\w+\/schema\/type: null is new/;

/** Members that several schemas describe which hold together: what goes with one of them depends on what the others say. */
const shared: readonly RegExp[] = [
  /schemas\/(Success|EntryPage|EntryBody)\/properties\/(data|meta): is gone/,
  /schemas\/Error\/properties\/error(\/properties\/code)?: is gone/,
];

/** The edits of a contract of the package, and a check of one of them, which throws when the comparison does not report it as it should. */
export async function openEdits(
  name: string,
): Promise<{ readonly edits: readonly ContractEdit[]; readonly check: (edit: ContractEdit) => Promise<void> }> {
  const read = readerOf(contractFile(name));
  const [old, next] = [await openForComparison('old.yaml', read), await openForComparison('new.yaml', read)];
  const edits = editsOf(next.document.root).filter(({ title }) => !shared.some((pattern) => pattern.test(title)));
  const reach = reachOf(next.document);
  const check = async (edit: ContractEdit): Promise<void> => {
    const edited = editDocument(next.document, [edit.edit]);
    const options = { today: '2026-11-21', acceptances: [] };
    const { changes } = await compareOpenedContracts({ ...old, contract: undefined }, { document: edited, contract: undefined }, options);
    expect(changes.map(({ level }) => level).toSorted(), tell(changes)).toEqual(levelsOf(`${name} ${edit.title}`, edit, reach));
    for (const change of changes) {
      expect(linesOf(edit, next.document), tell(changes)).toContain(lineOf(change, edit, next.document));
      if (change.level === 'breaking' && edit.isOfSchema)
        expect(change.verdict, tell(changes)).toBe(unwritable.test(edit.title) ? 'unwitnessed' : 'witnessed');
      if (change.verdict !== 'witnessed' || !edit.isOfSchema) continue;
      const isRequest = change.direction === 'request';
      expect(confirmWitness(change, old.document.root, edited.root), tell(changes)).toEqual({ old: isRequest, new: !isRequest });
    }
  };
  return { edits, check };
}

/** The same text under two names, and the files that it refers to from the folder of the contract. */
function readerOf(contract: string): ReadText {
  return (file) => readFile(/^(old|new)\.yaml$/.test(file) ? contract : path.join(path.dirname(contract), file), 'utf8');
}

/** The levels to be told: one for each half of an exchange that the edited part is used in. */
function levelsOf(title: string, edit: ContractEdit, reach: Reach): readonly ChangeLevel[] {
  if (idle.some(([pattern]) => pattern.test(title))) return [];
  const halves = [...(reach.get(edit.holder) ?? [])];
  return halves.length === 0 ? [edit.levels.response] : halves.map((half) => edit.levels[half]).toSorted();
}

/** The lines that an edit may be told at: that of the member, that of its value, and that of what is new. */
function linesOf({ holder, member }: ContractEdit, document: Document): readonly number[] {
  const value = holder[member];
  const inside = typeof value === 'object' && value !== null ? [document.place(value).line] : [];
  return [document.place(holder, member).line, ...inside, addedAt.line];
}

/** The line that a change is told at: where there are two, the one that was meant. */
function lineOf({ before, after }: Change, edit: ContractEdit, document: Document): number {
  const lines = linesOf(edit, document);
  return lines.includes(before.place.line) ? before.place.line : after.place.line;
}

function tell(changes: readonly Change[]): string {
  const lines = changes.map(
    ({ id, level, verdict, location, text, before, after, operations }) =>
      `${level} ${verdict ?? ''} ${id} at ${location} (${before.place.line}/${after.place.line}, ${operations.length} operations): ${text}`,
  );
  return lines.length === 0 ? 'nothing is told' : `\n${lines.join('\n')}\n`;
}

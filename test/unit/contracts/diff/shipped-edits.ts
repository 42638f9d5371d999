/** Checks on edits of the shipped contracts: each is reported once, with its level, line and witness. */

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { compareLoadedContracts } from '../../../../contracts/diff/compare-contracts.ts';
import type { LoadedContract } from '../../../../contracts/diff/load-contract-pair.ts';
import { openDocument } from '../../../../core/openapi/contract.ts';
import { editDocument } from '../../../../core/openapi/copy-with-edits.ts';
import type { Document, ReadText } from '../../../../core/openapi/document.ts';
import { rawOf } from '../../../../core/openapi/raw-document.ts';
import { type Change, type ChangeLevel, changeLevels } from '../../../../core/results/diff-result.ts';
import { contractFile } from '../../../../core/shipped-files.ts';
import { addedAt, type ContractEdit, editsOf } from './contract-edits.ts';
import { type Reach, reachOf } from './reach.ts';
import { confirmWitness } from './witnesses/confirm-witness.ts';

const beside = 'A schema that holds together with this one says the same already, so that nothing changes.';

/** Edits without effect, by contract and title. */
const idle: readonly (readonly [RegExp, string])[] = [
  [/schemas\/(Identity|Menu\w*|Success|Entry(Page|Body)|OrderPage|OrderBody|Reservation(Page|Body))\/type: null is new/, beside],
  [/wiki \/components\/schemas\/Error\/properties\/error\/properties\/code\/type: null is new/, beside],
  [/schemas\/EntryPage\/properties\/meta\/type: null is new/, beside],
  [/schemas\/Entry(Page|Body)\/required: (data|meta) is required now/, beside],
  [/wiki \/components\/schemas\/(Success|Entry(Page|Body))\/required: data is no longer required/, beside],
  [/wiki \/components\/schemas\/EntryPage\/required: meta is no longer required/, beside],
  [/schemas\/AssignmentTime\/type: null is new/, beside],
  [/schema\/allOf\/1\/(properties\/error\/)?required: (error|code) is required now/, beside],
];

/** Breaking changes without a possible witness: headers are text, and `null` has no text form. */
const unwritable = /components\/headers\/\w+\/schema\/type: null is new/;

/** Properties described by several schemas of the same value: the effect of removing one depends on the others. */
const shared: readonly RegExp[] = [
  /schemas\/(Success|EntryPage|EntryBody)\/properties\/(data|meta): is gone/,
  /schemas\/Error\/properties\/error(\/properties\/code)?: is gone/,
];

/** The edits of a shipped contract, and a check that throws if the comparison does not report an edit correctly. */
export async function openEdits(
  name: string,
): Promise<{ readonly edits: readonly ContractEdit[]; readonly check: (edit: ContractEdit) => Promise<void> }> {
  const read = readerOf(contractFile(name));
  const [old, next] = [await openDocument('old.yaml', read), await openDocument('new.yaml', read)];
  const edits = editsOf(rawOf(next).root).filter(({ title }) => !shared.some((pattern) => pattern.test(title)));
  const reach = reachOf(next);
  const check = async (edit: ContractEdit): Promise<void> => {
    const edited = editDocument(next, [edit.edit]);
    const options = { today: '2026-11-21', acceptances: [] };
    const { changes } = await compareLoadedContracts([withoutContract(old), withoutContract(edited)], options);
    expect(changes.map(({ level }) => level).toSorted(), tell(changes)).toEqual(levelsOf(`${name} ${edit.title}`, edit, reach));
    for (const change of changes) {
      expect(linesOf(edit, next), tell(changes)).toContain(lineOf(change, edit, next));
      if (change.level === 'breaking' && edit.isOfSchema)
        expect(change.verdict, tell(changes)).toBe(unwritable.test(edit.title) ? 'unwitnessed' : 'witnessed');
      if (change.verdict !== 'witnessed' || !edit.isOfSchema) continue;
      const isRequest = change.direction === 'request';
      expect(confirmWitness(change, rawOf(old).root, rawOf(edited).root), tell(changes)).toEqual({ old: isRequest, new: !isRequest });
    }
  };
  return { edits, check };
}

function withoutContract(document: Document): LoadedContract {
  return { document, contract: undefined };
}

/** The same text under two names, and the referenced files in the folder of the contract. */
function readerOf(contract: string): ReadText {
  return (file) => readFile(/^(old|new)\.yaml$/.test(file) ? contract : path.join(path.dirname(contract), file), 'utf8');
}

/** Expected levels: the most severe one of the directions in which the edited part is used. */
function levelsOf(title: string, edit: ContractEdit, reach: Reach): readonly ChangeLevel[] {
  if (idle.some(([pattern]) => pattern.test(title))) return [];
  const halves = [...(reach.get(edit.holder) ?? [])];
  const levels = halves.length === 0 ? [edit.levels.response] : halves.map((half) => edit.levels[half]);
  return changeLevels.filter((level) => levels.includes(level)).slice(0, 1);
}

/** Lines that may be reported for an edit: of the member, of its value, or of the added value. */
function linesOf({ holder, member }: ContractEdit, document: Document): readonly number[] {
  const value = holder[member];
  const inside = typeof value === 'object' && value !== null ? [document.place(value).line] : [];
  return [document.place(holder, member).line, ...inside, addedAt.line];
}

/** The reported line of a change; of two, the one that matches the edit. */
function lineOf({ before, after }: Change, edit: ContractEdit, document: Document): number {
  const lines = linesOf(edit, document);
  return lines.includes(before.place.line) ? before.place.line : after.place.line;
}

function tell(changes: readonly Change[]): string {
  const lines = changes.map(
    ({ id, level, verdict, location, text, before, after, operations }) =>
      `${level} ${verdict ?? ''} ${id} at ${location} (${before.place.line}/${after.place.line}, ${operations.length} operations): ${text}`,
  );
  return lines.length === 0 ? 'nothing is reported' : `\n${lines.join('\n')}\n`;
}

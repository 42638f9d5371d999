/** Contracts before and after edits of their text, and the comparison of their annotations. */

import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { compareAnnotations } from '../../../../../contracts/diff/annotations/compare-annotations.ts';
import { compareLoadedContracts } from '../../../../../contracts/diff/compare-contracts.ts';
import type { LoadedContract } from '../../../../../contracts/diff/load-contract-pair.ts';
import { mergeDifferences } from '../../../../../contracts/diff/merge-differences.ts';
import { type Contract, loadUncheckedContract } from '../../../../../core/openapi/contract.ts';
import type { Change, ChangeLevel } from '../../../../../core/results/diff-result.ts';
import { contractFile } from '../../../../../core/shipped-files.ts';
import { notesText } from '../../../../helpers/contracts/notes-contract.ts';

/** A text and its replacement, for the first occurrence at or after another text; or an unspecified point to remove. */
export type TextEdit = readonly [piece: string, instead: string, behind?: string] | { readonly drop: string };

/** A change as `compareContracts` returns it, without its fingerprint. */
export type ListedChange = Omit<Change, 'fingerprint' | 'consequences'>;

/** The changes of annotations. Those in schemas are no annotations of operations, so the comparison of schemas finds them. */
async function listChanges(old: Contract, next: Contract): Promise<readonly ListedChange[]> {
  const differences = compareAnnotations(old, next);
  if (differences.length > 0) return await mergeDifferences(differences, () => Promise.resolve(true));
  const [before, after] = [old, next].map((contract) => ({ document: contract.document, contract })) as [LoadedContract, LoadedContract];
  const { changes } = await compareLoadedContracts([before, after], { today: '2026-11-21' });
  return changes;
}

/** Two contracts, and the changes between them. */
export interface Changed {
  readonly old: Contract;
  readonly next: Contract;
  readonly changes: readonly ListedChange[];
  /** Texts of both files. */
  readonly texts: readonly [string, string];
}

const contracts = new Map<string, Promise<{ readonly text: string; readonly contract: Contract }>>();

/** Compares a contract with an edited copy: a shipped one, `notes`, or one by its path. */
export function change(name: string, ...edits: readonly TextEdit[]): Promise<Changed> {
  return between(name, [], edits);
}

/** Compares two edited copies of a contract. */
export async function between(name: string, before: readonly TextEdit[], after: readonly TextEdit[]): Promise<Changed> {
  const [old, next] = [await open(name, before, 'old.yaml'), await open(name, after, 'new.yaml')];
  return { old: old.contract, next: next.contract, changes: await listChanges(old.contract, next.contract), texts: [old.text, next.text] };
}

/** The changes, one in each line. */
export function listed({ changes }: Pick<Changed, 'changes'>): readonly string[] {
  return changes.map(({ id, level, operations }) => `${id} ${level} ${operations.length}`);
}

/** The only change of an edit. */
export async function onlyChange(name: string, ...edits: readonly TextEdit[]): Promise<ListedChange & Pick<Changed, 'old' | 'next'>> {
  const { changes, old, next } = await change(name, ...edits);
  const [first, ...others] = changes;
  if (first !== undefined && others.length === 0) return { ...first, old, next };
  throw new Error(
    `one change was expected, and there are ${changes.length}: ${changes.map(({ id, text }) => `${id}: ${text}`).join('\n')}`,
  );
}

/** An edit, and the expected change. */
export interface Expected {
  readonly name: string;
  /** Edits of the old file only. */
  readonly before?: readonly TextEdit[];
  readonly edits: readonly TextEdit[];
  readonly id: string;
  readonly level: ChangeLevel;
  readonly verdict?: ListedChange['verdict'];
  /** Texts in the expected lines of the old and the new file; those of the first edit by default. */
  readonly lines?: readonly [string, string];
}

/** Expects exactly one change, with its level and the edited lines. */
export async function expectChange({ name, before = [], edits, id, level, verdict, lines }: Expected): Promise<ListedChange & Changed> {
  const changed = await between(name, before, edits);
  const [first, ...others] = changed.changes;
  expect([...(first === undefined ? [] : [first]), ...others].map((each) => `${each.id}: ${each.level}`)).toEqual([`${id}: ${level}`]);
  if (first === undefined) throw new Error('there is no change');
  expect({ id, verdict: first.verdict }).toEqual({ id, verdict });
  const [edit] = edits;
  const [piece = '', instead = '', behind = ''] = edit === undefined || 'drop' in edit ? [] : edit;
  const [oldPiece, newPiece] = lines ?? [piece, instead];
  const places = [first.before.place, first.after.place].map(({ file, line }) => `${file.replace(/^.*[/]/, '')}:${line}`);
  const [text, next] = changed.texts;
  expect(places).toEqual([`old.yaml:${lineOf(text, oldPiece, behind)}`, `new.yaml:${lineOf(next, newPiece, behind)}`]);
  return { ...changed, ...first };
}

function lineOf(text: string, piece: string, behind: string): number {
  const from = Math.max(0, text.indexOf(behind));
  const at = text.indexOf(piece.trim(), from);
  if (at < 0) throw new Error(`${piece} is not in the contract`);
  return text.slice(0, at).split('\n').length;
}

/** Files without edits are read once. */
function open(name: string, edits: readonly TextEdit[], as: string): Promise<{ readonly text: string; readonly contract: Contract }> {
  const key = JSON.stringify([name, edits, as]);
  const known = contracts.get(key) ?? read(name, edits, as);
  if (edits.length === 0) contracts.set(key, known);
  return known;
}

async function read(name: string, edits: readonly TextEdit[], as: string): Promise<{ readonly text: string; readonly contract: Contract }> {
  const original = name === 'notes' ? notesText : withoutExamples(await readFile(contractFile(name), 'utf8'));
  const file = name === 'notes' ? as : contractFile(name).replace(/[^/]*$/, as);
  const text = edits.reduce(applyEdit, original);
  return {
    text,
    contract: await loadUncheckedContract(file, (each) => (each.endsWith(as) ? Promise.resolve(text) : readFile(each, 'utf8'))),
  };
}

/** Removes examples, which take half of the loading time and have no rules. Every line stays in place. */
function withoutExamples(text: string): string {
  return text.replace(/^( +)examples?:.*\n(?:\1 +.*\n|\n)*/gm, (example) => example.replaceAll(/.+/g, ''));
}

function applyEdit(text: string, edit: TextEdit): string {
  const [piece, instead, behind = ''] = 'drop' in edit ? [blockOf(text, edit.drop), ''] : edit;
  const from = text.indexOf(behind);
  const at = from < 0 ? -1 : text.indexOf(piece, from);
  if (at < 0) throw new Error(`${piece} is not in the contract behind ${behind}`);
  return text.slice(0, at) + instead + text.slice(at + piece.length);
}

/** The lines of an unspecified point. */
function blockOf(text: string, id: string): string {
  return new RegExp(`^  ${id}:(?:\n +| \\{ )question.*\n(?: {3,}.*\n)*`, 'm').exec(text)?.[0] ?? id;
}

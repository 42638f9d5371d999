/** The two versions of a shipped contract that a reviewed edit makes. */

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type LoadedContractPair, loadContractPair } from '../../../../contracts/diff/load-contract-pair.ts';
import { contractFile } from '../../../../core/shipped-files.ts';
import type { ReviewedEdit, TextEdit } from './reviewed-edits.ts';

/** Opens the contract before and after an edit, without examples, which take half of the loading time and have no rules. */
export async function openEdited({ contract, edits }: ReviewedEdit): Promise<LoadedContractPair> {
  const folder = path.dirname(contractFile(contract));
  const text = withoutExamples(await readFile(contractFile(contract), 'utf8'));
  const texts = new Map([
    [path.join(folder, 'old.yaml'), text],
    [path.join(folder, 'new.yaml'), edits.reduce(applyEdit, text)],
  ]);
  const [old = '', next = ''] = [...texts.keys()];
  const read = (file: string): Promise<string> => Promise.resolve(texts.get(file)).then((found) => found ?? readFile(file, 'utf8'));
  return loadContractPair(old, next, read);
}

function withoutExamples(text: string): string {
  return text.replace(/^( +)examples?:.*\n(?:\1 +.*\n|\n)*/gm, '');
}

function applyEdit(text: string, [piece, instead, behind = '']: TextEdit): string {
  const from = text.indexOf(behind);
  const rest = text.slice(from).replace(piece, instead.replaceAll('$', '$$$$'));
  if (from < 0 || rest === text.slice(from)) throw new Error(`${String(piece)} is not in the contract`);
  return text.slice(0, from) + rest;
}

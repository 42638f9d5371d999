/** The two versions of a shipped contract that a reviewed edit makes. */

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import type { LoadedContract, LoadedContractPair } from '../../../../contracts/diff/load-contract-pair.ts';
import { contractOfDocument, openDocument } from '../../../../core/openapi/contract.ts';
import { contractFile } from '../../../../core/shipped-files.ts';
import type { ReviewedEdit, TextEdit } from './reviewed-edits.ts';

/** The contracts before any edit, by name. Reading one takes longer than a comparison. */
const originals = new Map<string, Promise<LoadedContract>>();

/** Opens the contract before and after an edit, without examples, which take half of the loading time and have no rules. */
export async function openEdited({ contract: name, edits }: ReviewedEdit): Promise<LoadedContractPair> {
  const text = withoutExamples(await readFile(contractFile(name), 'utf8'));
  const old = originals.get(name) ?? load(name, 'old.yaml', text);
  originals.set(name, old);
  const next = await load(name, 'new.yaml', edits.reduce(applyEdit, text));
  expect(next.contract?.validators.prepare() ?? []).toEqual([]);
  return [await old, next];
}

async function load(name: string, file: string, text: string): Promise<LoadedContract> {
  const place = path.join(path.dirname(contractFile(name)), file);
  const document = await openDocument(place, async (each) => (each === place ? text : readFile(each, 'utf8')));
  return { document, contract: await contractOfDocument(document) };
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

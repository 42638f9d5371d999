/** No annotation changes without a report, whether or not the rules know it. */

import { describe, expect, it } from 'vitest';
import { compareAnnotations } from '../../../../../contracts/diff/annotations/compare-annotations.ts';
import { listAnnotationMistakes } from '../../../../../core/annotations/check-annotation-syntax.ts';
import { SpecError } from '../../../../../core/errors.ts';
import type { Json } from '../../../../../core/json.ts';
import { type Contract, loadUncheckedContract } from '../../../../../core/openapi/contract.ts';
import { type Edit, editDocument } from '../../../../../core/openapi/copy-with-edits.ts';
import type { Document } from '../../../../../core/openapi/document.ts';
import { loadDocument } from '../../../../../core/openapi/loading/load-document.ts';
import { refuseTogether } from '../../../../../core/openapi/mending/set-aside.ts';
import { rawOf } from '../../../../../core/openapi/raw-document.ts';
import { toPointer } from '../../../../../core/pointer.ts';
import { contractFile } from '../../../../../core/shipped-files.ts';
import { notesText } from '../../../../helpers/contracts/notes-contract.ts';
import { openContract } from '../../../../helpers/exchange-judge.ts';

/** Every key inside an annotation. Personal data is marked in schemas, which are compared elsewhere. */
function* placesIn(value: Json, keys: readonly string[] = [], isInside = false): Generator<string> {
  if (isInside) yield toPointer(keys);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value))
    yield* placesIn(member as Json, [...keys, key], isInside || (key.startsWith('x-') && key !== 'x-personal'));
}

/** The contract without one key; `undefined` if the rest is invalid. Its choices are not tried, since that takes long. */
async function without(document: Document, at: string): Promise<Contract | undefined> {
  const edit: Edit = { op: 'remove', at };
  try {
    const edited = editDocument(document, [edit]);
    refuseTogether(await listAnnotationMistakes(edited, true));
    return await loadUncheckedContract('notes.json', async () => JSON.stringify(rawOf(edited).root));
  } catch (error) {
    if (error instanceof SpecError) return undefined;
    throw error;
  }
}

describe('every key of an annotation', () => {
  it('is reported when it is removed, and when it is added', { timeout: 120_000 }, async () => {
    const document = await loadDocument('notes.yaml', async () => notesText);
    const whole = await loadUncheckedContract('notes.yaml', async () => notesText);
    const silent: string[] = [];
    let contracts = 0;
    for (const at of placesIn(rawOf(document).root)) {
      const rest = await without(document, at);
      if (rest === undefined) continue;
      contracts += 1;
      const changes = [compareAnnotations(whole, rest), compareAnnotations(rest, whole)];
      if (changes.some((each) => each.length === 0)) silent.push(at);
      const sentences = changes.flat().flatMap(({ text, reason }) => [text, reason]);
      expect(sentences.filter((each) => /undefined|\[object/.test(each))).toEqual([]);
    }
    expect(silent).toEqual([]);
    expect(contracts).toBeGreaterThan(25);
  });

  it('is compared between unrelated contracts', async () => {
    const [left, right] = [await openContract(contractFile('business')), await openContract(contractFile('wiki'))];
    for (const changes of [compareAnnotations(left, right), compareAnnotations(right, left)]) {
      expect(changes.length).toBeGreaterThan(10);
      expect(changes.flatMap(({ operation }) => operation ?? [])).toEqual([]);
    }
  });
});

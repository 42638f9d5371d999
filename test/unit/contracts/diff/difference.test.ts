/** Fingerprints of annotation changes: acceptances refer to them, so they survive a new wording. */

import { describe, expect, it } from 'vitest';
import type { AnnotationChange } from '../../../../contracts/diff/annotations/compare-annotations.ts';
import { mergeDifferences, toDifferences } from '../../../../contracts/diff/merge-differences.ts';

const place = { file: 'a.yaml', pointer: '/paths', line: 1, column: 1 };
const change: AnnotationChange = {
  id: 'collection-tie-changed',
  level: 'breaking',
  operation: 'GET /things',
  operations: ['GET /things'],
  direction: undefined,
  location: 'order of GET /things',
  before: { value: 'id', place },
  after: { value: '-id', place },
  text: 'ties are now sorted by -id',
  reason: 'Pages differ.',
  affects: ['clients'],
  findWitness: undefined,
  names: undefined,
};

async function fingerprintOf(edited: Partial<AnnotationChange>): Promise<string | undefined> {
  const [merged] = await mergeDifferences(toDifferences({ ...change, ...edited }), () => Promise.resolve(false));
  return merged?.fingerprint;
}

describe('the fingerprint of an annotation change', () => {
  it('does not depend on its wording', async () => {
    expect(await fingerprintOf({ text: 'another sentence', reason: 'another reason' })).toBe(await fingerprintOf({}));
  });

  it.each([{ id: 'collection-order-changed' }, { location: 'order of GET /others' }, { after: { value: '-name', place } }])(
    'depends on %o',
    async (edited) => {
      expect(await fingerprintOf(edited)).not.toBe(await fingerprintOf({}));
    },
  );
});

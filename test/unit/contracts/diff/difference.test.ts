/** Fingerprints of annotation changes: acceptances refer to them, so they survive a new wording. */

import { describe, expect, it } from 'vitest';
import type { Difference } from '../../../../contracts/diff/difference.ts';
import { mergeDifferences } from '../../../../contracts/diff/merge-differences.ts';

const place = { file: 'a.yaml', line: 1, column: 1 };
const change: Difference = {
  id: 'collection-tie-changed',
  level: 'breaking',
  operation: 'GET /things',
  direction: undefined,
  at: { annotation: ['order', 'GET /things'] },
  before: { value: 'id', place },
  after: { value: '-id', place },
  text: 'ties are now sorted by -id',
  reason: 'Pages differ.',
  affects: ['clients'],
  findWitness: undefined,
  changedItem: 'order of GET /things',
};

async function fingerprintOf(edited: Partial<Difference>): Promise<string | undefined> {
  const [merged] = await mergeDifferences([{ ...change, ...edited }], () => Promise.resolve(false));
  return merged?.fingerprint;
}

describe('the fingerprint of an annotation change', () => {
  it('does not depend on its wording', async () => {
    expect(await fingerprintOf({ text: 'another sentence', reason: 'another reason' })).toBe(await fingerprintOf({}));
  });

  it.each([{ id: 'collection-order-changed' }, { at: { annotation: ['order', 'GET /others'] } }, { after: { value: '-name', place } }])(
    'depends on %o',
    async (edited) => {
      expect(await fingerprintOf(edited)).not.toBe(await fingerprintOf({}));
    },
  );
});

/** A sample of edits of the shipped contracts, each reported once. The campaign `contract-edits` tries all of them. */

import { describe, expect, test } from 'vitest';
import { listShipped } from '../../../../core/shipped-files.ts';
import { openEdits } from './shipped-edits.ts';

const stride = 47;

describe.each(listShipped())('%s', async (name) => {
  const { edits, check } = await openEdits(name);

  test('more than a hundred edits are derived', () => {
    expect(edits.length).toBeGreaterThan(100);
  });

  test.each(edits.filter((_, index) => index % stride === 0).map((edit) => [edit.title, edit] as const))('%s', (_, edit) => check(edit));
});

/** Checks what only a run can show. `tsc` checks that the fixtures compile with the types from each generator. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntryDetail, EntrySummary } from 'touchstone/types/wiki';
import { makeTypes, readTypes } from './package-types.ts';

const entry: EntrySummary = {
  slug: 'a',
  title: 'A',
  type: 'creature',
  visibility: 'public',
  icon_path: '/a.svg',
  updated_at: '2026-10-03T18:00:00Z',
};

test('the package exports the types of its contracts', async () => {
  for (const contract of ['business', 'wiki']) assert.equal(readTypes(contract), await makeTypes(contract), 'run npm run write-types');
  const detail: EntryDetail = { ...entry, body_public: 'Text.' };
  // @ts-expect-error: an entry has no such type.
  const wrong: EntryDetail = { ...detail, type: 'weather' };
  assert.ok(wrong);
});

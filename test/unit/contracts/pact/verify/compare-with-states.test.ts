/** Responses that look like the example, but do not fit what the target showed before: the next page, and the record of a list. */

import { describe, expect, it } from 'vitest';
import { compareWithStates } from '../../../../../contracts/pact/verify/check-response-fits-request.ts';
import type { Reply } from '../../../../../contracts/verify/evidence/call.ts';
import type { JsonObject } from '../../../../../core/json.ts';
import { pactOf } from '../../../../helpers/contracts/notes-pact.ts';
import { notesContract } from '../../../../helpers/contracts/notes-server.ts';
import { listIn, operationIn, replyTo } from '../../../../helpers/engine.ts';

const contract = await notesContract();
const list = listIn(contract, 'listNotes');
const record = (id: number): JsonObject => ({ id, at: '2026-03-01T10:00:00Z', state: 'open', title: `Note ${id}`, seen: 'public' });
const pact = pactOf(
  { description: 'a list', body: { notes: [{ id: 1, title: 'A' }] } },
  { description: 'refused', body: { notes: [{ seen: 'never' }] }, status: 422 },
);

describe('a page', () => {
  const page = (ids: readonly number[], cursor = 'second'): Reply =>
    replyTo(
      { operation: list },
      { body: { notes: ids.map(record), page: { more: true, next: 'third' } } },
      { target: `/notes?limit=2&cursor=${cursor}` },
    );

  it.each<readonly [string, Reply, string | undefined, string]>([
    ['that follows', page([7, 6]), undefined, ''],
    ['that follows and is short', page([7]), undefined, ''],
    ['that goes past what is known', page([7, 6, 5, 4]), undefined, ''],
    ['that begins with a new record', page([12, 7]), undefined, ''],
    ['that leaves out one record', page([6, 5]), '$.notes[0].id', 'the page omits a record that follows the previous page'],
    ['that leaves out several', page([5, 4]), '$.notes[0].id', 'the page omits 2 records that follow the previous page'],
    ['that leaves out one in the middle', page([7, 5]), '$.notes[1].id', 'the page omits a record that follows the previous page'],
    ['that begins elsewhere', page([3, 2]), '$.notes[0].id', 'the page does not continue where the previous page ended'],
    ['that is empty', page([]), '$.notes', 'the page does not continue where the previous page ended'],
    ['that is the one before', page([9, 8]), undefined, ''],
    ['that another cursor asks for', page([3, 2], 'another'), undefined, ''],
  ])('%s', (_, reply, path, diagnosis) => {
    const pageBefore = { list, keys: ['9', '8'], following: ['7', '6', '5'] };
    const [failure] = compareWithStates(contract, pact, { pageBefore, values: new Map([['cursor', 'second']]) }, reply);
    expect([failure?.path, failure?.diagnosis ?? '']).toEqual([path, diagnosis]);
  });
});

describe('a single read', () => {
  const same = { id: 4, title: 'Note 4', state: 'open', seen: 'public', at: '2026-03-01T11:00:00+01:00', text: 'Long' };

  it.each<readonly [string, JsonObject, string]>([
    ['is the same', same, ''],
    ['differs in what nobody relies on', { ...same, state: 'done', seen: 'team' }, ''],
    ['is another one', { ...same, id: 5, title: 'Note 5' }, ''],
    ['differs', { ...same, title: 'Another' }, '$.note.title: /title differs from the list (Note 4, Another)'],
    ['does not show it', { id: 4 }, ''],
    [
      'has an object there',
      { ...same, title: { a: 1 } },
      '$.note.title: /title differs from the list (Note 4, an object with other contents)',
    ],
  ])('%s', (_, note, told) => {
    const reply = replyTo({ operation: operationIn(contract, 'getNote') }, { body: { note } });
    const found = { name: 'notes', value: record(4), listed: { list, record: record(4) } };
    const [failure] = compareWithStates(contract, pact, { record: found, values: new Map() }, reply);
    expect(failure === undefined ? '' : `${failure.path}: ${failure.diagnosis} (${failure.expected}, ${failure.actual})`).toBe(told);
  });
});

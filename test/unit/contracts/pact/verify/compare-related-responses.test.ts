/** Checks of several answers: the failures that they find, and their confirmation by reading again. */

import { describe, expect, it } from 'vitest';
import {
  checkContinuation,
  checkShortPage,
  compareWithList,
  type UnconfirmedFailure,
} from '../../../../../contracts/pact/verify/compare-related-responses.ts';
import { findFollowing } from '../../../../../contracts/pact/verify/find-one-state.ts';
import type { Reply } from '../../../../../contracts/verify/evidence/call.ts';
import type { JsonObject } from '../../../../../core/json.ts';
import { pactOf } from '../../../../helpers/contracts/notes-pact.ts';
import { notesContract } from '../../../../helpers/contracts/notes-server.ts';
import { contractOf, listIn, operationIn, replyTo } from '../../../../helpers/engine.ts';

const contract = await notesContract();
const list = listIn(contract, 'listNotes');

/** A page of notes with these numbers. The given members replace the defaults. */
function page(ids: readonly number[], rest: { readonly more?: boolean; readonly next?: string; readonly note?: JsonObject } = {}): Reply {
  const notes = ids.map((id) => ({ id, at: '2026-03-01T10:00:00Z', state: 'open', title: `Note ${id}`, seen: 'public', ...rest.note }));
  const { more = false, next = null } = rest;
  return replyTo({ operation: list, raw: ['limit=2', 'cursor=first'] }, { body: { notes, page: { more, next } } });
}

/** Answers requests with these replies in turn, and records the requests. */
function answering(...replies: readonly Reply[]): {
  readonly ask: (call: Reply['call']) => Promise<Reply>;
  readonly asked: Reply['call'][];
} {
  const asked: Reply['call'][] = [];
  return {
    asked,
    ask: async (call) => {
      asked.push(call);
      const reply = replies[asked.length - 1];
      if (reply === undefined) throw new Error(`nobody expects request ${asked.length}`);
      return reply;
    },
  };
}

function found(unconfirmed: UnconfirmedFailure | undefined): UnconfirmedFailure {
  if (unconfirmed === undefined) throw new Error('nothing is suspected');
  return unconfirmed;
}

describe('a page', () => {
  const whole = page([9, 8, 7, 6, 5]);
  const [nine, eight] = [9, 8].map((id) => ({ ...(page([id]).body as { notes: [JsonObject] }).notes[0] }));
  const before = [nine, eight].filter((each) => each !== undefined);

  it.each<readonly [string, readonly number[], string | undefined, string]>([
    ['that follows', [7, 6], undefined, ''],
    ['that follows and is short', [7], undefined, ''],
    ['that goes past what is known', [7, 6, 5, 4], undefined, ''],
    ['that leaves out one record', [6, 5], '$.notes[0].id', 'the page omits a record that follows the previous page'],
    ['that leaves out several', [5, 4], '$.notes[0].id', 'the page omits 2 records that follow the previous page'],
    ['that leaves out one in the middle', [7, 5], '$.notes[1].id', 'the page omits a record that follows the previous page'],
    ['that begins elsewhere', [3, 2], '$.notes[0].id', 'the page does not continue where the previous page ended'],
    ['that is empty', [], '$.notes', 'the page does not continue where the previous page ended'],
  ])('%s', (_, ids, path, diagnosis) => {
    const following = findFollowing(list, whole, before);
    expect(following?.start).toBe(2);
    const unconfirmed = following && checkContinuation(following, page(ids));
    expect([unconfirmed?.failure.path, unconfirmed?.failure.diagnosis ?? '']).toEqual([path, diagnosis]);
  });

  it.each([
    ['the page before is not in the list', page([7, 6, 5])],
    ['the page before has changed', page([9, 8, 7], { note: { title: 'Another' } })],
    ['nothing follows it there', page([9, 8])],
    ['the list was not read', replyTo({ operation: list }, { status: 500 })],
  ])('is not judged when %s', (_, other) => {
    expect(findFollowing(list, other, before)).toBeUndefined();
  });

  it.each<readonly [string, Reply, Reply, boolean]>([
    ['the page and the list are as they were', page([6, 5]), whole, true],
    ['the list goes on in another way behind it', page([6, 5]), page([9, 8, 7, 3]), true],
    ['the page follows now', page([7, 6]), whole, false],
    ['the page leaves out another record now', page([5, 4]), whole, false],
    ['the list lacks the record', page([6, 5]), page([9, 8, 6, 5]), false],
    ['the record is not what it was', page([6, 5]), page([9, 8, 7], { note: { state: 'done' } }), false],
  ])('is reported only if it is confirmed: %s', async (_, again, wholeAgain, isStanding) => {
    const following = findFollowing(list, whole, before);
    const { confirm } = found(following && checkContinuation(following, page([6, 5])));
    expect(await confirm(answering(again, wholeAgain).ask)).toBe(isStanding);
  });
});

describe('a single read', () => {
  const pact = pactOf(
    { description: 'a list', body: { notes: [{ id: 1, title: 'A' }] } },
    { description: 'refused', body: { notes: [{ seen: 'never' }] }, status: 422 },
  );
  const listed = { reply: page([4]), record: (page([4]).body as { notes: [JsonObject] }).notes[0] };
  const detail = (note: JsonObject): Reply => replyTo({ operation: operationIn(contract, 'getNote') }, { body: { note } });
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
    const failure = compareWithList(contract, pact, listed, detail(note))?.failure;
    expect(failure === undefined ? '' : `${failure.path}: ${failure.diagnosis} (${failure.expected}, ${failure.actual})`).toBe(told);
  });

  it.each<readonly [string, Reply, Reply, boolean]>([
    ['both are as they were', detail({ ...same, title: 'Another' }), page([7, 4]), true],
    ['it agrees now', detail(same), page([4]), false],
    ['the list shows another one now', detail({ ...same, title: 'Another' }), page([4], { note: { title: 'Another' } }), false],
    ['the list does not show it now', detail({ ...same, title: 'Another' }), page([7]), false],
  ])('is reported only if it is confirmed: %s', async (_, again, listAgain, isStanding) => {
    const { confirm } = found(compareWithList(contract, pact, listed, detail({ ...same, title: 'Another' })));
    expect(await confirm(answering(again, listAgain).ask)).toBe(isStanding);
  });
});

describe('personal data', () => {
  it.each([
    ['differ', { name: 'Ada Other', phone: '+39 055 111' }],
    ['are null', { name: null, phone: null }],
  ])('are not printed if they %s', async (_, customer) => {
    const business = await contractOf('business');
    const path = '/api/integrations/v1/orders/index.php';
    const shown = { data: { orders: [{ id: 1, code: 'A', customer: { id: 2, name: 'Ada Personal', phone: '+39 055 000' } }] } };
    const reply = replyTo({ operation: listIn(business, 'listOrders') }, { body: shown });
    const alone = replyTo({ operation: operationIn(business, 'getOrder') }, { body: { data: { order: { id: 1, code: 'A', customer } } } });
    for (const relied of [{ name: 'Giulia' }, { phone: '1' }]) {
      const pact = pactOf({ description: 'orders', path, body: { data: { orders: [{ customer: relied }] } } });
      const { failure } = found(compareWithList(business, pact, { reply, record: shown.data.orders[0] ?? {} }, alone));
      expect(failure.path).toBe(`$.data.order.customer.${Object.keys(relied)[0]}`);
      expect(failure.expected).toBe('‹personal›');
      expect(JSON.stringify(failure)).not.toMatch(/Ada|055/);
    }
  });
});

describe('the end of a list', () => {
  const endless = page([1], { more: true, next: 'a b' });
  const empty = page([], { more: true, next: 'again' });

  it.each([
    ['a full page', page([2, 1], { more: true, next: 'x' }), 2],
    ['the last page', page([1]), 2],
    ['a page of unknown size', endless, undefined],
  ])('is not checked after %s', (_, reply, limit) => {
    expect(checkShortPage(list, reply, limit)).toEqual([]);
  });

  it.each<readonly [string, readonly Reply[], boolean]>([
    ['three empty pages that promise more', [empty, empty, empty], true],
    ['an empty page that promises nothing', [empty, page([])], false],
    ['a page with records', [page([1], { more: true, next: 'x' })], false],
    ['a refusal', [replyTo({ operation: list }, { status: 422 })], false],
    ['a page that promises more without a cursor', [page([], { more: true })], false],
  ])('is checked after a short page that announces more: %s', async (_, replies, isEndless) => {
    const { failure, confirm } = found(checkShortPage(list, endless, 2)[0]);
    const { ask, asked } = answering(...replies);
    expect(await confirm(ask)).toBe(isEndless);
    expect(failure).toMatchObject({ path: '$.page.more', diagnosis: expect.stringMatching(/^the list never ends/) });
    expect(asked[0]?.raw).toEqual(['limit=2', 'cursor=a%20b']);
  });
});

describe('a short page that announces another one', () => {
  const short = page([9, 8, 7, 3], { more: true, next: 'x' });
  const first = page([9, 8], { more: true, next: 'y' });

  it.each<readonly [string, readonly Reply[], boolean]>([
    ['smaller pages show more', [first, page([7, 6], { more: true }), short], true],
    ['smaller pages show the same', [first, page([7, 3], { more: true })], false],
    ['smaller pages go on after it', [first, page([7], { more: true })], false],
    ['smaller pages are in another order', [first, page([3, 7], { more: true })], false],
    ['smaller pages begin in another way', [page([9, 7], { more: true, next: 'y' })], false],
    ['there are no smaller pages', [page([9, 8])], false],
    ['it shows the record now', [first, page([7, 6], { more: true }), page([9, 8, 7, 6], { more: true, next: 'x' })], false],
  ])('may omit records: %s', async (_, replies, isHole) => {
    const { failure, confirm } = found(checkShortPage(list, short, 5)[1]);
    const { ask, asked } = answering(...replies);
    expect(await confirm(ask)).toBe(isHole);
    expect(failure).toMatchObject({ path: '$.notes', actual: '4 records', diagnosis: expect.stringContaining('that smaller pages have') });
    expect(asked.map(({ raw }) => raw).slice(0, 2)).toEqual(
      [
        ['cursor=first', 'limit=2'],
        ['limit=2', 'cursor=y'],
      ].slice(0, asked.length),
    );
  });

  it('is not compared with smaller pages if it has fewer than three records', () => {
    expect(checkShortPage(list, page([9, 8], { more: true, next: 'x' }), 5)).toHaveLength(1);
  });
});

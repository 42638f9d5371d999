/** Replies: what counts as a success, where the records of a list are, and bodies that are no JSON. */

import { describe, expect, test } from 'vitest';
import { isSuccess, recordsIn, tagOf } from '../../../contracts/call.ts';
import { contractOf, listIn, operationIn, replyTo } from '../../helpers/engine.ts';

const business = await contractOf('business');
const orders = { operation: listIn(business, 'listOrders') };

describe('replies', () => {
  test.each([
    [200, true],
    [204, true],
    [299, true],
    [199, false],
    [304, false],
    [422, false],
    [503, false],
  ])('%i: success is %s', (status, expected) => expect(isSuccess(replyTo(orders, { status }))).toBe(expected));

  test('records stand where the contract says; what is no object among them is none', () => {
    const body = { data: { orders: [{ id: 1 }, 'x', null, [1], { id: 2 }] } };
    expect(recordsIn(replyTo(orders, { body }))).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test.each([
    ['a failure', { status: 422, body: { data: { orders: [{ id: 1 }] } } }],
    ['no array', { body: { data: { orders: { id: 1 } } } }],
    ['nothing', {}],
  ])('%s has no records', (_, answer) => expect(recordsIn(replyTo(orders, answer))).toBeUndefined());

  test('an empty list is a list', () => expect(recordsIn(replyTo(orders, { body: { data: { orders: [] } } }))).toEqual([]));

  test('what lists nothing has no records', () => {
    const reply = replyTo({ operation: operationIn(business, 'getIdentity') }, { body: [{ id: 1 }] });
    expect(recordsIn(reply)).toBeUndefined();
  });

  test('the entity tag', () => {
    expect(tagOf(replyTo(orders, { headers: { etag: 'W/"1"' } }))).toBe('W/"1"');
    expect(tagOf(replyTo(orders, {}))).toBeUndefined();
  });
});

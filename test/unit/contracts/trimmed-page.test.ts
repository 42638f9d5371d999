/** A page with far more records than requested is kept as far as it shows that, and its list counts as incomplete. */

import { expect, test } from 'vitest';
import { concludeCheck } from '../../../contracts/verify/conclude-check.ts';
import { recordsIn } from '../../../contracts/verify/evidence/call.ts';
import type { RoundContext } from '../../../contracts/verify/evidence/round-context.ts';
import { rules } from '../../../contracts/verify/rules/rule-catalogue.ts';
import { contractOf, fakeTarget, listIn, openContext } from '../../helpers/engine.ts';
import { pageBody } from '../../helpers/lazy-list.ts';

const business = await contractOf('business');
const orders = listIn(business, 'listOrders');

function giving(length: number): RoundContext {
  const records = Array.from({ length }, (_, index) => ({ order_id: index + 1, updated_at: '2026-01-01T00:00:00Z' }));
  return openContext(
    business,
    fakeTarget(() => ({ body: pageBody(orders, { records, more: false }) })),
  );
}

test.each([
  [1000, 1000, 'complete'],
  [20_000, 1000, 'cut'],
])('%i records in a page of 100', async (given, kept, end) => {
  const pagination = await giving(given).pagination({ operation: orders, values: {}, limit: 100, maxPages: 2 });
  expect([...pagination.replies.map((reply) => recordsIn(reply)?.length), pagination.end]).toEqual([kept, end]);
});

test('so many records are a violation', async () => {
  const limitSize = rules.find(({ id }) => id === 'paging/limit-size');
  const context = giving(20_000);
  await limitSize?.examine(context, orders);
  const { message } = concludeCheck({ mutants: [], judge: () => limitSize?.judgeReplies?.(context, orders) });
  expect(message).toMatch(/must contain at most \d+ records; the page contains 1000$/);
});

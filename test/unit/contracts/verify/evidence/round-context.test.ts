import { expect, test } from 'vitest';
import type { RoundContext } from '../../../../../contracts/verify/evidence/round-context.ts';
import { violationsOf } from '../../../../../contracts/verify/rules/examinations/examine-every-reply.ts';
import { contractOf, fakeTarget, openContext, operationIn } from '../../../../helpers/engine.ts';

const business = await contractOf('business');
const wiki = await contractOf('wiki');
const menu = operationIn(business, 'getMenu');

const open = (): RoundContext =>
  openContext(
    business,
    fakeTarget(() => ({ body: {} })),
  );

test('a reply is judged by the contract of its context, and once', async () => {
  const context = open();
  const reply = await context.ask({ operation: menu });
  const violations = violationsOf(context, reply);
  expect(violationsOf(context, reply)).toBe(violations);
  // The wiki has no such path, so only the status of its success is wrong there.
  expect(violationsOf(context.withContract(wiki), reply).map(({ part }) => part)).toEqual(['status']);
  expect(violations.map(({ part }) => part)).not.toContain('status');
});

test('what follows from all replies so far is worked out again after a further one', async () => {
  const context = open();
  const count = ({ replies }: RoundContext, _name: string): number => replies.length;
  await context.ask({ operation: menu });
  expect(context.concludeSoFar(count, 'a')).toBe(1);
  await context.askAgain({ operation: menu });
  expect([context.concludeSoFar(count, 'a'), context.concludeSoFar(count, 'b')]).toEqual([2, 2]);
});

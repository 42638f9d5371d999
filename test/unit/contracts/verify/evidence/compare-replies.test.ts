import { expect, test } from 'vitest';
import type { Reply } from '../../../../../contracts/verify/evidence/call.ts';
import { describePlace, differencesBetween, lastingDifferences } from '../../../../../contracts/verify/evidence/compare-replies.ts';
import { type Answer, contractOf, fakeTarget, openContext, operationIn } from '../../../../helpers/engine.ts';

const business = await contractOf('business');
const operation = operationIn(business, 'getMenu');

async function repliesWith(...answers: readonly Answer[]): Promise<readonly Reply[]> {
  const context = openContext(
    business,
    fakeTarget((_, number) => answers[number - 1] ?? {}),
  );
  const replies: Reply[] = [];
  for (const _ of answers) replies.push(await context.askAgain({ operation }));
  return replies;
}

async function differ(one: Answer, other: Answer): Promise<readonly string[]> {
  const [first, second] = await repliesWith(one, other);
  if (first === undefined || second === undefined) throw new TypeError('no replies');
  return differencesBetween(first, second).map(describePlace);
}

async function differLastingly(first: readonly [Answer, Answer], second: readonly [Answer, Answer]): Promise<readonly string[]> {
  const [one, oneAgain, other, otherAgain] = await repliesWith(...first, ...second);
  if (one === undefined || oneAgain === undefined || other === undefined || otherAgain === undefined) throw new TypeError('no replies');
  return lastingDifferences([one, oneAgain], [other, otherAgain]).map(describePlace);
}

test('names the status, headers, and places in the body', async () => {
  expect(
    await differ({ status: 404, headers: { etag: '"a"' }, body: { a: { b: 1 } } }, { headers: { etag: '"b"' }, body: { a: { b: 2 } } }),
  ).toEqual(['status', 'header etag', '/a/b']);
  expect(await differ({ text: 'x' }, { text: 'y' })).toEqual(['the body']);
  expect(await differ({ body: 'x' }, { body: 'y' })).toEqual(['the body']);
});

test('a difference lasts if it is never seen between replies to the same request', async () => {
  const answer = (kept: number, changing: number): Answer => ({ body: { kept, changing, list: [{ changing, kept }] } });
  expect(await differLastingly([answer(1, 1), answer(1, 2)], [answer(2, 3), answer(2, 4)])).toEqual(['/kept']);
});

test('a header or a member named like another part is a place of its own', async () => {
  const [one, other] = [
    { headers: { '/a': '1' }, body: { status: 1 } },
    { headers: { '/a': '2' }, body: { status: 2 } },
  ];
  expect(await differLastingly([one, one], [other, other])).toEqual(['header /a', '/status']);
});

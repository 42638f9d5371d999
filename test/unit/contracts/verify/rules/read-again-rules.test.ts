/** Reads that must be alike: at the same time, and with HEAD. */

import { expect, test } from 'vitest';
import { concludeCheck } from '../../../../../contracts/verify/conclude-check.ts';
import { readAgainRules } from '../../../../../contracts/verify/rules/read-again-rules.ts';
import type { Target } from '../../../../../contracts/verify/target/open-target.ts';
import { loadContract } from '../../../../../core/openapi/contract.ts';
import { contractOf, fakeTarget, openContext } from '../../../../helpers/engine.ts';

const contract = await contractOf('plain');
const [greeting, room] = ['/greeting', '/rooms/{room}'].map((path) => contract.operations.find((each) => each.path === path));
if (greeting === undefined || room === undefined) throw new Error('The fixture lacks a path');

/** A server that remembers its request while it waits for its data: in a variable of the request, or of all requests. */
function waitingServer(isShared: boolean): Target {
  let remembered = '';
  const server = fakeTarget(({ target }) => ({ body: { answerTo: target } }));
  return {
    ...server,
    send: async (request) => {
      remembered = request.target;
      for (let turn = 0; turn < 20; turn += 1) await undefined;
      return server.send(isShared ? { ...request, target: remembered } : request);
    },
  };
}

test.each([
  [true, 'violated'],
  [false, 'holds'],
] as const)('a variable of all requests (%s): %s', async (isShared, verdict) => {
  const context = openContext(contract, waitingServer(isShared));
  await context.ask({ operation: room, values: { room: 4 } });
  const rule = readAgainRules.find(({ id }) => id === 'requests/repeated');
  const examination = await rule?.examine(context, greeting);
  if (examination === undefined || !('judge' in examination)) throw new Error('The rule was not examined');
  const outcome = concludeCheck(examination);
  expect([outcome.verdict, outcome.contradictions.map(({ actual }) => actual)]).toEqual([
    verdict,
    isShared ? ['it returns the response to GET /rooms/4'] : [],
  ]);
});

/** The verdict on a server whose HEAD gets 200 where its GET gets 204, by the documented statuses of HEAD. */
test.each([
  ['200', undefined],
  ['204', 'violated'],
  [undefined, 'violated'],
])('HEAD gets another status than GET, where the file documents %s: %s', async (documented, verdict) => {
  const get = { responses: { 204: { description: '' } } };
  const head = documented === undefined ? {} : { head: { responses: { [documented]: { description: '' } } } };
  const file = { openapi: '3.1.0', info: { title: 'A', version: '1' }, paths: { '/a': { get, ...head } } };
  const own = await loadContract('a.json', async () => JSON.stringify(file));
  const context = openContext(
    own,
    fakeTarget(({ method }) => ({ status: method === 'HEAD' ? 200 : 204 })),
  );
  const rule = readAgainRules.find(({ id }) => id === 'requests/head');
  const [operation] = own.operations;
  const examination = operation === undefined ? undefined : await rule?.examine(context, operation);
  if (examination === undefined || !('judge' in examination)) throw new Error('The rule was not examined');
  const outcome = concludeCheck(examination);
  expect(outcome.contradictions.length > 0 ? outcome.verdict : undefined).toBe(verdict);
});

/** Before a run: a target that is no API, refuses the key or is unreachable gets one paragraph; anything that can be judged is. */

import { describe, expect, test } from 'vitest';
import type { RoundContext } from '../../../../contracts/verify/evidence/round-context.ts';
import { findObstacle } from '../../../../contracts/verify/preflight.ts';
import {
  type Answer,
  contractOf,
  type Failure,
  type FakeTarget,
  fakeTarget,
  openContext,
  openSession,
  operationIn,
} from '../../../helpers/engine.ts';

const business = await contractOf('business');
const wiki = await contractOf('wiki');
const json: Answer = { body: { ok: true } };

interface Looked {
  readonly obstacle: string | undefined;
  readonly context: RoundContext;
  readonly target: FakeTarget;
}

async function look(
  contract: typeof business,
  answer: (path: string, headers: Readonly<Record<string, unknown>>) => Answer | Failure,
): Promise<Looked> {
  const target = fakeTarget((request) => answer(request.target, request.headers));
  const context = openContext(contract, target);
  return { obstacle: await findObstacle(context), context, target };
}

describe('a target that can be judged', () => {
  test('is asked once', async () => {
    const { obstacle, target } = await look(business, () => json);
    expect([obstacle, target.requests.length]).toEqual([undefined, 1]);
  });

  test.each([
    ['a failure of its own', { status: 500, body: { ok: false } }],
    ['a rejection of a right request', { status: 422, body: { ok: false } }],
    ['a missing scope', { status: 403, body: { ok: false } }],
  ])('answers with %s: that is for the rules', async (_, answer) => expect((await look(business, () => answer)).obstacle).toBeUndefined());

  test('may lack some of its operations', async () => {
    const { obstacle } = await look(business, (path) => (path.includes('whoami') ? json : { status: 404, body: {} }));
    expect(obstacle).toBeUndefined();
  });

  test('may read one carrier only: the session uses that one from then on', async () => {
    const { obstacle, context } = await look(business, (_, headers) => ('authorization' in headers ? json : { status: 401, body: {} }));
    expect([obstacle, context.session.carrier]).toEqual([undefined, 1]);
    await context.ask({ operation: operationIn(business, 'getMenu') });
    expect(context.replies.at(-1)?.request.headers).toHaveProperty('authorization');
  });

  test('may be busy at first', async () => {
    let asked = 0;
    const { obstacle } = await look(business, () => {
      asked += 1;
      return asked < 3 ? { status: 503, headers: { 'retry-after': '1' } } : json;
    });
    expect(obstacle).toBeUndefined();
  });

  test('may ask for a key where none is needed: a rule names that', async () => {
    expect((await look(wiki, () => ({ status: 401, body: { ok: false } }))).obstacle).toBeUndefined();
  });
});

describe('a target that cannot be judged', () => {
  test.each<[string, Answer | Failure, string]>([
    [
      'redirects',
      { status: 302, headers: { location: 'https://login.example/start?return=%2Fsecret' } },
      'listOrders redirects to https://login.example/start (302), and keys are not sent there. Nothing was checked; give --target the address that responds without a redirect.',
    ],
    [
      'redirects nowhere',
      { status: 301 },
      'listOrders redirects to another place (301), and keys are not sent there. Nothing was checked; give --target the address that responds without a redirect.',
    ],
    [
      'rejects the key',
      { status: 401, body: { ok: false } },
      'The target rejects the key (401 for GET /api/integrations/v1/orders/index.php): it is wrong, expired, or for another environment. Nothing was checked; check the variable that --key full=VARIABLE names.',
    ],
    [
      'is another service',
      { status: 404, body: { ok: false } },
      'The target responds to GET /api/integrations/v1/orders/index.php with 404: the address may lack a path prefix, or it is another service. Nothing was checked; check --target.',
    ],
    [
      'shows a web page',
      { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, text: '<html>Sign in</html>' },
      'The target responds to GET /api/integrations/v1/orders/index.php with a web page (200) instead of JSON: a login page, a proxy or a maintenance page is in front of the API. Nothing was checked; see what --target shows in a browser, and whether a gateway wants a --header.',
    ],
    [
      'shows a web page that passes for JSON in its first letter',
      { status: 200, headers: { 'content-type': 'text/html' }, text: '1' },
      'with a web page (200) instead of JSON',
    ],
    [
      'answers without JSON',
      { status: 200, headers: { 'content-type': 'text/plain' }, text: 'OK' },
      'The target responds to GET /api/integrations/v1/orders/index.php with 200 and no JSON, as to all other operations. Nothing was checked; check that --target is the API.',
    ],
    [
      'is not there',
      { cause: 'unreachable', message: 'nothing listens at 127.0.0.1:1; start it' },
      'Nothing listens at 127.0.0.1:1; start it. Nothing was checked; try again when the target responds.',
    ],
    ['is not ready', { status: 503 }, 'is not available (503). Nothing was checked; try again when the target responds.'],
    [
      'throttles for a day',
      { status: 429, headers: { 'retry-after': '86400' } },
      'returned 429 for longer than a run can wait. Nothing was checked; try again when the target responds.',
    ],
  ])('because it %s', async (_, answer, sentence) => {
    const { obstacle, target } = await look(business, () => answer);
    expect(obstacle).toContain(sentence);
    expect(target.requests.length).toBeLessThanOrEqual(5 * 4);
  });

  test('is asked little more than once for each operation that needs nothing but a key', async () => {
    const { target } = await look(business, () => ({ status: 404, body: {} }));
    expect(target.requests.length).toBeLessThanOrEqual(10);
    expect(new Set(target.requests.map((request) => request.target.split('?')[0])).size).toBe(5);
  });
});

describe('what else can happen', () => {
  test.each([
    [0, undefined],
    [1, 'The target responds to GET'],
  ])('a budget of %i that ends here: what was seen until then counts', async (budget, expected) => {
    const target = fakeTarget(() => ({ status: 404, body: {} }));
    const obstacle = await findObstacle(openContext(business, target, { session: openSession(target, { budget }).session }));
    expect([obstacle?.slice(0, 26), target.requests.length]).toEqual([expected, budget]);
  });

  test('a contract whose operations all need a record has nothing to ask first', async () => {
    const contract = { ...business, operations: business.operations.filter(({ id }) => id === 'getReservation') };
    expect(
      await findObstacle(
        openContext(
          contract,
          fakeTarget(() => json),
        ),
      ),
    ).toBeUndefined();
  });
});

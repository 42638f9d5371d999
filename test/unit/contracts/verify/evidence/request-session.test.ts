/** Sessions: the limit of requests, the pace, and targets that ask to come back later, fail, or are interrupted. */

import { array, assert, asyncProperty, constantFrom, integer } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Blocked } from '../../../../../contracts/verify/evidence/blocked-operations.ts';
import type { Call } from '../../../../../contracts/verify/evidence/call.ts';
import { BudgetSpent, type Session } from '../../../../../contracts/verify/evidence/request-session.ts';
import { type Answer, contractOf, type Failure, fakeClock, fakeTarget, openSession, operationIn } from '../../../../helpers/engine.ts';
import { queryOf } from '../../../../helpers/lazy-list.ts';

const business = await contractOf('business');
const wiki = await contractOf('wiki');
const orders: Call = { operation: operationIn(business, 'listOrders') };
const menu: Call = { operation: operationIn(business, 'getMenu') };

const ok: Answer = { body: {} };
const lost: Failure = { cause: 'broken', message: 'the connection broke' };

/** A target that gives these answers in turn, and then the last one again and again. */
function inTurn(...answers: readonly (Answer | Failure)[]): ReturnType<typeof fakeTarget> {
  return fakeTarget((_, number) => answers[Math.min(number, answers.length) - 1] ?? ok);
}

const throttled = (seconds?: number): Answer => ({ status: 429, headers: seconds === undefined ? {} : { 'retry-after': `${seconds}` } });

/** Asks once, whatever comes of it. */
async function tryAsking(session: Session, call: Call): Promise<string> {
  try {
    return String((await session.ask(call)).response.status);
  } catch (error) {
    if (error instanceof Blocked || error instanceof BudgetSpent) return error.name;
    throw error;
  }
}

/** One step of a random plan: asking for something, for two things at once, or keeping requests back. */
async function follow(session: Session, step: string): Promise<void> {
  const calls: Readonly<Record<string, readonly Call[]>> = { orders: [orders], menu: [menu], together: [orders, menu] };
  if (step === 'reserve' || step === 'free') session.reserve(step === 'reserve' ? 3 : 0);
  await Promise.all((calls[step] ?? []).map((each) => tryAsking(session, each)));
}

describe('a page size that the target refuses', () => {
  const operation = operationIn(wiki, 'listEntries');
  const atMost = (most: number): ReturnType<typeof fakeTarget> =>
    fakeTarget(({ target }) => (Number(queryOf(target).get('limit')) > most ? { status: 400 } : { body: {} }));

  test('is replaced by the default, from the first refusal on', async () => {
    const target = atMost(50);
    const { session } = openSession(target);
    const calls: readonly Call[] = [
      { operation, values: { limit: 100 } },
      { operation, values: { limit: 93, page: 2 } },
      { operation, values: { limit: 7 } },
    ];
    const replies = [];
    for (const call of calls) replies.push(await session.ask(call));
    expect(replies.map(({ call, response }) => [response.status, call.values])).toEqual([
      [200, { limit: 30 }],
      [200, { limit: 30, page: 2 }],
      [200, { limit: 7 }],
    ]);
    expect(target.requests).toHaveLength(4);
  });

  test('stays if the refusal has another reason, if the page is a later one, or if the contract states a maximum', async () => {
    const target = atMost(0);
    const { session } = openSession(target);
    expect((await session.ask({ operation, values: { limit: 100 } })).call.values).toEqual({ limit: 100 });
    expect((await session.ask({ operation, values: { limit: 100, page: 2 } })).call.values).toEqual({ limit: 100, page: 2 });
    expect((await session.ask({ ...orders, values: { limit: 100 } })).call.values).toEqual({ limit: 100 });
    expect(target.requests).toHaveLength(4);
  });
});

describe('the budget', () => {
  test('ends the run with the last request that it allows', async () => {
    const target = inTurn(ok);
    const { session } = openSession(target, { budget: 2 });
    expect([await tryAsking(session, orders), await tryAsking(session, menu), session.requestsLeft]).toEqual(['200', '200', 0]);
    await expect(session.ask(orders)).rejects.toThrow('the budget of 2 requests is too small for this; raise --budget');
    expect(target.requests).toHaveLength(2);
  });

  test('counts repetitions, of throttled requests and of lost ones', async () => {
    const target = inTurn(throttled(1), lost, throttled(1), ok);
    const { session } = openSession(target, { budget: 3 });
    expect(await tryAsking(session, orders)).toBe('BudgetSpent');
    expect([target.requests.length, session.requests]).toEqual([3, 3]);
  });

  test('keeps a reserve back until it is freed', async () => {
    const { session } = openSession(inTurn(ok), { budget: 3 });
    session.reserve(2);
    expect([session.requestsLeft, await tryAsking(session, orders), await tryAsking(session, orders)]).toEqual([1, '200', 'BudgetSpent']);
    session.reserve(0);
    expect([session.requestsLeft, await tryAsking(session, orders), await tryAsking(session, orders)]).toEqual([2, '200', '200']);
    session.reserve(99);
    expect(session.requestsLeft).toBe(0);
  });

  test('of 0 sends nothing', async () => {
    const target = inTurn(ok);
    expect(await tryAsking(openSession(target, { budget: 0 }).session, orders)).toBe('BudgetSpent');
    expect(target.requests).toEqual([]);
  });

  test('is never exceeded, whatever is answered and however often is asked', async () => {
    const answers = constantFrom<Answer | Failure>(ok, throttled(), throttled(0), throttled(50), { status: 503 }, lost, { status: 500 });
    const steps = array(constantFrom('orders', 'menu', 'reserve', 'free', 'together'), { maxLength: 12 });
    await assert(
      asyncProperty(array(answers, { minLength: 1 }), integer({ min: 0, max: 12 }), steps, async (given, budget, plan) => {
        const target = inTurn(...given);
        const { session } = openSession(target, { budget });
        for (const step of plan) await follow(session, step);
        expect(target.requests.length).toBeLessThanOrEqual(budget);
        expect(session.requests).toBe(target.requests.length);
      }),
      { numRuns: 200, seed: 1 },
    );
  });
});

describe('the pace', () => {
  test('leaves the time between requests that the rate asks for', async () => {
    const clock = fakeClock();
    const { session } = openSession(inTurn(ok), { rate: 4, clock });
    for (let index = 0; index < 4; index += 1) await session.ask(orders);
    expect(clock.slept).toEqual([250, 250, 250]);
  });

  test('counts the time that has passed by itself, and saves none up', async () => {
    const clock = fakeClock();
    const { session } = openSession(inTurn(ok), { rate: 1, clock });
    await session.ask(orders);
    await clock.sleep(600);
    await session.ask(orders);
    await clock.sleep(5000);
    await session.ask(orders);
    await session.ask(orders);
    expect(clock.slept).toEqual([600, 400, 5000, 1000]);
  });

  test('holds for requests side by side', async () => {
    const clock = fakeClock();
    const { session } = openSession(inTurn(ok), { rate: 4, clock });
    await Promise.all([session.ask(orders), session.ask(orders), session.ask(orders)]);
    expect(clock.slept).toEqual([250, 250]);
  });

  test('holds for repetitions too, and is none without a rate', async () => {
    const clock = fakeClock();
    await openSession(inTurn(lost, lost, ok), { rate: 2, clock }).session.ask(orders);
    expect(clock.slept).toEqual([500, 500]);
    const unpaced = fakeClock();
    await openSession(inTurn(lost, lost, ok), { clock: unpaced }).session.ask(orders);
    expect(unpaced.slept).toEqual([]);
  });
});

describe('a target that throttles', () => {
  test('is asked again after the seconds that it names, and the run says that it waits', async () => {
    const clock = fakeClock();
    const { session, events } = openSession(inTurn(throttled(7), throttled(0), ok), { clock });
    expect((await session.ask(orders)).response.status).toBe(200);
    expect(clock.slept).toEqual([7000, 0]);
    expect(events.filter(({ kind }) => kind === 'waiting')).toEqual([
      { kind: 'waiting', seconds: 7, because: 'the target asks for fewer requests (429)' },
    ]);
    expect(session.replies.map(({ response }) => response.status)).toEqual([429, 429, 200]);
  });

  test('by its own clock when it names a date', async () => {
    const clock = fakeClock();
    const headers = { date: 'Tue, 01 Mar 2033 10:00:00 GMT', 'retry-after': 'Tue, 01 Mar 2033 10:00:09 GMT' };
    await openSession(inTurn({ status: 429, headers }, ok), { clock }).session.ask(orders);
    expect(clock.slept).toEqual([9000]);
  });

  test('is given more and more time when it names none, and then given up', async () => {
    const clock = fakeClock();
    const target = inTurn(throttled());
    const { session } = openSession(target, { clock });
    await expect(session.ask(orders)).rejects.toThrow('listOrders returned 429 for longer than a run can wait');
    expect([clock.slept, target.requests.length]).toEqual([[1000, 2000, 4000], 4]);
  });

  test('is not waited for longer than the patience of the run, all waits together', async () => {
    const clock = fakeClock();
    const target = inTurn(throttled(60), throttled(60), throttled(1));
    const { session } = openSession(target, { clock });
    await expect(session.ask(orders)).rejects.toThrow(Blocked);
    expect([clock.slept, target.requests.length]).toEqual([[60_000, 60_000], 3]);
    await expect(session.ask(menu)).rejects.toThrow('getMenu returned 429');
    expect(target.requests).toHaveLength(4);
  });

  test('for a day is given up at once', async () => {
    const clock = fakeClock();
    const target = inTurn(throttled(86_400));
    expect(await tryAsking(openSession(target, { clock }).session, orders)).toBe('Blocked');
    expect([clock.slept, target.requests.length]).toEqual([[], 1]);
  });
});

describe('a target that is not ready', () => {
  test('is asked again soon', async () => {
    const clock = fakeClock();
    const { session, events } = openSession(inTurn({ status: 503 }, { status: 503, headers: { 'retry-after': '2' } }, ok), { clock });
    expect(await tryAsking(session, orders)).toBe('200');
    expect(clock.slept).toEqual([200, 2000]);
    expect(events.filter(({ kind }) => kind === 'waiting')).toEqual([
      { kind: 'waiting', seconds: 2, because: 'the target is not ready (503)' },
    ]);
  });

  test('blocks its operation, is not asked for it again, and is asked for others', async () => {
    const target = fakeTarget(({ target: asked }) => (asked.includes('orders') ? { status: 503 } : ok));
    const { session } = openSession(target);
    await expect(session.ask(orders)).rejects.toThrow('listOrders is not available (503)');
    expect(target.requests).toHaveLength(4);
    await expect(session.ask(orders)).rejects.toThrow('listOrders is not available (503)');
    expect(target.requests).toHaveLength(4);
    expect(await tryAsking(session, menu)).toBe('200');
  });
});

describe('a network that fails', () => {
  test('once, and the request is repeated; both are reported', async () => {
    const { session, events } = openSession(inTurn(lost, ok));
    const reply = await session.ask(orders);
    expect([reply.number, session.replies.length]).toEqual([2, 1]);
    expect(events).toMatchObject([
      { kind: 'request', number: 1, status: undefined },
      { kind: 'request', number: 2, status: 200 },
    ]);
  });

  test('again and again at one operation blocks it, with its own words, and nothing else', async () => {
    const target = fakeTarget(({ target: asked }) => (asked.includes('orders') ? lost : ok));
    const { session } = openSession(target);
    await expect(session.ask(orders)).rejects.toThrow('listOrders: the connection broke');
    expect(target.requests).toHaveLength(4);
    await expect(session.ask(orders)).rejects.toThrow(Blocked);
    expect(target.requests).toHaveLength(4);
    expect(await tryAsking(session, menu)).toBe('200');
  });

  test('now and then, with answers between, blocks nothing', async () => {
    const target = fakeTarget((_, number) => (number % 3 === 0 ? ok : lost));
    const { session } = openSession(target);
    for (let index = 0; index < 5; index += 1) expect(await tryAsking(session, orders)).toBe('200');
    expect(target.requests).toHaveLength(15);
  });

  test.each(['unknown-host', 'certificate', 'proxy'] as const)('for a reason that lasts (%s) is not tried again', async (cause) => {
    const target = inTurn(ok, { cause, message: 'it lasts' });
    const { session } = openSession(target);
    await session.ask(orders);
    await expect(session.ask(orders)).rejects.toThrow('it lasts');
    expect(target.requests).toHaveLength(2);
  });

  test('at the very first request: neither what nothing listens at nor what is silent is tried again', async () => {
    const closed = inTurn({ cause: 'unreachable', message: 'nothing listens' });
    expect([await tryAsking(openSession(closed).session, orders), closed.requests.length]).toEqual(['Blocked', 1]);
    const slow = inTurn({ cause: 'timeout', message: 'it is slow' });
    const { session } = openSession(slow);
    expect([await tryAsking(session, orders), slow.requests.length, session.loss]).toEqual(['Blocked', 1, undefined]);
    expect([await tryAsking(session, menu), slow.requests.length, session.loss]).toEqual(['Blocked', 2, 'it is slow']);
  });

  test('at one operation that hangs: the others are asked on, until so many hang that the target is gone', async () => {
    const late: Failure = { cause: 'timeout', message: 'it is slow' };
    const hanging = new Set(['listOrders']);
    const target = fakeTarget(({ target: path }) =>
      business.operations.some((each) => hanging.has(each.id) && path.startsWith(each.path)) ? late : ok,
    );
    const { session } = openSession(target);
    await tryAsking(session, { operation: operationIn(business, 'getIdentity') });
    await expect(session.ask(orders)).rejects.toThrow('listOrders does not respond: it is slow');
    expect([await tryAsking(session, menu), await tryAsking(session, orders), session.loss]).toEqual(['200', 'Blocked', undefined]);
    for (const each of ['getMenu', 'getIdentity', 'listReservations']) hanging.add(each);
    for (const id of ['getIdentity', 'listReservations', 'getMenu']) await tryAsking(session, { operation: operationIn(business, id) });
    expect(session.loss).toBe('it is slow');
  });
});

describe('an interruption', () => {
  /** A user who interrupts when told to, and a clock on which every sleep lasts forever. */
  function stopping(): { readonly stop: () => void; readonly interrupted: Promise<void>; readonly clock: ReturnType<typeof fakeClock> } {
    let stop = (): void => undefined;
    const interrupted = new Promise<void>((resolve) => {
      stop = resolve;
    });
    return { stop, interrupted, clock: { slept: [], nowMs: () => 0, sleep: () => new Promise(() => undefined) } };
  }

  test.each([
    ['for a target that throttles', undefined, [throttled(60), ok], 1],
    ['for a target that is not ready', undefined, [{ status: 503 }, ok], 1],
    ['for the pace', 1, [ok], 1],
  ] as const)('cuts a wait %s short, and nothing is sent after it', async (_, rate, answers, sent) => {
    const target = inTurn(...answers);
    const { stop, interrupted, clock } = stopping();
    const { session } = openSession(target, { rate, clock, interrupted });
    if (rate !== undefined) await session.ask(orders);
    const asking = session.ask(orders);
    stop();
    await expect(asking).rejects.toThrow('the run was interrupted');
    await expect(session.ask(menu)).rejects.toThrow(BudgetSpent);
    expect(target.requests).toHaveLength(sent);
  });

  test('between two requests ends the run as well', async () => {
    const target = inTurn(ok);
    const { stop, interrupted } = stopping();
    const { session } = openSession(target, { interrupted });
    await session.ask(orders);
    stop();
    await interrupted;
    await expect(session.ask(orders)).rejects.toThrow('the run was interrupted');
    expect(target.requests).toHaveLength(1);
  });
});

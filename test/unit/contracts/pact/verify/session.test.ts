/** A session returns an expected 429 or 503 at once, and stops at once when the user interrupts it. */

import { describe, expect, it } from 'vitest';
import { Blocked } from '../../../../../contracts/verify/evidence/blocked-operations.ts';
import type { Call, Reply } from '../../../../../contracts/verify/evidence/call.ts';
import { BudgetSpent } from '../../../../../contracts/verify/evidence/request-session.ts';
import type { Target } from '../../../../../contracts/verify/target/open-target.ts';
import { contractOf, fakeClock, fakeTarget, openSession, operationIn } from '../../../../helpers/engine.ts';

const business = await contractOf('business');
const orders: Call = { operation: operationIn(business, 'listOrders') };

describe('an expected 429 or 503', () => {
  it.each([429, 503])('of %i is returned at once, and its operation is not blocked', async (status) => {
    const clock = fakeClock();
    const target = fakeTarget((_, number) => (number === 1 ? { status, headers: { 'retry-after': '7' } } : { body: {} }));
    const { session } = openSession(target, { clock });
    const reply = await session.ask({ ...orders, expected: status });
    expect(reply.response).toMatchObject({ status, headers: { 'retry-after': '7' } });
    expect((await session.ask(orders)).response.status).toBe(200);
    expect([clock.slept, session.requests]).toEqual([[], 2]);
  });

  it('does not cover another status, and no event is sent for it', async () => {
    const clock = fakeClock();
    const target = fakeTarget(() => ({ status: 503 }));
    const { session } = openSession(target, { clock });
    await expect(session.ask({ ...orders, expected: 429 })).rejects.toThrow(Blocked);
    expect(clock.slept).toEqual([200, 400, 600]);
    const { session: other } = openSession(target);
    await other.ask({ ...orders, expected: 503 });
    expect(new Set(target.requests.map((request) => JSON.stringify(request))).size).toBe(1);
  });
});

describe('an interruption', () => {
  /** A session, a user who stops it, and what its target answers when the test lets it. */
  function waiting(): {
    readonly asking: Promise<Reply>;
    readonly stop: () => void;
    readonly answer: () => void;
    readonly slept: readonly number[];
  } {
    let [stop, answer] = [(): void => undefined, (): void => undefined];
    const interrupted = new Promise<void>((resolve) => {
      stop = resolve;
    });
    const allowed = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const slept: number[] = [];
    const told = fakeTarget(() => ({ body: {} }));
    const target: Target = { ...told, send: (request) => allowed.then(() => told.send(request)) };
    // Time passes when everything else has been done that can be.
    const clock = {
      nowMs: () => 0,
      sleep: (ms: number) => new Promise<void>((resolve) => setImmediate(() => resolve(void slept.push(ms)))),
    };
    const { session } = openSession(target, { interrupted, clock });
    return { asking: session.ask(orders), stop, answer, slept };
  }

  it('waits only a moment for a pending answer', async () => {
    const { asking, stop, slept } = waiting();
    setImmediate(stop);
    await expect(asking).rejects.toThrow(BudgetSpent);
    await expect(asking).rejects.toThrow('the run was interrupted');
    expect(slept).toEqual([1000]);
  });

  it('uses an answer that arrives within this moment', async () => {
    const { asking, stop, answer } = waiting();
    setImmediate(() => {
      stop();
      answer();
    });
    expect((await asking).response.status).toBe(200);
  });
});

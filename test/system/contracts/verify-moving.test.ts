/** A normal run at a server whose data changes meanwhile: repeated readings are compared, and a correct server is never accused. */

import { describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../../core/json.ts';
import { type Deviation, verdictsOf, verifyMoving, violationsOf } from './watch/watching.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Rules that compare the members of records. */
const inOrder = ['filters/sound', 'order/within', 'order/across', 'details/alternatives'];

describe('a normal run', () => {
  it('accuses no server whose data changes as it should', async () => {
    const result = await verifyMoving({ contract: 'business', from: '2026-03-29T12:00:00Z' });
    expect(violationsOf(result).map(({ rule: id, message }) => `${id}: ${message}`)).toEqual([]);
    const closure = result.checks.find(({ rule: id, operation }) => id === 'sync/closure' && operation === 'listOrders');
    expect(closure?.killed.map(({ id }) => id)).toContain('change-unmarked');
  });

  it('takes members in another order for the same content', async () => {
    let reads = 0;
    const reorder: Deviation = (records) => {
      reads += 1;
      return reads % 2 === 0 ? records : records.map((record) => Object.fromEntries(Object.entries(record).toReversed()));
    };
    const result = await verifyMoving({ contract: 'business', deviation: reorder, from: '2026-03-29T12:00:00Z' }, 0.001, inOrder);
    expect(violationsOf(result).map(({ rule: id, message }) => `${id}: ${message}`)).toEqual([]);
    for (const rule of inOrder) expect(Object.entries(verdictsOf(result, rule)).filter(([, verdict]) => verdict !== 'holds')).toEqual([]);
  });

  it('sees that the moment of the last change stands still while records change', async () => {
    const first = new Map<unknown, unknown>();
    const stale: Deviation = (records) =>
      records.map((record) => {
        const known = first.get(record['id']) ?? record['changed_at'];
        first.set(record['id'], known);
        return { ...record, changed_at: String(known) };
      });
    const result = await verifyMoving({ contract: 'business', deviation: stale, from: '2026-03-29T12:00:00Z' }, 1, ['sync/closure']);
    expect(verdictsOf(result, 'sync/closure')['listOrders']).toBe('violated');
    const closure = result.checks.find(({ rule: id, operation }) => id === 'sync/closure' && operation === 'listOrders');
    expect(closure?.message).toMatch(/changed, and changed_at is still/);
    expect(closure?.diagnosis).toBe('The server behaves as if the time of the last change does not move when the record changes');
  });

  it('sees that the content changes while the tag stands still', async () => {
    const result = await verifyMoving(
      { contract: 'business', mutants: ['tag-constant:getReservation'], from: '2026-03-29T12:00:00Z' },
      60,
      ['conditional/*', 'details/*'],
    );
    expect(verdictsOf(result, 'conditional/changed')['getReservation']).toBe('violated');
  });

  it('sees that a single read stays behind its list', async () => {
    const first = new Map<unknown, JsonObject>();
    const cached: Deviation = (records, { isList }) =>
      records.map((record) => {
        if (isList) return record;
        const known = first.get(record['id']) ?? record;
        first.set(record['id'], known);
        return known;
      });
    const result = await verifyMoving({ contract: 'business', deviation: cached, from: '2026-03-29T12:00:00Z' }, 60, ['details/agree']);
    expect(verdictsOf(result, 'details/agree')['getReservation']).toBe('violated');
    const agree = result.checks.find(({ rule: id, operation }) => id === 'details/agree' && operation === 'getReservation');
    expect(agree?.message).toMatch(/as in listReservations before; changed_at is|as in listReservations before and after; /);
  });
});

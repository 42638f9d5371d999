/** The rules of watching: each fails at a server that breaks it, and none at one that keeps it while its data changes. */

import { describe, expect, it, vi } from 'vitest';
import { renderJson } from '../../../../../reports/verify/verify-json.ts';
import { complaintsAbout } from '../../../../helpers/reports/report-schema.ts';
import { type Deviation, verdictsOf, violationsOf, watchMock } from '../../watch/watching.ts';

vi.setConfig({ testTimeout: 120_000 });

const numberOf = (value: unknown): number => Number(value);
const momentOf = (value: unknown): number => Date.parse(String(value));

describe('a server whose data changes as it should', () => {
  it('keeps every rule of watching, and each of them was shown by something that changed', async () => {
    const result = await watchMock({ contract: 'business' });
    expect(violationsOf(result)).toEqual([]);
    expect(verdictsOf(result, 'watch/converges')).toEqual({
      listOrders: 'holds',
      listReservations: expect.stringMatching(/holds|not-exercised/),
    });
    expect(verdictsOf(result, 'watch/late-arrivals')['listOrders']).toBe('holds');
    expect(verdictsOf(result, 'watch/changed-at')['listOrders']).toBe('holds');
    expect(verdictsOf(result, 'watch/tags')['getOrder']).toBe('holds');
    expect(result.requests).toBeLessThanOrEqual(result.budget);
    expect(result.exitCode).toBe(0);
    expect(complaintsAbout(JSON.parse(renderJson(result)))).toEqual([]);
  });

  it('that nothing happens at shows nothing, and says what was lacking', async () => {
    const result = await watchMock({ contract: 'wiki', minutes: 60 });
    expect(verdictsOf(result, 'watch/changed-at')).toEqual({ listEntries: 'not-exercised' });
    expect(result.checks[0]?.message).toContain('a record that changes while it is watched');
    expect(result.exitCode).toBe(4);
  });

  it('is asked no faster than the rate says, and no more than the budget', async () => {
    const result = await watchMock({ contract: 'business', minutes: 60, more: { budget: 15 } });
    expect(result.requests).toBe(15);
    expect([result.exitCode, result.cutShort]).toEqual([4, 'budget']);
    expect(result.notes?.[0]).toContain('The budget was spent after 15 requests');
    expect(result.checks[0]?.message).toContain('15 requests at 1/min are too few for its lists; watch longer, or raise --rate');
    expect(violationsOf(result)).toEqual([]);
    expect(result.durationMs).toBeGreaterThanOrEqual(14 * 60_000);
  });
});

describe('a server that breaks a rule', () => {
  it('by a tag that stays as it is: watch/tags', async () => {
    const result = await watchMock({ contract: 'business', mutants: ['tag-constant:getOrder'] });
    expect(violationsOf(result).map(({ rule: id, operation }) => `${id} ${operation}`)).toEqual(['watch/tags getOrder']);
    const [rule] = violationsOf(result);
    expect(rule?.diagnosis).toContain('the tag does not change with the content');
    expect(rule?.counterexample?.exchanges.length).toBe(2);
    expect(result.exitCode).toBe(1);
  });

  it('by a moment of change that stays as it is: watch/changed-at', async () => {
    const first = new Map<unknown, unknown>();
    const stale: Deviation = (records) =>
      records.map((record) => {
        const known = first.get(record['id']) ?? record['changed_at'];
        first.set(record['id'], known);
        return { ...record, changed_at: String(known) };
      });
    // At the mock's own instant the records that changed last are closed, and only the last ones are watched.
    const result = await watchMock({ contract: 'business', deviation: stale, from: '2026-03-29T12:00:00Z' });
    expect(violationsOf(result).map(({ rule: id }) => id)).toContain('watch/changed-at');
    expect(violationsOf(result).every(({ rule: id }) => id === 'watch/changed-at')).toBe(true);
    expect(violationsOf(result)[0]?.message).toContain('the time is still');
  });

  it('by records that appear behind the checkpoint: watch/late-arrivals', async () => {
    const late: Deviation = (records, { isList, nowMs }) =>
      records.filter((record) => !isList || numberOf(record['id']) % 2 === 0 || nowMs - momentOf(record['changed_at']) > 90 * 60_000);
    const result = await watchMock({ contract: 'business', deviation: late, minutes: 300 });
    expect(violationsOf(result).map(({ rule: id }) => id)).toContain('watch/late-arrivals');
    expect(violationsOf(result).every(({ rule: id }) => id === 'watch/late-arrivals')).toBe(true);
  });

  it('by a checkpoint that leaves out what has changed: watch/converges', async () => {
    // The record that changed last is always left out; the list as a whole is right.
    const forgetful: Deviation = (records, { isList, query }) => {
      const latest = Math.max(...records.map((record) => momentOf(record['changed_at'])));
      return records.filter((record) => !isList || !query.has('updated_after') || momentOf(record['changed_at']) < latest);
    };
    const result = await watchMock({ contract: 'business', deviation: forgetful, minutes: 300 });
    expect(violationsOf(result).map(({ rule: id }) => id)).toContain('watch/converges');
    expect(violationsOf(result).every(({ rule: id }) => id === 'watch/converges')).toBe(true);
    expect(violationsOf(result)[0]?.diagnosis).toContain('loses records');
  });
});

describe('a watch', () => {
  it('of a minute takes a minute at the default rate, and judges what it saw', async () => {
    const result = await watchMock({ contract: 'business', minutes: 1, more: { rate: undefined as unknown as number } });
    expect(result.cutShort).toBeUndefined();
    expect(result.durationMs).toBeGreaterThan(20_000);
    expect(result.durationMs).toBeLessThanOrEqual(61_000);
    for (const { message } of result.checks) expect(message).toContain('a record that changes while it is watched');
  });

  it('that has nothing to look at is refused', async () => {
    await expect(watchMock({ contract: 'wiki', more: { only: ['watch/tags'] } })).rejects.toThrow('the patterns select no watch/* rule');
  });

  it('that is interrupted reports what it saw', async () => {
    const result = await watchMock({ contract: 'business', more: { interrupted: Promise.resolve() } });
    expect([result.exitCode, result.cutShort]).toEqual([130, 'interrupted']);
  });
});

/** The business dataset over time: records change with the clock, and only forward. */

import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../core/json.ts';
import { createBusinessDataset, defaultClock } from '../dataset-records.ts';

/** `changed_at` shows no smaller part of time: a change may lie in the second that was just read. */
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Every few days over ten weeks, some minutes of the night on which clocks are changed, and some moments of an evening. */
const clocks: readonly number[] = [
  ...Array.from({ length: 24 }, (_, index) => Date.parse('2026-02-22T06:00:00Z') + index * 73 * hour),
  ...Array.from({ length: 8 }, (_, index) => Date.parse('2026-03-28T22:30:00Z') + index * 37 * minute),
  ...Array.from({ length: 6 }, (_, index) => defaultClock + index * 7 * minute + 0.5),
].sort((one, other) => one - other);

const collections = [
  ['full', 'orders'],
  ['full', 'reservations'],
  ['other', 'orders'],
  ['no-menu', 'reservations'],
] as const;

/** Immutable fields of a record. Payer, lines and guests may change with time. */
const lasting: Readonly<Record<string, readonly string[]>> = {
  orders: ['id', 'code', 'channel', 'fulfillment_type', 'customer', 'service', 'totals', 'items', 'modifiers', 'option_groups'],
  reservations: ['id', 'source', 'customer', 'notes'],
};

describe.each(collections)('as the clock moves, of %s the %s', (tenant, collection) => {
  const snapshots = clocks.map((nowMs) => takeSnapshot(nowMs, createBusinessDataset({ seed: 1, nowMs }).records(tenant, collection)));
  const steps = snapshots.slice(1).map((after, index) => ({ before: snapshots[index] ?? after, after }));
  /** Records that two consecutive snapshots share. */
  const pairs = steps.flatMap(({ before, after }) =>
    [...before.records].map(([id, earlier]) => ({ id, earlier, later: after.records.get(id), since: before.nowMs })),
  );

  it('never show a future change', () => {
    expect(snapshots.filter(({ nowMs, records }) => [...records.values()].some((record) => record.changedMs > nowMs))).toEqual([]);
  });

  it('never disappear', () => {
    expect(pairs.filter(({ later }) => later === undefined)).toEqual([]);
    expect(snapshots.at(-1)?.records.size).toBeGreaterThan(snapshots[0]?.records.size ?? 0);
  });

  it('appear with a changed_at since the last snapshot', () => {
    const appeared = steps.flatMap(({ before, after }) =>
      [...after.records].filter(([id]) => !before.records.has(id)).map(([id, { changedMs }]) => ({ id, changedMs, since: before.nowMs })),
    );
    expect(appeared.filter(({ changedMs, since }) => changedMs + second <= since)).toEqual([]);
    expect(appeared.length).toBeGreaterThan(5);
  });

  it('change changed_at exactly when their content changes, to an instant between the snapshots', () => {
    const moved = pairs.filter(({ earlier, later }) => earlier.changedMs !== later?.changedMs);
    expect(pairs.filter(({ earlier, later }) => (earlier.content === later?.content) !== (earlier.changedMs === later?.changedMs))).toEqual(
      [],
    );
    expect(moved.filter(({ later, since }) => (later?.changedMs ?? 0) + second <= since)).toEqual([]);
    expect(moved.length).toBeGreaterThan(5);
  });

  it('keep their fixed fields', () => {
    const fields = lasting[collection] ?? [];
    const kept = new Map<unknown, string>();
    const changed = pairs.filter(({ id, earlier }) => {
      const text = JSON.stringify(fields.map((field) => earlier.record[field]));
      const before = kept.get(id) ?? text;
      kept.set(id, text);
      return before !== text;
    });
    expect(changed).toEqual([]);
  });
});

describe('states of orders', () => {
  const allowed: Readonly<Record<string, readonly string[]>> = {
    pending: ['confirmed', 'preparing', 'ready', 'completed', 'cancelled', 'rejected', 'no_show'],
    confirmed: ['preparing', 'ready', 'completed', 'cancelled', 'no_show'],
    preparing: ['ready', 'completed', 'no_show'],
    ready: ['completed', 'no_show'],
  };

  it('only go forward', () => {
    const seen = new Map<unknown, string>();
    const wrong: string[] = [];
    for (const nowMs of clocks.filter((_, index) => index % 2 === 0)) {
      for (const order of createBusinessDataset({ seed: 2, nowMs }).records('full', 'orders')) {
        const status = String(order['status']);
        const before = seen.get(order['id']) ?? status;
        if (before !== status && !allowed[before]?.includes(status)) wrong.push(`${order['id']}: ${before} → ${status}`);
        seen.set(order['id'], status);
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('a dataset of another year', () => {
  it.each(['2019-07-01T12:00:00Z', '2024-02-29T23:59:59Z', '2031-01-01T00:00:00Z'])(
    'has content at %s, all of it in the past',
    (instant) => {
      const nowMs = Date.parse(instant);
      const orders = createBusinessDataset({ seed: 1, nowMs }).records('full', 'orders');
      expect(orders.length).toBeGreaterThan(100);
      expect(orders.length).toBeLessThan(12_000);
      expect(orders.filter((order) => changedAt(order) > nowMs)).toEqual([]);
    },
  );

  it('is empty but complete in the first hour of a period', () => {
    const dataset = createBusinessDataset({ seed: 1, nowMs: Date.parse('2026-02-22T00:00:00Z') });
    for (const [tenant, collection] of collections) expect(dataset.records(tenant, collection)).toEqual([]);
  });
});

/** A record with what tests compare of it. */
interface Seen {
  readonly record: JsonObject;
  readonly changedMs: number;
  readonly content: string;
}

function takeSnapshot(
  nowMs: number,
  records: readonly JsonObject[],
): { readonly nowMs: number; readonly records: ReadonlyMap<unknown, Seen> } {
  return { nowMs, records: new Map(records.map((record) => [record['id'], see(record)])) };
}

function see(record: JsonObject): Seen {
  const { changed_at: _, ...content } = record;
  return { record, changedMs: changedAt(record), content: JSON.stringify(content) };
}

function changedAt(record: JsonObject): number {
  return Date.parse(String(record['changed_at']));
}

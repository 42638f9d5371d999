/** Missing values: none by default, and some with the profiles that ask for them. */

import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../core/json.ts';
import { valueAt } from '../../../../../core/pointer.ts';
import { type Gaps, gapsOf, noGaps } from '../../../../../mocks/data/business/common-record-parts.ts';
import { createBusinessDataset, defaultClock, tenants } from '../dataset-records.ts';

/** Place of each gap: the collection, the fields, and the form of a value of the right type. */
const places: readonly (readonly [gap: keyof Gaps, collection: string, fields: readonly string[], looks: RegExp])[] = [
  ['contacts', 'orders', ['/customer/phone'], /^"\+\d[\d ]+"$/],
  ['contacts', 'reservations', ['/customer/email'], /^"[a-z.-]+@example\.(com|net|org)"$/],
  ['notes', 'reservations', ['/notes'], /^"/],
  ['tables', 'orders', ['/service/table'], /^\{"label":"[^"]+","room_id":\d+,"room_table_id":\d+,"qr_mode":"\w+"\}$/],
  ['payments', 'orders', ['/payment/paid_at'], /^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d"$/],
];

function valuesOf(gaps: Gaps, collection: string, fields: readonly string[], seed = 1): readonly string[] {
  const dataset = createBusinessDataset({ seed, nowMs: defaultClock, gaps });
  const records: readonly JsonObject[] = tenants.flatMap((tenant) => dataset.records(tenant, collection));
  return records.flatMap((record) => fields.map((field) => JSON.stringify(valueAt(record, field) ?? null)));
}

describe.each(places)('of %s in %s', (gap, collection, fields, looks) => {
  it.each([1, 7, 2 ** 40])('no value is missing with seed %i', (seed) => {
    expect(valuesOf(noGaps, collection, fields, seed).filter((text) => !looks.test(text))).toEqual([]);
  });

  it('each gap removes values of its field and changes no other', () => {
    const whole = valuesOf(noGaps, collection, fields);
    const holed = valuesOf({ ...noGaps, [gap]: true }, collection, fields);
    const missing = holed.filter((text) => text === 'null').length;
    expect(missing).toBeGreaterThan(holed.length / 20);
    expect(missing).toBeLessThan(holed.length * 0.8);
    const isKept = (text: string, index: number): boolean => text === 'null' || text === whole[index];
    // Without payment at the beginning, orders are paid later.
    if (gap !== 'payments') expect(holed.filter((text, index) => !isKept(text, index))).toEqual([]);
  });
});

describe('orders that are paid when they are placed', () => {
  it('go through the same states as orders that are paid later', () => {
    const statesOf = (gaps: Gaps): readonly string[] => valuesOf(gaps, 'orders', ['/id', '/status', '/channel']);
    expect(statesOf({ ...noGaps, payments: true })).toEqual(statesOf(noGaps));
  });
});

it('every answer of a profile but given is a gap', () => {
  expect(gapsOf({})).toEqual(noGaps);
  expect(gapsOf({ 'unknown-customer': 'null', unpaid: 'absent', 'empty-notes': 'given', 'no-table': 'given' })).toEqual({
    ...noGaps,
    contacts: true,
    payments: true,
  });
});

/**
 * The default datasets, byte for byte. A difference changes everybody's recorded answers. If it is intended, run this test and copy the hashes that it
 * prints.
 */

import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createBusinessDataset, createWikiDataset, defaultDataset } from './dataset-records.ts';

const business = createBusinessDataset(defaultDataset);
const wiki = createWikiDataset(defaultDataset);
const caller = { role: 'full', scopes: ['identity', 'menu', 'orders.read', 'reservations.read'] };

describe('the default dataset', () => {
  it.each([
    ['full', 'orders', '1076b278efc3f16b879365cf95106970fe1b5d134aa97f162bb2663646cc1f02'],
    ['full', 'reservations', '6d8fc545fa7bfea9c6304fd7f73c3fa9f69740a540a81f8af62f38d3514a5beb'],
    ['other', 'orders', '2896cadfebb5bcb1c00c362a8ce9812c2c3cc187e1e000ca286be287bd39990b'],
    ['other', 'reservations', '4a44473a02c30c41ef55c7edd7dcd4612070d4af7a77e45e60488757543a47f7'],
    ['no-menu', 'orders', '3f27098588c731d64c55ba4242a0b8bb97d065bd78e039adb587887534f53993'],
    ['no-menu', 'reservations', '72bdc491ecbbbfb778ab33a12ccd651512b64dbf0aae2245d1415770ce2ae0d2'],
  ])('has these bytes: %s %s', (tenant, collection, hash) => {
    expect(hashOf(business.records(tenant, collection))).toBe(hash);
  });

  it.each([
    ['full', 'menu', undefined, '7ef6c3b8876e31559810e3f57dd8645d97454a5b18cf0614ea456460eb2156ff'],
    ['full', 'menu', 'manifest', '985920190fcca4550026af73aecb14021e2c7252a6aa3fd38b242b9e13bf945e'],
    ['full', 'identity', undefined, 'd7b27df714b4fbf5acff29928277b9654c9612b28ef4b412821269033ca51888'],
    ['other', 'menu', undefined, '962b3a13096a0d910dbd1888d6e7c7e464f4048e96baa93ea758235c65c27fe8'],
  ])('has these bytes: %s %s %s', (tenant, name, view, hash) => {
    expect(hashOf(business.resource(tenant, name, view, caller))).toBe(hash);
  });

  it('has these bytes: wiki', () => {
    expect(hashOf(wiki.records('public', 'entries'))).toBe('f32db238ba749d39c981c99073705a845f354ccdebb23e75824fdc59ce79fe7f');
  });
});

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

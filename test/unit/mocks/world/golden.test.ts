/**
 * The default worlds, byte for byte. A difference means that everybody's recorded answers change: on purpose after a change of content, by
 * mistake otherwise. To renew a value, run this test and copy the received hash that it prints.
 */

import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createBusinessWorld } from '../../../../mocks/world/business/world.ts';
import { createWikiWorld } from '../../../../mocks/world/wiki/world.ts';
import { defaultWorld } from './records.ts';

const business = createBusinessWorld(defaultWorld);
const wiki = createWikiWorld(defaultWorld);
const caller = { role: 'full', scopes: ['identity', 'menu', 'orders.read', 'reservations.read'] };

describe('the default world', () => {
  it.each([
    ['full', 'orders', 'cebf3235cbe184d7b34f3d1e19c42a178c06afa3b502407874f88ae700cb7319'],
    ['full', 'reservations', '91c3c8ca6518496b1021d4336fc5bbaeec9e6de657d466940a8105a3cc33bd4c'],
    ['other', 'orders', '693915157665e40634a901e0d1cbbf7aa864b5b9b74be614409115dddb432e76'],
    ['other', 'reservations', 'fae6ec39eea4ac0fe325fc74d8ec4384517f4e8fb820adb6cff65ee09005209c'],
    ['no-menu', 'orders', '3f27098588c731d64c55ba4242a0b8bb97d065bd78e039adb587887534f53993'],
    ['no-menu', 'reservations', '3296d5585e23e763a7d2165badad38f407a8d5f79536ce76f41723f9a057204a'],
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
    expect(hashOf(wiki.records('public', 'entries'))).toBe('ba1d3af70169af6212ff299758536900889e702b2ffabd892922c84c1e389d71');
  });
});

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

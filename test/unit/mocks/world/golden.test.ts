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
    ['full', 'orders', 'd7f24798b31ce21380bdc89d9983f7882daa1f20864f229e8b61f803a8cfc008'],
    ['full', 'reservations', 'be683a2ca089e85a184f228e9f3e9c68a7566cbfa4fbc42f3d1d0d48d4db2240'],
    ['other', 'orders', 'c0da53458e9bae11b18d912d51e8de33ea64ad55e6b5e07fdbe21e72ba0fe2d5'],
    ['other', 'reservations', 'cb8467b0bc2708b8e1ab079b5006cf2a521fa4a2f3b61a3be460616819bd5647'],
    ['no-menu', 'orders', 'f2f08c6219ceece6763a584312c80c3bba2e497958aa0775772ce162bfa8046b'],
    ['no-menu', 'reservations', 'b22c0fc9e65c29311389e6021e3f07114a5457c87c7a533b3e8eed3d500e703e'],
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

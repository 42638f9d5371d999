/** The keys of a mock: one for each role, the same in every process with the seed. */

import { describe, expect, it } from 'vitest';
import type { Dataset } from '../../../mocks/data/dataset.ts';
import { createKeys } from '../../../mocks/key-ring.ts';
import { openContract } from '../../helpers/exchange-judge.ts';
import { fixture } from '../../helpers/judged-mock.ts';
import { datasetOf } from '../../helpers/served.ts';

const dataset: Dataset = { ...datasetOf([]), tenants: ['full', 'other', 'no-menu'] };

describe('the keys of an API', async () => {
  const parcels = await openContract(fixture('parcels'));
  const keys = createKeys(parcels, dataset, 1);

  it('are one for each tenant, an expired one, and one without each scope, in this order', () => {
    expect([...keys.byRole.keys()]).toEqual(['full', 'other', 'no-menu', 'expired', 'without:track', 'without:admin']);
  });

  it('depend only on the seed', () => {
    expect([...createKeys(parcels, dataset, 1).byRole]).toEqual([...keys.byRole]);
  });

  it('differ between any two roles and any two seeds', () => {
    const all = [0, 1, 2, 11, Number.MAX_SAFE_INTEGER].flatMap((seed) => [...createKeys(parcels, dataset, seed).byRole.values()]);
    expect(new Set(all).size).toBe(30);
  });

  it('contain their role, and need no escaping in a header, a query or a shell', () => {
    expect(keys.byRole.get('without:track')).toMatch(/^mock_without_track_[0-9a-f]{20}$/);
    for (const key of keys.byRole.values()) expect(key).toMatch(/^[A-Za-z0-9_]+$/);
  });

  it('belong to the tenant of their role, or to the first one', () => {
    const holders = [...keys.byRole.values()].map((key) => keys.holderOf(key));
    expect(holders.map((holder) => holder?.tenant)).toEqual(['full', 'other', 'no-menu', 'full', 'full', 'full']);
    expect(holders.map((holder) => holder?.expired)).toEqual([false, false, false, true, false, false]);
  });

  it('have all scopes, except the one in their role', () => {
    const scopesOf = (role: string): readonly string[] | undefined => keys.holderOf(keys.byRole.get(role) ?? '')?.scopes;
    expect(scopesOf('full')).toEqual(['track', 'admin']);
    expect(scopesOf('expired')).toEqual(['track', 'admin']);
    expect(scopesOf('without:track')).toEqual(['admin']);
    expect(scopesOf('without:admin')).toEqual(['track']);
  });

  it('are invalid if guessed, shortened or in another case', () => {
    const full = keys.byRole.get('full') ?? '';
    const wrong = ['', 'full', 'mock_full', full.slice(0, -1), `${full}0`, full.toUpperCase(), ` ${full}`, 'constructor', '__proto__'];
    expect(wrong.filter((key) => keys.holderOf(key) !== undefined)).toEqual([]);
  });

  it('do not exist for an API without security', async () => {
    const library = createKeys(await openContract(fixture('library')), dataset, 1);
    expect([...library.byRole]).toEqual([]);
    expect(library.holderOf(keys.byRole.get('full') ?? '')).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import type { Contract } from '../../../../core/openapi/contract.ts';
import { contractFile } from '../../../../core/shipped-files.ts';
import { businessDataset } from '../../../../mocks/data/business/business-dataset.ts';
import { servesContract } from '../../../../mocks/data/dataset.ts';
import { datasetProviders } from '../../../../mocks/data/dataset-catalogue.ts';
import { wikiDataset } from '../../../../mocks/data/wiki/wiki-dataset.ts';
import { openContract } from '../../../helpers/exchange-judge.ts';
import { defaultClock, tenants } from './dataset-records.ts';

describe('the shipped contracts', async () => {
  const business = await openContract(contractFile('business'));
  const wiki = await openContract(contractFile('wiki'));
  const sourcesOf = (contract: Contract): readonly unknown[] => datasetProviders.filter((source) => source.serves(contract));

  it('have one dataset each', () => {
    expect(sourcesOf(business)).toEqual([businessDataset]);
    expect(sourcesOf(wiki)).toEqual([wikiDataset]);
  });

  it('find all their collections in their dataset', () => {
    const [inBusiness, inWiki] = [
      businessDataset.create(business, { seed: 1 }).at(defaultClock),
      wikiDataset.create(wiki, { seed: 1 }).at(defaultClock),
    ];
    for (const { name } of business.collections)
      for (const tenant of tenants) expect(inBusiness.records(tenant, name).length).toBeGreaterThan(0);
    for (const { name } of wiki.collections) expect(inWiki.records('public', name).length).toBeGreaterThan(0);
  });

  it('have no dataset under another title', () => {
    expect(sourcesOf({ ...business, title: 'Some Other API' })).toEqual([]);
    expect(sourcesOf({ ...wiki, title: business.title })).toEqual([]);
  });
});

describe('a dataset', () => {
  const content = {
    title: 'Library',
    collections: ['books'],
    views: new Map([
      ['books', [undefined]],
      ['hall', [undefined, 'plan']],
    ]),
  };
  const served = (
    title: string,
    collections: readonly string[],
    resources: readonly { readonly name: string; readonly view?: string }[],
  ): boolean => servesContract({ title, collections: collections.map((name) => ({ name })), resources }, content);

  it('serves a contract with all or some of its content', () => {
    expect(served('Library', ['books'], [{ name: 'books' }, { name: 'hall' }, { name: 'hall', view: 'plan' }])).toBe(true);
    expect(served('Library', [], [])).toBe(true);
  });

  it('does not serve a contract with more content', () => {
    expect(served('Museum', ['books'], [])).toBe(false);
    expect(served('Library', ['books', 'maps'], [])).toBe(false);
    expect(served('Library', ['books'], [{ name: 'cellar' }])).toBe(false);
    expect(served('Library', ['books'], [{ name: 'books', view: 'plan' }])).toBe(false);
    expect(served('Library', [], [{ name: 'toString' }])).toBe(false);
  });
});

/** The dataset of a contract without generated content: the records of its examples. */

import { describe, expect, it } from 'vitest';
import { contractFile } from '../../../../core/shipped-files.ts';
import { createExampleDataset } from '../../../../mocks/data/example-dataset.ts';
import { openContract } from '../../../helpers/exchange-judge.ts';
import { fixture } from '../../../helpers/judged-mock.ts';

const nobody = { role: 'full', scopes: [] };

describe('the dataset of examples', async () => {
  const library = createExampleDataset(await openContract(fixture('library')));
  const parcels = createExampleDataset(await openContract(fixture('parcels')));

  it('has the records of all examples of a list, each once', () => {
    const numbers = library.records('full', 'books').map((book) => Number(book['number']));
    expect(numbers.toSorted((left, right) => left - right)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 20, 100]);
  });

  it('completes a record by the example of its single read', () => {
    const books = library.records('full', 'books');
    expect(books.find((book) => book['number'] === 2)).toEqual({
      number: 2,
      title: 'Harbour',
      author: { name: 'Ida Brandt' },
      genre: 'novel',
      pages: 400,
      due: '2026-04-01',
      blurb: 'A winter on the quay.',
    });
    expect(books.filter((book) => 'blurb' in book)).toHaveLength(1);
  });

  it('returns the same array each time', () => {
    expect(library.records('full', 'books')).toBe(library.records('full', 'books'));
    expect(parcels.records('other', 'parcels')).toBe(parcels.records('other', 'parcels'));
  });

  it('has the head of a list, without items and paging', () => {
    expect(library.head('full', 'books')).toMatchObject({ library: 'Reading Room' });
    expect(library.head('full', 'books')).not.toHaveProperty('found');
    expect(library.head('full', 'books')).not.toHaveProperty('sum');
  });

  it('has resources', () => {
    expect(library.resource('full', 'hours', undefined, nobody)).toEqual({ weekdays: '10 to 18' });
    expect(library.resource('full', 'nothing', undefined, nobody)).toBeUndefined();
  });

  it('has one tenant without keys, and a second, empty one with keys', () => {
    expect(library.tenants).toEqual(['full']);
    expect(parcels.tenants).toEqual(['full', 'other']);
    expect(parcels.records('full', 'parcels')).toHaveLength(7);
    expect(parcels.records('other', 'parcels')).toEqual([]);
  });

  it('has no collection that the contract does not have', () => {
    expect(library.records('full', 'parcels')).toEqual([]);
  });

  it('has the business examples as records, whatever the filters of the list', async () => {
    const dataset = createExampleDataset(await openContract(contractFile('business')));
    expect(dataset.records('full', 'orders').map((order) => order['id'])).toEqual([4711, 4709]);
    expect(dataset.records('full', 'orders')[0]).toHaveProperty('items');
    expect(dataset.head('full', 'orders')).toMatchObject({ schema_version: '1.0', business: { id: 12 } });
    expect(dataset.head('full', 'reservations')).toBeUndefined();
  });
});

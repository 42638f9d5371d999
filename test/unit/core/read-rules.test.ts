/** The values of the annotations become rules, word for word. */

import { describe, expect, it } from 'vitest';
import { readCollection, readResource, readRules } from '../../../core/read-rules.ts';

const collection = {
  name: 'notes',
  items: '/data',
  key: '/id',
  order: [{ by: '/id', direction: 'ascending' }],
  page: { style: 'offset', limit: 'limit', offset: 'offset' },
};

describe('the rules of a collection', () => {
  it('are what the annotation says', () => {
    expect(readCollection({ ...collection, filters: {}, version: '/at', head: '' })).toEqual({
      ...collection,
      filters: new Map(),
      version: '/at',
      head: '',
    });
  });

  it.each(['equals', 'any-of', 'from', 'to', 'after', 'before'] as const)(
    'know the filter %s with its field, and as what it compares',
    (operator) => {
      const { filters } = readCollection({ ...collection, filters: { a: { [operator]: '/a' }, b: { [operator]: '/b', as: 'number' } } });
      expect([...filters]).toEqual([
        ['a', { operator, field: '/a', as: undefined }],
        ['b', { operator, field: '/b', as: 'number' }],
      ]);
    },
  );

  it('know a text search with its fields', () => {
    const { filters } = readCollection({ ...collection, filters: { q: { matches: { fields: ['/a', '/b'], fold: false } } } });
    expect(filters.get('q')).toEqual({ operator: 'matches', fields: ['/a', '/b'], fold: false });
  });

  it('are refused when a filter compares nothing, which the schema of the annotations forbids', () => {
    expect(() => readCollection({ ...collection, filters: { a: {} } })).toThrow(TypeError);
  });
});

describe('the rules of a resource', () => {
  it('know what it is found by', () => {
    expect(readResource({ name: 'notes', at: '/note', by: { id: '/id', code: '/code' } })).toEqual({
      name: 'notes',
      at: '/note',
      by: new Map([
        ['id', '/id'],
        ['code', '/code'],
      ]),
    });
  });

  it('that exists once is found by nothing', () => {
    expect(readResource({ name: 'menu', view: 'manifest', at: '' })).toEqual({ name: 'menu', view: 'manifest', at: '', by: new Map() });
  });
});

describe('the rules of parameters', () => {
  it('are those of the list, in its order', () => {
    expect(readRules([{ ordered: ['a', 'b'] }, { 'exactly-one-of': ['c', 'd', 'e'] }])).toEqual([
      { rule: 'ordered', parameters: ['a', 'b'] },
      { rule: 'exactly-one-of', parameters: ['c', 'd', 'e'] },
    ]);
  });

  it('are none without a list', () => {
    expect(readRules(undefined)).toEqual([]);
  });
});

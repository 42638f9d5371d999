import { describe, expect, it } from 'vitest';
import { replaceAt } from '../../../../mocks/world/show-record.ts';

describe('a record in a documented body', () => {
  it.each([
    ['takes the place of another', { list: [{ id: 1, name: 'a' }, { id: 2 }] }, { list: [{ id: 7 }, { id: 2 }] }],
    ['is the first of an empty list', { list: [] }, { list: [{ id: 7 }] }],
    ['makes a list that the example lacks', {}, { list: [{ id: 7 }] }],
    ['makes a list where the example has an object', { list: { id: 1 } }, { list: [{ id: 7 }] }],
  ])('%s', (_, body, expected) => {
    expect(replaceAt(body, '/list/0', { id: 7 })).toEqual(expected);
  });

  it('is the whole body, or an element of it', () => {
    expect(replaceAt({ id: 1, name: 'a' }, '', { id: 7 })).toEqual({ id: 7 });
    expect(replaceAt([{ id: 1 }], '/0', { id: 7 })).toEqual([{ id: 7 }]);
  });
});

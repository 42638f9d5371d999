/** In a contract file a key is a keyword, a name that the author chose, data, or part of an extension: which one, its position tells. */

import { describe, expect, it } from 'vitest';
import { type Position, positionOf } from '../../../core/traverse.ts';

/** The position at the end of a path of keys from the root of a file. */
function positionAt(...keys: readonly (string | number)[]): Position {
  return keys.reduce<Position>((position, key) => positionOf(position, key, {}), 'keywords');
}

describe('a member', () => {
  it.each<readonly [Position, readonly (string | number)[]]>([
    ['names', ['paths']],
    ['keywords', ['paths', '/value']],
    ['keywords', ['paths', '/a', 'get', 'parameters', 0, 'schema']],
    ['names', ['components', 'schemas']],
    ['keywords', ['components', 'schemas', 'default']],
    ['keywords', ['components', 'schemas', 'A', 'properties', 'properties']],
    ['names', ['components', 'schemas', 'A', 'properties', 'properties', 'properties']],
    ['keywords', ['components', 'schemas', 'A', 'properties', 'x-api']],
    ['keywords', ['components', 'schemas', 'A', 'properties', 'example']],
    ['keywords', ['paths', '/a', 'get', 'responses', 'default']],
    ['keywords', ['paths', '/a', 'get', 'responses', '200', 'headers', 'x-api']],
    ['data', ['components', 'schemas', 'A', 'default']],
    ['data', ['components', 'schemas', 'A', 'const', 'properties', 'a']],
    ['data', ['components', 'schemas', 'A', 'enum', 0]],
    ['data', ['components', 'examples', 'one', 'value', 'paths']],
    ['extension', ['x-api']],
    ['extension', ['x-api', 'error', 'schema']],
    ['extension', ['paths', '/a', 'get', 'x-collection', 'filters', 'value']],
  ])('is of %s at %j', (position, keys) => {
    expect(positionAt(...keys)).toBe(position);
  });

  it('called examples is data in a schema, and holds named examples elsewhere', () => {
    expect(positionOf('keywords', 'examples', [{ a: 1 }])).toBe('data');
    expect(positionOf('keywords', 'examples', { one: { value: 1 } })).toBe('names');
  });
});

/** Annotations of operations whose path changed: no change of them is lost, and a new name of a path parameter changes none. */

import { expect, it } from 'vitest';
import { change, listed, type TextEdit } from './edited-contracts.ts';

const renamedParameter: readonly TextEdit[] = [
  ['  /api/v1/wiki/{slug}:', '  /api/v1/wiki/{name}:'],
  ['by: { slug: /slug }', 'by: { name: /slug }'],
  ['      name: slug', '      name: name'],
];

it.each<[string, readonly TextEdit[], readonly string[]]>([
  ['a renamed path parameter', renamedParameter, ['path-parameter/renamed documentation 1']],
  [
    'a renamed path parameter, and no annotation any more',
    [...renamedParameter, ['      x-resource: { name: entries, at: /data, by: { name: /slug } }\n', '']],
    ['read/removed breaking 1'],
  ],
  [
    'a renamed path parameter, and another place of the record',
    [...renamedParameter, ['at: /data, by: {', 'at: /record, by: {']],
    ['read/at-changed breaking 1'],
  ],
  [
    'a renamed path parameter, and another field that it is compared with',
    [...renamedParameter, ['by: { name: /slug }', 'by: { name: /title }']],
    ['read/by-changed breaking 1'],
  ],
  ['a moved list', [['  /api/v1/wiki:', '  /api/v2/wiki:']], ['operation/renamed breaking 1']],
  [
    'a moved list without one of its filters',
    [
      ['  /api/v1/wiki:', '  /api/v2/wiki:'],
      ['          type: { equals: /type }\n', ''],
    ],
    ['filter/removed breaking 1'],
  ],
])('%s', async (_, edits, expected) => {
  expect(listed(await change('wiki', ...edits))).toEqual(expected);
});

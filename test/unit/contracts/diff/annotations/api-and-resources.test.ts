/** Changes of annotations of the file, of schemas and of single reads. */

import { describe, expect, it } from 'vitest';
import { between, change, listed, onlyChange, type TextEdit } from './edited-contracts.ts';

const library = 'test/fixtures/library.openapi.yaml';

describe('annotations of the whole API', () => {
  it.each<[string, string, readonly TextEdit[], readonly TextEdit[], readonly string[]]>([
    ['a tenancy that comes', 'business', [['  tenancy: key', '  # none']], [], ['api/tenancy-added breaking 7']],
    [
      'an order of failures that is only written out',
      'notes',
      [['  precedence: [throttled, unauthenticated]\n', '']],
      [['[throttled, unauthenticated]', '[unauthenticated, throttled]']],
      ['api/precedence-made-explicit documentation 2'],
    ],
    [
      'an order of failures that is answered',
      'business',
      [],
      [['precedence: { unspecified: precedence }', 'precedence: [unauthenticated]'], { drop: 'precedence' }],
      ['api/precedence-specified compatible 7'],
    ],
    [
      'a scope that goes',
      'business',
      [['    orders.read: {}', '    orders.read: {}\n    more: {}']],
      [],
      ['api/scope-removed compatible 0'],
    ],
    [
      'a scope that nothing asks for',
      'business',
      [],
      [['    orders.read: {}', '    orders.read: {}\n    more: {}']],
      ['api/scope-added compatible 0'],
    ],
    [
      'a scope that is asked for',
      'business',
      [],
      [
        ['    orders.read: {}', '    orders.read: {}\n    more: {}'],
        ['serviceKey: [identity]', 'serviceKey: [identity, more]'],
      ],
      ['api/scope-added breaking 1'],
    ],
    [
      'the name of a scope that is answered by its role',
      'business',
      [],
      [['identity: { name: { unspecified: identity-scope-name } }', 'identity: {}'], { drop: 'identity-scope-name' }],
      ['api/scope-name-specified compatible 1'],
    ],
    [
      'an extension of somebody else',
      'business',
      [],
      [['\nservers:', '\nx-audience: [partners]\n\nservers:']],
      ['contract/extension-x-audience-changed documentation 0'],
    ],
  ])('%s', async (_, name, before, after, expected) => {
    expect(listed(await between(name, before, after))).toEqual(expected);
  });
});

describe('a mark in a schema', () => {
  it('is one change for all operations that share the schema', async () => {
    const found = await onlyChange('business', ['x-personal: true, description: The customer', 'description: The customer']);
    expect([found.id, found.level, found.operations.length]).toEqual(['response-body-property/extension-x-personal-removed', 'risky', 4]);
    expect(found.text).toBe('`Customer`: the x-personal of `name` was removed: true');
    expect(found.location).toBe('response 200, data.orders[].customer.name');
  });

  it.each<[string, readonly TextEdit[], readonly string[]]>([
    [
      'that comes',
      [['code: { type: string, description', 'code: { type: string, x-personal: true, description', '    Order:']],
      ['response-body-property/extension-x-personal-added documentation 2'],
    ],
    [
      'that goes with its property',
      [
        [
          "            qr_mode: { type: string, x-unspecified: qr-mode-values, description: What the table's QR code is for (§2.2). }\n",
          '',
        ],
        { drop: 'qr-mode-values' },
      ],
      ['response-body-property/required-property-removed risky 2'],
    ],
    [
      'that asks where nothing was asked',
      [
        ['provider: { type: string, x-unspecified: payment-provider-values', 'provider: { type: string, x-unspecified: source-values'],
        { drop: 'payment-provider-values' },
      ],
      ['response-body-property/extension-x-unspecified-changed documentation 2'],
    ],
  ])('%s', async (_, edits, expected) => {
    expect(listed(await change('business', ...edits))).toEqual(expected);
  });
});

describe('a read', () => {
  it.each<[string, string, readonly TextEdit[], readonly TextEdit[], readonly string[]]>([
    [
      'without its 304',
      'business',
      [],
      [["        '304': { $ref: '#/components/responses/Unchanged' }\n", '', 'operationId: getOrder']],
      ['read/conditional-removed breaking 1'],
    ],
    [
      'with a 304 again',
      'business',
      [["        '304': { $ref: '#/components/responses/Unchanged' }\n", '', 'operationId: getOrder']],
      [],
      ['read/conditional-added compatible 1'],
    ],
    [
      'without If-None-Match',
      'business',
      [],
      [['      name: If-None-Match', '      name: If-Changed']],
      ['read/conditional-removed breaking 3'],
    ],
    ['by one parameter less', 'business', [], [['by: { id: /id, code: /code }', 'by: { id: /id }']], ['read/by-removed breaking 1']],
    ['by one parameter more', 'business', [['by: { id: /id, code: /code }', 'by: { id: /id }']], [], ['read/by-added compatible 1']],
    ['that is described no more', library, [], [["      x-resource: { name: hours, at: '' }\n", '']], ['read/removed breaking 1']],
    [
      'of a collection of another name',
      library,
      [],
      [
        ['        name: books', '        name: volumes'],
        ['x-resource: { name: books', 'x-resource: { name: volumes'],
      ],
      ['list/name-changed risky 2'],
    ],
  ])('%s', async (_, name, before, after, expected) => {
    expect(listed(await between(name, before, after))).toEqual(expected);
  });

  it('without the tag of its success', async () => {
    const found = await onlyChange('business', ['        ETag: {', '        Tag: {', '    Order:\n      description: The complete order']);
    expect([found.id, found.level, found.operations]).toEqual([
      'read/conditional-removed',
      'breaking',
      ['GET /api/integrations/v1/orders/view.php'],
    ]);
  });
});

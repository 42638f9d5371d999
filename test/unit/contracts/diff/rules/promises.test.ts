/** Changes of the whole API, of questions, of marks in schemas and of single reads. */

import { describe, expect, it } from 'vitest';
import { between, type Changed, change, onlyChange, type TextEdit } from './changing.ts';

const library = 'test/fixtures/library.openapi.yaml';

/** The changes, each in a line. */
function listed({ changes }: Pick<Changed, 'changes'>): readonly string[] {
  return changes.map(({ id, level, operations }) => `${id} ${level} ${operations.length}`);
}

describe('what holds for the whole API', () => {
  it.each<[string, string, readonly TextEdit[], readonly TextEdit[], readonly string[]]>([
    ['a tenancy that comes', 'business', [['  tenancy: key', '  # none']], [], ['api/tenancy-added breaking 7']],
    [
      'an order of failures that is only written out',
      'notes',
      [['  precedence: [throttled, unauthenticated]\n', '']],
      [['[throttled, unauthenticated]', '[unauthenticated, throttled]']],
      ['api/precedence-written documentation 2'],
    ],
    [
      'an order of failures that is answered',
      'business',
      [],
      [['precedence: { unspecified: precedence }', 'precedence: [unauthenticated]'], { drop: 'precedence' }],
      ['api/precedence-stated compatible 7'],
    ],
    ['a scope that goes', 'business', [['    orders.read: {}', '    orders.read: {}\n    more: {}']], [], ['api/scope-gone compatible 0']],
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
      ['api/scope-name-stated compatible 1'],
    ],
    [
      'an extension of somebody else',
      'business',
      [],
      [['\nservers:', '\nx-audience: [partners]\n\nservers:']],
      ['annotation/added risky 7'],
    ],
  ])('%s', async (_, name, before, after, expected) => {
    expect(listed(await between(name, before, after))).toEqual(expected);
  });
});

describe('an open question', () => {
  it('is one change when it is answered in several operations', async () => {
    const stated: TextEdit = ['changed: { unspecified: changed-filters }', 'changed: refused'];
    const found = await onlyChange('business', stated, stated, { drop: 'changed-filters' });
    expect([found.id, found.level]).toEqual(['page/changed-stated', 'compatible']);
    expect(found.operations).toEqual(['GET /api/integrations/v1/orders/index.php', 'GET /api/integrations/v1/reservations/index.php']);
    expect(found.before.value).toEqual({ unspecified: 'changed-filters' });
    expect(found.affects).toEqual(['server']);
  });

  it('is answered by something that was not listed', async () => {
    const found = await onlyChange('business', ['at: { unspecified: order-place }', 'at: /order'], { drop: 'order-place' });
    expect([found.id, found.level]).toEqual(['read/at-stated', 'breaking']);
  });

  it.each<[string, readonly TextEdit[], readonly string[]]>([
    [
      'is renamed',
      [
        ['precedence: { unspecified: precedence }', 'precedence: { unspecified: order-of-failures }'],
        ['  precedence:\n    question', '  order-of-failures:\n    question'],
      ],
      ['api/precedence-asked-otherwise documentation 7'],
    ],
    [
      'is only asked',
      [['x-unspecified:\n  # Bodies', 'x-unspecified:\n  new-one: { question: What else?, source: §1, mock: Nothing. }\n  # Bodies']],
      ['question/added documentation 0'],
    ],
    ['is asked no more', [{ drop: 'events' }], ['question/gone documentation 0']],
    ['has an answer less', [['      id-first: [{ by: /id, direction: descending }]\n', '']], ['question/choices-fewer compatible 1']],
    [
      'has an answer more',
      [['refused: refused, cursor-wins: ignored, parameters-win: accepted }', 'refused: refused, cursor-wins: ignored }']],
      ['question/choices-fewer compatible 2'],
    ],
    [
      'has other names of its answers',
      [['choices: { descending: descending,', 'choices: { descending: descending, ascends: ascending } #']],
      ['question/choices-renamed risky 1'],
    ],
    [
      'of schemas reaches whoever shows them',
      [['choices: { plain: { enum: [cash, online] } }', 'choices: { plain: { enum: [cash, online, voucher] } }']],
      ['question/choices-more risky 2'],
    ],
  ])('%s', async (_, edits, expected) => {
    expect(listed(await change('business', ...edits))).toEqual(expected);
  });
});

describe('a mark in a schema', () => {
  it('is one change for all operations that share the schema', async () => {
    const found = await onlyChange('business', ['x-personal: true, description: The customer', 'description: The customer']);
    expect([found.id, found.level, found.operations.length]).toEqual(['schema/personal-gone', 'risky', 4]);
    expect(found.text).toBe('the mark of name as personal: true is no longer stated');
    expect(found.location).toBe('response 200, data.orders[].customer.name, x-personal');
  });

  it.each<[string, readonly TextEdit[], readonly string[]]>([
    [
      'that comes',
      [['code: { type: string, description', 'code: { type: string, x-personal: true, description', '    Order:']],
      ['schema/personal-added documentation 2'],
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
      [],
    ],
    [
      'that asks where nothing was asked',
      [
        ['provider: { type: string, x-unspecified: payment-provider-values', 'provider: { type: string, x-unspecified: source-values'],
        { drop: 'payment-provider-values' },
      ],
      ['schema/question-changed documentation 2'],
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
      ['read/conditional-gone breaking 1'],
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
      ['read/conditional-gone breaking 3'],
    ],
    ['by one parameter less', 'business', [], [['by: { id: /id, code: /code }', 'by: { id: /id }']], ['read/by-gone breaking 1']],
    ['by one parameter more', 'business', [['by: { id: /id, code: /code }', 'by: { id: /id }']], [], ['read/by-added compatible 1']],
    ['that is described no more', library, [], [["      x-resource: { name: hours, at: '' }\n", '']], ['read/gone breaking 1']],
    [
      'of a collection of another name',
      library,
      [],
      [
        ['        name: books', '        name: volumes'],
        ['x-resource: { name: books', 'x-resource: { name: volumes'],
      ],
      ['list/name-changed documentation 2'],
    ],
  ])('%s', async (_, name, before, after, expected) => {
    expect(listed(await between(name, before, after))).toEqual(expected);
  });

  it('names the line of the part that is missing', async () => {
    const found = await onlyChange('business', ['        ETag: {', '        Tag: {', '    Order:\n      description: The complete order']);
    expect([found.id, found.level, found.operations]).toEqual([
      'read/conditional-gone',
      'breaking',
      ['GET /api/integrations/v1/orders/view.php'],
    ]);
    expect([found.before.place.line, found.after.place.line]).toEqual([773, 773]);
  });
});

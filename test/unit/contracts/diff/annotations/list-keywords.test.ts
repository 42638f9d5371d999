/** Changes of list annotations: places, order, filters, visibility and paging, in several contracts. */

import { describe, expect, it } from 'vitest';
import type { DataRecord } from '../../../../../core/query/query.ts';
import { confirmList, totalBy } from './confirm-change.ts';
import { between, change, type Expected, expectChange, onlyChange, type TextEdit } from './edited-contracts.ts';

const library = 'test/fixtures/library.openapi.yaml';

describe('no edit', () => {
  it.each(['wiki', 'notes', library])('is no change of %s', async (name) => {
    expect((await change(name)).changes).toEqual([]);
  });
});

/** Changes beyond one edit of each keyword. */
const byQuery: readonly Expected[] = [
  {
    name: 'business',
    edits: [['date_from: { from: /schedule/date }', 'date_from: { from: /changed_at, as: date }']],
    id: 'filter/field-changed',
    level: 'breaking',
  },
  {
    name: 'notes',
    edits: [['state: { any-of: /state }', 'state: { equals: /state }']],
    id: 'filter/operator-changed',
    level: 'breaking',
  },
  {
    name: 'business',
    edits: [['updated_after: { from: /changed_at }', 'updated_after: { from: /changed_at, as: text }']],
    id: 'filter/comparison-changed',
    level: 'breaking',
  },
  {
    name: 'notes',
    edits: [['until: { before: /at }', '']],
    id: 'filter/removed',
    level: 'breaking',
    lines: ['until: { before: /at }', 'state: { any-of'],
  },
  {
    name: 'business',
    edits: [['- { by: /id, direction: descending }', '', 'order: # §4, rule 1']],
    id: 'list/tie-break-removed',
    level: 'breaking',
    lines: ['order: #', 'order: #'],
  },
  {
    name: 'business',
    edits: [['direction: descending }', 'direction: ascending }', 'order: # §4, rule 1']],
    id: 'list/order-changed',
    level: 'breaking',
    lines: ['order: #', 'order: #'],
  },
  {
    name: 'business',
    edits: [
      ['direction: { unspecified: reservations-direction }', 'direction: ascending'],
      ['- { by: /changed_at, direction: ascending }', '- { by: /schedule/date, direction: { unspecified: reservations-direction } }'],
    ],
    id: 'list/order-changed',
    level: 'breaking',
    lines: ['order: #', 'order: #'],
  },
  { name: 'wiki', edits: [['type: { equals: /type }', 'type: { equals: /visibility }']], id: 'filter/field-changed', level: 'breaking' },
  { name: 'wiki', edits: [['shown: [public]', 'shown: [team]']], id: 'visible/shown-value-removed', level: 'breaking' },
  {
    name: 'wiki',
    edits: [['visible: { field: /visibility, shown: [public], hidden: { unspecified: hidden-entry } }', ''], { drop: 'hidden-entry' }],
    id: 'visible/removed',
    level: 'security',
    lines: ['visible: {', 'name: entries'],
  },
  { name: 'notes', edits: [['fields: [/title, /text]', 'fields: [/title]']], id: 'filter/fields-removed', level: 'breaking' },
  { name: 'notes', edits: [['fields: [/title, /text]', 'fields: [/title, /text, /seen]']], id: 'filter/fields-added', level: 'risky' },
  {
    name: library,
    edits: [['pagesFrom: { from: /pages }', 'pagesFrom: { after: /pages }']],
    id: 'filter/operator-changed',
    level: 'breaking',
  },
];

describe('a change that the evaluator can show', () => {
  it.each(byQuery)('$name: $id by $edits.0', async (expected) => {
    const found = await expectChange({ ...expected, verdict: 'witnessed' });
    confirmList(found);
    expect(found.witness?.records?.given.length).toBe(expected.id.startsWith('list/') ? 2 : 1);
    expect(found.witness?.place).toEqual(found.after.place);
  });

  it('includes an order that becomes unspecified', async () => {
    const found = await onlyChange(
      library,
      ['order: [{ by: /pages, direction: descending }', 'order: [{ by: /pages, direction: { unspecified: direction } }'],
      [
        'x-unspecified:',
        'x-unspecified:\n  direction: { question: Which way?, source: nowhere, mock: down, choices: { down: descending, up: ascending } }',
      ],
    );
    expect([found.id, found.level, found.verdict]).toEqual(['list/order-left-unspecified', 'breaking', 'witnessed']);
    confirmList(found);
  });

  it('includes a lower cap of the page size', async () => {
    const drop = { drop: 'largest-limit' };
    const cap = (value: string): readonly TextEdit[] => [['cap: { unspecified: largest-limit }', `cap: ${value}`], drop];
    const { changes } = await between('wiki', cap('100'), cap('50'));
    expect(changes.map(({ id, level, verdict }) => [id, level, verdict])).toEqual([['page/cap-lowered', 'breaking', 'witnessed']]);
    expect(changes[0]?.witness?.exchange.request?.target).toBe('/api/v1/wiki?limit=51');
    expect(changes[0]?.witness?.message).toBe('the old contract returns up to 51 records; the new one up to 50');
    expect((await between('wiki', cap('null'), cap('50'))).changes.map(({ id }) => id)).toEqual(['page/cap-lowered']);
    expect((await between('wiki', cap('50'), cap('100'))).changes.map(({ level }) => level)).toEqual(['compatible']);
  });

  it('includes a total that counts other records', async () => {
    const counts = (value: string): readonly TextEdit[] => [
      ['counts: { unspecified: total-counts }', `counts: ${value}`],
      { drop: 'total-counts' },
    ];
    const { old, next, changes } = await between('wiki', counts('filtered'), counts('overall'));
    expect(changes.map(({ id, level, verdict }) => [id, level, verdict])).toEqual([['page/counts-changed', 'breaking', 'witnessed']]);
    const { witness } = changes[0] ?? {};
    const { target = '' } = witness?.exchange.request ?? {};
    const { given = [], before, after } = witness?.records ?? {};
    const records = given as readonly DataRecord[];
    expect([totalBy(old, 'filtered', target, records), totalBy(next, 'overall', target, records)]).toEqual([before, after]);
  });

  it('may follow from a schema that changes the comparison of values', async () => {
    const text: TextEdit = ['      type: string\n      format: date-time\n\n    OrderPage', '      type: string\n\n    OrderPage'];
    const { old, next, changes } = await change('business', text);
    expect(changes.map(({ id, level, operation, verdict }) => [id, level, operation?.split('/').at(-2), verdict])).toEqual([
      ['filter/comparison-changed', 'breaking', 'orders', 'witnessed'],
      ['list/order-comparison-changed', 'breaking', 'reservations', 'witnessed'],
    ]);
    expect(changes.map((each) => each.text)).toEqual([
      'the filter `updated_after` compares `/changed_at` as text, no longer as instant',
      'the order compares `/changed_at` as text, no longer as instant',
    ]);
    for (const each of changes) confirmList({ ...each, old, next });
  });

  it('has no witness if all results are equal', async () => {
    const order = '[{ by: /pages, direction: descending }, { by: /title, direction: ascending }';
    const byKey: TextEdit = [order, `${order}, { by: /number, direction: ascending }`];
    const { changes } = await between(library, [byKey], []);
    expect(changes.map(({ id, level, verdict }) => [id, level, verdict])).toEqual([['list/tie-break-removed', 'breaking', 'unwitnessed']]);
  });
});

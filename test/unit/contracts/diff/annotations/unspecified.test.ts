/** Changes of unspecified points. */

import { describe, expect, it } from 'vitest';
import { change, listed, onlyChange, type TextEdit } from './edited-contracts.ts';

describe('an open question', () => {
  it('is one change when it is answered in several operations', async () => {
    const stated: TextEdit = ['changed: { unspecified: changed-filters }', 'changed: refused'];
    const found = await onlyChange('business', stated, stated, { drop: 'changed-filters' });
    expect([found.id, found.level]).toEqual(['page/changed-specified', 'compatible']);
    expect(found.operations).toEqual(['GET /api/integrations/v1/orders/index.php', 'GET /api/integrations/v1/reservations/index.php']);
    expect(found.before.value).toEqual({ unspecified: 'changed-filters' });
    expect(found.affects).toEqual(['server']);
  });

  it('may get an answer that was not listed', async () => {
    const found = await onlyChange('business', ['at: { unspecified: order-place }', 'at: /order'], { drop: 'order-place' });
    expect([found.id, found.level]).toEqual(['read/at-specified', 'breaking']);
  });

  it.each<[string, readonly TextEdit[], readonly string[]]>([
    [
      'is renamed',
      [
        ['precedence: { unspecified: precedence }', 'precedence: { unspecified: order-of-failures }'],
        ['  precedence:\n    question', '  order-of-failures:\n    question'],
      ],
      ['api/precedence-other-question documentation 7'],
    ],
    [
      'is only asked',
      [['x-unspecified:\n  # Bodies', 'x-unspecified:\n  new-one: { question: What else?, source: §1, mock: Nothing. }\n  # Bodies']],
      ['question/added documentation 0'],
    ],
    ['is asked no more', [{ drop: 'events' }], ['question/removed documentation 0']],
    ['has an answer less', [['      id-first: [{ by: /id, direction: descending }]\n', '']], ['question/choices-removed compatible 1']],
    [
      'has an answer more',
      [['refused: refused, cursor-wins: ignored, parameters-win: accepted }', 'refused: refused, cursor-wins: ignored }']],
      ['question/choices-removed compatible 2'],
    ],
    [
      'has other names of its answers',
      [['choices: { descending: descending,', 'choices: { descending: descending, ascends: ascending } #']],
      ['question/choices-renamed risky 1'],
    ],
    [
      'of schemas reaches whoever shows them',
      [['choices: { plain: { enum: [cash, online] } }', 'choices: { plain: { enum: [cash, online, voucher] } }']],
      ['question/choices-added risky 2'],
    ],
  ])('%s', async (_, edits, expected) => {
    expect(listed(await change('business', ...edits))).toEqual(expected);
  });
});

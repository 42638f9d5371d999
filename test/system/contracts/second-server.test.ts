/**
 * The server written from the documents alone: correct variants raise no alarm, and a defect of each group of rules is reported. Campaigns judge all choices,
 * defects and combinations.
 */

import { describe, expect, test } from 'vitest';
import { falseAlarms, judgeSecond } from '../../helpers/judged-servers.ts';
import { correctServers, defectiveServers, judgeCase } from '../../helpers/second-servers.ts';

const slow = { timeout: 60_000 };

describe('a correct server raises no alarm', () => {
  const representative = [
    'business: strict in all that is open, with codes and ids that repeat',
    'business: lenient in all that is open, with absent records first',
    'business: no data',
    'business changes: edges, seed 3',
    'business watched: busy, seed 1',
    'wiki: absent pages',
    'wiki: words only',
    'wiki changes: busy, seed 1',
  ];
  test.each(representative)('%s', slow, async (key) => {
    const found = correctServers.find((each) => each.key === key);
    expect(found === undefined ? ['there is no such server'] : await judgeCase(found)).toEqual([]);
  });

  test('records that come meanwhile stand on any of the pages that follow, some of them empty', slow, async () => {
    const choices = { 'short-pages': 'some-empty', 'orders-order': 'id-asc' };
    const result = await judgeSecond(
      { api: 'business', data: 'two', choices, changes: (_, world) => void world.insert('orders', 'A') },
      { only: ['paging/exact-multiple', 'paging/complete', 'paging/once'] },
    );
    expect(falseAlarms(result)).toEqual([]);
    expect(result.checks.find(({ rule: id }) => id === 'paging/exact-multiple')?.message).toMatch(/^(The data changed|$)/);
  });
});

/** The last defect of each group of rules: of the wiki where there is one, since its runs are short. */
const lastOfGroup = [...new Map(defectiveServers.map((each) => [each.rule.split('/')[0], each])).values()];

test.each(lastOfGroup.map((each) => [each.rule, each.key, each] as const))('%s reports %s', slow, async (_rule, _key, mutant) => {
  expect(await judgeCase(mutant)).toEqual([]);
});

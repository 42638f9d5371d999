/** A search beside a filter: the finding names both, and nothing else of the request. */

import { expect, test } from 'vitest';
import { examineSearchWithFilter } from '../../../../../../contracts/verify/rules/examinations/examine-search-with-filter.ts';
import { listJudgements } from '../../../../../../contracts/verify/rules/rule.ts';
import { contractOf, fakeTarget, listIn, openContext } from '../../../../../helpers/engine.ts';
import { pageBody, queryOf } from '../../../../../helpers/lazy-list.ts';

const wiki = await contractOf('wiki');
const entries = listIn(wiki, 'listEntries');
const records = ['note', 'note', 'note', 'team'].map((type, index) => ({ slug: `entry-${index}`, type, title: 'Espresso machine' }));

/** The findings about a server that reads of the given parameters only the first. */
async function findingsWhenReadingOnly(
  preferred: 'q' | 'type',
): Promise<readonly (readonly [mutant: string | undefined, expected: string])[]> {
  const target = fakeTarget(({ target: text }) => {
    const query = queryOf(text);
    const isRead = (name: 'q' | 'type'): boolean => query.has(name) && (name === preferred || !query.has(preferred));
    const found = records.filter(
      ({ type, title }) =>
        (!isRead('type') || type === query.get('type')) && (!isRead('q') || title.toLowerCase().includes(query.get('q') ?? '')),
    );
    return { body: pageBody(entries, { records: found, total: found.length, limit: Number(query.get('limit')), page: 1 }) };
  });
  const examination = await examineSearchWithFilter(openContext(wiki, target), entries, 'type');
  const judgements = 'judge' in examination ? listJudgements(examination.judge()) : [];
  return judgements.flatMap((each) => (each.kind === 'contradicts' ? [[each.mutant?.id, each.expected] as const] : []));
}

test('a filter that is ignored beside a search is reported with the search', async () => {
  expect(await findingsWhenReadingOnly('q')).toEqual([
    ['filter-beside-search-ignored', 'listEntries with q=espresso and type=note must return only records that match both'],
  ]);
});

test('a search that is ignored beside a filter is reported without the page size', async () => {
  expect(await findingsWhenReadingOnly('type')).toEqual([
    [
      'search-beside-filter-ignored',
      expect.stringMatching(/^listEntries with q=[a-z]+ and type=note must return only records that match both$/),
    ],
  ]);
});

/** The laws about single records, pages, visibility and search, against the mock: as it is, and with each fault that names one of them. */

import { describe, expect, test } from 'vitest';
import { laws } from '../../../../contracts/laws/catalogue.ts';
import { listMockFaults, startMock } from '../../../../mocks/start.ts';
import { doubtsOf, groups, type Judged, judgeRecords, violated } from './records.ts';

const isOurs = /^(details|pages|visible|search)\//;

/** Faults that no answer shows, or that are legal where the documents are silent. */
const unseen = ['identifier-malformed-absent:getOrder.id', 'identifier-case-ignored:getEntry.slug'];

async function mockOf(api: string, faults: readonly string[] = []): Promise<Judged> {
  const mock = await startMock({ contracts: [api], faults });
  return { url: mock.url, keys: mock.keys, hidden: mock.hiddenSlugs, [Symbol.asyncDispose]: mock.close };
}

describe('the mock as it is', () => {
  test.each([
    ['business', false, 85],
    ['business', true, 50],
    ['wiki', false, 95],
    ['wiki', true, 50],
  ] as const)('%s, quick %s: every law holds, within %i requests', async (api, quick, most) => {
    const result = await judgeRecords(api, await mockOf(api), groups[api], quick);
    expect(doubtsOf(result).filter((line) => !quick || !/ holds: |Quick runs leave it out/.test(line))).toEqual([]);
    expect(result.requests).toBeLessThanOrEqual(most);
  });

  test('without hidden keys, what needs them says so', async () => {
    const mock = await mockOf('wiki');
    const result = await judgeRecords('wiki', { ...mock, hidden: [] }, ['visible/*']);
    const verdicts = Object.fromEntries(result.laws.map(({ id, verdict }) => [id, verdict]));
    expect(verdicts).toEqual({
      'visible/lists': 'not-exercised',
      'visible/count': 'not-exercised',
      'visible/single': 'not-testable',
      'visible/search': 'not-testable',
    });
  });

  test('a key that is not hidden at all is told, and nothing is claimed', async () => {
    const mock = await mockOf('wiki');
    const result = await judgeRecords('wiki', { ...mock, hidden: ['città'] }, ['visible/single']);
    expect(result.laws[0]).toMatchObject({ verdict: 'not-testable', message: expect.stringContaining('città is not hidden') });
  });
});

const faults = (await listMockFaults()).filter(
  ({ law, id }) => isOurs.test(law) && !unseen.includes(id) && laws.some((each) => each.id === law),
);

/** The first place of each kind is judged in test/contracts/faults-records.test.ts. */
const kindOf = ({ id, contract }: (typeof faults)[number]): string => `${contract} ${id.split(':', 1)[0]}`;
const further = faults.filter((fault, index) => faults.findIndex((each) => kindOf(each) === kindOf(fault)) < index);

describe('each fault at a further place', () => {
  test.each(further.map(({ id, law, contract }) => [id, law, contract] as const))('%s violates %s', async (id, law, contract) => {
    const result = await judgeRecords(contract, await mockOf(contract, [id]), [law]);
    expect(violated(result)).toEqual([law]);
  });
});

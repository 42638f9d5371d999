/** A codex that is refreshed all week, on good days and bad, ends up with what a full read of the wiki shows. */

import { describe, expect, it } from 'vitest';
import { type RunningMock, type ServedExchange, startMock } from '../../../../index.ts';
import { createCodex, typesByFrequency } from '../../../consumers/game/codex.ts';
import { type EntrySummary, openWiki, type Wiki, WikiFailure } from '../../../consumers/game/wiki.ts';

const dayMs = 86_400_000;
const chaos: ReadonlyMap<number, readonly string[]> = new Map([
  [1, ['503 30%']],
  [3, ['reset 20%', 'truncated 20%']],
  [5, ['503']],
]);

/** Each of them answers unspecified points differently, a page past the end for example. */
const wikis = [
  { seed: 1, profile: {} },
  { seed: 7, profile: 'other' },
  { seed: 42, profile: 'strict' },
] as const;

describe.each(wikis)('a week of a wiki, seed $seed, profile $profile', ({ seed, profile }) => {
  it('leaves the codex with what is there', { timeout: 60_000 }, async () => {
    const statuses: number[] = [];
    const onExchange = ({ response }: ServedExchange): unknown => statuses.push(response.status);
    await using mock = await startMock({ contracts: ['wiki'], seed, profile, sizes: { entries: 70 }, onExchange });
    const pauses: number[] = [];
    const wiki = open(mock, pauses);
    const codex = createCodex(wiki, 5);

    let missed = 0;
    const start = mock.clock.now();
    while (mock.clock.now() < start + 7 * dayMs) {
      mock.clock.advance(dayMs / 2);
      mock.chaos.set(chaos.get(Math.floor((mock.clock.now() - start) / dayMs)) ?? []);
      missed += await missedBy(codex.refresh);
      const slug = [...codex.entries.keys()][missed];
      missed += await missedBy(async () => expect((await codex.open(slug ?? ''))?.slug).toBe(slug));
    }
    mock.chaos.clear();
    await codex.refresh();

    const all = await readAll(mock);
    expect(toSorted(codex.entries.values())).toEqual(toSorted(all));
    for (const type of typesByFrequency) expect(await codex.list(type)).toEqual(all.filter((entry) => entry.type === type));
    for (const { slug, updated_at } of all.slice(0, 5)) expect(await codex.open(slug)).toMatchObject({ slug, updated_at });
    for (const slug of mock.hiddenRecords) expect(await codex.open(slug)).toBeUndefined();

    // Controls: without several pages and chaos, this test would show nothing.
    expect(all.length).toBeGreaterThan(40);
    expect(mock.hiddenRecords.length).toBeGreaterThan(0);
    expect(missed).toBeGreaterThan(1);
    expect(pauses).toEqual(expect.arrayContaining([500, 1000, 2000]));
    expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(4);
  });

  it('has searches that find what they name, as far as a wiki does', async () => {
    await using mock = await startMock({ contracts: ['wiki'], seed, profile, sizes: { entries: 70 } });
    const codex = createCodex(open(mock));
    const [first] = await codex.list('creature');
    expect(await codex.search(first?.title ?? '')).toEqual(expect.arrayContaining([first]));
    expect(await codex.search(first?.title ?? '', 'arma')).not.toContainEqual(first);
    expect(await codex.search('there is certainly nothing like this')).toEqual([]);
  });
});

/** 1 if the wiki gave no answer, so that players see yesterday's codex. */
async function missedBy(act: () => Promise<unknown>): Promise<number> {
  try {
    await act();
    return 0;
  } catch (error) {
    if (error instanceof WikiFailure) return 1;
    throw error;
  }
}

function open(mock: RunningMock, pauses: number[] = []): Wiki {
  const sleep = async (milliseconds: number): Promise<void> => {
    pauses.push(milliseconds);
    mock.clock.advance(milliseconds);
  };
  return openWiki({ baseUrl: mock.url, sleep });
}

/** Every list of the wiki at once, without the tested client. */
async function readAll(mock: RunningMock): Promise<readonly EntrySummary[]> {
  const response = await fetch(`${mock.url}/api/v1/wiki?limit=100`);
  const { data, meta } = (await response.json()) as { readonly data: readonly EntrySummary[]; readonly meta: { readonly total: number } };
  expect(data).toHaveLength(meta.total);
  return data;
}

function toSorted(entries: Iterable<EntrySummary>): readonly EntrySummary[] {
  return [...entries].sort((one, other) => (one.slug < other.slug ? -1 : 1));
}

/** Every answer to every open question: the mock keeps its contract with it, and what can be seen of the answer is seen. */

import { describe, expect, it, vi } from 'vitest';
import { isObject } from '../../../core/json.ts';
import { contractFile } from '../../../core/shipped.ts';
import { ask } from '../../helpers/client.ts';
import { openContract } from '../../helpers/judge.ts';
import { type JudgedMock, startJudgedMock } from '../../helpers/mock.ts';
import { businessObservers, read } from '../../helpers/observe-business.ts';
import { wikiObservers } from '../../helpers/observe-wiki.ts';
import { business, cursorLists, recordsOf, target, walk, wiki, withKey } from '../../helpers/targets.ts';

// The first mock of a process loads Prism, which takes long on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

/** Questions whose answer shows only when the server is in trouble, which this mock never is by itself. */
const unseen = ['which-not-ready', 'retry-after-form'];

/** Choices that no answer tells apart as long as nothing is throttled or unavailable. */
const alike: Readonly<Record<string, string>> = { 'limit-first': 'key-first', 'service-first': 'key-first' };

async function choicesOf(name: string): Promise<readonly (readonly [question: string, choice: string, only: boolean])[]> {
  const { questions } = await openContract(contractFile(name));
  return [...questions.values()].flatMap(({ id, choices }) =>
    [...choices.keys()].map((choice) => [id, choice, choices.size === 1] as const),
  );
}

describe('the business API', async () => {
  const choices = await choicesOf('business');

  it('has an observer for every question that can be answered in more than one way', () => {
    const several = new Set(choices.filter(([, , only]) => !only).map(([question]) => question));
    expect([...several].filter((question) => !unseen.includes(question)).sort()).toEqual(Object.keys(businessObservers).sort());
  });

  it.each(choices)('answers %s with %s', async (question, choice) => {
    await using mock = await startJudgedMock({ contracts: ['business'], profile: { [question]: choice } });
    await tourBusiness(mock);
    await mock.verify();
    const observe = businessObservers[question];
    if (observe !== undefined) expect(await observe(mock)).toBe(alike[choice] ?? choice);
  });
});

describe('the wiki API', async () => {
  const choices = await choicesOf('wiki');

  it('has an observer for every question that can be answered', () => {
    expect([...new Set(choices.map(([question]) => question))].sort()).toEqual(Object.keys(wikiObservers).sort());
  });

  it.each(choices)('answers %s with %s', async (question, choice) => {
    await using mock = await startJudgedMock({ contracts: ['wiki'], profile: { [question]: choice } });
    await tourWiki(mock);
    await mock.verify();
    expect(await wikiObservers[question]?.(mock)).toBe(choice);
  });
});

/** Walks both lists, reads details, and provokes every failure that the mock has. */
async function tourBusiness(mock: JudgedMock): Promise<void> {
  for (const list of cursorLists) {
    const full = (await walk([mock], { ...list, query: { limit: 100 } }, withKey(mock.keys['full']))).flatMap((page) =>
      recordsOf(page, list.items),
    );
    await walk([mock], { ...list, query: { limit: 7, status: 'pending,no_show' } }, withKey(mock.keys['other']));
    const view = list.path.replace('index.php', 'view.php');
    const step = Math.max(1, Math.floor(full.length / 4));
    for (const record of full.filter((_, index) => index % step === 0)) {
      const reply = await read(mock, view, { id: Number(record['id']) });
      expect(reply.status).toBe(200);
      expect(
        (
          await ask(
            mock,
            target(view, { id: Number(record['id']) }),
            withKey(mock.keys['full'], { 'if-none-match': String(reply.headers.etag) }),
          )
        ).status,
      ).toBe(304);
      expect((await read(mock, view, { id: Number(record['id']) }, 'other')).status).toBe(404);
    }
    for (const query of [{ limit: 0 }, { limit: 101 }, { status: 'none' }, { cursor: 'x' }, { updated_after: 'yesterday' }]) {
      expect((await read(mock, list.path, query)).status).toBe(422);
    }
    expect((await ask(mock, list.path)).status).toBe(401);
    expect((await read(mock, list.path, {}, 'expired')).status).toBe(401);
    expect((await read(mock, view, { id: 0 })).status).toBe(422);
  }
  for (const [path, role] of [
    [business.identity, 'without:identity'],
    [business.menu, 'without:menu'],
    [business.manifest, 'without:menu'],
    [business.orders, 'without:orders.read'],
    [business.reservations, 'without:reservations.read'],
  ] as const) {
    expect((await read(mock, path)).status).toBe(200);
    expect((await read(mock, path, {}, role)).status).toBe(403);
  }
  expect((await read(mock, business.menu, {}, 'no-menu')).status).toBe(404);
  expect((await read(mock, business.manifest, {}, 'no-menu')).status).toBe(404);
  expect((await read(mock, '/api/integrations/v1/unknown.php')).status).toBe(404);
  expect((await ask(mock, business.orders, withKey(mock.keys['full']), 'POST')).status).toBe(405);
}

/** Walks the list by page numbers, reads entries, and asks for what is wrong, hidden or missing. */
async function tourWiki(mock: JudgedMock): Promise<void> {
  const seen = new Set<unknown>();
  for (let page = 1, more = true; more; page += 1) {
    const reply = await ask(mock, target(wiki, { page, limit: 50 }));
    const slugs = reply.status === 200 ? recordsOf(reply, '/data').map((entry) => entry['slug']) : [];
    more = slugs.some((slug) => !seen.has(slug));
    for (const slug of slugs) seen.add(slug);
  }
  expect(seen.size).toBeGreaterThan(100);
  for (const slug of [...seen].slice(0, 10)) {
    const entry = (await ask(mock, `${wiki}/${encodeURIComponent(String(slug))}`)).at('/data');
    expect(isObject(entry) && entry['slug']).toBe(slug);
  }
  for (const slug of mock.hiddenSlugs) {
    expect(seen.has(slug)).toBe(false);
    expect((await ask(mock, `${wiki}/${encodeURIComponent(slug)}`)).text).not.toContain('body_public');
  }
  expect((await ask(mock, `${wiki}/no-such-entry`)).status).toBe(404);
  for (const query of [
    'type=unknown',
    'limit=abc',
    'page=0',
    'page=-1',
    'limit=1e3',
    'page=%',
    'q=',
    'q=%20',
    'type=ARMA',
    'limit=2&limit=3',
    'nothing=1',
  ]) {
    expect([200, 400]).toContain((await ask(mock, `${wiki}?${query}`)).status);
  }
  expect((await ask(mock, wiki, {}, 'DELETE')).status).toBe(405);
}

/** Every answer to every open question: the mock keeps its contract with it, and an answer that can be observed is observed. */

import { expect } from 'vitest';
import { isObject } from '../../core/json.ts';
import { contractFile, listShipped } from '../../core/shipped-files.ts';
import { openContract } from '../helpers/exchange-judge.ts';
import { type JudgedMock, startJudgedMock } from '../helpers/judged-mock.ts';
import { observe, read } from '../helpers/observed-choices.ts';
import { ask } from '../helpers/plain-client.ts';
import { business, cursorLists, paginate, recordsOf, target, wiki, withKey } from '../helpers/request-targets.ts';
import { type Campaign, defineCampaign, type Item } from './campaign.ts';

/** An answer to a question of a contract. */
interface Answer extends Item {
  readonly contract: string;
  readonly question: string;
  readonly choice: string;
  /** True if other answers are possible, so that there is something to observe. */
  readonly isOpen: boolean;
}

const contracts = await Promise.all(listShipped().map((name) => openContract(contractFile(name))));

const answers: readonly Answer[] = contracts.flatMap(({ name, questions }) =>
  [...questions.values()].flatMap(({ id, choices }) =>
    [...choices.keys()].map((choice) => ({
      key: `${name} ${id}: ${choice}`,
      contract: name,
      question: id,
      choice,
      isOpen: choices.size > 1,
    })),
  ),
);

export const campaign: Campaign = defineCampaign<Answer, { readonly complaint: string | null }>({
  items: () => answers,
  judge: async ({ contract, question, choice, isOpen }) => {
    try {
      await using mock = await startJudgedMock({ contracts: [contract], profile: { [question]: choice } });
      await (contract === 'business' ? tourBusiness : tourWiki)(mock);
      await mock.verify();
      const seen = isOpen ? await observe(mock, contract, question, choice) : choice;
      return { complaint: seen === choice ? null : `the answers look like ${seen}` };
    } catch (error) {
      return { complaint: error instanceof Error ? error.message.slice(0, 2000) : String(error) };
    }
  },
  complaints: ({ complaint }) => (complaint === null ? [] : [complaint]),
  smoke: (items) => items.filter(({ key }) => ['business precedence: query-first', 'wiki page-beyond: last'].includes(key)),
});

/** Pages through both lists, reads details, and provokes every failure of the mock. */
async function tourBusiness(mock: JudgedMock): Promise<void> {
  for (const list of cursorLists) {
    const full = (await paginate([mock], { ...list, query: { limit: 100 } }, withKey(mock.keys['full']))).flatMap((page) =>
      recordsOf(page, list.items),
    );
    await paginate([mock], { ...list, query: { limit: 7, status: 'pending,no_show' } }, withKey(mock.keys['other']));
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

/** Pages through the list, reads entries, and asks for what is wrong, hidden or missing. */
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
  for (const slug of mock.hiddenRecords) {
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

/** A codex finds the end of a list in every form that the wiki may use. */

import { describe, expect, it } from 'vitest';
import { type Answer, answerInTurn } from '../../../consumers/answers.ts';
import { createCodex } from '../../../consumers/game/codex.ts';
import { openWiki, type Wiki } from '../../../consumers/game/wiki.ts';

const [a, b, c] = ['aquila', 'basilisco', 'cervo'] as const;

describe('a list', () => {
  it.each<readonly [string, Answer]>([
    ['an empty page', page()],
    ['the last page again', page(c)],
    ['no such page', failure(404)],
    ['a number that is refused', failure(400)],
  ])('ends where the wiki says so after a last page that was full: %s', async (_, beyond) => {
    const { wiki, asked } = serve([page(a), page(c), beyond]);
    expect((await createCodex(wiki, 1).list('creature')).map(({ slug }) => slug)).toEqual([a, c]);
    expect(asked).toEqual([1, 2, 3].map((number) => `wiki?type=creature&limit=1&page=${number}`));
  });

  it('ends with a page that is not full, by the measure of the wiki', async () => {
    const { wiki, asked } = serve([list([a, b], 2), list([c], 2)]);
    expect(await createCodex(wiki, 1000).list('creature')).toHaveLength(3);
    expect(asked).toHaveLength(2);
  });

  it('that lacks an entry from one day to the next takes it out of the codex', async () => {
    const others = Array.from({ length: 5 }, () => list([]));
    const codex = createCodex(serve([list([a, b]), ...others, list([b, c]), ...others]).wiki);
    await codex.refresh();
    await codex.refresh();
    expect([...codex.entries.keys()]).toEqual([b, c]);
  });

  it('of which a page cannot be read leaves the codex as it was', async () => {
    const fresh = [list([a]), ...Array.from({ length: 5 }, () => list([]))];
    const { wiki } = serve([...fresh, list([b]), failure(500)], 1);
    const codex = createCodex(wiki);
    await codex.refresh();
    await expect(codex.refresh()).rejects.toMatchObject({ name: 'WikiFailure', status: 500 });
    expect([...codex.entries.keys()]).toEqual([a]);
  });

  it('whose first page is refused is an error', async () => {
    await expect(serve([failure(400)]).wiki.list({ page: 1 })).rejects.toThrow('the wiki answered 400');
  });
});

describe('an entry', () => {
  it('is read again only when the lists show a change', async () => {
    const types = Array.from({ length: 5 }, () => list([]));
    const { wiki, asked } = serve([
      list([a]),
      ...types,
      entry(a),
      list([a], 30, '2026-09-15 08:00:00'),
      ...types,
      entry(a, '2026-09-15 08:00:00'),
    ]);
    const codex = createCodex(wiki);
    await codex.refresh();
    const first = await codex.open(a);
    expect(await codex.open(a)).toBe(first);
    await codex.refresh();
    expect((await codex.open(a))?.updated_at).toBe('2026-09-15 08:00:00');
    expect(asked.filter((path) => path === `wiki/${a}`)).toHaveLength(2);
  });

  it.each([401, 403, 404])('that is not for players is none, and leaves the codex: %i', async (status) => {
    const { wiki } = serve([list([a]), ...Array.from({ length: 5 }, () => list([])), failure(status)]);
    const codex = createCodex(wiki);
    await codex.refresh();
    expect(await codex.open(a)).toBeUndefined();
    expect([...codex.entries.keys()]).toEqual([]);
  });

  it('may have a name that does not fit into a path as it is', async () => {
    const { wiki, asked } = serve([entry('città/50%')]);
    expect((await wiki.entry('città/50%'))?.slug).toBe('città/50%');
    expect(asked).toEqual(['wiki/citt%C3%A0%2F50%25']);
  });
});

describe('an answer that nobody promised', () => {
  it.each<readonly [string, Answer]>([
    ['a page for people', [200, '<h1>Welcome</h1>']],
    ['entries without names', [200, { data: [{ title: 'x' }], meta: { limit: 30 } }]],
    ['a page without its measure', [200, { data: [], meta: {} }]],
  ])('is reported as such: %s', async (_, answer) => {
    await expect(serve([answer]).wiki.list()).rejects.toMatchObject({ name: 'WikiFailure', status: 200 });
  });
});

function serve(answers: readonly Answer[], attempts = 4): { readonly wiki: Wiki; readonly asked: readonly string[] } {
  const { fetch, asked } = answerInTurn(...answers);
  return { wiki: openWiki({ baseUrl: 'http://wiki.test', sleep: async () => undefined, attempts, fetch }), asked };
}

function page(...slugs: readonly string[]): Answer {
  return list(slugs, 1);
}

function list(slugs: readonly string[], limit = 30, updatedAt?: string): Answer {
  return [200, { ok: true, data: slugs.map((slug) => summary(slug, updatedAt)), meta: { version: 'v1', page: 1, limit, total: 99 } }];
}

function entry(slug: string, updatedAt?: string): Answer {
  return [200, { ok: true, data: { ...summary(slug, updatedAt), body_public: '<p></p>' }, meta: { version: 'v1' } }];
}

function summary(slug: string, updatedAt = '2026-09-14 18:22:05'): object {
  return { slug, title: slug, type: 'creature', visibility: 'public', icon_path: `icons/${slug}.png`, updated_at: updatedAt };
}

function failure(status: number): Answer {
  return [status, { ok: false, error: { code: 'SOME_CODE', message: 'For people.' } }];
}

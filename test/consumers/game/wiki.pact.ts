/** The game's pact with the wiki: lists by type and page, searches, and single entries. */

import { MatchersV3 } from '@pact-foundation/pact';
import { describe, expect, it } from 'vitest';
import { injected, startPactVerifier } from '../interaction.ts';
import { createCodex } from './codex.ts';
import { type Entry, type EntrySummary, openWiki, type Wiki } from './wiki.ts';

const { eachLike, equal, integer, regex, string } = MatchersV3;
const play = startPactVerifier('game', 'wiki');
const root = '/api/v1/wiki';
const oneEntry = { 'an entry exists': {} };
const oneCreature = { 'an entry with type creature exists': {} };

const wolf: EntrySummary = {
  slug: 'lupo-di-sale',
  title: 'Lupo di sale',
  type: 'creature',
  icon_path: 'icons/creature/lupo-di-sale.png',
  updated_at: '2026-09-14 18:22:05',
};
/** The total is not relied on: which entries it counts is not documented. */
const meta = { version: equal('v1'), page: integer(1), limit: integer(30) };
const summary = {
  slug: string(wolf.slug),
  title: string(wolf.title),
  type: regex('^(creature|luogo|reperto|personaggio|brand|arma)$', wolf.type),
  icon_path: string(wolf.icon_path),
  updated_at: regex('^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$', wolf.updated_at),
};
const creature = { ...summary, type: equal('creature') };

/** A list that may well be empty; the matchers of Pact's own library want at least one. */
function anyNumberOf(record: unknown): unknown {
  return { 'pact:matcher:type': 'type', min: 0, value: [record] };
}

describe('a list of entries', () => {
  it('has thirty entries on a page, or as many as the wiki says', async () => {
    const interaction = { description: 'a request for entries', given: oneEntry, path: root, status: 200 };
    const page = await play({ ...interaction, body: { ok: equal(true), data: eachLike(summary), meta } }, (url) => open(url).list());
    expect(page).toMatchObject({ entries: [wolf], limit: 30 });
  });

  it('has entries of one type only, when the game asks for one', async () => {
    const query = { type: 'creature', limit: '30', page: '1' };
    const interaction = { description: 'a request for creatures', given: oneCreature, path: root, query, status: 200 };
    const body = { ok: equal(true), data: eachLike(creature), meta };
    const codex = (url: string): Promise<readonly EntrySummary[]> => createCodex(open(url)).list('creature');
    expect(await play({ ...interaction, body }, codex)).toEqual([wolf]);
  });

  it('has a next page', async () => {
    const query = { limit: '1', page: '2' };
    const interaction = {
      description: 'a request for the second page',
      given: { 'more than 1 entries exist': {} },
      path: root,
      query,
      status: 200,
    };
    const body = { ok: equal(true), data: eachLike(summary), meta: { ...meta, page: integer(2), limit: integer(1) } };
    const page = await play({ ...interaction, body }, (url) => open(url).list({ limit: 1, page: 2 }));
    expect(page).toMatchObject({ entries: [wolf], limit: 1 });
  });

  it('has a next page of one type', async () => {
    const query = { type: 'creature', limit: '1', page: '2' };
    const given = { 'more than 1 entries exist': { where: { type: 'creature' } } };
    const interaction = { description: 'a request for the second page of creatures', given, path: root, query, status: 200 };
    const body = { ok: equal(true), data: eachLike(creature), meta: { ...meta, page: integer(2), limit: integer(1) } };
    const page = await play({ ...interaction, body }, (url) => open(url).list({ type: 'creature', limit: 1, page: 2 }));
    expect(page).toMatchObject({ entries: [wolf], limit: 1 });
  });
});

describe('a search', () => {
  it('finds entries, or none: how the wiki searches is not documented', async () => {
    const query = { q: injected('title', wolf.title) };
    const interaction = { description: 'a search for a title', given: oneEntry, path: root, query, status: 200 };
    const body = { ok: equal(true), data: anyNumberOf(summary), meta };
    expect(await play({ ...interaction, body }, (url) => createCodex(open(url)).search(wolf.title))).toMatchObject([wolf]);
  });

  it('finds entries of one type only, when the game asks for one', async () => {
    const query = { type: 'creature', q: injected('title', wolf.title) };
    const interaction = { description: 'a search among creatures', given: oneCreature, path: root, query, status: 200 };
    const body = { ok: equal(true), data: anyNumberOf(creature), meta };
    expect(await play({ ...interaction, body }, (url) => createCodex(open(url)).search(wolf.title, 'creature'))).toMatchObject([wolf]);
  });
});

describe('a single entry', () => {
  const path = injected('slug', wolf.slug, `${root}/`);

  it('has a text', async () => {
    const interaction = { description: 'a request for an entry', given: oneEntry, path, status: 200 };
    const data = { ...summary, body_public: string('<p>Vive nelle saline.</p>') };
    const codex = (url: string): Promise<Entry | undefined> => createCodex(open(url)).open(wolf.slug);
    const entry = await play({ ...interaction, body: { ok: equal(true), data, meta: { version: equal('v1') } } }, codex);
    expect(entry).toEqual({ ...wolf, body_public: '<p>Vive nelle saline.</p>' });
  });

  it('has a text and its type, which is the one that it was listed under', async () => {
    const interaction = { description: 'a request for a creature', given: oneCreature, path, status: 200 };
    const data = { ...creature, body_public: string('<p>Vive nelle saline.</p>') };
    const codex = (url: string): Promise<Entry | undefined> => createCodex(open(url)).open(wolf.slug);
    const entry = await play({ ...interaction, body: { ok: equal(true), data, meta: { version: equal('v1') } } }, codex);
    expect(entry?.type).toBe('creature');
  });

  it('is gone from the codex when the wiki has none', async () => {
    const gone = injected('slug', 'nessuna-voce', `${root}/`);
    const given = { 'no entry has slug nessuna-voce': {} };
    const interaction = { description: 'a request for an entry that is not there', given, path: gone, status: 404 };
    const body = { ok: equal(false), error: { code: equal('NOT_FOUND'), message: string('There is no such entry.') } };
    const codex = (url: string): Promise<Entry | undefined> => createCodex(open(url)).open('nessuna-voce');
    expect(await play({ ...interaction, body }, codex)).toBeUndefined();
  });
});

function open(baseUrl: string): Wiki {
  return openWiki({ baseUrl, sleep: () => Promise.reject(new Error('nothing to wait for')) });
}

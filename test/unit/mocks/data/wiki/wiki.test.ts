/** The wiki's entries: their documented fields, and the secret words that reveal a leak. */

import { describe, expect, it } from 'vitest';
import { countBy, createWikiDataset, defaultClock, defaultDataset, entriesOf, type WikiEntry } from '../dataset-records.ts';

const entries = entriesOf();
const shown = entries.filter((entry) => entry.visibility === 'public');
const hidden = entries.filter((entry) => entry.visibility !== 'public');
const seeds = [1, 99, 2 ** 40];

describe('entries', () => {
  it('sometimes share the second of their change', () => {
    const sizes = [...countBy(shown, (entry) => entry.updated_at).values()];
    expect(sizes.some((size) => size >= 6)).toBe(true);
    expect(sizes.filter((size) => size > 1).length).toBeGreaterThanOrEqual(3);
  });

  it('mention other public entries', () => {
    const titles = shown.map((entry) => entry.title.replaceAll('&', '&amp;'));
    const naming = entries.filter((entry) => titles.some((title) => entry.body_public.includes(title)));
    expect(naming.length).toBe(entries.length - 1);
  });
});

describe('bodies', () => {
  const slugs = shown.map((entry) => entry.slug);
  const matchesOf = (pattern: RegExp): readonly string[] =>
    entries.flatMap((entry) => [...entry.body_public.matchAll(pattern)].map((match) => match[1] ?? ''));

  it('link to public entries and to other sites', () => {
    const links = matchesOf(/<a href="([^"]*)">/g);
    const inside = links.flatMap((link) => (link.startsWith('/wiki/') ? [decodeURIComponent(link.slice('/wiki/'.length))] : []));
    expect(inside.length).toBeGreaterThan(20);
    expect(inside.filter((slug) => !slugs.includes(slug))).toEqual([]);
    expect(links.filter((link) => !link.startsWith('/wiki/')).length).toBeGreaterThan(3);
  });

  it('show images with relative paths and alternative texts', () => {
    const images = matchesOf(/<img src="images\/\w+\/([^"]+)\.png" alt="[^"<>]+">/g);
    expect(images.length).toBeGreaterThan(20);
    expect(images.length).toBe(matchesOf(/(<img)/g).length);
  });

  it.each(seeds)(
    'hold a script now and then, in one entry by its name, so that a client that shows them as they are runs it: seed %i',
    (seed) => {
      const all = entriesOf({ seed, nowMs: defaultClock });
      const scripted = all.filter((entry) => /<script>[^<]+<\/script>/.test(entry.body_public));
      expect(scripted.map((entry) => entry.slug)).toContain('prototipo-2.1');
      expect(scripted.length).toBeGreaterThan(2);
      expect(scripted.length).toBeLessThan(all.length / 5);
    },
  );
});

describe('slugs', () => {
  it.each(seeds)('with seed %i are unique, also after years', (seed) => {
    const later = entriesOf({ seed, nowMs: Date.parse('2030-02-21T00:00:00Z') });
    expect(later.length).toBeGreaterThan(450);
    expect(new Set(later.map((entry) => entry.slug)).size).toBe(later.length);
  });

  it('come from titles', () => {
    const slugOf = new Map(entries.map((entry) => [entry.title, entry.slug]));
    expect(slugOf.get('Lupo di sale')).toBe('lupo-di-sale');
    expect(slugOf.get('Città sommersa')).toBe('città-sommersa');
    expect(slugOf.get('L’eco del perché')).toBe('l-eco-del-perché');
    for (const slug of slugOf.values()) expect(slug).toMatch(/^[\p{Ll}\d]+([-.][\p{Ll}\d]+)*$/u);
  });

  it('may have dots and accents, or begin with another slug', () => {
    const slugs = shown.map((entry) => entry.slug);
    expect(slugs).toContain('prototipo-2.1');
    expect(slugs).toContain('lupo-di-sale-anziano');
    expect(slugs).toContain('città');
    expect(slugs.filter((slug) => encodeURIComponent(slug) !== slug).length).toBeGreaterThanOrEqual(4);
  });
});

describe('hidden entries', () => {
  const wordsOf = (text: string): readonly string[] => text.toLowerCase().split(/[^\p{L}\d]+/u);
  const publicText = shown.map((entry) => `${entry.title} ${entry.body_public}`.toLowerCase()).join('\n');
  const isSecret = (word: string): boolean => word.length > 4 && !publicText.includes(word);

  it.each(hidden.map((entry) => [entry.title, entry] as const))(
    '%s has a word in its title and one in its body that nothing public has',
    (_, entry) => {
      const [titleWord] = wordsOf(entry.title).filter(isSecret);
      const bodyWords = wordsOf(entry.body_public).filter(isSecret);
      expect(titleWord).toBeDefined();
      expect(bodyWords.length).toBeGreaterThan(0);
      expect(bodyWords).not.toContain(titleWord);
    },
  );

  it.each(seeds)('with seed %i are never mentioned in another entry', (seed) => {
    const all = entriesOf({ seed, nowMs: defaultClock });
    const titles = all.filter((entry) => entry.visibility !== 'public').map((entry) => entry.title);
    expect(titles.length).toBeGreaterThan(10);
    expect(all.filter((entry) => titles.some((title) => entry.body_public.includes(title)))).toEqual([]);
  });
});

describe('over time, entries', () => {
  const clocks = Array.from({ length: 30 }, (_, index) => Date.parse('2026-02-22T00:00:00Z') + index * 82 * 3_600_000);
  const snapshots = clocks.map((nowMs) => ({ nowMs, bySlug: new Map(entriesOf({ seed: 1, nowMs }).map((entry) => [entry.slug, entry])) }));
  const steps = snapshots.slice(1).map((after, index) => ({ before: snapshots[index] ?? after, after }));

  it('never show a future change', () => {
    expect(snapshots.filter(({ nowMs, bySlug }) => [...bySlug.values()].some((entry) => updatedAt(entry) > nowMs))).toEqual([]);
  });

  it('stay, and new ones appear', () => {
    expect(steps.filter(({ before, after }) => [...before.bySlug.keys()].some((slug) => !after.bySlug.has(slug)))).toEqual([]);
    expect(snapshots.at(-1)?.bySlug.size).toBeGreaterThan(snapshots[0]?.bySlug.size ?? 0);
  });

  it('have a new updated_at exactly when their content changes', () => {
    const pairs = steps.flatMap(({ before, after }) =>
      [...before.bySlug].map(([slug, earlier]) => ({ earlier, later: after.bySlug.get(slug), since: before.nowMs })),
    );
    const updated = pairs.filter(({ earlier, later }) => earlier.updated_at !== later?.updated_at);
    expect(pairs.filter(({ earlier, later }) => headOf(earlier) !== headOf(later))).toEqual([]);
    expect(updated.filter(({ earlier, later, since }) => earlier.body_public === later?.body_public || updatedAt(later) <= since)).toEqual(
      [],
    );
    expect(pairs.filter((pair) => !updated.includes(pair) && pair.earlier.body_public !== pair.later?.body_public)).toEqual([]);
    expect(updated.length).toBeGreaterThan(20);
  });
});

describe('a wiki dataset', () => {
  const dataset = createWikiDataset(defaultDataset);

  it('has one tenant, no heads, and the same array each time', () => {
    expect(dataset.tenants).toEqual(['public']);
    expect(dataset.head('public', 'entries')).toBeUndefined();
    expect(dataset.records('public', 'entries')).toBe(dataset.records('public', 'entries'));
  });

  it('differs by seed', () => {
    expect(entriesOf({ seed: 2, nowMs: defaultClock })).not.toEqual(entries);
  });
});

function headOf(entry: WikiEntry | undefined): string {
  return JSON.stringify([entry?.slug, entry?.title, entry?.type, entry?.visibility, entry?.icon_path]);
}

function updatedAt(entry: WikiEntry | undefined): number {
  return Date.parse(`${entry?.updated_at.replace(' ', 'T')}Z`);
}

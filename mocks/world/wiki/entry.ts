/** An entry of the wiki: when it is written, what it says, and how it grows as the clock goes on. */

import type { Life } from '../../world.ts';
import { lastOfBatch, reportAt } from '../batch.ts';
import { day, formatPlain, hour, second } from '../calendar.ts';
import type { Chance } from '../chance.ts';
import { eraAt, ownInstant } from '../era.ts';
import { type Change, livingBy, makeTimeline, type Timeline } from '../timeline.ts';
import { coinWord, type EntryHead, type WikiSetting } from './head.ts';
import { additions, mentions, openings, pastedScript, scriptedEntry, secretBody } from './words.ts';

/** How many paragraphs were added to an entry so far. */
interface EntryState {
  readonly added: number;
}

/** How many entries the wiki has when an era begins, and in how much time they were written, unless told otherwise. */
const usualStock = { count: 141, gap: 68 * hour } as const;
/** All of a stock is written within this time, however large it is. */
const longestStock: number = 4 * 365 * day;
/** How long it takes until another entry comes. */
const entryGap: number = 96 * hour;
/** The first entries were brought in by imports, a batch at a time. */
const imports = { every: 28, sizes: [9, 2, 6] } as const;

/** How many entries there are at most at an instant; the last of them may be still to come. */
export function countEntries({ era, stock }: Pick<WikiSetting, 'era' | 'stock'>, nowMs: number): number {
  return stock.count + 1 + Math.floor((nowMs - era.firstDay * day) / entryGap);
}

/** The entries that are there when an era begins: the usual number, or as many as make up a size at the mock's own instant. */
export function makeStock(size: number | undefined): WikiSetting['stock'] {
  if (size === undefined) return usualStock;
  const grown = countEntries({ era: eraAt(ownInstant), stock: { count: 0, gap: hour } }, ownInstant);
  const count = size - grown;
  return { count, gap: Math.min(usualStock.gap, longestStock / Math.max(1, count)) };
}

/** The entry of an index at an instant, if it exists by then. `headOf` knows the entries that it may mention: those of smaller indexes. */
export function makeEntry(setting: WikiSetting, index: number, headOf: (index: number) => EntryHead): Life {
  const chance = setting.chance.of('entry', index);
  const head = headOf(index);
  const timeline = makeHistory(setting, index, chance);
  const { slug, title, type, visibility } = head;
  return livingBy(
    timeline,
    ({ at }) => ({ slug, title, type, visibility, updated_at: formatPlain(at) }),
    ({ at, state }) => {
      const texts = [...writeText(head, index, chance, headOf), ...listAdditions(chance)];
      const shown = texts.slice(0, texts.length - additions.length + state.added);
      return {
        slug,
        title,
        type,
        visibility,
        icon_path: `icons/${type}/${slug}.png`,
        updated_at: formatPlain(at),
        body_public: shown.map((text) => `<p>${text}</p>`).join('\n'),
      };
    },
  );
}

function makeHistory(setting: WikiSetting, index: number, chance: Chance): Timeline<EntryState> {
  const createdMs = createdInstant(setting, index);
  const changes: Change<EntryState>[] = [];
  let at = createdMs;
  for (let added = 1; added <= chance.pick('additions', [0, 0, 1, 1, 2, 3, 4]); added += 1) {
    at += chance.range(`addition ${added}`, hour / second, (90 * day) / second) * second;
    changes.push({ at, fields: { added } });
  }
  const timeline = makeTimeline<EntryState>(createdMs, { added: 0 }, changes, (state, { added = state.added }) => ({ added }));
  const last = lastOfBatch(imports, setting.imports, index);
  return last === undefined || last >= setting.stock.count ? timeline : reportAt(timeline, createdInstant(setting, last) + hour);
}

/** The stock was written before the era began, in its order; later entries follow at a steady pace. */
function createdInstant({ era, stock, chance }: WikiSetting, index: number): number {
  const gap = index < stock.count ? stock.gap : entryGap;
  return (
    era.firstDay * day +
    Math.round(((index - stock.count) * gap) / second) * second +
    chance.of('created').range(index, 0, (48 * hour) / second) * second
  );
}

function writeText(head: EntryHead, index: number, chance: Chance, headOf: (index: number) => EntryHead): readonly string[] {
  const sentences = mentionOthers(index, chance, headOf);
  const secret = head.secret === undefined ? [] : [`Nome in codice: <em>${coinWord(secretBody, head.secret)}</em>.`];
  // A hidden entry does not name itself, so that its title and its body can be told apart in a leak.
  const image =
    head.secret === undefined && chance.happens('image', 30)
      ? `<img src="images/${head.type}/${head.slug}.png" alt="${escapeTitle(head)}"> `
      : '';
  const script = index === scriptedEntry || chance.happens('script', 5) ? [pastedScript] : [];
  return [`${image}${chance.pick('opening', openings[head.type])}`, ...sentences, ...secret, ...script];
}

/** A title in HTML. Titles have neither angle brackets nor double quotes. */
function escapeTitle({ title }: EntryHead): string {
  return title.replaceAll('&', '&amp;');
}

/** Names up to two public entries; the first entry has none to name. */
function mentionOthers(index: number, chance: Chance, headOf: (index: number) => EntryHead): readonly string[] {
  if (index === 0) return [];
  const chosen = [0, 1].map((place) => findPublic(chance.range(`mention ${place}`, 0, index - 1), headOf));
  const named = chosen.filter(({ slug }, place) => chosen.findIndex((other) => other.slug === slug) === place);
  return named.map((other, place) =>
    chance.pick(`phrase ${place}`, mentions)(escapeTitle(other), `/wiki/${encodeURIComponent(other.slug)}`),
  );
}

/** The last public entry up to an index; the entry of index 0 is always public. */
function findPublic(index: number, headOf: (index: number) => EntryHead): EntryHead {
  const head = headOf(index);
  return head.visibility === 'public' ? head : findPublic(index - 1, headOf);
}

function listAdditions(chance: Chance): readonly string[] {
  const first = chance.range('first addition', 0, additions.length - 1);
  return [...additions.slice(first), ...additions.slice(0, first)];
}

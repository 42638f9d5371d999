/**
 * Generated data of the wiki API: the entries of one public wiki, some of them hidden. Each entry is made from its index and the seed when a request needs it.
 */

import { getOrCompute } from '../../../core/memo.ts';
import { RecentCache } from '../../../core/recent-cache.ts';
import { defaultInstant } from '../../clock.ts';
import type { ChangingDataset, CollectionHistory, DatasetProvider, DatasetSettings, RecordHistory } from '../dataset.ts';
import { servesContract } from '../dataset.ts';
import { createGeneratedDatasets } from '../dataset-of-periods.ts';
import { endOf, type Period, periodAt } from '../four-year-periods.ts';
import { day, formatPlain, hour, second } from '../local-time.ts';
import { type Chance, copies, createChance } from '../seeded-random.ts';
import { collapseToBatch, lastOfBatch } from '../simultaneous-changes.ts';
import { makeTimeline, type Timeline, type TimelineChange, toRecordHistory } from '../timeline.ts';
import { type EntryType, entryWithScript, type Syllables, typesByFrequency, wikiWords } from './wiki-words.ts';

const { additions, mentions, namedEntries, openings, pastedScript, secretBodySyllables, secretTitleSyllables, titleWords } = wikiWords;

const tenantName = 'public';
const collectionName = 'entries';

/** Content for the wiki API. */
export const wikiDataset: DatasetProvider = {
  serves: (contract) =>
    servesContract(contract, { title: 'Public Wiki API', collections: [collectionName], views: new Map([[collectionName, [undefined]]]) }),
  create: (_contract, settings) => createWikiDatasets(settings),
};

/** Creates the wiki of a seed at all times. */
export function createWikiDatasets({ seed, sizes = {} }: DatasetSettings): ChangingDataset {
  return createGeneratedDatasets([tenantName], (period) => ({ history: () => makeHistory(seed, sizes[collectionName], period) }));
}

/** Creates the history of all entries of a period. */
function makeHistory(seed: number, size: number | undefined, period: Period): CollectionHistory {
  const stock = makeStock(size);
  const chance = createChance(seed, 'wiki', period.number);
  const setting = { period, stock, chance, imports: chance.of('imports') };
  const cachedTraits = new RecentCache<number, EntryTraits>(maxCachedTraits);
  const traitsOf = (index: number): EntryTraits => getOrCompute(cachedTraits, index, () => makeTraits(setting, index));
  return {
    untilMs: endOf(period),
    instantField: '/updated_at',
    countUntil: (instantMs) => Math.max(0, countEntries(setting, Math.min(instantMs, endOf(period)))),
    recordHistory: (index) => makeEntry(setting, index, traitsOf),
  };
}

/** Maximum number of entries with cached traits. Entries mention other entries, so the traits of one are needed several times. */
const maxCachedTraits = 100_000;

/** Number of paragraphs added to an entry so far. */
interface EntryState {
  readonly added: number;
}

/** Default number of entries at the start of a period, and the time between two of them. */
const defaultStock = { count: 141, gap: 68 * hour } as const;
/** Maximum time in which the stock is written. A larger stock has smaller gaps. */
const maxStockTime: number = 4 * 365 * day;
/** Time between two new entries. */
const entryGap: number = 96 * hour;
/** Batches of imported entries: the entries of one batch share an instant of change. */
const importPlan = { every: 28, sizes: [9, 2, 6] } as const;

/** Upper bound of the number of entries at an instant. */
function countEntries({ period, stock }: Pick<WikiSetting, 'period' | 'stock'>, nowMs: number): number {
  return stock.count + 1 + Math.floor((nowMs - period.firstDay * day) / entryGap);
}

/** Returns the entries at the start of a period: the default, or as many as give `size` entries at the mock's default instant. */
function makeStock(size: number | undefined): WikiSetting['stock'] {
  if (size === undefined) return defaultStock;
  const newEntries = countEntries({ period: periodAt(defaultInstant), stock: { count: 0, gap: hour } }, defaultInstant);
  const count = size - newEntries;
  return { count, gap: Math.min(defaultStock.gap, maxStockTime / Math.max(1, count)) };
}

/** Creates the history of an entry. It may mention entries with smaller indexes, whose traits `traitsOf` returns. */
function makeEntry(setting: WikiSetting, index: number, traitsOf: (index: number) => EntryTraits): RecordHistory {
  const chance = setting.chance.of('entry', index);
  const traits = traitsOf(index);
  const timeline = makeEntryTimeline(setting, index, chance);
  const { slug, title, type, visibility } = traits;
  return toRecordHistory(
    timeline,
    ({ at }) => ({ slug, title, type, visibility, updated_at: formatPlain(at) }),
    ({ at, state }) => {
      const texts = [...writeText(traits, index, chance, traitsOf), ...listAdditions(chance)];
      const shownTexts = texts.slice(0, texts.length - additions.length + state.added);
      return {
        slug,
        title,
        type,
        visibility,
        icon_path: `icons/${type}/${slug}.png`,
        updated_at: formatPlain(at),
        body_public: shownTexts.map((text) => `<p>${text}</p>`).join('\n'),
      };
    },
  );
}

function makeEntryTimeline(setting: WikiSetting, index: number, chance: Chance): Timeline<EntryState> {
  const createdMs = createdInstant(setting, index);
  const changes: TimelineChange<EntryState>[] = [];
  let at = createdMs;
  for (let added = 1; added <= chance.pick('additions', [0, 0, 1, 1, 2, 3, 4]); added += 1) {
    at += chance.range(`addition ${added}`, hour / second, (90 * day) / second) * second;
    changes.push({ at, fields: { added } });
  }
  const timeline = makeTimeline<EntryState>(createdMs, { added: 0 }, changes, (state, { added = state.added }) => ({ added }));
  const last = lastOfBatch(importPlan, setting.imports, index);
  return last === undefined || last >= setting.stock.count ? timeline : collapseToBatch(timeline, createdInstant(setting, last) + hour);
}

/** Returns the time of creation. The stock is written before the period begins, later entries follow at regular intervals. */
function createdInstant({ period, stock, chance }: WikiSetting, index: number): number {
  const gap = index < stock.count ? stock.gap : entryGap;
  return (
    period.firstDay * day +
    Math.round(((index - stock.count) * gap) / second) * second +
    chance.of('created').range(index, 0, (48 * hour) / second) * second
  );
}

function writeText(traits: EntryTraits, index: number, chance: Chance, traitsOf: (index: number) => EntryTraits): readonly string[] {
  const sentences = mentionOthers(index, chance, traitsOf);
  const secret = traits.secret === undefined ? [] : [`Nome in codice: <em>${coinWord(secretBodySyllables, traits.secret)}</em>.`];
  // The body of a hidden entry does not contain its title, so that a leak shows whether title or body was searched.
  const image =
    traits.secret === undefined && chance.happens('image', 30)
      ? `<img src="images/${traits.type}/${traits.slug}.png" alt="${escapeTitle(traits)}"> `
      : '';
  const script = index === entryWithScript || chance.happens('script', 5) ? [pastedScript] : [];
  return [`${image}${chance.pick('opening', openings[traits.type])}`, ...sentences, ...secret, ...script];
}

/** Escapes a title for HTML. Titles have no angle brackets or double quotes. */
function escapeTitle({ title }: EntryTraits): string {
  return title.replaceAll('&', '&amp;');
}

/** Writes mentions of up to two public entries. Only the first entry has none. */
function mentionOthers(index: number, chance: Chance, traitsOf: (index: number) => EntryTraits): readonly string[] {
  if (index === 0) return [];
  const mentionedEntries = [0, 1].map((place) => findPublic(chance.range(`mention ${place}`, 0, index - 1), traitsOf));
  const distinctEntries = mentionedEntries.filter(
    ({ slug }, place) => mentionedEntries.findIndex((other) => other.slug === slug) === place,
  );
  return distinctEntries.map((other, place) => {
    const members = { title: escapeTitle(other), path: `/wiki/${encodeURIComponent(other.slug)}` };
    return chance.pick(`phrase ${place}`, mentions).replaceAll(/\{(title|path)\}/g, (_, name: keyof typeof members) => members[name]);
  });
}

/** Finds the last public entry up to an index. Entry 0 is always public. */
function findPublic(index: number, traitsOf: (index: number) => EntryTraits): EntryTraits {
  const traits = traitsOf(index);
  return traits.visibility === 'public' ? traits : findPublic(index - 1, traitsOf);
}

function listAdditions(chance: Chance): readonly string[] {
  const first = chance.range('first addition', 0, additions.length - 1);
  return [...additions.slice(first), ...additions.slice(0, first)];
}

/** Settings of all entries. */
interface WikiSetting {
  readonly period: Period;
  readonly chance: Chance;
  /** Random choices for imports. */
  readonly imports: Chance;
  /** Entries at the start of the period, and the time between them in milliseconds. */
  readonly stock: { readonly count: number; readonly gap: number };
}

/** Immutable part of an entry. */
interface EntryTraits {
  readonly title: string;
  readonly slug: string;
  readonly type: EntryType;
  readonly visibility: 'public' | 'team' | 'admin';
  /** Number among the hidden entries, which determines the secret words; `undefined` for a public entry. */
  readonly secret: number | undefined;
}

const hiddenVisibilities = ['team', 'team', 'team', 'admin', 'admin'] as const;
/** Cards of visibility: an index of `hiddenVisibilities`, or `undefined` for a public entry. */
const visibilityCards: readonly (number | undefined)[] = [...copies(33, undefined), ...hiddenVisibilities.keys()];
/** Cards of each type. */
const cardsOfType: ReadonlyMap<EntryType, readonly number[]> = new Map(
  typesByFrequency.map((type) => [type, [...typesByFrequency.keys()].filter((place) => typesByFrequency[place] === type)]),
);

/** Cards of type: indexes of `typesByFrequency`. */
const typeCards: readonly number[] = [...typesByFrequency.keys()];

/** Creates the traits of an entry. */
function makeTraits({ chance }: WikiSetting, index: number): EntryTraits {
  const namedEntry = namedEntries[index];
  if (namedEntry !== undefined) return { ...namedEntry, slug: makeSlug(namedEntry.title), visibility: 'public', secret: undefined };
  const card = chance.deal('type', index, typeCards);
  const type = typesByFrequency[card] ?? 'creature';
  const place = chance.deal('visibility', index, visibilityCards);
  const secret = place === undefined ? undefined : Math.floor(index / visibilityCards.length) * hiddenVisibilities.length + place;
  const title = makeTitle(chance, type, numberInType(type, card, index), secret);
  return {
    title,
    slug: makeSlug(title),
    type,
    visibility: place === undefined ? 'public' : (hiddenVisibilities[place] ?? 'admin'),
    secret,
  };
}

/** Number of different secret words. */
const secretWordCount = 77;

/** Makes a secret word, which occurs nowhere else in the wiki. Numbers below 77 give different words. */
function coinWord([beginnings, endings]: Syllables, number: number): string {
  return `${beginnings[number % beginnings.length]}${endings[number % endings.length]}`;
}

/** Returns the number of earlier entries of the same type. `typesByFrequency` is dealt again and again, and some types occur twice in it. */
function numberInType(type: EntryType, card: number, index: number): number {
  const cards = cardsOfType.get(type) ?? [card];
  return Math.floor(index / typesByFrequency.length) * cards.length + cards.indexOf(card);
}

/** Makes a title from a first and a second word; in a hidden entry, the second word is secret. All pairs occur before one repeats. */
function makeTitle(chance: Chance, type: EntryType, number: number, secret: number | undefined): string {
  const { first, second: secondWords } = titleWords[type];
  const pairs = first.length * secondWords.length;
  const start = chance.range(`first title ${type}`, 0, pairs - 1);
  const beginning = first[(start + number) % first.length];
  // After all pairs are used, titles get a number.
  const round = Math.floor(secret === undefined ? number / pairs : secret / secretWordCount);
  const ending = secret === undefined ? secondWords[(start + number) % secondWords.length] : coinWord(secretTitleSyllables, secret);
  return `${beginning} ${ending}${round === 0 ? '' : ` ${round + 1}`}`;
}

/** Makes a slug: lower case, accents kept, hyphens between words. */
function makeSlug(title: string): string {
  return title.toLowerCase().replace(/[ ’'&]+/g, '-');
}

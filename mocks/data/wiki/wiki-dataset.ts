/** The dataset of the wiki API: one wiki for everybody, some of it hidden. */

import { day, formatPlain, hour, second } from '../calendar.ts';
import type {
  ChangingDataset,
  CollectionHistory,
  Dataset,
  DatasetChoice,
  DatasetOptions,
  DatasetProvider,
  RecordHistory,
} from '../dataset.ts';
import { servesContract } from '../dataset.ts';
import { Recent } from '../history/recently-used.ts';
import { endOf, ownInstant, type Period, periodAt, periodOf, periodsMost, remember } from '../period.ts';
import { type Chance, copies, createChance } from '../seeded-random.ts';
import { lastOfBatch, listRecords, livingBy, makeTimeline, reportAt, type Timeline, type TimelineChange } from '../timeline.ts';
import {
  additions,
  type EntryType,
  entryTypes,
  mentions,
  namedEntries,
  openings,
  pastedScript,
  scriptedEntry,
  secretBody,
  secretTitle,
  titleWords,
} from './wiki-words.ts';

const tenantName = 'public';
const collectionName = 'entries';

/** Content for the wiki API. */
export const wikiDataset: DatasetProvider = {
  serves: (contract) =>
    servesContract(contract, { title: 'Public Wiki API', collections: [collectionName], views: new Map([[collectionName, [undefined]]]) }),
  create: (_contract, options) => createWikiDatasets(options),
};

/** The wiki of a seed through time. */
export function createWikiDatasets({ seed, sizes = {} }: DatasetChoice): ChangingDataset {
  const histories = remember((number) => makeHistory(seed, sizes[collectionName], Number(number)), periodsMost);
  return { tenants: [tenantName], at: (nowMs) => createMoment(histories(String(periodAt(nowMs).number)), nowMs) };
}

/** The wiki of a seed at an instant. */
export function createWikiDataset({ nowMs, ...choice }: DatasetOptions): Dataset {
  return createWikiDatasets(choice).at(nowMs);
}

function createMoment(history: CollectionHistory, nowMs: number): Dataset {
  const entries = remember(() => listRecords(history, nowMs));
  const requireList = (tenant: string, collection: string): void => {
    requireKnown('tenant', tenant, tenantName);
    requireKnown('collection', collection, collectionName);
  };
  return {
    nowMs,
    tenants: [tenantName],
    records: (tenant, collection) => {
      requireList(tenant, collection);
      return entries(collection);
    },
    history: (tenant, collection) => {
      requireList(tenant, collection);
      return history;
    },
    head: () => undefined,
    resource: (_tenant, name) => {
      throw new RangeError(`the wiki dataset has no resource ${name}; single entries are records of ${collectionName}`);
    },
  };
}

/** Everything that happens to the entries of a period. */
function makeHistory(seed: number, size: number | undefined, number: number): CollectionHistory {
  const period = periodOf(number);
  const stock = makeStock(size);
  const chance = createChance(seed, 'wiki', period.number);
  const setting = { period, stock, chance, imports: chance.of('imports') };
  const heads = new Recent<number, EntryHead>(headsKept);
  const headOf = (index: number): EntryHead => {
    const known = heads.get(index);
    if (known !== undefined) return known;
    const head = makeHead(setting, index);
    heads.set(index, head);
    return head;
  };
  return {
    untilMs: endOf(period),
    instantField: '/updated_at',
    countUntil: (instantMs) => Math.max(0, countEntries(setting, Math.min(instantMs, endOf(period)))),
    life: (index) => makeEntry(setting, index, headOf),
  };
}

/** Entries mention others, so their heads are asked for again and again. */
const headsKept = 100_000;

function requireKnown(kind: string, name: string, known: string): void {
  if (name !== known) throw new RangeError(`the wiki dataset has no ${kind} ${name}; it has ${known}`);
}

/** Paragraphs added to an entry so far. */
interface EntryState {
  readonly added: number;
}

/** Default number of entries at the start of a period, and the time in which they were written. */
const usualStock = { count: 141, gap: 68 * hour } as const;
/** All of a stock is written within this time, however large it is. */
const longestStock: number = 4 * 365 * day;
/** Time between two new entries. */
const entryGap: number = 96 * hour;
/** The first entries were brought in by imports, a batch at a time. */
const imports = { every: 28, sizes: [9, 2, 6] } as const;

/** Upper bound of the number of entries at an instant. */
function countEntries({ period, stock }: Pick<WikiSetting, 'period' | 'stock'>, nowMs: number): number {
  return stock.count + 1 + Math.floor((nowMs - period.firstDay * day) / entryGap);
}

/** The entries that are there when a period begins: the usual number, or as many as make up a size at the mock's own instant. */
function makeStock(size: number | undefined): WikiSetting['stock'] {
  if (size === undefined) return usualStock;
  const grown = countEntries({ period: periodAt(ownInstant), stock: { count: 0, gap: hour } }, ownInstant);
  const count = size - grown;
  return { count, gap: Math.min(usualStock.gap, longestStock / Math.max(1, count)) };
}

/** The entry of an index at an instant, if it exists by then. `headOf` knows the entries that it may mention: those of smaller indexes. */
function makeEntry(setting: WikiSetting, index: number, headOf: (index: number) => EntryHead): RecordHistory {
  const chance = setting.chance.of('entry', index);
  const head = headOf(index);
  const timeline = makeEntryTimeline(setting, index, chance);
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

function makeEntryTimeline(setting: WikiSetting, index: number, chance: Chance): Timeline<EntryState> {
  const createdMs = createdInstant(setting, index);
  const changes: TimelineChange<EntryState>[] = [];
  let at = createdMs;
  for (let added = 1; added <= chance.pick('additions', [0, 0, 1, 1, 2, 3, 4]); added += 1) {
    at += chance.range(`addition ${added}`, hour / second, (90 * day) / second) * second;
    changes.push({ at, fields: { added } });
  }
  const timeline = makeTimeline<EntryState>(createdMs, { added: 0 }, changes, (state, { added = state.added }) => ({ added }));
  const last = lastOfBatch(imports, setting.imports, index);
  return last === undefined || last >= setting.stock.count ? timeline : reportAt(timeline, createdInstant(setting, last) + hour);
}

/** The stock was written before the period began, in its order; later entries follow at a steady pace. */
function createdInstant({ period, stock, chance }: WikiSetting, index: number): number {
  const gap = index < stock.count ? stock.gap : entryGap;
  return (
    period.firstDay * day +
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

/** Settings of all entries. */
interface WikiSetting {
  readonly period: Period;
  readonly chance: Chance;
  /** The choices for what was brought in by imports. */
  readonly imports: Chance;
  /** Number of entries at the start of the period, and the time between them in milliseconds. */
  readonly stock: { readonly count: number; readonly gap: number };
}

/** Immutable part of an entry. */
interface EntryHead {
  readonly title: string;
  readonly slug: string;
  readonly type: EntryType;
  readonly visibility: 'public' | 'team' | 'admin';
  /** The number of a hidden entry among the hidden ones; its secret words come from it. */
  readonly secret: number | undefined;
}

const hidden = ['team', 'team', 'team', 'admin', 'admin'] as const;
/** Cards of visibility: a number deals a place in `hidden`, everything else is public. */
const visibilityCards: readonly (number | undefined)[] = [...copies(33, undefined), ...hidden.keys()];
/** The places of each type. */
const twinsOf: ReadonlyMap<EntryType, readonly number[]> = new Map(
  entryTypes.map((type) => [type, [...entryTypes.keys()].filter((place) => entryTypes[place] === type)]),
);

/** Cards of type: places in `entryTypes`. */
const typeCards: readonly number[] = [...entryTypes.keys()];

/** The head of the entry of an index. */
function makeHead({ chance }: WikiSetting, index: number): EntryHead {
  const named = namedEntries.get(index);
  if (named !== undefined) return { ...named, slug: makeSlug(named.title), visibility: 'public', secret: undefined };
  const card = chance.deal('type', index, typeCards);
  const type = entryTypes[card] ?? 'creature';
  const place = chance.deal('visibility', index, visibilityCards);
  const secret = place === undefined ? undefined : Math.floor(index / visibilityCards.length) * hidden.length + place;
  const title = makeTitle(chance, type, numberInType(type, card, index), secret);
  return { title, slug: makeSlug(title), type, visibility: place === undefined ? 'public' : (hidden[place] ?? 'admin'), secret };
}

/** Number of words that can be coined. */
const coinedWords = 77;

/** A word that nothing else in the wiki has in it: no two numbers below 77 have the same. */
function coinWord([beginnings, endings]: readonly [readonly string[], readonly string[]], number: number): string {
  return `${beginnings[number % beginnings.length]}${endings[number % endings.length]}`;
}

/** Number of earlier entries of the same type; a type that occurs twice a round counts twice. */
function numberInType(type: EntryType, card: number, index: number): number {
  const twins = twinsOf.get(type) ?? [card];
  return Math.floor(index / entryTypes.length) * twins.length + twins.indexOf(card);
}

/** The counts of first and second words have no common divisor, so counting both at once meets every pair before any comes again. */
function makeTitle(chance: Chance, type: EntryType, number: number, secret: number | undefined): string {
  const { first, second } = titleWords[type];
  const pairs = first.length * second.length;
  const start = chance.range(`first title ${type}`, 0, pairs - 1);
  const beginning = first[(start + number) % first.length];
  // In a wiki that is larger than its words reach, a number tells the next ones apart.
  const round = Math.floor(secret === undefined ? number / pairs : secret / coinedWords);
  const ending = secret === undefined ? second[(start + number) % second.length] : coinWord(secretTitle, secret);
  return `${beginning} ${ending}${round === 0 ? '' : ` ${round + 1}`}`;
}

/** Letters keep their accents; everything that parts words becomes a hyphen. */
function makeSlug(title: string): string {
  return title.toLowerCase().replace(/[ ’'&]+/g, '-');
}

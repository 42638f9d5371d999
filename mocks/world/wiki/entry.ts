/** An entry of the wiki: when it is written, what it says, and how it grows as the clock goes on. */

import type { JsonObject } from '../../../core/json.ts';
import { lastOfBatch, reportAt } from '../batch.ts';
import { day, formatPlain, hour, second } from '../calendar.ts';
import type { Chance } from '../chance.ts';
import type { Era } from '../era.ts';
import { type Change, latestEvent, makeTimeline, type Timeline } from '../timeline.ts';
import { coinWord, type EntryHead, type WikiSetting } from './head.ts';
import { additions, mentions, openings, secretBody } from './words.ts';

/** How many paragraphs were added to an entry so far. */
interface EntryState {
  readonly added: number;
}

/** How many entries the wiki has when an era begins, and in how much time they were written. */
const stock = 141;
const stockGap: number = 68 * hour;
/** How long it takes until another entry comes. */
const entryGap: number = 96 * hour;
/** The first entries were brought in by imports, a batch at a time. */
const imports = { every: 28, sizes: [9, 2, 6] } as const;

/** How many entries there are at most at an instant; the last of them may be still to come. */
export function countEntries(era: Era, nowMs: number): number {
  return stock + 1 + Math.floor((nowMs - era.firstDay * day) / entryGap);
}

/** The entry of an index at an instant, if it exists by then. `headOf` knows the entries that it may mention: those of smaller indexes. */
export function makeEntry(
  setting: WikiSetting,
  index: number,
  headOf: (index: number) => EntryHead,
): (nowMs: number) => JsonObject | undefined {
  const chance = setting.chance.of('entry', index);
  const head = headOf(index);
  const timeline = makeHistory(setting, index, chance);
  const texts = [...writeText(head, index, chance, headOf), ...listAdditions(chance)];
  const lasting = texts.length - additions.length;
  return (nowMs) => {
    const event = latestEvent(timeline, nowMs);
    if (event === undefined) return undefined;
    const shown = texts.slice(0, lasting + event.state.added);
    return {
      slug: head.slug,
      title: head.title,
      type: head.type,
      visibility: head.visibility,
      icon_path: `icons/${head.type}/${head.slug}.png`,
      updated_at: formatPlain(event.at),
      body_public: shown.map((text) => `<p>${text}</p>`).join('\n'),
    };
  };
}

function makeHistory(setting: WikiSetting, index: number, chance: Chance): Timeline<EntryState> {
  const createdMs = createdInstant(setting, index);
  const changes: Change<EntryState>[] = [];
  let at = createdMs;
  for (let added = 1; added <= chance.pick('additions', [0, 0, 1, 1, 2, 3, 4]); added += 1) {
    at += chance.range(`addition ${added}`, hour / second, (90 * day) / second) * second;
    changes.push({ at, fields: { added } });
  }
  const timeline = makeTimeline<EntryState>(createdMs, { added: 0 }, changes);
  const last = lastOfBatch(imports, setting.chance.of('imports'), index);
  return last === undefined || last >= stock ? timeline : reportAt(timeline, createdInstant(setting, last) + hour);
}

/** The stock was written before the era began, in its order; later entries follow at a steady pace. */
function createdInstant({ era, chance }: WikiSetting, index: number): number {
  const gap = index < stock ? stockGap : entryGap;
  return era.firstDay * day + (index - stock) * gap + chance.of('created').range(index, 0, (48 * hour) / second) * second;
}

function writeText(head: EntryHead, index: number, chance: Chance, headOf: (index: number) => EntryHead): readonly string[] {
  const sentences = mentionOthers(index, chance, headOf);
  const secret = head.secret === undefined ? [] : [`Nome in codice: <em>${coinWord(secretBody, head.secret)}</em>.`];
  return [chance.pick('opening', openings[head.type]), ...sentences, ...secret];
}

/** Names up to two public entries; the first entry has none to name. */
function mentionOthers(index: number, chance: Chance, headOf: (index: number) => EntryHead): readonly string[] {
  if (index === 0) return [];
  const chosen = [0, 1].map((place) => findPublic(chance.range(`mention ${place}`, 0, index - 1), headOf));
  return [...new Set(chosen)].map((title, place) => chance.pick(`phrase ${place}`, mentions)(title.replaceAll('&', '&amp;')));
}

/** The title of the last public entry up to an index; the entry of index 0 is always public. */
function findPublic(index: number, headOf: (index: number) => EntryHead): string {
  const head = headOf(index);
  return head.visibility === 'public' ? head.title : findPublic(index - 1, headOf);
}

function listAdditions(chance: Chance): readonly string[] {
  const first = chance.range('first addition', 0, additions.length - 1);
  return [...additions.slice(first), ...additions.slice(0, first)];
}

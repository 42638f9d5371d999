/** The wiki entries, made from a seed: slugs beyond ASCII, slugs that begin others, and hidden entries that share words with public ones. */

import { daysOf, localText, second } from './instants.ts';
import { dataClock, type LiveTable, makeTable } from './live-data.ts';
import { draw, firstChange, grid, instants, pick } from './seeded-draws.ts';
import type { DataSize, Setup } from './server-setup.ts';

/** The types of an entry, as the API document lists them. */
export const typesByFrequency = ['creature', 'luogo', 'reperto', 'personaggio', 'brand', 'arma'] as const;

/** A wiki entry. */
export interface EntryRow {
  readonly slug: string;
  readonly title: string;
  readonly type: string;
  readonly visibility: string;
  readonly changed: number;
  readonly body: string;
  readonly rank: number;
}

const publicCounts: Readonly<Record<DataSize, number>> = {
  usual: 196,
  none: 0,
  one: 1,
  two: 2,
  few: 40,
  'same-instant': 64,
  large: 20_000,
};

/** Opens the table of entries. Of the usual data about one entry in eight is hidden. */
export function entryTable(setup: Setup): LiveTable<EntryRow> {
  const clock = dataClock(firstChange(setup), 7 * grid(setup));
  return makeTable<EntryRow>(
    {
      name: 'entries',
      first: () => {
        const slugs = new Set<string>();
        return instants(setup, publicCounts[setup.data], 9).map((changed, index) => unique(makeEntry(setup, index, changed), slugs));
      },
      next: (_, index, changed) => {
        const entry = makeEntry(setup, index, changed);
        return { ...entry, visibility: 'public', slug: `${entry.slug}-nuovo-${index}` };
      },
      changed: (row, changed) => ({ ...row, changed, body: `${row.body}<p>Aggiornato.</p>` }),
      key: (row) => row.slug,
    },
    clock,
  );
}

/** The instant as an entry shows it: local, without an offset. */
export function updatedAt(changed: number): string {
  return localText(changed, 0, ' ');
}

/** The day on which the wiki began; bodies mention its year. */
const founded: number = daysOf(1987, 10, 1) * 86_400 * second;

const nouns: Readonly<Record<string, readonly string[]>> = {
  creature: ['Drago', 'Żar-ptak', 'Lupo', 'Idra'],
  luogo: ['Città', 'Foresta', '洞窟', 'Porto'],
  reperto: ['Calice', 'Mappa', 'Ænigma', 'Anello'],
  personaggio: ['Regina', 'Élodie', 'Fabbro', 'Cavaliere'],
  brand: ['Officina', 'Müller', 'Sartoria', 'Forno'],
  arma: ['Spada', 'Arco', 'Lancia', 'Scudo'],
};

const adjectives = ['Nero', 'Perduta', "d'Oro", 'del Nord', 'Antico', 'Ñandú', '100%', 'di Ghiaccio', 'Nero II'];

function makeEntry(setup: Setup, index: number, changed: number): EntryRow {
  const drawn = draw(setup.seed, index, 51);
  const type = typesByFrequency[index % typesByFrequency.length] ?? 'creature';
  const title = `${pick(nouns[type] ?? ['Voce'], drawn >>> 3)} ${pick(adjectives, drawn >>> 8)}`;
  // Never the first entries, so that a wiki of one or two has something to show.
  const hidden = index > 4 && index % 8 === 5;
  const visibility = hidden ? pick(['team', 'admin'], index >>> 3) : 'public';
  const secret = hidden ? ` Segreto-${draw(setup.seed, index, 53).toString(36)}: solo per la redazione.` : '';
  const body = `<p>${title} &mdash; citato dal ${localText(founded, 0, ' ').slice(0, 4)}. Parola${index}.${secret}</p>`;
  return { slug: slugOf(title), title, type, visibility, changed, body, rank: drawn };
}

function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

/** A second entry of the same title gets a number, so the first slug begins the second. */
function unique(entry: EntryRow, slugs: Set<string>): EntryRow {
  let slug = entry.slug;
  for (let number = 2; slugs.has(slug); number += 1) slug = `${entry.slug}-${number}`;
  slugs.add(slug);
  return { ...entry, slug };
}

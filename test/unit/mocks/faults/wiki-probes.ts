/** What the wiki API is asked to show its faults. */

import { wiki } from '../../../helpers/targets.ts';
import { once, type Probe } from './probe.ts';
import type { Stage } from './stage.ts';

/** Probes of both operations. */
export function wikiProbes(stage: Stage): readonly Probe[] {
  const records = stage.world.records('public', 'entries');
  const hidden = records.filter((record) => record['visibility'] !== 'public');
  const slugs = records.slice(0, 25).map((record) => String(record['slug']));
  const word = String(hidden[0]?.['title']).split(' ').at(-1) ?? '';
  const odd = [
    'nothing-here',
    'lupo',
    'LUPO-DI-SALE',
    'Lupo-di-sale',
    "'%20OR%201=1",
    '%00',
    '..',
    '%2e%2e',
    '%F0%9F%92%A5',
    'x'.repeat(600),
    'lupo-di-sale%20',
    'lupo-di-salex',
    'lupo%2Ddi%2Dsale',
  ];
  const queries = [
    '',
    'limit=10',
    'limit=10&page=2',
    'limit=10&page=3',
    'page=2',
    'page=1',
    'limit=60',
    'limit=60&page=2',
    'limit=100&page=2',
    'limit=1',
    'limit=1&page=2',
    'limit=100',
    'limit=1000',
    'page=9999',
    'limit=10&page=9999',
    'page=0',
    'page=-1',
    'page=abc',
    'limit=0',
    'limit=-1',
    'limit=abc',
    'page=1.5',
    ...['creature', 'luogo', 'reperto', 'personaggio', 'brand', 'arma', 'nonsense'].map((type) => `type=${type}`),
    'type=creature&limit=5',
    'type=arma&limit=5&page=2',
    'type=arma&limit=100',
    'q=lupo',
    'q=lupo%20di',
    'q=citt%C3%A0',
    'q=zzzzqqqq',
    `q=${encodeURIComponent(word)}`,
    'q=lupo&type=creature',
    'q=lupo&type=luogo',
    "q='",
    'q=%25',
    'q=%00',
    'q=',
    'q=a',
    'q=a&limit=5',
    `q=${'x'.repeat(600)}`,
    'q=%F0%9F%92%A5',
    'type=creature&q=a',
    'type=brand&q=zzzzqqqq',
    'type=%00',
    "type='",
  ];
  const strangers: readonly Readonly<Record<string, string>>[] = [{}, { authorization: 'Bearer never-issued-key' }];
  return [
    ...queries.flatMap((query) => strangers.map((headers) => once('listEntries', `${wiki}?${query}`, headers))),
    { operation: 'listEntries', ask: async (ask) => [await ask(wiki), await ask(wiki), await ask(wiki)] },
    ...[...slugs, String(hidden[0]?.['slug']), String(hidden[1]?.['slug'])].map((slug) =>
      once('getEntry', `${wiki}/${encodeURIComponent(slug)}`, {}),
    ),
    ...odd.map((slug) => once('getEntry', `${wiki}/${slug}`, {})),
    once('getEntry', `${wiki}/${slugs[0]}`, { authorization: 'Bearer never-issued-key' }),
  ];
}

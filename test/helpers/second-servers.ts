/**
 * Variants of the second server: correct ones, with every answer to the open questions, size of data and kind of change; and defective ones, each with the
 * rule that must report it.
 */

import { watch } from '../../contracts/verify/watch/watch-lists.ts';
import type { RunResult } from '../../core/results/run-result.ts';
import { contractFile } from '../../core/shipped-files.ts';
import { defects } from '../second/defects.ts';
import { busy, edges, type LiveChange, slow } from '../second/live-data.ts';
import { type SecondOptions, startSecondServer } from '../second/second-server.ts';
import { choicesOf } from '../second/server-setup.ts';
import { fakeClock, namedKeys } from './engine.ts';
import { openContract } from './exchange-judge.ts';
import { falseAlarms, type Judging, judgeSecond, violated } from './judged-servers.ts';

/** A variant of the second server, the settings of its run, and the expected result. */
export interface SecondCase {
  readonly key: string;
  readonly options: SecondOptions;
  readonly judging?: Judging;
  /** True to watch the server for two hours instead of one run of `verify`. */
  readonly isWatched?: boolean;
  /** The rule that must report it; `undefined` for a correct server, which must raise no alarm. */
  readonly rule?: string;
}

/** Judges a variant. Returns one line for each problem. */
export async function judgeCase({ options, judging, isWatched = false, rule }: SecondCase): Promise<readonly string[]> {
  const result = await (isWatched ? watchSecond(options) : judgeSecond(options, judging));
  if (rule === undefined) return [...falseAlarms(result), ...(isWatched ? gapsOfWatch(result) : [])];
  const found = violated(result);
  return found.includes(rule) ? [] : [`${rule} does not report it; reported by ${found.join(', ') || 'none'}`];
}

/** Judges a second server with several defects of one API, by all rules. */
export async function judgeDefects(api: SecondOptions['api'], chosen: readonly { readonly id: string }[]): Promise<RunResult> {
  const ids = chosen.map(({ id }) => id);
  return await judgeSecond({ ...Object.assign({}, ...ids.map((id) => needs[id])), api, defects: ids });
}

async function watchSecond(options: SecondOptions): Promise<RunResult> {
  await using server = await startSecondServer(options);
  const contract = await openContract(contractFile(options.api));
  const keys = namedKeys({ full: server.keys['full'] ?? '' });
  return await watch({ contract, target: server.url, keys, forMs: 2 * 3_600_000, rate: 1 / 30, clock: fakeClock() });
}

/** Gaps of a watch of changing data: rules that do not hold, lists not compared at the end. */
function gapsOfWatch({ checks: rules }: RunResult): readonly string[] {
  const compared = rules.filter(({ rule: id }) => id === 'watch/converges').map(({ operation }) => operation);
  return [
    ...(rules.some(({ verdict }) => verdict === 'holds') ? [] : ['no rule holds']),
    ...(compared.join() === 'listOrders,listReservations' ? [] : [`the lists that are compared are ${compared.join()}`]),
  ];
}

/** Settings that make some defects visible. */
const needs: Readonly<Record<string, Omit<SecondOptions, 'api'>>> = {
  'retry-after-missing': { rateLimit: 9 },
  'not-ready-html': { notReady: 9 },
  'updated-after-to-the-second': { choices: { 'changed-at': 'milliseconds' } },
};

/** Defect that shows only if a record changes between two reads of it, which does not happen in a short run. */
const needsTime = 'tag-of-id';

/** Rules that send requests. The rules on single answers and availability send none, so they run together with these. */
const requestingRules = [
  'keys/missing',
  'keys/unknown',
  'keys/scopes',
  'conditional/tag',
  'conditional/failures',
  'details/absent',
  'details/hostile',
  'details/reachable',
  'paging/limit-*',
] as const;

/** Every defect, judged by the rule that it names. */
export const defectiveServers: readonly (SecondCase & { readonly rule: string })[] = defects
  .filter(({ id }) => id !== needsTime)
  .map(({ id, api, rule }) => {
    const isAboutOthers = /^(response|availability)\//.test(rule);
    const judging = isAboutOthers && api === 'wiki' ? {} : { only: [rule, ...(isAboutOthers ? requestingRules : [])] };
    return { key: `${api} ${id}`, options: { api, defects: [id], ...needs[id] }, judging, rule: rule };
  });

/** Several independent choices in one run. */
const combinations: readonly SecondCase[] = [
  combine('business', 'cursors that may be used once, and moments of mixed offsets', {
    'cursor-again': 'refused',
    'cursor-other-limit': 'refused',
    'changed-at': 'mixed',
    zone: 'Pacific/Apia',
    'assignment-times': 'local',
  }),
  combine('business', 'empty pages in between, and moments to the microsecond', {
    'short-pages': 'some-empty',
    'last-cursor': 'given',
    'changed-at': 'microseconds',
    'reservations-direction': 'asc',
    'orders-order': 'scrambled',
  }),
  combine('business', 'strict in all that is open, with codes and ids that repeat', {
    'loose-spelling': 'refused',
    undeclared: 'refused',
    'damaged-cursor': '410',
    'two-keys': 'refused',
    codes: 'repeated',
    ids: 'shared',
    'cursor-style': 'snapshot',
    'foreign-cursor': 'own-records',
  }),
  combine('business', 'lenient in all that is open, with absent records first', {
    'loose-spelling': 'accepted',
    'damaged-cursor': '400',
    'code-case': 'insensitive',
    precedence: 'absent-first',
    'manifest-tag': 'conditional',
    etag: 'weak',
    gzip: 'yes',
    'extra-fields': 'everywhere',
    challenge: 'present',
  }),
  combine('business', 'two records', { outside: 'html', 'detail-place': 'root', 'extra-fields': 'everywhere' }, { data: 'two' }),
  combine('business', 'one moment for all', {}, { data: 'same-instant' }),
  combine('business', 'no data', {}, { data: 'none' }),
  combine('business', 'too many requests, a date to come back', { 'retry-after': 'date' }, { rateLimit: 7 }),
  combine('business', 'too many requests of a key', { 'rate-scope': 'key', 'retry-after': 'zero' }, { rateLimit: 11 }),
  combine('business', 'not ready now and then', { precedence: 'admission-first', 'not-ready-code': 'by-module' }, { notReady: 9 }),
  {
    ...combine('business', 'a full run', {
      'cursor-again': 'refused',
      'short-pages': 'some-empty',
      'changed-at': 'milliseconds',
      codes: 'shared',
    }),
    judging: {},
  },
  combine('wiki', 'as it is', {}),
  combine('wiki', 'strict', {
    'bad-number': 'refused',
    'loose-number': 'refused',
    'undeclared-parameter': 'refused',
    'empty-q': 'refused',
  }),
  combine('wiki', 'lenient', {
    'bad-number': 'clamped',
    'unknown-type': 'ignored',
    'type-case': 'insensitive',
    'slug-case': 'insensitive',
  }),
  combine('wiki', 'a total of everything', { total: 'overall', 'page-beyond': 'last', 'entries-order': 'scrambled', 'limit-cap': '50' }),
  combine('wiki', 'absent pages', {
    'page-beyond': '404',
    'unknown-type': '404',
    'hidden-entry': '401',
    'limit-cap': 'refused-over-100',
  }),
  combine('wiki', 'words only', { 'q-style': 'words', 'q-case': 'exact', 'q-fields': 'title', 'empty-q': 'nothing' }),
  combine('wiki', 'no data', {}, { data: 'none' }),
  combine('wiki', 'one entry', { 'hidden-entry': '403', 'trailing-slash': 'list', 'broken-escape': '400' }, { data: 'one' }),
  combine('wiki', 'a limit of requests', {}, { rateLimit: 5 }),
  { ...combine('wiki', 'many entries in a quick run', { 'limit-cap': '50' }, { data: 'large' }), judging: { quick: true } },
];

/** A correct server with several choices. The business API is judged by a quick run, the wiki by a full one. */
function combine(
  api: SecondOptions['api'],
  what: string,
  choices: Readonly<Record<string, string>>,
  options: Omit<SecondOptions, 'api' | 'choices'> = {},
): SecondCase {
  return { key: `${api}: ${what}`, options: { api, choices, ...options }, judging: { quick: api === 'business' } };
}

const apis = ['business', 'wiki'] as const;

/** The rules about single records, counted pages, visibility and search. */
const aboutRecords = { business: ['details/*'], wiki: ['details/*', 'pages/*', 'visible/*', 'search/*'] } as const;

/** Each legal choice alone. */
const choices: readonly SecondCase[] = apis.flatMap((api) =>
  Object.entries(choicesOf(api)).flatMap(([id, values]) =>
    values.map((value) => ({
      key: `${api} ${id}: ${value}`,
      options: { api, choices: { [id]: value } },
      judging: { only: aboutRecords[api] },
    })),
  ),
);

/** Each size of the data. */
const sizes: readonly SecondCase[] = (['none', 'one', 'two', 'same-instant', 'large'] as const).flatMap((data) =>
  apis.map((api) => ({
    key: `${api} data: ${data}`,
    options: { api, data },
    judging: { only: aboutRecords[api], quick: data === 'large' },
  })),
);

/** Data that changes during a run or a watch. */
const changes: readonly SecondCase[] = Object.entries<LiveChange>({ edges, busy, slow }).flatMap(([name, change]) =>
  [1, 2, 3].flatMap((seed): readonly SecondCase[] => [
    ...apis.map((api) => ({
      key: `${api} changes: ${name}, seed ${seed}`,
      options: { api, changes: change, seed },
      judging: { seed, quick: api === 'business' },
    })),
    { key: `business watched: ${name}, seed ${seed}`, options: { api: 'business', changes: change, seed }, isWatched: true },
  ]),
);

/** Every correct server. No rule may report any of them. */
export const correctServers: readonly SecondCase[] = [...combinations, ...choices, ...sizes, ...changes];

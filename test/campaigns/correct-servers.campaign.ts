/**
 * Judges a thousand correct servers by all rules, none of which may raise an alarm: the mock and the second server, with data, calendars, answers to the open
 * questions, changes and chaos drawn from a seed. Takes an hour.
 */

import type { RunResult } from '../../core/results/run-result.ts';
import { falseAlarms, judgeMock, judgeSecond } from '../helpers/judged-servers.ts';
import { busy, edges, type LiveChange, slow } from '../second/live-data.ts';
import type { SecondOptions } from '../second/second-server.ts';
import { choicesOf } from '../second/server-setup.ts';
import { type Campaign, defineCampaign } from './campaign.ts';
import { numbersOf } from './seed.ts';

/** One run, and what it is of. */
interface Drawn {
  readonly key: string;
  readonly run: number;
  readonly server: 'mock' | 'second';
  readonly api: SecondOptions['api'];
  readonly quick: boolean;
  readonly kind: string;
  readonly options?: SecondOptions;
}

/** Result of a run. A result that shows a key ends the campaign. */
interface Result extends Pick<Drawn, 'server' | 'api' | 'kind'>, Pick<RunResult, 'requests'> {
  readonly alarms: readonly string[];
  readonly verdicts: Readonly<Record<string, number>>;
}

const plans: Readonly<Record<string, LiveChange>> = { edges, busy, slow };

export const campaign: Campaign = defineCampaign<Drawn, Result>({
  items: (size = 1000) => Array.from({ length: size }, (_, index) => draw(index + 1)),
  judge: async ({ run, server, api, quick, kind, options }) => {
    const judging = { quick, seed: run };
    const result = await (options === undefined ? judgeMock(api, { seed: run }, judging) : judgeSecond(options, judging));
    const verdicts: Record<string, number> = {};
    for (const { verdict } of result.checks) verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
    return { server, api, kind, requests: result.requests, verdicts, alarms: falseAlarms(result) };
  },
  complaints: (result) => result.alarms,
  smoke: (items) => {
    const short = items.filter(({ api, quick }) => api === 'wiki' && quick);
    return ['second', 'mock'].flatMap((server) => short.filter((item) => item.server === server).slice(0, 1));
  },
  renderPage: (results) => renderPage(results.map(({ key, result }) => ({ key, ...result }))),
});

/** Target of a run: the mock every third time, since it has no open data. */
function draw(run: number): Drawn {
  const next = numbersOf(run);
  const pick = <const Each>(list: readonly Each[]): Each => list[next() % list.length] as Each;
  const api = pick(['business', 'wiki']);
  const quick = next() % 4 === 0;
  const about = { run, api, quick };
  if (run % 3 === 0) return { ...about, key: `${run} mock ${api}`, server: 'mock', kind: 'as it is' };
  const drawn = Object.entries(choicesOf(api)).map(([id, values]) => [id, pick(values)] as const);
  const choices = next() % 5 === 0 ? {} : Object.fromEntries(drawn);
  const data = pick(['usual', 'usual', 'none', 'one', 'two', 'few', 'same-instant', 'large']);
  const kind = pick(['still', 'still', 'edges', 'busy', 'slow', 'rateLimit', ...(api === 'business' ? ['notReady'] : [])]);
  const conditions = conditionsOf(kind, 3 + (next() % 40));
  // Two runs in three have odd clocks and calendars: clock changes, a day that a zone left out.
  const calendar = pick(['leap-day', 'leap-day', 'spring', 'autumn', 'date-line', 'autumn']);
  const options: SecondOptions = { api, choices, data, calendar, seed: run, ...conditions };
  return { ...about, key: `${run} second ${api} ${kind}`, server: 'second', kind, options };
}

function conditionsOf(kind: string, every: number): Pick<SecondOptions, 'rateLimit' | 'notReady' | 'changes'> {
  if (kind === 'rateLimit' || kind === 'notReady') return { [kind]: every };
  const chaos = plans[kind];
  return chaos === undefined ? {} : { changes: chaos };
}

function renderPage(results: readonly (Result & { readonly key: string })[]): string {
  const sum = (list: readonly Result[], count: (each: Result) => number): number => list.reduce((total, each) => total + count(each), 0);
  const groupOf = ({ server, api, kind }: Result): string => `${server} | ${api} | ${kind}`;
  const rows = [...new Set(results.map(groupOf))].toSorted().map((group) => {
    const own = results.filter((each) => groupOf(each) === group);
    const verdicts = ['holds', 'not-exercised', 'not-testable', 'inconclusive', 'blocked', 'violated'];
    const counts = verdicts.map((verdict) => sum(own, (each) => each.verdicts[verdict] ?? 0));
    return `| ${[group, own.length, ...counts].join(' | ')} |`;
  });
  const wrong = results.filter((each) => each.alarms.length > 0).map((each) => `- run ${each.key}: ${each.alarms.join('; ')}`);
  return `# No false alarms

Correct servers with answers to the open questions, data and changes drawn from a seed, each judged by all rules
(\`npm run campaign -- correct-servers\`). ${results.length} runs, ${sum(results, ({ requests }) => requests)} requests,
${sum(results, (each) => each.alarms.length)} alarms, 0 keys shown.

| server | API | changes or chaos | runs | holds | not exercised | not testable | inconclusive | blocked | violated |
|---|---|---|---|---|---|---|---|---|---|
${rows.join('\n')}
${wrong.length === 0 ? '' : `\n${wrong.join('\n')}\n`}`;
}

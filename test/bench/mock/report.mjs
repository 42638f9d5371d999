/** The results as tables: for the terminal, and as a page of the documentation. */

import { cpus } from 'node:os';

const names = { bare: 'bare node:http', ours: 'touchstone mock', prism: 'prism mock', backend: 'openapi-backend + Express' };

/** A target: our figure, the figure it is compared with, and the largest ratio. */
const targets = [
  { what: 'a page of 50, first time', most: 1 / 4 },
  { what: 'an order, first time', most: 1 / 4 },
  { what: 'a page of 50, again', most: 1 / 8 },
  { what: 'an order, again', most: 1 / 8 },
  { what: 'an order, unchanged (304)', most: 1 / 8 },
];

/** The tables as text. */
export function renderTerminal(results) {
  return sections(results)
    .flatMap(({ title, rows }) => ['', title, ...columns(rows)])
    .join('\n');
}

/** The tables as Markdown, with the machine that they were measured on. */
export function renderPage(results) {
  const machine = `${cpus()[0]?.model ?? 'an unknown processor'} (${cpus().length} cores), Node.js ${process.version}, Linux`;
  const tables = sections(results).flatMap(({ title, about, rows: [head, ...rows] }) => [
    `## ${title}`,
    '',
    about,
    '',
    `| ${head.join(' | ')} |`,
    `|${head.map((_, index) => (index === 0 ? ' --- ' : ' ---: ')).join('|')}|`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    '',
  ]);
  const how =
    results.plan.million === 1_000_000 ? '`npm run bench -- --write`' : '`npm run bench -- --quick --write`, whose figures are rough';
  return ['# Performance', '', `Measured in one run of ${how}, on: ${machine}.`, '', ...tables].join('\n');
}

function sections({ plan, starts, reads, million }) {
  return [readSection(plan, reads), startSection(starts, reads), ...(million === undefined ? [] : [millionSection(million)])];
}

function readSection(plan, { costs }) {
  const servers = Object.keys(Object.values(costs)[0] ?? {});
  const rows = targets.map(({ what, most }) => {
    const byServer = costs[what];
    const ratio = byServer.ours.median / byServer.prism.median;
    return [what, ...servers.map((name) => cell(byServer[name], byServer.ours)), ratio.toFixed(3), `≤ ${most}`, verdict(ratio <= most)];
  });
  return {
    title: 'Processor time for a request, in µs',
    about: `User and system time of all processes of the server: the median of ${plan.rounds} alternating rounds after one warm-up, with eight connections. “First time” requests are all different, so that no cache helps; “again” repeats a request. The other servers return the same page and the same order from prebuilt bytes or named examples. A figure in brackets is for another status, since that server has no conditional reads.`,
    rows: [['request', ...servers.map((name) => names[name]), 'ours / Prism', 'target', ''], ...rows],
  };
}

/** Marks a server that answers with another status than ours, since it does not do the same work. */
function cell({ median, statuses }, ours) {
  return statuses.join() === ours.statuses.join() ? median.toFixed(0) : `(${median.toFixed(0)}: ${statuses.join('/')})`;
}

function startSection(starts, { loadedMb }) {
  const rows = Object.entries(starts).map(([name, { ms, idleMb }]) => [
    names[name],
    ms.toFixed(0),
    idleMb.toFixed(0),
    loadedMb[name]?.toFixed(0) ?? '',
  ]);
  const ratio = starts.ours.ms / starts.prism.ms;
  return {
    title: 'Start and memory',
    about:
      'Medians of the time from the start of the process to the first page, the memory used then, and the memory used after the load above. Touchstone holds 40,000 orders.',
    rows: [
      ['server', 'first page, ms', 'MB after it', 'MB under load'],
      ...rows,
      [
        'ours / Prism',
        ratio.toFixed(2),
        (starts.ours.idleMb / starts.prism.idleMb).toFixed(2),
        (loadedMb.ours / loadedMb.prism).toFixed(2),
      ],
      [
        'target',
        `≤ 0.5 ${verdict(ratio <= 0.5)}`,
        `< 1 ${verdict(starts.ours.idleMb < starts.prism.idleMb)}`,
        `≤ 1.25 ${verdict(loadedMb.ours <= 1.25 * loadedMb.prism)}`,
      ],
    ],
  };
}

function millionSection({ records, startMs, costs, walk, idleMb, loadedMb, bytesEach }) {
  const count = String(records).replaceAll(/\B(?=(\d{3})+$)/g, ',');
  const ratio = (kind) => costs[kind].large.microseconds / costs[kind].small.microseconds;
  const cost = (kind) => [costs[kind].small.microseconds.toFixed(0), costs[kind].large.microseconds.toFixed(0)];
  const isWhole = walk.delivered === walk.walked && walk.found >= records;
  return {
    title: `${count} orders`,
    about: `\`--size orders=${records}\` beside \`--size orders=1000\`, each in a process of its own.`,
    rows: [
      ['', '1,000', count, 'target', ''],
      ['first page after the start, ms', startMs.small.toFixed(0), startMs.large.toFixed(0), '< 10,000', verdict(startMs.large < 10_000)],
      ['a page of 50, µs', ...cost('page'), `≤ 2 × (${ratio('page').toFixed(2)})`, verdict(ratio('page') <= 2)],
      [
        'a page of 50 with `status=pending`, µs',
        ...cost('sparse'),
        `≤ 2 × a page (${(costs.sparse.large.microseconds / costs.page.small.microseconds).toFixed(2)})`,
        verdict(costs.sparse.large.microseconds <= 2 * costs.page.small.microseconds),
      ],
      ['memory, MB', idleMb.small.toFixed(0), `${idleMb.large.toFixed(0)}, ${loadedMb.toFixed(0)} after reading all`, '', ''],
      ['bytes for each order', '', bytesEach.toFixed(0), 'stated', ''],
      [
        'all pages at limit 100 while the clock moves',
        '',
        `${walk.pages} pages in ${walk.seconds.toFixed(1)} s, ${walk.microsecondsPerPage.toFixed(0)} µs a page`,
        `${walk.walked} once, ${walk.delivered - walk.walked} twice; with what moved: ${walk.found}`,
        verdict(isWhole),
      ],
    ],
  };
}

function verdict(isReached) {
  return isReached ? 'reached' : 'missed';
}

function columns(rows) {
  const widths = rows[0].map((_, index) => Math.max(...rows.map((row) => (row[index] ?? '').length)));
  return rows.map((row) =>
    row
      .map((each, index) => (index === 0 ? each.padEnd(widths[0]) : each.padStart(widths[index])))
      .join('  ')
      .trimEnd(),
  );
}

/**
 * A thousand correct servers, judged by all laws: the mock and the second server, with answers to the open questions, data, calendars, changes
 * meanwhile and troubles drawn from a seed. None may raise an alarm; writes docs/verify-proof.md. Takes hours, so it is run by hand after a build:
 * `node test/night/verify.mjs`, or with a number of runs. Each run that is done is one line of .touchstone/verify.jsonl; what is in it already is not
 * done again, so a campaign that was broken off goes on where it was. Delete the file when laws have changed. Ends with 1 when anything was wrong.
 */

import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const place = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const built = (file) => import(new URL(`../../dist/${file}`, import.meta.url).href);
const { loadContract } = await built('core/contract.js');
const { contractFile } = await built('core/shipped.js');
const { verify } = await built('contracts/verify.js');
const { startMock } = await built('mocks/start.js');
const { choicesOf, startSecondServer, plans } = await buildSecond();

const count = Number(process.argv[2] ?? 1000);
const file = place('.touchstone/verify.jsonl');
mkdirSync(place('.touchstone'), { recursive: true });
const contracts = { business: await loadContract(contractFile('business')), wiki: await loadContract(contractFile('wiki')) };
const done = new Map(readLines(file).map((line) => [line.run, line]));

for (let run = 1; run <= count; run += 1) {
  if (done.has(run)) continue;
  const result = await judge(run, draw(run));
  done.set(run, result);
  appendFileSync(file, `${JSON.stringify(result)}\n`);
  console.log(`${done.size} of ${count} ${result.server} ${result.api} ${result.kind}: ${result.alarms.join('; ') || 'no alarm'}`);
}
const results = [...done.values()].filter(({ run }) => run <= count);
const wrong = results.filter(({ alarms, shown, silent }) => alarms.length + shown + silent > 0);
writeFileSync(place('docs/verify-proof.md'), renderPage());
console.log(`${results.length} runs, ${wrong.length} of them wrong`);
process.exitCode = wrong.length === 0 ? 0 : 1;

/** What a run judges: every third one the mock, which has no open data. */
function draw(run) {
  const next = numbers(run);
  const pick = (list) => list[next() % list.length];
  const api = pick(['business', 'wiki']);
  const quick = next() % 4 === 0;
  if (run % 3 === 0) return { server: 'mock', api, quick, kind: 'as it is' };
  const drawn = Object.fromEntries(Object.entries(choicesOf(api)).map(([id, values]) => [id, pick(values)]));
  const choices = next() % 5 === 0 ? {} : drawn;
  const data = pick(['usual', 'usual', 'none', 'one', 'two', 'few', 'same-instant', 'large']);
  const kind = pick(['still', 'still', 'edges', 'busy', 'slow', 'rateLimit', ...(api === 'business' ? ['notReady'] : [])]);
  const conditions = conditionsOf(kind, 3 + (next() % 40));
  // Clocks and calendars are odd in two runs of three: changes of clocks, a day that a zone left out.
  const calendar = pick(['leap-day', 'leap-day', 'spring', 'autumn', 'date-line', 'autumn']);
  return { server: 'second', api, quick, kind, options: { api, choices, data, calendar, seed: run, ...conditions } };
}

function conditionsOf(kind, every) {
  if (kind === 'rateLimit' || kind === 'notReady') return { [kind]: every };
  return kind in plans ? { chaos: plans[kind] } : {};
}

/** Numbers that look random and are the same for the same seed. */
function numbers(seed) {
  let state = Math.imul(seed, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), state | 1);
    const again = mixed ^ (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61));
    return (again ^ (again >>> 14)) >>> 0;
  };
}

async function judge(run, { server, api, quick, kind, options }) {
  const running = server === 'mock' ? await startMock({ contracts: [api], seed: run }) : await startSecondServer(options);
  const hidden = server === 'mock' ? running.hiddenSlugs : running.hidden;
  const variable = (role) => `KEY_${role.replaceAll(/\W/g, '_').toUpperCase()}`;
  const keys = Object.fromEntries(Object.entries(running.keys).map(([role, value]) => [role, { variable: variable(role), value }]));
  try {
    const given = { keys, hidden, quick, seed: run, clock: patientClock() };
    const result = await verify({ contract: contracts[api], target: running.url, ...given }).result;
    const text = JSON.stringify(result);
    const isShown = (value) => text.includes(value) || text.includes(Buffer.from(value).toString('base64').slice(2, -4));
    const verdicts = {};
    for (const { verdict } of result.laws) verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
    const violated = result.laws.filter(({ verdict }) => verdict === 'violated');
    return {
      ...{ run, server, api, quick, kind, requests: result.requests, verdicts },
      alarms: violated.map(({ id, operation, message }) => `${id} at ${operation}: ${message}`),
      silent: result.laws.filter(({ verdict, message }) => verdict !== 'holds' && message === '').length,
      shown: Object.values(running.keys).filter(isShown).length,
    };
  } finally {
    await running.close();
  }
}

/** A clock that goes on by itself as far as somebody wants to sleep. */
function patientClock() {
  let slept = 0;
  return {
    nowMs: () => performance.now() + slept,
    sleep: async (milliseconds) => {
      slept += milliseconds;
    },
  };
}

/** The second server belongs to the tests, which no build compiles. */
async function buildSecond() {
  const folder = place('.touchstone/second');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(place('package.json'), `${folder}/package.json`);
  const compilerOptions = { module: 'esnext', target: 'es2022', verbatimModuleSyntax: true, rewriteRelativeImportExtensions: true };
  for (const name of readdirSync(place('test/second')).filter((each) => each.endsWith('.ts') && !each.endsWith('.test.ts'))) {
    const source = readFileSync(place(`test/second/${name}`), 'utf8');
    writeFileSync(`${folder}/${name.replace(/ts$/, 'js')}`, ts.transpileModule(source, { compilerOptions }).outputText);
  }
  const load = (name) => import(new URL(`../../.touchstone/second/${name}.js`, import.meta.url).href);
  const [{ choicesOf: questions }, { startSecondServer: start }, { edges, busy, slow }] = await Promise.all(
    ['choices', 'server', 'chaos'].map(load),
  );
  return { choicesOf: questions, startSecondServer: start, plans: { edges, busy, slow } };
}

function renderPage() {
  const sum = (list, pick) => list.reduce((total, each) => total + pick(each), 0);
  const rows = [...new Set(results.map(({ server, api, kind }) => `${server}|${api}|${kind}`))].toSorted().map((group) => {
    const own = results.filter(({ server, api, kind }) => `${server}|${api}|${kind}` === group);
    const of = (verdict) => sum(own, ({ verdicts }) => verdicts[verdict] ?? 0);
    const others = ['not-exercised', 'not-testable', 'inconclusive', 'blocked'].map(of).join(' | ');
    return `| ${group.replaceAll('|', ' | ')} | ${own.length} | ${of('holds')} | ${others} | ${sum(own, ({ alarms }) => alarms.length)} |`;
  });
  const lines = wrong.map(
    ({ run, server, api, alarms }) => `- run ${run}, ${server}, ${api}: ${alarms.join('; ') || 'a key or an empty message'}`,
  );
  return `# No false alarms

Correct servers with answers to the open questions, data and changes drawn from a seed, each judged by all laws
(\`node test/night/verify.mjs\`). ${results.length} runs, ${sum(results, ({ requests }) => requests)} requests,
${sum(results, ({ alarms }) => alarms.length)} alarms, ${sum(results, ({ shown }) => shown)} keys shown.

| server | API | changes or troubles | runs | holds | not exercised | not testable | inconclusive | blocked | violated |
|---|---|---|---|---|---|---|---|---|---|
${rows.join('\n')}
${lines.length === 0 ? '' : `\n${lines.join('\n')}\n`}`;
}

function readLines(path) {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

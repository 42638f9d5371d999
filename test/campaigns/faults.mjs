/**
 * Every fault of the mock at every place, judged by all laws; writes docs/faults.md. Takes a quarter of an hour, so it is run by hand after a build:
 * `node test/night/faults.mjs`, or with the number of threads, 2 unless said otherwise. Each fault that is done is one line of
 * .touchstone/faults.jsonl; what is in it already is not done again, so a run that was broken off goes on where it was. Delete the file when laws or
 * faults have changed. Ends with 1 when a fault is not reported by the law that it names.
 */

import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

const place = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const built = (file) => import(new URL(`../../dist/${file}`, import.meta.url).href);
const { contractFile } = await built('core/shipped.js');
const { laws } = await built('contracts/laws/catalogue.js');
const { filterRivals } = await built('contracts/rival.js');
const { verify } = await built('contracts/verify.js');
const { listMockFaults, startMock } = await built('mocks/start.js');

await (isMainThread ? lead() : follow());

/** Hands each fault to a thread that is free, and writes the page once all are judged. */
async function lead() {
  const file = place('.touchstone/faults.jsonl');
  mkdirSync(place('.touchstone'), { recursive: true });
  const faults = (await listMockFaults()).map(({ id, contract, law, title }) => ({ id, contract, law, title }));
  const done = new Map(readLines(file).map((line) => [`${line.contract} ${line.id}`, line]));
  const waiting = inTurn(faults).filter(({ contract, id }) => !done.has(`${contract} ${id}`));
  const judged = () =>
    faults.flatMap((fault) => [done.get(`${fault.contract} ${fault.id}`) ?? []].flat().map((result) => ({ ...result, ...fault })));
  const note = (result) => {
    done.set(`${result.contract} ${result.id}`, result);
    appendFileSync(file, `${JSON.stringify(result)}\n`);
    writeFileSync(place('docs/faults.md'), renderPage(faults, judged()));
    console.log(`${done.size} of ${faults.length} ${result.contract} ${result.id}: ${result.reported.join(', ') || 'MISSED'}`);
  };
  const threads = Number(process.argv[2] ?? 2);
  await Promise.all(Array.from({ length: Math.min(threads, waiting.length) }, () => employ(waiting, note)));
  const results = judged();
  const missed = results.filter(({ law, reported }) => !reported.includes(law));
  writeFileSync(place('docs/faults.md'), renderPage(faults, results));
  const mean = results.reduce((sum, { reported }) => sum + reported.length, 0) / results.length;
  console.log(`${results.length - missed.length} of ${results.length} faults caught; ${mean.toFixed(1)} laws report a fault on average`);
  for (const { contract, id, law, reported } of missed)
    console.log(`MISSED ${contract} ${id} by ${law}; reported by ${reported.join(', ') || 'none'}`);
  process.exitCode = missed.length === 0 ? 0 : 1;
}

/** What takes little time comes first, and the first place of each kind, so that a run that was broken off has seen as much as it could. */
function inTurn(faults) {
  const kinds = faults.map(kindOf);
  const isFirst = (fault) => faults[kinds.indexOf(kindOf(fault))] === fault;
  const costOf = ({ contract }) => faults.filter((fault) => fault.contract === contract).length;
  // The contract with the fewest faults has the fewest operations.
  const cheapFirst = faults.toSorted((left, right) => costOf(left) - costOf(right));
  return [...cheapFirst.filter(isFirst), ...cheapFirst.filter((fault) => !isFirst(fault))];
}

/** Keeps one thread busy until nothing waits any more. */
function employ(waiting, note) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url));
    const next = () => worker.postMessage(waiting.shift());
    worker.on('error', reject);
    worker.on('exit', resolve);
    worker.on('message', (result) => {
      note(result);
      next();
    });
    next();
  });
}

/** Judges what it is handed, until it is handed nothing. */
async function follow() {
  const { loadContract } = await built('core/contract.js');
  const contracts = new Map();
  for await (const fault of messages()) {
    const contract = contracts.get(fault.contract) ?? (await loadContract(contractFile(fault.contract)));
    contracts.set(fault.contract, contract);
    parentPort.postMessage({ ...fault, ...(await judge(fault, contract)) });
  }
}

async function* messages() {
  for (;;) {
    const message = await new Promise((resolve) => parentPort.once('message', resolve));
    if (message === undefined) return;
    yield message;
  }
}

/** The laws that a full run reports, and whether the one that the fault names explains it. */
async function judge({ id, contract: name, law }, contract) {
  const mock = await startMock({ contracts: [name], faults: [id] });
  try {
    const variable = (role) => `KEY_${role.replaceAll(/\W/g, '_').toUpperCase()}`;
    const keys = Object.fromEntries(Object.entries(mock.keys).map(([role, value]) => [role, { variable: variable(role), value }]));
    const run = (against) => verify({ contract: against, target: mock.url, keys, hidden: mock.hiddenSlugs }).result;
    const result = await run(contract);
    const diagnoses = result.laws.flatMap((each) => (each.id === law && each.verdict === 'violated' ? (each.diagnosis ?? []) : []));
    const narrow = await withoutRivals(name, diagnoses);
    const unlisted = narrow === undefined ? {} : { unlisted: reportedIn(await run(narrow)) };
    return { reported: reportedIn(result), diagnosed: diagnoses.length > 0, ...unlisted, requests: result.requests };
  } finally {
    await mock.close();
  }
}

function reportedIn({ laws: judged }) {
  const order = laws.map((each) => each.id);
  const violated = new Set(judged.filter(({ verdict }) => verdict === 'violated').map((each) => each.id));
  return [...violated].sort((left, right) => order.indexOf(left) - order.indexOf(right));
}

/** The contract, with laws that do not know the readings of filters which explained a fault; `undefined` when it was none of those. */
async function withoutRivals(name, diagnoses) {
  const { loadContract } = await built('core/contract.js');
  const contract = await loadContract(contractFile(name));
  let count = 0;
  for (const operation of contract.operations.filter(({ collection }) => collection !== undefined)) {
    // All laws take the rivals of a list from this one list, which is made once for each contract that is loaded.
    const rivals = filterRivals(contract, operation);
    const others = rivals.filter(({ title }) => !diagnoses.some((diagnosis) => diagnosis.includes(title)));
    count += rivals.length - others.length;
    rivals.splice(0, rivals.length, ...others);
  }
  return count === 0 ? undefined : contract;
}

function renderPage(faults, results) {
  const names = [...new Set(results.map(kindOf))];
  const kinds = names.map((kind) => [kind, results.filter((each) => kindOf(each) === kind)]);
  const named = laws.filter(({ id }) => faults.some(({ law }) => law === id));
  return [
    '# The faults',
    '',
    'Generated by `node test/night/faults.mjs`, which judges every fault by all laws.',
    '',
    'A fault is a mistake that services really have. A mock makes it when it is started with it: `touchstone mock business --fault ID`. Each names the',
    'law that says that it is wrong, so that every law is known to be able to fail.',
    '',
    ...numbers(faults, results, named),
    '',
    '## By law',
    '',
    ...named.flatMap(({ id }) => [`### ${id}`, '', ...faults.filter(({ law }) => law === id).map(renderFault), '']),
    '## What a full run reports',
    '',
    'For each kind of fault the laws that a run of all laws reports, the one that it names in bold. A law that reports it only at some of the places',
    'where it can be made has their number behind it.',
    '',
    ...kinds.map(renderKind),
    '',
  ].join('\n');
}

function numbers(faults, results, named) {
  const caught = results.filter(({ law, reported }) => reported.includes(law));
  const mean = results.reduce((sum, { reported }) => sum + reported.length, 0) / results.length;
  const explained = results.filter(({ diagnosed }) => diagnosed);
  const unlisted = explained.filter((each) => each.unlisted !== undefined);
  const still = unlisted.filter((each) => each.unlisted.length > 0);
  const single = explained.filter((each) => each.unlisted === undefined);
  const elsewhere = single.filter(({ law, reported }) => reported.some((each) => each !== law));
  return [
    `- ${faults.length} faults of ${new Set(faults.map(kindOf)).size} kinds break ${named.length} of the ${laws.length} laws.`,
    ...(results.length < faults.length ? [`- So far ${results.length} of them were judged; what follows is about these.`] : []),
    `- ${caught.length} of ${results.length} are reported by the law that they name, and ${mean.toFixed(1)} laws report a fault on average.`,
    `- ${explained.length} are explained by a rival that the law lists. Of these ${unlisted.length} are readings of filters, which choose what is asked: judged again by laws`,
    `  that do not know them, ${still.length} are still reported. Of the other ${single.length}, ${elsewhere.length} are reported by another law as well. So ${still.length + elsewhere.length} of ${explained.length} are`,
    '  caught without the rival that explains them; for the rest this list of rivals is all that there is.',
  ];
}

function renderFault({ id, contract, title }) {
  return `- \`${id}\` (${contract}): ${title}`;
}

function renderKind([kind, faults]) {
  const own = new Set(faults.map(({ law }) => law));
  const reported = laws.flatMap(({ id }) => {
    const count = faults.filter((fault) => fault.reported.includes(id)).length;
    return count === 0 ? [] : [`${own.has(id) ? `**${id}**` : id}${count === faults.length ? '' : ` (${count} of ${faults.length})`}`];
  });
  return `- \`${kind}\`: ${reported.join(', ') || 'nothing'}`;
}

/** The same mistake may be called the same in both contracts; the laws that report it need not be the same. */
function kindOf({ id, contract }) {
  return `${contract} ${id.split(':')[0]}`;
}

function readLines(file) {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/**
 * Ten thousand instances and ten thousand near misses of every schema of the shipped contracts, judged by ajv. Takes long, so it is run by hand after
 * a build: `node test/night/generators.mjs progress.jsonl`. Each schema that is done is one line of that file; what is in it already is not done again,
 * so a run that was broken off goes on where it was. Ends with 1 when anything was wrong.
 */

import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';

const built = (file) => import(new URL(`../../dist/${file}`, import.meta.url).href);
const { loadContract } = await built('core/contract.js');
const { contractFile, listShipped } = await built('core/shipped.js');
const { arbitraryFor } = await built('generators/arbitrary.js');
const { nearMissesFor } = await built('generators/near-miss.js');
const { Unsatisfiable } = await built('generators/outcome.js');

const count = 10_000;
/** So many at a time, each with a seed of its own: fast-check tends to large values late in a run. */
const batch = 500;
const [progress] = process.argv.slice(2);
if (progress === undefined) throw new Error('name the file that notes the progress: node test/night/generators.mjs progress.jsonl');
const done = new Map(readLines(progress).map((line) => [line.title, line]));

for (const name of listShipped()) {
  const contract = await loadContract(contractFile(name));
  for (const [title, schema] of schemasOf(contract)) {
    const full = `${name} ${title}`;
    if (done.has(full)) continue;
    const result = { title: full, ...examine(contract, schema) };
    done.set(full, result);
    appendFileSync(progress, `${JSON.stringify(result)}\n`);
    console.log(summary(result));
  }
}

const results = [...done.values()];
const sum = (pick) => results.reduce((total, each) => total + pick(each), 0);
const wrong = sum(({ invalid }) => invalid) + sum(({ leaks }) => leaks);
console.log(
  `${results.length} schemas: ${sum(({ instances }) => instances)} instances, ${sum(({ invalid }) => invalid)} of them invalid; ` +
    `${sum(({ misses }) => misses)} near misses, ${sum(({ leaks }) => leaks)} of them valid; ${sum(({ seconds }) => seconds).toFixed(0)} s`,
);
process.exitCode = wrong === 0 ? 0 : 1;

/** Draws from a schema and has every value judged. */
function examine(contract, schema) {
  const validate = contract.validators.compile(schema);
  const sources = { document: contract.closed };
  const before = process.cpuUsage();
  const valid = tally(arbitraryFor(schema, sources), (value) => (validate(value).length === 0 ? [] : [JSON.stringify(value)]));
  const misses = openMisses(schema, sources);
  const labels = new Set();
  const wrong = tally(misses, (miss) => {
    labels.add(miss.keyword);
    return validate(miss.value).length > 0 ? [] : [JSON.stringify(miss)];
  });
  const { user, system } = process.cpuUsage(before);
  return {
    instances: valid.drawn,
    distinct: valid.distinct,
    invalid: valid.faults.length,
    misses: wrong.drawn,
    leaks: wrong.faults.length,
    keywords: [...labels].sort(),
    faults: [...valid.faults, ...wrong.faults].slice(0, 3),
    seconds: (user + system) / 1_000_000,
  };
}

/** A schema that only describes accepts everything, so that it has no near misses. */
function openMisses(schema, sources) {
  try {
    return nearMissesFor(schema, sources);
  } catch (error) {
    if (error instanceof Unsatisfiable) return undefined;
    throw error;
  }
}

function tally(arbitrary, faultsOf) {
  if (arbitrary === undefined) return { drawn: 0, distinct: 0, faults: [] };
  const faults = [];
  const texts = new Set();
  for (let seed = 1; seed <= count / batch; seed += 1) {
    for (const value of fc.sample(arbitrary, { seed, numRuns: batch })) {
      faults.push(...faultsOf(value));
      texts.add(JSON.stringify(value));
    }
  }
  return { drawn: count, distinct: texts.size, faults };
}

/** The named schemas, and those of answers, of their headers and of parameters; each once. */
function schemasOf(contract) {
  const found = new Map();
  const note = (title, schema) => {
    if (![...found.values()].includes(schema)) found.set(title, schema);
  };
  for (const [name, schema] of Object.entries(contract.closed.root.components?.schemas ?? {})) note(`components/schemas/${name}`, schema);
  for (const operation of contract.operations) {
    for (const { status, content, headers } of operation.responses.values()) {
      for (const [type, { schema }] of content) note(`${operation.id} ${status} ${type}`, schema);
      for (const header of headers) note(`${operation.id} ${status} header ${header.name}`, header.parameter.schema);
    }
    for (const parameter of operation.parameters) note(`${operation.id} ${parameter.in} ${parameter.name}`, parameter.schema);
  }
  return found;
}

function readLines(file) {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

function summary({ title, instances, distinct, invalid, misses, leaks, keywords, seconds }) {
  const verdict = invalid + leaks === 0 ? 'all right' : `WRONG: ${invalid} invalid instances, ${leaks} valid near misses`;
  return `${title}: ${instances} instances (${distinct} distinct), ${misses} near misses by ${keywords.join(' ') || 'nothing'}; ${verdict}; ${seconds.toFixed(1)} s`;
}

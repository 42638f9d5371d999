/**
 * A million instances held against what the comparison says of schemas at random and an edit of each. Takes long, so it is run by hand:
 * `node test/night/diff.mjs progress.jsonl [COUNT]`. Each batch that is done is one line of that file; what is in it already is not done again, so a
 * run that was broken off goes on where it was. Writes docs/diff-proof.md, and ends with 1 when an instance contradicted the comparison, or when the
 * comparison ended with an error.
 */

import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { createViteServer } from 'vitest/node';

/** So many pairs in a batch, and so many instances drawn for each half of an exchange of a pair. */
const pairs = 25;
const drawn = 20;

const [progress, count = '1000000'] = process.argv.slice(2);
if (progress === undefined) throw new Error('name the file that notes the progress: node test/night/diff.mjs progress.jsonl');
const root = fileURLToPath(new URL('../..', import.meta.url));
const wanted = Number(count);
if (!(wanted > 0)) throw new Error(`${count} is no count of values; write a number such as 100000, or leave it out`);
const done = readLines(progress);

// The pairs and their judges are those of the tests, which are read as they stand: there is no build of them.
const server = await createViteServer({
  root,
  configFile: false,
  appType: 'custom',
  logLevel: 'error',
  server: { middlewareMode: true, watch: null },
});
const { schemaChanges } = await server.ssrLoadModule('/test/contracts/diff/random-pairs.ts');
const { tryPair } = await server.ssrLoadModule('/test/contracts/diff/contradictions.ts');

for (let seed = done.length + 1; sum('tries') < wanted; seed += 1) {
  const batch = await runBatch(seed);
  done.push(batch);
  appendFileSync(progress, `${JSON.stringify(batch)}\n`);
  console.log(`batch ${seed}: ${sum('tries')} of ${wanted} tries, ${done.flatMap(({ faults }) => faults).length} contradictions`);
}
await server.close();
writeFileSync(new URL('../../docs/diff-proof.md', import.meta.url), page());
process.exitCode = done.some(({ faults }) => faults.length > 0) ? 1 : 0;

async function runBatch(seed) {
  const before = process.cpuUsage();
  const batch = { seed, pairs: 0, tries: 0, claims: 0, proved: 0, faults: [] };
  for (const pair of fc.sample(schemaChanges(1 + (seed % 2)), { seed, numRuns: pairs })) {
    const trial = await tryOrTell(pair);
    batch.pairs += 1;
    batch.tries += trial.tries;
    batch.claims += trial.claims.length;
    batch.proved += trial.claims.filter((claim) => claim === 'proved').length;
    batch.faults.push(...trial.contradictions.map((contradiction) => ({ ...pair, ...contradiction })));
  }
  const { user, system } = process.cpuUsage(before);
  return { ...batch, seconds: (user + system) / 1_000_000 };
}

/** A comparison that ends with an error is a fault like any other, and no reason to end the run. */
async function tryOrTell(pair) {
  try {
    return await tryPair(pair, drawn);
  } catch (error) {
    return { tries: 0, claims: [], contradictions: [{ claim: 'error', message: String(error.message).slice(0, 200) }] };
  }
}

function sum(key) {
  return done.reduce((total, batch) => total + batch[key], 0);
}

function page() {
  const faults = done.flatMap((batch) => batch.faults);
  const print = (number) => String(number).replaceAll(/\B(?=(\d{3})+$)/g, ' ');
  return `# How the comparison was tried

Written by \`node test/night/diff.mjs\`; not by hand.

A schema is drawn at random, of every keyword of JSON Schema 2020-12, and edited once or twice: a keyword comes or goes, a bound moves, a value or a branch is new. Both stand
in the request body and in the response body of an operation, and \`compareContracts\` compares the two contracts. Where it finds nothing breaking and nothing risky for one half
of the exchange, values that the sending side allows are held against the other side, by ajv and by our own evaluator: ${drawn} that are drawn from its schema, and some three
hundred simple ones. A value that is refused contradicts the comparison. Where all changes are \`proved\`, every value counts; where they are only compatible, values whose members
are all named.

| | |
|---|---|
| pairs of schemas | ${print(sum('pairs'))} |
| halves of exchanges in which nothing breaks | ${print(sum('claims'))}, ${print(sum('proved'))} of them proved |
| values held against them | ${print(sum('tries'))} |
| contradictions and errors | ${print(faults.length)} |
| processor time | ${print(Math.round(sum('seconds')))} s |
${faults.map((fault) => `\n\`\`\`json\n${JSON.stringify(fault)}\n\`\`\`\n`).join('')}`;
}

function readLines(file) {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

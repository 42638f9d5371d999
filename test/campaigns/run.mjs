/**
 * Lists the campaigns, or runs one: `npm run campaign`, `npm run campaign -- NAME`. An interrupted campaign continues where it stopped, as long as code and
 * tests are the same. Exit code 1 means that something is wrong.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const folder = fileURLToPath(new URL('.', import.meta.url));
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.campaign.ts'))
  .map((file) => file.replace('.campaign.ts', ''));

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: 'string' },
    seed: { type: 'string' },
    files: { type: 'string', multiple: true },
    processes: { type: 'string', default: String(availableParallelism()) },
  },
});
const [name] = positionals;
if (name === undefined) list();
else if (names.includes(name)) process.exitCode = await run(name);
else {
  console.error(`There is no campaign ${name}. The campaigns are ${names.join(', ')}.`);
  process.exitCode = 2;
}

function list() {
  for (const each of names) {
    const header = /^\/\*\*([\s\S]*?)\*\//.exec(readFileSync(`${folder}${each}.campaign.ts`, 'utf8'))?.[1] ?? '';
    console.log(`${each.padEnd(18)} ${header.replaceAll(/\s*\n? \* ?/g, ' ').trim()}`);
  }
  console.log('\nnpm run campaign -- NAME [--size N] [--seed N] [--files FOLDER] [--processes N]');
}

/** Prepares, judges the items in several processes, and concludes. Resolves to the exit code. */
async function run(campaign) {
  const count = Number(values.processes);
  const shares = Array.from({ length: count }, (_, index) => `${index}/${count}`);
  for (const steps of [['prepare'], shares, ['conclude']]) {
    const codes = await Promise.all(steps.map((step) => take(campaign, step)));
    if (codes.some((code) => code !== 0)) return 1;
  }
  return 0;
}

async function take(campaign, step) {
  const { size, seed, files } = values;
  const options = JSON.stringify({ ...(size && { size: Number(size) }), ...(seed && { seed: Number(seed) }), files });
  const env = { TOUCHSTONE_CAMPAIGN: campaign, TOUCHSTONE_CAMPAIGN_STEP: step, TOUCHSTONE_CAMPAIGN_OPTIONS: options };
  const args = ['run', '--project', 'campaigns', '--disableConsoleIntercept', '--reporter', step === 'conclude' ? 'default' : 'dot'];
  const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
  const [code] = await once(spawn(process.execPath, [vitest, ...args], { env: { ...process.env, ...env }, stdio: 'inherit' }), 'exit');
  return code ?? 1;
}

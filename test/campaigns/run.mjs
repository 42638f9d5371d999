/**
 * Lists the campaigns, or runs one: `npm run campaign`, `npm run campaign -- NAME [--size N] [--processes N]`. A campaign that was cut continues where
 * it stopped, as long as the code is the same. Ends with 1 when something was wrong.
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
  options: { size: { type: 'string' }, processes: { type: 'string', default: String(availableParallelism()) } },
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
  console.log('\nnpm run campaign -- NAME');
}

/** Judges the items in several processes, and concludes in one more. */
async function run(campaign) {
  const count = Number(values.processes);
  const codes = await Promise.all(Array.from({ length: count }, (_, index) => start(campaign, `${index}/${count}`)));
  return codes.every((code) => code === 0) ? await start(campaign, '') : 1;
}

async function start(campaign, share) {
  const env = { ...process.env, TOUCHSTONE_CAMPAIGN: campaign, TOUCHSTONE_CAMPAIGN_SHARE: share };
  if (values.size !== undefined) env.TOUCHSTONE_CAMPAIGN_SIZE = values.size;
  const args = ['run', '--project', 'campaigns', '--disableConsoleIntercept', '--reporter', share === '' ? 'default' : 'dot'];
  const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
  const [code] = await once(spawn(process.execPath, [vitest, ...args], { env, stdio: 'inherit' }), 'exit');
  return code ?? 1;
}

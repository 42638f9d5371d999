/**
 * The judge judged: the laws and the evaluator of filters, order and pages are mutated (Stryker), and each mutant meets exchanges of hundreds of servers
 * that were written down beforehand, the mock with every kind of fault among them. Writes docs/mutation.md. Takes an hour or two, so it is run by hand:
 * `node test/night/mutation.mjs`, or with the parts to test (`pages core/query.ts`), and `--concurrency 1` where others need the machine; `--page` only
 * writes the page again. What was tested before and has not changed since is not tested again; a run that was broken off is gone on with.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writePage } from './mutation/page.mjs';

const place = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const env = { ...process.env, TOUCHSTONE_RECORDINGS: place('.touchstone/recordings') };
const given = process.argv.slice(2);
const at = given.indexOf('--concurrency');
const concurrency = at < 0 ? [] : given.splice(at, 2);
const groups = readdirSync(place('contracts/laws'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
const parts = [...groups.map(({ name }) => name).toSorted(), 'core/query.ts'];

if (!given.includes('--page')) {
  // The exchanges are written down by the code as it is, before any of it is mutated.
  run('vitest', ['run', '--config', 'test/mutation/vitest.config.ts']);
  // A part at a time: only what a part is about need be judged once as it is, and nothing of a part that is done is lost.
  for (const part of given.length > 0 ? given : parts) {
    console.log(`\n${part}`);
    const pattern = existsSync(place(`contracts/laws/${part}`)) ? `contracts/laws/${part}/*.ts` : part;
    run('stryker', ['run', 'test/mutation/stryker.config.json', '--mutate', pattern, ...concurrency]);
  }
}
process.exitCode = writePage(place('')) >= 90 ? 0 : 1;

function run(program, args) {
  const { status } = spawnSync(place(`node_modules/.bin/${program}`), args, { cwd: place('.'), env, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${program} ended with ${status}; see what it printed above`);
}

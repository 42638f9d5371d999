/**
 * Writes down what every world answers, by the code as it is: `node test/night/mutation.mjs` begins with it. What was written down before and is still
 * judged the same is kept.
 */

import { fileURLToPath } from 'node:url';
import { afterAll, describe, it } from 'vitest';
import { laws } from '../../../contracts/laws/catalogue.ts';
import type { Edit } from '../../../core/edit.ts';
import { describeAnswers, lists } from './answers.ts';
import { type Entry, writeAnswers, writeDown, writeEntries, writeSubjects } from './archive.ts';
import { describeSubjects, listLosses, loseEach } from './subjects.ts';
import { contracts, listWorlds } from './worlds.ts';

const folder = process.env['TOUCHSTONE_RECORDINGS'] ?? fileURLToPath(new URL('../../.touchstone/recordings', import.meta.url));
const worlds = listWorlds();
const entries: Entry[] = [];
let unjudged = 0;
// A run that failed somewhere has no list, so nothing is tested by half of the worlds.
// Contracts with a loss are many, and take longer than a hook may.
afterAll(async () => {
  if (entries.length + unjudged === worlds.length) writeEntries(folder, [...entries, ...listAnswers(), ...(await listSubjects())]);
}, 120_000);

describe('written down', () => {
  it.each(worlds)('$name', { timeout: 120_000 }, async (world) => {
    try {
      entries.push(await writeDown(folder, contracts[world.api], world));
    } catch (error) {
      // An edit may leave a contract that no request can be made from; that tells nothing of laws.
      if (world.edits === undefined) throw error;
      console.warn(`${world.name} is left out: ${String(error)}`);
      unjudged += 1;
    }
  });
});

function listAnswers(): readonly Entry[] {
  return writeAnswers(
    folder,
    Array.from({ length: lists }, (_, list) => describeAnswers(list)),
  );
}

async function listSubjects(): Promise<readonly Entry[]> {
  const losses: Record<string, readonly Edit[]> = {};
  for (const contract of Object.values(contracts)) losses[contract.name] = await listLosses(contract);
  const lacking = Object.values(contracts).flatMap((contract) => loseEach(contract, losses[contract.name] ?? []));
  return writeSubjects(folder, { losses, texts: Object.fromEntries(laws.map(({ id }) => [id, describeSubjects(id, lacking)])) });
}
